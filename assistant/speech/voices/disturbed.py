"""What a recording might have sounded like in a louder room: noise of any colour, or talk.

Fitting the network (rooms.py) has its own, milder kind: it must still be understood. Who spoke is
told in more noise than words are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assistant.speech.audio import RATE
from assistant.speech.voices.arrays import Array

HISS, COLOURED = 0.2, 0.75
"""Of all copies a fifth has hiss, up to three quarters noise of some colour; the others talk."""
HISS_BELOW, NOISE_BELOW, TALK_BELOW = (10, 40), (0, 20), (3, 20)
"""How many dB each lies below the voice."""
STEEPEST = 2.2
"""Exponent of the fall of a noise's spectrum: 0 is white, 1 pink, 2 brown."""
WAVES = 8
"""Points between which a noise grows and falls."""
TALKERS = (3, 8)
AROUND = 0.15
"""Seconds of the room before and after, at most: words are seldom cut to their sound."""
ECHO, LATE, WEAK = 0.3, (0.01, 0.05), (0.1, 0.4)
"""Share of the copies with the echo of a wall; its seconds, and its part of the sound."""


def disturbed(said: Array, others: Sequence[Array], dice: np.random.Generator) -> Array:
    """A copy of sound in -1..1, in a noisy room; ``others`` talk there, at times backwards."""
    sound = np.pad(said, dice.integers(0, round(AROUND * RATE), 2))
    noise, below = _noise(len(sound), others, dice)
    sound = sound + noise * (_level(said) / _level(noise) * 10 ** (-below / 20))
    if dice.random() < ECHO:
        late = int(RATE * dice.uniform(*LATE))
        echo = np.zeros_like(sound)
        echo[late:] = sound[:-late] * dice.uniform(*WEAK)
        sound = sound + echo
    return np.asarray(sound)


def _noise(count: int, others: Sequence[Array], dice: np.random.Generator) -> tuple[Array, float]:
    """Noise of so many samples, and how many dB it lies below the voice."""
    kind = dice.random()
    if kind < HISS:
        return dice.normal(size=count), dice.uniform(*HISS_BELOW)
    if kind < COLOURED:
        swell = np.interp(np.linspace(0, 1, count), np.linspace(0, 1, WAVES),
                          dice.uniform(0.3, 1, WAVES))  # fmt: skip
        return _coloured(count, dice.uniform(0, STEEPEST), dice) * swell, dice.uniform(*NOISE_BELOW)
    talk = np.zeros(count)
    for _ in range(dice.integers(*TALKERS)):
        voice = others[int(dice.integers(len(others)))][:: int(dice.choice((1, -1)))]
        voice = np.roll(np.tile(voice, 1 + count // len(voice)), dice.integers(len(voice)))
        talk += voice[:count] * dice.uniform(0.3, 1)
    return talk, dice.uniform(*TALK_BELOW)


def _coloured(count: int, slope: float, dice: np.random.Generator) -> Array:
    frequencies = np.fft.rfftfreq(count, 1 / RATE)
    frequencies[0] = frequencies[1]
    spectrum = dice.normal(size=len(frequencies)) + 1j * dice.normal(size=len(frequencies))
    return np.asarray(np.fft.irfft(spectrum * frequencies ** (-slope / 2), count))


def _level(sound: Array) -> float:
    return float(np.sqrt(np.mean(np.square(sound)))) + 1e-9
