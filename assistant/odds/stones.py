"""The exact chances of each lance (R10-R19, R39), and what each call brings in stones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from assistant.odds.deck import (
    NO_KEY,
    Bools,
    Floats,
    HandTable,
    Ints,
    OddsDeck,
    OddsError,
    deck_of,
    hands_of,
)
from assistant.odds.rivals import (
    CHOOSE,
    Against,
    Known,
    LanceChance,
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
from assistant.rules.profile import MAX_TARGET, Profile

# ---- All deals that are possible, counted by the hand of my partner -----------------------------
# For a partner's hand z, with `left` the cards that neither of us holds,
#
#     deals in which the rivals lose = sum over v of ways(v from left) * ways to share v and lose
#
# v runs over the multisets of the rivals' eight cards (`unions`); `rivals` gives the last factor.
# With z it is known whether the rivals have to beat me or my partner, so one pass over 330 * 6,435
# numbers does for the 36 million triples of hands. Every number is whole and below 2^53: exact.


RIGHT, PARTNER, LEFT = 1, 2, 3
"""Seats after mine."""
HELD = (Lance.PARES, Lance.JUEGO)
"""The lances that a hand may take no part in although others play them."""
CELLS = 360_000
"""How many numbers are worked on at once: few enough for a processor's cache."""


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
    """Count all deals; with ``stones`` also the stones of the rivals' hands. Raises OddsError."""
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
    """The questions about the rivals, once my hand is known."""

    def __init__(self, known: Known, deck: OddsDeck, hands: HandTable, mine: int) -> None:
        self.deck, self.hands, self.mine, self.known = deck, hands, mine, known
        right, left = known.after(RIGHT), known.after(LEFT)
        self.said: tuple[Said, Said] = (known.declared(right), known.declared(left))
        self.me, self.partner = (
            Against(self.said, (known.before(seat, right), known.before(seat, left)))
            for seat in (known.seat, known.after(PARTNER))
        )

    def above(self, lance: Lance, partner: Ints) -> Bools:
        """Which hands of my partner are better than mine; ties go to the first to speak."""
        classes = self.hands.classes[lance]
        tie = self.known.before(self.known.after(PARTNER), self.known.seat)
        least = max(int(classes[self.mine]) + (0 if tie else 1), 0)
        better: Bools = classes[partner] >= least
        return better

    def columns(self, stones: bool) -> Iterator[tuple[str, Floats]]:
        """The questions that are alike for every hand of my partner: name -> ways to share."""
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


# ---- The exact chances of each lance (R10-R19, R39) ---------------------------------------------


def chances(known: Known, profile: Profile) -> dict[Lance, LanceChance]:
    """The chances of each lance under the house rules. Raises OddsError.

    All deals that agree with the cards and the declarations are equally likely: what players say
    and how they discard tells nothing here.
    """
    return chances_of(known, deck_of(profile))


def chances_of(known: Known, deck: OddsDeck) -> dict[Lance, LanceChance]:
    """As ``chances``, for any deck: the tests have smaller ones. Raises OddsError."""
    counted = tally(known, deck)
    return {lance: lance_chance(counted, lance) for lance in Lance}


def lance_chance(counted: Tally, lance: Lance) -> LanceChance:
    """One lance, from deals that were counted."""
    won, alone = counted.won[lance], counted.uncontested(lance)
    deals = (
        won * ~counted.above[lance],
        won,
        counted.contested(lance),
        won - alone,
        alone,
        counted.deals - counted.nobody(lance),
    )
    return LanceChance(*(counted.sum(some) / counted.total for some in deals))


# ---- What each call of a lance brings on average, in stones, under named assumptions ------------
# Stones are mine less theirs, of this one lance, once it is known that both pairs play it (before
# that there is nothing to call): bets, dejes, and what pares, juego and punto pay by themselves
# (R13, R15, R20, R24-R29, R32). Three things are left out on purpose: the end of the juego at the
# target, the other lances, and what a rival's call tells about his cards (he accepts as often with
# good cards as with bad ones).


LEAST_DEJE = 1
"""What a first bet that is refused pays (R24)."""


class StakesSaid(StrEnum):
    """A call, and how it ends."""

    PASS = "paso"
    BET = "envido"
    BET_ACCEPTED = "envido querido"
    BET_REFUSED = "envido no querido"
    ACCEPT = "quiero"
    REFUSE = "no quiero"


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What cannot be known about the other players. Raises OddsError for impossible values."""

    bets: tuple[int, ...] = (2, 5)
    """Stones that are bet."""
    accepted: float = 0.5
    """How often the rivals accept a bet of mine, 0 to 1, whatever they hold."""
    deje: int = LEAST_DEJE
    """What I lose at once when I refuse their bet: 1 for a first bet, more after raises (R25)."""

    def __post_init__(self) -> None:
        if not 0 <= self.accepted <= 1:
            raise OddsError(
                "{name} is a chance: choose 0 to 1, not {value}.",
                name="accepted",
                value=self.accepted,
            )
        for stones in (*self.bets, self.deje):
            if stones not in range(1, MAX_TARGET + 1):
                raise OddsError(
                    "{stones} stones cannot be: choose 1 to {most}.", stones=stones, most=MAX_TARGET
                )


@dataclass(frozen=True, slots=True)
class CallWorth:
    """One call: the stones that are bet (0 where none are named), and what it brings."""

    said: StakesSaid
    bet: int
    stones: float


@dataclass(frozen=True, slots=True)
class LanceStakes:
    """A lance that both pairs play: how often we win it, and the stones that hands bring."""

    chance: float
    """My pair wins it."""
    ours: float
    """Mean stones of my pair's hands; of punto the stone that it pays, of other lances 0."""
    ours_won: float
    """The same, 0 in the deals that they win."""
    theirs: float
    """As ``ours``, of the rivals."""
    theirs_won: float
    """As ``ours_won``, of the rivals."""
    passed: int
    """The stones that it pays when all pass: 1 at grande and chica (R20)."""

    def bet(self, stones: float) -> float:
        """The mean of an accepted bet: the winner takes it, and what his hands bring."""
        return stones * (2 * self.chance - 1) + self.ours_won - self.theirs_won


def expected(
    known: Known, profile: Profile, assumed: Assumptions | None = None
) -> dict[Lance, tuple[CallWorth, ...]]:
    """Mean stones, mine less theirs, of each call in each lance. Raises OddsError.

    A lance that the two pairs cannot both play is left out.
    """
    assumed = assumed or Assumptions()
    counted = tally(known, deck_of(profile), stones=True)
    return {
        lance: _calls(stakes, assumed)
        for lance in Lance
        if (stakes := stakes_of(counted, lance)) is not None
    }


def stakes_of(counted: Tally, lance: Lance) -> LanceStakes | None:
    """The stakes of a lance; ``None`` if the two pairs never both play it."""
    both = counted.contested(lance)
    deals = counted.sum(both)
    if not deals:
        return None
    won = counted.won[lance] - counted.uncontested(lance)
    chance = counted.sum(won) / deals
    if lance is Lance.PUNTO:  # one stone for the winner, with a bet or without (R29)
        return LanceStakes(chance, 1.0, chance, 1.0, 1 - chance, 0)
    brings = counted.hands.stones[lance]
    ours = brings[counted.partner] + brings[counted.mine]
    theirs = counted.worth[lance] * counted.takes_part(lance)
    return LanceStakes(
        chance,
        counted.sum(both * ours) / deals,
        counted.sum(won * ours) / deals,
        counted.sum(theirs) / deals,
        counted.sum(theirs - counted.worth_won[lance]) / deals,
        1 if lance in (Lance.GRANDE, Lance.CHICA) else 0,
    )


def _calls(at: LanceStakes, assumed: Assumptions) -> tuple[CallWorth, ...]:
    refused = LEAST_DEJE + at.ours  # with the worse hands, too (R28)
    calls = [CallWorth(StakesSaid.PASS, 0, at.bet(at.passed))]
    for bet in assumed.bets:
        calls += [
            CallWorth(StakesSaid.BET_ACCEPTED, bet, at.bet(bet)),
            CallWorth(StakesSaid.BET_REFUSED, bet, refused),
            CallWorth(StakesSaid.BET, bet, _either(assumed.accepted, at.bet(bet), refused)),
        ]
    calls += [CallWorth(StakesSaid.ACCEPT, bet, at.bet(bet)) for bet in assumed.bets]
    calls.append(CallWorth(StakesSaid.REFUSE, 0, -assumed.deje - at.theirs))
    return tuple(calls)


def _either(chance: float, accepted: float, refused: float) -> float:
    return chance * accepted + (1 - chance) * refused
