"""The journal's port, and the journal in memory, for games that nobody needs tomorrow."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from threading import Lock
from typing import Protocol

from assistant.rules.errors import MusError
from assistant.rules.history import Record

# ---- What every journal promises, whatever keeps it; ``tests/contracts`` holds it to that -------


HEARD_KEPT = 10_000
"""Entries of a table's ``heard`` log that are kept, unless its maker asks for another number.

An evening has about 3,000."""
HEARD_TEXT_KEPT = 1_000
"""Letters kept of each text in a ``heard`` entry."""


class JournalError(MusError):
    """The journal cannot be opened, read or written; the text says what to do.

    What was committed before stays as it is. What was being committed is not in the journal.
    """


class DamagedJournalError(JournalError):
    """The file does not hold what was written. Its sound records can still be saved."""


@dataclass(frozen=True, slots=True)
class HeardEntry:
    """An utterance, whether or not it was a call: the evidence in a dispute.

    ``at`` is Unix time in seconds; ``outcome`` and ``detail`` say what became of it.
    """

    at: float
    text: str
    seat: int | None
    outcome: str
    detail: str


class Journal(Protocol):
    """The records of one table, in their order, and what is kept beside them.

    Any thread may call any method. Each raises JournalError.
    """

    @property
    def table_id(self) -> str:
        """The table whose records these are."""

    @property
    def last_seq(self) -> int:
        """The seq of the last record; 0 where there is none."""

    def append(self, records: Sequence[Record]) -> None:
        """Commit these records, all or none; they are safe when this returns.

        Their seqs must follow the last one. No records at all is no error.
        """

    def read(self, after: int = 0) -> list[Record]:
        """The records with a seq greater than ``after``, in order."""

    def note_heard(self, at: float, text: str, seat: int | None, outcome: str, detail: str) -> None:
        """Add to the ``heard`` log, which forgets its oldest entries."""

    def heard(self, limit: int = 50) -> list[HeardEntry]:
        """The last entries of the ``heard`` log, at most ``limit``, oldest first."""

    def close(self) -> None:
        """Close the journal; closing it again is no error. No other call may follow."""


def check_append(last: int, records: Sequence[Record]) -> None:
    """Raise JournalError unless ``records`` are complete batches that follow seq ``last``."""
    before = 0  # the batch of the record before
    for expected, (seq, batch, at, _event) in enumerate(records, last + 1):
        if seq <= last:
            raise JournalError(
                "Record {seq} is already there: another mus is running on this table; "
                "close it and start again.",
                seq=seq,
            )
        if seq != expected:
            raise JournalError(
                "Record {seq} cannot be added: {expected} comes next.", seq=seq, expected=expected
            )
        if batch != before and batch != seq:
            raise JournalError(
                "Record {seq} belongs to no call: batch {batch}.", seq=seq, batch=batch
            )
        if not isfinite(at):
            raise JournalError("Record {seq} has no time: {at}.", seq=seq, at=at)
        before = batch


def heard_entry(at: float, text: str, seat: int | None, outcome: str, detail: str) -> HeardEntry:
    """An entry as every journal keeps it: texts cut to size, and fit for any encoding."""
    return HeardEntry(at, _kept(text), seat, _kept(outcome), _kept(detail))


def _kept(text: str) -> str:
    # Lone surrogates (a badly encoded command line) have no UTF-8.
    return text[:HEARD_TEXT_KEPT].encode("utf-8", "replace").decode("utf-8")


# ---- The journal of a game that nobody needs tomorrow: scripts, lessons, tests ------------------


class MemoryJournal:
    """A journal that ends with the process. See ``Journal`` for what the methods promise."""

    def __init__(self, table_id: str = "memory", *, heard_kept: int = HEARD_KEPT) -> None:
        self._table_id = table_id
        self._lock = Lock()
        self._records: list[Record] = []
        self._heard: deque[HeardEntry] = deque(maxlen=heard_kept)
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

    def close(self) -> None:
        """Close the journal."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise JournalError("The journal is closed.")
