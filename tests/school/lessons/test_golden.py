"""The shipped lessons: each deal comes to its stones, and each question can be answered."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.cli.mus_score import play_script
from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon, words_of
from assistant.language.script import Expect
from assistant.school.lessons import Kind, Lesson, Mood, begin, chosen, heard_as
from assistant.school.lessons.files import heard_in, languages, load_lessons
from assistant.school.lessons.walk import call_of
from tests.tables import each_row

LESSONS = [
    (language, lesson) for language in languages() for lesson in load_lessons(language).values()
]
each_lesson = each_row("language, lesson", LESSONS, name=lambda row: f"{row[0]}/{row[1].name}")
GAMES = list(load_lessons("es").values())
"""A game is the same in every language: ``test_languages`` holds that."""
each_game = each_row("lesson", GAMES, name=lambda lesson: lesson.name)
ROW = re.compile(r"\bR[0-6]\d\b")


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def test_there_are_ten_lessons_of_five_to_eight_steps() -> None:
    lessons = load_lessons("es")
    assert len(lessons) >= 10
    assert {name: len(x.steps) for name, x in lessons.items() if not 5 <= len(x.steps) <= 8} == {}


@each_game
def test_the_deals_of_a_lesson_come_to_their_stones(lesson: Lesson, lexicon: Lexicon) -> None:
    failure = play_script(lesson.script, lexicon).failure
    assert failure is None, f"{lesson.name}:{failure.line}: {failure.message}"


@each_game
def test_every_stone_that_a_lesson_shows_is_checked(lesson: Lesson, lexicon: Lexicon) -> None:
    script = lesson.script
    for index, step in enumerate(script.steps):
        if not isinstance(step, Expect):
            continue
        for at, (key, value) in enumerate(step.items):
            if len(key) != 1:
                continue
            wrong = (*step.items[:at], (key, str(int(value) + 1)), *step.items[at + 1 :])
            steps = (*script.steps[:index], replace(step, items=wrong), *script.steps[index + 1 :])
            failure = play_script(replace(script, steps=steps), lexicon).failure
            assert failure is not None
            assert failure.line == step.line


@each_lesson
def test_a_lesson_names_its_rules_and_can_be_completed_without_a_mistake(
    language: str, lesson: Lesson, checkout: Path
) -> None:
    lexicon = load_lexicon((heard_in(language),))
    path = checkout / "models" / "lessons" / f"{lesson.name}.mus"
    assert ROW.search(path.read_text("utf-8").partition("rules:")[0])
    walk = begin(lesson)
    while step := walk.step:
        match step.kind:
            case Kind.CHOOSE:
                right = [answer.right for answer in step.answers].index(True)
                walk = walk.answered(chosen(step, right))
                assert walk.mood is Mood.RIGHT
            case Kind.SAY:
                assert call_of(step, lexicon)
                verdict = heard_as(step, words_of(step.say), lexicon)
                assert (verdict.right, bool(verdict.why)) == (True, True), step.say
                walk = walk.answered(verdict)
        walk = walk.next()
    assert walk.right == sum(step.kind is not Kind.READ for step in lesson.steps)


@each_lesson
def test_no_question_has_one_answer_twice(language: str, lesson: Lesson) -> None:
    for step in lesson.steps:
        texts = [answer.text.lower() for answer in step.answers]
        assert len(set(texts)) == len(texts), language
        assert all(answer.why.endswith((".", "!")) for answer in step.answers)
