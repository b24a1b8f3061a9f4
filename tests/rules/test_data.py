"""What the rules pass about: nothing changes it, its words are fixed, what it leaves out is no."""

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
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.hands import HandValue
from assistant.rules.phases import Phase, Trigger
from assistant.rules.profile import Profile
from assistant.rules.state import NO_INCIDENTS, State


def kinds(base: type) -> list[Any]:
    """The classes of a kind that the modules of the rules define."""
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
    (State, "phase"): Phase.COUNT,  # what comes next is a deal
    (State, "incidents"): NO_INCIDENTS,
}
"""What a class takes for granted, where that is more than nothing."""


def test_the_rules_are_looked_through() -> None:
    assert {c.Bet, e.BetMade, State, HandValue, Profile} <= {*DATA}
    assert {c.Call, e.Event} <= {*DATA}  # what all of them are
    assert {e.Why, Phase} <= {*WORDS}


def test_nothing_that_is_passed_about_can_be_changed() -> None:
    made = {kind: vars(kind).get("__dataclass_params__") for kind in DATA}
    assert [kind for kind, how in made.items() if how is None or not how.frozen] == []


def test_a_word_of_journals_scripts_and_phrases_is_its_name() -> None:
    """They are on disk and in files of phrases: a word is not changed by the way."""
    words = [word for kind in WORDS for word in kind]
    assert {w: w.value for w in words if w.value != w.name.lower()} == OWN_WORDS


def test_what_is_left_out_is_not_so() -> None:
    defaults = {
        (kind, field.name): field.default
        for kind in DATA
        for field in fields(kind)
        if kind is not Profile and field.default is not MISSING
    }
    assert {field: said for field, said in defaults.items() if said} == SAYS


def test_what_a_call_is_about_comes_first_and_who_says_it_by_name() -> None:
    assert c.Bet(5, seat=3) == c.Bet(stones=5, seat=3, lance=None)
    with pytest.raises(TypeError):
        c.Mus(1)  # type: ignore[call-arg]


def test_an_event_that_older_journals_hold_in_another_form_has_a_version() -> None:
    assert {kind: kind.VERSION for kind in e.EVENTS if kind.VERSION != 1} == {e.GameOpened: 2}
    assert e.Event.VERSION == 1


def test_every_event_is_listed_once_and_its_base_is_none() -> None:
    assert set(e.EVENTS) == {kind for kind in kinds(e.Event) if kind is not e.Event}
    assert len(e.EVENTS) == len(set(e.EVENTS))


def test_the_door_of_the_rules_offers_what_is_taken_there() -> None:
    """Some of it is made behind the door; nobody has to know where."""
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


def test_a_refused_call_comes_with_what_the_sentence_needs() -> None:
    call = c.Pass(seat=1)
    error = IllegalCall("not_now", "Not now.", call, phase="mus")
    assert (error.code, str(error), error.call) == ("not_now", "Not now.", call)
    assert error.params == {"phase": "mus"}


def test_a_question_comes_with_its_answers_and_with_what_the_sentence_needs() -> None:
    call, options = c.Bet(seat=1), (c.Raise(seat=1),)
    error = AmbiguousCall("bare_raise", "By or to?", call, options, stones=5)
    assert (error.code, str(error), error.call) == ("bare_raise", "By or to?", call)
    assert (error.options, error.params) == (options, {"stones": 5})
    assert AmbiguousCall("who", "Who?").options == ()
