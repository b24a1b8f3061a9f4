"""What is sound of a damaged journal, in a file of its own; and what its log has lost.

A record is sound if its checksum holds and all records before it are there. Calls are kept whole.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.table.journal.file import explained, open_file
from assistant.table.journal.sqlite import Row, is_sound

_WAL_HEADER, _FRAME_HEADER = 32, 24
_LONGEST_WAL = 256 * 1024 * 1024
"""Bytes; a log that SQLite brings into the file every 4 MB is never near it."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of one table: how many records were kept, of how many there were."""

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
    """The tables in the order of opening, and those of which only records are left."""
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
        # The rest of the last call may be what was lost, and half a call is none.
        last = rows[-1][2]
        rows = [row for row in rows if row[2] != last]
    return rows, seen


def _begins_a_call(unsound: tuple[Any, ...] | None, kept: int) -> bool:
    """Whether what follows the sound records is the beginning of another call, or nothing."""
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
    """Insert what can be: of these no checksum tells what they were."""
    for row in rows:
        with suppress(sqlite3.Error):
            new.execute(sql, row)


def _rows(old: sqlite3.Connection, sql: str, of: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Rows as far as they can be read."""
    try:
        yield from old.execute(sql, of)
    except (sqlite3.Error, UnicodeDecodeError):
        return


def lost_commits(path: Path) -> int:
    """Commits that stand in a journal's log behind a place where it is damaged; at least so many.

    SQLite takes what follows a wrong checksum for a commit that a power cut broke off, and drops it
    without a word. Nothing is committed before the commit before it is on the disk, so two of them
    behind such a place mean that one was. A single one cannot be told from one that was broken off.
    To be asked before anybody opens the journal. Raises OSError.
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
    if not whole:  # then none of it is taken, and the frames tell what they belong to
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
    """Bytes of a page, as the file's own header has it."""
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
