"""The file of a journal: how it is made, recognised and locked, and its faults in plain words."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path

from assistant.table.journal.port import DamagedJournalError, JournalError

# ---- The errors of SQLite and of the system, each as one sentence that says what to do -----------


_DAMAGED = "it is damaged; 'mus play' puts it aside and goes on with what is sound of it"
_ADVICE: dict[int, str] = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space, nothing committed is lost",
    sqlite3.SQLITE_READONLY: "it cannot be written; allow it, or choose another with --journal",
    sqlite3.SQLITE_PERM: "it cannot be written; allow it, or choose another with --journal",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; allow it, or choose another with --journal",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: _DAMAGED,  # keys are checked before: these are not what they were
    sqlite3.SQLITE_NOTADB: "it is no journal of mus; choose another with --journal",
    sqlite3.SQLITE_BUSY: "another program keeps it locked; close that program",
    sqlite3.SQLITE_IOERR: "the disk does not read or write; check its space and its health",
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and of the file system into JournalError."""
    try:
        yield
    except sqlite3.Error as error:
        advice = _advice(error)
        kind = DamagedJournalError if advice == _DAMAGED else JournalError
        raise kind("The journal {path}: {advice}.", path=path, advice=advice) from error
    except UnicodeDecodeError as error:  # spoilt text, even in SQLite's own messages
        raise damaged(path) from error
    except OSError as error:
        why = (error.strerror or "it cannot be used").lower()
        raise JournalError(
            "The journal {path}: {why}; choose another file with --journal.", path=path, why=why
        ) from error


def damaged(path: Path, what: str = "") -> DamagedJournalError:
    """The error for a file whose content cannot be right; ``what`` says where it is wrong."""
    if what:
        return DamagedJournalError(
            "The journal {path}: {advice} ({what}).", path=path, advice=_DAMAGED, what=what
        )
    return DamagedJournalError("The journal {path}: {advice}.", path=path, advice=_DAMAGED)


def _advice(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and isinstance(error, sqlite3.OperationalError):
        return _DAMAGED  # no complaint of SQLite, but of the Python module: text that is no text
    # The low byte of SQLite's extended codes is the plain one.
    return _ADVICE.get((code or 0) & 0xFF, str(error))


# ---- One writer for one journal: an advisory lock, which the system frees when a process dies


_BUSY = (errno.EACCES, errno.EAGAIN)


class WriterLock:
    """The lock of a journal's writer, held from its making until ``release``.

    Making it raises JournalError where another process holds it. The lock is on a file of its own
    beside the journal. That file stays: removing it while another process waits would let two in.
    SQLite's own locks do not help, because they last for one transaction, and closing a second
    handle on its file would drop them.
    """

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(journal.name + "-lock")
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _BUSY:
                os.close(self._handle)
                raise JournalError(
                    "Another mus is running on this table (it writes to {journal}): "
                    "close it, or choose another file with --journal.",
                    journal=journal,
                ) from None
            # Some network file systems have no locks. The check of the seqs in each append still
            # refuses the second writer, only later.

    def shared(self) -> WriterLock:
        """The same lock once more: it is free when both are released."""
        other = copy(self)
        other._handle = os.dup(self._handle)
        return other

    def release(self) -> None:
        """Let the next one in."""
        os.close(self._handle)


# ---- A journal's file: made, recognised, opened. One file holds the tables of many evenings -----


APPLICATION_ID = int.from_bytes(b"Mus1")
"""Written in the file's header: this SQLite file is a journal of ours."""
SCHEMA_VERSION = 2
"""Written in the file's header as ``user_version``. Since 2 a record's checksum covers its time."""
BUSY_SECONDS = 5.0
_SMALLEST = 512
"""Bytes in the smallest database that SQLite makes: one page."""

# STRICT came with SQLite 3.37; without it the same rows are kept, their types only less guarded.
_STRICT = " STRICT" if sqlite3.sqlite_version_info >= (3, 37) else ""
_WITHOUT_ROWID = " WITHOUT ROWID" + _STRICT.replace(" ", ", ")
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE tables (
    opening INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL
){_STRICT};
CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq > 0),
    batch INTEGER NOT NULL CHECK (batch BETWEEN 1 AND seq),
    at REAL NOT NULL,
    event TEXT NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (table_id, seq)
){_WITHOUT_ROWID};
CREATE TABLE heard (
    table_id TEXT NOT NULL,
    entry INTEGER NOT NULL,
    at REAL NOT NULL,
    text TEXT NOT NULL,
    seat INTEGER,
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (table_id, entry)
){_WITHOUT_ROWID};
CREATE TABLE cursors (
    table_id TEXT NOT NULL,
    consumer TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    PRIMARY KEY (table_id, consumer)
){_WITHOUT_ROWID};
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


def open_file(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open a journal; make the file if it is missing and ``create`` is true.

    The connection commits each statement, unless inside an explicit transaction. Raises
    JournalError for a file that is no journal, one of a newer version, or one that cannot be used.
    """
    with explained(path):
        check_kind(path, writing=create)
        mode = "rwc" if create else "rw"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,  # callers hold a lock of their own
        )
        try:
            _prepare(connection, path, create)
        except BaseException:
            connection.close()
            raise
        return connection


def check_kind(path: Path, *, writing: bool) -> None:
    """Raise JournalError for a path that cannot be a journal by its kind, size or permissions.

    SQLite checks the content. Opening and closing the file here would drop the locks that another
    journal of this process holds on it.
    """
    if not path.exists():
        if writing:
            return
        raise JournalError(
            "There is no journal {path}: check the name given with --journal.", path=path
        )
    if not path.is_file():
        raise JournalError(
            "The journal {path} is no file: choose another with --journal.", path=path
        )
    if 0 < path.stat().st_size < _SMALLEST:  # SQLite would write over a file of one byte
        raise _foreign(path)
    if writing and not os.access(path, os.W_OK, effective_ids=True):
        raise JournalError(
            "The journal {path} cannot be written: allow it, or choose another with --journal.",
            path=path,
        )


def make_folder(folder: Path) -> None:
    """Make the folder of a journal if it is missing. Raises JournalError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(
            "The folder {folder} cannot be made ({why}): choose another place with --journal.",
            folder=folder,
            why=error.strerror,
        ) from error


def _prepare(connection: sqlite3.Connection, path: Path, create: bool) -> None:
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    if application == version == 0 and _is_empty(connection):
        if not create:
            raise _foreign(path)
        connection.executescript(_SCHEMA)
    elif application != APPLICATION_ID:
        raise _foreign(path)
    elif version > SCHEMA_VERSION:
        raise JournalError(
            "The journal {path} was made by a newer version of mus: update mus or "
            "choose another file with --journal.",
            path=path,
        )
    if create:
        # Changes nothing, but is a write: what cannot be written is noticed before the game.
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("PRAGMA journal_mode = WAL")
    # A table is unplugged, not shut down: each commit is on the disk before anybody hears of it.
    connection.execute("PRAGMA synchronous = FULL")
    # A game is read once, when it is taken up, and then only written: half a megabyte is plenty.
    connection.execute("PRAGMA cache_size = -512")
    fault = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise damaged(path)


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _foreign(path: Path) -> JournalError:
    return JournalError(
        "The file {path} is no journal of mus: choose another with --journal.", path=path
    )
