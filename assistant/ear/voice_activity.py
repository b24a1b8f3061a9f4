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

# ---- How far a sound repeats itself as a voice does, 67 to 400 times a second -------------------
# Vowels repeat themselves; knocks, clinks, coughs, shuffled cards and hiss do not, or only for a
# moment, or faster. Measured by the autocorrelation of a windowed piece over that of the window
# (Boersma 1993, "Accurate short-term analysis of the fundamental frequency and the
# harmonics-to-noise ratio of a sampled sound").


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


# ---- Telling a voice from knocks, clinks and coughs, so that these do not become words ----------
# A frame of 10 ms holds a voice where two agree. WebRTC's detector (webrtcvad) weighs six bands of
# the sound against what it has learnt of the room, and so takes a fan or a hum for silence; bursts
# of any kind it takes for speech. The pitch (pitch.py) tells bursts from vowels, and would take a
# hum for one. Chosen with scripts/lab/tune_voice_activity.py; the figures are in docs/ear.md.


FRAME = RATE // 100
"""Samples of one verdict, 10 ms: the shortest frame that webrtcvad knows."""
MODE = 2
"""How strict webrtcvad is, 0 to 3. At 3 it hears no voice at all in 3% of the calls."""
PERIODIC = 0.65
"""Strength of the pitch, of 1, from which a sound repeats itself as vowels do, in a quiet room."""
NOISY = 0.50
"""The same where the room is nearly as loud: its noise repeats nothing, and weakens the pitch."""
NOISE = 2.0
"""Power of the room's noise, of its quietest."""
LEAST = 0.04
"""Seconds of voice in the shortest call: what holds less is no word."""
LEEWAY = 0.06
"""Seconds beside a word that may still hold its voice: its times are no more exact than that."""
REMEMBERED = 20 * 100
"""Frames (20 s) whose verdict is kept: longer than any utterance."""


class VoiceActivity(Protocol):
    """Where in the sound somebody's voice was. Times are seconds of sound fed."""

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
        self._sound = np.zeros(WINDOW, np.int16)  # the last window, and what makes no frame yet
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
        """The strength that a voice's pitch has in this noise: a voice's share of the power."""
        enough = np.empty(len(powers))
        for at, power in enumerate(powers.tolist()):
            if (self._judged + at) * FRAME >= WINDOW:  # before that it is half the window's zeros
                self._powers.append(power)
            enough[at] = self._periodic * (1 - NOISE * min(self._powers, default=0.0) / power)
        return np.maximum(min(NOISY, self._periodic), enough)

    def _is_speech(self, end: int) -> bool:
        frame = self._sound[end - FRAME : end].tobytes()
        return bool(self._detector.is_speech(frame, RATE))
