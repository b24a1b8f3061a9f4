"""Noises of a table that are made in another way than those that train.

Training's knocks are bursts of noise under a decay (speechlab/noise.py). These are sums of decaying
modes, as of plates, glasses and strings (Fletcher and Rossing 1998; Karplus and Strong 1983), so
that the bench finds out an ear that only knows the recipe of its training.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.signal import lfilter

from scripts.lab.rendering.voices import Floats
from scripts.lab.speechlab.audio import RATE

Dice = np.random.Generator
Numbers = npt.NDArray[np.floating[Any]]


def knock(dice: Dice) -> Floats:
    """A knuckle on a table, one to four times in a rhythm."""
    modes = dice.uniform(70, 180) * np.array([1.0, 1.9, 2.9, 4.1, 5.8])
    once = _ringing(modes, dice.uniform(0.02, 0.07), dice)
    return _repeated(once, int(dice.integers(1, 5)), dice.uniform(0.12, 0.3), dice)


def clink(dice: Dice) -> Floats:
    """A struck glass. Its modes are those of a bell, and they ring for long."""
    modes = dice.uniform(900, 2600) * np.array([1.0, 2.3, 4.2, 6.4])
    return _ringing(modes, dice.uniform(0.08, 0.4), dice)


def stones(dice: Dice) -> Floats:
    """Stones or coins that fall on the table and bounce."""
    modes = dice.uniform(2000, 4500) * np.array([1.0, 1.4, 1.7])
    once = _ringing(modes, dice.uniform(0.01, 0.04), dice)
    pieces, gap, loud = [], dice.uniform(0.08, 0.2), 1.0
    for _ in range(dice.integers(3, 9)):
        length = max(1, int(gap * RATE))
        pieces.append(loud * np.resize(np.pad(once, (0, length)), length))
        gap, loud = gap * 0.75, loud * 0.7
    return _peak_one(np.concatenate(pieces))


def applause(dice: Dice) -> Floats:
    """Several people who clap, each at his own pace."""
    scene = np.zeros(int(RATE * dice.uniform(0.8, 2.5)))
    for _ in range(dice.integers(1, 5)):
        band = dice.uniform(700, 2200)
        for at in np.arange(dice.uniform(0, 0.3), len(scene) / RATE, dice.uniform(0.18, 0.35)):
            burst = dice.standard_normal(600) * np.exp(-np.arange(600) / 90)
            hit = _resonant(burst, band * dice.uniform(0.9, 1.1), 500)
            start = int(at * RATE)
            scene[start : start + 600] += hit[: len(scene) - start]
    return _peak_one(scene)


def chair(dice: Dice) -> Floats:
    """A chair that is pushed over the floor. It slips and sticks, and groans."""
    length = int(RATE * dice.uniform(0.3, 1.2))
    pitch = dice.uniform(40, 160) * np.exp(np.cumsum(dice.standard_normal(length)) * 0.0005)
    pulses = (np.diff(np.floor(np.cumsum(pitch) / RATE), prepend=0) > 0).astype(float)
    groan = _resonant(pulses + 0.02 * dice.standard_normal(length), dice.uniform(300, 900), 120)
    return _peak_one(groan * np.hanning(length))


def strings(dice: Dice) -> Floats:
    """A guitar in the corner: five to ten plucked notes."""
    notes = []
    for _ in range(dice.integers(5, 11)):
        period = int(RATE / (110 * 2 ** (dice.integers(0, 25) / 12)))
        length = int(RATE * dice.uniform(0.2, 0.6))
        pluck = np.zeros(length)
        pluck[:period] = dice.uniform(-1, 1, min(period, length))
        loop = np.zeros(period + 2)
        loop[0], loop[period], loop[period + 1] = 1, -0.498, -0.498
        notes.append(lfilter([1.0], loop, pluck))
    return _peak_one(np.concatenate(notes))


SOUNDS: tuple[Callable[[Dice], Floats], ...] = (knock, clink, stones, applause, chair, strings)


def scattered(
    kinds: tuple[Callable[[Dice], Floats], ...], seconds: float, dice: Dice, every: float = 0.4
) -> Floats:
    """Such sounds again and again, near and far, one in ``every`` seconds on average."""
    scene = np.zeros(int(RATE * seconds), np.float32)
    for at in np.cumsum(dice.exponential(every, int(2 * seconds / every))):
        start = int(RATE * at)
        if start >= len(scene):
            break
        sound = kinds[int(dice.integers(len(kinds)))](dice)[: len(scene) - start]
        scene[start : start + len(sound)] += sound * np.float32(10 ** (dice.uniform(-18, 0) / 20))
    return scene


def extractor(seconds: float, dice: Dice) -> Floats:
    """The fan of a kitchen: rushing air, the blades' tone and its multiples. It swells."""
    time = np.arange(int(RATE * seconds)) / RATE
    air = _resonant(dice.standard_normal(len(time)), dice.uniform(250, 600), 900)
    air = air / np.std(air)
    blades = dice.uniform(70, 160) * (1 + 0.004 * np.sin(2 * np.pi * 0.3 * time))
    phase = 2 * np.pi * np.cumsum(blades) / RATE
    tone = sum(np.sin(order * phase) / order for order in range(1, 9))
    swell = 1 + 0.2 * np.sin(2 * np.pi * dice.uniform(0.05, 0.15) * time)
    return _peak_one(swell * (air + 0.6 * tone))


def _ringing(modes: Numbers, seconds: float, dice: Dice) -> Floats:
    """Modes (Hz) that die away, higher ones sooner; ``seconds`` to a third of the loudness."""
    time = np.arange(int(RATE * min(1.0, 6 * seconds))) / RATE
    scene = np.zeros(len(time))
    for mode in modes[modes < RATE / 2] * dice.uniform(0.97, 1.03):
        decay = seconds * (modes[0] / mode) ** 0.5
        phase = dice.uniform(0, 2 * np.pi)
        tone = np.sin(2 * np.pi * mode * time + phase) * np.exp(-time / decay)
        scene += dice.uniform(0.3, 1) * tone
    scene[: RATE // 400] += 0.3 * dice.standard_normal(RATE // 400)[: len(scene)]
    return _peak_one(scene)


def _repeated(once: Numbers, times: int, gap: float, dice: Dice) -> Floats:
    length = int(gap * RATE)
    scene = np.zeros(times * length + len(once), np.float32)
    for number in range(times):
        start = number * length
        scene[start : start + len(once)] += once * dice.uniform(0.6, 1)
    return _peak_one(scene)


def _resonant(samples: Numbers, hertz: float, width: float) -> Numbers:
    radius = np.exp(-np.pi * width / RATE)
    poles = [1.0, -2 * radius * np.cos(2 * np.pi * hertz / RATE), radius**2]
    return np.asarray(lfilter([1 - radius], poles, samples), np.float32)


def _peak_one(samples: Numbers) -> Floats:
    return np.asarray(samples / (np.abs(samples).max() + 1e-9), np.float32)
