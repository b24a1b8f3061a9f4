"""What SQLite and the system complain of, in one sentence that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.journal.port import DamagedJournalError, JournalError

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
        raise kind(f"The journal {path}: {advice}.") from error
    except UnicodeDecodeError as error:  # spoilt text, even in SQLite's own messages
        raise damaged(path) from error
    except OSError as error:
        why = (error.strerror or "it cannot be used").lower()
        raise JournalError(
            f"The journal {path}: {why}; choose another file with --journal."
        ) from error


def damaged(path: Path, what: str = "") -> DamagedJournalError:
    """The error of a file whose content cannot be right; ``what`` says where it is not."""
    return DamagedJournalError(f"The journal {path}: {_DAMAGED}{f' ({what})' if what else ''}.")


def _advice(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and isinstance(error, sqlite3.OperationalError):
        return _DAMAGED  # no complaint of SQLite, but of the Python module: text that is no text
    # The low byte of SQLite's extended codes is the plain one.
    return _ADVICE.get((code or 0) & 0xFF, str(error))
