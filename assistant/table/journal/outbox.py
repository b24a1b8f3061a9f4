"""A second reader of a journal that keeps its own place in every game: what a hub has of them.

It reads beside the one writer and writes nothing but its own cursors, in a connection of its own,
so it never holds up the table.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

from assistant.table.journal.file import damaged, explained, open_file
from assistant.table.journal.port import JournalError
from assistant.table.journal.sqlite import is_sound


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record with its event as it stands in the file. ``at`` is Unix time in seconds."""

    seq: int
    batch: int
    at: float
    event: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that was given to this consumer: where it stands in it, and how far the game is."""

    table_id: str
    position: int
    last_seq: int


class Outbox:
    """What one consumer has still to deal with, in all games that were given to it.

    Any thread may call any method; each raises JournalError.
    """

    def __init__(self, path: Path, consumer: str) -> None:
        self._path = path
        self._consumer = consumer
        self._mutex = RLock()
        self._connection = open_file(path, create=False)
        # A cursor that a power cut takes back costs a few records sent twice; the table's own
        # commits, which may not wait for a disk that syncs a cursor, are synced as ever.
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def give(self, table_id: str) -> None:
        """Give it a game: from now on it is its business, from the first record on."""
        with self._using() as connection:
            connection.execute(
                "INSERT INTO cursors VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
                (table_id, self._consumer),
            )

    def games(self) -> list[Waiting]:
        """Every game that was given to it, in the order of opening."""
        with self._using() as connection:
            rows = connection.execute(
                "SELECT table_id, seq, last_seq FROM cursors JOIN tables USING (table_id)"
                " WHERE consumer = ? ORDER BY opening",
                (self._consumer,),
            ).fetchall()
        return [Waiting(*row) for row in rows]

    def read(self, table_id: str, after: int, limit: int) -> list[RawRecord]:
        """The records after a seq, in order, at most ``limit``."""
        with self._using() as connection:
            rows = connection.execute(
                "SELECT seq, batch, at, event, crc FROM events WHERE table_id = ? AND seq > ?"
                " ORDER BY seq LIMIT ?",
                (table_id, after, limit),
            ).fetchall()
        records = []
        for expected, (seq, batch, at, text, crc) in enumerate(rows, start=after + 1):
            if seq != expected or not is_sound(seq, batch, at, text, crc):
                raise damaged(self._path, f"record {expected} of {table_id}")
            records.append(RawRecord(seq, batch, at, text))
        return records

    def move(self, table_id: str, seq: int) -> None:
        """Keep where it stands in a game; a game that was never given to it is none of its own."""
        with self._using() as connection:
            row = connection.execute(
                "SELECT last_seq FROM tables WHERE table_id = ?", (table_id,)
            ).fetchone()
            last = row[0] if row else 0
            if not 0 <= seq <= last:
                raise JournalError(f"No consumer can be at record {seq}: the last one is {last}.")
            connection.execute(
                "UPDATE cursors SET seq = ? WHERE table_id = ? AND consumer = ?",
                (seq, table_id, self._consumer),
            )

    def close(self) -> None:
        """Let go of the file; again is no error."""
        with self._mutex:
            self._connection.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._mutex, explained(self._path):
            try:
                yield self._connection
            except sqlite3.ProgrammingError as error:
                raise JournalError(f"The journal {self._path} is closed.") from error
