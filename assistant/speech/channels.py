"""One voice out of a device with several channels.

The channel in which somebody stands out most from that channel's own noise is taken, never a sum:
microphones at different seats hear the same voice at different times, so their sum hollows it out,
and it takes in the noise of all of them, the dead, the clipped and the hissing too. A block is
judged before it is given away, so a call's first sound already comes from the right one.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from assistant.speech.audio import Floats

REMEMBERED = 60
"""Blocks (3 s) whose quietest is a channel's own noise."""
QUIETEST = -72.0
"""dB below full scale: no channel's noise is taken to be less, or one that is nearly dead wins."""
SPEAKS = 6.0
"""dB over its noise from which a channel holds somebody: hiss alone changes nothing."""
BETTER = 4.0
"""dB by which another channel must stand out further: less would go to and fro within a word."""
DEAD = -84.0
"""dB below full scale of a channel that gives nothing: two steps of 16 bits."""
SILENCE = -96.0
"""What is told of no sound at all."""
FULL = 0.995
CLIPPED = 0.01
"""Share of a block's samples at full scale from which its channel is taken for overdriven."""
FADE = 5
"""Of so many parts of a block one is the change from one channel to another: 10 ms, no click."""

Decibels = npt.NDArray[np.float64]


class ChannelChoice:
    """Gives away, block by block, the channel that somebody is heard best in."""

    def __init__(self, count: int) -> None:
        """``count``: channels of the device, two or more."""
        self._past: deque[Decibels] = deque(maxlen=REMEMBERED)
        self._smooth = np.zeros(count)
        self.taken = 0
        """The number of the channel that the last block came from, from 0."""

    def mix(self, frames: Floats) -> tuple[Floats, tuple[float, ...]]:
        """A block of shape (frames, channels) as mono, and dB below full scale of each channel."""
        levels = decibels(frames)
        before, self.taken = self.taken, self._choose(frames, levels)
        mono = frames[:, self.taken]
        if before != self.taken:
            ramp = np.ones(len(mono), np.float32)
            fade = len(mono) // FADE
            ramp[:fade] = np.linspace(0, 1, fade, dtype=np.float32)
            mono = mono * ramp + frames[:, before] * (1 - ramp)
        return np.ascontiguousarray(mono), tuple(round(float(level), 1) for level in levels)

    def _choose(self, frames: Floats, levels: Decibels) -> int:
        self._past.append(np.maximum(levels, QUIETEST))
        # Half of it is the block before: one knock on the table changes no channel for long.
        above = np.maximum(levels, QUIETEST) - np.min(self._past, axis=0)
        self._smooth = (self._smooth + above) / 2
        clipped = np.mean(np.abs(frames) >= FULL, axis=0) > CLIPPED
        bad = (levels <= DEAD) | clipped
        if bad.all():
            return self.taken
        standing = np.where(bad, -np.inf, self._smooth)
        best = int(np.argmax(standing))
        further = standing[best] > max(SPEAKS, standing[self.taken] + BETTER)
        return best if bad[self.taken] or further else self.taken


def decibels(frames: Floats) -> Decibels:
    """How loud each channel is, root mean square in dB below full scale."""
    if len(frames) == 0:
        return np.full(frames.shape[1], SILENCE)
    power = np.mean(np.square(frames, dtype=np.float64), axis=0)
    return np.asarray(10 * np.log10(np.maximum(power, 10 ** (SILENCE / 10))))
