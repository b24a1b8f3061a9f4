"""How far the present sound stands out from the room, whatever the colour of the room's noise.

A voice over hiss, or over the hum of a fridge, adds little to the whole loudness but much to the
few bands where it is strongest. So each band is measured against its own floor, the quietest that
the last seconds held there (minimum statistics; Martin 2001, "Noise power spectral density
estimation based on optimal smoothing and minimum statistics").
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assistant.speech.audio import RATE, Samples

FRAME = RATE // 100
"""Samples that one figure is measured over: 10 ms."""
FLOOR_WINDOW = 300
"""Frames (3 s) whose minimum is the floor: longer than any call without a pause in it."""
EDGES = (100, 250, 450, 700, 1000, 1500, 2300, 3500, 7000)
"""Hertz between which the bands lie: as fine as hearing below, where voices are strongest."""
VOICED = slice(1, 6)
"""Bands, 250 to 2,300 Hz, in which a voice is louder than its s and than a room's rumble."""
SMOOTH = 3
"""Frames over which each band's power is averaged."""
HISS = -72.0
"""dB below full scale of the quietest room told from silence: what a good microphone hisses."""

_WINDOW = 2 * FRAME
_FFT = 512
_HANN = np.hanning(_WINDOW)

Powers = npt.NDArray[np.float64]


class Room:
    """The floor of each band, and how far above it the sound is."""

    def __init__(self) -> None:
        self._sound = np.zeros(FRAME, np.int16)  # the frame before, and what makes no frame yet
        self._recent = np.full((SMOOTH - 1, len(EDGES) - 1), _LEAST)
        self._past = np.full((FLOOR_WINDOW, len(EDGES) - 1), np.inf)
        self._at = 0
        self.voices: list[float] = []
        """The level of each frame fed last where voices are strongest: dB below full scale. The s
        of a word lies above that; it is often louder than all vowels and tells of no distance."""

    def feed(self, samples: Samples) -> list[float]:
        """For each new frame of 10 ms, dB by which its bands stand above their floors, on average.

        The average is of powers, so one band that stands out tells as much as all a little.
        """
        self._sound = np.concatenate([self._sound, samples])
        count = len(self._sound) // FRAME - 1
        if count < 1:
            self.voices = []
            return []
        powers = np.concatenate([self._recent, _band_powers(self._sound, count)])
        self._recent = powers[count:]
        self._sound = self._sound[count * FRAME :]
        smooth = np.lib.stride_tricks.sliding_window_view(powers, SMOOTH, axis=0).mean(axis=2)
        mean = smooth[:, VOICED].mean(axis=1) / np.sum(np.square(_HANN))
        self.voices = (10 * np.log10(mean)).tolist()
        return [self._above(row) for row in smooth]

    def _above(self, powers: Powers) -> float:
        self._at += 1
        if self._at <= SMOOTH:  # the average still holds the silence before the first sound
            return 0.0
        self._past[self._at % FLOOR_WINDOW] = powers
        return 10 * float(np.log10(np.mean(powers / self._past.min(axis=0))))


def _band_powers(sound: Samples, count: int) -> Powers:
    """The mean power of each band in each frame and the one before it, (count, bands)."""
    pieces = np.lib.stride_tricks.sliding_window_view(sound, _WINDOW)[::FRAME][:count]
    spectrum = np.fft.rfft(pieces / 32768 * _HANN, _FFT)
    return np.asarray(np.square(np.abs(spectrum)) @ _BANDS + _LEAST)


def _bands() -> Powers:
    """The share of each frequency in each band's mean."""
    hertz = np.fft.rfftfreq(_FFT, 1 / RATE)[:, None]
    within = (hertz >= EDGES[:-1]) & (hertz < EDGES[1:])
    return np.asarray(within / within.sum(axis=0))


_BANDS = _bands()
_LEAST = float(np.sum(np.square(_HANN))) * 10 ** (HISS / 10)
