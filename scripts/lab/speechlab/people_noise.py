"""Sounds of people at a table without words: laughs, coughs, shuffled cards; and a bar's music.

All of it is synthesised for training. The sounds for measuring are recorded, or made otherwise.
"""

import numpy as np
import numpy.typing as npt
from scipy.signal import lfilter

from .audio import RATE, Samples


def laughter(rng: np.random.Generator) -> Samples:
    """Return three to nine short puffs of breath, some with voice, in one throat."""
    throat = _throat(rng)
    pitch, pace = rng.uniform(120, 420), rng.uniform(3.5, 6.5)
    voiced = rng.uniform(0, 0.8)
    puffs = []
    for _ in range(rng.integers(3, 10)):
        length = int(RATE / pace * rng.uniform(0.85, 1.15))
        time = np.arange(length) / RATE
        pitch *= rng.uniform(0.9, 1.02)
        pulses = (np.diff(np.floor(time * pitch), prepend=0) > 0).astype(float)
        breath = rng.standard_normal(length)
        envelope = np.sin(np.pi * np.minimum(time * pace * 1.6, 1)) ** 2
        puffs.append((voiced * 8 * pulses + (1 - voiced) * breath) * envelope)
    return _peak_one(_through(throat, np.concatenate(puffs)))


def cough(rng: np.random.Generator) -> Samples:
    """Return one to three coughs: a burst of breath and a shorter one when it ends."""
    throat, coughs = _throat(rng), []
    for _ in range(rng.integers(1, 4)):
        length = int(RATE * rng.uniform(0.18, 0.4))
        time = np.arange(length) / RATE
        envelope = np.exp(-time / rng.uniform(0.02, 0.08))
        envelope += 0.4 * np.exp(-((time - time[-1] * 0.8) ** 2) / 0.0004)
        coughs.append(rng.standard_normal(length) * envelope)
        coughs.append(np.zeros(int(RATE * rng.uniform(0.05, 0.3))))
    return _peak_one(_through(throat, np.concatenate(coughs)))


def shuffle(rng: np.random.Generator) -> Samples:
    """Return cards that run against one another: many small clicks, close together."""
    length = int(RATE * rng.uniform(0.3, 1.2))
    scene = np.zeros(length)
    click = int(0.006 * RATE)
    decay = np.exp(-np.arange(click) / RATE / 0.0015)
    for at in np.cumsum(rng.exponential(RATE / rng.uniform(25, 80), 200)).astype(int):
        if at + click >= length:
            break
        scene[at : at + click] += rng.standard_normal(click) * decay * rng.uniform(0.2, 1)
    return _peak_one(scene)


def music(length: int, rng: np.random.Generator) -> Samples:
    """Return chords, a bass and a drum, in one tempo and key: a radio in the corner."""
    beat = int(RATE * rng.uniform(0.3, 0.8))
    root, dark = rng.uniform(110, 260), rng.uniform(0.8, 2.2)
    scene = np.zeros(length + beat)
    for start in range(0, length, beat):
        step = root * 2 ** (rng.choice([0, 5, 7, 9, 2]) / 12)
        time = np.arange(min(beat, len(scene) - start)) / RATE
        chord = np.zeros(len(time))
        for interval in (0, rng.choice([3, 4]), 7, -12):
            tone = step * 2 ** (interval / 12)
            for overtone in range(1, 7):
                chord += np.sin(2 * np.pi * tone * overtone * time) / overtone**dark
        scene[start : start + len(time)] += chord * np.exp(-time / rng.uniform(0.15, 1.5))
        drum = rng.standard_normal(len(time)) * np.exp(-time / rng.uniform(0.01, 0.06))
        scene[start : start + len(time)] += drum * rng.uniform(0, 3)
    return np.asarray(scene[:length] / (scene.std() + 1e-9), np.float32)


def _throat(rng: np.random.Generator) -> list[tuple[float, float]]:
    """Return three resonances: frequency and bandwidth in hertz."""
    long = rng.uniform(0.85, 1.25)
    centres = (rng.uniform(400, 900), rng.uniform(1000, 2000), rng.uniform(2200, 3400))
    return [(centre * long, rng.uniform(80, 250)) for centre in centres]


def _through(throat: list[tuple[float, float]], samples: Samples) -> Samples:
    for centre, width in throat:
        radius = np.exp(-np.pi * width / RATE)
        poles = [1.0, -2 * radius * np.cos(2 * np.pi * centre / RATE), radius**2]
        samples = 0.5 * samples + lfilter([1 - radius], poles, samples)
    return samples


def _peak_one(samples: npt.NDArray[np.floating]) -> Samples:
    return np.asarray(samples / (np.abs(samples).max() + 1e-9), np.float32)
