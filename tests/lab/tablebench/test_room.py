"""The acoustics of a bar: the direct sound is kept, and near sounds are drier than far ones."""

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("pyroomacoustics", reason="needs the train extra")

from scripts.lab.rendering.voices import Floats
from scripts.lab.speechlab.audio import RATE
from scripts.lab.tablebench import room

CLICK = np.eye(1, RATE, dtype=np.float32)[0]
DIRECT = round(0.0025 * RATE)


def _ratio(response: Floats) -> float:
    """The direct-to-reverberant ratio in dB."""
    direct, after = (np.square(part).sum() for part in (response[:DIRECT], response[DIRECT:]))
    return float(10 * np.log10(direct / after))


@pytest.mark.parametrize("seed", range(room.BARS))
def test_players_sound_dry_and_others_do_not(seed: int) -> None:
    for seat in range(1, 5):
        assert 2.9 < _ratio(room.near(CLICK, seat, seed)) < 8.1
    for place in range(room.PLACES):
        assert -6.1 < _ratio(room.far(CLICK, seed, place)) < 2.1


def test_the_direct_sound_keeps_its_level_and_its_time() -> None:
    for heard in (room.near(CLICK, 1, 0), room.far(CLICK, 0)):
        assert np.square(heard[:DIRECT]).sum() == pytest.approx(1, rel=0.01)
        assert np.argmax(np.abs(heard)) < DIRECT


def test_a_bar_reverberates_and_falls_silent_within_a_second() -> None:
    heard = room.far(CLICK[:1], 3)
    assert RATE // 4 < len(heard) < RATE
    parts = [np.square(heard[at : at + 800]).sum() for at in range(800, len(heard) - 800, 800)]
    fading = np.polyfit(np.arange(len(parts)) * 0.05, 10 * np.log10(parts), 1)[0]
    assert -180 < fading < -80, "dB a second"


def test_every_place_sounds_different_and_reproducible() -> None:
    heard = [room.near(CLICK, seat, 1) for seat in range(1, 5)]
    heard += [room.far(CLICK, 1, place) for place in range(room.PLACES)]
    heard += [room.near(CLICK, 1, 2)]
    assert len({sound.tobytes() for sound in heard}) == len(heard)
    assert np.array_equal(heard[0], room.near(CLICK, 1, 1 + room.BARS))
