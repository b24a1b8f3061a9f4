"""The journal of a game that nobody needs tomorrow: scripts, lessons, tests."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from threading import Lock

from assistant.journal.port import (
    HEARD_KEPT,
    HeardEntry,
    JournalError,
    check_append,
    check_cursor,
    heard_entry,
)
from assistant.rules.history import Record


class MemoryJournal:
    """A journal that ends with the process. See ``Journal`` for what the methods promise."""

    def __init__(self, table_id: str = "memory", *, heard_kept: int = HEARD_KEPT) -> None:
        self._table_id = table_id
        self._lock = Lock()
        self._records: list[Record] = []
        self._heard: deque[HeardEntry] = deque(maxlen=heard_kept)
        self._cursors: dict[str, int] = {}
        self._closed = False

    @property
    def table_id(self) -> str:
        """The table whose records these are."""
        return self._table_id

    @property
    def last_seq(self) -> int:
        """The seq of the last record; 0 where there is none."""
        self._check_open()
        return len(self._records)

    def append(self, records: Sequence[Record]) -> None:
        """Add the records, all or none. Raises JournalError."""
        self._check_open()
        with self._lock:
            check_append(len(self._records), records)
            self._records += records

    def read(self, after: int = 0) -> list[Record]:
        """The records after a seq. Raises JournalError."""
        self._check_open()
        with self._lock:
            return self._records[max(after, 0) :]  # seqs count from 1 without gaps

    def note_heard(self, at: float, text: str, seat: int | None, outcome: str, detail: str) -> None:
        """Add to the ``heard`` log. Raises JournalError."""
        self._check_open()
        with self._lock:
            self._heard.append(heard_entry(at, text, seat, outcome, detail))

    def heard(self, limit: int = 50) -> list[HeardEntry]:
        """The last entries of the ``heard`` log, oldest first. Raises JournalError."""
        self._check_open()
        with self._lock:
            return list(self._heard)[max(len(self._heard) - limit, 0) :]

    def cursor(self, consumer: str) -> int:
        """A consumer's position. Raises JournalError."""
        self._check_open()
        with self._lock:
            return self._cursors.get(consumer, 0)

    def set_cursor(self, consumer: str, seq: int) -> None:
        """Keep a consumer's position. Raises JournalError."""
        self._check_open()
        with self._lock:
            check_cursor(len(self._records), seq)
            self._cursors[consumer] = seq

    def close(self) -> None:
        """Let go of the journal."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise JournalError("The journal is closed.")
