"""The way through a lesson: a step is shown, asked, answered right or wrong, and then the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from assistant.lessons.data import Kind, Lesson, LessonStep
from assistant.lessons.judge import Verdict


class Mood(StrEnum):
    """How the present step stands."""

    SHOWN = "shown"
    ASKED = "asked"
    RIGHT = "right"
    WRONG = "wrong"
    OVER = "over"


class Move(StrEnum):
    """What whoever learns does."""

    NEXT = "next"
    RIGHT = "right"
    WRONG = "wrong"


ON = "on"
"""Stands for the next step, or the end."""
TRANSITIONS: dict[tuple[Mood, Move], Mood | str] = {
    (Mood.SHOWN, Move.NEXT): ON,
    (Mood.ASKED, Move.RIGHT): Mood.RIGHT,
    (Mood.ASKED, Move.WRONG): Mood.WRONG,
    (Mood.ASKED, Move.NEXT): ON,  # nobody is kept in a question
    (Mood.WRONG, Move.RIGHT): Mood.RIGHT,
    (Mood.WRONG, Move.WRONG): Mood.WRONG,
    (Mood.WRONG, Move.NEXT): ON,
    (Mood.RIGHT, Move.NEXT): ON,
}


@dataclass(frozen=True, slots=True)
class Walk:
    """Where somebody is in a lesson.

    at       the step, from 0; ``len(lesson.steps)`` once it is over
    verdict  of the last answer to this step
    right    questions that were answered right at the first try
    """

    lesson: Lesson
    at: int
    mood: Mood
    verdict: Verdict | None = None
    right: int = 0

    @property
    def step(self) -> LessonStep | None:
        """The present step; None at the end."""
        return None if self.mood is Mood.OVER else self.lesson.steps[self.at]

    def next(self) -> Walk:
        """Go on. The end stays the end."""
        return self._moved(Move.NEXT)

    def answered(self, verdict: Verdict) -> Walk:
        """Take an answer; what was not understood changes nothing but what is told."""
        if (self.mood, Move.RIGHT) not in TRANSITIONS:
            return self
        if not verdict.understood:
            return replace(self, verdict=verdict)
        first = self.mood is Mood.ASKED
        there = replace(self, verdict=verdict, right=self.right + (verdict.right and first))
        return there._moved(Move.RIGHT if verdict.right else Move.WRONG)

    def _moved(self, move: Move) -> Walk:
        to = TRANSITIONS.get((self.mood, move))
        if to is None:
            return self
        if to == ON:
            return begin(self.lesson, self.at + 1, self.right)
        return replace(self, mood=Mood(to))


def begin(lesson: Lesson, at: int = 0, right: int = 0) -> Walk:
    """A lesson from a step on; the step after the last is its end."""
    if at >= len(lesson.steps):
        return Walk(lesson, len(lesson.steps), Mood.OVER, right=right)
    at = max(at, 0)
    mood = Mood.SHOWN if lesson.steps[at].kind is Kind.READ else Mood.ASKED
    return Walk(lesson, at, mood, right=right)
