"""Tournaments for the tests: enrolled, drawn and played through ``apply``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    Opened,
    Options,
    PairEnrolled,
    ResultCountersigned,
    ResultEntered,
    Tournament,
    apply,
    draw,
    fold,
    pair_round,
    players,
    ready,
)

Winner = Callable[[int, int], int]
"""A function that chooses the winner of two pairs."""


def enrolled(pairs: int, form: Format, seeds: int = 0, **options: Any) -> list[Act]:
    """A tournament of pairs 1 to ``pairs``, of which the first ``seeds`` are seeded in order."""
    acts: list[Act] = [Opened("Torneo", form, Options(**options))]
    for pair in range(1, pairs + 1):
        names = (f"Ana {pair}", f"Luis {pair}")
        acts.append(
            PairEnrolled(pair, f"Pareja {pair}", names, "", pair if pair <= seeds else None)
        )
    return acts


def drawn(pairs: int, form: Format, seeds: int | None = None, **options: Any) -> Tournament:
    """A drawn tournament. All pairs are seeded by their numbers unless ``seeds`` says otherwise."""
    tournament = fold(enrolled(pairs, form, pairs if seeds is None else seeds, **options))
    return apply(tournament, Drawn(7, draw(tournament.pairs.values(), 7)))


def result_acts(
    tournament: Tournament, match: str, winner: int, lost: int = 0, stones: tuple[int, int] = (0, 0)
) -> list[Act]:
    """A result that is entered and countersigned. The loser has ``lost`` juegos."""
    juegos = tournament.options.juegos
    first = players(tournament, match)[0] == winner
    score = (juegos, lost) if first else (lost, juegos)
    return [
        ResultEntered(match, score, stones, "Ana"),
        ResultCountersigned(match, "Luis"),
    ]


def entered(
    tournament: Tournament, match: str, winner: int, lost: int = 0, stones: tuple[int, int] = (0, 0)
) -> Tournament:
    """The tournament after a result was entered and countersigned."""
    for act in result_acts(tournament, match, winner, lost, stones):
        tournament = apply(tournament, act)
    return tournament


def both(tournament: Tournament, match: str) -> tuple[int, int]:
    """The two pairs of a match, both of which are known."""
    a, b = players(tournament, match)
    assert isinstance(a, int)
    assert isinstance(b, int)
    return a, b


def played(
    tournament: Tournament, winner: Winner, matcher: Callable[..., Any] | None = None
) -> Tournament:
    """The tournament played to its end. ``matcher`` pairs the rounds of a Swiss one."""
    while True:
        open_matches = ready(tournament)
        for match in open_matches:
            a, b = both(tournament, match.id)
            tournament = entered(tournament, match.id, winner(a, b))
        if open_matches:
            continue
        if matcher is None or tournament.rounds == tournament.options.rounds:
            return tournament
        tournament = apply(tournament, pair_round(tournament, matcher))


def stronger(a: int, b: int) -> int:
    """The lower number always wins."""
    return min(a, b)


def best_matching(edges: Sequence[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """A matching of maximum weight by trying all of them, for a dozen nodes."""
    weights = {(min(a, b), max(a, b)): weight for a, b, weight in edges}
    nodes = 1 + max((max(edge) for edge in weights), default=-1)

    @cache
    def best(left: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        if not left:
            return 0, ()
        one = (left & -left).bit_length() - 1
        rest = left & ~(1 << one)
        found = best(rest)
        for other in range(one + 1, nodes):
            if rest >> other & 1 and (one, other) in weights:
                worth, chosen = best(rest & ~(1 << other))
                if worth + weights[one, other] > found[0]:
                    found = worth + weights[one, other], ((one, other), *chosen)
        return found

    return set(best((1 << nodes) - 1)[1])


def greedy_matching(edges: Sequence[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """A matching for many nodes, near the maximum: no exchange of a pair would improve it.

    It takes the heaviest edges first. Then each unmatched node asks two matched ones to separate.
    """
    mate: dict[int, int] = {}
    beside: dict[int, list[int]] = {}
    for a, b, _ in sorted(edges, key=lambda edge: -edge[2]):
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
        if a not in mate and b not in mate:
            mate[a], mate[b] = b, a
    for node in beside:
        if node not in mate:
            _augment(node, mate, beside)
    return {(a, b) for a, b in mate.items() if a < b}


def _augment(start: int, mate: dict[int, int], beside: dict[int, list[int]]) -> None:
    """Match a node along a path of edges that are in turn outside and inside the matching."""
    paths = [[start]]
    seen: set[int] = set()
    for path in paths:
        for other in beside[path[-1]]:
            if other in seen or other in path:
                continue
            if other not in mate:
                path.append(other)
                mate.update(zip(path[::2], path[1::2], strict=True))
                mate.update(zip(path[1::2], path[::2], strict=True))
                return
            seen.add(other)
            if mate[other] not in path:
                paths.append([*path, other, mate[other]])
