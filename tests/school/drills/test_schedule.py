"""The next exercise: weak skills and mistakes first, never the same again, each learner alone."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.page.incoming import MAX_BODY
from assistant.school.drills.exercises import LEVELS, SKILLS, DrillChoice, DrillError, name_of
from assistant.school.drills.schedule import (
    BETWEEN,
    MOST_WRONG,
    RECENT,
    DrillGrade,
    DrillProgress,
    SkillRecord,
    answered,
    grade_of,
    next_exercise,
    progress_from,
    progress_to,
    skills_of,
    skipped,
)
from tests.school.drills.making import made
from tests.tables import each_row

NOW = 1_800_000_000.0
RULED = skills_of((), judged=False)
PACE = 12.0
"""Seconds of an exercise."""


def go_through(
    count: int, right: dict[str, bool] | None = None, seed: int = 1
) -> tuple[list[str], DrillProgress]:
    """The names that are asked one after the other; ``right``: skill -> whether it is known."""
    progress, now, dice, names = DrillProgress(), NOW, random.Random(seed), []
    for _ in range(count):
        name = next_exercise(progress, now, RULED, dice)
        exercise = made(name)
        wrong = next(choice for choice in exercise.choices if not choice.right)
        knows = (right or {}).get(exercise.skill, True)
        choice = exercise.choices[exercise.best] if knows else wrong
        progress = answered(progress, exercise, choice, now)
        names.append(name)
        now += PACE
    return names, progress


def test_a_mistake_comes_again_before_anything_that_was_right() -> None:
    names, _ = go_through(40, {"gana.pares": False})
    at = next(n for n, name in enumerate(names) if name.startswith("gana.pares"))
    again = names.index(names[at], at + 1)
    assert again - at > BETWEEN
    # What was right meanwhile has not come a second time.
    assert len({name.partition("-")[0] for name in names[:again]}) == again


def test_a_mistake_goes_once_it_was_answered_right() -> None:
    exercise = made("gana.pares-1-7")
    wrong = next(choice for choice in exercise.choices if not choice.right)
    after = answered(DrillProgress(), exercise, wrong, NOW)
    assert after.skills["gana.pares"].wrong == (exercise.name,)
    mended = answered(after, exercise, exercise.choices[exercise.best], NOW + 90)
    assert mended.skills["gana.pares"].wrong == ()


def test_what_is_often_wrong_is_asked_far_more_often() -> None:
    names, _ = go_through(150, {"vale.pares": False})
    asked = [sum(name.startswith(skill) for name in names) for skill in RULED]
    weak = asked.pop(RULED.index("vale.pares"))
    assert weak > 3 * max(asked)
    assert min(asked) > 0


@pytest.mark.parametrize("seed", range(3))
def test_no_exercise_comes_twice_within_so_many_unless_it_was_wrong(seed: int) -> None:
    names, _ = go_through(120, seed=seed)
    for at, name in enumerate(names):
        assert name not in names[max(0, at - RECENT) : at]


def test_no_skill_comes_twice_running_and_all_of_them_come() -> None:
    names, _ = go_through(len(RULED), {"gana.pares": False, "vale.cuenta": False})
    skills = [name.partition("-")[0] for name in names]
    assert set(skills[: len(RULED)]) >= set(RULED[:-1])
    names, _ = go_through(80, {"gana.pares": False})
    skills = [name.partition("-")[0] for name in names]
    assert all(one != other for one, other in pairwise(skills))


def test_what_is_known_gets_harder_and_what_is_wrong_easier() -> None:
    _, known = go_through(150)
    assert {record.level for record in known.skills.values()} == {LEVELS}
    _, unknown = go_through(60, dict.fromkeys(RULED, False))
    assert {record.level for record in unknown.skills.values()} == {1}


def test_what_is_known_is_asked_again_after_days_and_what_is_not_within_minutes() -> None:
    names, progress = go_through(60, {"gana.juego": False})
    now = NOW + PACE * len(names)
    due = {skill: record.due - now for skill, record in progress.skills.items()}
    assert due.pop("gana.juego") < 600
    assert min(due.values()) > 86_400


def test_the_learner_of_one_progress_changes_no_other() -> None:
    _, mine = go_through(20)
    before = json.dumps(progress_to(mine))
    exercise = made("gana.grande-1-3")
    wrong = next(choice for choice in exercise.choices if not choice.right)
    yours = answered(DrillProgress(), exercise, wrong, NOW)
    assert json.dumps(progress_to(mine)) == before
    assert set(yours.skills) == {"gana.grande"}


def test_who_skips_is_asked_something_else() -> None:
    dice = random.Random(1)
    first = next_exercise(DrillProgress(), NOW, RULED, dice)
    other = next_exercise(skipped(DrillProgress(), first), NOW, RULED, dice)
    assert other.partition("-")[0] != first.partition("-")[0]


def test_a_single_skill_can_be_asked_without_end() -> None:
    progress, dice, names = DrillProgress(), random.Random(1), []
    for number in range(40):
        name = next_exercise(progress, NOW + number, ("gana.punto",), dice)
        exercise = made(name)
        progress = answered(progress, exercise, exercise.choices[exercise.best], NOW + number)
        names.append(name)
    assert len(set(names)) == len(names)


@each_row(
    "cost, grade",
    [(0.0, "right"), (0.5, "right"), (0.6, "doubtful"), (2.0, "doubtful"), (2.1, "wrong")],
)
def test_an_answer_is_graded_by_what_it_costs(cost: float, grade: str) -> None:
    assert grade_of(DrillChoice("", cost <= 0.5, cost)) == DrillGrade(grade)


def test_a_dear_mistake_comes_sooner_than_a_doubtful_answer() -> None:
    exercise = made("gana.grande-1-3")
    dues = [
        answered(DrillProgress(), exercise, DrillChoice("", cost <= 0.5, cost), NOW)
        .skills["gana.grande"]
        .due
        for cost in (9.0, 1.0, 0.0)
    ]
    assert dues == sorted(dues)
    assert len(set(dues)) == 3


def test_the_most_progress_that_there_can_be_fits_into_a_strangers_request() -> None:
    longest = [name_of(skill, 5, 999_999 - n) for skill in SKILLS for n in range(MOST_WRONG)]
    record = SkillRecord(
        3, 1, 36499.1234, 9.1234, 4.1e9, 4.1e9, 5, 2, 9_999_999, 9_999_999, 99_999_999.9
    )
    progress = DrillProgress(
        {
            skill: replace(record, wrong=tuple(n for n in longest if n.startswith(f"{skill}-")))
            for skill in SKILLS
        },
        tuple(longest[-RECENT:]),
    )
    assert all(len(one.wrong) == MOST_WRONG for one in progress.skills.values())
    body = {"choice": 14, "kept": progress_to(progress), "at": NOW + 0.123}
    assert len(json.dumps(body).encode()) < MAX_BODY
    assert progress_from(json.loads(json.dumps(progress_to(progress)))) == progress


def test_progress_goes_through_json_and_back() -> None:
    _, progress = go_through(40, {"gana.pares": False})
    told = json.loads(json.dumps(progress_to(progress)))
    assert progress_to(progress_from(told)) == told


GOOD = progress_to(go_through(12, {"gana.pares": False})[1])


def spoilt(**changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(GOOD)), **changes}


@each_row(
    "told",
    [
        *(None, 3, [], {}, "x", {"version": 1}, spoilt(version=2), spoilt(more=1)),
        *(spoilt(recent=["x"]), spoilt(recent=["gana.pares-1-1"] * (RECENT + 1))),
        *(spoilt(skills={"x": []}), spoilt(skills={"gana.pares": []}), spoilt(skills=[])),
        *(spoilt(skills={"gana.pares": [1, 0, None, None, 0, None, 9, 0, 1, 0, 0, []]}),),
        *(spoilt(skills={"gana.pares": [2, None, None, None, 0, None, 1, 0, 1, 0, 0, []]}),),
        *(spoilt(skills={"gana.pares": [1, 0, 1e400, 5, 0, 1, 1, 0, 1, 0, 0, []]}),),
        *(spoilt(skills={"gana.pares": [1, 0, 1, 5, 1e18, 1, 1, 0, 1, 0, 0, []]}),),
        *(spoilt(skills={"gana.pares": [1, 0, 1, 5, 0, 1, 1, 0, 1, 2, 0, []]}),),
        *(spoilt(skills={"gana.pares": [1, 0, 1, 5, 0, 1, 1, 0, 1, 0, 0, ["gana.juego-1-1"]]}),),
        *(spoilt(skills={"gana.pares": [True, 0, 1, 5, 0, 1, 1, 0, 1, 0, 0, []]}),),
    ],
)
def test_what_is_no_progress_is_refused(told: Any) -> None:
    with pytest.raises(DrillError):
        progress_from(told)


NUMBERS = st.none() | st.integers(-3, 12) | st.floats() | st.booleans() | st.text(max_size=3)


@given(st.lists(NUMBERS, min_size=11, max_size=11))
def test_whatever_progress_is_accepted_can_be_gone_on_with(row: list[Any]) -> None:
    told = {"version": 1, "skills": {"gana.pares": [*row, []]}, "recent": []}
    try:
        progress = progress_from(told)
    except DrillError:
        return
    exercise = made("gana.pares-1-7")
    for choice in exercise.choices:
        after = answered(progress, exercise, choice, NOW)
        assert progress_from(json.loads(json.dumps(progress_to(after))))
    assert next_exercise(progress, NOW, RULED, random.Random(1))
