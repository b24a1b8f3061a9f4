"""A page may hear what it was given, and nothing else."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator

import pytest

from assistant.voice import Sounds, VoiceError, VoiceSettings
from assistant.voice import wav as pronounce
from assistant.voice.wav import NotOfferedError, Pronouncer
from tests.voice.parts import needs_speech

pytestmark = pytest.mark.slow


@pytest.fixture
def pronouncer() -> Iterator[Pronouncer]:
    one = Pronouncer(Sounds(VoiceSettings()))
    yield one
    one.close()


@needs_speech
def test_a_call_becomes_a_sound_that_a_browser_plays(pronouncer: Pronouncer) -> None:
    pronouncer.offer(["Envido", "No quiero"])
    for text in ("Envido", "No quiero"):
        with wave.open(io.BytesIO(pronouncer(text))) as sound:
            assert 0.3 < sound.getnframes() / sound.getframerate() < 3
    assert pronouncer("Envido") is pronouncer("Envido"), "a sound is made once"


def test_what_no_page_was_given_is_not_read(pronouncer: Pronouncer) -> None:
    pronouncer.offer(["Envido", "", "a" * (pronounce.LONGEST + 1)])
    for text in ("En un lugar de la Mancha", "", "a" * (pronounce.LONGEST + 1)):
        with pytest.raises(NotOfferedError):
            pronouncer(text)


@needs_speech
def test_only_the_newest_texts_may_be_asked_for(
    pronouncer: Pronouncer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pronounce, "OFFERED", 3)
    pronouncer.offer(["mus", "paso", "quiero", "órdago"])
    with pytest.raises(NotOfferedError):
        pronouncer("mus")
    assert pronouncer("paso")


@needs_speech
def test_a_machine_that_cannot_speak_says_so() -> None:
    mute = Pronouncer(Sounds(VoiceSettings(name="nobody has this voice")))
    mute.offer(["mus"])
    try:
        with pytest.raises(VoiceError, match="choose one of"):
            mute("mus")
    finally:
        mute.close()
