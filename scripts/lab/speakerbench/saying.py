"""What the bench's players say: the prompts of the enrolment, and then other calls."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scripts.lab.rendering.voices import Floats, Manner, Voice, speak

PROMPTS = (
    "mus", "no hay mus", "paso", "envido", "envido cinco", "quiero", "no quiero", "cinco más",
    "órdago", "órdago a la grande", "a la chica", "pares sí", "pares no", "juego no llevo",
    "treinta y una",
)  # fmt: skip
CALLS = (
    "mus", "no hay mus", "paso", "envido", "quiero", "no quiero", "órdago", "envido tres",
    "envido a la grande", "paso a pares", "envido a la chica", "dos más", "tres más",
    "no llevo pares", "sí llevo", "juego sí", "juego no", "tengo duples", "órdago a pares",
    "quiero los cinco", "corto", "no hay", "dos cartas", "yo paso", "yo no", "yo sí",
    "envido a juego", "envido diez", "paso a la chica", "no tengo juego", "venga mus",
    "otros cinco",
)  # fmt: skip
"""A quarter of them are prompts said anew. The enrolment has not heard the others."""
SPEEDS, PITCH = (0.85, 1.2), 0.06
"""Range of somebody's speed, relative to his own; spread of his pitch, as a logarithm."""


def read(voice: Voice, dice: np.random.Generator) -> Iterator[Floats]:
    """The prompts, read by a voice."""
    for text in PROMPTS:
        yield _said(voice, text, dice)


def called(voice: Voice, count: int, dice: np.random.Generator) -> Iterator[Floats]:
    """This many calls by a voice, each said in its own manner."""
    order = dice.permutation(len(CALLS))
    for at in range(count):
        yield _said(voice, CALLS[order[at % len(CALLS)]], dice)


def _said(voice: Voice, text: str, dice: np.random.Generator) -> Floats:
    manner = Manner(dice.uniform(*SPEEDS), float(np.exp(dice.normal() * PITCH)))
    return speak(voice, text, manner)
