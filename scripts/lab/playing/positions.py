"""Decisions out of whole juegos, each with all that its player had seen of the deal."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.rules import calls as c
from assistant.rules.engine import decide, open_game
from assistant.rules.events import Event
from assistant.rules.phases import BEFORE_LANCES, BETTING, Phase
from assistant.rules.state import State
from assistant.school.players import Player, Sight, sight_of
from assistant.school.practice import changed, dealt
from scripts.lab.playing.juego import FORTY_STONES, SEATS, _after, next_call
from scripts.lab.selfplay.reference import Past

MUS, THROW, OPENING, ANSWER = "mus", "throw", "opening", "answer"
KINDS = (MUS, THROW, OPENING, ANSWER)


@dataclass(frozen=True)
class Position:
    """A moment at which a player decides. ``said``: his call; None if he threw cards."""

    kind: str
    sight: Sight
    past: Past
    said: c.Call | None


def positions(players: Sequence[Player], seed: int) -> Iterator[Position]:
    """Every decision of a juego."""
    dice = random.Random(seed)
    state = _after(None, open_game(FORTY_STONES, SEATS, seed % 4 + 1))
    deal = _Deal(dice)
    while state.phase is not Phase.OVER:
        call = next_call(state, players, deal.pack, deal.events)
        if call.seat and state.phase in (*BEFORE_LANCES, *BETTING):
            sight = sight_of(state, call.seat, deal.pack.hand(call.seat), events=deal.events)
            kind = ANSWER if state.pending else MUS if state.phase in BEFORE_LANCES else OPENING
            yield Position(kind, sight, deal.past(call.seat), call)
            deal.calls.append((state, call))
        decided = decide(state, call)
        before, state = state, decided.state
        deal.events += decided.events
        if state.deal != before.deal:
            deal = _Deal(dice)
        elif state.discards != before.discards:
            yield from deal.change(state, players)


class _Deal:
    """The cards of a deal, and all that was said in it."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.pack = dealt(dice)
        self.calls: list[tuple[State, c.Call]] = []
        self.events: list[Event] = []
        self._packs = [self.pack]
        self._thrown: list[dict[int, tuple[int, ...]]] = []

    def past(self, seat: int) -> Past:
        return Past(
            seat,
            tuple(self.calls),
            tuple(pack.hand(seat) for pack in self._packs),
            tuple(tuple(len(one[s]) for s in range(1, 5)) for one in self._thrown),
            tuple(one[seat] for one in self._thrown),
        )

    def change(self, state: State, players: Sequence[Player]) -> Iterator[Position]:
        thrown = {}
        for seat in state.order():
            sight = sight_of(state, seat, self.pack.hand(seat), events=self.events)
            yield Position(THROW, sight, self.past(seat), None)
            thrown[seat] = players[seat - 1].discard(sight)
        self.pack = changed(self.pack, thrown, state.order(), self.dice)
        self._packs.append(self.pack)
        self._thrown.append(thrown)
