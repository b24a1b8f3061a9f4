"""How each act changes a tournament, after the engine has checked it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from assistant.hall.tournament import acts
from assistant.hall.tournament.acts import Degree
from assistant.hall.tournament.draw import match_name, plan, stages_of
from assistant.hall.tournament.errors import MAX_NUMBER
from assistant.hall.tournament.late import with_late_pair
from assistant.hall.tournament.model import (
    BOTH,
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
from assistant.hall.tournament.ranking import Resolver

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
        bag=bool(act.bag),
        order=act.order,
        groups=tuple(first) if len(first) > 1 else (),
        matches={match.id: match for match in made.matches},
        entries=made.entries,
    )


def _draw_annulled(before: Tournament, act: acts.DrawAnnulled) -> Tournament:
    # Pairs that withdrew after the draw are not in the next one.
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


def _moved(before: Tournament, act: acts.MatchMoved) -> Tournament:
    moved = _without(before.moved, act.match) | ({act.match: act.date} if act.date else {})
    return replace(before, moved=moved, tables=_without(before.tables, act.match))


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
    moved = {key: day for key, day in before.moved.items() if key in kept}
    there = {slot.pair for m in kept.values() for slot in (m.a, m.b) if isinstance(slot, PairSlot)}
    pairs = {key: pair for key, pair in before.pairs.items() if not pair.of or key in there}
    paired = {**before.paired, (phase, group): number - 1}
    return replace(before, matches=kept, tables=tables, moved=moved, pairs=pairs, paired=paired)


def standing_rounds(after: Tournament) -> Tournament:
    """The tournament without the rounds that its results do not give any more.

    A round stays as long as, by the results before it, exactly its pairs are still in, apart from
    those that have withdrawn since. Results of dropped rounds are kept, so that the check of the
    act finds them.
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


def _round_ended(before: Tournament, act: acts.RoundEnded) -> Tournament:
    after = before
    for match, juegos, stones in act.matches:
        after = _stopped(after, acts.MatchStopped(match, juegos, stones, acts.HALL))
    return replace(after, ended=act.ends, stopped=tuple([match for match, *_ in act.matches]))


def _round_resumed(before: Tournament, _act: acts.RoundResumed) -> Tournament:
    """Open the matches that the end of the round decided, except those corrected since."""
    opened_again = {
        match
        for match in before.stopped
        if match in before.results
        and (before.results[match].how, before.results[match].by) == (STOPPED, acts.HALL)
    }
    results = {k: v for k, v in before.results.items() if k not in opened_again}
    after = _tables_cleared(before, replace(before, results=results, stopped=()))
    # They go on where they sit, unless that table, or one of the pairs, has been called elsewhere.
    resolver = Resolver(after)
    others = {
        match: table
        for match, table in after.tables.items()
        if match not in opened_again | after.results.keys() and resolver.outcome(match) is None
    }
    busy = {player for match in others for player in resolver.players(match)}
    tables = {
        match: table
        for match, table in after.tables.items()
        if match not in opened_again
        or (table not in others.values() and busy.isdisjoint(resolver.players(match)))
    }
    return replace(after, tables=tables)


def _both_lost(before: Tournament, act: acts.BothLost) -> Tournament:
    pairs = _pairs(before, act.match)
    result = Result(pairs, (0, 0), (0, 0), act.by, True, "", act.reason, True, BOTH)
    return _with_result(before, act.match, result)


def _late(before: Tournament, act: acts.PairLate) -> Tournament:
    lost = lost_late(before, act)
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
    place = place_in(before, act.match, pair) if act.match else None
    pairs, side = place or ((), 0)
    number = len(before.penalties) + 1
    new = PairPenalty(number, pair, kind, act.by, act.match, pairs, side, juegos, **told)
    after = replace(before, penalties=(*before.penalties, new))
    if not juegos or place is None:
        return after
    if after.lost_in(act.match, place[0])[side] < after.whole(act.match):
        return after
    score = list(after.least(act.match, place[0]))
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


def place_in(
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


def lost_late(tournament: Tournament, act: acts.PairLate) -> int:
    """How many juegos more a lateness costs by now; below 1 if none."""
    place = place_in(tournament, act.match, act.pair)
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
    if result is not None and is_decided(result, penalty):
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


def is_decided(result: Result, penalty: PairPenalty) -> bool:
    """Whether a match was decided by a penalty."""
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
    after = standing_rounds(after)
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
    acts.MatchMoved: _moved,
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
    acts.RoundEnded: _round_ended,
    acts.RoundResumed: _round_resumed,
    acts.BothLost: _both_lost,
    acts.Sanctioned: _sanctioned,
    acts.PenaltyLifted: _lifted,
}
