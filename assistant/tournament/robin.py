"""Everybody meets everybody once: the rounds of a round robin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.tournament.model import Match, PairSlot


def rounds_of(pairs: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Who meets whom in each round, by the circle method; of an odd number one rests each round.

    The first stands still while the others move on by one place; in a circle of an odd number an
    empty chair stands still, and whoever faces it rests.
    """
    chairs: list[int | None] = [*pairs] if len(pairs) % 2 == 0 else [None, *pairs]
    rounds = []
    for number in range(len(chairs) - 1):
        facing = list(zip(chairs, reversed(chairs), strict=True))[: len(chairs) // 2]
        if number % 2:  # or the first would be named first in all of his matches
            facing[0] = facing[0][::-1]
        rounds.append([(a, b) for a, b in facing if a is not None and b is not None])
        chairs = [chairs[0], chairs[-1], *chairs[1:-1]]
    return rounds


def round_robin(pairs: Sequence[int]) -> list[Match]:
    """All matches of a round robin, round by round."""
    return list(_matches(pairs, "R", "robin", 0))


def group_matches(groups: Sequence[Sequence[int]]) -> list[Match]:
    """All matches of all groups, round by round."""
    matches = [
        match
        for group, pairs in enumerate(groups, 1)
        for match in _matches(pairs, f"G{group}.", "group", group)
    ]
    return sorted(matches, key=lambda match: match.round)


def _matches(pairs: Sequence[int], prefix: str, stage: str, group: int) -> Iterator[Match]:
    for number, met in enumerate(rounds_of(pairs), 1):
        for at, (a, b) in enumerate(met, 1):
            yield Match(f"{prefix}{number}.{at}", stage, number, PairSlot(a), PairSlot(b), group)
