"""Refusals: each has a sentence in every language, filled from the facts that it carries."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from assistant.files.resources import load_texts
from assistant.hall.page_tournaments import refusal
from assistant.hall.tournament import TournamentError, act_from_dict
from assistant.hall.tournament.errors import SENTENCES
from assistant.language.sentences import flatten, shape_of
from assistant.messages.codec import CodecError
from tests.tables import each_row

ROOT = Path(__file__).parents[3]
RAISED = {"TournamentError", "NoTournamentError", "SheetError"}
ABOUT = {"check_text": 1, "check_within": 3}
"""Checks that take the name of the checked value, with the position of that argument."""
MEANT = {"thing": "what", "n": "wanted", "because": "error"}
"""Placeholders that the page computes from another fact."""
SITES = [
    *(ROOT / "assistant" / "hall" / "tournament").glob("*.py"),
    *(ROOT / "assistant" / "hall" / "hub").glob("*.py"),
]


@cache
def calls() -> tuple[ast.Call, ...]:
    return tuple(
        [
            node
            for path in SITES
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
    )


def raised() -> Iterator[tuple[str, set[str] | None]]:
    """The codes that are raised, each with the names of its facts; None where they are computed."""
    for call in calls():
        assert isinstance(call.func, ast.Name)
        if call.func.id not in RAISED:
            continue
        names = {keyword.arg for keyword in call.keywords}
        facts = None if None in names else {name for name in names if name}
        for constant in ast.walk(call.args[0]):
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                yield constant.value, facts


def needed(code: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(SENTENCES[code]) if name}


def sentences(language: str) -> dict[str, set[str]]:
    """The page's sentences in a language: code -> the placeholders of its sentence."""
    found: dict[str, set[str]] = {}
    for key, words in shape_of(flatten(load_texts("page/refusals", language)["why"])).items():
        found.setdefault(key.partition(".")[0], set()).update(words.split())
    return found


def test_every_code_is_raised_with_the_facts_of_its_sentence() -> None:
    found = list(raised())
    assert {code for code, _ in found} == set(SENTENCES)
    assert [(c, f) for c, f in found if f is not None and f != needed(c)] == []


@each_row("language", ["es", "eu"])
def test_the_page_has_a_sentence_for_every_code_with_known_placeholders(language: str) -> None:
    said = sentences(language)
    assert set(said) == set(SENTENCES)
    for code, words in said.items():
        assert {MEANT.get(word, word) for word in words} <= needed(code), code


@each_row("language", ["es", "eu"])
def test_the_page_has_words_for_everything_that_can_be_missing_or_out_of_range(
    language: str,
) -> None:
    known = set(load_texts("page/refusals", language)["what"])
    told = set()
    for call in calls():
        assert isinstance(call.func, ast.Name)
        if (place := ABOUT.get(call.func.id)) and len(call.args) > place:
            told.add(ast.literal_eval(call.args[place]))
    assert len(told) > 15
    assert told == known


def test_a_refusal_carries_the_facts_it_depends_on() -> None:
    asked = {"type": "Opened", "v": 1, "name": " ", "format": "robin", "options": {}, "by": "Eva"}
    with pytest.raises(CodecError) as nameless:
        act_from_dict(asked)
    facts = {"what": "The tournament's name"}
    assert refusal(nameless.value) == {"code": "missing", "facts": facts}
    with pytest.raises(CodecError) as long:
        act_from_dict({**asked, "name": "San Blas", "options": {"juegos": 99}})
    assert refusal(long.value)["code"] == "out_of_span"
    line = TournamentError("in_line", line=3, error="x")
    line.__cause__ = TournamentError("no_pair", pair=7)
    assert refusal(line)["because"] == {"code": "no_pair", "facts": {"pair": 7}}
    assert refusal(ValueError("other")) == {}
