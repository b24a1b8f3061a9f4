"""Memory that is free goes back to the system between two deals."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from assistant.app.runner import News
from assistant.rules.events import DealCounted
from assistant.table import Table


class Tidy:
    """A listener that has the C library give back what it keeps, whenever a deal was counted.

    The recogniser takes and frees thousands of small pieces for every word, and between those that
    stay glibc is left with free pages that nobody uses: 8 of 130 MB, more by the hour. To give them
    back takes some milliseconds, and after the count nobody waits. Other C libraries keep less, and
    are left alone.
    """

    def __init__(self) -> None:
        self._trim = _malloc_trim()

    def told(self, news: News, table: Table) -> None:  # noqa: ARG002 - the news tell enough
        """Give back what is free, if a deal was counted."""
        if any(
            isinstance(record.event, DealCounted)
            for update in news.updates
            for record in update.records
        ):
            self._trim(0)


def _malloc_trim() -> Callable[[int], object]:
    """Glibc's own, or nothing in its place."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # as on musl, macOS and Windows
        return lambda _pad: None
    trim.argtypes = [ctypes.c_size_t]
    return lambda pad: trim(pad)
