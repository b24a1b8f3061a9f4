"""A process to be killed. It appends known batches to a journal and prints which are committed.

Run as ``python -m tests.table.journal.appender FILE``. Each line on standard output is the seq of a
record that ``append`` has promised to keep.
"""

import os
import sys
from itertools import count
from pathlib import Path

from assistant.rules import events as e
from assistant.rules.history import Record, number
from assistant.table.journal import SqliteJournal

AT = 1_700_000_000.5


def batch_after(seq: int) -> tuple[Record, ...]:
    """The batch that follows ``seq``: one to five events, and no two records alike."""
    size = seq % 5 + 1
    return number(
        [e.DealStarted(seq + i, 1, implied=i == size) for i in range(1, size + 1)], seq, AT
    )


def main(path: Path) -> None:
    """Append until the process is killed."""
    journal = SqliteJournal(path, "mesa")
    for _ in count():
        journal.append(batch_after(journal.last_seq))
        os.write(sys.stdout.fileno(), b"%d\n" % journal.last_seq)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
