"""A game for the rule tests: calls with Spanish names, played through ``decide`` and ``apply``."""

from __future__ import annotations

from typing import Self, TypeVar

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import parse_hand
from assistant.rules.changes import apply
from assistant.rules.engine import decide, missing_hands, open_game, to_speak
from assistant.rules.history import Record, fold, number, redo_target, undo_target
from assistant.rules.phases import DECLARING, Lance, Phase
from assistant.rules.profile import Corrido, Penalty, Profile
from assistant.rules.state import State

SEATS = ("Norte", "Oeste", "Sur", "Este")
PLAIN = Profile(corrido=Corrido.OFF, penalty=Penalty.OFF)
"""The default rules without mus corrido and penalties."""
E = TypeVar("E", bound=e.Event)


def mus(seat: int | None = None) -> c.Call:
    return c.Mus(seat=seat)


def corto(seat: int | None = None) -> c.Call:
    return c.Cut(seat=seat)


def paso(seat: int | None = None, lance: Lance | None = None) -> c.Call:
    return c.Pass(seat=seat, lance=lance)


def envido(
    seat: int | None = None, stones: int = 2, lance: Lance | None = None, both: bool = False
) -> c.Call:
    return c.Bet(seat=seat, stones=stones, lance=lance, both=both)


def mas(seat: int | None = None, stones: int = 2) -> c.Call:
    return c.Raise(seat=seat, stones=stones)


def reenvido(seat: int | None = None) -> c.Call:
    return c.Reenvido(seat=seat)


def ordago(seat: int | None = None, lance: Lance | None = None, both: bool = False) -> c.Call:
    return c.Ordago(seat=seat, lance=lance, both=both)


def quiero(seat: int | None = None) -> c.Call:
    return c.Accept(seat=seat)


def no_quiero(seat: int | None = None) -> c.Call:
    return c.Refuse(seat=seat)


def no_queremos(seat: int | None = None) -> c.Call:
    return c.Refuse(seat=seat, plural=True)


def pares(seat: int | None, holds: bool = True) -> c.Call:
    return c.Declare(seat=seat, lance=Lance.PARES, holds=holds)


def juego(seat: int | None, holds: bool = True) -> c.Call:
    return c.Declare(seat=seat, lance=Lance.JUEGO, holds=holds)


def cards(seat: int | None, hand: str) -> c.Call:
    return c.ShowHand(seat=seat, cards=parse_hand(hand))


def nueva_mano(mano: int | None = None) -> c.Call:
    return c.NextDeal(mano=mano)


class Game:
    """A table with its journal in memory. Every method that plays returns the game itself."""

    def __init__(
        self,
        profile: Profile | None = None,
        mano: int | None = 1,
        stones: tuple[int, int] | None = None,
    ) -> None:
        opening = open_game(profile or PLAIN, SEATS, mano)
        self.records: list[Record] = []
        self.last: tuple[e.Event, ...] = ()
        """The events of the last call."""
        self._commit(opening)
        if stones:
            self.say(c.SetStones(stones=stones))

    @property
    def state(self) -> State:
        assert self._state is not None
        return self._state

    @property
    def stones(self) -> tuple[int, ...]:
        return self.state.stones

    @property
    def phase(self) -> Phase:
        return self.state.phase

    def say(self, *calls: c.Call) -> Self:
        """Decide and commit the calls, one batch each."""
        for call in calls:
            self._commit(decide(self.state, call).events)
        return self

    def cut(self) -> Self:
        """Mano cuts the mus: the deal stands at grande."""
        return self.say(corto(self.state.mano))

    def all_pass(self, lances: int = 1) -> Self:
        """Everybody passes, in this many lances."""
        for _ in range(lances):
            lance = self.state.lance
            while self.state.lance is lance and self.phase not in DECLARING:
                self.say(paso(to_speak(self.state)))
        return self

    def declare(self, said: str) -> Self:
        """A whole round of "pares" or "juego", by seat from 1: "sí no sí no"."""
        seats = self.state.order()
        holds = [word == "sí" for word in said.split()]
        return self.say(*(c.Declare(seat=s, holds=holds[s - 1]) for s in seats))

    def to_pares(self, said: str = "sí sí sí sí") -> Self:
        """From the mus to pares, with grande and chica passed."""
        return self.cut().all_pass(2).declare(said)

    def to_juego(self, said: str = "sí sí sí sí") -> Self:
        """From the mus to juego or punto, with grande and chica passed and no pares."""
        return self.to_pares("no no no no").declare(said)

    def show(self, *hands: str) -> Self:
        """Seats 1, 2, ... lay down these cards, as far as the count needs them."""
        for seat, hand in enumerate(hands, start=1):
            if seat in missing_hands(self.state):
                self.say(cards(seat, hand))
        return self

    def undo(self) -> Self:
        target = undo_target(self.records)
        assert target is not None
        return self._retract(target)

    def redo(self) -> Self:
        target = redo_target(self.records)
        assert target is not None
        return self._retract(target)

    def said(self, kind: type[E]) -> list[E]:
        """The events of one kind in the last batch."""
        return [event for event in self.last if isinstance(event, kind)]

    def all(self, kind: type[E]) -> list[E]:
        """All events of one kind so far."""
        return [r.event for r in self.records if isinstance(r.event, kind)]

    def won(self) -> list[tuple[str, int, str, str]]:
        """The stones won in the last batch: side, how many, lance, why."""
        return [(x.side, x.stones, x.lance.value, x.why.value) for x in self.said(e.StonesWon)]

    def replace(self, *events: e.Event) -> Self:
        """Commit one batch that retracts calls and makes others in their place."""
        self.last = events
        self.records.extend(number(events, len(self.records), at=0.0))
        self._state = fold(self.records)
        return self

    def _commit(self, events: tuple[e.Event, ...]) -> Self:
        self.last = events
        self.records.extend(number(events, len(self.records), at=0.0))
        state: State | None = None if len(self.records) == len(events) else self.state
        for event in events:
            state = apply(state, event)
        self._state = state
        return self

    def _retract(self, seq: int) -> Self:
        self.last = (e.Retracted(seq),)
        self.records.extend(number(self.last, len(self.records), at=0.0))
        self._state = fold(self.records)
        return self
