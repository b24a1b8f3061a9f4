"""A juego between computer players, with cards, discards and the real rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.players import Player, sight_of
from assistant.rules import calls as c
from assistant.rules.cards import HAND_SIZE, Card, Hand, Rank, Suit
from assistant.rules.engine import apply, decide, missing_hands, open_game, to_speak
from assistant.rules.events import Event
from assistant.rules.hands import value
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State

SEATS = ("Norte", "Oeste", "Sur", "Este")
DECK = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
LONGEST = 5000
"""Calls after which a juego is taken to be stuck."""


class StuckError(Exception):
    """Nobody can go on, or nobody ends it."""


@dataclass(frozen=True, slots=True)
class Juego:
    """How a juego ended: the side that won it, and how many deals and calls it took."""

    side: str
    deals: int
    calls: int


class Cards:
    """The pack: what lies in hands, what can still be drawn, and what was thrown."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self.hands: list[Hand] = []

    def deal(self) -> None:
        """Four cards each, of all forty."""
        self._stock = list(DECK)
        self._dice.shuffle(self._stock)
        self._thrown: list[Card] = []
        self.hands = [self._draw(HAND_SIZE) for _ in SEATS]

    def change(self, seat: int, places: Sequence[int]) -> None:
        """Throw some cards and draw as many; what was thrown is shuffled where none are left."""
        hand = self.hands[seat - 1]
        kept = tuple(card for place, card in enumerate(hand) if place not in places)
        drawn = self._draw(HAND_SIZE - len(kept))
        self._thrown += [card for card in hand if card not in kept]
        self.hands[seat - 1] = kept + drawn

    def _draw(self, count: int) -> Hand:
        if len(self._stock) < count:
            self._dice.shuffle(self._thrown)
            self._stock, self._thrown = self._thrown + self._stock, []
        return tuple(self._stock.pop() for _ in range(count))


def play(players: Sequence[Player], seed: int, mano: int = 1) -> Juego:
    """Play one juego, to 40 stones, the same for the same seed. Raises StuckError."""
    cards = Cards(random.Random(seed))
    state = _after(None, open_game(Profile(juegos=1), SEATS, mano))
    cards.deal()
    for calls in range(LONGEST):
        if state.phase is Phase.OVER:
            assert state.winner is not None
            return Juego(state.winner, state.deal, calls)
        before, state = state, _after(state, decide(state, _next(state, players, cards)))
        if state.deal != before.deal:
            cards.deal()
        elif state.discards != before.discards:
            for seat in state.order():
                sight = sight_of(state, seat, cards.hands[seat - 1])
                cards.change(seat, players[seat - 1].discard(sight))
    raise StuckError(f"juego {seed} does not end")


def _next(state: State, players: Sequence[Player], cards: Cards) -> c.Call:
    """What is said or shown now."""
    if state.phase is Phase.COUNT:
        return c.NextDeal()
    seat = to_speak(state)
    if seat is None and state.proposals:
        return c.Verdict(apply=False)  # as among friends
    if seat is None:
        raise StuckError(f"nobody is to speak in {state.phase}")
    hand = cards.hands[seat - 1]
    if state.phase is Phase.SHOWDOWN:
        seat = missing_hands(state)[0]
        return c.ShowHand(seat=seat, cards=cards.hands[seat - 1])
    if state.phase in DECLARING:
        held = value(hand, state.profile)
        holds = held.pares is not None if state.lance is Lance.PARES else held.juego
        return c.Declare(seat=seat, holds=holds)
    return players[seat - 1].call(sight_of(state, seat, hand))


def _after(state: State | None, events: Sequence[Event]) -> State:
    for event in events:
        state = apply(state, event)
    assert state is not None
    return state
