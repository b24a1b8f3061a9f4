"""The quiz of señas: a drawing, and what he holds; or what he holds, and which drawing (R58)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Sign:
    """A seña: what a player holds, what he does, when he may, and the name of its drawing."""

    holds: str
    gesture: str
    draw: str
    when: str = ""


CHOICES = 4
"""Answers of a question."""


class QuizWay(StrEnum):
    """The direction of a question: what is shown, and what is asked for."""

    HOLDS = "holds"
    """A drawing is shown: what does he hold?"""
    GESTURE = "gesture"
    """What he holds is told: which drawing is it?"""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: ``choices[right]`` is the sign that is asked for."""

    way: QuizWay
    choices: tuple[Sign, ...]
    right: int

    @property
    def sign(self) -> Sign:
        """The one that is asked for."""
        return self.choices[self.right]


def ask(signs: Sequence[Sign], rng: random.Random, last: Sign | None = None) -> Question:
    """A question about one of the signs, another than the last one's.

    One gesture can mean two things in a list (medias, and medias of kings): such signs never stand
    beside each other, or two answers would be right. Raises ValueError where a list is too short.
    """
    pool = [sign for sign in signs if sign != last] or list(signs)
    sign = rng.choice(pool)
    others: list[Sign] = []
    for other in rng.sample(list(signs), len(signs)):
        if other.draw not in {sign.draw, *(one.draw for one in others)}:
            others.append(other)
    if len(others) < CHOICES - 1:
        raise ValueError(f"A quiz needs {CHOICES} different gestures.")
    choices = [sign, *others[: CHOICES - 1]]
    rng.shuffle(choices)
    return Question(rng.choice(list(QuizWay)), tuple(choices), choices.index(sign))
