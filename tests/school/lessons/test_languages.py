"""Lessons, glossary and señas are complete in Spanish, Basque and English, and mean the same.

The contents and questions are the same in each. Only the prose differs, and the words of the calls
if the table is addressed in that language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.cli.mus_score import play_script
from assistant.files.resources import load_lexicon, nearest
from assistant.language.lexicon import words_of
from assistant.language.script import Said
from assistant.language.sentences import flatten
from assistant.rules.profile import Senas
from assistant.school.lessons import Kind, Lesson
from assistant.school.lessons.files import heard_in, languages, lesson_tongue, load_lessons
from assistant.school.lessons.mus_glossary import load_glossary
from assistant.school.lessons.mus_senas import LISTS, load_senas
from assistant.school.lessons.walk import MOMENTS, call_of
from assistant.school.lessons.walk import _read as read_calls
from tests.tables import each_row

OTHERS = ("en", "eu")
BOTH = [
    (language, spanish, other)
    for language in OTHERS
    for spanish, other in zip(
        load_lessons("es").values(), load_lessons(language).values(), strict=True
    )
]
each_translation = each_row(
    "language, spanish, other", BOTH, name=lambda row: f"{row[0]}/{row[1].name}"
)
QUOTED = re.compile("«[^»]*»|“[^”]*”")
LETTERS = re.compile(r"[^\W\d_]+")
SPANISH_ALONE = frozenset(
    "el los las que del una unos unas con por para pero porque como cuando donde quien cuál qué "
    "quién cuánto cuántas más muy hay está están lleva llevas tiene tienes gana ganas juega "
    "cartas compañero envida reparto nadie nada todos otro otra siempre nunca después antes "
    "y o se su sus no si".split()
)
"""Words that are Spanish in no doubt, where the other language has no such word."""
ALSO_ENGLISH = frozenset({"no", "as", "a"})


def test_the_three_languages_are_taught_in() -> None:
    assert set(languages()) == {"es", *OTHERS}


def prose_files(checkout: Path, language: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The files of a language with prose, by name: those of its lessons, and the other three."""
    folder = checkout / "models" / language
    lessons = [one for one in folder.glob("lessons/*.toml") if one.stem != "calls"]
    for path in sorted([*lessons, *(folder / f"{one}.toml" for one in ("glossary", "senas"))]):
        yield path.stem, flatten(tomllib.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("language", OTHERS)
def test_no_file_is_taken_from_spanish_and_each_has_the_same_sentences(
    language: str, checkout: Path
) -> None:
    spanish = dict(prose_files(checkout, "es"))
    other = dict(prose_files(checkout, language))
    assert set(spanish) == set(other)
    assert {path.stem for path in (checkout / "models/lessons").glob("*.mus")} <= set(other)
    for name, texts in spanish.items():
        assert set(texts) == set(other[name]), name
    for name in ("lessons", "glossary", "senas"):
        assert nearest(name, language) == language


@each_translation
def test_a_lesson_shows_and_asks_the_same_in_every_language(
    language: str, spanish: Lesson, other: Lesson
) -> None:
    assert (other.name, other.script) == (spanish.name, spanish.script)
    assert len(other.steps) == len(spanish.steps)
    for one, same in zip(spanish.steps, other.steps, strict=True):
        assert (one.line, one.kind, one.context) == (same.line, same.kind, same.context)
        assert len(one.text) == len(same.text)
        assert [a.right for a in one.answers] == [a.right for a in same.answers]
        assert [(s.kind, s.cards) for s in one.shown] == [(s.kind, s.cards) for s in same.shown]
        stones = [[count for _, count in s.stones] for s in one.shown]
        assert stones == [[count for _, count in s.stones] for s in same.shown]
        if one.kind is Kind.SAY:
            meant = [
                call_of(step, load_lexicon((heard_in(code),)))
                for code, step in (("es", one), (language, same))
            ]
            assert meant[0] == meant[1]


@pytest.mark.parametrize("language", OTHERS)
def test_the_deals_go_the_same_way_with_the_calls_of_the_language(language: str) -> None:
    tongue, codes = lesson_tongue(language), ("es", heard_in(language))
    said = {
        step.heard.text
        for lesson in load_lessons("es").values()
        for step in lesson.script.steps
        if isinstance(step, Said)
    }
    assert len(said) > 10
    lexicons = [load_lexicon((code,)) for code in codes]
    for spanish in said:
        meant = [
            next(filter(None, (read_calls(words_of(text), at, lexicon) for at in MOMENTS)), ())
            for text, lexicon in zip((spanish, tongue.call(spanish)), lexicons, strict=True)
        ]
        assert meant[0], spanish
        assert meant[1] == meant[0], spanish
    for lesson in load_lessons(language).values():
        assert play_script(lesson.script, lexicons[0]).failure is None


@each_translation
def test_nothing_of_a_lesson_is_left_in_spanish(
    language: str, spanish: Lesson, other: Lesson
) -> None:
    assert other.title != spanish.title or language == "en"
    for one, same in zip(spanish.steps, other.steps, strict=True):
        for text in filter(None, (*same.text, same.question, same.why)):
            assert_not_spanish(language, text)
        for answer in same.answers:
            assert_not_spanish(language, answer.text)
            assert_not_spanish(language, answer.why)
        assert same.aloud != one.aloud


def assert_not_spanish(language: str, text: str) -> None:
    """Nothing but what is quoted, as said at the table, has a Spanish word of every day."""
    words = {word.lower() for word in LETTERS.findall(QUOTED.sub("", text))}
    allowed = ALSO_ENGLISH if language == "en" else frozenset[str]()
    assert not (words & SPANISH_ALONE) - allowed, text


@pytest.mark.parametrize("language", OTHERS)
def test_the_glossary_has_the_same_entries_in_every_language(language: str) -> None:
    spanish, other = load_glossary("es"), load_glossary(language)
    assert len(other) == len(spanish) >= 60
    assert sorted(len(term.see) for term in other) == sorted(len(term.see) for term in spanish)
    names = {term.name for term in other}
    for term in other:
        assert set(term.see) <= names
        assert term.means.endswith((".", "!")), term.name
        assert len(term.means) <= 240, term.name
        assert_not_spanish(language, term.means)
    told = {term.means for term in spanish}
    assert not [term.name for term in other if term.means in told]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", LISTS)
def test_r58_a_list_of_signs_is_the_same_in_every_language(name: Senas, language: str) -> None:
    spanish, other = load_senas(name), load_senas(name, language)
    assert [one["draw"] for one in other["sena"]] == [one["draw"] for one in spanish["sena"]]
    assert len(other["notes"]) == len(spanish["notes"])
    assert len(other["forbidden"]) == len(spanish["forbidden"])
    for one, same in zip(spanish["sena"], other["sena"], strict=True):
        assert ("when" in one) == ("when" in same)
        assert_not_spanish(language, same["holds"])
        assert_not_spanish(language, same["gesture"])
        assert same["gesture"] != one["gesture"]
    for text in (*other["notes"], *other["forbidden"], other["title"]):
        assert_not_spanish(language, text)
