"""Audio: WAV files of all kinds, resampling, and the choice among several channels."""

import struct
import tracemalloc
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.ear.audio import (
    RATE,
    SILENCE,
    AudioError,
    ChannelChoice,
    Floats,
    Resampler,
    Samples,
    decibels,
    read_frames,
    read_wav,
    wav_seconds,
)
from assistant.ear.source import BLOCK, FileSource
from tests.ear import wav
from tests.ear.wav import tone
from tests.tables import each_row

# ---- Reading WAV files: every kind that recorders write, and one sentence for any other file ----


KINDS = ("u8", "i16", "i24", "i32", "f32", "f64")


def sound_of(path: Path) -> Samples:
    return np.concatenate([np.zeros(0, np.int16), *read_wav(path)])


@each_row("kind", KINDS)
@each_row("channels", [1, 2, 5])
@each_row("extensible", [False, True])
def test_every_width_and_number_of_channels_sounds_the_same(
    tmp_path: Path, kind: str, channels: int, extensible: bool
) -> None:
    mono = wav.tone(440, 0.3, RATE)
    sound = sound_of(wav.write(tmp_path / "a.wav", mono, RATE, kind, channels, extensible))
    tolerance = 300 if kind == "u8" else 2
    np.testing.assert_allclose(sound, np.rint(mono * 32768), atol=tolerance)


@each_row("rate", [8_000, 22_050, 44_100, 48_000])
def test_every_rate_becomes_sixteen_kilohertz(tmp_path: Path, rate: int) -> None:
    path = wav.write(tmp_path / "a.wav", wav.tone(440, 0.5, rate), rate, channels=2)
    sound = sound_of(path)
    assert len(sound) == RATE // 2
    wanted = wav.tone(440, 0.5, RATE) * 32768
    np.testing.assert_allclose(sound[500:-500], wanted[500:-500], atol=30)


def test_channels_are_mixed_and_not_dropped(tmp_path: Path) -> None:
    left = wav.tone(440, 0.2, RATE)
    data = wav.encoded(np.stack([left, np.zeros_like(left)], axis=1), "i16")
    path = tmp_path / "left.wav"
    path.write_bytes(wav.header(wav.PCM, 2, RATE, 16, len(data)) + data)
    assert np.abs(sound_of(path)).max() == pytest.approx(0.25 * 32768, abs=2)


def test_samples_beyond_full_scale_are_clipped_and_do_not_wrap_around(tmp_path: Path) -> None:
    path = wav.write(tmp_path / "a.wav", np.full(400, 3.0), RATE, "f32")
    assert set(sound_of(path).tolist()) == {32767}


def test_samples_that_are_not_numbers_are_silence(tmp_path: Path) -> None:
    path = wav.write(tmp_path / "a.wav", np.full(400, np.nan), RATE, "f32")
    assert set(sound_of(path).tolist()) == {0}


@each_row("size", [0, 0xFFFFFFFF, 10_000_000])
def test_a_recording_that_was_cut_off_is_read_to_its_end(tmp_path: Path, size: int) -> None:
    data = wav.encoded(wav.tone(440, 0.5, RATE)[:, None], "i16")
    path = tmp_path / "cut.wav"
    path.write_bytes(wav.header(wav.PCM, 1, RATE, 16, size) + data + b"\0")  # and half a sample
    assert len(sound_of(path)) == RATE // 2
    assert wav_seconds(path) == pytest.approx(0.5)


def test_bytes_after_the_data_chunk_are_not_heard(tmp_path: Path) -> None:
    path = wav.write(tmp_path / "a.wav", wav.tone(440, 0.1, RATE), RATE)
    with path.open("ab") as file:
        file.write(b"LIST" + struct.pack("<I", 4) + b"\xff\x7f\xff\x7f")
    assert len(sound_of(path)) == RATE // 10


BROKEN = {
    "empty": b"",
    "text": b"Uno: mus. Dos: no hay mus, y paso a grande.",
    "mp3": b"ID3\x04\0\0\0\0\0\0" + bytes(200),
    "only the first words": b"RIFF\0\0\0\0WAVE",
    "no sound": wav.header(wav.PCM, 1, RATE, 16, 0)[:-8],
    "compressed": wav.header(wav.MULAW, 1, 8_000, 8, 4) + bytes(4),
    "twelve bits": wav.header(wav.PCM, 1, RATE, 12, 4) + bytes(4),
    "no channels": wav.header(wav.PCM, 0, RATE, 16, 4) + bytes(4),
    "no rate": wav.header(wav.PCM, 1, 0, 16, 4) + bytes(4),
    "data before format": b"RIFF\0\0\0\0WAVEdata\4\0\0\0" + bytes(4),
}


@each_row("content", BROKEN.values())
def test_a_file_that_is_no_sound_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(content)
    with pytest.raises(AudioError, match=r"x\.wav .*\.$") as caught:
        read_wav(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused_with_different_sentences(tmp_path: Path) -> None:
    with pytest.raises(AudioError, match="No such file"):
        read_wav(tmp_path / "nobody.wav")
    with pytest.raises(AudioError, match="directory"):
        read_wav(tmp_path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(flips=st.lists(st.tuples(st.integers(0, 79), st.integers(0, 255)), max_size=6))
def test_a_damaged_header_gives_sound_or_a_sentence_and_never_crashes(
    tmp_path: Path, flips: list[tuple[int, int]]
) -> None:
    content = bytearray(wav.header(wav.PCM, 2, 44_100, 16, 4_000) + bytes(4_000))
    for place, value in flips:
        content[place % len(content)] = value
    path = tmp_path / "x.wav"
    path.write_bytes(content)
    try:
        sound = sound_of(path)
    except AudioError:
        return
    assert sound.dtype == np.int16


def test_an_hour_of_sound_takes_no_more_memory_than_a_moment(tmp_path: Path) -> None:
    path = tmp_path / "hour.wav"
    size = 3_600 * 48_000 * 4
    with path.open("wb") as file:  # a sparse file takes no space on the disk
        file.write(wav.header(wav.PCM, 2, 48_000, 16, size))
        file.truncate(file.tell() + size)
    assert wav_seconds(path) == pytest.approx(3_600)
    tracemalloc.start()
    try:
        blocks = read_wav(path)
        for _ in range(60):
            next(blocks)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


# ---- Resampling: no shift, no aliases, no seams between blocks ----------------------------------


def resampled(samples: Floats, rate: int) -> Floats:
    resampler = Resampler(rate, RATE)
    return np.concatenate([resampler.feed(samples), resampler.finish()])


def level_of(samples: npt.NDArray[np.floating[Any]]) -> float:
    return float(10 * np.log10(np.mean(np.square(samples, dtype=np.float64)) + 1e-20))


@each_row("rate", [8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000])
@each_row("hertz", [200.0, 1_000.0, 3_000.0])
def test_a_tone_is_resampled_to_the_same_tone_without_a_delay(rate: int, hertz: float) -> None:
    out = resampled(tone(hertz, 0.5, rate).astype(np.float32), rate)
    wanted = tone(hertz, 0.5, RATE)
    inner = slice(1_000, -1_000)
    error = out[: len(wanted)][inner] - wanted[inner]
    assert level_of(error) - level_of(wanted[inner].astype(np.float32)) < -60


@each_row("rate", [44_100, 48_000, 96_000])
@each_row("hertz", [9_000.0, 12_000.0, 15_900.0, 20_000.0])
def test_a_tone_above_the_new_nyquist_frequency_leaves_no_alias(rate: int, hertz: float) -> None:
    out = resampled(tone(hertz, 0.5, rate).astype(np.float32), rate)[1_000:-1_000]
    assert level_of(out) < level_of(tone(hertz, 0.5, rate).astype(np.float32)) - 70


@each_row("rate", [44_100, 48_000])
def test_speech_up_to_seven_kilohertz_keeps_its_level(rate: int) -> None:
    for hertz in (100.0, 4_000.0, 7_000.0):
        out = resampled(tone(hertz, 0.5, rate).astype(np.float32), rate)[1_000:-1_000]
        assert level_of(out) == pytest.approx(level_of(tone(hertz, 0.5, RATE)[1:]), abs=0.2)


@given(
    rate=st.sampled_from([8_000, 11_025, 16_000, 44_100, 48_000]),
    cuts=st.lists(st.integers(0, 3_000), max_size=8),
)
def test_the_size_of_the_blocks_does_not_change_the_resampled_sound(
    rate: int, cuts: list[int]
) -> None:
    sound = np.random.default_rng(1).standard_normal(3_000).astype(np.float32)
    resampler = Resampler(rate, RATE)
    edges = [0, *sorted(cuts), len(sound)]
    pieces = [resampler.feed(sound[a:b]) for a, b in pairwise(edges)]
    out = np.concatenate([*pieces, resampler.finish()])
    np.testing.assert_allclose(out, resampled(sound, rate), atol=1e-6)


@given(rate=st.integers(4_000, 50_000), length=st.integers(0, 2_000))
def test_resampling_neither_loses_nor_adds_length(rate: int, length: int) -> None:
    out = resampled(np.zeros(length, np.float32), rate)
    assert len(out) == ceil(length * RATE / rate)


# ---- Of several channels, the ear takes the one in which the voice is clearest ------------------


def hiss(level: float, seconds: float, seed: int) -> Floats:
    """White noise at this level in dB below full scale."""
    made = np.random.default_rng(seed).normal(0, 10 ** (level / 20), round(seconds * RATE))
    return made.astype(np.float32)


def table(*said: float) -> Floats:
    """A quiet second, then one in which a voice reaches each channel at this level in dB."""
    voice = wav.tone(300, 1.0, RATE) / 0.5
    return np.stack(
        [
            hiss(-60, 2.0, seed) + np.concatenate([np.zeros(RATE), voice * 10 ** (level / 20)])
            for seed, level in enumerate(said)
        ],
        axis=1,
    ).astype(np.float32)


def chosen_channels(frames: Floats) -> list[int]:
    """The channel that is chosen for every block."""
    choice = ChannelChoice(frames.shape[1])
    found = []
    for start in range(0, len(frames), BLOCK):
        choice.mix(frames[start : start + BLOCK])
        found.append(choice.taken)
    return found


def test_the_channel_nearest_to_the_voice_is_chosen_from_its_first_block_on() -> None:
    assert chosen_channels(table(-40, -40, -20, -40))[RATE // BLOCK :] == [2] * 20


def test_the_channel_does_not_change_while_nobody_speaks() -> None:
    frames = np.stack([hiss(-50, 5.0, seed) for seed in range(4)], axis=1)
    assert set(chosen_channels(frames)) == {0}


def test_the_channel_does_not_flicker_between_equally_loud_voices() -> None:
    assert len(set(chosen_channels(table(-22, -20, -21))[RATE // BLOCK + 1 :])) == 1


def test_a_dead_channel_is_left_at_once() -> None:
    frames = table(-20, -20)
    frames[:, 0] = 0
    assert set(chosen_channels(frames)) == {1}


def test_a_clipped_channel_is_left_for_an_undistorted_one() -> None:
    frames = table(-3, -20)
    frames[:, 0] = np.clip(frames[:, 0] * 20, -1, 1)
    assert chosen_channels(frames)[RATE // BLOCK :] == [1] * 20


def test_a_noisy_channel_is_not_preferred_for_its_noise() -> None:
    frames = table(-20, -26)
    frames[:, 0] += hiss(-22, 2.0, 9)
    assert chosen_channels(frames)[-10:] == [1] * 10


def test_a_change_of_channel_makes_no_click() -> None:
    frames = np.zeros((2 * BLOCK, 2), np.float32)
    frames[:, 0], frames[BLOCK:, 1] = 0.01, 0.5
    choice = ChannelChoice(2)
    sound = np.concatenate([choice.mix(frames[:BLOCK])[0], choice.mix(frames[BLOCK:])[0]])
    assert choice.taken == 1
    assert np.abs(np.diff(sound)).max() < 0.01


def test_the_level_of_an_empty_sound_is_finite() -> None:
    assert decibels(np.zeros((0, 3), np.float32)).tolist() == [SILENCE] * 3


@each_row("rate", [8_000, 11_025, 44_100, 48_000])
@each_row("channels", [2, 4, 6])
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
