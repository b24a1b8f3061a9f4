"""The eight cards of two players together: in how many ways they lie, and how two hands share them.

Two unknown hands x and y come from a deck with the weight

    ways(x + y from the deck) * ways(x from x + y)

The second factor knows nothing of the deck. So the rivals are counted once per deck of cards, and a
question only weighs the 6,435 multisets of eight cards (24,310 with four kings, less those of five
alike). All weights are whole numbers below 2^53: sums of them in floats are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from math import comb

import numpy as np
import numpy.typing as npt

from assistant.odds.deck import Deck, Floats, Ints, hands_of
from assistant.rules.cards import HAND_SIZE

TOGETHER = 2 * HAND_SIZE
BASE = TOGETHER + 1
"""Counts of 0 to 8 cards are digits of a number to this base."""
MOST_COPIES = 8
CHOOSE: Floats = np.array(
    [[comb(n, k) for k in range(BASE)] for n in range(MOST_COPIES + 1)], dtype=np.float64
)

Bytes = npt.NDArray[np.uint8]
Room = npt.NDArray[np.int32] | Floats


@dataclass(frozen=True, slots=True)
class Drawn:
    """In how many ways the multisets of a half come from what is left of the deck."""

    row: Ints
    """For each thing left the row below. Shape (n,)."""
    ways: tuple[Floats, ...]
    """By size. Shapes (rows, multisets)."""

    def of_size(self, cards: int, some: slice) -> Floats:
        """For some of what is left. Shape (n, multisets)."""
        return self.ways[cards][self.row[some]]


@dataclass(frozen=True, slots=True)
class Half:
    """Half of the ranks: all multisets of 0 to 8 cards of them, by size."""

    by_size: tuple[Ints, ...]
    """For each size the counts of each rank. Shape (multisets, ranks)."""
    place: Ints
    """Counts read as a number -> the place among those of the same size."""

    def code(self, counts: Ints) -> Ints:
        """Counts, shape (n, ranks), as one number each."""
        return counts @ BASE ** np.arange(counts.shape[1])

    def drawn(self, left: Ints) -> Drawn:
        """In how many ways each multiset comes from what is left, shape (n, ranks)."""
        _, first, back = np.unique(self.code(left), return_index=True, return_inverse=True)
        some = left[first]  # few, however many hands: most differ in the other half alone
        return Drawn(back, tuple(self._ways(some, drawn) for drawn in self.by_size))

    def _ways(self, left: Ints, drawn: Ints) -> Floats:
        ways = np.ones((len(left), len(drawn)))
        for rank in range(left.shape[1]):
            ways *= CHOOSE[left[:, rank]][:, drawn[:, rank]]
        return ways


@dataclass(frozen=True, slots=True)
class Unions:
    """All multisets of eight cards, numbered; and all pairs of hands that make one."""

    low: Half
    high: Half
    starts: tuple[int, ...]
    """Number of the first multiset with so many cards of the low half; the last is the total."""
    x: Ints
    y: Ints
    """The numbers of two hands, all pairs that the deck can deal at once. Shape (pairs,)."""
    union: Ints
    """The multiset that they make together. Shape (pairs,)."""
    split: Bytes
    """In how many ways the first hand lies among those eight cards, 70 at most. Shape (pairs,)."""

    @property
    def size(self) -> int:
        """How many multisets there are."""
        return self.starts[-1]

    def drawn(self, left: Ints) -> tuple[Drawn, Drawn]:
        """Both halves of what is left: the cards of each rank, shape (n, ranks)."""
        middle = self.low.by_size[0].shape[1]
        return self.low.drawn(left[:, :middle]), self.high.drawn(left[:, middle:])

    def ways(self, drawn: tuple[Drawn, Drawn], some: slice, room: Room) -> Room:
        """In how many ways each multiset of eight comes from some of what is left.

        The answer has shape (n, multisets); it is written into ``room``, which has n rows or more,
        for new memory would take as long as the numbers in it.
        """
        low, high = drawn
        ways = room[: len(low.row[some])]
        for cards, (start, end) in enumerate(pairwise(self.starts)):
            part = low.of_size(cards, some).astype(room.dtype)
            rest = high.of_size(TOGETHER - cards, some).astype(room.dtype)
            shape = (len(ways), part.shape[1], rest.shape[1])
            block = ways[:, start:end].reshape(shape)  # a view: it is filled in place
            np.multiply(part[:, :, None], rest[:, None, :], out=block)
        return ways

    def weigh(self, drawn: tuple[Drawn, Drawn], shares: Floats) -> Floats:
        """The sum over all multisets of their ways times the same ``shares`` for all that is left.

        As ``ways(drawn, everything) @ shares``, without making that matrix. Shape (n,).
        """
        low, high = drawn
        sums = np.zeros((len(low.ways[0]), len(high.ways[0])))
        for cards, (start, end) in enumerate(pairwise(self.starts)):
            part, rest = low.ways[cards], high.ways[TOGETHER - cards]
            shape = (part.shape[1], rest.shape[1])
            sums += part @ shares[start:end].reshape(shape) @ rest.T
        weighed: Floats = sums[low.row, high.row]
        return weighed


@lru_cache(maxsize=4)
def unions_of(deck: Deck) -> Unions:
    """Number the multisets of eight cards of a deck, and pair its hands."""
    copies, hands = deck.copies, hands_of(deck)
    middle = len(copies) // 2
    low, high = _half(copies[:middle]), _half(copies[middle:])
    sizes = [len(low.by_size[n]) * len(high.by_size[TOGETHER - n]) for n in range(BASE)]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    x, y = _pairs(hands.counts, copies)
    both = hands.counts[x] + hands.counts[y]
    cards = both[:, :middle].sum(axis=1)
    across = np.array([len(high.by_size[TOGETHER - n]) for n in range(BASE)])[cards]
    row = low.place[low.code(both[:, :middle])]
    column = high.place[high.code(both[:, middle:])]
    split = np.ones(len(x))
    for rank in range(len(copies)):
        split *= CHOOSE[both[:, rank], hands.counts[x, rank]]
    union = starts[cards] + row * across + column
    return Unions(low, high, tuple(starts.tolist()), x, y, union, split.astype(np.uint8))


def _half(copies: Ints) -> Half:
    ranks = len(copies)
    place = np.zeros(BASE**ranks, dtype=np.int64)
    by_size = []
    for size in range(BASE):
        drawn = combinations_with_replacement(range(ranks), size)
        counts = np.array([[hand.count(rank) for rank in range(ranks)] for hand in drawn])
        counts = counts.reshape(-1, ranks).astype(np.int64)
        by_size.append(counts[(counts <= copies).all(axis=1)])
    half = Half(tuple(by_size), place)
    for counts in by_size:
        place[half.code(counts)] = np.arange(len(counts))
    return half


def _pairs(counts: Ints, copies: Ints) -> tuple[Ints, Ints]:
    fits = np.ones((len(counts), len(counts)), dtype=np.bool_)
    for rank, most in enumerate(copies):
        fits &= counts[:, None, rank] + counts[None, :, rank] <= most
    x, y = np.nonzero(fits)
    return x, y
