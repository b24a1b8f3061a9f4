"""Sentences as WAV files in memory: made once, and never too many kept."""

from __future__ import annotations

import shutil

import pytest

from assistant.voice import Sounds, VoiceSettings, seconds_of

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _voice() -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("not installed: espeak-ng")


def test_a_sentence_is_sound_and_the_same_one_is_made_once() -> None:
    sounds = Sounds(VoiceSettings("es"))
    envido = sounds.of("Envido.")
    assert envido[:4] == b"RIFF"
    assert 0.3 < seconds_of(envido) < 3.0
    assert sounds.of("Envido.") is envido
    sounds.close()


def test_no_more_is_kept_than_may_be() -> None:
    sounds = Sounds(VoiceSettings("es"), most=60_000)
    first = sounds.of("Órdago a la grande.")
    for text in ("Uno.", "Dos.", "Tres."):
        sounds.of(text)
        assert sounds.size <= 60_000 or sounds.size == len(sounds.of(text))
    assert sounds.of("Órdago a la grande.") is not first
    sounds.close()
