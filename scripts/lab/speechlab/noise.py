"""Sounds beside the speaker: coloured noise, hum, music, recordings, babble and knocks."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.signal import butter, lfilter

from . import people_noise
from .audio import RATE, Samples

Fetch = Callable[[int], Samples]


def coloured(length: int, rng: np.random.Generator, slope: float) -> Samples:
    """Return noise of unit power whose spectrum falls as 1/f**slope (0 white, 1 pink)."""
    frequencies = np.fft.rfftfreq(length, 1 / RATE)
    frequencies[0] = frequencies[1]
    spectrum = rng.standard_normal(len(frequencies)) + 1j * rng.standard_normal(len(frequencies))
    noise = np.fft.irfft(spectrum * frequencies ** (-slope / 2), length)
    return np.asarray(noise / (noise.std() + 1e-9), np.float32)


def hum(length: int, rng: np.random.Generator) -> Samples:
    """Return a steady tone in pink noise: a fan, a fridge, a mains hum."""
    tone = np.sin(2 * np.pi * rng.uniform(50, 1000) * np.arange(length) / RATE)
    return np.asarray(tone + 0.3 * coloured(length, rng, 1), np.float32)


def excerpt(recordings: Sequence[Samples], length: int, rng: np.random.Generator) -> Samples:
    """Return a random stretch of one recording, repeated if it is too short."""
    recording = recordings[int(rng.integers(len(recordings)))]
    start = rng.integers(max(1, len(recording) - length))
    return np.resize(recording[start:], length)


def babble(length: int, fetch: Fetch, count: int, rng: np.random.Generator) -> Samples:
    """Return three to seven voices at once, from a pool of `count` clips behind `fetch`."""
    crowd = np.zeros(length, np.float32)
    for _ in range(rng.integers(3, 8)):
        line = np.concatenate([fetch(int(rng.integers(count))) for _ in range(3)])
        start = rng.integers(4000)
        crowd += np.resize(line, length + 4000)[start : start + length] * rng.uniform(0.4, 1)
    return crowd


def knocks(length: int, rng: np.random.Generator) -> Samples:
    """Return one to five knocks, claps, clinks, laughs or coughs at random places, peaks to 1."""
    scene = np.zeros(length, np.float32)
    for _ in range(rng.integers(1, 6)):
        one = _sound(rng)
        at = rng.integers(max(1, length - 1))
        scene[at : at + len(one)] += one[: length - at]
    return scene


def clatter(length: int, rng: np.random.Generator) -> Samples:
    """Return a kitchen or a counter: endless hits, few of them loud, on a bed of noise."""
    scene = 0.02 * coloured(length, rng, rng.uniform(0.5, 2))
    for _ in range(1 + int(length / RATE * rng.uniform(2, 12))):
        one = hit(rng) * rng.lognormal(-1.5, 0.9)
        at = rng.integers(length)
        scene[at : at + len(one)] += one[: length - at]
    return np.asarray(scene, np.float32)


def _sound(rng: np.random.Generator) -> Samples:
    """Return a hit or, one time in four, a sound that somebody makes without a word."""
    if rng.random() < 0.75:
        return hit(rng)
    made = (people_noise.laughter, people_noise.cough, people_noise.shuffle)[rng.integers(3)](rng)
    return np.asarray(made * rng.uniform(0.1, 1), np.float32)


def hit(rng: np.random.Generator) -> Samples:
    """Return a knuckle, a glass, a clap, a slapped card or a clink, with a peak of 0.1 to 1."""
    length = int(RATE * rng.uniform(0.02, 0.3))
    time = np.arange(length) / RATE
    dice = rng.random()
    if dice < 0.35:  # a knuckle or a glass on the wood
        low = butter(2, rng.uniform(200, 1200) / (RATE / 2))
        sound = lfilter(*low, rng.standard_normal(length))
        sound = sound * np.exp(-time / rng.uniform(0.004, 0.06))
    elif dice < 0.65:  # a clap, a slapped card
        sound = rng.standard_normal(length) * np.exp(-time / rng.uniform(0.003, 0.02))
    else:  # a clink of stones or glass
        tones = rng.uniform(900, 6500, 4)[:, None] * time + rng.uniform(0, 1, 4)[:, None]
        sound = (np.sin(2 * np.pi * tones) * rng.uniform(0.2, 1, 4)[:, None]).sum(0)
        sound = sound * np.exp(-time / rng.uniform(0.02, 0.1))
    return np.asarray(sound / (np.abs(sound).max() + 1e-9) * rng.uniform(0.1, 1), np.float32)
