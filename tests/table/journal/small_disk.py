"""Fill a small disk with a journal, free some space, and play on.

Run as ``python -m tests.table.journal.small_disk FILE KIND``. With KIND ``fsize``, no file of this
process may grow past a limit. With ``tmpfs``, FILE lies on a small file system of its own. Prints
the sentence of the error, the records kept, and the records after going on.
"""

import resource
import sys
from collections.abc import Callable
from pathlib import Path

from assistant.rules.history import Record
from assistant.table.journal import Journal, JournalError, SqliteJournal
from tests.table.journal.appender import batch_after

LIMIT = 300_000
BALLAST = 200_000
MOST_BATCHES = 20_000


def limit_files() -> Callable[[], None]:
    """Let no file grow past ``LIMIT``. Returns a function that lifts the limit."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)


def lay_ballast(folder: Path) -> Callable[[], None]:
    """Take up half of the disk. Returns a function that frees it again."""
    ballast = folder / "ballast"
    ballast.write_bytes(b"x" * BALLAST)
    return ballast.unlink


def fill(journal: Journal) -> str:
    """Append until the disk is full and return the sentence of the error.

    Old records stay right.
    """
    for _ in range(MOST_BATCHES):
        last = journal.last_seq
        try:
            journal.append(batch_after(last))
        except JournalError as error:
            assert journal.last_seq == last
            return str(error)
    raise AssertionError("the disk does not fill")


def check(journal: Journal) -> int:
    """The number of records, which must be the batches that were appended."""
    records = journal.read()
    expected: list[Record] = []
    while len(expected) < len(records):
        expected += batch_after(len(expected))
    assert records == expected
    return len(records)


def main(path: Path, kind: str) -> None:
    """Fill the disk, free some space, go on, and check again in a fresh journal."""
    free = limit_files() if kind == "fsize" else lay_ballast(path.parent)
    journal = SqliteJournal(path, "mesa")
    print(fill(journal))
    kept = check(journal)
    print(kept)
    free()
    for _ in range(10):
        journal.append(batch_after(journal.last_seq))
    journal.close()
    journal = SqliteJournal(path, "mesa")
    print(check(journal))
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
