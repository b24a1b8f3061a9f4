"""The SQLite journal fulfils the contract, and its records outlive the process."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from assistant.rules import events as e
from assistant.rules.history import Record
from assistant.table.journal import (
    Journal,
    JournalError,
    SqliteJournal,
    TableInfo,
    latest_table,
    tables,
)
from assistant.table.journal.file import APPLICATION_ID, SCHEMA_VERSION, open_file
from assistant.table.journal.port import HEARD_KEPT
from assistant.table.journal.sqlite import Outbox
from tests.contracts.journal_contract import BET, CUT, OPENING, JournalContract, batches


class TestSqliteJournal(JournalContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "new folder" / "100% más?#.sqlite3"

    def make(self, heard_kept: int = HEARD_KEPT) -> Journal:
        return SqliteJournal(self.path, "mesa", heard_kept=heard_kept)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mus.sqlite3"


def fill(path: Path, table_id: str = "mesa", at: float = 5.0) -> list[Record]:
    """Write a short game and close the journal; return its records."""
    records = batches(OPENING, CUT, BET, at=at)
    with closing(SqliteJournal(path, table_id)) as journal:
        journal.append(records)
        journal.note_heard(6.0, "qué cartas", None, "ignored", "talk")
    return records


def test_every_record_is_there_after_a_restart(path: Path) -> None:
    records = fill(path)
    with closing(SqliteJournal(path, "mesa")) as journal:
        assert journal.table_id == "mesa"
        assert journal.read() == records
        assert [entry.text for entry in journal.heard()] == ["qué cartas"]
        journal.append(batches([e.Retracted(5)], after=5))
    with closing(SqliteJournal(path, "mesa")) as journal:
        assert journal.last_seq == 6


def test_the_tables_of_one_file_are_kept_apart(path: Path) -> None:
    first = fill(path, "lunes")
    with closing(SqliteJournal(path, "martes")) as journal:
        assert journal.read() == []
        assert journal.heard() == []
        journal.append(batches(OPENING))
    with closing(SqliteJournal(path, "lunes")) as journal:
        assert journal.read() == first


def test_tables_are_listed_in_the_order_of_opening_whatever_the_clock_said(path: Path) -> None:
    assert tables(path) == []
    assert latest_table(path) is None
    assert not path.exists()
    fill(path, "lunes", at=500.0)
    fill(path, "martes", at=100.0)
    with closing(SqliteJournal(path, "nobody sat down")):
        pass
    assert tables(path) == [
        TableInfo("martes", first_at=100.0, last_at=100.0, last_seq=5),
        TableInfo("lunes", first_at=500.0, last_at=500.0, last_seq=5),
    ]
    assert latest_table(path) == "martes"


def test_tables_can_be_listed_while_one_is_in_play(path: Path) -> None:
    with closing(SqliteJournal(path, "mesa")) as journal:
        journal.append(batches(OPENING))
        assert latest_table(path) == "mesa"
        journal.append(batches(CUT, after=2))
        assert tables(path)[0].last_seq == 4


def test_a_commit_is_on_the_disk_before_append_returns(path: Path) -> None:
    """With WAL and ``synchronous=FULL`` (2), SQLite syncs at each commit."""
    with closing(open_file(path, create=True)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    with closing(open_file(path, create=False)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_the_file_has_the_application_id_and_the_version(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_events_are_stored_as_plain_json(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT seq, batch, at, json_extract(event, '$.type') FROM events ORDER BY seq"
        ).fetchall()
    assert rows == [
        (1, 1, 5.0, "GameOpened"),
        (2, 1, 5.0, "DealStarted"),
        (3, 3, 5.0, "SeatInferred"),
        (4, 3, 5.0, "MusCut"),
        (5, 5, 5.0, "BetMade"),
    ]


def test_a_second_writer_is_refused_at_once(path: Path) -> None:
    with closing(SqliteJournal(path, "mesa")) as first:
        with pytest.raises(JournalError, match="Another mus is running on this table"):
            SqliteJournal(path, "mesa")
        first.append(batches(OPENING))
    with closing(SqliteJournal(path, "mesa")) as second:
        assert second.last_seq == 2


def test_on_a_file_system_without_locks_the_seq_refuses_the_second_writer(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games must not mix on a file system without locks (ENOLCK)."""

    def no_locks(_handle: int, _operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("assistant.table.journal.file.fcntl.flock", no_locks)
    with closing(SqliteJournal(path, "mesa")) as first, closing(SqliteJournal(path, "mesa")) as two:
        first.append(batches(OPENING))
        with pytest.raises(JournalError, match="another mus is running on this table"):
            two.append(batches(OPENING))
        assert first.read() == two.read() == batches(OPENING)


def test_a_reader_shares_the_file_with_a_writer(path: Path) -> None:
    with closing(SqliteJournal(path, "mesa")) as writer:
        writer.append(batches(OPENING))
        with closing(SqliteJournal(path, "mesa", read_only=True)) as reader:
            assert reader.last_seq == 2
            writer.append(batches(CUT, after=2))
            assert reader.read(2) == batches(CUT, after=2)
            with pytest.raises(JournalError, match="for reading only"):
                reader.append(batches(BET, after=4))


def test_a_reader_creates_no_file(path: Path) -> None:
    with pytest.raises(JournalError, match="There is no journal"):
        SqliteJournal(path, "mesa", read_only=True)
    assert list(path.parent.iterdir()) == []


def test_a_consumer_keeps_its_position_and_is_never_ahead_of_the_journal(path: Path) -> None:
    fill(path)
    with closing(Outbox(path, "uplink")) as uplink:
        uplink.give("mesa")
        uplink.move("mesa", 4)
        for seq in (-1, 6, 1_000):
            with pytest.raises(JournalError, match="No consumer can be at record"):
                uplink.move("mesa", seq)
    with closing(Outbox(path, "uplink")) as uplink:
        assert [(game.position, game.last_seq) for game in uplink.games()] == [(4, 5)]
