"""The ear at a table: what it hears is posted, and the microphone learns what became of it."""

from __future__ import annotations

from concurrent.futures import Future
from types import SimpleNamespace
from typing import cast

from assistant.ear import EchoGate, Hears, MicrophoneSource
from assistant.ear.listening import TableEar, install
from assistant.language.lexicon import TalkReason
from assistant.messages import Accepted, Heard, Ignored, Outcome, Word
from assistant.page.house import House
from assistant.rules.calls import Pass

PASO = Heard((Word("yo", 1.0, 1.2), Word("paso", 1.2, 1.6)))
TAKEN = Accepted((), Pass())


class Microphone(MicrophoneSource):
    """A microphone that notes what the table has taken."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[float, float]] = []

    def taken(self, start: float, end: float) -> None:
        self.told.append((start, end))


def table(microphone: MicrophoneSource, answer: Future[tuple[Outcome, ...]]) -> TableEar:
    """The ear of a table that answers so."""
    board = SimpleNamespace(partial=lambda _: None)
    house = SimpleNamespace(
        settings=SimpleNamespace(listen=None), board=board, post=lambda _: answer
    )
    hears = cast(Hears, SimpleNamespace())
    return install(cast(House, house), hears, EchoGate(), source=microphone)


def hear(heard: Heard, *outcomes: Outcome, failure: Exception | None = None) -> Microphone:
    microphone, answer = Microphone(), Future[tuple[Outcome, ...]]()
    table(microphone, answer)._heard(heard)
    assert not microphone.told  # nothing is known before the table has answered
    if failure:
        answer.set_exception(failure)
    else:
        answer.set_result(outcomes)
    return microphone


def test_a_microphone_is_told_when_a_call_sounded_that_the_table_has_taken() -> None:
    assert hear(PASO, TAKEN).told == [(1.0, 1.6)]
    assert hear(PASO, Ignored(TalkReason.TALK), TAKEN).told == [(1.0, 1.6)]


def test_a_microphone_learns_nothing_from_talk_nor_from_a_failure() -> None:
    assert not hear(PASO, Ignored(TalkReason.TALK)).told
    assert not hear(PASO).told
    assert not hear(PASO, failure=OSError("the disk is full")).told
    assert not hear(Heard(()), TAKEN).told
