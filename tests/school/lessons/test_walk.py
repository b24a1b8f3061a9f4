"""Through a lesson: shown, asked, right or wrong, and on; and what is kept of it."""

from __future__ import annotations

import pytest

from assistant.school.lessons import (
    AnswerVerdict,
    Kept,
    Mood,
    QuizScore,
    Walk,
    begin,
    come_to,
    kept_from,
    kept_to,
    parse_lesson,
    scored,
)
from assistant.school.lessons.walk import ON, TRANSITIONS
from tests.tables import each_row

RIGHT, WRONG = AnswerVerdict(right=True), AnswerVerdict(right=False)
UNCLEAR = AnswerVerdict(right=False, understood=False)


@pytest.fixture
def walk() -> Walk:
    asks = "#: b\n#? c\n#= d = e\n#- f = g\n"
    return begin(parse_lesson("x", f"#% T\n\n#: a\n\n{asks}\n#: h\n#! say: mus = Bien.\n"))


def test_a_lesson_is_read_answered_and_over(walk: Walk) -> None:
    assert walk.mood is Mood.SHOWN
    walk = walk.next()
    assert (walk.at, walk.mood) == (1, Mood.ASKED)
    walk = walk.answered(RIGHT)
    assert walk.mood is Mood.RIGHT
    walk = walk.next().answered(RIGHT).next()
    assert (walk.mood, walk.step, walk.right) == (Mood.OVER, None, 2)
    assert walk.next() == walk


def test_only_the_first_try_counts_and_one_may_go_on_without(walk: Walk) -> None:
    walk = walk.next().answered(WRONG)
    assert walk.mood is Mood.WRONG
    walk = walk.answered(WRONG).answered(RIGHT)
    assert (walk.mood, walk.right) == (Mood.RIGHT, 0)
    assert walk.next().next().mood is Mood.OVER


def test_what_was_not_understood_costs_nothing(walk: Walk) -> None:
    walk = walk.next().answered(UNCLEAR)
    assert (walk.mood, walk.verdict) == (Mood.ASKED, UNCLEAR)
    assert walk.answered(RIGHT).right == 1


def test_nothing_is_answered_where_nothing_is_asked(walk: Walk) -> None:
    assert walk.answered(RIGHT) == walk
    right = walk.next().answered(RIGHT)
    assert right.answered(WRONG) == right


def test_every_mood_but_the_last_goes_on() -> None:
    assert {mood for (mood, _), to in TRANSITIONS.items() if to == ON} == set(Mood) - {Mood.OVER}


def test_progress_goes_on_where_it_was_and_keeps_the_best(walk: Walk) -> None:
    kept = come_to(Kept(), walk.next())
    assert (kept.at, kept.done) == ({"x": 1}, {})
    over = walk.next().answered(RIGHT).next().next()
    kept = come_to(kept, over)
    assert (kept.at, kept.done) == ({}, {"x": 1})
    kept = come_to(kept, walk.next().next().next())
    assert kept.done == {"x": 1}
    kept = scored(scored(kept, "fem", right=True), "fem", right=False)
    assert kept.quiz == {"fem": QuizScore(2, 1)}
    assert kept_from(kept_to(kept)) == kept


@each_row("told", [None, [], {}, {"version": 9}, {"version": 1, "at": 3}])
def test_what_is_no_progress_is_refused(told: object) -> None:
    with pytest.raises(ValueError, match=r".*"):
        kept_from(told)
