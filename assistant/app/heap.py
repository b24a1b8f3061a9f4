"""One heap for all threads of a table, so that an evening's memory stays what it was."""

from __future__ import annotations

import ctypes

M_ARENA_MAX = -8
"""Of glibc's malloc.h."""


def one_heap() -> bool:
    """Have the C library serve all threads from one heap; whether it can, as glibc does.

    By itself it gives each thread a heap of its own, and each keeps what its thread has freed: the
    recogniser's small pieces come and go in the ear's thread, and a stretch of one heap that is
    free is of no use to the others. Few threads of a table ever wait for each other at the heap,
    for Python lets one run at a time. To be called before the threads are started.

    Large pieces stay in the heap, too: taken from the system each time they would keep the memory
    four megabytes lower in an evening, and fitting a voice would take twice as long.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # as on musl, macOS and Windows
        return False
    return bool(mallopt(M_ARENA_MAX, 1))
