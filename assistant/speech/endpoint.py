"""Hearing from the loudness alone that somebody has stopped speaking.

Vosk's own rule waits for half a second of silence that its decoder has to have seen, and people
answer each other in less. Loudness is known at once. It is measured against the room: the floor is
the quietest that the last seconds held (minimum statistics; Martin 2001), so a room with a fan in
it, and a microphone turned up, work the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from assistant.speech.audio import RATE, Samples

FRAME = RATE // 100
"""Samples that one level is measured over: 10 ms."""
FLOOR_WINDOW = 300
"""Frames (3 s) whose minimum is the floor: longer than any call without a pause in it."""
LOWEST = -75.0
"""dB below full scale that count as silence in any room: what a good microphone hisses."""
ABOVE_FLOOR = 9.0
"""dB above the floor where speech begins. The floor is a minimum: noise lies some 4 above it."""
BELOW_TOP = 32.0
"""dB below the loudest of the utterance: quieter than that is the room's echo of it."""
FORGETS = 0.1
"""dB by which that loudest sinks each frame (10 dB a second): a knock is not a voice."""
PREEMPHASIS = 0.97
"""Takes away hum and rumble and lifts the s that ends "tres" and "dos"."""
SMOOTH = 3
"""Frames over which the level is averaged."""

REMEMBERED = 20 * 100
"""Frames (20 s) whose verdict is kept, to tell when a word began: longer than any utterance."""
AS_LOUD = 6.0
"""dB below the words of an utterance at which a sound is still as loud as they are."""
CLEAR = 15.0
"""dB above the floor where a sound is surely no part of the room's noise. Words that stand less
above it cannot be told from what a bar is full of, and then nothing is."""
LEEWAY = 6
"""Frames beside a word that still belong to it."""


class Endpoint:
    """How long nobody has spoken, in seconds of sound fed."""

    def __init__(self) -> None:
        self._carry = np.zeros(0, np.float32)
        self._last_sample = np.float32(0)
        self._powers: deque[float] = deque(maxlen=SMOOTH)
        self._history: deque[float] = deque(maxlen=FLOOR_WINDOW)
        self._top = LOWEST
        self._quiet = 0
        self._speech: deque[bool] = deque(maxlen=REMEMBERED)
        self._loudness: deque[float] = deque(maxlen=REMEMBERED)
        self._judged = 0

    @property
    def silence(self) -> float:
        """Seconds since the last speech."""
        return self._quiet * FRAME / RATE

    def restart(self) -> None:
        """A new utterance: the room stays as it is, the voice may be another's."""
        self._top = LOWEST

    def speech_within(self, start: float, end: float) -> tuple[float, float] | None:
        """The span of speech within a span of the sound fed, in seconds; None if there is none."""
        oldest = self._judged - len(self._speech)
        first, last = (round(at * RATE / FRAME) - oldest for at in (start, end))
        frames = range(max(0, first), min(len(self._speech), last))
        voiced = [frame for frame in frames if self._speech[frame]]
        if not voiced:
            return None
        begins, ends = ((oldest + at) * FRAME / RATE for at in (voiced[0], voiced[-1] + 1))
        return max(start, begins), min(end, ends)

    def unexplained(
        self, words: Sequence[tuple[float, float]], start: float, least: float
    ) -> list[tuple[float, float]]:
        """Where somebody spoke since ``start`` as loud as the words, and none of them stands there.

        ``words`` are their spans, in order, in seconds of sound fed; so are the spans returned, one
        at most before, between and after words, each with ``least`` seconds of such sound.
        """
        oldest = self._judged - len(self._loudness)
        levels = np.array(self._loudness)
        spans = [tuple(round(at * RATE / FRAME) - oldest for at in span) for span in words]
        own = np.concatenate([levels[max(0, first) : last] for first, last in spans])
        if len(own) == 0:
            return []
        floor = max(LOWEST, min(self._history))
        loud = levels > max(float(np.median(own)) - AS_LOUD, floor + CLEAR)
        edges = [max(0, round(start * RATE / FRAME) - oldest)]
        edges += [edge for first, last in spans for edge in (first - LEEWAY, last + LEEWAY)]
        edges.append(len(levels))
        found = []
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            at = np.flatnonzero(loud[max(0, first) : max(0, last)]) + max(0, first)
            if len(at) * FRAME / RATE >= least:
                begins, ends = (float(oldest + frame) * FRAME / RATE for frame in (at[0], at[-1]))
                found.append((begins, ends))
        return found

    def feed(self, samples: Samples) -> None:
        """Listen to some more."""
        for level in self._levels(samples):
            self._history.append(level)
            self._judge(level)

    def _judge(self, level: float) -> None:
        floor = max(LOWEST, min(self._history))
        self._top -= FORGETS
        if level > max(floor + ABOVE_FLOOR, self._top - BELOW_TOP):
            self._quiet = 0
            self._top = max(self._top, level)
        else:
            self._quiet += 1
        self._speech.append(self._quiet == 0)
        self._loudness.append(level)
        self._judged += 1

    def _levels(self, samples: Samples) -> list[float]:
        """The level of each whole frame in dB below full scale; the rest is kept for later."""
        if len(samples) == 0:
            return []
        sound = samples.astype(np.float32) / np.float32(32768)
        before = np.concatenate([[self._last_sample], sound[:-1]])
        self._last_sample = sound[-1]
        self._carry = np.concatenate([self._carry, sound - np.float32(PREEMPHASIS) * before])
        whole = len(self._carry) // FRAME
        frames = self._carry[: whole * FRAME].reshape(whole, FRAME)
        self._carry = self._carry[whole * FRAME :]
        levels = []
        for power in np.mean(np.square(frames, dtype=np.float64), axis=1):
            self._powers.append(float(power))
            mean = sum(self._powers) / len(self._powers)
            levels.append(10 * float(np.log10(max(mean, 1e-12))))
        return levels
