"""The spectra of all telephones: what each has for itself alone, and their mixture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from assistant.ear.audio import RATE, Floats
from assistant.ear.source import BLOCK

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

WINDOW = np.sqrt(np.hanning(2 * HOP + 1)[: 2 * HOP])
_HERTZ = np.fft.rfftfreq(FFT, 1 / RATE)
_BINS = slice(int(np.searchsorted(_HERTZ, BAND[0])), int(np.searchsorted(_HERTZ, BAND[1])))
_SCALE = 2 * (_BINS.stop - _BINS.start) / (FFT * float(np.sum(np.square(WINDOW))))
_LEAST = 1e-9
"""The power of a frequency in silence, so that digital zeros are no ratio."""

Spectrum = npt.NDArray[np.complex128]
Powers = npt.NDArray[np.float64]


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
            spectra = np.fft.rfft(pieces * WINDOW, FFT)
            power = np.square(np.abs(spectra)) + _LEAST
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
        return float(np.mean(10 * np.log10(own[:, _BINS] / room[:, _BINS])))

    def apart(self) -> dict[int, float]:
        """How loud each channel is in what it has for itself alone: a power, full scale 1.

        Part of what all of them hear is added to each, so that what is nobody's is alike in all.
        """
        seats = [channel for channel in self.powers if channel]
        loudest = max(
            (float(np.mean(self.powers[channel][:, _BINS])) for channel in seats), default=0.0
        )
        found = {}
        for channel in seats:
            room = self.room(channel)
            own = self.powers[channel] if room is None else self.powers[channel] - room
            alone = float(np.mean(np.maximum(own[:, _BINS], 0)))
            found[channel] = (alone + SHARED * loudest) * _SCALE
        return found


def _smooth(power: Powers) -> Powers:
    around = np.stack([power[at : at + FRAMES] for at in range(len(ALONG))])
    power = np.tensordot(np.array(ALONG), around, 1)
    summed = np.cumsum(np.pad(power, ((0, 0), (ACROSS // 2 + 1, ACROSS // 2)), "edge"), axis=1)
    return np.asarray((summed[:, ACROSS:] - summed[:, :-ACROSS]) / ACROSS)


class Mixture:
    """Mixes block after block in overlapping frames, which crossfade where the channel changes."""

    def __init__(self) -> None:
        self._tail = np.zeros(HOP)

    def mix(self, frames: Frames, weights: Mapping[int, float]) -> Floats:
        """A block of the mixture; ``weights``: the factor of each channel that is heard."""
        mixed = np.zeros((FRAMES, FFT // 2 + 1), np.complex128)
        for channel, weight in weights.items():
            mixed += frames.frames[channel] * weight
        pieces = np.fft.irfft(mixed, FFT)[:, : 2 * HOP] * WINDOW
        sound = np.zeros(BLOCK + HOP)
        sound[:HOP] = self._tail
        for at, piece in enumerate(pieces):
            sound[at * HOP : (at + 2) * HOP] += piece
        self._tail = sound[BLOCK:]
        return np.asarray(sound[:BLOCK], np.float32)
