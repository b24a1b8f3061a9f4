"""How far somebody has come: in each lesson, and in the quiz of each list of señas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.lessons.walk import Mood, Walk

VERSION = 1


@dataclass(frozen=True, slots=True)
class Score:
    """Questions of a quiz that were answered, and how many of them right."""

    asked: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept.

    at     the step to go on with, by the lesson's name
    done   the lessons that were gone through, each with how many questions were right at once
    quiz   by the name of the list
    """

    at: Mapping[str, int] = field(default_factory=dict)
    done: Mapping[str, int] = field(default_factory=dict)
    quiz: Mapping[str, Score] = field(default_factory=dict)


def kept_to(kept: Kept) -> dict[str, Any]:
    """For a JSON file."""
    quiz = {name: [score.asked, score.right] for name, score in kept.quiz.items()}
    return {"version": VERSION, "at": dict(kept.at), "done": dict(kept.done), "quiz": quiz}


def kept_from(told: Any) -> Kept:
    """What a JSON file holds. Raises ValueError where that is something else."""
    try:
        if told["version"] != VERSION:
            raise ValueError(f"version {told['version']!r}")
        quiz = {
            str(name): Score(int(asked), int(right))
            for name, (asked, right) in told["quiz"].items()
        }
        return Kept(_counts(told["at"]), _counts(told["done"]), quiz)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def _counts(told: Any) -> dict[str, int]:
    return {str(name): max(int(count), 0) for name, count in told.items()}


def come_to(kept: Kept, walk: Walk) -> Kept:
    """What is kept once somebody stands there; a lesson that is over begins anew next time."""
    name = walk.lesson.name
    if walk.mood is not Mood.OVER:
        return replace(kept, at={**kept.at, name: walk.at})
    at = {other: step for other, step in kept.at.items() if other != name}
    best = max(walk.right, kept.done.get(name, 0))
    return replace(kept, at=at, done={**kept.done, name: best})


def scored(kept: Kept, quiz: str, right: bool) -> Kept:
    """What is kept after one more answer in a quiz."""
    before = kept.quiz.get(quiz, Score())
    return replace(kept, quiz={**kept.quiz, quiz: Score(before.asked + 1, before.right + right)})
