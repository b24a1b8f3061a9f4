"""From which seat it came, where the sound card has several channels: seat microphones, an array.

Each channel's level over its own noise says how near a voice was to it. What counts is by how much
a channel lies above the mean of all: that is each seat's pattern, however loud somebody speaks.
Where the table has a microphone before each seat, the patterns are known beforehand, and get better
with every call whose speaker is known otherwise; of an array they are learnt from nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from assistant.speech.audio import RATE
from assistant.speech.source import BLOCK
from assistant.speech.voices.arrays import Array

NEARER = 6.0
"""dB by which the microphone before a seat is louder than the others, as a room echoes."""
SCATTER = 1.5
"""dB by which a call's pattern differs from that of its seat."""
UNEQUAL = 2.0
"""dB by which a table's patterns differ from those that are known beforehand."""
ANYWHERE = 3.0
"""dB by which the pattern of somebody who sits nowhere differs from none at all."""
ENOUGH = 3.0
"""Calls after which the pattern of a seat without a microphone of its own counts."""
REMEMBERED = 400
"""Blocks (20 s) whose levels are kept: longer than any utterance."""
QUIETEST = 0.1
"""The share of the blocks that hold no voice in the busiest talk."""
OUT = 3.0
"""dB that a channel has to lie over its noise in a block before it is heard there."""
EDGE = BLOCK / RATE / 2
"""Seconds: a block of which less than half lies in a span is none of it."""


class ChannelLevels:
    """The levels of the last blocks. Times are the stream's, in seconds."""

    def __init__(self) -> None:
        self._blocks: deque[tuple[float, Array]] = deque(maxlen=REMEMBERED)

    def feed(self, end: float, levels: tuple[float, ...]) -> None:
        """Take a block's levels, dB below full scale, one a channel; a mono source has none."""
        if len(levels) < 2:
            return
        if self._blocks and len(self._blocks[-1][1]) != len(levels):
            self._blocks.clear()  # another sound card
        self._blocks.append((end, 10 ** (np.array(levels) / 10)))

    def pattern(self, start: float, end: float) -> Array | None:
        """By how many dB each channel lay above the mean of all while somebody spoke.

        None where nothing stood out of the noise of any channel.
        """
        within = [powers for at, powers in self._blocks if start + EDGE <= at <= end + EDGE]
        if not within:
            return None
        noise = np.quantile([powers for _, powers in self._blocks], QUIETEST, axis=0)
        voice = np.mean(within, axis=0) - noise
        least = (10 ** (OUT / 10) - 1) * noise
        if (voice < least).all():
            return None
        levels = 10 * np.log10(np.maximum(voice, least))
        return np.asarray(levels - levels.mean())


class SeatPatterns:
    """What each seat looks like on the channels, and so who spoke."""

    def __init__(self, seats: int, channels: Mapping[int, int] | None = None) -> None:
        """``channels``: for each seat (1, 2, ...) the channel (0, 1, ...) that stands before it."""
        self.seats = seats
        self._before = dict(channels or {})
        self._sums: dict[int, Array] = {}
        self._calls: dict[int, float] = {}

    def learn(self, seat: int, pattern: Array, sure: float = 1.0) -> None:
        """A call came from this seat; ``sure``: how probable that is."""
        known = self._sums.get(seat)
        if known is not None and len(known) != len(pattern):
            self._sums.clear()  # another sound card
            self._calls.clear()
        self._sums[seat] = self._sums.get(seat, np.zeros(len(pattern))) + sure * pattern
        self._calls[seat] = self._calls.get(seat, 0.0) + sure

    def of(self, pattern: Array | None) -> tuple[float, ...]:
        """The probability of each seat; what is left to 1 is somebody's who sits nowhere.

        Empty where nothing is known, or not yet of every seat.
        """
        if pattern is None:
            return ()
        known = [self._known(seat, len(pattern)) for seat in range(1, self.seats + 1)]
        expected = [found for found in known if found is not None]
        if len(expected) < self.seats:
            return ()
        nats = [_nats(pattern - mean, spread) for mean, spread in expected]
        nats.append(_nats(pattern, float(np.hypot(ANYWHERE, SCATTER))))
        shares = np.exp(np.array(nats) - max(nats))
        return tuple((shares / shares.sum())[:-1].tolist())

    def _known(self, seat: int, channels: int) -> tuple[Array, float] | None:
        """A seat's mean pattern, and by how many dB a call of its may differ from that."""
        calls = self._calls.get(seat, 0.0)
        learnt = self._sums.get(seat, np.zeros(channels))
        if len(learnt) != channels:
            return None
        if (own := self._before.get(seat)) is not None and own < channels:
            weight = (SCATTER / UNEQUAL) ** 2
            before = np.where(np.arange(channels) == own, NEARER, 0.0)
            before = before - before.mean()
            mean = (weight * before + learnt) / (weight + calls)
            return mean, SCATTER * float(np.sqrt(1 + 1 / (weight + calls)))
        if calls < ENOUGH:
            return None
        return learnt / calls, SCATTER * float(np.sqrt(1 + 1 / calls))


def _nats(off: Array, spread: float) -> float:
    """The evidence of a difference; the pattern's mean is 0, so that one number is no news."""
    free = len(off) - 1
    return -0.5 * float(off @ off) / spread**2 - free * float(np.log(spread))
