"""The virtual pack of a practice game, and why a call was made."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.rules import calls as c
from assistant.rules.cards import HAND_SIZE, Card, Hand, Rank, Suit
from assistant.rules.hands import value
from assistant.rules.phases import BEFORE_LANCES, DECLARING, Lance
from assistant.school.judge.alone import wins
from assistant.school.players import Sight
from assistant.school.players.strength import Strength

# ---- The virtual pack: the hands, the stock to draw from, and the thrown cards -------------------
# A pack never changes, so that a discard that is taken back finds the cards as they were.


DECK = tuple(Card(rank, suit) for rank in Rank for suit in Suit)


@dataclass(frozen=True, slots=True)
class Pack:
    """``hands`` by seat from 1, the ``stock`` to draw from, and what was ``thrown``."""

    hands: tuple[Hand, ...]
    stock: tuple[Card, ...]
    thrown: tuple[Card, ...] = ()

    def hand(self, seat: int) -> Hand:
        """The four cards of a seat."""
        return self.hands[seat - 1]


def dealt(dice: random.Random, players: int = 4) -> Pack:
    """Shuffle, and deal four cards to each."""
    cards = list(DECK)
    dice.shuffle(cards)
    hands = tuple(tuple(cards[n * HAND_SIZE : (n + 1) * HAND_SIZE]) for n in range(players))
    return Pack(hands, tuple(cards[players * HAND_SIZE :]))


def changed(
    pack: Pack, places: Mapping[int, Sequence[int]], order: Sequence[int], dice: random.Random
) -> Pack:
    """Each throws the cards in his ``places``, and then draws as many, in the ``order`` of seats.

    Where the stock runs out, what was thrown is shuffled and drawn from, as at a table.
    """
    hands, stock, thrown = list(pack.hands), list(pack.stock), list(pack.thrown)
    for seat in order:
        hand, away = hands[seat - 1], set(places.get(seat, ()))
        kept = [card for place, card in enumerate(hand) if place not in away]
        hands[seat - 1] = tuple(kept)
        thrown += [card for place, card in enumerate(hand) if place in away]
    for seat in order:
        drawn: list[Card] = []
        while len(hands[seat - 1]) + len(drawn) < HAND_SIZE:
            if not stock:
                dice.shuffle(thrown)
                stock, thrown = thrown, []
            drawn.append(stock.pop())
        hands[seat - 1] = (*hands[seat - 1], *drawn)
    return Pack(tuple(hands), tuple(stock), tuple(thrown))


# ---- Why a computer player called: codes, for which the page has words --------------------------
# A reason tells how far a player trusts its cards, never the cards themselves, because the others
# at the table read it too.


SURE, LIKELY = 0.75, 0.5
"""Chances to win a lance: from the first a player is sure, from the second it is likely."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a player called something.

    code   what was called: "mus", "cut", "pass", "bet", "raise", "ordago", "accept", "refuse",
           "declare"
    trust  "sure", "likely" or "poor": whether its pair wins the lance; "" before the bets
    deje   stones that a refusal gives, 0 where nothing is refused
    """

    code: str
    trust: str = ""
    deje: int = 0


CODES: dict[type[c.Call], str] = {
    c.Mus: "mus",
    c.Cut: "cut",
    c.Pass: "pass",
    c.Bet: "bet",
    c.Raise: "raise",
    c.Ordago: "ordago",
    c.Accept: "accept",
    c.Refuse: "refuse",
    c.Declare: "declare",
}
"""The kinds of call that are made in a practice game, and what the page calls each."""


def why(sight: Sight, call: c.Call, strength: Strength) -> Reason:
    """Why a player with this sight made a call that it can make."""
    code = CODES[type(call)]
    if sight.state.phase in (*BEFORE_LANCES, *DECLARING):
        return Reason(code)
    chance = wins(sight, strength)
    trust = "sure" if chance >= SURE else "likely" if chance >= LIKELY else "poor"
    pending = sight.state.pending
    return Reason(code, trust, pending.deje if pending else 0)


def declaration(sight: Sight) -> c.Declare:
    """What the cards hold, as it has to be declared: pares, or else juego (R16)."""
    held = value(sight.hand, sight.state.profile)
    holds = held.pares is not None if sight.state.lance is Lance.PARES else held.juego
    return c.Declare(seat=sight.seat, holds=holds)
