"""Who at the table speaks: the telephone in which a voice is louder than its place explains."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, Floats
from assistant.ear.source import BLOCK

Decibels = npt.NDArray[np.float64]

# ---- The level of the voice in one channel ------------------------------------------------------


BAND = (250.0, 2300.0)
"""Hertz in which vowels are loud; an s says nothing of how near somebody is, and a telephone hears
its table's rumble."""
FLOOR_WINDOW = 60
"""Blocks (3 s) of which the quietest tells a channel's noise: longer than any call."""
FLOOR_OVER = 1.5
"""The mean power of noise over the least of that many blocks."""
LEAST = 10 ** (-80 / 10)
"""The least power that a channel is taken to have; full scale is 1."""

_WINDOW = np.hanning(BLOCK)
_HERTZ = np.fft.rfftfreq(BLOCK, 1 / RATE)
_BINS = (BAND[0] <= _HERTZ) & (BAND[1] >= _HERTZ)
_SCALE = 2.0 / (BLOCK * float(np.sum(np.square(_WINDOW))))


class VoiceLevel:
    """How loud one channel is in the band of voices, and how loud its noise."""

    def __init__(self) -> None:
        self._past: deque[float] = deque(maxlen=FLOOR_WINDOW)

    def feed(self, block: Floats) -> tuple[float, float]:
        """The power of a block of ``BLOCK`` samples, and that of the noise; full scale is 1."""
        spectrum = np.fft.rfft(block * _WINDOW)[_BINS]
        power = float(np.sum(np.square(np.abs(spectrum)))) * _SCALE + LEAST
        self._past.append(power)
        return power, min(self._past) * FLOOR_OVER


# ---- The gains of the microphones ---------------------------------------------------------------
# Microphones differ by 10 dB and more. What is equally loud in the whole room, a television, shows
# by how much, and so do the players: each is louder by as much in his own telephone. So the levels
# of the last minute are a mixture of patterns about the microphones' gains: one flat, and one a
# seat in which one channel is louder. The gains are found by expectation and maximisation
# (Dempster, Laird & Rubin 1977).


NEARER = 6.0
"""dB by which a player is louder in his own telephone than in the others."""
SCATTER = 2.0
"""Spread, in dB, of a block about its pattern."""
UNEQUAL = 5.0
"""Spread, in dB, of the microphones' gains."""
REMEMBERED = 1_200
"""Blocks with voices (a minute of them) by which gains are measured."""
EVERY = 20
"""Blocks with voices between two measurements."""
PASSES = 6
FEW = 8
"""Blocks by which a seat has been heard."""
HEARD_SEATS = 2
"""So many seats must have been heard for the gains to be known: one alone may be a gain."""
MOST_GAIN = 15.0
"""The most, in dB, by which a channel is made louder or fainter."""


class MicrophoneGains:
    """By how many dB each channel is louder than their mean, learnt from what they hear."""

    def __init__(self) -> None:
        self._channels: tuple[int, ...] = ()
        self._rows: deque[Decibels] = deque(maxlen=REMEMBERED)
        self._gains: dict[int, float] = {}
        self._fed = 0
        self.known = False
        """Whether enough was heard to tell gains from places."""

    def of(self, channels: Sequence[int]) -> Decibels:
        """The gains of these channels, in their order."""
        gains = np.array([self._gains.get(channel, 0.0) for channel in channels])
        return np.asarray(np.clip(gains - gains.mean(), -MOST_GAIN, MOST_GAIN))

    def learn(self, channels: Sequence[int], levels: Decibels) -> None:
        """A block in which a voice stands out in all channels; levels in dB."""
        if tuple(channels) != self._channels:
            self._channels = tuple(channels)
            self._rows.clear()
            self.known = False
        if len(channels) < 2:
            return
        self._rows.append(levels - levels.mean())
        self._fed += 1
        if self._fed % EVERY == 0:
            self._fit()

    def _fit(self) -> None:
        rows = np.array(self._rows)
        count = rows.shape[1]
        patterns = np.vstack([np.zeros(count), NEARER * (np.eye(count) - 1 / count)])
        starts = [self.of(self._channels), np.zeros(count), np.median(rows, axis=0)]
        tries = [_expectation(rows, patterns, start) for start in starts]
        _, gains, shares = max(tries, key=lambda one: one[0])
        self._gains.update(zip(self._channels, gains.tolist(), strict=True))
        heard = np.count_nonzero(shares[:, 1:].sum(axis=0) >= FEW)
        self.known = bool(heard >= min(HEARD_SEATS, count - 1))


def _expectation(
    rows: Decibels, patterns: Decibels, gains: Decibels
) -> tuple[float, Decibels, Decibels]:
    """The log likelihood, the gains, and each row's share of each pattern."""
    shares = np.zeros((len(rows), len(patterns)))
    likelihood = 0.0
    for _ in range(PASSES):
        off = rows[:, None, :] - gains - patterns
        nats = -0.5 * np.square(off).sum(axis=2) / SCATTER**2
        nats = np.maximum(nats, -30.0)  # a knock beside one telephone is no pattern's
        best = nats.max(axis=1, keepdims=True)
        shares = np.exp(nats - best)
        likelihood = float(np.sum(best[:, 0] + np.log(shares.sum(axis=1))))
        likelihood -= 0.5 * float(gains @ gains) / UNEQUAL**2
        shares /= shares.sum(axis=1, keepdims=True)
        shares = np.where(best > -30.0, shares, 0.0)
        moved = (shares[:, :, None] * (rows[:, None, :] - patterns)).sum(axis=(0, 1))
        gains = moved / (shares.sum() + (SCATTER / UNEQUAL) ** 2)
        gains = gains - gains.mean()
    return likelihood, gains, shares


# ---- The seat that speaks -----------------------------------------------------------------------


POWER_OUT = 4.0
"""Times a channel's noise from which something is a voice in it (6 dB)."""
AUDIBLE = 2.0
"""Times a channel's noise from which something may be a voice that the other channels tell."""
SMOOTH = 3
"""Blocks over which powers are averaged to learn gains: one alone scatters by some dB."""
MARGIN = 0.7
"""dB by which a channel is louder than the others, in the mean of all frequencies, from which its
player speaks: a vowel stands out in a part of them alone."""
AHEAD = 1
"""Blocks (0.05 s) before a voice that are already its seat's: a call's first sound is faint."""
HOLDS = 6
"""Blocks (0.3 s) after a voice that are still its seat's."""
STAYS = 1.5
"""Another seat must stand out by this factor more to take over within a call."""


class SeatChoice:
    """Chooses the seat that speaks, ``AHEAD`` blocks after each block."""

    def __init__(self) -> None:
        self.gains = MicrophoneGains()
        length = HOLDS + 1 + AHEAD
        self._marks: deque[dict[int, float]] = deque([{}] * length, maxlen=length)
        self._powers: deque[Mapping[int, tuple[float, float]]] = deque(maxlen=SMOOTH)
        self._seat = 0
        self.voiced = False
        """Whether a voice stands out in all channels of the newest block."""

    def feed(self, powers: Mapping[int, tuple[float, float]], out: Mapping[int, float]) -> int:
        """The seat that spoke ``AHEAD`` blocks ago; 0 for nobody's at the table.

        Of each seat's channel: ``powers``, the block's and its noise's; ``out``, by how many dB it
        is louder than the others.
        """
        self._powers.append(powers)
        self._learn()
        self._marks.append(
            {
                seat: over
                for seat, over in out.items()
                if over > MARGIN and powers[seat][0] > AUDIBLE * powers[seat][1]
            }
        )
        if len(out) == 1:  # nobody to compare with
            return next(iter(out))
        scores: dict[int, float] = {}
        for ago, marks in enumerate(reversed(self._marks)):
            for seat, over in marks.items():
                scores[seat] = scores.get(seat, 0.0) + over * (1.0 if ago <= AHEAD + 1 else 0.5)
        best = max(scores, key=lambda seat: scores[seat], default=0)
        if self._seat not in scores or scores[best] > STAYS * scores[self._seat]:
            self._seat = best
        return self._seat

    def _learn(self) -> None:
        """Learn the gains from what stands out in all channels, smoothed over some blocks."""
        newest = self._powers[-1]
        seats = [seat for seat in newest if all(seat in powers for powers in self._powers)]
        power = np.array([np.mean([one[seat][0] for one in self._powers]) for seat in seats])
        noise = np.array([newest[seat][1] for seat in seats])
        self.voiced = bool(seats) and bool((power > POWER_OUT * noise).all())
        if self.voiced:
            self.gains.learn(seats, 10 * np.log10(power - noise))
