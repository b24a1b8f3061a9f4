"""Drills at a table without an opened ear, and the yardstick that ships."""

from __future__ import annotations

from functools import cache

from assistant.rules.profile import Profile
from assistant.school.drills.exercises import Exercise
from assistant.school.drills.page import Drills, load_judge
from assistant.school.drills.positions import exercise_of
from assistant.school.judge import Judge
from assistant.school.lessons.classroom import Pupil

EIGHT = Profile()


@cache
def judge_of() -> Judge:
    judge = load_judge()
    assert judge is not None
    return judge


def drills_of(profile: Profile = EIGHT, pupil: Pupil | None = None) -> Drills:
    return Drills(lambda: profile, "es", pupil)


def made(name: str, profile: Profile = EIGHT) -> Exercise:
    return exercise_of(name, profile, judge_of())
