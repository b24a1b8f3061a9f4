"""Spaced repetition: each skill is a card of the FSRS scheduler, and mistakes come again.

Progress belongs to whoever practises, and is passed in and out: this module keeps nothing. It is
small, because a telephone sends it along with each answer. Times are seconds since 1970, by the
clock of the device that keeps the progress: a table's computer may have no battery for its own.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from fsrs import Card, Rating, Scheduler, State

from assistant.school.drills.exercises import (
    LEVELS,
    MOST_SEEDS,
    SKILLS,
    DrillChoice,
    DrillError,
    Exercise,
    kind_of,
    name_of,
    parts_of,
)
from assistant.school.drills.positions import DOUBTFUL_UP_TO, is_judged

VERSION = 1
RECENT = 12
"""The last exercises that are remembered; only those that were wrong may come again so soon."""
BETWEEN = 3
"""The number of other exercises before one that was wrong comes again."""
MOST_WRONG = 2
"""The most exercises of a skill that wait to be repeated; older ones are dropped."""
RISES_AFTER = 2
"""Right answers in a row, after which a skill's exercises get harder."""
LAST_SECOND = 4_102_444_800.0
"""The beginning of the year 2100."""
SCHEDULER = Scheduler(enable_fuzzing=False)


class DrillGrade(StrEnum):
    """How good an answer was."""

    RIGHT = "right"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"


RATINGS = {
    DrillGrade.RIGHT: Rating.Good,
    DrillGrade.DOUBTFUL: Rating.Hard,
    DrillGrade.WRONG: Rating.Again,
}


@dataclass(frozen=True, slots=True)
class SkillRecord:
    """How somebody does at a skill.

    state, step, stability, difficulty, due, last  the card, as FSRS has it
    level  of the next exercise; run: right answers in a row
    asked, right, lost  answers, right ones, and the points of the juego that the others cost
    wrong  the names of exercises that come again
    """

    state: int = int(State.Learning)
    step: int | None = 0
    stability: float | None = None
    difficulty: float | None = None
    due: float = 0.0
    last: float | None = None
    level: int = 1
    run: int = 0
    asked: int = 0
    right: int = 0
    lost: float = 0.0
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DrillProgress:
    """The progress of one learner: by skill, and the exercises that were asked last."""

    skills: Mapping[str, SkillRecord] = field(default_factory=dict)
    recent: tuple[str, ...] = ()


def grade_of(choice: DrillChoice) -> DrillGrade:
    """How good an answer was, by what it costs."""
    if choice.right:
        return DrillGrade.RIGHT
    if choice.cost is not None and choice.cost <= DOUBTFUL_UP_TO:
        return DrillGrade.DOUBTFUL
    return DrillGrade.WRONG


def skills_of(kinds: Collection[str], *, judged: bool) -> tuple[str, ...]:
    """The skills of these kinds, or of all; ``judged`` False: without those that need maestro."""
    return tuple(
        skill
        for skill in SKILLS
        if (not kinds or kind_of(skill) in kinds) and (judged or not is_judged(kind_of(skill)))
    )


def next_exercise(
    progress: DrillProgress, now: float, skills: Collection[str], dice: random.Random
) -> str:
    """The name of what is asked next.

    First a skill that is due, then one that was never asked, then the one that is due next; never
    the same skill twice running, where there is another. A mistake comes before a new exercise.
    """
    last = parts_of(progress.recent[-1])[0] if progress.recent else ""
    others = [skill for skill in skills if skill != last] or list(skills)
    known = [skill for skill in others if skill in progress.skills]
    known.sort(key=lambda skill: progress.skills[skill].due)
    due = [skill for skill in known if progress.skills[skill].due <= now]
    new = [skill for skill in others if skill not in progress.skills]
    skill = (*due[:1], *new[:1], *known)[0]
    record = progress.skills.get(skill, SkillRecord())
    for name in record.wrong:
        if name not in progress.recent[-BETWEEN:]:
            return name
    while True:
        name = name_of(skill, record.level, dice.randrange(MOST_SEEDS))
        if name not in progress.recent and name not in record.wrong:
            return name


def answered(
    progress: DrillProgress, exercise: Exercise, choice: DrillChoice, now: float
) -> DrillProgress:
    """The progress after an answer."""
    grade = grade_of(choice)
    before = progress.skills.get(exercise.skill, SkillRecord())
    card, _ = SCHEDULER.review_card(_card(before), RATINGS[grade], _time(now))
    run = before.run + 1 if grade is DrillGrade.RIGHT else 0
    level = before.level
    if grade is DrillGrade.WRONG:
        level = max(1, min(level, exercise.level) - 1)
    elif run >= RISES_AFTER and exercise.level >= level:
        level, run = min(LEVELS, level + 1), 0
    waiting = tuple(name for name in before.wrong if name != exercise.name)
    if grade is DrillGrade.WRONG:
        waiting = (*waiting, exercise.name)[-MOST_WRONG:]
    after = SkillRecord(
        int(card.state), card.step, card.stability, card.difficulty, card.due.timestamp(), now,
        level, run, before.asked + 1, before.right + (grade is DrillGrade.RIGHT),
        before.lost + (choice.cost or 0.0), waiting,
    )  # fmt: skip
    recent = (*progress.recent, exercise.name)[-RECENT:]
    return replace(progress, skills={**progress.skills, exercise.skill: after}, recent=recent)


def skipped(progress: DrillProgress, name: str) -> DrillProgress:
    """The progress after an exercise without an answer: something else comes next."""
    return replace(progress, recent=(*progress.recent, name)[-RECENT:])


def _card(record: SkillRecord) -> Card:
    return Card(
        card_id=1,
        state=State(record.state),
        step=record.step,
        stability=record.stability,
        difficulty=record.difficulty,
        due=_time(record.due),
        last_review=None if record.last is None else _time(record.last),
    )


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


# ---- Progress as JSON, written by this code and sent back by anybody ----------------------------


def progress_to(progress: DrillProgress) -> dict[str, Any]:
    """Progress as a small JSON object."""
    return {
        "version": VERSION,
        "skills": {
            skill: [
                one.state, one.step, _short(one.stability), _short(one.difficulty),
                round(one.due), None if one.last is None else round(one.last),
                one.level, one.run, one.asked, one.right, round(one.lost, 1), list(one.wrong),
            ]
            for skill, one in progress.skills.items()
        },
        "recent": list(progress.recent),
    }  # fmt: skip


def _short(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def progress_from(told: Any) -> DrillProgress:
    """Progress from a JSON object that anybody may have written. Raises DrillError."""
    try:
        if told["version"] != VERSION or set(told) != {"version", "skills", "recent"}:
            raise ValueError("version")
        skills = {_skill(skill): _record(skill, row) for skill, row in told["skills"].items()}
        recent = tuple(_name(name) for name in told["recent"])
        if len(recent) > RECENT:
            raise ValueError("recent")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DrillError("This is no progress in the exercises: begin anew.") from error
    return DrillProgress(skills, recent)


def _skill(skill: Any) -> str:
    if skill not in SKILLS:
        raise ValueError(skill)
    return str(skill)


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError("name")
    try:
        parts_of(name)
    except DrillError as error:
        raise ValueError(name) from error
    return name


def _record(skill: str, row: Any) -> SkillRecord:
    state, step, stability, difficulty, due, last, level, run, asked, right, lost, wrong = row
    State(state)
    within = [
        (state, 1, 3), (step, 0, 1), (stability, 0.001, 36500.0), (difficulty, 1.0, 10.0),
        (due, 0, LAST_SECOND), (last, 0, LAST_SECOND), (level, 1, LEVELS), (run, 0, RISES_AFTER),
        (asked, 1, 10**7), (right, 0, asked), (lost, 0, 10**9),
    ]  # fmt: skip
    for at, (number, least, most) in enumerate(within):
        if number is None and at in (1, 2, 3, 5):
            continue
        if type(number) not in (int, float) or not least <= number <= most:
            raise ValueError("number")
    if any(type(whole) is not int for whole in (state, level, run, asked, right)):
        raise ValueError("number")
    names = tuple(_name(name) for name in wrong)
    if len(names) > MOST_WRONG or any(parts_of(name)[0] != skill for name in names):
        raise ValueError("wrong")
    # A card that was reviewed has its memory, and one that was not has none.
    if (stability is None) != (difficulty is None) or (state > 1 and stability is None):
        raise ValueError("card")
    if state != int(State.Review) and step is None:
        raise ValueError("step")
    return SkillRecord(
        state, step, stability, difficulty, due, last, level, run, asked, right, lost, names
    )
