"""A whole copy of a journal, taken while a game is being played, and the check of one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from assistant.table.journal.file import WriterLock, explained, make_folder, open_file
from assistant.table.journal.sqlite import SqliteJournal, tables

COMPANIONS = ("-wal", "-shm")
"""What SQLite keeps beside a file: they go where it goes."""


def copy_journal(source: Path, target: Path) -> None:
    """Copy all that is committed, as one file that is whole or not there.

    Whoever plays is not held up. A target that is there is replaced. Raises JournalError, OSError.
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
    """Read every record of every table. Raises JournalError where one is not as it was written."""
    for info in tables(path):
        with closing(SqliteJournal(path, info.table_id, read_only=True)) as journal:
            journal.read()


@contextmanager
def nobody_writes(path: Path) -> Iterator[None]:
    """Keep writers out of a journal's file, be it there or not. Raises JournalError."""
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
