"""Choice of the seat that speaks, and the mixture of the telephones' channels to one sound.

The speaker is the player whose telephone hears a voice louder than the others do, compared by
frequency and with equal gains. The channels are then mixed, frame by frame.
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
"""Hertz between which vowels are loud. Above, an s does not show how near somebody is; below, a
telephone hears its table's rumble."""
FLOOR_WINDOW = 60
"""Blocks (3 s) of which the quietest gives a channel's noise: longer than any call."""
FLOOR_OVER = 1.5
"""The mean power of noise over the least of that many blocks."""
LEAST = 10 ** (-80 / 10)
"""The least power of a channel; full scale is 1."""

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
# A player is some 6 dB louder in his own telephone than in the others. The sound of the room (talk,
# clatter, a television) is as loud in all. So at each moment and frequency the other telephones
# show how much of one telephone's sound is the room's.


HOP = BLOCK // 4
"""Samples between two frames, 12.5 ms; a frame is twice as long."""
FRAMES = BLOCK // HOP
FFT = 512
ACROSS = 5
"""Neighbouring frequencies over which powers are averaged: 0.15 kHz."""
ALONG = (0.25, 0.5, 0.25)
"""The weights of the frame before, this one and the next in a power."""
BAND = (250.0, 3500.0)
"""Hertz in which voices are told from the room."""

SHARED = 0.25
"""The share of the sound in all channels that is added to each one's loudness: a player is then 6
dB louder in his own, as in the four channels of a sound card."""

FRAME_WINDOW = np.sqrt(np.hanning(2 * HOP + 1)[: 2 * HOP])
_FRAME_HERTZ = np.fft.rfftfreq(FFT, 1 / RATE)
_FRAME_BINS = slice(
    int(np.searchsorted(_FRAME_HERTZ, BAND[0])), int(np.searchsorted(_FRAME_HERTZ, BAND[1]))
)
_FRAME_SCALE = (
    2 * (_FRAME_BINS.stop - _FRAME_BINS.start) / (FFT * float(np.sum(np.square(FRAME_WINDOW))))
)
_SILENCE = 1e-9
"""The power of a frequency in silence, so that no ratio has digital zeros."""


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
        """``before``: ``last`` of the frames before; ``gains``: factors that equalise channels."""
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
        """The median of the powers that the others hear, because one may be beside a cup."""
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
        """The power that each channel has for itself alone; full scale is 1.

        A share of the sound in all of them is added to each, so that a sound that is nobody's has
        the same power in all.
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
# Microphones differ by 10 dB and more. A sound that is equally loud in the whole room, as of a
# television, shows by how much. So do the players, because each is louder by as much in his own
# telephone. So the levels of the last minute are a mixture of patterns about the microphones'
# gains: a flat one, and one for each seat in which one channel is louder. The gains, and by how
# much each player is louder, are found by expectation and maximisation (Dempster, Laird & Rubin
# 1977).


NEARER, PLACED = 5.0, 2.0
"""How much louder, in dB, a player is in his own telephone than in the others, and the spread of
that from player to player."""
SCATTER = 2.0
"""Spread, in dB, of a block about its pattern."""
ALIKE = 16
"""How many blocks count as one: those of a call are alike, and may all have the same error."""
UNEQUAL = 5.0
"""Spread, in dB, of the microphones' gains."""
ROOM = 10 ** (-55 / 10)
"""Noise of at least this power is the room's, which is as loud in all; a microphone's own noise is
fainter."""
ROOM_BLOCKS, FEW_BLOCKS = 100, 10
"""Blocks (5 s) of the room's noise that give the gains before anybody has spoken much, and the
least number of them."""
LEFT = 200
"""Blocks (10 s) for which a channel may be missing, as over a bad network, before it counts as
gone."""
UNEVEN, UNSTEADY = 0.7, 4.0
"""Spread, in dB, of the room's noise between telephones: UNEVEN however long it is heard; and
UNSTEADY divided by the square root of the number of blocks, because clatter comes from changing
sides."""
REMEMBERED = 1_200
"""Blocks with voices (a minute of them) by which gains are measured."""
EVERY = 20
"""Blocks with voices between two measurements."""
PASSES = 6
FEW = 8
"""Blocks from which on a seat counts as heard."""
HEARD_SEATS = 2
"""Seats that must have been heard for the gains to be known: one alone may only have a high
gain."""
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
        """Whether enough seats were heard to tell a high gain from a near player."""

    def of(self, channels: Sequence[int]) -> Decibels:
        """The gains of these channels, in their order."""
        known = self._gains or dict(zip(self._channels, self._beforehand()[0], strict=True))
        gains = np.array([known.get(channel, 0.0) for channel in channels])
        return np.asarray(np.clip(gains - gains.mean(), -MOST_GAIN, MOST_GAIN))

    def begin_anew(self) -> None:
        """Learn the gains anew: a seat may have another telephone than before."""
        self._channels = ()

    def learn(self, channels: Sequence[int], levels: Decibels) -> None:
        """Learn from a block in which a voice stands out in all channels; levels in dB."""
        if not self._compares(channels):
            return
        self._rows.append(levels - levels.mean())
        self._fed += 1
        if self._fed % EVERY == 0:
            self._fit()

    def hear_room(self, channels: Sequence[int], powers: Powers) -> None:
        """Learn from a block without a voice: all channels then hear the same room."""
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
        """The gains by the room's noise alone, and their spread, which is wide without noise."""
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

    Both are found together: if only one player was heard, only their sum shows.
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
"""A sound is a voice from this many times the channel's noise on (6 dB)."""
AUDIBLE = 2.0
"""From this many times the channel's noise on, a sound may be a voice if other channels hear
one."""
SMOOTH = 3
"""Blocks over which powers are averaged to learn gains: one alone scatters by some dB."""
MARGIN = 0.7
"""A channel's player speaks if it is louder than the others by this, in dB in the mean of all
frequencies. It is small because a vowel stands out in only a part of them."""
AHEAD = 1
"""Blocks (0.05 s) before a voice that are already its seat's: a call's first sound is faint."""
HOLDS = 6
"""Blocks (0.3 s) after a voice that are still its seat's."""
STAYS = 1.5
"""The factor by which another seat must stand out more to take over within a call."""


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
        """The seat that spoke ``AHEAD`` blocks ago; 0 if nobody at the table did.

        For each seat's channel: ``powers``, the block's and its noise's; ``out``, by how many dB it
        is louder than the others. ``learns``: false while the assistant speaks, because its
        loudspeaker may stand beside one of them.
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
