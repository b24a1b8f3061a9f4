"""How loud the sound is, for a hint on the screen when a microphone is set up badly."""

from __future__ import annotations

import math

import numpy as np

from assistant.speech.audio import RATE, Samples

WINDOW = 10 * RATE
"""Samples between two verdicts."""
FULL_SCALE = 32_600
CLIPPED_SHARE = 1e-3
"""A voice that overdrives the microphone stands at full scale for a few samples each period."""
FLOOR = -90.0
"""Decibels below full scale that are told of digital silence."""
DEAD_PEAK = 8
"""A microphone that works hisses louder than that; a muted one gives zeros."""

TOO_LOUD, DEAD, TOO_SLOW = "loud", "dead", "slow"
"""The microphone is overdriven; no sound comes; the machine is late. The page has the words."""


class LevelMeter:
    """Looks at ten seconds at a time; ``note`` is a code, or empty."""

    def __init__(self) -> None:
        self.note = ""
        self.decibels = FLOOR
        """The peak of the last block, in dB below full scale; read by any thread."""
        self._samples = 0
        self._clipped = 0
        self._peak = 0
        self._dropped = 0

    def feed(self, samples: Samples, dropped: int) -> None:
        """Look at some more sound; ``dropped`` counts the blocks lost since the beginning."""
        loudness = np.abs(samples.astype(np.int32))
        self._samples += len(samples)
        self._clipped += int(np.count_nonzero(loudness >= FULL_SCALE))
        peak = int(loudness.max(initial=0))
        self.decibels = 20 * math.log10(peak / 32768) if peak else FLOOR
        self._peak = max(self._peak, peak)
        if self._samples >= WINDOW:
            self.note = self._verdict(dropped)
            self._samples = self._clipped = self._peak = 0
            self._dropped = dropped

    def _verdict(self, dropped: int) -> str:
        if dropped > self._dropped:
            return TOO_SLOW
        if self._peak <= DEAD_PEAK:
            return DEAD
        return TOO_LOUD if self._clipped > CLIPPED_SHARE * self._samples else ""
