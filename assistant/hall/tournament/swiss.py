"""Pairing a Swiss round, with a matcher that somebody else brings.

Pairs stand in the order of the standings. A pairing costs nothing between those who won equally
often and stand half their number apart, so that the top half meets the bottom half; more the
further from that they stand; and far more, by the square of it, where one has won more often than
the other. The matcher finds the round that costs least of all without a rematch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from assistant.hall.tournament.acts import RoundPaired
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.model import Tournament
from assistant.hall.tournament.progress import standings
from assistant.hall.tournament.rounds import PairingHistory, next_round

Edge = tuple[int, int, int]
Matcher = Callable[[Sequence[Edge]], set[tuple[int, int]]]
"""Edges (one, other, weight) between nodes -> those of a matching of maximum weight.

Weights are positive and so large that a matching with one edge more always weighs more."""

NEAR = 8
"""How many candidates on each side of the wanted opponent are looked at first."""
FEW = 64
"""So many pairs at the most are all looked at at once."""


def pair_round(tournament: Tournament, matcher: Matcher) -> RoundPaired:
    """The next round, as it may be applied.

    The lowest pair that has had none gets the bye. Rematches come only where withdrawals have left
    no round without. Raises TournamentError where no round can be paired now.
    """
    history = next_round(tournament)
    active = set(history.active)
    rows = [row for row in standings(tournament) if row.pair in active]
    won = {row.pair: row.won for row in rows}
    ranked = [row.pair for row in rows]
    for bye in _byes(ranked, history):
        playing = [pair for pair in ranked if pair != bye]
        paired = _paired(playing, won, history, matcher)
        if paired is not None:
            return _round(history.number, paired, bye)
    bye = next(_byes(ranked, history))
    playing = [pair for pair in ranked if pair != bye]
    edges = _edges(playing, won, history, len(playing), rematches=True)
    paired = _perfect(playing, edges, matcher)
    if paired is None:
        raise TournamentError("matcher_short")
    return _round(history.number, paired, bye)


def _round(number: int, paired: list[tuple[int, int]], bye: int | None) -> RoundPaired:
    pairings: list[tuple[int, int | None]] = [*paired]
    return RoundPaired(number, tuple(pairings if bye is None else [*pairings, (bye, None)]))


def _byes(ranked: Sequence[int], history: PairingHistory) -> Iterator[int | None]:
    """Who may have the bye, first who should; None alone where all play."""
    if len(ranked) % 2 == 0:
        yield None
        return
    fresh = [pair for pair in ranked if pair not in history.rested]
    yield from reversed(fresh or ranked)


def _paired(
    playing: Sequence[int], won: dict[int, int], history: PairingHistory, matcher: Matcher
) -> list[tuple[int, int]] | None:
    """A round without rematch, or None. Looks further the fewer candidates are enough."""
    near = NEAR if len(playing) > FEW else len(playing)
    while True:
        edges = _edges(playing, won, history, near)
        paired = _perfect(playing, edges, matcher)
        if paired is not None or near >= len(playing):
            return paired
        near *= 4


def _edges(
    playing: Sequence[int],
    won: dict[int, int],
    history: PairingHistory,
    near: int,
    rematches: bool = False,
) -> list[Edge]:
    """Who may meet whom, by their places in ``playing``, and what it is worth."""
    costs: list[Edge] = []
    total = len(playing)
    apart = (total + 1) ** 2  # more than all differences of place within a round come to
    first, last = _lots(playing, won)
    for one, pair in enumerate(playing):
        half = (last[one] - first[one]) // 2
        same = range(max(one + 1, one + half - near), min(last[one], one + half + near + 1))
        # Only the lowest of a lot go down to the next, and meet the highest there.
        lower = range(last[one], min(total, one + near + 1))
        for other in (*same, *lower):
            rival = playing[other]
            again = rival in history.met[pair]
            if again and not rematches:
                continue
            places = abs(other - one - half) if other < last[one] else other - one
            wins = won[pair] - won[rival]
            # A rematch costs more than the greatest difference there can be.
            costs.append((one, other, places + apart * (wins**2 + again * total * apart)))
    # One pairing more is worth more than all that a round can cost.
    most = 1 + total * max((cost for _, _, cost in costs), default=0)
    return [(one, other, most - cost) for one, other, cost in costs]


def _lots(playing: Sequence[int], won: dict[int, int]) -> tuple[list[int], list[int]]:
    """For each place, where the lot of those who won equally often begins, and where it ends."""
    total = len(playing)
    first, last = list(range(total)), list(range(1, total + 1))
    for at in range(1, total):
        if won[playing[at]] == won[playing[at - 1]]:
            first[at] = first[at - 1]
    for at in range(total - 2, -1, -1):
        if won[playing[at]] == won[playing[at + 1]]:
            last[at] = last[at + 1]
    return first, last


def _perfect(
    playing: Sequence[int], edges: Sequence[Edge], matcher: Matcher
) -> list[tuple[int, int]] | None:
    """The matcher's pairings, the best first, if they leave nobody out. Trusts it in nothing."""
    allowed = {(one, other) for one, other, _ in edges}
    chosen = sorted((min(edge), max(edge)) for edge in matcher(edges)) if edges else []
    if len({at for edge in chosen for at in edge}) < 2 * len(chosen) or not allowed >= {*chosen}:
        raise TournamentError("matcher_wrong")
    if 2 * len(chosen) < len(playing):
        return None
    return [(playing[one], playing[other]) for one, other in chosen]
