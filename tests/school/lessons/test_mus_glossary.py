"""The glossary: at least sixty words, each explained, with no broken reference."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from assistant.school.lessons import (
    GlossaryError,
    Term,
    found_in,
    glossary_from,
)
from assistant.school.lessons.mus_glossary import load_glossary
from tests.tables import each_row


def test_there_are_at_least_sixty_words_in_alphabetical_order() -> None:
    terms = load_glossary("es")
    assert len(terms) >= 60
    assert {"deje", "órdago", "amarraco", "postre", "mus corrido"} <= {term.name for term in terms}
    assert [term.name for term in terms].index("órdago") < [t.name for t in terms].index("paso")


def test_every_entry_names_its_row_of_the_rules(checkout: Path) -> None:
    lines = (checkout / "models/glossary.toml").read_text("utf-8").splitlines()
    entries = [n for n, line in enumerate(lines) if re.match(r"\w+ = ", line)]
    assert len(entries) >= 60
    assert all(re.match(r"# R[0-6]\d", lines[n - 1]) for n in entries)


def test_every_entry_is_one_or_two_sentences() -> None:
    for term in load_glossary("es"):
        assert term.means.endswith((".", "!")), term.name
        assert len(term.means) <= 200, term.name


def test_a_word_is_found_by_its_name_by_a_part_of_it_or_by_its_meaning() -> None:
    terms = (
        Term("órdago", "Todo a un lance."),
        Term("hor dago", "Ahí está."),
        Term("a", "Órdago."),
    )
    assert found_in(terms, "ordago") == terms[:1]
    assert found_in(terms, "dago") == terms[:2]
    assert found_in(terms, "LANCE") == terms[:1]
    assert found_in(terms, "paella") == ()


@each_row(
    "entries, texts, why",
    [
        ({}, {}, "entries"),
        ({"a": []}, {"a.term": "a"}, "a needs means"),
        ({"a": []}, {"a.term": "a", "a.means": "b", "c.term": "c"}, "c is no entry"),
        ({"a": 3}, {"a.term": "a", "a.means": "b"}, "a: write a list"),
        ({"a": ["c"]}, {"a.term": "a", "a.means": "b"}, "'c', which is no entry"),
        (
            {"a": [], "b": []},
            {"a.term": "a", "a.means": "b", "b.term": "A", "b.means": "c"},
            "twice",
        ),
    ],
)
def test_a_broken_glossary_is_refused_with_its_entry(
    entries: dict[str, Any], texts: dict[str, str], why: str
) -> None:
    with pytest.raises(GlossaryError, match=why):
        glossary_from(entries, texts)


def test_an_entry_is_read_aloud_with_its_saying_and_names_others_in_its_language() -> None:
    texts = {"example": "Say: {said}", "a.term": "A", "a.means": "B.", "a.said": "C!"}
    first, second = glossary_from({"a": ["d"], "d": []}, {**texts, "d.term": "D", "d.means": "E."})
    assert (first.aloud, first.see) == ("A. B. Say: C!", ("D",))
    assert second.aloud == "D. E."
