"""A copy of the journal for each day on which it was played, beside it, the last ones kept."""

from __future__ import annotations

import logging
import shutil
import threading
from datetime import date
from pathlib import Path

from assistant.journal import JournalError
from assistant.journal.copy import copy_journal

log = logging.getLogger("mus.backup")

FOLDER = "backups"
KEPT = 7
"""Days."""
ROOM = 50_000_000
"""Bytes that a copy leaves free: the game needs them more."""


def start_backup(journal: Path) -> threading.Thread:
    """Make the day's copy beside the game, which neither waits for it nor fails with it."""
    thread = threading.Thread(target=_try, args=(journal, date.today()), name="backup", daemon=True)
    thread.start()
    return thread


def back_up(journal: Path, today: date, room: int = ROOM) -> Path | None:
    """Make the day's copy, and forget the oldest; None where there is one of this day.

    Raises JournalError, OSError; OSError too where less than ``room`` bytes would be left free.
    """
    folder = journal.parent / FOLDER
    copy = folder / f"{journal.stem}-{today.isoformat()}.sqlite3"
    if copy.exists():
        return None
    folder.mkdir(exist_ok=True)
    if shutil.disk_usage(folder).free < journal.stat().st_size + room:
        raise OSError(f"{folder} has too little room")
    copy_journal(journal, copy)
    _forget(copy, journal.stem)
    return copy


def _forget(made: Path, stem: str) -> None:
    """Keep the copy just made, whatever day the clock believed it was, and the latest others."""
    others = set(made.parent.glob(f"{stem}-????-??-??.sqlite3")) - {made}
    for path in sorted(others)[: -(KEPT - 1)]:
        path.unlink(missing_ok=True)


def _try(journal: Path, today: date) -> None:
    try:
        back_up(journal, today)
    except (JournalError, OSError) as error:
        why = getattr(error, "strerror", None) or str(error)
        log.warning("Today's copy of the journal was not made: %s.", why.rstrip("."))
