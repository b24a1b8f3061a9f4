"""One reading of a prompt: waiting for it in the sound, cutting it out, and what is wrong with it.

Whatever is said ends in silence, as at the table; but here somebody reads with care, so the pause
is longer and what is cut out keeps a little of the room on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from assistant.speech.audio import RATE, Samples
from assistant.speech.endpoint import Endpoint
from assistant.speech.levels import CLIPPED_SHARE, DEAD_PEAK, FULL_SCALE
from assistant.speech.source import Block
from assistant.speech.voice_activity import LEAST, PitchedVoice

WAITS = 8.0
"""Seconds that somebody may take to begin."""
ENDS = 0.7
"""Seconds of silence that end a reading: "no llevo ... juego" may be read slowly."""
LONGEST = 5.0
"""Seconds of a reading: the longest call takes two."""
AROUND = 0.15
"""Seconds of the room that are kept before and after."""
FAINT = -40.0
"""dB below full scale that the loudest of a voice should reach."""
STANDS_OUT = 12.0
"""dB that a reading should stand above the room: noise can be added to a voice, not taken away."""


class Fault(StrEnum):
    """Why a reading cannot be taken."""

    DEAD = "dead"
    SILENT = "silent"
    FAINT = "faint"
    CLIPPED = "clipped"
    NOISY = "noisy"
    LONG = "long"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Take:
    """What came after a prompt: the sound of it, or why there is none; and the room around it."""

    sound: Samples
    fault: Fault | None = None
    room: Samples = field(default_factory=lambda: np.zeros(0, np.int16))


class Taker:
    """Waits for readings, one after another; the room it knows from the sound between them."""

    def __init__(self) -> None:
        self._endpoint, self._voice = Endpoint(), PitchedVoice()
        self._fed = 0
        self.begin()

    def begin(self) -> None:
        """A prompt is shown: what is read from now on belongs to it."""
        self._kept = np.zeros(0, np.int16)
        self._start = self._from = self._fed
        self._endpoint.restart()

    def feed(self, block: Block) -> Take | None:
        """Listen to a block; the reading, once it is over."""
        self._endpoint.feed(block.samples)
        self._voice.feed(block.samples)
        self._kept = np.concatenate([self._kept, block.samples])
        self._fed += len(block.samples)
        now = self._fed / RATE
        span = self._endpoint.speech_within(self._from / RATE, now)
        if span is None:
            return self._nothing(now)
        if self._endpoint.silence < ENDS:
            return Take(self._kept, Fault.LONG) if now - span[0] > LONGEST else None
        if self._voice.voiced(*span) < LEAST:
            self._from = self._fed  # a cough, a chair
            return None
        return self._judged(span)

    def _nothing(self, now: float) -> Take | None:
        if now - self._start / RATE < WAITS:
            return None
        dead = int(np.abs(self._kept.astype(np.int32)).max(initial=0)) <= DEAD_PEAK
        return Take(self._kept, Fault.DEAD if dead else Fault.SILENT)

    def _judged(self, span: tuple[float, float]) -> Take:
        first, last = (round(at * RATE) - self._start for at in span)
        said = self._kept[max(0, first) : last]
        room = np.concatenate([self._kept[: max(0, first)], self._kept[last:]])
        around = round(AROUND * RATE)
        before, after = self._kept[: max(0, first - around)], self._kept[last + around :]
        return Take(
            self._kept[max(0, first - around) : last + around],
            _fault(said, room),
            np.concatenate([before, after]),
        )


def _fault(said: Samples, room: Samples) -> Fault | None:
    loudness = np.abs(said.astype(np.int32))
    if np.count_nonzero(loudness >= FULL_SCALE) > CLIPPED_SHARE * len(said):
        return Fault.CLIPPED
    if loudness.max(initial=0) < 32768 * 10 ** (FAINT / 20):
        return Fault.FAINT
    if _power(said) < _power(room) * 10 ** (STANDS_OUT / 10):
        return Fault.NOISY
    return None


def _power(sound: Samples) -> float:
    return float(np.mean(np.square(sound.astype(np.float64)))) if len(sound) else 0.0
