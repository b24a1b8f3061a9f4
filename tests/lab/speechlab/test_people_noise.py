"""Sounds without words for training: each one is different, with a peak of at most one."""

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("scipy", reason="needs the train extra")

from scripts.lab.speechlab import noise, people_noise
from scripts.lab.speechlab.audio import RATE, Samples

SOUNDS = (people_noise.laughter, people_noise.cough, people_noise.shuffle)


@pytest.mark.parametrize("make", SOUNDS, ids=lambda make: make.__name__)
def test_a_sound_is_short_and_has_a_peak_of_one(
    make: Callable[[np.random.Generator], Samples],
) -> None:
    rng = np.random.default_rng(3)
    made: list[Samples] = [make(rng) for _ in range(20)]
    for samples in made:
        assert np.isfinite(samples).all()
        assert np.abs(samples).max() == pytest.approx(1)
        assert 0.1 < len(samples) / RATE < 4
    assert len({len(samples) for samples in made}) > 1


def test_music_has_the_requested_length_and_the_power_of_other_noise() -> None:
    rng = np.random.default_rng(3)
    for length in (100, RATE, 5 * RATE + 1):
        samples = people_noise.music(length, rng)
        assert len(samples) == length
        assert np.isfinite(samples).all()
    assert samples.std() == pytest.approx(1, abs=0.3)


def test_clatter_has_the_requested_length_and_consists_of_hits() -> None:
    rng = np.random.default_rng(3)
    for length in (100, RATE, 5 * RATE + 1):
        samples = noise.clatter(length, rng)
        assert len(samples) == length
        assert np.isfinite(samples).all()
    assert np.abs(samples).max() > 5 * samples.std()
