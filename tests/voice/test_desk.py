"""The thread of a voice: its sentences in order, silence, and urgent sentences."""

import logging
from threading import Event, current_thread

import pytest

from assistant.voice.port import SentenceQueue
from assistant.voice.speaker import SpeechThread
from tests.voice.parts import until


class Mouth:
    """Speaks each sentence at once, and a "long" one until it is stopped."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.stopped: list[str] = []
        self.threads: set[str] = set()
        self.finished = 0

    def speak(self, text: str, stop: Event) -> None:
        self.begun.append(text)
        self.threads.add(current_thread().name)
        if text.startswith("long") and stop.wait(10):
            self.stopped.append(text)
        if text == "stumble":
            raise RuntimeError("a stumble")

    def finish(self) -> None:
        self.finished += 1


@pytest.fixture
def mouth() -> Mouth:
    return Mouth()


@pytest.fixture
def desk(mouth: Mouth) -> SpeechThread:
    return SpeechThread(SentenceQueue(8), mouth.speak, mouth.finish)


def test_one_thread_speaks_all_sentences(desk: SpeechThread, mouth: Mouth) -> None:
    desk.say("one", seq=1)
    desk.say("two", seq=1)
    desk.close()
    assert mouth.begun == ["one", "two"]
    assert mouth.threads == {"voice"}
    assert mouth.finished == 1


def test_silence_stops_the_present_sentence_and_forgets_the_rest(
    desk: SpeechThread, mouth: Mouth
) -> None:
    desk.say("long", seq=1)
    assert until(lambda: mouth.begun == ["long"])
    desk.say("waits", seq=1)
    desk.silence()
    assert until(lambda: mouth.stopped == ["long"])
    desk.close()
    assert mouth.begun == ["long"]


def test_an_urgent_sentence_cuts_an_older_one_short(desk: SpeechThread, mouth: Mouth) -> None:
    desk.say("long", seq=1)
    assert until(lambda: mouth.begun == ["long"])
    desk.say("urgent", seq=2, urgent=True)
    desk.close()
    assert mouth.stopped == ["long"]
    assert mouth.begun == ["long", "urgent"]


@pytest.mark.parametrize(
    ("first_urgent", "second_seq", "second_urgent"),
    [(True, 2, True), (False, 2, False), (False, 1, True)],
    ids=["both urgent", "neither urgent", "of the same event"],
)
def test_no_other_sentence_is_cut_short(
    desk: SpeechThread, mouth: Mouth, first_urgent: bool, second_seq: int, second_urgent: bool
) -> None:
    desk.say("long", seq=1, urgent=first_urgent)
    assert until(lambda: mouth.begun == ["long"])
    desk.say("second", seq=second_seq, urgent=second_urgent)
    assert not until(lambda: bool(mouth.stopped), seconds=0.1)
    desk.close(grace=0.1)
    assert mouth.stopped == ["long"]


def test_closing_waits_no_longer_than_its_grace_period(desk: SpeechThread, mouth: Mouth) -> None:
    desk.say("long", seq=1, urgent=True)
    desk.say("never", seq=1, urgent=True)
    assert until(lambda: mouth.begun == ["long"])
    desk.close(grace=0.1)
    assert mouth.begun == ["long"]
    assert mouth.stopped == ["long"]
    assert mouth.finished == 1


def test_a_failure_is_logged_and_the_next_sentence_spoken(
    desk: SpeechThread, mouth: Mouth, caplog: pytest.LogCaptureFixture
) -> None:
    desk.say("stumble", seq=1)
    desk.say("next", seq=1)
    desk.close()
    assert mouth.begun == ["stumble", "next"]
    assert "not said: stumble" in caplog.text


def test_spoken_and_overtaken_sentences_are_logged(
    desk: SpeechThread, mouth: Mouth, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="mus.voice"):
        desk.say("long", seq=1)
        assert until(lambda: mouth.begun == ["long"])
        desk.say("old", seq=2)
        desk.say("new", seq=3, urgent=True)
        desk.close()
    said = [r.message for r in caplog.records if r.levelno == logging.INFO]
    assert said == ["long", "new"]
    assert "overtaken: old" in caplog.messages
