"""Resampling: no shift, no aliases, no seams between blocks."""

from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ear.audio import Floats, Resampler
from tests.ear.wav import tone

RATE = 16_000


def whole(samples: Floats, rate: int) -> Floats:
    resampler = Resampler(rate, RATE)
    return np.concatenate([resampler.feed(samples), resampler.finish()])


def decibels(samples: npt.NDArray[np.floating[Any]]) -> float:
    return float(10 * np.log10(np.mean(np.square(samples, dtype=np.float64)) + 1e-20))


@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000])
@pytest.mark.parametrize("hertz", [200.0, 1_000.0, 3_000.0])
def test_a_tone_comes_out_as_the_same_tone_without_a_shift(rate: int, hertz: float) -> None:
    out = whole(tone(hertz, 0.5, rate).astype(np.float32), rate)
    wanted = tone(hertz, 0.5, RATE)
    inner = slice(1_000, -1_000)
    error = out[: len(wanted)][inner] - wanted[inner]
    assert decibels(error) - decibels(wanted[inner].astype(np.float32)) < -60


@pytest.mark.parametrize("rate", [44_100, 48_000, 96_000])
@pytest.mark.parametrize("hertz", [9_000.0, 12_000.0, 15_900.0, 20_000.0])
def test_what_lies_above_the_new_half_rate_does_not_come_back_as_an_alias(
    rate: int, hertz: float
) -> None:
    out = whole(tone(hertz, 0.5, rate).astype(np.float32), rate)[1_000:-1_000]
    assert decibels(out) < decibels(tone(hertz, 0.5, rate).astype(np.float32)) - 70


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_speech_up_to_seven_kilohertz_keeps_its_level(rate: int) -> None:
    for hertz in (100.0, 4_000.0, 7_000.0):
        out = whole(tone(hertz, 0.5, rate).astype(np.float32), rate)[1_000:-1_000]
        assert decibels(out) == pytest.approx(decibels(tone(hertz, 0.5, RATE)[1:]), abs=0.2)


@given(
    rate=st.sampled_from([8_000, 11_025, 16_000, 44_100, 48_000]),
    cuts=st.lists(st.integers(0, 3_000), max_size=8),
)
def test_the_cuts_between_blocks_change_nothing(rate: int, cuts: list[int]) -> None:
    sound = np.random.default_rng(1).standard_normal(3_000).astype(np.float32)
    resampler = Resampler(rate, RATE)
    edges = [0, *sorted(cuts), len(sound)]
    pieces = [resampler.feed(sound[a:b]) for a, b in pairwise(edges)]
    out = np.concatenate([*pieces, resampler.finish()])
    np.testing.assert_allclose(out, whole(sound, rate), atol=1e-6)


@given(rate=st.integers(4_000, 50_000), length=st.integers(0, 2_000))
def test_nothing_is_lost_or_added_in_length(rate: int, length: int) -> None:
    out = whole(np.zeros(length, np.float32), rate)
    assert len(out) == ceil(length * RATE / rate)
