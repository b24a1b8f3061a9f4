"""The ear hears spoken answers to a question at a real table; espeak-ng speaks them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.ear import Recogniser
from assistant.ear.audio import RATE, Samples
from assistant.ear.hearing import attend
from assistant.ear.source import BLOCK, Block
from assistant.messages import Heard
from tests.ear.conftest import Say, model_dir, say
from tests.table.sounds import take
from tests.table.test_answers import QUESTIONERS, Asked, answers, filled, lexicon_of

__all__ = ["model_dir", "say"]

SPANISH = [(question, pick, wording) for code, question, pick, wording in answers() if code == "es"]
QUESTIONS = sorted({question for question, _, _ in SPANISH})
HEARD = 0.9
"""The share of answers that must end a question at once. The others are repeated."""


@pytest.fixture(scope="module")
def ear(model_dir: Path) -> Recogniser:
    return Recogniser(model_dir, lexicon_of("es").whole_grammar())


def hear(ear: Recogniser, asked: Asked, sound: Samples) -> Iterator[Heard]:
    table = asked.table
    attend(ear, table.lexicon, lambda: table.state, lambda: table.question)
    results = []
    for start in range(0, len(sound), BLOCK):
        samples = sound[start : start + BLOCK]
        results += ear.feed(Block(samples, 3.0 + (start + len(samples)) / RATE))
    for one in [*results, *ear.flush()]:
        if isinstance(one, Heard):
            yield replace(one, seat=asked.seat)


def is_answered(ear: Recogniser, say: Say, question: str, pick: str, wording: str) -> bool:
    asked = QUESTIONERS[question]("es", pick)
    sound = say(0.5, filled("es", wording, asked), 0.9)
    outcomes = tuple(
        outcome for heard in hear(ear, asked, sound) for outcome in take(asked.table, heard)
    )
    return bool(outcomes) and asked.right(outcomes, asked.table)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answers_to_a_question_are_heard(ear: Recogniser, say: Say, question: str) -> None:
    said = [(pick, wording) for asked, pick, wording in SPANISH if asked == question]
    lost = [one for one in said if not is_answered(ear, say, question, *one)]
    assert len(said) - len(lost) >= HEARD * len(said), lost
