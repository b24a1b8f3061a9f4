"""A game written as a script plays to the same events: a fixed point."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from assistant.app.resources import load_lexicon
from assistant.app.score import play_script
from assistant.lexicon import Lexicon
from assistant.rules.calls import Call, Declare, NextDeal, ShowHand
from assistant.rules.cards import DECK, Card
from assistant.rules.engine import apply, decide, legal_calls, missing_hands, open_game, to_speak
from assistant.rules.errors import CallError
from assistant.rules.history import Record, fold, number
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile, Real31
from assistant.rules.state import State
from assistant.script import parse_script, write_script

NAMES = ("Norte", "Oeste", "Sur", "Este")


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def random_game(seed: int, calls: int) -> list[Record]:
    """A game of so many calls, some of them by nobody knows whom."""
    rng = random.Random(seed)
    profile = Profile(kings=rng.choice((4, 8)), target=30, juegos=2, real31=Real31.SOTA)
    records = list(number(open_game(profile, NAMES, rng.randint(1, 4)), 0, at=0.0))
    state = fold(records)
    assert state is not None
    deck = list(DECK)
    for _ in range(calls):
        if state.phase is Phase.OVER:
            break
        if state.phase is Phase.COUNT:
            rng.shuffle(deck)
        call = _call(rng, state, deck)
        try:
            events = decide(state, call)
        except CallError:
            continue  # unknown speakers make some calls ambiguous
        records.extend(number(events, records[-1].seq, at=0.0))
        for event in events:
            state = apply(state, event)
    return records


def _call(rng: random.Random, state: State, deck: list[Card]) -> Call:
    if missing := missing_hands(state):
        seat = missing[0]
        return ShowHand(seat=seat, cards=tuple(deck[seat * 4 : seat * 4 + 4]))
    if state.phase is Phase.COUNT:
        return NextDeal()
    # Corrections of a denial ("perdón, pares sí") need their lance named by the one who denied.
    calls = [
        call
        for call in legal_calls(state)
        if not (isinstance(call, Declare) and call.seat != to_speak(state))
    ]
    mine = [call for call in calls if call.seat == to_speak(state)] or calls
    call = rng.choice(mine if rng.random() < 0.7 else calls)
    return replace(call, seat=None) if rng.random() < 0.3 else call


@pytest.mark.parametrize("seed", range(60))
def test_a_written_game_plays_to_the_same_events(lexicon: Lexicon, seed: int) -> None:
    records = random_game(seed, calls=120)
    text = write_script(records)
    play = play_script(parse_script(text), lexicon)
    assert play.failure is None, f"{play.failure}\n{text}"
    assert [r.event for r in play.table.records] == [r.event for r in records], text
    assert write_script(play.table.records) == text
