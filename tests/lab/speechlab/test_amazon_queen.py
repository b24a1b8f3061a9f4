"""The archive of the game Flight of the Amazon Queen: its speech is split, other files ignored."""

import io
import struct
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

import soundfile

from scripts.lab.speechlab import amazon_queen, split

NAMES = [f"0{number:05}P1.SB" for number in range(12)]


def _archive(names: list[str]) -> bytes:
    """An archive in which file number n is a tone of n + 1 tenths of a second."""
    places, packed, listed = 0, b"", b""
    at = 15 + 21 * len(names)
    for number, name in enumerate(names):
        sound = io.BytesIO()
        tone = 0.3 * np.sin(np.arange(1600 * (number + 1)) / 10)
        soundfile.write(sound, tone, 16000, format="WAV")
        line = sound.getvalue()
        listed += struct.pack(">12sBII", name.encode(), 1, at + places, len(line))
        packed, places = packed + line, places + len(line)
    return b"QTBLCEM10" + bytes(4) + struct.pack(">H", len(names)) + listed + packed


def test_one_half_of_the_speech_trains_and_the_other_measures(tmp_path: Path) -> None:
    path = tmp_path / "queen.1c"
    path.write_bytes(_archive(NAMES))
    halves = [[len(line) for line in amazon_queen.talk(way, path)] for way in (False, True)]
    assert sorted(halves[0] + halves[1]) == [1600 * (number + 1) for number in range(12)]
    trains = [number for number, name in enumerate(NAMES) if not split.develops(Path(name))]
    assert halves[0] == [1600 * (number + 1) for number in trains]
    assert all(halves)


def test_files_that_are_no_speech_or_unreadable_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "queen.1c"
    assert list(amazon_queen.talk(False, path)) == []
    path.write_bytes(_archive(["AMAZON.ACT"]))
    assert list(amazon_queen.talk(False, path)) + list(amazon_queen.talk(True, path)) == []
    for size in (0, 5, 15, 40, 400):
        path.write_bytes(_archive(NAMES)[:size])
        assert list(amazon_queen.talk(False, path)) == []


def test_the_speakers_of_the_game_are_divided() -> None:
    assert amazon_queen.SPEAKER in split.DEVELOPING_SPEAKERS
