"""Copies of a journal's file: a backup during play, and the sound records of a damaged file."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.table.journal.file import WriterLock, explained, make_folder, open_file
from assistant.table.journal.sqlite import Row, SqliteJournal, is_sound, tables

COMPANIONS = ("-wal", "-shm")
"""Ends of the names of the files that SQLite keeps beside a journal; they move with it."""


def copy_journal(source: Path, target: Path) -> None:
    """Copy all that is committed into one file, atomically.

    A game in progress does not wait for it. An existing target is replaced. Raises JournalError,
    OSError.
    """
    partly = target.with_name(f".{target.name}.part")
    partly.unlink(missing_ok=True)
    try:
        with closing(open_file(source, create=False)) as connection:
            _copy(connection, partly)
        partly.replace(target)
    finally:
        partly.unlink(missing_ok=True)


def check_journal(path: Path) -> None:
    """Read every record of every table. Raises JournalError if one is not as it was written."""
    for info in tables(path):
        with closing(SqliteJournal(path, info.table_id, read_only=True)) as journal:
            journal.read()


@contextmanager
def nobody_writes(path: Path) -> Iterator[None]:
    """Keep writers out of a journal's file, whether it exists or not. Raises JournalError."""
    with explained(path):
        make_folder(path.parent)
        lock = WriterLock(path)
    try:
        yield
    finally:
        lock.release()


def _copy(connection: sqlite3.Connection, path: Path) -> None:
    with explained(path), closing(sqlite3.connect(path, isolation_level=None)) as copy:
        connection.backup(copy)  # in one step: a writer beside it would have it begin again
        copy.execute("PRAGMA journal_mode = DELETE")  # all in the one file
    with path.open("rb") as file:
        os.fsync(file.fileno())


# ---- The sound records of a damaged journal, and the commits that its log has lost --------------
# A record is sound if its checksum is right and all records before it are there. A call's records
# are kept all together or not at all.


_WAL_HEADER, _FRAME_HEADER = 32, 24
_LONGEST_WAL = 256 * 1024 * 1024
"""Bytes. SQLite moves the log into the file every 4 MB, so a real one is much shorter."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The result for one table: how many records were kept, of how many."""

    table_id: str
    kept: int
    held: int


def save_what_is_sound(source: Path, target: Path) -> list[Saved]:
    """Write the sound records of every table into a new file. Raises JournalError, OSError."""
    saved = []
    with explained(source):
        old = sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)
    with closing(old), explained(target), closing(open_file(target, create=True)) as new:
        for table_id, last_seq in _tables(old):
            rows, seen = _sound_records(old, table_id)
            saved.append(Saved(table_id, len(rows), max(last_seq, seen)))
            if rows:
                _write(old, new, table_id, rows)
        new.execute("PRAGMA journal_mode = DELETE")  # all in the one file
    with target.open("rb") as file:
        os.fsync(file.fileno())
    return saved


def _tables(old: sqlite3.Connection) -> list[tuple[str, int]]:
    """The tables in the order of opening; then those that only have records left."""
    found = {
        name: last
        for name, last in _rows(old, "SELECT table_id, last_seq FROM tables ORDER BY opening")
        if isinstance(name, str) and isinstance(last, int)
    }
    for (name,) in _rows(old, "SELECT DISTINCT table_id FROM events"):
        if isinstance(name, str):
            found.setdefault(name, 0)
    return list(found.items())


def _sound_records(old: sqlite3.Connection, table_id: str) -> tuple[list[Row], int]:
    """The sound records up to the first that is not, and the last seq that was seen."""
    rows: list[Row] = []
    unsound: tuple[Any, ...] | None = None
    seen = 0
    for row in _rows(old, "SELECT * FROM events WHERE table_id = ? ORDER BY seq", (table_id,)):
        _, seq, batch, at, text, crc = row
        seen = max(seen, seq)
        if unsound is None and seq == len(rows) + 1 and is_sound(seq, batch, at, text, crc):
            rows.append(row)
        elif unsound is None:
            unsound = row
    if rows and not _begins_a_call(unsound, len(rows)):
        # The rest of the last call may be lost, so none of its records is kept.
        last = rows[-1][2]
        rows = [row for row in rows if row[2] != last]
    return rows, seen


def _begins_a_call(unsound: tuple[Any, ...] | None, kept: int) -> bool:
    """Whether the first unsound record begins another call, or there is none."""
    return unsound is None or unsound[1:3] == (kept + 1, kept + 1)


def _write(
    old: sqlite3.Connection, new: sqlite3.Connection, table_id: str, rows: list[Row]
) -> None:
    new.execute("BEGIN IMMEDIATE")
    new.execute("INSERT INTO tables (table_id, last_seq) VALUES (?, ?)", (table_id, len(rows)))
    new.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", rows)
    heard = _rows(old, "SELECT * FROM heard WHERE table_id = ?", (table_id,))
    _insert(new, "INSERT OR IGNORE INTO heard VALUES (?, ?, ?, ?, ?, ?, ?)", heard)
    cursors = (
        (table, consumer, min(seq, len(rows)))
        for table, consumer, seq in _rows(
            old, "SELECT * FROM cursors WHERE table_id = ?", (table_id,)
        )
    )
    _insert(new, "INSERT OR IGNORE INTO cursors VALUES (?, ?, ?)", cursors)
    new.execute("COMMIT")


def _insert(new: sqlite3.Connection, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert the rows that can be inserted; they have no checksum."""
    for row in rows:
        with suppress(sqlite3.Error):
            new.execute(sql, row)


def _rows(old: sqlite3.Connection, sql: str, of: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, up to the first that cannot be read."""
    try:
        yield from old.execute(sql, of)
    except (sqlite3.Error, UnicodeDecodeError):
        return


def lost_commits(path: Path) -> int:
    """The least number of commits that a journal's log has lost behind a damaged place.

    SQLite takes what follows a wrong checksum for a commit that a power cut broke off, and drops it
    silently. No commit begins before the one before it is on the disk. So two commits behind such a
    place mean that the first of them was complete. A single one may be the one that was broken off.
    Call this before anybody opens the journal. Raises OSError.
    """
    wal = path.with_name(path.name + "-wal")
    if not wal.exists() or not _WAL_HEADER < wal.stat().st_size <= _LONGEST_WAL:
        return 0
    data = wal.read_bytes()
    magic, *_, salts, one, two = struct.unpack(">IIII8sII", data[:_WAL_HEADER])
    page = _page_size(path)
    order = ">" if magic & 1 else "<"
    told = _wal_checksum(data[: _WAL_HEADER - 8], order, (0, 0))
    whole, lost = told == (one, two), 0
    if not whole:  # then SQLite takes nothing of the log; the first frame has the salts
        salts = data[_WAL_HEADER + 8 : _WAL_HEADER + 16]
    for at in range(_WAL_HEADER, len(data) - _FRAME_HEADER - page + 1, _FRAME_HEADER + page):
        _, commits, its_salts, *its_sums = struct.unpack(">II8sII", data[at : at + _FRAME_HEADER])
        if whole:
            told = _wal_checksum(data[at : at + 8], order, told)
            told = _wal_checksum(data[at + _FRAME_HEADER : at + _FRAME_HEADER + page], order, told)
            whole = its_salts == salts and told == tuple(its_sums)
        if not whole:
            lost += its_salts == salts and commits > 0
    return max(0, lost - 1)


def _page_size(path: Path) -> int:
    """Bytes of a page, as the file's header says."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(18)[16:18])
    return 65536 if size == 1 else max(size, 512)


def _wal_checksum(data: bytes, order: str, start: tuple[int, int]) -> tuple[int, int]:
    """SQLite's checksum of a log, of whole pairs of 32-bit words."""
    one, two = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two
