"""The echo gate: while the assistant speaks it does not listen to itself.

The wiring gives one gate to the voice (which shuts and opens it, and tells what it says) and to the
ear (which asks it); ear and voice know nothing of each other.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from assistant.speech.echo import Sentence, sentence_of

TAIL = 0.25
"""Seconds the gate stays shut after the voice: the room's echo, and sound still in buffers."""
LONGEST = 60.0
"""Seconds after which a gate opens by itself: a voice that died must not leave the ear deaf."""


class EchoGate:
    """Shut while the voice speaks, and ``tail`` seconds longer. Any thread may use it.

    Shutting twice is the same as once: the voice's last word counts. What sounds elsewhere has a
    time of its own, for the voice's end says nothing of a telephone that still plays.
    """

    def __init__(self, tail: float = TAIL, clock: Callable[[], float] = time.monotonic) -> None:
        self._tail = tail
        self._clock = clock
        self._lock = threading.Lock()
        self._voice_until = float("-inf")
        self._held_until = float("-inf")
        self._sentence: Sentence | None = None
        self.somebody_speaks = False
        """Whether a player is speaking, as the ear tells it: who is polite waits with his words."""

    def shut(self, sound: Path | None = None) -> None:
        """The voice begins to speak, and plays this WAV file where that is known."""
        sentence = sentence_of(sound) if sound else None
        with self._lock:
            self._sentence = sentence
            self._voice_until = self._clock() + LONGEST

    def open(self) -> None:
        """The voice has ended. Opening a gate that is open does nothing."""
        with self._lock:
            self._voice_until = min(self._voice_until, self._clock() + self._tail)

    def hold(self, seconds: float) -> None:
        """Something else of ours sounds so long near the microphone, as a telephone does."""
        with self._lock:
            until = self._clock() + min(seconds, LONGEST) + self._tail
            self._held_until = max(self._held_until, until)

    def is_shut(self) -> bool:
        """Whether sound that arrives now must not be listened to."""
        with self._lock:
            return self._clock() < max(self._voice_until, self._held_until)

    def sentence(self) -> Sentence | None:
        """What is said while it is shut; None where that is not known, or not all that sounds."""
        with self._lock:
            return None if self._clock() < self._held_until else self._sentence
