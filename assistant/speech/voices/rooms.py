"""What a reading might have sounded like at the table: other noise, other voices, another place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assistant.speech.audio import RATE
from assistant.speech.voices.arrays import Array

OWN = 0.4
"""Of all copies so many are in the room where the readings were made, where that is noisy."""
QUIET = 30.0
"""dB below a reading at which a room has no noise worth learning."""
HISS, HUM = 0.25, 0.6
"""Of the others a quarter has hiss, a third the slow noise of a room; the rest people's talk."""
TALKERS = (2, 6)
PAUSE = (0.15, 0.35)
"""Seconds of the room before and after."""
LOUDEST = 0.3


def in_room(
    said: Array, others: Sequence[Array], rooms: Sequence[Array], dice: np.random.Generator
) -> Array:
    """A copy of a reading in a noisy room.

    ``others`` talk in the background; ``rooms``: what the microphone heard between the readings.
    """
    before, after = (np.zeros(int(RATE * dice.uniform(*PAUSE))) for _ in range(2))
    sound = np.concatenate([before, said, after])
    loud = [room for room in rooms if _level(room) > _level(said) * 10 ** (-QUIET / 20)]
    if loud and dice.random() < OWN:
        noise, snr = _looped(loud, len(sound), dice), dice.uniform(3, 25)
    else:
        noise, snr = _noise(len(sound), others, dice)
    sound = _echoed(sound + noise * _level(said) / _level(noise) * 10 ** (-snr / 20), dice)
    gain = LOUDEST * 10 ** (dice.uniform(-15, 3) / 20) / max(float(np.abs(sound).max()), 1e-9)
    return (sound * gain).astype(np.float32)


def _noise(count: int, others: Sequence[Array], dice: np.random.Generator) -> tuple[Array, float]:
    """Noise of so many samples, and how many dB the voice stands above it."""
    kind = dice.random()
    if kind < HISS:
        return dice.normal(size=count), dice.uniform(25, 45)
    if kind < HUM:
        slow = np.cumsum(dice.normal(size=count + 1))
        slow -= np.convolve(slow, np.full(200, 1 / 200), "same")
        return np.diff(slow) + 0.2 * dice.normal(size=count), dice.uniform(3, 25)
    talk = np.zeros(count)
    for _ in range(dice.integers(*TALKERS)):
        talk += _looped(others, count, dice) * dice.uniform(0.3, 1)
    return talk, dice.uniform(5, 25)


def _looped(sounds: Sequence[Array], count: int, dice: np.random.Generator) -> Array:
    """One of the sounds, from a random place on, as often as it takes."""
    sound = sounds[int(dice.integers(len(sounds)))]
    sound = np.tile(sound, 1 + count // len(sound))
    return np.asarray(np.roll(sound, dice.integers(len(sound)))[:count])


def _echoed(sound: Array, dice: np.random.Generator) -> Array:
    """With the echo of a near wall, three times in ten."""
    if dice.random() > 0.3:
        return sound
    late = int(RATE * dice.uniform(0.01, 0.05))
    echo = np.zeros_like(sound)
    echo[late:] = sound[:-late] * dice.uniform(0.1, 0.4)
    return np.asarray(sound + echo)


def _level(sound: Array) -> float:
    return float(np.sqrt(np.mean(np.square(sound)))) + 1e-9
