"""A juego between computer players, with cards, discards and the real rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.rules import calls as c
from assistant.rules.engine import apply, decide, missing_hands, open_game, to_speak
from assistant.rules.events import Event
from assistant.rules.history import Record, number
from assistant.rules.phases import DECLARING, Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.school.players import Player, sight_of
from assistant.school.practice import Pack, changed, dealt
from assistant.school.practice.reasons import declaration

SEATS = ("Norte", "Oeste", "Sur", "Este")
FORTY_STONES = Profile(juegos=1)
BEGAN = 1_790_000_000.0
"""Unix seconds at which a recorded juego began."""
LONGEST = 2000
"""Calls after which a deal counts as stuck. Two players who raise stone by stone to 200 need
400."""


class StuckError(Exception):
    """Nobody can go on, or the juego does not end."""


@dataclass(frozen=True, slots=True)
class Juego:
    """The end of a juego: the side that won it, and the number of deals and calls."""

    side: str
    deals: int
    calls: int


def play(
    players: Sequence[Player], seed: int, mano: int = 1, profile: Profile = FORTY_STONES
) -> Juego:
    """Play one juego. The same seed gives the same juego. Raises StuckError."""
    tables = [table for table, _ in moves(players, seed, mano, profile=profile)]
    winner = tables[-1].winner
    assert winner is not None
    return Juego(winner, tables[-1].deal, len(tables) - 1)  # opening the game is no call


def recorded(
    players: Sequence[Player], seed: int, mano: int = 1, seats: tuple[str, ...] = SEATS
) -> list[Record]:
    """The same juego as a journal keeps it, with a call every two seconds. Raises StuckError."""
    records: list[Record] = []
    for _, events in moves(players, seed, mano, seats):
        records += number(events, len(records), BEGAN + 2.0 * len(records))
    return records


def moves(
    players: Sequence[Player],
    seed: int,
    mano: int = 1,
    seats: tuple[str, ...] = SEATS,
    profile: Profile = FORTY_STONES,
    given: tuple[int, ...] = (),
) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Each call's events and the state after them, until somebody has won. Raises StuckError."""
    dice = random.Random(seed)
    events = open_game(profile, seats, mano, given)
    state = _after(None, events)
    yield state, events
    pack, calls, happened = dealt(dice), 0, list[Event]()
    while calls < LONGEST:
        if state.phase is Phase.OVER:
            return
        decision = decide(state, next_call(state, players, pack, happened))
        before, state = state, decision.state
        yield state, decision.events
        calls += 1
        happened += decision.events
        if state.deal != before.deal:
            pack, calls, happened = dealt(dice), 0, []
        elif state.discards != before.discards:
            thrown = {
                seat: players[seat - 1].discard(sight_of(state, seat, pack.hand(seat)))
                for seat in state.order()
            }
            pack = changed(pack, thrown, state.order(), dice)
    raise StuckError(f"juego {seed} does not end")


def next_call(
    state: State, players: Sequence[Player], pack: Pack, events: Sequence[Event] = ()
) -> c.Call:
    """The next thing that is said or shown; ``events``: of the deal so far. Raises StuckError."""
    if state.phase is Phase.COUNT:
        return c.NextDeal()
    seat = to_speak(state)
    if seat is None and state.proposals:
        return c.Verdict(apply=False)  # as among friends
    if seat is None:
        raise StuckError(f"nobody is to speak in {state.phase}")
    if state.phase is Phase.SHOWDOWN:
        seat = missing_hands(state)[0]
        return c.ShowHand(seat=seat, cards=pack.hand(seat))
    sight = sight_of(state, seat, pack.hand(seat), events=events)
    if state.phase in DECLARING:
        return declaration(sight)
    return players[seat - 1].call(sight)


def _after(state: State | None, events: Sequence[Event]) -> State:
    for event in events:
        state = apply(state, event)
    assert state is not None
    return state
