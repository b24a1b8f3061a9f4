"""How far a sound repeats itself as a voice does, 67 to 400 times a second.

Vowels repeat themselves; knocks, clinks, coughs, shuffled cards and hiss do not, or only for a
moment, or faster. Measured by the autocorrelation of a windowed piece over that of the window
(Boersma 1993, "Accurate short-term analysis of the fundamental frequency and the
harmonics-to-noise ratio of a sampled sound").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assistant.speech.audio import RATE, Samples

WINDOW = RATE // 20
"""Samples looked at for one figure, 50 ms: three periods of the lowest voice."""
BAND = (70.0, 900.0)
"""Hertz between which voices are strongest; below lies rumble, above what hisses and clinks."""
RINGS = 0.05
"""How much weaker than its pitch a voice's faster repeats are, those of its formants."""
_FFT = 2_048
_FASTER, _PITCHES = slice(RATE // 1_100, RATE // 400 + 2), slice(RATE // 400, RATE // 67 + 1)
"""Samples after which tones above 400 Hz and voices repeat themselves."""

Strengths = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pitch:
    """Of some moments, how strong the pitch is (0 to 1) and the power that the band holds."""

    strength: Strengths
    power: Strengths


def pitch_at(sound: Samples, ends: npt.NDArray[np.intp]) -> Pitch:
    """For each of ``ends`` the strength of a voice's pitch in the ``WINDOW`` samples up to there.

    About 0 for noise and 1 for a steady vowel; 0 for what rings above 400 Hz. The power is in any
    unit, but the same for all moments of all sounds.
    """
    if len(ends) == 0:
        return Pitch(np.zeros(0), np.zeros(0))
    pieces = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[ends - WINDOW]
    spectrum = np.fft.rfft((pieces - pieces.mean(axis=1, keepdims=True)) * _HANN, _FFT)
    power = np.square(np.abs(spectrum)) * _FILTER
    repeats = np.fft.irfft(power, _FFT)[:, : _PITCHES.stop]
    # One unit of the samples' last bit is added: digital silence has no pitch.
    whole = repeats[:, :1] + WINDOW
    repeats = repeats / whole / _WINDOW_REPEATS
    strengths = repeats[:, _PITCHES].max(axis=1)
    rings = _highest_peak(repeats[:, _FASTER]) >= strengths - RINGS
    return Pitch(np.asarray(np.where(rings, 0.0, strengths)), whole[:, 0])


def _highest_peak(rows: Strengths) -> Strengths:
    """Of each row the highest that stands between two lower ones; 0 where there is none."""
    inner = rows[:, 1:-1]
    peaks = (inner >= rows[:, :-2]) & (inner >= rows[:, 2:])
    return np.asarray(np.where(peaks, inner, 0.0).max(axis=1))


def _filter() -> Strengths:
    """What each frequency counts: the band wholly, nothing that is far from it."""
    frequencies = np.fft.rfftfreq(_FFT, 1 / RATE)
    low, high = BAND
    rises = np.clip((frequencies - low / 2) / (low / 2), 0, 1)
    falls = np.clip((1.2 * high - frequencies) / (0.2 * high), 0, 1)
    return np.asarray(rises * falls)


def _repeats_of_window() -> Strengths:
    repeats = np.fft.irfft(np.square(np.abs(np.fft.rfft(_HANN, _FFT))))[: _PITCHES.stop]
    return np.asarray(repeats / repeats[0])


_HANN = np.hanning(WINDOW)
_FILTER = _filter()
_WINDOW_REPEATS = _repeats_of_window()
