"""scripts/lab/bench_learner and bench_drills: the path to a game, and how hard the levels are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assistant.school.drills.exercises import LEVELS, SKILLS
from assistant.school.lessons import Kind
from assistant.school.lessons.files import load_lessons, load_short_path
from scripts.lab.bench_learner import GOAL_MIN, WORDS_A_MINUTE, lesson_walk, words_in


def printed(checkout: Path, name: str, *rest: str) -> Any:
    done = subprocess.run(
        [sys.executable, checkout / "scripts" / "lab" / f"{name}.py", "--json", *rest],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_the_short_path_takes_a_newcomer_less_than_half_an_hour(checkout: Path) -> None:
    told = printed(checkout, "bench_learner")
    assert told["minutes"] <= told["goal"] == GOAL_MIN == 30
    names = [one["name"] for one in told["stretches"]]
    assert [name for name in names if name[:2].isdecimal() and name[2] == "-"] == list(
        load_short_path().lessons
    )
    assert "exercises" in names[-2]
    assert "practice" in names[-1]
    # The reading alone, which nothing but fewer words makes shorter.
    words = sum(one["words"] for one in told["stretches"])
    assert words / WORDS_A_MINUTE < told["minutes"]


def test_every_word_and_every_question_of_a_lesson_is_counted() -> None:
    for lesson in load_lessons().values():
        walk = lesson_walk(lesson, 0)
        texts = [text for step in lesson.steps for text in (*step.text, step.question)]
        answers = [one.text for step in lesson.steps for one in step.answers]
        assert walk.words >= words_in(*texts, *answers)
        assert walk.screens == len(lesson.steps) + 1
        assert walk.answers >= sum(step.kind is not Kind.READ for step in lesson.steps)


def test_the_lessons_of_the_path_are_there_in_every_language() -> None:
    assert set(load_short_path().lessons) <= set(load_lessons())


@pytest.mark.slow
def test_the_bench_tells_how_hard_each_level_is(checkout: Path) -> None:
    rows = {row["skill"]: row for row in printed(checkout, "bench_drills", "--count", "4")}
    assert list(rows) == list(SKILLS)
    assert all(len(row["hard"]) == len(row["ms"]) == LEVELS for row in rows.values())
    assert rows["gana.pares"]["hard"][-1] > rows["gana.pares"]["hard"][0]
