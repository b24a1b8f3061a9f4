"""What sounds on the table itself: a glass set down, a knuckle, stones that are counted, a card.

These sounds are as loud at the microphone as the players are, and as near. The room behind the
table is something else (``trial.background``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from scripts.lab.earbench import made
from scripts.lab.rendering.voices import LOUDNESS, Floats
from scripts.lab.speechlab import noise
from scripts.lab.speechlab.audio import RATE
from scripts.lab.tablebench import crowd, room

LEVELS = (-6.0, 6.0)
"""dB of a sound's peak at the microphone, over that of a player's voice."""
CREST = 5.0
"""A voice's peak over its root mean square."""
HITS, GAP = (1, 4), (0.1, 0.3)
"""How often a thing is hit in a row, and seconds between two hits."""
KINDS = (made.knock, made.clink, made.stones)
TRAINED = 0.5
"""Share of the sounds that are made as in training, where settings are chosen."""


class TableSounds:
    """Sounds at random moments of a deal."""

    def __init__(self, group: str, seed: int, bar: int, every: float) -> None:
        """``bar``: its number. ``every``: seconds between two sounds, on average; above 0."""
        self._dice = random.Random(f"table sounds {group} {seed}")
        self._trained = TRAINED if group == crowd.DEVELOP else 0.0
        self._bar = bar
        self._every = every
        self._next = self._dice.expovariate(1 / every)

    def due(self, now: float) -> Iterator[Floats]:
        """The sounds that begin until this time, in seconds, as the microphone hears them."""
        while self._next <= now:
            self._next += self._dice.expovariate(1 / self._every)
            yield self._sound()

    def _sound(self) -> Floats:
        dice = np.random.default_rng(self._dice.getrandbits(32))
        trained = self._dice.random() < self._trained
        dry = _hits(dice) if trained else self._dice.choice(KINDS)(dice)
        heard = room.near(dry, self._dice.randint(1, room.SEATS), self._bar)
        peak = CREST * LOUDNESS * 10 ** (self._dice.uniform(*LEVELS) / 20)
        return np.asarray(heard * (peak / (float(np.abs(heard).max()) or 1.0)), np.float32)


def _hits(dice: np.random.Generator) -> Floats:
    """The same thing hit a few times, as in training."""
    once = noise.hit(dice)
    times = int(dice.integers(HITS[0], HITS[1] + 1))
    step = round(dice.uniform(*GAP) * RATE)
    sound = np.zeros((times - 1) * step + len(once), np.float32)
    for at in range(times):
        sound[at * step : at * step + len(once)] += once * np.float32(dice.uniform(0.6, 1))
    return sound
