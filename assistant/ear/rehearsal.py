"""Trying the microphone: for a while what is heard is shown, and the table does not take it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from assistant.messages import Heard

LASTS = 15.0
"""Seconds: time to say three calls."""
KEPT = 5
"""Calls that are shown."""


class Rehearsal:
    """What was heard while somebody tried the microphone; called from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = float("-inf")
        self._heard: list[Heard] = []
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Take from now on what is heard."""
        with self._lock:
            self._heard = []
            self._until = self._clock() + LASTS

    def takes(self, heard: Heard) -> bool:
        """Whether it was said for the trial: then the table must not hear of it."""
        with self._lock:
            if self._clock() >= self._until:
                return False
            self._heard = [*self._heard, heard][-KEPT:]
            return True

    def left(self) -> float:
        """Seconds that it still lasts; 0 where none is on."""
        return max(0.0, self._until - self._clock())

    def heard(self) -> list[Heard]:
        """What the last one heard, the newest last."""
        with self._lock:
            return list(self._heard)
