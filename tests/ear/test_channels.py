"""Of several channels the one that somebody is heard best in is taken; none harms the others."""

from pathlib import Path

import numpy as np
import pytest

from assistant.ear.audio import RATE, SILENCE, ChannelChoice, Floats, decibels, read_frames
from assistant.ear.source import BLOCK, FileSource
from tests.ear import wav


def hiss(level: float, seconds: float, seed: int) -> Floats:
    """White noise of so many dB below full scale."""
    made = np.random.default_rng(seed).normal(0, 10 ** (level / 20), round(seconds * RATE))
    return made.astype(np.float32)


def table(*said: float) -> Floats:
    """A quiet second, then one in which a voice reaches each channel so many dB below full."""
    voice = wav.tone(300, 1.0, RATE) / 0.5
    return np.stack(
        [
            hiss(-60, 2.0, seed) + np.concatenate([np.zeros(RATE), voice * 10 ** (level / 20)])
            for seed, level in enumerate(said)
        ],
        axis=1,
    ).astype(np.float32)


def taken(frames: Floats) -> list[int]:
    """The channel of every block."""
    choice = ChannelChoice(frames.shape[1])
    found = []
    for start in range(0, len(frames), BLOCK):
        choice.mix(frames[start : start + BLOCK])
        found.append(choice.taken)
    return found


def test_the_channel_next_to_the_voice_is_taken_from_its_first_block_on() -> None:
    assert taken(table(-40, -40, -20, -40))[RATE // BLOCK :] == [2] * 20


def test_while_nobody_speaks_nothing_changes() -> None:
    frames = np.stack([hiss(-50, 5.0, seed) for seed in range(4)], axis=1)
    assert set(taken(frames)) == {0}


def test_voices_about_as_loud_do_not_go_to_and_fro() -> None:
    assert len(set(taken(table(-22, -20, -21))[RATE // BLOCK + 1 :])) == 1


def test_a_dead_channel_is_left_at_once() -> None:
    frames = table(-20, -20)
    frames[:, 0] = 0
    assert set(taken(frames)) == {1}


def test_a_clipped_channel_is_left_for_a_whole_one() -> None:
    frames = table(-3, -20)
    frames[:, 0] = np.clip(frames[:, 0] * 20, -1, 1)
    assert taken(frames)[RATE // BLOCK :] == [1] * 20


def test_a_channel_that_hisses_does_not_drown_the_others() -> None:
    frames = table(-20, -26)
    frames[:, 0] += hiss(-22, 2.0, 9)
    assert taken(frames)[-10:] == [1] * 10


def test_a_change_of_channel_does_not_click() -> None:
    frames = np.zeros((2 * BLOCK, 2), np.float32)
    frames[:, 0], frames[BLOCK:, 1] = 0.01, 0.5
    choice = ChannelChoice(2)
    sound = np.concatenate([choice.mix(frames[:BLOCK])[0], choice.mix(frames[BLOCK:])[0]])
    assert choice.taken == 1
    assert np.abs(np.diff(sound)).max() < 0.01


def test_no_sound_has_a_level_all_the_same() -> None:
    assert decibels(np.zeros((0, 3), np.float32)).tolist() == [SILENCE] * 3


@pytest.mark.parametrize("rate", [8_000, 11_025, 44_100, 48_000])
@pytest.mark.parametrize("channels", [2, 4, 6])
def test_a_file_gives_each_block_the_levels_of_its_channels(
    rate: int, channels: int, tmp_path: Path
) -> None:
    sound = np.zeros((2 * rate, channels))
    sound[rate:, -1] = wav.tone(300, 1.0, rate)
    path = wav.write_frames(tmp_path / "a.wav", sound, rate)
    blocks = list(FileSource(path, realtime=False).blocks())
    assert sum(len(block.samples) for block in blocks) == pytest.approx(2 * RATE, abs=2)
    assert {len(block.levels) for block in blocks} == {channels}
    for block in blocks[21:39]:
        assert block.levels[-1] == pytest.approx(-9.0, abs=0.2)
        assert set(block.levels[:-1]) == {SILENCE}
        assert np.abs(block.samples).max() > 10_000
    assert np.concatenate(list(read_frames(path))).shape == sound.shape


def test_a_file_with_one_channel_has_no_levels(tmp_path: Path) -> None:
    path = wav.write(tmp_path / "a.wav", wav.tone(300, 0.2, RATE), RATE)
    assert {block.levels for block in FileSource(path, realtime=False).blocks()} == {()}
