"""Exercises in words: complete in every language, without the answer; and answers by voice."""

from __future__ import annotations

import json

import pytest

from assistant.files.resources import load_lexicon
from assistant.language.lexicon import words_of
from assistant.school.drills.exercises import MAKERS, SKILLS, DrillKind, name_of
from assistant.school.drills.positions import places_of
from assistant.school.drills.told import (
    DrillTongue,
    choice_heard,
    drill_tongue,
    exercise_view,
    grade_view,
    step_of,
)
from assistant.school.lessons import heard_as
from tests.school.drills.making import EIGHT, made
from tests.tables import each_row

LANGUAGES = ("es", "eu", "en")
QUICK = (*MAKERS, "cortas", "quieres.pares")
"""Skills whose exercises are quickly made."""


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exercise_is_told_whole_in_each_language(language: str) -> None:
    told = drill_tongue(language)
    for skill in SKILLS:
        exercise = made(name_of(skill, 2, 1))
        view = exercise_view(exercise, told, again=False)
        texts = [view["title"], view["question"], view["skill"], *view["facts"], *view["choices"]]
        for at in range(len(exercise.choices)):
            graded = grade_view(exercise, at, EIGHT, told)
            texts += [graded["why"], graded["result"]]
        assert all(text and "{" not in text for text in texts), skill
        assert view["throws"] == (exercise.kind is DrillKind.THROWS)
        assert len(view["choices"]) == (0 if view["throws"] else len(exercise.choices))


def test_each_language_has_words_of_its_own() -> None:
    asked = [
        {
            exercise_view(made(name_of(s, 2, 1)), drill_tongue(code), again=False)["question"]
            for s in QUICK
        }
        for code in LANGUAGES
    ]
    assert not asked[0] & asked[1]
    assert not asked[0] & asked[2]


def test_no_answer_is_shown_with_its_question() -> None:
    for skill in QUICK:
        exercise = made(name_of(skill, 2, 1))
        told = json.dumps(exercise_view(exercise, drill_tongue("es"), again=True))
        assert not {"right", "cost", "best", "why"} & set(json.loads(told))
        for at in range(len(exercise.choices)):
            assert grade_view(exercise, at, EIGHT, drill_tongue("es"))["why"] not in told


def test_the_reason_names_the_number_that_it_costs() -> None:
    exercise = made(name_of("quieres.pares", 1, 0))
    for at, choice in enumerate(exercise.choices):
        graded = grade_view(exercise, at, EIGHT, drill_tongue("es"))
        if not choice.right:
            cost = f"{choice.cost:.1f}".replace(".", ",")
            assert f" {cost} menos" in graded["why"]
            assert graded["costs"][at] == f"−{cost}"


def heard(name: str, words: str, language: str = "es") -> int | None:
    """The answer that words are taken for, as the table's ear gives them."""
    told: DrillTongue = drill_tongue(language)
    exercise = made(name)
    step = step_of(exercise, told)
    verdict = heard_as(step, words_of(words), load_lexicon((language,)))
    return choice_heard(exercise, step, verdict.what) if verdict.understood else None


def call_at(name: str, kind: str) -> int:
    return [type(choice.call).__name__ for choice in made(name).choices].index(kind)


CUTS, WANTS = name_of("cortas", 2, 1), name_of("quieres.pares", 1, 0)


@each_row(
    "name, words, kind, language",
    [
        *(
            (CUTS, "no hay mus", "Cut", "es"),
            (CUTS, "corto", "Cut", "es"),
            (CUTS, "mus", "Mus", "es"),
        ),
        *((WANTS, "quiero", "Accept", "es"), (WANTS, "no quiero", "Refuse", "es")),
        *((WANTS, "lo quiero", "Accept", "es"), (WANTS, "órdago", "Ordago", "es")),
        *((CUTS, "mus ez", "Cut", "eu"), (WANTS, "nahi dut", "Accept", "eu")),
    ],
)
def test_a_call_in_any_wording_is_the_answer(
    name: str, words: str, kind: str, language: str
) -> None:
    assert heard(name, words, language) == call_at(name, kind)


def test_a_number_is_the_answer_that_it_names() -> None:
    words = {"31": "treinta y una", "32": "treinta y dos", "33": "treinta y tres"}
    words |= {"34": "treinta y cuatro", "36": "treinta y seis", "37": "treinta y siete"}
    said = 0
    for seed in range(12):
        name = name_of("vale.puntos", 1, seed)
        keys = [choice.key for choice in made(name).choices]
        for key in set(keys) & set(words):
            said += 1
            assert heard(name, words[key]) == keys.index(key)
    assert said > 5
    assert heard(name_of("gana.pares", 1, 1), "dos") == 1


@pytest.mark.slow
def test_how_many_cards_go_is_enough_to_be_said_and_the_worst_go() -> None:
    name = name_of("tiras", 1, 1)
    exercise = made(name)
    for number, word in enumerate(("una", "dos", "tres", "cuatro"), start=1):
        at = heard(name, word)
        assert at is not None
        assert len(places_of(at + 1)) == number
        same = [
            one.cost or 0.0
            for n, one in enumerate(exercise.choices)
            if len(places_of(n + 1)) == number
        ]
        assert exercise.choices[at].cost == min(same)


def test_words_that_are_no_answer_are_none() -> None:
    assert heard(CUTS, "qué buen día") is None
