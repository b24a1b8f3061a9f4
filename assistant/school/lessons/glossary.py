"""The glossary of the game's words, and the quiz of the señas."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from assistant.language.lexicon import fold
from assistant.rules.errors import MusError

# ---- The glossary: the words of the game, each in one or two sentences --------------------------
# It is given the parsed ``models/<language>/glossary.toml`` and reads no file itself.


KEYS = frozenset({"term", "means", "said", "see"})


class GlossaryError(MusError, ValueError):
    """A glossary that cannot be used; the text names the entry."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game: what it means, how it is said at a table, and which others to see."""

    name: str
    means: str
    said: str = ""
    see: tuple[str, ...] = ()

    @property
    def aloud(self) -> str:
        """The entry as it is read aloud."""
        said = f" Por ejemplo: {self.said}" if self.said else ""
        return f"{self.name}. {self.means}{said}"


def glossary_from(table: Mapping[str, Any]) -> tuple[Term, ...]:
    """The terms of a parsed file, in the order of the alphabet. Raises GlossaryError."""
    rows = table.get("term")
    if not isinstance(rows, list) or not rows:
        raise GlossaryError("A glossary has [[term]] entries.")
    terms = [_term(row, number) for number, row in enumerate(rows, start=1)]
    names = {term.name for term in terms}
    if len({_key(name) for name in names}) < len(terms):
        twice = next(term.name for term in terms if sum(t.name == term.name for t in terms) > 1)
        raise GlossaryError(f"The glossary has {twice!r} twice.")
    for term in terms:
        if unknown := set(term.see) - names:
            raise GlossaryError(f"{term.name}: see {min(unknown)!r}, which is no entry.")
    return tuple(sorted(terms, key=lambda term: _key(term.name)))


def found_in(terms: Sequence[Term], asked: str) -> tuple[Term, ...]:
    """The terms of that name; else those with it in their name; else in what they mean."""
    wanted = _key(asked)
    if not wanted:  # an empty text is part of every name
        return ()
    tries = (
        [term for term in terms if _key(term.name) == wanted],
        [term for term in terms if wanted in _key(term.name)],
        [term for term in terms if wanted in _key(f"{term.means} {term.said}")],
    )
    return tuple(next(filter(None, tries), ()))


def _term(row: Any, number: int) -> Term:
    if not isinstance(row, dict) or not {"term", "means"} <= set(row) <= KEYS:
        raise GlossaryError(f"[[term]] number {number} needs term and means, and may have said "
                            "and see.")  # fmt: skip
    see = row.get("see", [])
    texts = [row["term"], row["means"], row.get("said", ""), *see]
    if not isinstance(see, list) or not all(isinstance(text, str) for text in texts):
        raise GlossaryError(f"[[term]] number {number}: write texts, and see as a list of them.")
    return Term(row["term"], row["means"], row.get("said", ""), tuple(see))


def _key(text: str) -> str:
    return " ".join(map(fold, text.split()))


# ---- The quiz of señas: a drawing, and what he holds; or what he holds, and which drawing (R58)


CHOICES = 4
"""Answers of a question."""


class QuizWay(StrEnum):
    """What is shown, and what is asked for."""

    HOLDS = "holds"
    """A drawing is shown: what does he hold?"""
    GESTURE = "gesture"
    """What he holds is told: which drawing is it?"""


@dataclass(frozen=True, slots=True)
class Sign:
    """A seña: what a player holds, what he does, when he may, and the name of its drawing."""

    holds: str
    gesture: str
    draw: str
    when: str = ""


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
