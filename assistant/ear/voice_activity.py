"""Voice activity detection: voices told from knocks, clinks and coughs by their pitch."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import webrtcvad

from assistant.ear.audio import RATE, Samples
from assistant.ear.endpoint import FLOOR_WINDOW

# ---- Pitch: how periodic a sound is between 67 and 400 Hz, as voices are ------------------------
# Vowels are periodic; knocks, clinks, coughs, shuffled cards and hiss are not, or only for a
# moment, or at higher rates. The measure is the autocorrelation of a windowed piece over the
# window's own (Boersma 1993, "Accurate short-term analysis of the fundamental frequency and the
# harmonics-to-noise ratio of a sampled sound").


WINDOW = RATE // 20
"""Samples of the analysis window, 50 ms: three periods of the lowest voice."""
BAND = (70.0, 900.0)
"""The band, in hertz, in which voices are strongest; below lies rumble, above hiss and clinks."""
RINGS = 0.05
"""The peaks of a voice's formants, at shorter lags, are weaker than that of its pitch by this
much."""
_FFT = 2_048
_FASTER, _PITCHES = slice(RATE // 1_100, RATE // 400 + 2), slice(RATE // 400, RATE // 67 + 1)
"""The lags, in samples, of tones above 400 Hz, and of voices."""

Strengths = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pitch:
    """The strength of the pitch (0 to 1) and the power of the band at some moments."""

    strength: Strengths
    power: Strengths


def pitch_at(sound: Samples, ends: npt.NDArray[np.intp]) -> Pitch:
    """The strength of a voice's pitch in the ``WINDOW`` samples before each of ``ends``.

    It is about 0 for noise, 1 for a steady vowel, and 0 for what rings above 400 Hz. The power is
    in an arbitrary unit, the same for all sounds.
    """
    if len(ends) == 0:
        return Pitch(np.zeros(0), np.zeros(0))
    pieces = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[ends - WINDOW]
    spectrum = np.fft.rfft((pieces - pieces.mean(axis=1, keepdims=True)) * _HANN, _FFT)
    power = np.square(np.abs(spectrum)) * _FILTER
    repeats = np.fft.irfft(power, _FFT)[:, : _PITCHES.stop]
    # The least bit of a sample is added as power, so that digital silence has no pitch.
    whole = repeats[:, :1] + WINDOW
    repeats = repeats / whole / _WINDOW_REPEATS
    strengths = repeats[:, _PITCHES].max(axis=1)
    rings = _highest_peak(repeats[:, _FASTER]) >= strengths - RINGS
    return Pitch(np.asarray(np.where(rings, 0.0, strengths)), whole[:, 0])


def _highest_peak(rows: Strengths) -> Strengths:
    """The highest local maximum of each row; 0 where there is none."""
    inner = rows[:, 1:-1]
    peaks = (inner >= rows[:, :-2]) & (inner >= rows[:, 2:])
    return np.asarray(np.where(peaks, inner, 0.0).max(axis=1))


def _filter() -> Strengths:
    """The weight of each frequency: 1 in the band, 0 far from it."""
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


# ---- The detector: knocks, clinks and coughs must not become words ------------------------------
# A frame of 10 ms contains a voice if two detectors agree. WebRTC's (webrtcvad) weighs six bands of
# the sound against what it has learnt of the room. So it takes a fan or a hum for silence, but
# bursts of any kind for speech. The pitch tells bursts from vowels, but would take a hum for a
# vowel. Chosen with scripts/lab/tune_voice_activity.py; the figures are in docs/ear.md.


FRAME = RATE // 100
"""Samples of a frame, 10 ms: the shortest that webrtcvad accepts."""
MODE = 2
"""How strict webrtcvad is, 0 to 3. At 3 it hears no voice at all in 3% of the calls."""
PERIODIC = 0.65
"""A sound is as periodic as a vowel from this strength of the pitch (0 to 1), in a quiet room."""
NOISY = 0.50
"""The same where the room is nearly as loud: its noise is not periodic, and weakens the pitch."""
NOISE = 2.0
"""The power of the room's noise, as a multiple of its quietest."""
LEAST = 0.04
"""Seconds of voice in the shortest call: what contains less is no word."""
LEEWAY = 0.06
"""Seconds beside a word that may still contain its voice, because its times are not more exact."""
REMEMBERED = 20 * 100
"""Frames (20 s) whose verdict is kept: longer than any utterance."""


class VoiceActivity(Protocol):
    """A voice activity detector. Times are seconds of sound fed."""

    def feed(self, samples: Samples) -> None:
        """Listen to some more, any number of samples at ``RATE``."""

    def voiced(self, start: float, end: float) -> float:
        """Seconds of voice between two times; what is no longer remembered holds none."""


class PitchedVoice:
    """Voice where webrtcvad hears speech and the sound has a pitch."""

    def __init__(self, mode: int = MODE, periodic: float = PERIODIC) -> None:
        """``mode``: how strict webrtcvad is, 0 to 3; ``periodic``: the least pitch, 0 to 1."""
        self._detector = webrtcvad.Vad(mode)
        self._periodic = periodic
        self._sound = np.zeros(WINDOW, np.int16)  # the last window, and the start of a frame
        self._powers: deque[float] = deque(maxlen=FLOOR_WINDOW)
        self._voiced: deque[bool] = deque(maxlen=REMEMBERED)
        self._judged = 0

    def feed(self, samples: Samples) -> None:
        """Listen to some more, any number of samples at ``RATE``."""
        self._sound = np.concatenate([self._sound, samples])
        ends = np.arange(WINDOW + FRAME, len(self._sound) + 1, FRAME)
        speech = np.array([self._is_speech(int(end)) for end in ends], np.bool_)
        pitch = pitch_at(self._sound, ends)
        verdicts = speech & (pitch.strength >= self._enough(pitch.power))
        self._voiced.extend(verdicts.tolist())
        self._judged += len(ends)
        self._sound = self._sound[len(ends) * FRAME :]

    def voiced(self, start: float, end: float) -> float:
        """Seconds of voice between two times; what is no longer remembered holds none."""
        oldest = self._judged - len(self._voiced)
        first, last = (round(at * RATE / FRAME) - oldest for at in (start, end))
        held = list(self._voiced)[max(0, first) : max(0, last)]
        return sum(held) * FRAME / RATE

    def _enough(self, powers: Strengths) -> Strengths:
        """The pitch strength that a voice has in this noise: less, the louder the noise."""
        enough = np.empty(len(powers))
        for at, power in enumerate(powers.tolist()):
            if (self._judged + at) * FRAME >= WINDOW:  # before that, half the window is zeros
                self._powers.append(power)
            enough[at] = self._periodic * (1 - NOISE * min(self._powers, default=0.0) / power)
        return np.maximum(min(NOISY, self._periodic), enough)

    def _is_speech(self, end: int) -> bool:
        frame = self._sound[end - FRAME : end].tobytes()
        return bool(self._detector.is_speech(frame, RATE))
