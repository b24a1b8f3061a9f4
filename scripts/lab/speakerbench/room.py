"""A table in a room: what its microphones get from a mouth at each seat, and from the noise.

The direct sound falls with the distance. The echo is the same everywhere: a decaying noise of its
own for each path (after Moorer 1979), as loud as the direct sound at ``EVEN`` metres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scripts.lab.rendering.voices import Floats
from scripts.lab.speechlab.audio import RATE

EVEN = 1.0
"""Metres at which the echo is as loud as the direct sound, in a furnished room."""
DIES = (0.25, 0.45)
"""Seconds in which the echo falls by 60 dB."""
OWN, BESIDE, OPPOSITE = 0.4, 1.0, 1.4
"""Metres from a mouth to the microphone before its seat, to those beside it and across."""
BEHIND = 0.9
"""Metres that a bystander stands behind a seat."""
MIDDLE = (0.7, 0.9)
"""Metres from a mouth to a microphone in the middle of the table."""
BEFORE, AFTER = 1.0, 0.3
"""Seconds of the room before and after an utterance."""
HISS = 3e-4
"""Root mean square of the noise that any microphone adds. Full scale is 1."""
LOUDNESS = 0.08
"""Root mean square of a voice at one metre."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What the microphones recorded, a row each. Speech is from ``start`` to ``end`` seconds."""

    rows: Floats
    start: float
    end: float


def in_the_middle(
    said: Floats, behind: float, noise: Floats, snr: float | None, dice: np.random.Generator
) -> Taken:
    """One microphone in the middle of the table, ``behind`` metres farther off than a player's.

    The noise is ``snr`` dB below a player's voice there.
    """
    return _taken(said, [dice.uniform(*MIDDLE) + behind], noise, snr, dice)


def before_seats(
    said: Floats,
    seat: int,
    behind: float,
    noise: Floats,
    snr: float | None,
    dice: np.random.Generator,
) -> Taken:
    """Four microphones, one before each seat (0 to 3). The rest is as in ``in_the_middle``."""
    ways = {0: OWN, 1: BESIDE, 2: OPPOSITE, 3: BESIDE}
    metres = [ways[(mic - seat) % 4] * dice.uniform(0.9, 1.1) + behind for mic in range(4)]
    return _taken(said, metres, noise, snr, dice)


def _taken(
    said: Floats, metres: list[float], noise: Floats, snr: float | None, dice: np.random.Generator
) -> Taken:
    before, after = round(BEFORE * RATE), round(AFTER * RATE)
    loudness = LOUDNESS * 10 ** (dice.uniform(-6, 0) / 20)
    voice = said * (loudness / _level(said))
    level = loudness * 10 ** (-snr / 20) if snr is not None else 0.0
    rows = []
    for far in metres:
        row = np.pad(_heard(voice, far, dice), (before, after))
        row += dice.normal(size=len(row)) * HISS
        if level:
            stretch = np.roll(noise, int(dice.integers(len(noise))))[: len(row)]
            row += np.resize(stretch, len(row)) * (level / _level(stretch))
        rows.append(row)
    return Taken(np.array(rows, np.float32), BEFORE, BEFORE + len(said) / RATE)


def _heard(voice: Floats, metres: float, dice: np.random.Generator) -> Floats:
    """The direct sound, and its echo."""
    seconds = dice.uniform(*DIES)
    count = round(RATE * seconds)
    tail = dice.normal(size=count) * np.exp(-6.9 * np.arange(count) / RATE / seconds)
    tail *= 1 / (EVEN * math.sqrt(float(np.square(tail).sum())))
    size = 1 << (len(voice) + count).bit_length()
    echo = np.fft.irfft(np.fft.rfft(voice, size) * np.fft.rfft(tail, size), size)[: len(voice)]
    return np.asarray(voice / metres + echo, np.float32)


def _level(sound: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(sound)))) + 1e-9
