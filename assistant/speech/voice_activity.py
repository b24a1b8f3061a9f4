"""Telling a voice from knocks, clinks and coughs, so that these do not become words.

A frame of 10 ms holds a voice where two agree. WebRTC's detector (webrtcvad) weighs six bands of
the sound against what it has learnt of the room, and so takes a fan or a hum for silence; bursts of
any kind it takes for speech. The pitch (pitch.py) tells bursts from vowels, and would take a hum
for one. Chosen with scripts/tune_voice_activity.py; the figures are in docs/ear.md.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

import numpy as np
import webrtcvad

from assistant.speech.audio import RATE, Samples
from assistant.speech.pitch import WINDOW, Strengths, pitch_at
from assistant.speech.room import FLOOR_WINDOW

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
