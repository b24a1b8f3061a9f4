"""A copy of a journal: complete while somebody writes, and a single file."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from assistant.rules.history import Record
from assistant.table.journal import JournalError, SqliteJournal
from assistant.table.journal.copy import check_journal, copy_journal, nobody_writes
from tests.table.journal.appender import batch_after


def records_of(path: Path) -> list[Record]:
    with closing(SqliteJournal(path, "mesa", read_only=True)) as journal:
        return journal.read()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a journal with some batches."""
    path = tmp_path / "table.sqlite3"
    with closing(SqliteJournal(path, "mesa")) as journal:
        for _ in range(5):
            journal.append(batch_after(journal.last_seq))
    return path


def test_a_copy_holds_the_committed_records_while_the_writer_goes_on(path: Path) -> None:
    copy = path.with_name("copy.sqlite3")
    with closing(SqliteJournal(path, "mesa")) as journal:
        journal.append(batch_after(journal.last_seq))
        copy_journal(path, copy)
        kept = journal.read()
        journal.append(batch_after(journal.last_seq))
    assert records_of(copy) == kept
    assert {file.name for file in path.parent.iterdir()} == {
        "table.sqlite3", "table.sqlite3-lock", "copy.sqlite3"
    }  # fmt: skip


def ends_of_batches(last: int) -> set[int]:
    """The last seq of each batch, up to ``last``."""
    ends = {0}
    while (end := max(ends)) < last:
        ends.add(end + len(batch_after(end)))
    return ends


def test_copies_made_during_writing_end_between_two_batches(path: Path) -> None:
    ends = set()
    stop = threading.Event()

    def write() -> None:
        with closing(SqliteJournal(path, "mesa")) as journal:
            while not stop.is_set():
                journal.append(batch_after(journal.last_seq))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(20):
            copy = path.with_name(f"{number}.sqlite3")
            copy_journal(path, copy)
            ends.add(records_of(copy)[-1].seq)
    finally:
        stop.set()
        writer.join()
    assert len(ends) > 1, "no copy was made during writing"
    assert ends <= ends_of_batches(max(ends))


def test_a_failed_copy_leaves_the_old_copy(path: Path) -> None:
    copy = path.with_name("copy.sqlite3")
    copy_journal(path, copy)
    before = copy.read_bytes()
    path.write_bytes(b"x" * 5_000)
    with pytest.raises(JournalError, match="no journal of mus"):
        copy_journal(path, copy)
    assert copy.read_bytes() == before
    assert list(path.parent.glob(".*")) == []


def test_the_check_finds_a_changed_record(path: Path) -> None:
    check_journal(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE events SET batch = 1 WHERE seq = 4")
    with pytest.raises(JournalError, match="it is damaged"):
        check_journal(path)


def test_a_journal_is_locked_against_writers_while_nobody_may_write(path: Path) -> None:
    with nobody_writes(path), pytest.raises(JournalError, match="Another mus"):
        SqliteJournal(path, "mesa")
    with (
        closing(SqliteJournal(path, "mesa")),
        pytest.raises(JournalError, match="Another mus"),
        nobody_writes(path),
    ):
        pytest.fail("it came in beside a writer")
    SqliteJournal(path, "mesa").close()
