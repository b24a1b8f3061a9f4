"""Kokoro in PyTorch sounds as it does in onnxruntime, and in a batch as alone."""

import importlib.util

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="needs the train extra")

from scripts.lab.rendering import kokoro
from scripts.lab.speechlab import kokoro_torch

VOICE = "af_bella"
SHORT, LONG = "ˈoɾðaɣo", "enβˈiðo i kwˈatɾo mˈas a la ɣɾˈande"
MOST_APART_DB = 3.0

pytestmark = [
    pytest.mark.skipif(not kokoro.has_files(VOICE), reason="needs Kokoro: docs/bench-ears.md"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def network() -> kokoro_torch.Network:
    return kokoro_torch.Network(kokoro.folder() / kokoro.MODEL, "cpu")


@pytest.mark.skipif(importlib.util.find_spec("onnxruntime") is None, reason="needs the train extra")
def test_a_sentence_sounds_as_onnxruntime_says_it(network: kokoro_torch.Network) -> None:
    expected = kokoro.said(VOICE, SHORT, 1.1)
    (said,) = network.said([kokoro.inputs(VOICE, SHORT, 1.1)])
    frames = [len(sound) // kokoro_torch.FRAME for sound in (expected, said)]
    assert abs(frames[0] - frames[1]) <= 3
    assert apart_db(expected, said) < MOST_APART_DB


def test_a_sentence_sounds_the_same_beside_a_longer_one(network: kokoro_torch.Network) -> None:
    sentences = [kokoro.inputs(VOICE, ipa, 1.3) for ipa in (SHORT, LONG)]
    beside, longer = network.said(sentences)
    (alone,) = network.said(sentences[:1])
    assert len(alone) == len(beside) < len(longer)
    assert apart_db(alone, beside) < MOST_APART_DB / 2


def apart_db(one: kokoro.Floats, other: kokoro.Floats) -> float:
    """Return the mean difference of two log spectra, of 32 bands each."""
    length = min(len(one), len(other))
    return float(np.abs(bands_db(one[:length]) - bands_db(other[:length])).mean())


def bands_db(sound: kokoro.Floats) -> npt.NDArray[np.float64]:
    windows = np.lib.stride_tricks.sliding_window_view(sound, 1024)[::256] * np.hanning(1024)
    power = np.abs(np.fft.rfft(windows)[:, :512]) ** 2
    levels = 10 * np.log10(power.reshape(len(power), 32, 16).sum(2) + 1e-9)
    return np.asarray(np.maximum(levels, levels.max() - 50))
