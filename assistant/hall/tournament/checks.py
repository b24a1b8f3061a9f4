"""Which act may follow now, and the one door through which acts make a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from assistant.hall.tournament import acts
from assistant.hall.tournament.acts import Act, Opened
from assistant.hall.tournament.changes import changed, opened
from assistant.hall.tournament.draw import check_size, order_of
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.limits import MAX_PAIRS, plain
from assistant.hall.tournament.model import BYE, Result, Tournament
from assistant.hall.tournament.ranking import Resolver, check_match
from assistant.hall.tournament.rounds import check_round
from assistant.messages.forms import short

# ---- Which act may follow now. Every refusal is one sentence that says what to do instead -------


SHOWN = 8
"""How many matches a refusal names at the most."""


def check(tournament: Tournament | None, act: acts.Act) -> None:
    """Raise TournamentError unless the act may follow what has been done."""
    if isinstance(act, acts.Opened):
        if tournament is not None:
            raise TournamentError("open_already")
        return
    if tournament is None:
        raise TournamentError("not_open")
    _CHECKS[type(act)](tournament, act)


def _enrolled(tournament: Tournament, act: acts.PairEnrolled) -> None:
    if tournament.order:
        raise TournamentError("too_late")
    if len(tournament.pairs) >= MAX_PAIRS:
        raise TournamentError("full", most=MAX_PAIRS)
    if act.pair in tournament.pairs or act.pair in tournament.gone:
        raise TournamentError("number_taken", pair=act.pair)
    _name_free(tournament, act.pair, act.name)
    for pair in tournament.pairs.values():
        if act.seed is not None and pair.seed == act.seed:
            raise TournamentError("seed_taken", pair=pair.number, seed=act.seed)


def _pair_corrected(tournament: Tournament, act: acts.PairCorrected) -> None:
    _pair(tournament, act.pair)
    was = tournament.pairs[act.pair]
    if (was.name, was.players, was.club) == (act.name, act.players, act.club):
        raise TournamentError("same_pair", pair=act.pair)
    _name_free(tournament, act.pair, act.name)
    _all_signed(tournament, act.pair)  # or it could sign under its new name what it entered


def _withdrawn(tournament: Tournament, act: acts.PairWithdrawn) -> None:
    _pair(tournament, act.pair)
    if act.pair in tournament.withdrawn:
        raise TournamentError("withdrawn_already", pair=act.pair)
    _all_signed(tournament, act.pair)


def _drawn(tournament: Tournament, act: acts.Drawn) -> None:
    if tournament.order:
        raise TournamentError("drawn_already")
    check_size(tournament.format, tournament.options, len(tournament.pairs))
    if act.order != order_of(tournament, act.seed):
        raise TournamentError("other_order", seed=act.seed)


def _assigned(tournament: Tournament, act: acts.TableAssigned) -> None:
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


def _entered(tournament: Tournament, act: acts.ResultEntered) -> None:
    _open(tournament, Resolver(tournament), act.match)
    _score(tournament, act.juegos)


def _countersigned(tournament: Tournament, act: acts.ResultCountersigned) -> None:
    check_match(tournament, act.match)
    result = tournament.results.get(act.match)
    if result is None:
        raise TournamentError("no_result", match=act.match)
    if result.counts:
        raise TournamentError("counts_already", match=act.match)
    if plain(result.by) == plain(act.by):  # one person, however he typed his name
        raise TournamentError("own_result", by=short(act.by), match=act.match)


def _corrected(tournament: Tournament, act: acts.ResultCorrected) -> None:
    result = _counted(tournament, act.match)
    _score(tournament, act.juegos)
    same = (result.juegos, result.stones) == (act.juegos, act.stones)
    # The same once more is something where a table's journal told it: now a person answers for it.
    if same and not result.walkover and not result.game:
        raise TournamentError("same_result", match=act.match)
    _check_later(tournament, act)


def _walked_over(tournament: Tournament, act: acts.Walkover) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    if act.winner not in pairs:
        raise TournamentError(
            "no_winner_of",
            pair=short(act.winner),
            match=act.match,
            one=pairs[0],
            other=pairs[1],
        )


def _voided(tournament: Tournament, act: acts.MatchVoided) -> None:
    check_match(tournament, act.match)
    if act.match not in tournament.results:
        raise TournamentError("nothing_to_void", match=act.match)
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
        named, more = ", ".join(first[:SHOWN]), len(first) - SHOWN
        if more > 0:
            raise TournamentError("void_many", match=act.match, matches=named, more=more)
        raise TournamentError("void_first", match=act.match, matches=named)


def _pair(tournament: Tournament, pair: int) -> None:
    if pair not in tournament.pairs:
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
    """The pairs of a match whose result is still open. Raises TournamentError."""
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


def _score(tournament: Tournament, juegos: tuple[int, int]) -> None:
    wanted = tournament.options.juegos
    if max(juegos) != wanted:
        raise TournamentError("other_juegos", wanted=wanted, most=max(juegos))


_CHECKS: dict[type[acts.Act], Callable[[Tournament, Any], None]] = {
    acts.PairEnrolled: _enrolled,
    acts.PairCorrected: _pair_corrected,
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


# ---- The one door: acts make a tournament, each checked against what was done before it ---------


def apply(tournament: Tournament | None, act: Act) -> Tournament:
    """The tournament after an act. Raises TournamentError, as ``check`` does, and then is none."""
    check(tournament, act)
    if tournament is None:
        assert isinstance(act, Opened)  # check lets nothing else begin
        return opened(act)
    return changed(tournament, act)


def fold(acts: Iterable[Act]) -> Tournament:
    """The tournament that the acts tell of. Raises TournamentError where one cannot follow."""
    tournament: Tournament | None = None
    for act in acts:
        tournament = apply(tournament, act)
    if tournament is None:
        raise TournamentError("no_act")
    return tournament
