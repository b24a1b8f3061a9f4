"""The tournament's engine: which act may follow, what it changes, and the fold of all acts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from assistant.hall.tournament import acts
from assistant.hall.tournament.acts import Act, Opened
from assistant.hall.tournament.draw import match_name, order_of, plan, stages_of
from assistant.hall.tournament.errors import MAX_NUMBER, MAX_PAIRS, TournamentError, normalized
from assistant.hall.tournament.late import check_late, with_late_pair
from assistant.hall.tournament.model import BYE, ByeSlot, Match, Pair, PairSlot, Result, Tournament
from assistant.hall.tournament.ranking import Resolver, check_match
from assistant.hall.tournament.rounds import check_drawn
from assistant.hall.tournament.swiss import check_round
from assistant.messages.codec import short

# ---- How each act changes the tournament, once ``check`` has let it pass ------------------------


K = TypeVar("K")
V = TypeVar("V")


def opened(act: acts.Opened) -> Tournament:
    """The tournament as it is announced: without pairs."""
    stages = act.sheet.stages if act.sheet else stages_of(act.format, act.options)
    return Tournament(act.name, act.format, act.options, {}, stages=stages, sheet=act.sheet)


def changed(tournament: Tournament, act: acts.Act) -> Tournament:
    """The tournament after an act that ``check`` let pass."""
    return _CHANGES[type(act)](tournament, act)


def _enrolled(before: Tournament, act: acts.PairEnrolled) -> Tournament:
    pair = Pair(
        *(act.pair, act.name, act.players, act.club, act.seed, act.namesakes, act.bar),
        category=act.category,
        late=act.late,
    )
    if act.late:
        return with_late_pair(before, pair)
    return replace(before, pairs={**before.pairs, act.pair: pair})


def _player_enrolled(before: Tournament, act: acts.PlayerEnrolled) -> Tournament:
    pair = Pair(
        *(act.pair, act.name, (act.name,), act.club, None, act.namesakes), category=act.category
    )
    return replace(before, pairs={**before.pairs, act.pair: pair})


def _pair_corrected(before: Tournament, act: acts.PairCorrected) -> Tournament:
    pair = replace(
        before.pairs[act.pair],
        name=act.name,
        players=act.players[:1] if before.individual else act.players,
        club=act.club,
        namesakes=act.namesakes,
        bar=before.pairs[act.pair].bar if act.bar is None else act.bar,
        category=before.pairs[act.pair].category if act.category is None else act.category,
    )
    return replace(before, pairs={**before.pairs, act.pair: pair})


def _withdrawn(before: Tournament, act: acts.PairWithdrawn) -> Tournament:
    if before.order:
        return replace(before, withdrawn=before.withdrawn | {act.pair})
    return replace(before, pairs=_without(before.pairs, act.pair), gone=before.gone | {act.pair})


def _drawn(before: Tournament, act: acts.Drawn) -> Tournament:
    made = plan(before.stages, act.order, before.pairs)
    first = [
        tuple([slot.pair for slot in group if isinstance(slot, PairSlot)])
        for group in made.entries[0]
    ]
    return replace(
        before,
        seed=act.seed,
        order=act.order,
        groups=tuple(first) if len(first) > 1 else (),
        matches={match.id: match for match in made.matches},
        entries=made.entries,
    )


def _draw_annulled(before: Tournament, act: acts.DrawAnnulled) -> Tournament:
    # Who withdrew after the draw is not in the next one.
    pairs = {
        number: replace(pair, late=False)
        for number, pair in before.pairs.items()
        if number not in before.withdrawn and not pair.of
    }
    assert before.seed is not None
    return replace(
        opened(acts.Opened(before.name, before.format, before.options, sheet=before.sheet)),
        pairs=pairs,
        gone=before.gone | before.withdrawn,
        annulled=(*before.annulled, (before.seed, act.reason)),
    )


def _paired(before: Tournament, act: acts.RoundPaired) -> Tournament:
    meetings = [((a,), () if b is None else (b,)) for a, b in act.pairings]
    return _with_round(before, 1, 1, act.number, meetings)


def _round_drawn(before: Tournament, act: acts.RoundDrawn) -> Tournament:
    return _with_round(before, act.phase, act.group, act.number, act.meetings)


def _with_round(
    before: Tournament,
    phase: int,
    group: int,
    number: int,
    meetings: Iterable[tuple[acts.Side, acts.Side]],
) -> Tournament:
    """The tournament with a round's matches, in the order in which they were paired."""
    # A round without a result may be paired anew, which frees its tables.
    before = _without_rounds(before, phase, group, number)
    pairs, matches = dict(before.pairs), dict(before.matches)
    stage = before.stages[phase - 1]
    shown_group = group if len(before.entries[phase - 1]) > 1 else 0
    for at, sides in enumerate(meetings, 1):
        a, b = (_slot_of(before, pairs, side) for side in sides)
        name = match_name(before.stages, phase, shown_group, number, at)
        matches[name] = Match(name, stage.kind, number, a, b, shown_group, phase)
    paired = {**before.paired, (phase, group): number}
    return replace(before, pairs=pairs, matches=matches, paired=paired)


def _slot_of(before: Tournament, pairs: dict[int, Pair], side: acts.Side) -> PairSlot | ByeSlot:
    """The place of a side; two players become one of ``pairs``."""
    if len(side) < 2:
        return PairSlot(side[0]) if side else ByeSlot()
    made = max(MAX_NUMBER, *pairs) + 1
    pairs[made] = _partners(before, made, side)
    return PairSlot(made)


def _partners(tournament: Tournament, number: int, two: tuple[int, ...]) -> Pair:
    """The pair that a round makes of two players."""
    names = [tournament.pairs[one].name for one in two]
    return Pair(number, " y ".join(names), tuple(names), "", None, namesakes=True, of=two)


def _without_rounds(before: Tournament, phase: int, group: int, number: int) -> Tournament:
    """The tournament without the rounds of a group from ``number`` on."""
    if before.paired.get((phase, group), 0) < number:
        return before
    kept = {
        key: match
        for key, match in before.matches.items()
        if (match.phase, match.group or 1) != (phase, group) or match.round < number
    }
    tables = {key: table for key, table in before.tables.items() if key in kept}
    there = {slot.pair for m in kept.values() for slot in (m.a, m.b) if isinstance(slot, PairSlot)}
    pairs = {key: pair for key, pair in before.pairs.items() if not pair.of or key in there}
    paired = {**before.paired, (phase, group): number - 1}
    return replace(before, matches=kept, tables=tables, pairs=pairs, paired=paired)


def _standing_rounds(after: Tournament) -> Tournament:
    """The tournament without the rounds that its results do not give any more.

    A round stands while those who are in it are still in by the results before it, or have
    withdrawn since; and while nobody else is in. Results of dropped rounds stay, so that whoever
    checks the act finds them.
    """
    resolver = Resolver(after)
    for (phase, group), paired in after.paired.items():
        for number in range(1, paired + 1):
            inside = {
                entry
                for match in resolver.matches(phase, group)
                if match.round == number
                for slot in (match.a, match.b)
                if isinstance(slot, PairSlot)
                for entry in resolver.people(slot.pair)
            }
            known = None not in resolver.entered(phase, group)
            alive = set(resolver.alive(phase, group, number))
            if not known or not alive - after.withdrawn <= inside <= alive | after.withdrawn:
                after = _without_rounds(after, phase, group, number)
                resolver = Resolver(after)
                break
    return after


def _assigned(before: Tournament, act: acts.TableAssigned) -> Tournament:
    return replace(before, tables={**before.tables, act.match: act.table})


def _entered(before: Tournament, act: acts.ResultEntered) -> Tournament:
    pairs = _pairs(before, act.match)
    result = Result(pairs, act.juegos, act.stones, act.by, bool(act.game), act.game)
    return _with_result(before, act.match, result)


def _countersigned(before: Tournament, act: acts.ResultCountersigned) -> Tournament:
    return _with_result(before, act.match, replace(before.results[act.match], counts=True))


def _corrected(before: Tournament, act: acts.ResultCorrected) -> Tournament:
    pairs = before.results[act.match].pairs
    result = Result(pairs, act.juegos, act.stones, act.by, True, reason=act.reason)
    return _tables_cleared(before, _with_result(before, act.match, result))


def _walked_over(before: Tournament, act: acts.Walkover) -> Tournament:
    pairs = _pairs(before, act.match)
    juegos = before.needed(act.match)
    won = (juegos, 0) if act.winner == pairs[0] else (0, juegos)
    result = Result(pairs, won, (0, 0), act.by, True, reason=act.reason, walkover=True)
    return _with_result(before, act.match, result)


def _voided(before: Tournament, act: acts.MatchVoided) -> Tournament:
    after = replace(
        before,
        results=_without(before.results, act.match),
        tables=_without(before.tables, act.match),
    )
    return _tables_cleared(before, after)


def _pairs(tournament: Tournament, match: str) -> tuple[int, int]:
    """The two pairs of a match that is ready."""
    a, b = Resolver(tournament).players(match)
    assert isinstance(a, int)
    assert isinstance(b, int)
    return a, b


def _with_result(before: Tournament, match: str, result: Result) -> Tournament:
    return replace(before, results={**before.results, match: result})


def _tables_cleared(before: Tournament, after: Tournament) -> Tournament:
    """Free the tables of matches whose pairs have changed: they were called for other pairs.

    Rounds that the results do not give any more are dropped.
    """
    after = _standing_rounds(after)
    then, now = Resolver(before), Resolver(after)
    tables = {
        match: table
        for match, table in after.tables.items()
        if match in after.results or then.players(match) == now.players(match)
    }
    return replace(after, tables=tables)


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {k: v for k, v in mapping.items() if k != key}


_CHANGES: dict[type[acts.Act], Callable[[Tournament, Any], Tournament]] = {
    acts.PairEnrolled: _enrolled,
    acts.PlayerEnrolled: _player_enrolled,
    acts.PairCorrected: _pair_corrected,
    acts.PairWithdrawn: _withdrawn,
    acts.Drawn: _drawn,
    acts.DrawAnnulled: _draw_annulled,
    acts.RoundPaired: _paired,
    acts.RoundDrawn: _round_drawn,
    acts.TableAssigned: _assigned,
    acts.ResultEntered: _entered,
    acts.ResultCountersigned: _countersigned,
    acts.ResultCorrected: _corrected,
    acts.Walkover: _walked_over,
    acts.MatchVoided: _voided,
}


# ---- Which act may follow. Every refusal is one sentence that says what to do instead -----------


SHOWN = 8
"""The most matches that a refusal names."""


def check(tournament: Tournament | None, act: acts.Act) -> None:
    """Raise TournamentError unless the act may follow in this tournament; None: not opened yet."""
    if isinstance(act, acts.Opened):
        if tournament is not None:
            raise TournamentError("open_already")
        return
    if tournament is None:
        raise TournamentError("not_open")
    _CHECKS[type(act)](tournament, act)


def _check_enrolled(tournament: Tournament, act: acts.PairEnrolled | acts.PlayerEnrolled) -> None:
    if tournament.individual != isinstance(act, acts.PlayerEnrolled):
        raise TournamentError("players_alone" if tournament.individual else "players_paired")
    late = isinstance(act, acts.PairEnrolled) and act.late
    if late and not tournament.order:
        raise TournamentError("not_drawn")
    if tournament.order and not late:
        raise TournamentError("too_late")
    if len(tournament.pairs) >= MAX_PAIRS:
        raise TournamentError("full", most=MAX_PAIRS)
    if act.pair in tournament.pairs or act.pair in tournament.gone:
        raise TournamentError("number_taken", pair=act.pair)
    _name_free(tournament, act.pair, act.name)
    seed = act.seed if isinstance(act, acts.PairEnrolled) else None
    for pair in tournament.pairs.values():
        if seed is not None and pair.seed == seed:
            raise TournamentError("seed_taken", pair=pair.number, seed=seed)
    if late:
        check_late(tournament, Pair(act.pair, act.name, ("", ""), "", None))


def _check_pair_corrected(tournament: Tournament, act: acts.PairCorrected) -> None:
    _pair(tournament, act.pair)
    was = tournament.pairs[act.pair]
    bar = was.bar if act.bar is None else act.bar
    if bar != was.bar and tournament.order:
        raise TournamentError("bar_drawn", pair=act.pair)
    players = act.players[:1] if tournament.individual else act.players
    category = was.category if act.category is None else act.category
    before = was.name, was.players, was.club, was.bar, was.category
    if before == (act.name, players, act.club, bar, category):
        raise TournamentError("same_pair", pair=act.pair)
    _name_free(tournament, act.pair, act.name)
    _all_signed(tournament, act.pair)  # otherwise it could sign what it entered under its old name


def _check_withdrawn(tournament: Tournament, act: acts.PairWithdrawn) -> None:
    _pair(tournament, act.pair)
    if act.pair in tournament.withdrawn:
        raise TournamentError("withdrawn_already", pair=act.pair)
    _all_signed(tournament, act.pair)


def _check_drawn(tournament: Tournament, act: acts.Drawn) -> None:
    if tournament.order:
        raise TournamentError("drawn_already")
    plan(tournament.stages, list(tournament.pairs), tournament.pairs)  # so many can play it
    if act.order != order_of(tournament, act.seed):
        raise TournamentError("other_order", seed=act.seed)


def _check_annulled(tournament: Tournament, _act: acts.DrawAnnulled) -> None:
    if not tournament.order:
        raise TournamentError("not_drawn")
    for match in tournament.results:
        raise TournamentError("begun_already", match=match)


def _check_assigned(tournament: Tournament, act: acts.TableAssigned) -> None:
    resolver = Resolver(tournament)
    pairs = _open(tournament, resolver, act.match)
    if act.match in tournament.results:
        raise TournamentError("played", match=act.match)
    for match, table in under_way(tournament, resolver).items():
        if match == act.match:
            continue
        if table == act.table:
            raise TournamentError("table_busy", match=match, table=table)
        for pair in pairs:
            if pair in resolver.players(match):
                raise TournamentError("pair_busy", pair=pair, match=match, table=table)


def _check_entered(tournament: Tournament, act: acts.ResultEntered) -> None:
    _open(tournament, Resolver(tournament), act.match)
    _score(tournament, act.match, act.juegos)


def _check_countersigned(tournament: Tournament, act: acts.ResultCountersigned) -> None:
    check_match(tournament, act.match)
    result = tournament.results.get(act.match)
    if result is None:
        raise TournamentError("no_result", match=act.match)
    if result.counts:
        raise TournamentError("counts_already", match=act.match)
    if normalized(result.by) == normalized(act.by):  # one person, however he typed his name
        raise TournamentError("own_result", by=short(act.by), match=act.match)


def _check_corrected(tournament: Tournament, act: acts.ResultCorrected) -> None:
    result = _counted(tournament, act.match)
    _score(tournament, act.match, act.juegos)
    same = (result.juegos, result.stones) == (act.juegos, act.stones)
    # The same score again is a correction if it came from a journal: now a person answers for it.
    if same and not result.walkover and not result.game:
        raise TournamentError("same_result", match=act.match)
    _check_later(tournament, act)


def _check_walked_over(tournament: Tournament, act: acts.Walkover) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    if act.winner not in pairs:
        raise TournamentError(
            "no_winner_of",
            pair=short(act.winner),
            match=act.match,
            one=pairs[0],
            other=pairs[1],
        )


def _check_voided(tournament: Tournament, act: acts.MatchVoided) -> None:
    check_match(tournament, act.match)
    if act.match not in tournament.results:
        raise TournamentError("nothing_to_void", match=act.match)
    _check_later(tournament, act)


def under_way(tournament: Tournament, resolver: Resolver) -> dict[str, str]:
    """The matches at a table that have no result yet, with their tables."""
    return {
        match: table
        for match, table in tournament.tables.items()
        if match not in tournament.results and resolver.outcome(match) is None
    }


def to_void_first(
    tournament: Tournament, act: acts.ResultCorrected | acts.MatchVoided
) -> tuple[str, ...]:
    """The matches with a result that would have other pairs after the act, the last played first.

    They can be voided in this order; then the act may follow.
    """
    found: set[str] = set()
    after = changed(tournament, act)
    while True:
        resolver = Resolver(after)
        other = {
            match
            for match, result in after.results.items()
            if match != act.match
            and (match not in after.matches or resolver.players(match) != result.pairs)
        }
        if not other:
            return tuple([match for match in reversed([*tournament.matches]) if match in found])
        # What depends on these matches depends on the act, too.
        found |= other
        kept = {match: result for match, result in after.results.items() if match not in other}
        after = _standing_rounds(replace(after, results=kept))


def _check_later(tournament: Tournament, act: acts.ResultCorrected | acts.MatchVoided) -> None:
    """Raise TournamentError if a match with a result would have had other pairs."""
    first = to_void_first(tournament, act)
    if first:
        named, more = ", ".join(first[:SHOWN]), len(first) - SHOWN
        if more > 0:
            raise TournamentError("void_many", match=act.match, matches=named, more=more)
        raise TournamentError("void_first", match=act.match, matches=named)


def _pair(tournament: Tournament, pair: int) -> None:
    if pair not in tournament.pairs or tournament.pairs[pair].of:
        raise TournamentError("no_pair", pair=short(pair))


def _name_free(tournament: Tournament, number: int, name: str) -> None:
    for pair in tournament.pairs.values():
        if pair.name == name and pair.number != number:
            raise TournamentError("name_taken", pair=pair.number, name=short(name))


def _all_signed(tournament: Tournament, pair: int) -> None:
    for match, result in tournament.results.items():
        if pair in result.pairs and not result.counts:
            raise TournamentError("unsigned", match=match, pair=pair)


def _open(tournament: Tournament, resolver: Resolver, match: str) -> tuple[int, int]:
    """The pairs of a match that is still open. Raises TournamentError."""
    check_match(tournament, match)
    result = tournament.results.get(match)
    if result is not None and result.counts:
        raise TournamentError("counts", match=match)
    a, b = resolver.players(match)
    if a is BYE or b is BYE:
        raise TournamentError("bye", match=match)
    if not isinstance(a, int) or not isinstance(b, int):
        raise TournamentError("nobody_yet", match=match)
    if resolver.outcome(match) is not None:
        gone = a if a in tournament.withdrawn else b
        raise TournamentError("lost_so", pair=gone, match=match)
    return a, b


def _counted(tournament: Tournament, match: str) -> Result:
    check_match(tournament, match)
    result = tournament.results.get(match)
    if result is None or not result.counts:
        raise TournamentError("not_counting", match=match)
    return result


def _score(tournament: Tournament, match: str, juegos: tuple[int, int]) -> None:
    wanted = tournament.needed(match)
    if max(juegos) != wanted:
        if tournament.stage_of(match).vacas > 1:
            raise TournamentError("other_vacas", wanted=wanted, most=max(juegos))
        raise TournamentError("other_juegos", wanted=wanted, most=max(juegos))


_CHECKS: dict[type[acts.Act], Callable[[Tournament, Any], None]] = {
    acts.PairEnrolled: _check_enrolled,
    acts.PlayerEnrolled: _check_enrolled,
    acts.PairCorrected: _check_pair_corrected,
    acts.PairWithdrawn: _check_withdrawn,
    acts.Drawn: _check_drawn,
    acts.DrawAnnulled: _check_annulled,
    acts.RoundPaired: check_round,
    acts.RoundDrawn: check_drawn,
    acts.TableAssigned: _check_assigned,
    acts.ResultEntered: _check_entered,
    acts.ResultCountersigned: _check_countersigned,
    acts.ResultCorrected: _check_corrected,
    acts.Walkover: _check_walked_over,
    acts.MatchVoided: _check_voided,
}


# ---- The one way to change a tournament: each act is checked against those before it ------------


def apply(tournament: Tournament | None, act: Act) -> Tournament:
    """The tournament after an act. Raises TournamentError, as ``check`` does."""
    check(tournament, act)
    if tournament is None:
        assert isinstance(act, Opened)  # check lets nothing else begin
        return opened(act)
    return changed(tournament, act)


def fold(acts: Iterable[Act]) -> Tournament:
    """The tournament that the acts lead to. Raises TournamentError if one cannot follow."""
    tournament: Tournament | None = None
    for act in acts:
        tournament = apply(tournament, act)
    if tournament is None:
        raise TournamentError("no_act")
    return tournament
