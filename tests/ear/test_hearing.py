"""The ear of a table: its model, its grammar of the moment, its endpointing policy."""

from pathlib import Path

import pytest

from assistant.ear import NEARLY, PATIENCE, PAUSE, SETTLED, Partial, Recogniser, pause_by_words
from assistant.ear.audio import RATE, Samples
from assistant.ear.catalogue import SHIPPED, models_dir
from assistant.ear.hearing import (
    attend,
    ear_of,
    open_ear,
    pause_after,
    state_after,
    vocabulary_of,
)
from assistant.ear.second_stage import SecondStage
from assistant.ear.source import BLOCK, Block
from assistant.files.resources import load_lexicon, model_dir
from assistant.files.settings import write_settings
from assistant.language.lexicon import context_of
from assistant.messages import Accepted, Ask, Heard
from assistant.rules import calls as c
from assistant.rules.calls import Ordago
from assistant.rules.engine import apply, decide, open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.table import Table
from tests.ear.conftest import Say, say
from tests.ear.other_models import lacking
from tests.files.test_settings import asked
from tests.lexicons import spanish
from tests.table.sounds import take, words
from tests.tables import each_row

# ---- The models: stand-ins for missing words, and two models that must agree --------------------


__all__ = ["say"]
OTHER = "otro"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


def with_models(used: str, **renamed: str) -> None:
    models_dir().mkdir(parents=True)
    lacking(model_dir(), models_dir() / OTHER, **renamed)
    write_settings({"models": used})


def heard_at_a_table(sound: Samples) -> tuple[list[Heard], list[object]]:
    """What the configured ear hears once the mus is cut, and the outcomes at the table."""
    lexicon = load_lexicon()
    table = Table(lexicon, number(open_game(Profile(), ("N", "O", "S", "E")), 0, at=0.0))
    take(table, Heard(words("no hay mus")))
    ear = open_ear(asked(), lexicon, lambda: table.state)
    found = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        found += ear.feed(Block(samples, (start + len(samples)) / RATE))
    heard = [one for one in [*found, *ear.flush()] if isinstance(one, Heard)]
    return heard, [outcome for one in heard for outcome in take(table, one)]


def _nobody() -> State:
    pytest.fail("nothing was said yet")


def test_one_model_hears_alone(say: Say) -> None:
    assert not open_ear(asked(), load_lexicon(), _nobody).knows_the_table
    ((heard,), (outcome,)) = heard_at_a_table(say(0.5, "órdago", 0.8))
    assert not heard.disputed
    assert isinstance(outcome, Accepted)


def test_a_model_that_lacks_a_word_makes_the_same_call_by_its_stand_in(say: Say) -> None:
    with_models(OTHER, órdago="ordago", hordago="horda")
    ((heard,), (outcome,)) = heard_at_a_table(say(0.5, "órdago", 0.8))
    assert heard.text == "órdago"
    assert isinstance(outcome, Accepted)
    assert outcome.call == Ordago()


def test_an_ordago_on_which_two_models_agree_counts(say: Say) -> None:
    with_models(f"{SHIPPED} {OTHER}", órdago="ordago", hordago="horda")
    (_, (outcome,)) = heard_at_a_table(say(0.5, "órdago", 0.8))
    assert isinstance(outcome, Accepted)


@pytest.mark.parametrize("used", [f"{SHIPPED} {OTHER}", f"{OTHER} {SHIPPED}"])
def test_a_call_on_which_two_models_disagree_is_asked_about(say: Say, used: str) -> None:
    # What sounds like "órdago" is "paso" to the other model, and vice versa.
    with_models(used, órdago="swap", paso="órdago", swap="paso")
    said = "órdago" if used.startswith(SHIPPED) else "paso"
    (_, (outcome,)) = heard_at_a_table(say(0.5, said, 0.8))
    assert outcome == Ask("sure_ordago", (Ordago(),))


def test_a_call_that_is_not_costly_needs_no_second_model(say: Say) -> None:
    with_models(f"{SHIPPED} {OTHER}", envido="swap", paso="envido", swap="paso")
    (_, (outcome,)) = heard_at_a_table(say(0.5, "envido", 0.8))
    assert isinstance(outcome, Accepted)


def test_a_vocabulary_lists_missing_replaced_and_lost_words() -> None:
    with_models(OTHER, órdago="ordago", hordago="horda", mano="mmm")
    found = vocabulary_of(models_dir() / OTHER, load_lexicon())
    assert found.missing == ("mano", "órdago")
    assert found.stand_ins == {"órdago": ("ordago",)}
    assert found.silent == ("mano",)
    assert found.unheard
    assert all("mano" in phrase.split() for phrase in found.unheard)


# ---- Endpointing: how long the ear waits depends on what may follow -----------------------------


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


@each_row(
    "said, text, seconds",
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
def test_the_pause_depends_on_what_may_follow(
    said: tuple[c.Call, ...], text: str, seconds: float
) -> None:
    assert pause_after(load_lexicon(), lambda: _state(*said))(text) == seconds


def test_the_pause_follows_the_table() -> None:
    now = _state(*CUT)
    after = pause_after(load_lexicon(), lambda: now)
    assert after("no quiero") == PAUSE
    now = _state(*CUT, c.Bet())
    assert after("no quiero") == SETTLED


# ---- The grammar follows the table --------------------------------------------------------------


class Attentive(Recogniser):
    """A recogniser that only keeps its settings."""

    def __init__(self) -> None:
        pass


def test_grammar_and_pause_follow_the_table() -> None:
    lexicon, ear, now = load_lexicon(), Attentive(), _state(*CUT)
    attend(ear, lexicon, lambda: now)
    opened = ear.phrases_now()
    assert ear.phrases_now() is opened
    now = _state(*CUT, c.Bet())
    assert ear.phrases_now() is lexicon.grammar(context_of(now))
    assert ear.phrases_now() is not opened
    assert ear.pause_after("no quiero") == SETTLED


def test_players_who_answer_at_once_are_each_heard_at_their_own_moment(say: Say) -> None:
    folder, state = model_dir(None), _state(*CUT)
    ear = ear_of(folder, spanish(), lambda: state, stage=SecondStage.of_model(folder))
    sound = say(0.5, "paso", 0.15, "envido", 0.15, "no quiero", 1.0)
    found: list[Heard | Partial] = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        found += ear.feed(Block(samples, (start + len(samples)) / RATE))
    (heard,) = (one for one in found if isinstance(one, Heard))
    assert heard.narrowed is not None
    said = [" ".join(w.text for w in t.hypotheses[0].words) for t in heard.narrowed.turns]
    assert said == ["paso", "envido", "no quiero"]


@each_row(
    "said, call",
    [
        ("paso", c.Pass()),
        ("envido cinco", c.Bet(stones=5)),
        ("sota", None),  # no call
        ("quiero", None),  # not legal
    ],
)
def test_the_moment_after_a_call_is_the_tables(said: str, call: c.Call | None) -> None:
    before = _state(*CUT)
    after = state_after(words(said), before, spanish())
    assert after == (decide(before, call).state if call else None)
