"""Helpers for the tests of the voice: a needed program, a gate log, waiting."""

import ctypes.util
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from threading import Condition

import pytest

needs_speech = pytest.mark.skipif(
    ctypes.util.find_library("espeak-ng") is None, reason="not installed: espeak-ng"
)
needs_player = pytest.mark.skipif(shutil.which("aplay") is None, reason="not installed: aplay")

# A player that sounds until it is ended, and prints nothing.
ENDLESS = ("sh", "-c", "exec sleep 60")
QUIET = ("true",)


class GateLog:
    """A gate that logs when it was shut and opened."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.somebody_speaks = False
        self._changed = Condition()

    def shut(self, _sound: Path) -> None:
        self._note("shut")

    def open(self) -> None:
        self._note("open")

    def wait_for(self, *moves: str, seconds: float = 10.0) -> bool:
        """Wait until these are the moves so far."""
        with self._changed:
            return self._changed.wait_for(lambda: self.moves == list(moves), seconds)

    def _note(self, move: str) -> None:
        with self._changed:
            self.moves.append(move)
            self._changed.notify_all()


def until(true: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether a condition becomes true in time."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
