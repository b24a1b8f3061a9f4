"""What a voice is known by: how each of its sounds is said, and how all it says sounds.

The network of the speech model tells which sound is said when, so that an "o" is compared with
that player's own "o"; and what its second layer makes of a voice tells voices apart as well, in
noise better than the cepstra themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assistant.ear.audio import RATE
from assistant.speakers.network import FACTOR, STEP, Array, Network, cepstra

LEVEL = 105.0
"""What the first cepstrum of the loud frames is brought to, which is a clear voice's: how loud
somebody speaks tells nothing, and the layers would hear it.
"""
LOUD = 15.0
"""By how much the first cepstrum of a frame may lie below the loudest: fainter ones are room."""
SLOPE = 2
"""Frames before and after one between which its slope is taken."""
HIDDEN = 1
"""The layer whose answers tell voices apart."""
FEWEST = 6
"""Loud frames (10 ms) that make a voice: less is a click."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What a stretch of sound is like.

    ``frames``: cepstra and their slopes, a row every 10 ms; ``phones``: how likely each base phone
    is in each of them; ``cepstra`` and ``hidden``: mean and spread over all.
    """

    frames: Array
    phones: Array
    cepstra: Array
    hidden: Array


@dataclass(frozen=True, slots=True)
class Listened:
    """A sound as the network hears it: cepstra every 10 ms; phones and its layer every 30 ms."""

    cepstra: Array
    phones: Array
    hidden: Array

    def between(self, start: float, end: float) -> Traits | None:
        """The traits of a stretch, in seconds of this sound; None where it is too short for any."""
        first, last = (max(0, round(at * RATE / STEP)) for at in (start, end))
        heard = self.cepstra[first:last].copy()
        loud = _loud(heard)
        if loud.sum() < FEWEST:
            return None
        heard[:, 0] += LEVEL - heard[loud, 0].mean()
        slow = np.minimum((first + np.flatnonzero(loud)) // FACTOR, len(self.phones) - 1)
        return Traits(
            np.concatenate([heard, _slopes(heard)], axis=1)[loud],
            self.phones[slow],
            _mean_and_spread(heard[loud]),
            _mean_and_spread(self.hidden[np.unique(slow)]),
        )

    def whole(self) -> Traits | None:
        """The traits of all of it; None where it is too short for any."""
        return self.between(0.0, len(self.cepstra) * STEP / RATE)


def listened(sound: Array, network: Network) -> Listened:
    """Sound in -1..1 at 16 kHz, however loud, as the network hears it."""
    heard = cepstra(sound)
    if not len(heard):
        return Listened(heard, np.zeros((0, 0)), np.zeros((0, 0)))
    level = heard.copy()
    level[:, 0] += LEVEL - level[_loud(level), 0].mean()
    seen = network.run(level)
    answers = seen[-1].made
    shares = np.exp(answers - answers.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    phones = shares[:, 0::2] + shares[:, 1::2]  # a phone's first frame and its further ones
    return Listened(heard, phones, seen[HIDDEN].made)


def _loud(heard: Array) -> Array:
    return np.asarray(heard[:, 0] > np.max(heard[:, 0], initial=-np.inf) - LOUD)


def _slopes(heard: Array) -> Array:
    padded = np.pad(heard, ((SLOPE, SLOPE), (0, 0)), mode="edge")
    return np.asarray(padded[2 * SLOPE :] - padded[: -2 * SLOPE])


def _mean_and_spread(rows: Array) -> Array:
    return np.concatenate([rows.mean(axis=0), rows.std(axis=0)])
