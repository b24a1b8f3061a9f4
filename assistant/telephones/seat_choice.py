"""Who at the table speaks, and the one sound in which he is heard.

He speaks whose telephone has a voice louder than its place explains: compared by frequency with
what the others hear. The channels are then mixed, frame by frame.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, Floats
from assistant.ear.source import BLOCK

Decibels = npt.NDArray[np.float64]
Spectrum = npt.NDArray[np.complex128]
Powers = npt.NDArray[np.float64]

# ---- The level of the voice in one channel ------------------------------------------------------


VOWELS = (250.0, 2300.0)
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
_BINS = (VOWELS[0] <= _HERTZ) & (VOWELS[1] >= _HERTZ)
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


# ---- The spectra of all channels: what each has for itself alone --------------------------------
# A player is some 6 dB louder in his own telephone than in the others, and what comes from the
# room, talk or clatter or a television, is as loud in all. So at each moment and frequency the
# other telephones tell how much of what one holds is the room's.


HOP = BLOCK // 4
"""Samples between two frames, 12.5 ms; a frame is twice as long."""
FRAMES = BLOCK // HOP
FFT = 512
ACROSS = 5
"""Neighbouring frequencies over which powers are averaged: 0.15 kHz."""
ALONG = (0.25, 0.5, 0.25)
"""What the frame before, this and the next weigh in a power."""
BAND = (250.0, 3500.0)
"""Hertz in which voices are told from the room."""

SHARED = 0.25
"""How much of what all channels hear counts as loudness of each: a player is then 6 dB louder in
his own, as in the four channels of a sound card."""

FRAME_WINDOW = np.sqrt(np.hanning(2 * HOP + 1)[: 2 * HOP])
_FRAME_HERTZ = np.fft.rfftfreq(FFT, 1 / RATE)
_FRAME_BINS = slice(
    int(np.searchsorted(_FRAME_HERTZ, BAND[0])), int(np.searchsorted(_FRAME_HERTZ, BAND[1]))
)
_FRAME_SCALE = (
    2 * (_FRAME_BINS.stop - _FRAME_BINS.start) / (FFT * float(np.sum(np.square(FRAME_WINDOW))))
)
_SILENCE = 1e-9
"""The power of a frequency in silence, so that digital zeros are no ratio."""


class Frames:
    """A block's frames, ``FRAMES`` of each channel. Every other frame reaches into the next block.

    ``frames``: channel -> its spectra. ``powers``: channel -> its powers, with equal gains,
    averaged over neighbours in time and frequency.
    """

    def __init__(
        self,
        blocks: Mapping[int, Floats],
        following: Mapping[int, Floats],
        before: Mapping[int, Powers],
        gains: Mapping[int, float],
    ) -> None:
        """``before``: ``last`` of the frames before; ``gains``: what makes channels equal."""
        self.frames: dict[int, Spectrum] = {}
        self.powers: dict[int, Powers] = {}
        self.last: dict[int, Powers] = {}
        for channel, sound in blocks.items():
            after = following.get(channel)
            after = np.zeros(BLOCK, np.float32) if after is None else after
            pieces = np.lib.stride_tricks.sliding_window_view(
                np.concatenate([sound, after]), 2 * HOP
            )[::HOP][: FRAMES + 1]
            spectra = np.fft.rfft(pieces * FRAME_WINDOW, FFT)
            power = np.square(np.abs(spectra)) + _SILENCE
            first = before.get(channel, power[0])
            self.frames[channel] = spectra[:FRAMES]
            self.last[channel] = power[FRAMES - 1]
            self.powers[channel] = _smooth(np.vstack([first, power])) * gains[channel] ** 2

    def room(self, channel: int) -> Powers | None:
        """The powers that the other telephones hear: the median, because of a cup beside one."""
        others = [power for other, power in self.powers.items() if other not in (channel, 0)]
        return np.asarray(np.median(others, axis=0)) if others else None

    def stands_out(self, channel: int) -> float:
        """By how many dB a channel is louder than the others, in the mean of all frequencies."""
        room = self.room(channel)
        if room is None:
            return 0.0
        own = self.powers[channel]
        return float(np.mean(10 * np.log10(own[:, _FRAME_BINS] / room[:, _FRAME_BINS])))

    def apart(self) -> dict[int, float]:
        """How loud each channel is in what it has for itself alone: a power, full scale 1.

        Part of what all of them hear is added to each, so that what is nobody's is alike in all.
        """
        seats = [channel for channel in self.powers if channel]
        loudest = max(
            (float(np.mean(self.powers[channel][:, _FRAME_BINS])) for channel in seats), default=0.0
        )
        found = {}
        for channel in seats:
            room = self.room(channel)
            own = self.powers[channel] if room is None else self.powers[channel] - room
            alone = float(np.mean(np.maximum(own[:, _FRAME_BINS], 0)))
            found[channel] = (alone + SHARED * loudest) * _FRAME_SCALE
        return found


def _smooth(power: Powers) -> Powers:
    around = np.stack([power[at : at + FRAMES] for at in range(len(ALONG))])
    power = np.tensordot(np.array(ALONG), around, 1)
    summed = np.cumsum(np.pad(power, ((0, 0), (ACROSS // 2 + 1, ACROSS // 2)), "edge"), axis=1)
    return np.asarray((summed[:, ACROSS:] - summed[:, :-ACROSS]) / ACROSS)


# ---- The gains of the microphones ---------------------------------------------------------------
# Microphones differ by 10 dB and more. What is equally loud in the whole room, a television, shows
# by how much, and so do the players: each is louder by as much in his own telephone. So the levels
# of the last minute are a mixture of patterns about the microphones' gains: one flat, and one a
# seat in which one channel is louder. The gains, and by how much each player is louder, are found
# by expectation and maximisation (Dempster, Laird & Rubin 1977).


NEARER, PLACED = 5.0, 2.0
"""dB by which a player is louder in his own telephone than in the others, and the spread of it from
player to player."""
SCATTER = 2.0
"""Spread, in dB, of a block about its pattern."""
ALIKE = 16
"""So many blocks count as one: those of a call are alike, and may all be off by as much."""
UNEQUAL = 5.0
"""Spread, in dB, of the microphones' gains."""
ROOM = 10 ** (-55 / 10)
"""Noise of at least this power is the room's, which is as loud in all; a microphone's own noise is
fainter."""
ROOM_BLOCKS, FEW_BLOCKS = 100, 10
"""The last blocks (5 s) of the room's noise by which gains are told beforehand, and the fewest."""
LEFT = 200
"""Blocks (10 s) for which a channel may be missing, as over a bad network, before it counts as
gone."""
UNEVEN, UNSTEADY = 0.7, 4.0
"""Spread, in dB, of the room's noise at its telephones, however long it is heard; and what the
square root of so many blocks divides, for clatter comes from one side and then from another."""
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
        self._room: deque[Decibels] = deque(maxlen=ROOM_BLOCKS)
        self._fed = 0
        self._without = 0
        self.known = False
        """Whether enough was heard to tell gains from places."""

    def of(self, channels: Sequence[int]) -> Decibels:
        """The gains of these channels, in their order."""
        known = self._gains or dict(zip(self._channels, self._beforehand()[0], strict=True))
        gains = np.array([known.get(channel, 0.0) for channel in channels])
        return np.asarray(np.clip(gains - gains.mean(), -MOST_GAIN, MOST_GAIN))

    def begin_anew(self) -> None:
        """A seat may have another telephone than before."""
        self._channels = ()

    def learn(self, channels: Sequence[int], levels: Decibels) -> None:
        """A block in which a voice stands out in all channels; levels in dB."""
        if not self._compares(channels):
            return
        self._rows.append(levels - levels.mean())
        self._fed += 1
        if self._fed % EVERY == 0:
            self._fit()

    def hear_room(self, channels: Sequence[int], powers: Powers) -> None:
        """A block without a voice: what all channels then hear alike is the room."""
        if self._compares(channels) and float(powers.min()) > ROOM:
            levels = 10 * np.log10(powers)
            self._room.append(levels - levels.mean())

    def _compares(self, channels: Sequence[int]) -> bool:
        """Whether all channels are there. With other ones, or without one for long, begin anew."""
        if tuple(channels) == self._channels:
            self._without = 0
        elif set(channels) < set(self._channels) and self._without < LEFT:
            self._without += 1
            return False
        else:
            self._without = 0
            self._channels = tuple(channels)
            self._rows.clear()
            self._room.clear()
            self.known = False
        return len(channels) > 1

    def _beforehand(self) -> tuple[Decibels, float]:
        """The gains by the room's noise alone, and their spread; without noise, any are likely."""
        if len(self._room) < FEW_BLOCKS:
            return np.zeros(len(self._channels)), UNEQUAL
        gains = np.median(np.array(self._room), axis=0)
        return gains - gains.mean(), float(np.hypot(UNEVEN, UNSTEADY / np.sqrt(len(self._room))))

    def _fit(self) -> None:
        rows = np.array(self._rows)
        before = self._beforehand()
        starts = [self.of(self._channels), before[0], np.median(rows, axis=0)]
        tries = [_expectation(rows, start, before) for start in starts]
        _, gains, shares = max(tries, key=lambda one: one[0])
        self._gains.update(zip(self._channels, gains.tolist(), strict=True))
        heard = np.count_nonzero(shares[:, 1:].sum(axis=0) >= FEW)
        self.known = bool(heard >= min(HEARD_SEATS, len(self._channels) - 1))


def _expectation(
    rows: Decibels, gains: Decibels, before: tuple[Decibels, float]
) -> tuple[float, Decibels, Decibels]:
    """The log likelihood, the gains, and each row's share of each pattern.

    ``before``: the gains that are likely beforehand, and their spread.
    """
    count = rows.shape[1]
    likely, unequal = before
    places = np.eye(count) - 1 / count
    nearer = np.full(count, NEARER)
    shares = np.zeros((len(rows), count + 1))
    likelihood = 0.0
    for _ in range(PASSES):
        patterns = np.vstack([np.zeros(count), nearer[:, None] * places])
        off = rows[:, None, :] - gains - patterns
        nats = -0.5 * np.square(off).sum(axis=2) / SCATTER**2
        nats = np.maximum(nats, -30.0)  # a knock beside one telephone is no pattern's
        best = nats.max(axis=1, keepdims=True)
        shares = np.exp(nats - best)
        likelihood = float(np.sum(best[:, 0] + np.log(shares.sum(axis=1)))) / ALIKE
        likelihood -= 0.5 * float(np.sum(np.square(gains - likely))) / unequal**2
        likelihood -= 0.5 * float(np.sum(np.square(nearer - NEARER))) / PLACED**2
        shares /= shares.sum(axis=1, keepdims=True)
        shares = np.where(best > -30.0, shares, 0.0)
        gains, nearer = _maximised(rows, shares, likely, unequal)
    return likelihood, gains, shares


def _maximised(
    rows: Decibels, shares: Decibels, likely: Decibels, unequal: float
) -> tuple[Decibels, Decibels]:
    """The gains, and by how much each player is louder, that fit the rows best.

    Both are found together: where one player alone was heard, only their sum shows.
    """
    count = rows.shape[1]
    places = np.eye(count) - 1 / count
    heard, seen = shares.sum(axis=0), shares.T @ rows
    together = heard[1:, None] * places
    of_gains = ALIKE * (SCATTER / unequal) ** 2
    of_places = ALIKE * (SCATTER / PLACED) ** 2
    sums = np.block(
        [
            [(heard.sum() + of_gains) * np.eye(count), together.T],
            [together, np.diag(heard[1:] * (1 - 1 / count) + of_places)],
        ]
    )
    right = np.concatenate(
        [
            seen.sum(axis=0) + of_gains * likely,
            np.sum(seen[1:] * places, axis=1) + of_places * NEARER,
        ]
    )
    found = np.linalg.solve(sums, right)
    gains, nearer = found[:count], found[count:]
    return gains - gains.mean(), nearer


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

    def feed(
        self,
        powers: Mapping[int, tuple[float, float]],
        out: Mapping[int, float],
        *,
        learns: bool = True,
    ) -> int:
        """The seat that spoke ``AHEAD`` blocks ago; 0 for nobody's at the table.

        Of each seat's channel: ``powers``, the block's and its noise's; ``out``, by how many dB it
        is louder than the others. ``learns``: not while the assistant speaks, for its loudspeaker
        may stand beside one of them.
        """
        self._powers.append(powers)
        self._learn(learns)
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

    def _learn(self, learns: bool) -> None:
        """Learn the gains from what stands out in all channels, smoothed over some blocks."""
        newest = self._powers[-1]
        seats = [seat for seat in newest if all(seat in powers for powers in self._powers)]
        power = np.array([np.mean([one[seat][0] for one in self._powers]) for seat in seats])
        noise = np.array([newest[seat][1] for seat in seats])
        self.voiced = bool(seats) and bool((power > POWER_OUT * noise).all())
        if not learns:
            return
        if self.voiced:
            self.gains.learn(seats, 10 * np.log10(power - noise))
        elif seats:
            self.gains.hear_room(seats, power)


# ---- The mixture --------------------------------------------------------------------------------


class Mixture:
    """Mixes block after block in overlapping frames, which crossfade where the channel changes."""

    def __init__(self) -> None:
        self._tail = np.zeros(HOP)

    def mix(self, frames: Frames, weights: Mapping[int, float]) -> Floats:
        """A block of the mixture; ``weights``: the factor of each channel that is heard."""
        mixed = np.zeros((FRAMES, FFT // 2 + 1), np.complex128)
        for channel, weight in weights.items():
            mixed += frames.frames[channel] * weight
        pieces = np.fft.irfft(mixed, FFT)[:, : 2 * HOP] * FRAME_WINDOW
        sound = np.zeros(BLOCK + HOP)
        sound[:HOP] = self._tail
        for at, piece in enumerate(pieces):
            sound[at * HOP : (at + 2) * HOP] += piece
        self._tail = sound[BLOCK:]
        return np.asarray(sound[:BLOCK], np.float32)
