"""All deals that are possible, counted by the hand of my partner.

For a partner's hand z, with `left` the cards that neither of us holds,

    deals in which the rivals lose = sum over v of ways(v from left) * ways to share v and lose

with v the multisets of the rivals' eight cards (`unions`) and the last factor from `rivals`.
Whether the rivals have to beat me or my partner is known with z, so that one pass over
330 * 6,435 numbers does for the 36 million triples of hands. Every number is whole and below 2^53,
and so exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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
from assistant.odds.rivals import (
    CHOOSE,
    Against,
    Known,
    Room,
    Said,
    Table,
    allowed,
    beaten,
    check,
    column,
    lost,
    rivals_of,
    stones_lost,
    unions_of,
    worth,
)
from assistant.rules.phases import Lance

RIGHT, PARTNER, LEFT = 1, 2, 3
"""Seats after mine."""
HELD = (Lance.PARES, Lance.JUEGO)
"""The lances that a hand may have no part in, though others play them."""
CELLS = 360_000
"""Numbers at once: few enough to stay in a processor's cache."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Deals by the partner's hand z. Arrays have shape (z,) and count deals of the rivals."""

    hands: HandTable
    mine: int
    """The number of my hand."""
    partner: Ints
    """The numbers of the hands z."""
    ways: Floats
    """In how many ways my partner gets z."""
    deals: Floats
    """All deals."""
    above: dict[Lance, Bools]
    """Whether z is better than my hand."""
    won: dict[Lance, Floats]
    """Deals that z and I win."""
    none: dict[Lance, Floats]
    """Deals where no rival takes part."""
    worth: dict[Lance, Floats]
    """Stones of the rivals' hands, summed over all deals."""
    worth_won: dict[Lance, Floats]
    """The same, over the deals that z and I win."""

    @property
    def total(self) -> float:
        """How many deals there are in all."""
        return self.sum(self.deals)

    def sum(self, deals: Floats | Ints) -> float:
        """The deals of all hands z together."""
        return float(self.ways @ deals)

    def contested(self, lance: Lance) -> Floats:
        """Deals where both pairs take part; at punto those where nobody has juego (R19)."""
        if lance is Lance.PUNTO:
            return self.none[Lance.JUEGO] * ~self.takes_part(Lance.JUEGO)
        return (self.deals - self.none[lance]) * self.takes_part(lance)

    def uncontested(self, lance: Lance) -> Floats:
        """Deals where my pair alone takes part (R17)."""
        return self.none[lance] * self.takes_part(lance)

    def nobody(self, lance: Lance) -> Floats:
        """Deals where the lance is not played (R18, R19)."""
        if lance is Lance.PUNTO:
            return self.deals - self.contested(lance)
        return self.none[lance] * ~self.takes_part(lance)

    def takes_part(self, lance: Lance) -> Bools:
        """For which z at least one of us takes part."""
        classes = self.hands.classes[lance]
        ours: Bools = np.maximum(classes[self.partner], classes[self.mine]) != NO_KEY
        return ours


def tally(known: Known, deck: OddsDeck, *, stones: bool = False) -> Tally:
    """Count all deals; with ``stones`` also what the rivals' hands are worth. Raises OddsError."""
    hands = hands_of(deck)
    mine, theirs = check(known, deck)
    left = deck.copies - hands.counts[mine]
    fits = (hands.counts <= left).all(axis=1) & allowed(hands, known.declared(known.after(PARTNER)))
    partner = np.flatnonzero(fits) if theirs is None else np.array([theirs])
    ways = CHOOSE[left, hands.counts[partner]].prod(axis=1)
    counts = _Counts(known, deck, hands, mine)
    found = _passes(counts, partner, left, stones)
    if not ways @ found["deals"]:
        raise OddsError("No deal agrees with these cards and declarations: look at them again.")
    zero = np.zeros(len(partner))
    won = {lance: found[f"won {lance}"] for lance in Lance}
    won[Lance.PUNTO] *= ~hands.juego[partner] & ~hands.juego[mine]
    return Tally(
        hands,
        mine,
        partner,
        ways,
        found["deals"],
        {lance: counts.above(lance, partner) for lance in Lance},
        won,
        {lance: found.get(f"none {lance}", zero) for lance in Lance},
        {lance: found.get(f"worth {lance}", zero) for lance in Lance},
        {lance: found.get(f"worth won {lance}", zero) for lance in Lance},
    )


class _Counts:
    """What is asked of the rivals, once my hand is known."""

    def __init__(self, known: Known, deck: OddsDeck, hands: HandTable, mine: int) -> None:
        self.deck, self.hands, self.mine, self.known = deck, hands, mine, known
        right, left = known.after(RIGHT), known.after(LEFT)
        self.said: tuple[Said, Said] = (known.declared(right), known.declared(left))
        self.me, self.partner = (
            Against(self.said, (known.before(seat, right), known.before(seat, left)))
            for seat in (known.seat, known.after(PARTNER))
        )

    def above(self, lance: Lance, partner: Ints) -> Bools:
        """Which hands of my partner are better than mine; a tie goes to who speaks first."""
        classes = self.hands.classes[lance]
        tie = self.known.before(self.known.after(PARTNER), self.known.seat)
        least = max(int(classes[self.mine]) + (0 if tie else 1), 0)
        better: Bools = classes[partner] >= least
        return better

    def columns(self, stones: bool) -> Iterator[tuple[str, Floats]]:
        """What is asked alike for every hand of my partner: a name, and ways to share."""
        rivals = rivals_of(self.deck, self.said)

        def column_of(weights: Table) -> Floats:
            return column(self.deck, self.said, weights)

        yield "deals", column_of(rivals.split)
        for lance in HELD:
            without = self.hands.classes[lance] == NO_KEY
            yield f"none {lance}", column_of(rivals.split * (without[rivals.x] & without[rivals.y]))
        for lance in Lance:
            yield f"won {lance}", column_of(rivals.split * self._losing(lance))
        for lance in HELD if stones else ():
            weights = worth(self.deck, lance, self.said)
            yield f"worth {lance}", column_of(weights)
            yield f"worth won {lance}", column_of(weights * self._losing(lance))

    def _losing(self, lance: Lance) -> Bools:
        """Which pairs of rivals lose to my own hand."""
        mine = int(self.hands.classes[lance][self.mine])
        losing: Bools = beaten(self.deck, lance, self.me) <= mine
        return losing & (mine != NO_KEY)


def _passes(counts: _Counts, partner: Ints, left: Ints, stones: bool) -> dict[str, Floats]:
    """Weigh the ways to share with the cards that are left, some of my partner's hands at once."""
    hands, deck = counts.hands, counts.deck
    unions = unions_of(deck)
    drawn = unions.drawn(left - hands.counts[partner])
    answer = {name: unions.weigh(drawn, shares) for name, shares in counts.columns(stones)}
    tables = {f"won {lance}": (lance, lost(deck, lance, counts.partner)) for lance in Lance}
    if stones:
        tables |= {
            f"worth won {lance}": (lance, stones_lost(deck, lance, counts.partner))
            for lance in HELD
        }
    above = {lance: counts.above(lance, partner) for lance in Lance}
    at_once = max(1, CELLS // unions.size)
    # Of one z there are C(32, 8) * 70 = 736,281,000 deals at most, which 31 bits hold; stones not.
    shape = (at_once, unions.size)
    room: Room = np.empty(shape) if stones else np.empty(shape, np.int32)
    for start in range(0, len(partner), at_once):
        some = slice(start, start + at_once)
        ways = unions.ways(drawn, some, room)
        for name, (lance, table) in tables.items():
            better = np.flatnonzero(above[lance][some])
            if len(better):
                rows = table[hands.classes[lance][partner[some][better]]]
                these = ways if len(better) == len(ways) else ways[better]
                answer[name][start + better] = np.einsum("zv,zv->z", these, rows)
    return answer
