"""Clip stores: what is packed for another machine comes back, and nothing else does."""

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("soundfile", reason="needs the train extra")

from scripts.lab.speechlab import clips
from scripts.lab.speechlab.audio import RATE, Samples

needs_ffmpeg = pytest.mark.skipif(shutil.which(clips.PACKER) is None, reason="needs ffmpeg")


def tone(hertz: float, seconds: float) -> Samples:
    time = np.arange(round(seconds * RATE)) / RATE
    return np.asarray(0.5 * np.sin(2 * np.pi * hertz * time), np.float32)


ITEMS = [
    (clips.Clip("envido", "call", "kokoro:af_bella", False), tone(300, 0.4)),
    (clips.Clip("paso", "call", "kokoro:am_adam", True), tone(700, 0.71234)),
]


@needs_ffmpeg
def test_a_packed_store_has_the_same_clips_and_nearly_the_same_sound(tmp_path: Path) -> None:
    base = tmp_path / "speech-neural-1"
    clips.write(base, ITEMS)
    clips.pack(base)
    base.with_suffix(".npy").unlink()
    store = clips.ClipStore(base)
    assert store.clips == [clip for clip, _ in ITEMS]
    for index, (_, samples) in enumerate(ITEMS):
        unpacked = store.samples(index)
        assert len(unpacked) == len(samples)
        middle = slice(1600, -1600)
        assert np.corrcoef(unpacked[middle], samples[middle])[0, 1] > 0.99
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".npy", ".opus"]


@needs_ffmpeg
def test_a_pack_of_other_sound_is_refused(tmp_path: Path) -> None:
    for name, items in (("one", ITEMS), ("other", ITEMS[:1])):
        clips.write(tmp_path / name, items)
    clips.pack(tmp_path / "other").rename(tmp_path / "one.opus")
    (tmp_path / "one.npy").unlink()
    with pytest.raises(ValueError, match=r"one\.opus has other samples than one\.json says"):
        clips.ClipStore(tmp_path / "one")


@needs_ffmpeg
def test_a_store_that_is_written_anew_loses_its_old_pack(tmp_path: Path) -> None:
    base = tmp_path / "speech-1"
    clips.write(base, ITEMS)
    clips.pack(base)
    clips.write(base, ITEMS[:1])
    assert not base.with_suffix(".opus").exists()
