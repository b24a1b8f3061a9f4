"""The tournament's engine: which act may follow, what it changes, and the fold of all acts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from assistant.hall.tournament import acts
from assistant.hall.tournament.acts import Act, Degree, Opened
from assistant.hall.tournament.draw import match_name, order_of, plan, stages_of
from assistant.hall.tournament.errors import MAX_NUMBER, MAX_PAIRS, TournamentError, normalized
from assistant.hall.tournament.formats import FOR_POINTS, StageKind
from assistant.hall.tournament.late import check_late, with_late_pair
from assistant.hall.tournament.model import (
    BOTH,
    BYE,
    LATE,
    SANCTION,
    STOPPED,
    ByeSlot,
    Match,
    Pair,
    PairPenalty,
    PairSlot,
    Result,
    Tournament,
)
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
        times=before.times,
        calling=before.calling,
        numbered=before.numbered,
        penalties=tuple(
            [
                replace(penalty, lifted=penalty.lifted or act.reason) if penalty.juegos else penalty
                for penalty in before.penalties
            ]
        ),
    )


def _referee_called(before: Tournament, act: acts.RefereeCalled) -> Tournament:
    return replace(before, calls={**before.calls, act.match: (act.by, act.reason)})


def _call_settled(before: Tournament, act: acts.CallSettled) -> Tournament:
    return replace(before, calls=_without(before.calls, act.match))


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
    result = before.results[act.match]
    if result.how in {LATE, SANCTION}:  # what decided it is taken back with it
        after = _taken_back(
            after,
            [p.number for p in after.penalties if p.match == act.match and p.pairs == result.pairs],
            act.reason,
        )
    return _tables_cleared(before, after)


def _times_set(before: Tournament, act: acts.TimesSet) -> Tournament:
    return replace(before, times=act.times)


def _clock_set(before: Tournament, act: acts.RoundClockSet) -> Tournament:
    return replace(before, ends=act.ends)


def _calling_set(before: Tournament, act: acts.CallingSet) -> Tournament:
    return replace(before, calling=act.on, numbered=act.tables)


def _stopped(before: Tournament, act: acts.MatchStopped) -> Tournament:
    pairs = _pairs(before, act.match)
    level = act.juegos[0] == act.juegos[1]
    result = Result(
        pairs,
        act.juegos,
        act.stones,
        act.by,
        True,
        how=STOPPED,
        favoured=act.winner if level else None,
    )
    return _with_result(before, act.match, result)


def _both_lost(before: Tournament, act: acts.BothLost) -> Tournament:
    pairs = _pairs(before, act.match)
    result = Result(pairs, (0, 0), (0, 0), act.by, True, "", act.reason, True, BOTH)
    return _with_result(before, act.match, result)


def _late(before: Tournament, act: acts.PairLate) -> Tournament:
    lost = _lost_late(before, act)
    return _penalised(before, act, act.pair, LATE, lost, minutes=act.minutes)


def _sanctioned(before: Tournament, act: acts.Sanctioned) -> Tournament:
    lost = {Degree.JUEGO: 1, Degree.MATCH: before.whole(act.match) if act.match else 0}
    after = _penalised(
        before,
        act,
        act.pair,
        act.degree,
        lost.get(act.degree, 0),
        article=act.article,
        player=act.player,
        reason=act.reason,
    )
    if act.degree is Degree.EXPULSION:
        return replace(after, withdrawn=after.withdrawn | {act.pair})
    return after


def _penalised(
    before: Tournament,
    act: acts.PairLate | acts.Sanctioned,
    pair: int,
    kind: str,
    juegos: int,
    **told: Any,
) -> Tournament:
    """The tournament with one more penalty, which may decide the match."""
    place = _place_in(before, act.match, pair) if act.match else None
    pairs, side = place or ((), 0)
    number = len(before.penalties) + 1
    new = PairPenalty(number, pair, kind, act.by, act.match, pairs, side, juegos, **told)
    after = replace(before, penalties=(*before.penalties, new))
    if not juegos or place is None:
        return after
    if after.lost_in(act.match, place[0])[side] < after.whole(act.match):
        return after
    score = list(after.given(act.match, place[0]))
    score[1 - side] = after.needed(act.match)
    result = Result(
        place[0],
        (score[0], score[1]),
        (0, 0),
        act.by,
        True,
        reason=f"{new.article}: {new.reason}" if new.article else f"{new.minutes} min",
        walkover=True,
        how=LATE if kind == LATE else SANCTION,
    )
    return _with_result(after, act.match, result)


def _place_in(
    tournament: Tournament, match: str, pair: int, resolver: Resolver | None = None
) -> tuple[tuple[int, int], int] | None:
    """The two pairs of a match, and on which side ``pair`` plays; None if it does not."""
    resolver = resolver or Resolver(tournament)
    a, b = resolver.players(match)
    if isinstance(a, int) and isinstance(b, int):
        for side, player in enumerate((a, b)):
            if pair == player or pair in resolver.people(player):
                return (a, b), side
    return None


def _lost_late(tournament: Tournament, act: acts.PairLate) -> int:
    """How many juegos more a lateness costs by now; below 1 if none."""
    place = _place_in(tournament, act.match, act.pair)
    assert place is not None
    pairs, side = place
    whole = tournament.whole(act.match)
    lost = tournament.times.lost(act.minutes) if tournament.times else 0
    before = sum(
        penalty.juegos
        for penalty in tournament.penalties
        if (penalty.kind, penalty.match, penalty.pairs, penalty.side)
        == (LATE, act.match, pairs, side)
        and not penalty.lifted
    )
    return (whole if lost is None else min(lost, whole)) - before


def _lifted(before: Tournament, act: acts.PenaltyLifted) -> Tournament:
    penalty = before.penalties[act.number - 1]
    after = _taken_back(before, [act.number], act.reason)
    if penalty.kind == Degree.EXPULSION:
        after = replace(after, withdrawn=after.withdrawn - {penalty.pair})
    result = before.results.get(penalty.match)
    if result is not None and _decided(result, penalty):
        pairs = result.pairs
        if after.lost_in(penalty.match, pairs)[penalty.side] < after.whole(penalty.match):
            after = replace(after, results=_without(after.results, penalty.match))
    after = _tables_cleared(before, after)
    # A match that is open again has lost its table: another one may be played there by now.
    then, now = Resolver(before), Resolver(after)
    tables = {
        match: table
        for match, table in after.tables.items()
        if match in after.results or now.outcome(match) is not None or then.outcome(match) is None
    }
    return replace(after, tables=tables)


def _taken_back(tournament: Tournament, numbers: Iterable[int], reason: str) -> Tournament:
    wanted = set(numbers)
    penalties = [
        replace(penalty, lifted=penalty.lifted or reason) if penalty.number in wanted else penalty
        for penalty in tournament.penalties
    ]
    return replace(tournament, penalties=tuple(penalties))


def _decided(result: Result, penalty: PairPenalty) -> bool:
    """Whether a match was lost by what a pair was punished with."""
    return (
        penalty.juegos > 0
        and result.how in {LATE, SANCTION}
        and result.pairs == penalty.pairs
        and result.loser == penalty.pairs[penalty.side]
    )


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
    calls = {
        match: call
        for match, call in after.calls.items()
        if match in before.matches
        and match in after.matches
        and then.players(match) == now.players(match)
    }
    return replace(after, tables=tables, calls=calls)


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
    acts.RefereeCalled: _referee_called,
    acts.CallSettled: _call_settled,
    acts.ResultEntered: _entered,
    acts.ResultCountersigned: _countersigned,
    acts.ResultCorrected: _corrected,
    acts.Walkover: _walked_over,
    acts.MatchVoided: _voided,
    acts.TimesSet: _times_set,
    acts.RoundClockSet: _clock_set,
    acts.CallingSet: _calling_set,
    acts.PairLate: _late,
    acts.MatchStopped: _stopped,
    acts.BothLost: _both_lost,
    acts.Sanctioned: _sanctioned,
    acts.PenaltyLifted: _lifted,
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


def _check_called(tournament: Tournament, act: acts.RefereeCalled) -> None:
    check_match(tournament, act.match)
    if not all(isinstance(pair, int) for pair in Resolver(tournament).players(act.match)):
        raise TournamentError("nobody_yet", match=act.match)
    if act.match in tournament.calls:
        raise TournamentError("referee_called", match=act.match)


def _check_settled(tournament: Tournament, act: acts.CallSettled) -> None:
    check_match(tournament, act.match)
    if act.match not in tournament.calls:
        raise TournamentError("no_call", match=act.match)


def _check_entered(tournament: Tournament, act: acts.ResultEntered) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    _score(tournament, act.match, act.juegos)
    _given_counted(tournament, act, pairs)


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
    _check_plays(act.match, act.winner, pairs)


def _check_plays(match: str, winner: int, pairs: tuple[int, int]) -> None:
    if winner not in pairs:
        one, other = pairs
        raise TournamentError("no_winner_of", pair=short(winner), match=match, one=one, other=other)


def _check_voided(tournament: Tournament, act: acts.MatchVoided) -> None:
    check_match(tournament, act.match)
    if act.match not in tournament.results:
        raise TournamentError("nothing_to_void", match=act.match)
    _check_later(tournament, act)


def _check_nothing(_tournament: Tournament, _act: Act) -> None:
    """It may always follow."""


def _check_late(tournament: Tournament, act: acts.PairLate) -> None:
    if tournament.times is None:
        raise TournamentError("no_times")
    _check_in(tournament, act.match, act.pair)
    if tournament.times.lost(act.minutes) == 0:
        left = max(1, tournament.times.courtesy - act.minutes)
        if tournament.times.courtesy <= act.minutes:  # the first juego is lost later
            left = tournament.times.courtesy + tournament.times.each - act.minutes
        raise TournamentError("in_courtesy", pair=act.pair, left=left)
    if _lost_late(tournament, act) < 1:
        raise TournamentError("late_already", pair=act.pair)


def _check_stopped(tournament: Tournament, act: acts.MatchStopped) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    wanted, stage = tournament.needed(act.match), tournament.stage_of(act.match)
    if max(act.juegos) >= wanted:
        raise TournamentError(
            "not_stopped_vacas" if stage.vacas > 1 else "not_stopped",
            wanted=wanted,
            match=act.match,
        )
    if act.winner is not None:
        _check_plays(act.match, act.winner, pairs)
    _given_counted(tournament, act, pairs)
    first, second = act.juegos
    if first == second:
        if act.winner is None and stage.kind not in FOR_POINTS:
            raise TournamentError("stopped_level", match=act.match)
    elif act.winner not in {None, pairs[0] if first > second else pairs[1]}:
        raise TournamentError("stopped_ahead", pair=act.winner, match=act.match)


def _check_both_lost(tournament: Tournament, act: acts.BothLost) -> None:
    _open(tournament, Resolver(tournament), act.match)
    # In the losers' bracket alone nobody has a second chance.
    match = tournament.matches[act.match]
    if tournament.stage_of(act.match).kind is StageKind.DOUBLE and match.stage != "losers":
        raise TournamentError("not_both", match=act.match)


def _check_sanctioned(tournament: Tournament, act: acts.Sanctioned) -> None:
    _pair(tournament, act.pair)
    if act.player and act.player not in tournament.pairs[act.pair].players:
        raise TournamentError("no_player", name=short(act.player), pair=act.pair)
    if act.degree in {Degree.JUEGO, Degree.MATCH}:
        if not act.match:
            raise TournamentError("sanction_match")
        _check_in(tournament, act.match, act.pair)
    elif act.match:
        check_match(tournament, act.match)
        if _place_in(tournament, act.match, act.pair) is None:
            raise TournamentError("not_its_match", pair=act.pair, match=act.match)
    if act.degree is Degree.EXPULSION:
        if not tournament.order:
            raise TournamentError("not_drawn")
        if act.pair in tournament.withdrawn:
            raise TournamentError("withdrawn_already", pair=act.pair)
        _all_signed(tournament, act.pair)


def _check_in(tournament: Tournament, match: str, pair: int) -> None:
    """Raise TournamentError unless a pair is in a match that has no result."""
    resolver = Resolver(tournament)
    _open(tournament, resolver, match)
    if match in tournament.results:
        raise TournamentError("played", match=match)
    if _place_in(tournament, match, pair, resolver) is None:
        raise TournamentError("not_its_match", pair=short(pair), match=match)


def _given_counted(
    tournament: Tournament, act: acts.ResultEntered | acts.MatchStopped, pairs: tuple[int, int]
) -> None:
    """Raise TournamentError if a score lacks juegos that a pair has by the other one's penalty."""
    for pair, won, given in zip(pairs, act.juegos, tournament.given(act.match, pairs), strict=True):
        if won < given:
            raise TournamentError("given_left_out", pair=pair, given=given)


def _check_lifted(tournament: Tournament, act: acts.PenaltyLifted) -> None:
    if act.number > len(tournament.penalties):
        raise TournamentError("no_penalty", number=act.number)
    penalty = tournament.penalties[act.number - 1]
    if penalty.lifted:
        raise TournamentError("lifted_already", number=act.number)
    if penalty.kind == Degree.EXPULSION and penalty.pair not in tournament.withdrawn:
        raise TournamentError("lift_gone", pair=penalty.pair)
    result = tournament.results.get(penalty.match)
    if (
        result
        and penalty.juegos
        and result.pairs == penalty.pairs
        and not _decided(result, penalty)
    ):
        raise TournamentError("lift_result", match=penalty.match, number=act.number)
    _check_later(tournament, act)


def under_way(tournament: Tournament, resolver: Resolver) -> dict[str, str]:
    """The matches at a table that have no result yet, with their tables."""
    return {
        match: table
        for match, table in tournament.tables.items()
        if match not in tournament.results and resolver.outcome(match) is None
    }


Reopening = acts.ResultCorrected | acts.MatchVoided | acts.PenaltyLifted
"""An act after which matches that were decided may have other pairs."""


def to_void_first(tournament: Tournament, act: Reopening) -> tuple[str, ...]:
    """The matches with a result that would have other pairs after the act, the last played first.

    They can be voided in this order; then the act may follow.
    """
    found: set[str] = set()
    own = "" if isinstance(act, acts.PenaltyLifted) else act.match
    after = changed(tournament, act)
    while True:
        resolver = Resolver(after)
        other = {
            match
            for match, result in after.results.items()
            if match != own
            and (match not in after.matches or resolver.players(match) != result.pairs)
        }
        if not other:
            return tuple([match for match in reversed([*tournament.matches]) if match in found])
        # What depends on these matches depends on the act, too.
        found |= other
        kept = {match: result for match, result in after.results.items() if match not in other}
        after = _standing_rounds(replace(after, results=kept))


def _check_later(tournament: Tournament, act: Reopening) -> None:
    """Raise TournamentError if a match with a result would have had other pairs."""
    first = to_void_first(tournament, act)
    if first:
        named, more = ", ".join(first[:SHOWN]), len(first) - SHOWN
        if isinstance(act, acts.PenaltyLifted):
            raise TournamentError("lift_first", number=act.number, matches=named)
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
    acts.RefereeCalled: _check_called,
    acts.CallSettled: _check_settled,
    acts.ResultEntered: _check_entered,
    acts.ResultCountersigned: _check_countersigned,
    acts.ResultCorrected: _check_corrected,
    acts.Walkover: _check_walked_over,
    acts.MatchVoided: _check_voided,
    acts.TimesSet: _check_nothing,
    acts.RoundClockSet: _check_nothing,
    acts.CallingSet: _check_nothing,
    acts.PairLate: _check_late,
    acts.MatchStopped: _check_stopped,
    acts.BothLost: _check_both_lost,
    acts.Sanctioned: _check_sanctioned,
    acts.PenaltyLifted: _check_lifted,
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
