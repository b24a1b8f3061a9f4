"""The sounds behind the clips, which travel with the work folder."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("kaldi_native_fbank", reason="needs the train extra")
pytest.importorskip("scipy", reason="needs the train extra")
pytest.importorskip("soundfile", reason="needs the train extra")

from scripts.lab.speechlab import amazon_queen, clips, corpus, human, neighbours, packaged, rooms
from scripts.lab.speechlab.audio import Samples


def loud(length: int) -> Samples:
    return np.full(length, 1.25, np.float32)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A work folder with its rooms, where one person talks and one noise is heard."""
    np.save(tmp_path / "rooms.npy", np.ones((2, 10), np.float16))
    talk = [("gc_ca", 0.5 * loud(2000))]
    monkeypatch.setattr(human, "manifest", lambda _folder: [])
    monkeypatch.setattr(packaged, "bystanders", list)
    monkeypatch.setattr(neighbours, "bystanders", list)
    monkeypatch.setattr(amazon_queen, "talk", lambda **_: [])
    monkeypatch.setattr(human, "bystanders", lambda _rows: talk)
    monkeypatch.setattr(human, "noises", lambda _folder: [loud(3000)])
    corpus.bystanders.cache_clear()
    return tmp_path


def test_surroundings_that_are_kept_need_neither_recordings_nor_packages(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.keep_surroundings(work, Path("people"))

    def absent(*_: object) -> None:
        raise AssertionError("the recordings are not on this machine")

    for module, name in ((human, "bystanders"), (human, "noises"), (packaged, "bystanders")):
        monkeypatch.setattr(module, name, absent)
    corpus.bystanders.cache_clear()
    clips.write(work / "speech-1", [(clips.Clip("paso", "call", "es", False), loud(50) * 0.1)])
    ((who, said),) = corpus.bystanders(work, None)
    assert who == "gc_ca"
    np.testing.assert_allclose(said, 0.625, atol=1e-4)
    crowd = clips.ClipStore(work / "speech-1")
    around = corpus.surroundings(work, crowd, None, [said])
    (noise,) = around.recordings
    np.testing.assert_allclose(noise, 1.0, atol=1e-4)
    assert len(around.rooms) == 2


def test_what_is_kept_once_is_not_written_again(work: Path) -> None:
    corpus.keep_surroundings(work, Path("people"))
    kept = (work / "speech-bystanders.npy").stat().st_mtime_ns
    corpus.keep_surroundings(work, Path("people"))
    assert (work / "speech-bystanders.npy").stat().st_mtime_ns == kept
    assert len(rooms.load_or_make(work / "rooms.npy", 0, seed=1)) == 2
