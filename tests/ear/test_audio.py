"""Reading WAV files: every kind that recorders write, and one sentence for what is none."""

import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.ear.audio import RATE, AudioError, Samples, read_wav, wav_seconds
from tests.ear import wav

KINDS = ("u8", "i16", "i24", "i32", "f32", "f64")


def sound_of(path: Path) -> Samples:
    return np.concatenate([np.zeros(0, np.int16), *read_wav(path)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("channels", [1, 2, 5])
@pytest.mark.parametrize("extensible", [False, True])
def test_every_width_and_number_of_channels_sounds_the_same(
    tmp_path: Path, kind: str, channels: int, extensible: bool
) -> None:
    mono = wav.tone(440, 0.3, RATE)
    sound = sound_of(wav.write(tmp_path / "a.wav", mono, RATE, kind, channels, extensible))
    tolerance = 300 if kind == "u8" else 2
    np.testing.assert_allclose(sound, np.rint(mono * 32768), atol=tolerance)


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000])
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


def test_what_is_louder_than_full_scale_is_clipped_and_not_wrapped(tmp_path: Path) -> None:
    path = wav.write(tmp_path / "a.wav", np.full(400, 3.0), RATE, "f32")
    assert set(sound_of(path).tolist()) == {32767}


def test_samples_that_are_no_numbers_are_silence(tmp_path: Path) -> None:
    path = wav.write(tmp_path / "a.wav", np.full(400, np.nan), RATE, "f32")
    assert set(sound_of(path).tolist()) == {0}


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 10_000_000])
def test_a_recording_that_was_cut_off_is_read_to_its_end(tmp_path: Path, size: int) -> None:
    data = wav.encoded(wav.tone(440, 0.5, RATE)[:, None], "i16")
    path = tmp_path / "cut.wav"
    path.write_bytes(wav.header(wav.PCM, 1, RATE, 16, size) + data + b"\0")  # and half a sample
    assert len(sound_of(path)) == RATE // 2
    assert wav_seconds(path) == pytest.approx(0.5)


def test_what_follows_the_sound_is_not_heard(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_is_no_sound_is_told_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(content)
    with pytest.raises(AudioError, match=r"x\.wav .*\.$") as caught:
        read_wav(path)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(AudioError, match="No such file"):
        read_wav(tmp_path / "nobody.wav")
    with pytest.raises(AudioError, match="directory"):
        read_wav(tmp_path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(flips=st.lists(st.tuples(st.integers(0, 79), st.integers(0, 255)), max_size=6))
def test_a_damaged_header_gives_sound_or_a_sentence_but_no_crash(
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
    with path.open("wb") as file:  # a sparse file: it takes no disk either
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
