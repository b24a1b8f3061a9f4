"""How long the ear waits: by what may follow at this moment of the deal."""

import pytest

from assistant.ear import NEARLY, PATIENCE, PAUSE, SETTLED, pause_by_words
from assistant.ear.hearing import pause_after
from assistant.files.resources import load_lexicon
from assistant.rules import calls as c
from assistant.rules.engine import apply, decide, open_game
from assistant.rules.profile import Profile
from assistant.rules.state import State

CUT = (c.Cut(),)
DECLARING = (*CUT, *(c.Pass(),) * 8)


def _state(*said: c.Call) -> State:
    state: State | None = None
    for event in open_game(Profile(), ("N", "O", "S", "E")):
        state = apply(state, event)
    assert state is not None
    for call in said:
        state = decide(state, call).state
    return state


@pytest.mark.parametrize(
    ("said", "text", "seconds"),
    [
        ((), "no hay mus", SETTLED),
        (CUT, "paso", NEARLY),
        (CUT, "envido", PAUSE),
        ((*CUT, c.Bet()), "no quiero", SETTLED),
        ((*CUT, c.Bet()), "no", pause_by_words("no")),
        ((*CUT, c.Bet()), "no lo", PATIENCE),
        ((), "no hay", PATIENCE),
        (CUT, "corrige", PATIENCE),
        (DECLARING, "no", PAUSE),
        (DECLARING, "pares no", SETTLED),
    ],
)
def test_the_pause_is_as_long_as_what_may_follow_asks_for(
    said: tuple[c.Call, ...], text: str, seconds: float
) -> None:
    assert pause_after(load_lexicon(), lambda: _state(*said))(text) == seconds


def test_the_pause_follows_the_table_as_it_is_now() -> None:
    now = _state(*CUT)
    after = pause_after(load_lexicon(), lambda: now)
    assert after("no quiero") == PAUSE
    now = _state(*CUT, c.Bet())
    assert after("no quiero") == SETTLED
