"""The process of a command: the error that ends it, its clean end on a signal, and its memory."""

from __future__ import annotations

import ctypes
import signal
import threading
from types import FrameType

from assistant.rules.errors import MusError


class UsageError(MusError):
    """The command cannot be done as it was asked; the text says what to do instead.

    A command ends with this one sentence and exit code 2.
    """


def stop_on_signals(stop: threading.Event) -> None:
    """Set ``stop`` on SIGINT and SIGTERM."""

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)


M_ARENA_MAX = -8
"""The constant of glibc's malloc.h."""


def one_heap() -> bool:
    """Limit glibc to one malloc arena, to keep memory flat; returns whether it worked.

    By default the C library gives each thread an arena of its own, and each arena keeps what its
    thread has freed. The recogniser allocates and frees small blocks in the ear's thread, and the
    free memory of one arena is of no use to the others. The threads of a table rarely wait for each
    other at the one arena, because Python runs one at a time. Call it before threads are started.

    Large blocks stay in the arena, too. If they came from the system each time, the memory of
    an evening would be four megabytes lower, but fitting a voice would take twice as long.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # as on musl, macOS and Windows
        return False
    return bool(mallopt(M_ARENA_MAX, 1))
