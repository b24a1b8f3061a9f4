"""A deal of Mus as compiled arithmetic, to train and measure players by the million.

The real rules are in ``assistant.rules``. This is the part of them that two pairs need who speak in
turn: mus and discards, the four lances with bets of any size, dejes, the count. The command
``scripts/lab/bench_simulator`` plays random deals by both and compares every turn and every stone.

A deal is one row of whole numbers, whose places are named below. Seats count from mano: seat 0 is
mano, and the seats of one pair are two apart. A hand is its number in ``assistant.odds.deck``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from assistant.odds.deck import HandTable, deck_of, hands_of
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

Numbers = npt.NDArray[Any]
"""Whole numbers or odds. Compiled code asks for no finer type."""
Arrays = tuple[Numbers, ...]
Books = tuple[Arrays, Arrays]
"""What each pair plays by: regrets and sums for lances, mus and throws."""
Cards = tuple[Numbers, Numbers, Numbers, Numbers, Numbers]
"""The pack, where its stock begins and how many were thrown, hands, ranks, the places thrown."""
Shorts = npt.NDArray[np.int16]

# ---- The places of a deal's row ------------------------------------------------------------------

PHASE, HOLDERS, SPOKEN, BETTOR, STONES, BASE, ALL_IN, GONE = range(8)
"""The lance; who speaks in it; who has spoken; the pending bet (-1: none) and who refused it."""
SCORE = 8
"""The stones of seat 0's pair, then those of the other."""
TARGET = 10
HAND = 12
"""Four places: the numbers of the hands, from mano."""
HOW = 16
"""Five places: how each lance was closed."""
SIDE = 21
"""Five places: whom a refused or uncontested lance belongs to; the last bettor's pair, or -1."""
WORTH = 26
"""Five places: the stones that were accepted."""
CUTTER, ROUNDS, WINNER = 31, 32, 33
"""Who cut the mus; how often cards were changed; the pair that has won the juego, or -1."""
DEJE = 36
"""Five places: the stones that a refusal paid at each lance."""
TURNED = 41
"""Whether mano sits at the seats 1 and 3 of the table."""
ROW = 42

GRANDE, CHICA, PARES, JUEGO, PUNTO, DONE = range(6)
LANCES = (Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.JUEGO, Lance.PUNTO)
OPEN, PASSED, ACCEPTED, REFUSED, UNCONTESTED, NOBODY, ORDAGO = range(7)
"""How a lance was closed; OPEN is one that is not."""

PASS, ACCEPT, BET, GO_ALL_IN = range(4)
"""Calls. PASS refuses a pending bet; BET with stones opens, or raises by so many."""


# ---- What hands are worth: tables out of the rules proper ----------------------------------------


@dataclass(frozen=True, slots=True)
class DeckTables:
    """The hands of one deck, as arrays.

    classes  each hand's order in each lance, -1 if it takes no part. Shape (5, hands)
    stones   the stones that a hand brings by itself at pares, and at juego. Shape (2, hands)
    index    the number of the hand of four ranks, in any order. Shape (ranks,) * 4
    ranks    the ranks of each hand, best first. Shape (hands, 4)
    pack     the ranks of the forty cards. Shape (40,)
    ways     the number of ways in which each hand can be dealt. Shape (hands,)
    """

    classes: Shorts
    stones: Shorts
    index: Shorts
    ranks: Shorts
    pack: Shorts
    ways: Numbers


def tables(kings: int = 8) -> DeckTables:
    """The tables of a deck with eight or four reyes."""
    hands = hands_of(deck_of(Profile(kings=kings)))
    return DeckTables(
        np.array([hands.classes[lance] for lance in LANCES], dtype=np.int16),
        np.array([hands.stones[Lance.PARES], hands.stones[Lance.JUEGO]], dtype=np.int16),
        _index(hands),
        _ranks(hands),
        np.repeat(np.arange(len(hands.deck.counts)), hands.deck.copies).astype(np.int16),
        np.array([_ways(row, hands.deck.copies) for row in hands.counts]),
    )


def _ways(row: Numbers, copies: Numbers) -> int:
    return math.prod(math.comb(int(of), int(some)) for of, some in zip(copies, row, strict=True))


def _ranks(hands: HandTable) -> Shorts:
    return np.array([np.repeat(np.arange(len(row)), row) for row in hands.counts], dtype=np.int16)


def _index(hands: HandTable) -> Shorts:
    ranks = hands.counts.shape[1]
    index = np.full((ranks,) * 4, -1, dtype=np.int16)
    for place in np.ndindex(index.shape):
        counts = tuple(np.bincount(place, minlength=ranks).tolist())
        index[place] = hands.index.get(counts, -1)
    return index


# ---- The deal ------------------------------------------------------------------------------------


@njit(cache=True)
def begin(row: Numbers, score: int, other: int, target: int, hands: Numbers) -> None:
    """Start the lances of a deal, before anybody speaks. ``hands`` are numbers, from mano."""
    row[:] = 0
    row[SCORE], row[SCORE + 1], row[TARGET] = score, other, target
    row[WINNER] = row[CUTTER] = -1
    for seat in range(4):
        row[HAND + seat] = hands[seat]
    for lance in range(5):
        row[SIDE + lance] = -1
    row[PHASE] = GRANDE
    _open(row, 15)


@njit(cache=True)
def _open(row: Numbers, holders: int) -> None:
    row[HOLDERS] = holders
    row[SPOKEN] = row[STONES] = row[BASE] = row[ALL_IN] = row[GONE] = 0
    row[BETTOR] = -1


@njit(cache=True)
def holders_of(row: Numbers, classes: Numbers, lance: int) -> int:
    """The seats that take part in a lance, as bits."""
    bits = 0
    for seat in range(4):
        if classes[lance, row[HAND + seat]] >= 0:
            bits |= 1 << seat
    return bits


@njit(cache=True)
def _next_lance(row: Numbers, classes: Numbers) -> None:
    """Open the next lance that is bet on. Close those that only one pair or nobody holds."""
    while True:
        row[PHASE] += 1
        lance = row[PHASE]
        if lance >= PUNTO:  # juego, or punto, was bet on
            row[PHASE] = DONE
            return
        if lance == CHICA:
            _open(row, 15)
            return
        bits = holders_of(row, classes, lance)
        first, second = bits & 5, bits & 10
        if first and second:
            _open(row, bits)
            return
        if lance == JUEGO and bits == 0:
            row[HOW + JUEGO] = NOBODY
            row[PHASE] = PUNTO
            _open(row, 15)
            return
        row[HOW + lance] = UNCONTESTED if bits else NOBODY
        row[SIDE + lance] = (0 if first else 1) if bits else -1
        if lance == JUEGO:
            row[PHASE] = DONE
            return


@njit(cache=True)
def to_act(row: Numbers) -> int:
    """The seat that speaks now; -1 if the lances, or the juego, are over."""
    if row[PHASE] >= DONE or row[WINNER] >= 0:
        return -1
    if row[BETTOR] < 0:
        for seat in range(4):
            if row[HOLDERS] >> seat & 1 and not row[SPOKEN] >> seat & 1:
                return seat
        return -1
    return answerer(row)


@njit(cache=True)
def answerer(row: Numbers) -> int:
    """The next seat that may answer the pending bet; -1 if none is left."""
    for step in (1, 3):
        seat = (row[BETTOR] + step) & 3
        if row[HOLDERS] >> seat & 1 and not row[GONE] >> seat & 1:
            return seat
    return -1


@njit(cache=True)
def act(row: Numbers, classes: Numbers, call: int, stones: int) -> None:
    """Make a call for the seat in turn, and do what follows from it."""
    seat, lance = to_act(row), row[PHASE]
    if call in (BET, GO_ALL_IN):
        row[BASE] = row[STONES] if row[BETTOR] >= 0 else 0
        row[BETTOR] = seat
        row[ALL_IN] = call == GO_ALL_IN
        row[STONES] = row[TARGET] if call == GO_ALL_IN else row[STONES] + stones
        row[SIDE + lance] = seat & 1
        return
    if row[BETTOR] < 0:
        row[SPOKEN] |= 1 << seat
        if row[SPOKEN] == row[HOLDERS]:
            row[HOW + lance] = PASSED
            _next_lance(row, classes)
        return
    if call == PASS:
        row[GONE] |= 1 << seat
        if answerer(row) < 0:
            _refused(row, classes)
        return
    row[SPOKEN] |= 1 << seat
    if row[ALL_IN]:
        row[HOW + lance] = ORDAGO
        row[WINNER] = best(row, classes, lance) & 1
        return
    row[HOW + lance] = ACCEPTED
    row[WORTH + lance] = row[STONES]
    _next_lance(row, classes)


@njit(cache=True)
def _refused(row: Numbers, classes: Numbers) -> None:
    lance = row[PHASE]
    side = row[BETTOR] & 1
    row[HOW + lance] = REFUSED
    row[SIDE + lance] = side
    row[DEJE + lance] = max(1, row[BASE])
    award(row, side, row[DEJE + lance])
    if row[WINNER] < 0:
        _next_lance(row, classes)


@njit(cache=True)
def award(row: Numbers, side: int, stones: int) -> None:
    """Give a pair stones. The juego is over if it reaches the target (R30, R60)."""
    row[SCORE + side] = min(row[TARGET], row[SCORE + side] + stones)
    if row[SCORE + side] >= row[TARGET] and row[WINNER] < 0:
        row[WINNER] = side


@njit(cache=True)
def best(row: Numbers, classes: Numbers, lance: int) -> int:
    """The seat with the best hand of those that take part. Mano's is better of two alike (R39)."""
    found, most = -1, -1
    for seat in range(4):
        mine = classes[lance, row[HAND + seat]]
        if mine > most:
            found, most = seat, mine
    return found


@njit(cache=True)
def count(row: Numbers, classes: Numbers, stones: Numbers) -> None:
    """Count the lances in their order, until a pair reaches the target (R30)."""
    for lance in range(5):
        how = row[HOW + lance]
        if row[WINNER] >= 0:
            return
        if how in (OPEN, NOBODY):
            continue
        side = row[SIDE + lance]
        if how in (PASSED, ACCEPTED):
            side = best(row, classes, lance) & 1
        won = row[WORTH + lance]
        if lance == PUNTO or (how == PASSED and lance <= CHICA):
            won += 1
        if lance in (PARES, JUEGO):
            for seat in (side, side + 2):
                won += stones[lance - PARES, row[HAND + seat]]
        award(row, side, won)


# ---- The cards -----------------------------------------------------------------------------------
# The pack is one row of forty shuffled ranks: the first sixteen are dealt, ``left`` begins behind
# them. Thrown cards lie in front of ``left``, in no order that matters, and are shuffled in again
# where the stock runs out.


@njit(cache=True)
def shuffle(cards: Numbers, first: int) -> None:
    """Shuffle the cards from a place on, in place."""
    for place in range(len(cards) - 1, first, -1):
        other = first + int(np.random.random() * (place - first + 1))
        cards[place], cards[other] = cards[other], cards[place]


@njit(cache=True)
def deal_out(pack: Numbers, whole: Numbers, index: Numbers, hands: Numbers, cards: Numbers) -> None:
    """Take the ``whole`` pack and deal: ranks go to ``cards``, hands' numbers to ``hands``."""
    pack[:] = whole
    shuffle(pack, 0)
    for seat in range(4):
        for place in range(4):
            cards[seat, place] = pack[4 * seat + place]
        _sort(cards[seat])
        hands[seat] = index[cards[seat, 0], cards[seat, 1], cards[seat, 2], cards[seat, 3]]


@njit(cache=True)
def _sort(four: Numbers) -> None:
    for end in range(3):
        for place in range(3 - end):
            if four[place] > four[place + 1]:
                four[place], four[place + 1] = four[place + 1], four[place]


@njit(cache=True)
def change(
    pack: Numbers, left: Numbers, index: Numbers, hands: Numbers, cards: Numbers, thrown: Numbers
) -> None:
    """Each seat throws the places of its bits and draws as many cards.

    ``pack[left[0]:]`` is the stock, from its end; ``pack[:left[1]]`` is what was thrown before.
    """
    kept = np.zeros(4, dtype=np.int64)
    for seat in range(4):
        for place in range(4):
            if thrown[seat] >> place & 1:
                pack[left[1]] = cards[seat, place]
                left[1] += 1
            else:
                cards[seat, kept[seat]] = cards[seat, place]
                kept[seat] += 1
    for seat in range(4):
        while kept[seat] < 4:
            if left[0] == 40:
                _again(pack, left)
            cards[seat, kept[seat]] = pack[left[0]]
            left[0] += 1
            kept[seat] += 1
        _sort(cards[seat])
        hands[seat] = index[cards[seat, 0], cards[seat, 1], cards[seat, 2], cards[seat, 3]]


@njit(cache=True)
def _again(pack: Numbers, left: Numbers) -> None:
    """Make a stock of what was thrown."""
    many = left[1]
    for place in range(many - 1, -1, -1):
        pack[40 - many + place] = pack[place]
    left[0], left[1] = 40 - many, 0
    shuffle(pack, left[0])
