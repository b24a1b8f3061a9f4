"""The brackets of a knock-out and of a double elimination, built completely before play begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.hall.tournament.model import (
    ByeSlot,
    LoserOf,
    Match,
    SecondChance,
    Slot,
    WinnerOf,
)

# A *line* is a place in a bracket, counted from 1 in the order of the draw. A tree has ``size``
# lines, a power of two. The two lines of a first match add up to ``size + 1``, so the best lines
# meet as late as possible. The lines after the last pair are byes, so the best lines get them.


def size_for(entries: int) -> int:
    """The number of lines of the smallest tree that holds ``entries``; at least two."""
    return 1 << max(1, (entries - 1).bit_length())


def lines(size: int) -> list[int]:
    """The lines of a tree from top to bottom: neighbours meet in the first round."""
    order = [1]
    while len(order) < size:
        both = 2 * len(order) + 1
        # Every other match is upside down, so that line 2 is at the foot and not in the middle.
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
    """All matches of a knock-out, in the order of play; ``entries`` are in the order of lines.

    With ``bronze`` and two semifinals, the match for the third place comes before the final.
    """
    tree = list(_tree(entries, "knockout", "K"))
    if bronze and len(tree) >= 3:
        left, right = tree[-3], tree[-2]
        tree.insert(-1, Match("B1.1", "bronze", 1, LoserOf(left.id), LoserOf(right.id)))
    return tree


def double_elimination(entries: Sequence[Slot]) -> list[Match]:
    """All matches of a double elimination, in an order in which they can be played.

    The loser of a match in round r of the winners' bracket drops into the losers' bracket, at the
    place of that match moved by ``_mask(r)``.
    """
    winners = _by_round(_tree(entries, "winners", "W"))
    last = len(winners)
    matches = list(winners[0])
    # The pairs still in the losers' bracket, from top to bottom.
    alive: list[Slot] = [LoserOf(match.id) for match in winners[0]]
    done = 0
    for number, dropping in enumerate(winners[1:], 2):
        matches += dropping
        # The pairs in it meet each other; the winners meet those that drop into it.
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
    """The number that is xored to the places of the losers of round ``number``.

    Two pairs that met in the winners' bracket meet again where the masks of the rounds that they
    lost agree in their highest bits: the more bits agree, the sooner. Counting from the highest bit
    down makes neighbouring rounds differ in the first bit, rounds two apart in the second, and so
    on.
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
