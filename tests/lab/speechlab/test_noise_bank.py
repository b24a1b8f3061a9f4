"""The bank of noise: the requested amount, reproducible, and without words."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the train extra")
pytest.importorskip("kaldi_native_fbank", reason="needs the train extra")
pytest.importorskip("pyroomacoustics", reason="needs the train extra")

from scripts.lab.speechlab import augment, features, noise_bank
from scripts.lab.speechlab.audio import Samples


def surroundings() -> augment.Surroundings:
    rng = np.random.default_rng(0)
    sounds = [rng.standard_normal(20000).astype(np.float32) for _ in range(3)]

    def fetch(index: int) -> Samples:
        return sounds[index]

    return augment.Surroundings([], fetch, len(sounds), sounds[:1])


@pytest.mark.parametrize("bank", [noise_bank.NOISE, noise_bank.TALK])
def test_a_bank_has_stretches_of_ten_seconds_without_text(tmp_path: Path, bank: str) -> None:
    noise_bank.write(tmp_path / bank, bank, surroundings(), 4, seed=1)
    store = features.FeatureStore(tmp_path / bank)
    assert [row.text for row in store.transcripts] == [""] * 4
    assert all(990 <= store.length(index) <= 1000 for index in range(4))
    loaded = noise_bank.load(tmp_path / bank)
    assert loaded is not None
    assert loaded.shape == (store.ends[-1], features.CEPSTRA)


@pytest.mark.parametrize("bank", [noise_bank.NOISE, noise_bank.TALK])
def test_the_same_seed_makes_the_same_bank_of_noise(tmp_path: Path, bank: str) -> None:
    for name in ("a", "b"):
        noise_bank.write(tmp_path / name, bank, surroundings(), 3, seed=5)
    first, second = (np.load(tmp_path / f"{name}.npy") for name in ("a", "b"))
    assert np.array_equal(first, second)


def test_without_a_bank_there_is_no_noise(tmp_path: Path) -> None:
    assert noise_bank.load(tmp_path / "noise") is None
