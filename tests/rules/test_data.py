"""The data classes of the rules: frozen, with fixed words and defaults that mean "no"."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

import assistant.rules
from assistant.rules import calls as c
from assistant.rules import engine
from assistant.rules import events as e
from assistant.rules.cards import Rank, Suit
from assistant.rules.engine import apply, decide, open_game
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.hands import HandValue
from assistant.rules.history import number
from assistant.rules.phases import Lance, Phase, Trigger
from assistant.rules.profile import Profile
from assistant.rules.state import NO_INCIDENTS, State, once_a_state


def kinds(base: type) -> list[Any]:
    """The subclasses of a base class that the modules of the rules define."""
    names = [f"assistant.rules.{m.name}" for m in pkgutil.iter_modules(assistant.rules.__path__)]
    found = [
        kind
        for name in names
        for kind in vars(importlib.import_module(name)).values()
        if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == name
    ]
    return list(dict.fromkeys(found))


DATA = [kind for kind in kinds(object) if is_dataclass(kind)]
WORDS = [kind for kind in kinds(StrEnum) if kind not in (Rank, Suit)]
OWN_WORDS = {
    Phase.PARES_SAY: "pares?",
    Phase.JUEGO_SAY: "juego?",
    Trigger.RERAISED_PUNTO: "reraised punto",
}
SAYS: dict[tuple[type, str], object] = {
    (c.Bet, "stones"): 2,  # "envido" is two (R21)
    (c.Raise, "stones"): 2,  # "y yo"
    (c.CorrectBet, "stones"): 2,  # "la grande era envido"
    (c.Declare, "holds"): True,  # "pares"
    (c.Report, "kind"): e.Irregularity.EXPOSED_CARD,  # "mus visto"
    (c.Place, "told"): c.Where.LANCE,  # "estamos en pares"
    (c.Verdict, "apply"): True,
    (e.GameOpened, "sides"): 2,
    (State, "mano"): 1,
    (State, "dealt_mano"): 1,
    (State, "phase"): Phase.COUNT,  # the next phase is a new deal
    (State, "incidents"): NO_INCIDENTS,
}
"""The defaults that are not empty, zero or false."""


def test_the_list_of_rule_modules_is_complete_and_finds_calls_and_events() -> None:
    assert {c.Bet, e.BetMade, State, HandValue, Profile} <= {*DATA}
    assert {c.Call, e.Event} <= {*DATA}  # the base classes of the rest
    assert {e.Why, Phase} <= {*WORDS}


def test_every_data_class_of_the_rules_is_frozen() -> None:
    made = {kind: vars(kind).get("__dataclass_params__") for kind in DATA}
    assert [kind for kind, how in made.items() if how is None or not how.frozen] == []


def test_every_enum_value_is_its_lower_case_name() -> None:
    """The values are stored in journals, scripts and phrase files, so nobody may change one."""
    words = [word for kind in WORDS for word in kind]
    assert {w: w.value for w in words if w.value != w.name.lower()} == OWN_WORDS


def test_a_field_that_is_left_out_means_no() -> None:
    defaults = {
        (kind, field.name): field.default
        for kind in DATA
        for field in fields(kind)
        if kind is not Profile and field.default is not MISSING
    }
    assert {field: said for field, said in defaults.items() if said} == SAYS


def test_a_call_takes_its_subject_by_position_and_its_speaker_by_name() -> None:
    assert c.Bet(5, seat=3) == c.Bet(stones=5, seat=3, lance=None)
    with pytest.raises(TypeError):
        c.Mus(1)  # type: ignore[call-arg]


def test_an_event_whose_stored_form_has_changed_has_a_version() -> None:
    assert {kind: kind.VERSION for kind in e.EVENTS if kind.VERSION != 1} == {e.GameOpened: 2}
    assert e.Event.VERSION == 1


def test_a_journal_says_by_the_same_word_that_a_voice_named_the_seat() -> None:
    assert e.VOICE == "voice"


def test_every_event_is_listed_once_and_the_base_class_is_not() -> None:
    assert set(e.EVENTS) == {kind for kind in kinds(e.Event) if kind is not e.Event}
    assert len(e.EVENTS) == len(set(e.EVENTS))


def test_the_engine_exports_what_other_rooms_import_from_it() -> None:
    """Some of it is defined in other modules, and nobody has to know in which."""
    checkout = Path(__file__).parents[2]
    taken: set[str] = set()
    for file in (
        file for room in ("assistant", "tests") for file in (checkout / room).rglob("*.py")
    ):
        text = file.read_text("utf-8")
        if engine.__name__ in text:
            taken |= {
                alias.name
                for node in ast.walk(ast.parse(text))
                if isinstance(node, ast.ImportFrom) and node.module == engine.__name__
                for alias in node.names
            }
    assert taken == set(engine.__all__)


def test_a_kept_event_is_made_once_and_equals_a_new_one() -> None:
    kept = e.kept(e.Passed, 1, Lance.CHICA, implied=True)
    assert kept == e.Passed(1, Lance.CHICA, implied=True)
    assert kept is e.kept(e.Passed, 1, Lance.CHICA, implied=True)
    assert e.kept(e.LanceOpened, Lance.PARES) == e.LanceOpened(Lance.PARES)


def test_what_is_kept_for_a_state_is_worked_out_once_and_anew_for_another_state() -> None:
    asked: list[State] = []

    @once_a_state
    def deal(state: State) -> int:
        asked.append(state)
        return state.deal

    first = apply(None, open_game(Profile(), ("Ana", "Beto"))[0])
    second = apply(first, e.DealStarted(1, 1))
    assert [deal(first), deal(first), deal(second), deal(second), deal(first)] == [0, 0, 1, 1, 0]
    assert asked == [first, second, first]


def test_a_record_and_a_decision_cannot_be_changed() -> None:
    opened = open_game(Profile(), ("Norte", "Sur"))
    (record, *_) = number(opened, after=0, at=0.0)
    decided = decide(apply(apply(None, opened[0]), opened[1]), c.Mus(seat=1))
    for row in (record, decided):
        for name in row._fields:
            with pytest.raises(AttributeError):
                setattr(row, name, None)


def test_a_refused_call_carries_what_its_sentence_needs() -> None:
    call = c.Pass(seat=1)
    error = IllegalCall("not_now", "Not now.", call, phase="mus")
    assert (error.code, str(error), error.call) == ("not_now", "Not now.", call)
    assert error.params == {"phase": "mus"}


def test_a_question_carries_its_answers_and_what_its_sentence_needs() -> None:
    call, options = c.Bet(seat=1), (c.Raise(seat=1),)
    error = AmbiguousCall("bare_raise", "By or to?", call, options, stones=5)
    assert (error.code, str(error), error.call) == ("bare_raise", "By or to?", call)
    assert (error.options, error.params) == (options, {"stones": 5})
    assert AmbiguousCall("who", "Who?").options == ()
