"""In how many ways the rivals share their eight cards so that both of them lose.

Nothing here depends on my hand, nor on the chances of a deck: a table is counted once for the
rivals' declarations and for who wins ties, and is kept for the next question.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from assistant.odds.deck import NO_KEY, Deck, Floats, Ints, hands_of
from assistant.odds.known import allowed
from assistant.odds.unions import Bytes, unions_of
from assistant.rules.phases import Lance

Said = tuple[bool | None, bool | None]
"""What one rival declared of pares and of juego."""
Rows = npt.NDArray[np.int16]
Table = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Rivals:
    """All pairs of hands that agree with what the rivals declared. All of shape (pairs,)."""

    x: Ints
    y: Ints
    union: Ints
    split: Bytes


@lru_cache(maxsize=4)
def rivals_of(deck: Deck, said: tuple[Said, Said]) -> Rivals:
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
def beaten(deck: Deck, lance: Lance, against: Against) -> Rows:
    """The lowest class that beats each pair of rivals. Shape (pairs,).

    A rival without pares or juego is beaten by any who has it. At punto nobody beats one who has
    juego, for then there is no punto.
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
def lost(deck: Deck, lance: Lance, against: Against) -> Table:
    """Ways to share each eight cards so that both rivals lose to a class. (classes, multisets)."""
    return _table(deck, lance, against, rivals_of(deck, against.said).split)


@lru_cache(maxsize=4)
def stones_lost(deck: Deck, lance: Lance, against: Against) -> Table:
    """The same, each way counted as often as the rivals' two hands are worth stones."""
    return _table(deck, lance, against, worth(deck, lance, against.said))


def worth(deck: Deck, lance: Lance, said: tuple[Said, Said]) -> npt.NDArray[np.uint16]:
    """For each pair of rivals the ways to share, times the stones of both hands. (pairs,)."""
    rivals, stones = rivals_of(deck, said), hands_of(deck).stones[lance]
    both = (stones[rivals.x] + stones[rivals.y]).astype(np.uint16)
    return both * rivals.split  # 6 * 70 at most


def _table(deck: Deck, lance: Lance, against: Against, weights: Table) -> Table:
    rivals, size = rivals_of(deck, against.said), unions_of(deck).size
    needed = beaten(deck, lance, against).astype(np.int64)
    rows = int(hands_of(deck).classes[lance].max()) + 1
    table = np.zeros((rows + 1, size), dtype=weights.dtype)
    np.add.at(table.reshape(-1), needed * size + rivals.union, weights)
    for row in range(1, rows):  # quicker than cumsum, which goes down each column
        table[row] += table[row - 1]
    return table[:rows]


def column(deck: Deck, said: tuple[Said, Said], weights: Table) -> Floats:
    """Weights of all pairs of rivals, summed by their eight cards. Shape (multisets,)."""
    rivals, size = rivals_of(deck, said), unions_of(deck).size
    sums = np.bincount(rivals.union, weights.astype(np.float64), minlength=size)
    return sums.astype(np.float64)  # which they are already, whatever NumPy's types say
