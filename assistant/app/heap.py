"""One heap for all threads of a table, so that an evening's memory stays what it was."""

from __future__ import annotations

import ctypes

M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
"""Of glibc's malloc.h."""
LARGE = 64 * 1024
"""Bytes from which a piece of memory is taken from the system and given back to it by itself."""


def one_heap() -> bool:
    """Have the C library serve all threads from one heap, and large pieces from none.

    By itself glibc gives each thread a heap of its own that keeps what the thread has freed; and
    once a large piece was freed, those of its size come from a heap, too, where the recogniser's
    small ones lie between them for good. Few threads of a table ever wait for each other at the
    heap, for Python lets one run at a time. To be called before the threads are started. Returns
    whether it could be done; other C libraries are left alone.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # as on musl, macOS and Windows
        return False
    return bool(mallopt(M_ARENA_MAX, 1)) and bool(mallopt(M_MMAP_THRESHOLD, LARGE))
