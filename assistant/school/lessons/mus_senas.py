"""The señas that the house rules teach (R58), their quiz, and ``mus senas``.

Nobody reads señas at the table; they are here to be learnt.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from assistant.files.paths import data_dir
from assistant.files.process import UsageError
from assistant.files.resources import load_toml
from assistant.files.terminal import output_text
from assistant.rules.profile import Senas

SIGN_KEYS = frozenset({"holds", "gesture", "draw", "when"})
NEEDED = SIGN_KEYS - {"when"}


@dataclass(frozen=True, slots=True)
class Sign:
    """A seña: what a player holds, what he does, when he may, and the name of its drawing."""

    holds: str
    gesture: str
    draw: str
    when: str = ""


LISTS = tuple([name for name in Senas if name is not Senas.OFF])
"""The lists that are taught; a table may play without señas and have none of them."""


def load_senas(name: Senas) -> dict[str, Any]:
    """A list of señas: title, notes, what is forbidden, and the signs.

    Raises UsageError where the file is broken.
    """
    path = data_dir("models") / "senas" / f"{name}.toml"
    table = load_toml(path)
    signs = table.get("sena")
    if not isinstance(table.get("title"), str) or not isinstance(signs, list) or not signs:
        raise UsageError("{path}: it needs a title and [[sena]] entries.", path=path)
    for number, sign in enumerate(signs, start=1):
        if not NEEDED <= set(sign) <= SIGN_KEYS:
            raise UsageError(
                "{path}: [[sena]] number {number} needs holds, gesture and draw.",
                path=path,
                number=number,
            )
    return {"name": str(name), **table}


def signs_of(table: dict[str, Any]) -> tuple[Sign, ...]:
    """The signs of a list, for the quiz."""
    return tuple(Sign(**sign) for sign in table["sena"])


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


# ---- ``mus senas`` ------------------------------------------------------------------------------


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "senas",
        help="the signs that partners may make",
        description="Print the señas of a list: what a player holds, and what he does. The "
        "assistant does not look for them; they are here to be learnt.",
    )
    parser.add_argument(
        "name",
        nargs="?",
        metavar="LIST",
        choices=[str(name) for name in LISTS],
        default=str(Senas.FEM),
        help="%(choices)s; default: %(default)s",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    table = load_senas(Senas(args.name))
    print(json.dumps(table, ensure_ascii=False) if args.json else _page(table))
    return 0


def _page(table: dict[str, Any]) -> str:
    width = max(len(sign["holds"]) for sign in table["sena"])
    signs = [
        f"  {sign['holds']:{width}}  {sign['gesture']}"
        + (f" ({sign['when']})" if "when" in sign else "")
        for sign in table["sena"]
    ]
    forbidden = [f"  {one}" for one in table.get("forbidden", [])]
    told = [output_text("It is forbidden:"), *forbidden] if forbidden else []
    return "\n".join([table["title"], *signs, *table.get("notes", []), *told])
