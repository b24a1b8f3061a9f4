"""Moments of decision out of juegos between computer players, with what happened in the deal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from assistant.rules import calls as c
from assistant.rules.engine import decide, open_game
from assistant.rules.events import Event
from assistant.rules.history import fold, number
from assistant.rules.phases import BEFORE_LANCES, BETTING, Phase
from assistant.rules.state import State
from assistant.school.players import Novice, Sight, sight_of
from assistant.school.players.thinker import Temper
from assistant.school.practice import changed, dealt
from scripts.lab.playing.juego import FORTY_STONES, SEATS, next_call
from scripts.lab.playing.matches import cautious, thinker


@dataclass(frozen=True)
class Moment:
    """One seat's sight, and the deal's calls before it with the state before each."""

    sight: Sight
    calls: tuple[tuple[State, c.Call], ...]


@lru_cache
def moments(seed: int) -> tuple[Moment, ...]:
    """Every call of a juego, before it is made."""
    return tuple(_played(seed))


def _played(seed: int) -> Iterator[Moment]:
    dice = random.Random(seed)
    bold = Temper(bluff=0.3)
    players = [cautious(seed), thinker(bold, seed), cautious(seed + 1), Novice()]
    state = fold(number(open_game(FORTY_STONES, SEATS, seed % 4 + 1), 0, 0.0))
    assert state is not None
    pack, events, calls = dealt(dice), list[Event](), list[tuple[State, c.Call]]()
    while state.phase is not Phase.OVER:
        call = next_call(state, players, pack, events)
        if call.seat and state.phase in (*BEFORE_LANCES, *BETTING):
            sight = sight_of(state, call.seat, pack.hand(call.seat), events=events)
            yield Moment(sight, tuple(calls))
            calls.append((state, call))
        decided = decide(state, call)
        before, state = state, decided.state
        events += decided.events
        if state.deal != before.deal:
            pack, events, calls = dealt(dice), [], []
        elif state.discards != before.discards:
            thrown = {
                seat: players[seat - 1].discard(sight_of(state, seat, pack.hand(seat)))
                for seat in state.order()
            }
            pack = changed(pack, thrown, state.order(), dice)
