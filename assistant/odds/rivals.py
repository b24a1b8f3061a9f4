"""What one player knows, and in how many ways the hidden cards make both rivals lose to a hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from math import comb

import numpy as np
import numpy.typing as npt

from assistant.odds.deck import (
    NO_KEY,
    Bools,
    Floats,
    HandTable,
    Ints,
    OddsDeck,
    OddsError,
    hands_of,
)
from assistant.rules.cards import HAND_SIZE, Rank
from assistant.rules.phases import Lance

# ---- What one player knows, and the chances of a lance ------------------------------------------


SEATS = 4
Declared = tuple[bool | None, ...]
"""Whether each seat, from seat 1, said that it holds it; ``None`` if it has not spoken yet."""
NOBODY: Declared = (None,) * SEATS


@dataclass(frozen=True, slots=True)
class Known:
    """A player's four cards, his seat, and what has been seen and said.

    Seats are 1 to 4 anticlockwise; 1 and 3 are a pair, 2 and 4 the other. ``partner`` is the
    partner's hand, if known. Raises OddsError for a seat that does not exist.
    """

    hand: tuple[Rank, ...]
    seat: int = 1
    mano: int = 1
    partner: tuple[Rank, ...] | None = None
    pares: Declared = NOBODY
    juego: Declared = NOBODY

    def __post_init__(self) -> None:
        for seat in (self.seat, self.mano):
            if seat not in range(1, SEATS + 1):
                raise OddsError(
                    "There is no seat {seat}: seats are 1 to {most}.", seat=seat, most=SEATS
                )
        if len(self.pares) != SEATS or len(self.juego) != SEATS:
            raise OddsError("Declarations are one for each of {most} seats.", most=SEATS)

    def after(self, others: int) -> int:
        """The seat a number of places after mine."""
        return (self.seat - 1 + others) % SEATS + 1

    def before(self, one: int, other: int) -> bool:
        """Whether a seat speaks before another, and so wins ties (R39)."""
        return (one - self.mano) % SEATS < (other - self.mano) % SEATS

    def declared(self, seat: int) -> tuple[bool | None, bool | None]:
        """What a seat said of pares and of juego."""
        return self.pares[seat - 1], self.juego[seat - 1]


@dataclass(frozen=True, slots=True)
class LanceChance:
    """Chances of one lance before it is played, from 0 to 1, over all possible deals.

    ``side == won_contested + uncontested``. For the chance of winning it once both pairs take part,
    divide ``won_contested`` by ``contested``.
    """

    best: float
    """My own hand is the best of the four, and takes part."""
    side: float
    """My pair wins it, contested or not."""
    contested: float
    """Both pairs take part."""
    won_contested: float
    """Both pairs take part, and mine wins."""
    uncontested: float
    """Only my pair takes part (R17)."""
    played: float
    """Somebody takes part at all; of punto: nobody has juego."""


def allowed(hands: HandTable, said: tuple[bool | None, bool | None]) -> Bools:
    """Which hands agree with what a seat declared of pares and juego."""
    pares, juego = said
    fits = hands.pares == pares if pares is not None else hands.pares | True
    return fits & (hands.juego == juego) if juego is not None else fits


def check(known: Known, deck: OddsDeck) -> tuple[int, int | None]:
    """The numbers of my hand and my partner's. Raises OddsError if they are impossible."""
    hands = hands_of(deck)
    mine = hands.number(known.hand)
    theirs = None if known.partner is None else hands.number(known.partner)
    for seat, hand in ((known.seat, mine), (known.after(2), theirs)):
        if hand is not None and not allowed(hands, known.declared(seat))[hand]:
            raise OddsError(
                "Seat {seat} did not declare what it holds: look at its pares and juego again.",
                seat=seat,
            )
    if theirs is not None and (hands.counts[mine] + hands.counts[theirs] > deck.copies).any():
        raise OddsError("One deck cannot deal these two hands: a rank is in them too often.")
    return mine, theirs


# The eight cards of two players together: in how many ways they lie, and how two hands share
# them.
# Two unknown hands x and y come from a deck with the weight
#
#     ways(x + y from the deck) * ways(x from x + y)
#
# The second factor knows nothing of the deck. So the rivals are counted once per deck of cards,
# and a question only weighs the 6,435 multisets of eight cards (24,310 with four kings, less those
# of five alike). All weights are whole numbers below 2^53: sums of them in floats are exact.


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
class DrawnHands:
    """The number of ways in which multisets of a half are drawn from the rest of the deck."""

    row: Ints
    """For each rest of the deck its row in the arrays below. Shape (n,)."""
    ways: tuple[Floats, ...]
    """By size. Shapes (rows, multisets)."""

    def of_size(self, cards: int, some: slice) -> Floats:
        """The ways for some rests of the deck. Shape (n, multisets)."""
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

    def drawn(self, left: Ints) -> DrawnHands:
        """The ways to draw each multiset from rests of the deck, given with shape (n, ranks)."""
        _, first, back = np.unique(self.code(left), return_index=True, return_inverse=True)
        some = left[first]  # few rows for many hands: most hands differ only in the other half
        return DrawnHands(back, tuple(self._ways(some, drawn) for drawn in self.by_size))

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

    def drawn(self, left: Ints) -> tuple[DrawnHands, DrawnHands]:
        """The ways of both halves for rests of the deck, given with shape (n, ranks)."""
        middle = self.low.by_size[0].shape[1]
        return self.low.drawn(left[:, :middle]), self.high.drawn(left[:, middle:])

    def ways(self, drawn: tuple[DrawnHands, DrawnHands], some: slice, room: Room) -> Room:
        """The ways to draw each multiset of eight from some rests of the deck.

        The answer has shape (n, multisets). It is written into ``room``, which has n rows or more,
        because allocating new memory would take as long as computing the numbers.
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

    def weigh(self, drawn: tuple[DrawnHands, DrawnHands], shares: Floats) -> Floats:
        """The sum over all multisets of ways times ``shares``, which are the same for every rest.

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
def unions_of(deck: OddsDeck) -> Unions:
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


# ---- The number of ways to share eight cards so that both rivals lose ---------------------------
# Nothing here depends on my hand, or on how the deck is dealt. A table is counted once for the
# rivals' declarations and for who wins ties, and is kept for the next question.


Said = tuple[bool | None, bool | None]
"""What one rival declared of pares and of juego."""
Rows = npt.NDArray[np.int16]
Table = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Rivals:
    """All pairs of hands that agree with the rivals' declarations. All arrays: shape (pairs,)."""

    x: Ints
    y: Ints
    union: Ints
    split: Bytes


@lru_cache(maxsize=4)
def rivals_of(deck: OddsDeck, said: tuple[Said, Said]) -> Rivals:
    """The hands that two rivals may hold together: the one at my right, the one at my left."""
    hands, unions = hands_of(deck), unions_of(deck)
    keep = allowed(hands, said[0])[unions.x] & allowed(hands, said[1])[unions.y]
    return Rivals(unions.x[keep], unions.y[keep], unions.union[keep], unions.split[keep])


@dataclass(frozen=True, slots=True)
class Against:
    """The rivals as one player meets them: what they declared, and over whom he wins ties."""

    said: tuple[Said, Said]
    ahead: tuple[bool, bool]


@lru_cache(maxsize=10)
def beaten(deck: OddsDeck, lance: Lance, against: Against) -> Rows:
    """The lowest class that beats each pair of rivals. Shape (pairs,).

    A rival without pares or juego is beaten by any hand that has it. At punto no hand beats a rival
    with juego, because then there is no punto.
    """
    classes, rivals = hands_of(deck).classes[lance], rivals_of(deck, against.said)
    nothing = int(classes.max()) + 1 if lance is Lance.PUNTO else 0
    right, left = (
        np.where(classes == NO_KEY, nothing, classes + (0 if ahead else 1)).astype(np.int16)
        for ahead in against.ahead
    )
    needed: Rows = np.maximum(right[rivals.x], left[rivals.y])
    return needed


@lru_cache(maxsize=10)
def lost(deck: OddsDeck, lance: Lance, against: Against) -> Table:
    """Ways to share each eight cards so that both rivals lose to a class. (classes, multisets)."""
    return _table(deck, lance, against, rivals_of(deck, against.said).split)


@lru_cache(maxsize=4)
def stones_lost(deck: OddsDeck, lance: Lance, against: Against) -> Table:
    """As ``lost``, each way multiplied by the stones of the rivals' two hands."""
    return _table(deck, lance, against, worth(deck, lance, against.said))


def worth(deck: OddsDeck, lance: Lance, said: tuple[Said, Said]) -> npt.NDArray[np.uint16]:
    """For each pair of rivals the ways to share, times the stones of both hands. (pairs,)."""
    rivals, stones = rivals_of(deck, said), hands_of(deck).stones[lance]
    both = (stones[rivals.x] + stones[rivals.y]).astype(np.uint16)
    return both * rivals.split  # 6 * 70 at most


def _table(deck: OddsDeck, lance: Lance, against: Against, weights: Table) -> Table:
    rivals, size = rivals_of(deck, against.said), unions_of(deck).size
    needed = beaten(deck, lance, against).astype(np.int64)
    rows = int(hands_of(deck).classes[lance].max()) + 1
    table = np.zeros((rows + 1, size), dtype=weights.dtype)
    np.add.at(table.reshape(-1), needed * size + rivals.union, weights)
    for row in range(1, rows):  # quicker than cumsum, which goes down each column
        table[row] += table[row - 1]
    return table[:rows]


def column(deck: OddsDeck, said: tuple[Said, Said], weights: Table) -> Floats:
    """Weights of all pairs of rivals, summed by their eight cards. Shape (multisets,)."""
    rivals, size = rivals_of(deck, said), unions_of(deck).size
    sums = np.bincount(rivals.union, weights.astype(np.float64), minlength=size)
    return sums.astype(np.float64)  # they are already, whatever NumPy's types say
