"""How each act changes the tournament. Nothing is asked here: see ``checks``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from assistant.hall.tournament import acts
from assistant.hall.tournament.draw import plan
from assistant.hall.tournament.model import ByeSlot, Match, Pair, PairSlot, Result, Tournament
from assistant.hall.tournament.ranking import Resolver

K = TypeVar("K")
V = TypeVar("V")


def opened(act: acts.Opened) -> Tournament:
    """The tournament as it is announced: without pairs."""
    return Tournament(act.name, act.format, act.options, {})


def changed(tournament: Tournament, act: acts.Act) -> Tournament:
    """The tournament after an act that ``checks`` let pass."""
    return _CHANGES[type(act)](tournament, act)


def round_matches(act: acts.RoundPaired) -> dict[str, Match]:
    """The matches of a Swiss round, in the order in which it was paired."""
    matches = {}
    for at, (a, b) in enumerate(act.pairings, 1):
        match_id = f"S{act.number}.{at}"
        other = ByeSlot() if b is None else PairSlot(b)
        matches[match_id] = Match(match_id, "swiss", act.number, PairSlot(a), other)
    return matches


def _enrolled(before: Tournament, act: acts.PairEnrolled) -> Tournament:
    pair = Pair(act.pair, act.name, act.players, act.club, act.seed, act.namesakes)
    return replace(before, pairs={**before.pairs, act.pair: pair})


def _pair_corrected(before: Tournament, act: acts.PairCorrected) -> Tournament:
    pair = replace(
        before.pairs[act.pair],
        name=act.name,
        players=act.players,
        club=act.club,
        namesakes=act.namesakes,
    )
    return replace(before, pairs={**before.pairs, act.pair: pair})


def _withdrawn(before: Tournament, act: acts.PairWithdrawn) -> Tournament:
    if before.order:
        return replace(before, withdrawn=before.withdrawn | {act.pair})
    return replace(before, pairs=_without(before.pairs, act.pair), gone=before.gone | {act.pair})


def _drawn(before: Tournament, act: acts.Drawn) -> Tournament:
    made = plan(before.format, before.options, act.order)
    return replace(
        before,
        seed=act.seed,
        order=act.order,
        groups=made.groups,
        matches={match.id: match for match in made.matches},
    )


def _paired(before: Tournament, act: acts.RoundPaired) -> Tournament:
    # A round of which nothing was entered may be paired anew: its tables are free again.
    kept = {key: match for key, match in before.matches.items() if match.round != act.number}
    tables = {key: table for key, table in before.tables.items() if key in kept}
    return replace(before, matches={**kept, **round_matches(act)}, tables=tables, rounds=act.number)


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
    juegos = before.options.juegos
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
    """Whoever was called to a table for a match that is now another pair's need not go."""
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
    acts.PairCorrected: _pair_corrected,
    acts.PairWithdrawn: _withdrawn,
    acts.Drawn: _drawn,
    acts.RoundPaired: _paired,
    acts.TableAssigned: _assigned,
    acts.ResultEntered: _entered,
    acts.ResultCountersigned: _countersigned,
    acts.ResultCorrected: _corrected,
    acts.Walkover: _walked_over,
    acts.MatchVoided: _voided,
}
