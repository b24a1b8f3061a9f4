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
    text = (checkout / "models/es/glossary.toml").read_text("utf-8")
    entries = text.split("[[term]]")
    assert all(re.search(r"# R[0-6]\d", before) for before in entries[:-1])


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
    "table, why",
    [
        ({}, "entries"),
        ({"term": [{"term": "a"}]}, "number 1 needs"),
        ({"term": [{"term": "a", "means": "b", "rule": "c"}]}, "number 1 needs"),
        ({"term": [{"term": "a", "means": 3}]}, "write texts"),
        ({"term": [{"term": "a", "means": "b", "see": ["c"]}]}, "'c', which is no entry"),
        ({"term": [{"term": "a", "means": "b"}, {"term": "a", "means": "c"}]}, "'a' twice"),
    ],
)
def test_a_broken_glossary_is_refused_with_its_entry(table: dict[str, Any], why: str) -> None:
    with pytest.raises(GlossaryError, match=why):
        glossary_from(table)
