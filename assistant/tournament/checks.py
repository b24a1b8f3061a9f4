"""Which act may follow now. Every refusal is one sentence that says what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assistant.forms import short
from assistant.tournament import acts
from assistant.tournament.changes import changed
from assistant.tournament.drawing import draw
from assistant.tournament.errors import TournamentError
from assistant.tournament.limits import MAX_PAIRS
from assistant.tournament.model import BYE, Result, Tournament
from assistant.tournament.plan import check_size
from assistant.tournament.resolving import Resolver, check_match
from assistant.tournament.rounds import check_round

SHOWN = 8
"""How many matches a refusal names at the most."""


def check(tournament: Tournament | None, act: acts.Act) -> None:
    """Raise TournamentError unless the act may follow what has been done."""
    if isinstance(act, acts.Opened):
        if tournament is not None:
            raise TournamentError("This tournament is open already: open another one beside it.")
        return
    if tournament is None:
        raise TournamentError("There is no tournament yet: open it first.")
    _CHECKS[type(act)](tournament, act)


def _enrolled(tournament: Tournament, act: acts.PairEnrolled) -> None:
    if tournament.order:
        raise TournamentError("The draw has been made: enrol the pair in another tournament.")
    if len(tournament.pairs) >= MAX_PAIRS:
        raise TournamentError(f"{MAX_PAIRS} pairs are in: open another tournament for more.")
    if act.pair in tournament.pairs or act.pair in tournament.gone:
        raise TournamentError(f"The number {act.pair} is taken: give the pair another one.")
    for pair in tournament.pairs.values():
        if pair.name == act.name:
            raise TournamentError(
                f"Pair {pair.number} has the name {short(act.name)}: give this one another."
            )
        if act.seed is not None and pair.seed == act.seed:
            raise TournamentError(
                f"Pair {pair.number} has the seed place {act.seed}: give this one another."
            )


def _withdrawn(tournament: Tournament, act: acts.PairWithdrawn) -> None:
    _pair(tournament, act.pair)
    if act.pair in tournament.withdrawn:
        raise TournamentError(f"Pair {act.pair} has withdrawn already: nothing is left to do.")
    for match, result in tournament.results.items():
        if act.pair in result.pairs and not result.counts:
            raise TournamentError(
                f"Match {match} of pair {act.pair} waits to be countersigned: "
                "countersign or void it first."
            )


def _drawn(tournament: Tournament, act: acts.Drawn) -> None:
    if tournament.order:
        raise TournamentError("The draw has been made: it is made once, play by it.")
    check_size(tournament.format, tournament.options, len(tournament.pairs))
    if act.order != draw(tournament.pairs.values(), act.seed):
        raise TournamentError(
            f"This is not the order that the seed {act.seed} gives: draw again from the seed."
        )


def _assigned(tournament: Tournament, act: acts.TableAssigned) -> None:
    resolver = Resolver(tournament)
    pairs = _open(tournament, resolver, act.match)
    if act.match in tournament.results:
        raise TournamentError(
            f"Match {act.match} has been played: countersign its result, or void it first."
        )
    for match, table in under_way(tournament, resolver).items():
        if match == act.match:
            continue
        if table == act.table:
            raise TournamentError(f"Match {match} is at table {table}: choose a free table.")
        for pair in pairs:
            if pair in resolver.players(match):
                raise TournamentError(
                    f"Pair {pair} plays match {match} at table {table}: wait until it is over."
                )


def _entered(tournament: Tournament, act: acts.ResultEntered) -> None:
    _open(tournament, Resolver(tournament), act.match)
    _score(tournament, act.juegos)


def _countersigned(tournament: Tournament, act: acts.ResultCountersigned) -> None:
    check_match(tournament, act.match)
    result = tournament.results.get(act.match)
    if result is None:
        raise TournamentError(f"Match {act.match} has no result: enter it first.")
    if result.counts:
        raise TournamentError(f"The result of match {act.match} counts already: go on.")
    if _same(result.by, act.by):
        raise TournamentError(
            f"{short(act.by)} entered the result of match {act.match}: "
            "let somebody else countersign it."
        )


def _corrected(tournament: Tournament, act: acts.ResultCorrected) -> None:
    result = _counted(tournament, act.match, "correct")
    _score(tournament, act.juegos)
    same = (result.juegos, result.stones) == (act.juegos, act.stones)
    # The same once more is something where a table's journal told it: now a person answers for it.
    if same and not result.walkover and not result.game:
        raise TournamentError(f"Match {act.match} has this result: there is nothing to correct.")
    _check_later(tournament, act)


def _walked_over(tournament: Tournament, act: acts.Walkover) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    if act.winner not in pairs:
        raise TournamentError(
            f"Pair {short(act.winner)} does not play match {act.match}: "
            f"give it to pair {pairs[0]} or {pairs[1]}."
        )


def _voided(tournament: Tournament, act: acts.MatchVoided) -> None:
    check_match(tournament, act.match)
    if act.match not in tournament.results:
        raise TournamentError(f"Match {act.match} has no result: there is nothing to void.")
    _check_later(tournament, act)


def under_way(tournament: Tournament, resolver: Resolver) -> dict[str, str]:
    """The matches that are at a table and of which nothing was entered, with their tables."""
    return {
        match: table
        for match, table in tournament.tables.items()
        if match not in tournament.results and resolver.outcome(match) is None
    }


def to_void_first(
    tournament: Tournament, act: acts.ResultCorrected | acts.MatchVoided
) -> tuple[str, ...]:
    """The matches that were played and would have other pairs after the act, last played first.

    Voided in this order, each of them can be, and then the act may follow.
    """
    found: set[str] = set()
    after = changed(tournament, act)
    while True:
        resolver = Resolver(after)
        other = {
            match
            for match, result in after.results.items()
            if match != act.match and resolver.players(match) != result.pairs
        }
        if not other:
            return tuple([match for match in reversed([*tournament.matches]) if match in found])
        # What hangs on those hangs on the act, too.
        found |= other
        kept = {match: result for match, result in after.results.items() if match not in other}
        after = replace(after, results=kept)


def _check_later(tournament: Tournament, act: acts.ResultCorrected | acts.MatchVoided) -> None:
    """Raise TournamentError if a match that has been played would have had other players."""
    first = to_void_first(tournament, act)
    if first:
        more = f" and {len(first) - SHOWN} more" if len(first) > SHOWN else ""
        raise TournamentError(
            f"What was played after match {act.match} would have other pairs: "
            f"void {', '.join(first[:SHOWN])}{more} first."
        )


def _pair(tournament: Tournament, pair: int) -> None:
    if pair not in tournament.pairs:
        raise TournamentError(f"There is no pair {short(pair)}: look up its number.")


def _open(tournament: Tournament, resolver: Resolver, match: str) -> tuple[int, int]:
    """The pairs of a match whose result is still open. Raises TournamentError."""
    check_match(tournament, match)
    result = tournament.results.get(match)
    if result is not None and result.counts:
        raise TournamentError(f"Match {match} has a result that counts: correct it, or void it.")
    a, b = resolver.players(match)
    if a is BYE or b is BYE:
        raise TournamentError(f"Match {match} has a bye: it is won without being played.")
    if not isinstance(a, int) or not isinstance(b, int):
        raise TournamentError(
            f"Nobody knows yet who plays match {match}: enter the matches before it first."
        )
    if resolver.outcome(match) is not None:
        gone = a if a in tournament.withdrawn else b
        raise TournamentError(f"Pair {gone} has withdrawn: match {match} is lost by it, go on.")
    return a, b


def _counted(tournament: Tournament, match: str, verb: str) -> Result:
    check_match(tournament, match)
    result = tournament.results.get(match)
    if result is None or not result.counts:
        raise TournamentError(
            f"Match {match} has no result that counts: enter it anew rather than {verb} it."
        )
    return result


def _score(tournament: Tournament, juegos: tuple[int, int]) -> None:
    wanted = tournament.options.juegos
    if max(juegos) != wanted:
        raise TournamentError(
            f"{wanted} juegos win a match, not {max(juegos)}: enter {wanted} for the winner."
        )


def _same(one: str, other: str) -> bool:
    """Whether two names are of the same person, however they were typed."""
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


_CHECKS: dict[type[acts.Act], Callable[[Tournament, Any], None]] = {
    acts.PairEnrolled: _enrolled,
    acts.PairWithdrawn: _withdrawn,
    acts.Drawn: _drawn,
    acts.RoundPaired: check_round,
    acts.TableAssigned: _assigned,
    acts.ResultEntered: _entered,
    acts.ResultCountersigned: _countersigned,
    acts.ResultCorrected: _corrected,
    acts.Walkover: _walked_over,
    acts.MatchVoided: _voided,
}
