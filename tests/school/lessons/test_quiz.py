"""The quiz of señas (R58): four answers of which one alone is right."""

from __future__ import annotations

import random

import pytest

from assistant.rules.profile import Senas
from assistant.school.lessons import CHOICES, QuizWay, Sign, ask
from assistant.school.lessons.mus_senas import load_senas, signs_of


@pytest.mark.parametrize("name", Senas)
def test_r58_every_question_has_four_answers_and_one_of_them_is_right(name: Senas) -> None:
    signs, rng = signs_of(load_senas(name)), random.Random(1)
    asked, ways = set(), set()
    last = None
    for _ in range(300):
        question = ask(signs, rng, last)
        assert question.sign != last
        assert len({sign.draw for sign in question.choices}) == CHOICES
        assert len({sign.holds for sign in question.choices}) == CHOICES
        last = question.sign
        asked.add(last.holds)
        ways.add(question.way)
    assert asked == {sign.holds for sign in signs}
    assert ways == set(QuizWay)


def test_a_list_of_too_few_gestures_is_refused() -> None:
    signs = [Sign(str(n), "gesto", draw=str(n % 3)) for n in range(9)]
    with pytest.raises(ValueError, match="4 different"):
        ask(signs, random.Random(1))


@pytest.mark.parametrize("name", Senas)
def test_r58_every_list_tells_what_is_forbidden(name: Senas) -> None:
    assert "Hacer una seña de algo que no se lleva." in load_senas(name)["forbidden"]
