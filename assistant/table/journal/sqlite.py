"""The journal in an SQLite file: its one writer, and the readers beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from zlib import crc32

from assistant.messages.codec import CodecError, event_from_json, event_to_json
from assistant.rules.events import DealCounted, DealVoided, Event, JuegoWon
from assistant.rules.history import Record
from assistant.table.journal.file import (
    WriterLock,
    check_kind,
    damaged,
    explained,
    make_folder,
    open_file,
)
from assistant.table.journal.port import (
    HEARD_KEPT,
    HeardEntry,
    JournalError,
    check_append,
    heard_entry,
)

# ---- The writer: it outlives a power cut, because each append is one transaction on the disk ----


Row = tuple[str, int, int, float, str, int]
DEAL_ENDS = (DealCounted, DealVoided, JuegoWon)
"""Events that end a deal."""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table found in a journal's file. The times are those of records: Unix time in seconds."""

    table_id: str
    first_at: float
    last_at: float
    last_seq: int


def tables(path: Path) -> list[TableInfo]:
    """The tables in a journal's file, the last opened first; none if there is no file.

    The order is that of opening, not of the clock: a Raspberry Pi does not know the time before it
    has a network. Only reads, so another process may be writing. Raises JournalError.
    """
    if not path.exists():
        return []
    with closing(open_file(path, create=False)) as connection, explained(path):
        check_counts(connection, path)
        rows = connection.execute(
            "SELECT table_id, first.at, last.at, last_seq FROM tables"
            " JOIN events AS first USING (table_id) JOIN events AS last USING (table_id)"
            " WHERE first.seq = 1 AND last.seq = last_seq ORDER BY opening DESC"
        )
        return [TableInfo(*row) for row in rows]


def latest_table(path: Path) -> str | None:
    """The table that was opened last; ``None`` if there is none. Raises JournalError."""
    return next((info.table_id for info in tables(path)), None)


class SqliteJournal:
    """One table's journal in a file. See ``Journal`` for what the methods promise.

    There is one writer: a second one on the same file is refused at once. With ``read_only`` the
    journal only reads, beside a writer.
    """

    def __init__(
        self,
        path: Path,
        table_id: str,
        *,
        read_only: bool = False,
        heard_kept: int = HEARD_KEPT,
        writer: WriterLock | None = None,
    ) -> None:
        """Open the file; ``writer``: a lock that the caller holds already. Raises JournalError."""
        self._path = path
        self._table_id = table_id
        self._read_only = read_only
        self._heard_kept = heard_kept
        self._closed = False
        self._mutex = RLock()
        self._writer = writer or (None if read_only else _writer_lock(path))
        try:
            self._connection = open_file(path, create=not read_only)
            with explained(path):
                check_counts(self._connection, path)
        except BaseException:
            if hasattr(self, "_connection"):
                self._connection.close()
            if self._writer:
                self._writer.release()
            raise

    def another(self, table_id: str) -> SqliteJournal:
        """The journal of another table in the same file, with the same writer's lock.

        Raises JournalError.
        """
        with self._reading():
            writer = self._writer.shared() if self._writer else None
        return SqliteJournal(
            self._path,
            table_id,
            read_only=self._read_only,
            heard_kept=self._heard_kept,
            writer=writer,
        )

    @property
    def table_id(self) -> str:
        """The table whose records these are."""
        return self._table_id

    @property
    def last_seq(self) -> int:
        """The seq of the last record; 0 where there is none. Raises JournalError."""
        with self._reading() as connection:
            row = connection.execute(
                "SELECT last_seq FROM tables WHERE table_id = ?", (self._table_id,)
            ).fetchone()
            return row[0] if row else 0

    def append(self, records: Sequence[Record]) -> None:
        """Commit the records, all or none, to the disk. Raises JournalError."""
        if not records:
            return
        rows = [self._row(record) for record in records]
        with self._writing() as connection:
            check_append(self.last_seq, records)
            connection.execute(
                "INSERT INTO tables (table_id, last_seq) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET last_seq = excluded.last_seq",
                (self._table_id, records[-1].seq),
            )
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", rows)
        if any(isinstance(record.event, DEAL_ENDS) for record in records):
            self._checkpoint()

    def _checkpoint(self) -> None:
        """Move the log into the file: then a worn memory card can spoil only a short log."""
        with self._mutex, suppress(sqlite3.Error):  # the records are committed in any case
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def read(self, after: int = 0) -> list[Record]:
        """The records after a seq. Raises JournalError."""
        with self._reading() as connection:
            # Asked first: a writer beside this reader may add to the records, and takes none away.
            last = self.last_seq
            rows = connection.execute(
                "SELECT seq, batch, at, event, crc FROM events WHERE table_id = ? AND seq > ?"
                " ORDER BY seq",
                (self._table_id, after),
            ).fetchall()
        after = max(after, 0)
        if after + len(rows) < last:
            raise damaged(self._path, f"records of {self._table_id} are gone")
        records = []
        for expected, (seq, batch, at, text, crc) in enumerate(rows, start=after + 1):
            if seq != expected or not is_sound(seq, batch, at, text, crc):
                raise damaged(self._path, f"record {expected} of {self._table_id}")
            records.append(Record(seq, batch, at, self._event(seq, text)))
        return records

    def note_heard(self, at: float, text: str, seat: int | None, outcome: str, detail: str) -> None:
        """Add to the ``heard`` log. Raises JournalError."""
        entry = heard_entry(at, text, seat, outcome, detail)
        with self._writing() as connection:
            number = (
                1
                + connection.execute(
                    "SELECT COALESCE(MAX(entry), 0) FROM heard WHERE table_id = ?",
                    (self._table_id,),
                ).fetchone()[0]
            )
            connection.execute(
                "INSERT INTO heard VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    self._table_id,
                    number,
                    entry.at,
                    entry.text,
                    entry.seat,
                    entry.outcome,
                    entry.detail,
                ),
            )
            connection.execute(
                "DELETE FROM heard WHERE table_id = ? AND entry <= ?",
                (self._table_id, number - self._heard_kept),
            )

    def heard(self, limit: int = 50) -> list[HeardEntry]:
        """The last entries of the ``heard`` log, oldest first. Raises JournalError."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT at, text, seat, outcome, detail FROM heard WHERE table_id = ?"
                " ORDER BY entry DESC LIMIT ?",
                (self._table_id, max(limit, 0)),
            ).fetchall()
        return [HeardEntry(*row) for row in reversed(rows)]

    def close(self) -> None:
        """Close the file. Raises JournalError if the disk fails."""
        with self._mutex, explained(self._path):
            if self._closed:
                return
            self._closed = True
            try:
                self._connection.close()
            finally:
                if self._writer:
                    self._writer.release()

    def _row(self, record: Record) -> Row:
        # tests/messages/test_codec_events.py checks that every event reads back unchanged.
        text = event_to_json(record.event)
        crc = checksum(record.seq, record.batch, record.at, text)
        return self._table_id, record.seq, record.batch, record.at, text, crc

    def _event(self, seq: int, text: str) -> Event:
        try:
            return event_from_json(text)
        except CodecError as error:
            raise JournalError(
                "Record {seq} of the journal {path} cannot be read: {error}",
                seq=seq,
                path=self._path,
                error=error,
            ) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._mutex, explained(self._path):
            if self._closed:
                raise JournalError("The journal {path} is closed.", path=self._path)
            yield self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed where the body ends well, else as if it had not begun."""
        with self._reading() as connection:
            if self._read_only:
                raise JournalError(
                    "The journal {path} was opened for reading only.", path=self._path
                )
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # A full disk may have made SQLite roll back by itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


def checksum(seq: int, batch: int, at: float, text: str) -> int:
    """The CRC-32 of a record, by which a change on a worn memory card is noticed."""
    return crc32(f"{seq} {batch} {at + 0.0!r} {text}".encode())  # -0.0 comes back as 0.0


def is_sound(seq: int, batch: int, at: float, text: str, crc: int) -> bool:
    """Whether a record is as it was written. Before version 2 the checksum left out the time."""
    return crc in (checksum(seq, batch, at, text), crc32(f"{seq} {batch} {text}".encode()))


def check_counts(connection: sqlite3.Connection, path: Path) -> None:
    """Compare the count of each table with its records. Raises DamagedJournalError."""
    wrong = connection.execute(
        "SELECT table_id, last_seq, first, last FROM (SELECT table_id, last_seq,"
        " (SELECT MIN(seq) FROM events WHERE events.table_id = tables.table_id) AS first,"
        " (SELECT MAX(seq) FROM events WHERE events.table_id = tables.table_id) AS last"
        " FROM tables) WHERE first IS NOT 1 OR last IS NOT last_seq LIMIT 1"
    ).fetchone()
    if wrong:
        raise damaged(path, "{} counts {} records and holds {} to {}".format(*wrong))


def _writer_lock(path: Path) -> WriterLock:
    with explained(path):
        check_kind(path, writing=True)
        make_folder(path.parent)
        return WriterLock(path)


# ---- A consumer that keeps its own position in every game: the line to a hub reads with it -------
# It has a connection of its own and writes nothing but its own cursors, so that the table never
# waits for it.


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record with the JSON text of its event, as in the file. ``at``: Unix time in seconds."""

    seq: int
    batch: int
    at: float
    event: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game of this consumer: the last seq that it has read, and the last seq of the game."""

    table_id: str
    position: int
    last_seq: int


class Outbox:
    """The records that one consumer has still to read, in all games that were given to it.

    Any thread may call any method; each raises JournalError.
    """

    def __init__(self, path: Path, consumer: str) -> None:
        self._path = path
        self._consumer = consumer
        self._mutex = RLock()
        self._connection = open_file(path, create=False)
        # A cursor that a power cut takes back means that a few records are sent twice. The table's
        # own commits are still synced, and need not wait for the disk to sync a cursor.
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def give(self, table_id: str) -> None:
        """Give the consumer a game, from its first record on."""
        with self._using() as connection:
            connection.execute(
                "INSERT INTO cursors VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
                (table_id, self._consumer),
            )

    def games(self) -> list[Waiting]:
        """Every game of the consumer, in the order of opening."""
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
        """Keep how far it has read a game. A game that was never given to it is left alone."""
        with self._using() as connection:
            row = connection.execute(
                "SELECT last_seq FROM tables WHERE table_id = ?", (table_id,)
            ).fetchone()
            last = row[0] if row else 0
            if not 0 <= seq <= last:
                raise JournalError(
                    "No consumer can be at record {seq}: the last one is {last}.",
                    seq=seq,
                    last=last,
                )
            connection.execute(
                "UPDATE cursors SET seq = ? WHERE table_id = ? AND consumer = ?",
                (seq, table_id, self._consumer),
            )

    def close(self) -> None:
        """Close the file; closing it again is no error."""
        with self._mutex:
            self._connection.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._mutex, explained(self._path):
            try:
                yield self._connection
            except sqlite3.ProgrammingError as error:
                raise JournalError("The journal {path} is closed.", path=self._path) from error
