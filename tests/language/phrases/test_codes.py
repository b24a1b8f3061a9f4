"""Every code of a refused or ignored call has a sentence."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.language.lexicon.hearing import TalkReason
from assistant.language.phrases.keys import SHAPE
from assistant.rules.legal import MESSAGES
from tests.tables import each_row

CARRIERS = {
    *("IllegalCall", "AmbiguousCall", "UnknownCall"),
    *("Refused", "Ask", "Ignored", "_refuse"),
}

PROMISED = """
    not_now no_bet own_bet already_spoken already_refused no_pares no_juego declare_first min_bet
    too_much raise_after_ordago cards_wrong cards_missing game_over seat_unknown bare_raise reenvido
    no_quereis change_of_mind old_page undo_breaks paused
""".split()

SPARE = """
    not_this_deal redeal_asked same_mano
    not_your_lance later_lance table_talk unknown undo_nothing redo_nothing other
""".split()
"""Sentences for codes that no source contains: computed, a last resort, or not raised yet.

Every other sentence must belong to a code that is raised; otherwise nobody would ever hear it.
"""


def codes_in(source: str) -> Iterator[str]:
    """The codes in the source where an error or an outcome is made."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _name(node.func) in CARRIERS:
            given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "code")]
            for value in given:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def without_sentence(codes: set[str]) -> set[str]:
    return {code for code in codes if f"reason.{code}" not in SHAPE}


@pytest.fixture(scope="module")
def codes(checkout: Path) -> set[str]:
    """The codes in the source of all modules of the assistant."""
    sources = sorted((checkout / "assistant").rglob("*.py"))
    return {code for path in sources for code in codes_in(path.read_text("utf-8"))}


def test_every_code_in_the_source_has_a_sentence(codes: set[str]) -> None:
    assert "old_page" in codes, "the codes of the table were not found where they are raised"
    assert without_sentence(codes) == set()


def test_every_sentence_belongs_to_a_code_that_can_occur(codes: set[str]) -> None:
    raised = codes | set(MESSAGES) | set(TalkReason)
    told = {key.removeprefix("reason.") for key in SHAPE if key.startswith("reason.")}
    assert told - raised <= set(SPARE)


def test_every_reason_of_the_rules_has_a_sentence() -> None:
    assert without_sentence(set(MESSAGES)) == set()


def test_every_reason_of_the_lexicon_has_a_sentence() -> None:
    assert without_sentence(set(TalkReason)) == set()


def test_every_promised_code_has_a_sentence() -> None:
    assert without_sentence({*PROMISED, *SPARE}) == set()


@each_row(
    "source, codes",
    [
        ('raise IllegalCall("a", "text", call)', {"a"}),
        ('raise errors.AmbiguousCall("a", "text")', {"a"}),
        ('x = Refused(code="a")', {"a"}),
        ("x = Ignored(reading.why)", set()),
        ('print("a")', set()),
    ],
)
def test_codes_in_returns_the_code_of_each_error_and_outcome(source: str, codes: set[str]) -> None:
    assert set(codes_in(source)) == codes


def test_a_code_without_a_sentence_is_noticed() -> None:
    assert without_sentence({"not_now", "of_tomorrow"}) == {"of_tomorrow"}
