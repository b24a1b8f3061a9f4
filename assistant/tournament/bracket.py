"""The trees of a knock-out and of a double elimination, built whole before anything is played.

A *line* is a place in a bracket, from 1: the order of the draw. In a tree of ``size`` lines, a
power of two, lines of the first round add up to ``size + 1``, so the best lines meet as late as can
be; the lines after the last pair are byes, and thus go to the best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.tournament.model import (
    ByeSlot,
    LoserOf,
    Match,
    SecondChance,
    Slot,
    WinnerOf,
)


def size_for(entries: int) -> int:
    """Lines of the smallest tree that holds ``entries``, at least two."""
    return 1 << max(1, (entries - 1).bit_length())


def lines(size: int) -> list[int]:
    """The lines of a tree from top to bottom: neighbours meet in the first round."""
    order = [1]
    while len(order) < size:
        both = 2 * len(order) + 1
        # Every other match upside down, so that line 2 stands at the foot and not in the middle.
        order = [
            line
            for at, best in enumerate(order)
            for line in ((best, both - best) if at % 2 == 0 else (both - best, best))
        ]
    return order


def places(size: int) -> dict[int, int]:
    """Line -> its place in the tree from the top, from 0."""
    return {line: at for at, line in enumerate(lines(size))}


def meets(place: int, other: int) -> int:
    """The round in which two different places of a tree meet, from 1."""
    return (place ^ other).bit_length()


def knock_out(entries: Sequence[Slot], bronze: bool) -> list[Match]:
    """All matches of a knock-out, in the order of play; ``entries`` stand in the order of lines.

    The match for the third place, if any and if there are two semifinals, comes before the final.
    """
    tree = list(_tree(entries, "knockout", "K"))
    if bronze and len(tree) >= 3:
        left, right = tree[-3], tree[-2]
        tree.insert(-1, Match("B1.1", "bronze", 1, LoserOf(left.id), LoserOf(right.id)))
    return tree


def double_elimination(entries: Sequence[Slot]) -> list[Match]:
    """All matches of a double elimination, in an order in which they can be played.

    Who loses in round r of the winners' bracket drops into the losers' bracket, at the place of his
    match there but moved by ``_mask(r)``.
    """
    winners = _by_round(_tree(entries, "winners", "W"))
    last = len(winners)
    matches = list(winners[0])
    # Who is still in the losers' bracket, from top to bottom.
    alive: list[Slot] = [LoserOf(match.id) for match in winners[0]]
    done = 0
    for number, dropping in enumerate(winners[1:], 2):
        matches += dropping
        # Those who are in it meet; the winners of that meet those who drop into it.
        done += 1
        among = _round_of(list(zip(alive[::2], alive[1::2], strict=True)), done)
        mask = _mask(number, last - number)
        dropped = [LoserOf(dropping[at ^ mask].id) for at in range(len(dropping))]
        done += 1
        against = _round_of(
            [(WinnerOf(a.id), b) for a, b in zip(among, dropped, strict=True)], done
        )
        matches += among + against
        alive = [WinnerOf(match.id) for match in against]
    first = Match("F1.1", "final", 1, WinnerOf(winners[-1][0].id), alive[0])
    again = Match("F2.1", "final", 2, WinnerOf(first.id), SecondChance(first.id))
    return [*matches, first, again]


def _mask(number: int, bits: int) -> int:
    """What is added without carry to the places of those who drop out of round ``number``.

    Two who met in the winners' bracket meet again where the masks of the rounds that they lost
    agree in their highest bits, the sooner the more bits agree. Counting from the highest bit down
    makes neighbouring rounds differ in the first, rounds two apart in the second, and so on.
    """
    count = number - 1
    return sum((count >> low & 1) << (bits - 1 - low) for low in range(bits))


def _round_of(pairings: Sequence[tuple[Slot, Slot]], number: int) -> list[Match]:
    """One round of the losers' bracket."""
    return [
        Match(f"L{number}.{at}", "losers", number, a, b) for at, (a, b) in enumerate(pairings, 1)
    ]


def _tree(entries: Sequence[Slot], stage: str, letter: str) -> Iterator[Match]:
    """The matches of a bracket, round by round, from top to bottom."""
    size = size_for(len(entries))
    slots: list[Slot] = [
        entries[line - 1] if line <= len(entries) else ByeSlot() for line in lines(size)
    ]
    number = 0
    while len(slots) > 1:
        number += 1
        played = [
            Match(f"{letter}{number}.{at}", stage, number, a, b)
            for at, (a, b) in enumerate(zip(slots[::2], slots[1::2], strict=True), 1)
        ]
        yield from played
        slots = [WinnerOf(match.id) for match in played]


def _by_round(tree: Iterator[Match]) -> list[list[Match]]:
    rounds: list[list[Match]] = []
    for match in tree:
        if match.round > len(rounds):
            rounds.append([])
        rounds[-1].append(match)
    return rounds
