"""Setting up a microphone: hints on its level, and a trial that shows what is heard."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np

from assistant.ear.audio import FAINTEST, RATE, Samples, loudness
from assistant.ear.source import BLOCK
from assistant.messages import Heard

# ---- The level meter: a hint on the screen when a microphone is set up badly --------------------
# A hint appears later than it could, and disappears later still, so that none of them flickers.


WINDOW = 10 * RATE
"""Samples between two verdicts."""
FULL_SCALE = 32_600
CLIPPED_SHARE = 1e-3
"""Clipping: a voice that overdrives the microphone is at full scale for this share of samples."""
DEAD_PEAK = 8
"""A microphone that works hisses louder than that; a muted one gives zeros."""
DEAD_AT_FIRST, DEAD_LATER = 4 * RATE, 30 * RATE
"""Samples of silence after which a microphone is dead: one that never gave a sound, and one that
did. The second is longer, because some give zeros whenever nobody speaks."""
FAINT = -46.0
"""dB below full scale that a call must reach in its loudest block, root mean square."""
NOISY, CLEAR = 6.0, 9.0
"""dB over the room: a hint appears if calls stand out less than the first, and disappears once they
stand out as far as the second."""
DIN = -28.0
"""A room louder than this, in dB below full scale, is noisy; no call needs to be heard to know
it."""
CALLS, FEWEST = 5, 3
"""Calls that are remembered, and how many of them it takes for a verdict."""
CLEAN = 2
"""Verdicts in a row without a fault after which the hint disappears."""
QUIET_SHARE = 20
"""The room's level is this percentile of the blocks."""

TOO_LOUD, DEAD, TOO_SLOW, TOO_FAINT, TOO_NOISY = "loud", "dead", "slow", "faint", "noisy"
"""The microphone is overdriven; no sound comes; the machine is late; calls hardly reach the
microphone; calls hardly stand out from the room. The page has the words."""


class LevelMeter:
    """Judges ten seconds at a time; ``note`` is the code of a hint, or empty."""

    def __init__(self) -> None:
        self.note = ""
        self.decibels = FAINTEST
        """The peak of the last block, in dB below full scale; read by any thread."""
        self._samples = 0
        self._clipped = 0
        self._dropped = 0
        self._nothing = 0
        self._sounded = False
        self._clean = 0
        self._ends: deque[float] = deque(maxlen=WINDOW // BLOCK)
        self._blocks: deque[float] = deque(maxlen=WINDOW // BLOCK)
        self._calls: deque[tuple[float, float]] = deque(maxlen=CALLS)

    def feed(self, samples: Samples, dropped: int, end: float = 0.0) -> None:
        """Take one more block of sound.

        ``dropped`` counts the blocks lost since the beginning; ``end`` is the block's stream time,
        which only ``heard`` needs.
        """
        levels = np.abs(samples.astype(np.int32))
        self._samples += len(samples)
        self._clipped += int(np.count_nonzero(levels >= FULL_SCALE))
        peak = int(levels.max(initial=0))
        self.decibels = 20 * math.log10(peak / 32768) if peak else FAINTEST
        self._ends.append(end)
        self._blocks.append(loudness(samples))
        self._look_for_life(peak, len(samples))
        if self._samples >= WINDOW:
            self._judge(self._verdict(dropped))
            self._samples = self._clipped = 0
            self._dropped = dropped

    def heard(self, words: Sequence[tuple[float, float]]) -> None:
        """A call was understood: its words' spans in stream time tell voice from room."""
        loud = [
            level
            for end, level in zip(self._ends, self._blocks, strict=True)
            if any(start < end <= last + BLOCK / RATE for start, last in words)
        ]
        if loud:
            self._calls.append((max(loud), median(loud) - self._room()))

    def _look_for_life(self, peak: int, samples: int) -> None:
        """Show and take back the hint DEAD at once: a table that is not heard waits in vain."""
        if peak > DEAD_PEAK:
            self._nothing = 0
            self._sounded = True
            if self.note == DEAD:
                self.note = ""
            return
        self._nothing += samples
        if self._nothing >= (DEAD_LATER if self._sounded else DEAD_AT_FIRST):
            self.note = DEAD

    def _judge(self, fault: str) -> None:
        if self.note == DEAD:
            return
        self._clean = 0 if fault else self._clean + 1
        if fault or self._clean >= CLEAN:
            self.note = fault

    def _verdict(self, dropped: int) -> str:
        if dropped > self._dropped:
            return TOO_SLOW
        if self._clipped > CLIPPED_SHARE * self._samples:
            return TOO_LOUD
        if self._room() > DIN:
            return TOO_NOISY
        if len(self._calls) < FEWEST:
            return ""
        out = median(above for _, above in self._calls)
        if out < (CLEAR if self.note == TOO_NOISY else NOISY):
            return TOO_NOISY
        return TOO_FAINT if median(loudest for loudest, _ in self._calls) < FAINT else ""

    def _room(self) -> float:
        """How loud it is while nobody speaks, in dB below full scale."""
        return float(np.percentile(self._blocks, QUIET_SHARE))


# ---- A trial: for a while what is heard is shown, and the table does not take it ----------------


LASTS = 15.0
"""Seconds: time to say three calls."""
KEPT = 5
"""Calls that are shown."""


class Rehearsal:
    """A trial of the microphone: what was heard during it. Any thread may call it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = float("-inf")
        self._heard: list[Heard] = []
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Begin a trial: from now on it takes what is heard."""
        with self._lock:
            self._heard = []
            self._until = self._clock() + LASTS

    def takes(self, heard: Heard) -> bool:
        """Whether it was said for the trial: then the table must not hear of it."""
        with self._lock:
            if self._clock() >= self._until:
                return False
            self._heard = [*self._heard, heard][-KEPT:]
            return True

    def left(self) -> float:
        """Seconds that the trial still lasts; 0 outside a trial."""
        return max(0.0, self._until - self._clock())

    def heard(self) -> list[Heard]:
        """What the last trial heard, the newest last."""
        with self._lock:
            return list(self._heard)
