"""One writer for one journal: an advisory lock that the system lets go of when a process dies."""

from __future__ import annotations

import errno
import fcntl
import os
from copy import copy
from pathlib import Path

from assistant.journal.port import JournalError

_BUSY = (errno.EACCES, errno.EAGAIN)


class WriterLock:
    """Held from making to ``release``. Raises JournalError where another process holds it.

    The lock is on a file of its own beside the journal, which is left there: to remove it while
    another process waits for it would let two in. SQLite's own locks are no help, since they last
    for one transaction, and closing a second handle on its file would drop them.
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
                    f"Another mus is running on this table (it writes to {journal}): close it, "
                    "or choose another file with --journal."
                ) from None
            # Some network file systems have no locks. The check of the seqs in each append still
            # refuses whoever comes second, only later.

    def shared(self) -> WriterLock:
        """The same lock once more: it is let go of when both are released."""
        other = copy(self)
        other._handle = os.dup(self._handle)
        return other

    def release(self) -> None:
        """Let the next one in."""
        os.close(self._handle)
