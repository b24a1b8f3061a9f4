"""Playing a recording on the loudspeaker while the table listens to it."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

from assistant.voice import Playback
from tests.voice.parts import ENDLESS

pytestmark = pytest.mark.slow


@pytest.fixture
def wav(checkout: Path) -> Path:
    return checkout / "models" / "demo" / "deals.wav"


def test_the_file_itself_is_played(wav: Path, tmp_path: Path) -> None:
    played = tmp_path / "played"
    playback = Playback(wav, ("/bin/sh", "-c", f'echo "$0" > {played}'))
    playback.start()
    end = time.monotonic() + 10
    while not (played.exists() and played.read_text()):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert played.read_text().strip() == str(wav)
    playback.close()


def test_playing_ends_with_the_table(wav: Path) -> None:
    playback = Playback(wav, ENDLESS)
    playback.start()
    began = time.monotonic()
    playback.close()
    assert time.monotonic() - began < 4


def test_a_machine_that_cannot_play_says_so_once(
    wav: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "mus.voice"):
        playback = Playback(wav, ("/bin/false",))
        playback.start()
        playback._thread.join(10)
        playback.close()
    assert len(caplog.records) == 1
    assert "Nobody hears the voice" in caplog.text
