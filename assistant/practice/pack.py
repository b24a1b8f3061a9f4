"""The virtual pack: what lies in hands, what can still be drawn, and what was thrown.

A pack never changes; so a discard that is taken back finds the cards as they were.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.rules.cards import HAND_SIZE, Card, Hand, Rank, Suit

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
