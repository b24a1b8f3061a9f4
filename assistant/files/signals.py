"""Ending a command cleanly on Ctrl-C and on the system's own wish."""

from __future__ import annotations

import signal
import threading
from types import FrameType


def stop_on_signals(stop: threading.Event) -> None:
    """Set ``stop`` on SIGINT and SIGTERM."""

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
