"""Salvage of a damaged journal: the damage is reported, and the sound records are saved."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from zlib import crc32

import pytest

from assistant.messages.codec import event_to_json
from assistant.rules import events as e
from assistant.rules.history import Record
from assistant.table.journal import DamagedJournalError, JournalError, SqliteJournal, tables
from assistant.table.journal.copy import Saved, lost_commits, save_what_is_sound
from tests.contracts.journal_contract import BET, CUT, OPENING, batches
from tests.tables import each_row


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mus.sqlite3"


def fill(path: Path, *groups: Sequence[e.Event], table: str = "mesa") -> list[Record]:
    records = batches(OPENING, *groups)
    with closing(SqliteJournal(path, table)) as journal:
        for record in records:
            if record.seq == record.batch:  # each call a commit of its own
                journal.append([one for one in records if one.batch == record.batch])
    return records


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql)


def read_records(path: Path, table: str = "mesa") -> list[Record]:
    with closing(SqliteJournal(path, table, read_only=True)) as journal:
        return journal.read()


def test_a_journal_of_the_version_before_can_be_read_and_continued(path: Path) -> None:
    """Its checksums do not cover the time of a record; today's do."""
    records = fill(path, CUT)
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("PRAGMA user_version = 1")
        for record in records:
            text = event_to_json(record.event)
            crc = crc32(f"{record.seq} {record.batch} {text}".encode())
            old.execute("UPDATE events SET crc = ? WHERE seq = ?", (crc, record.seq))
    more = batches(BET, after=4, at=9.0)
    with closing(SqliteJournal(path, "mesa")) as journal:
        assert journal.read() == records
        journal.append(more)
    assert read_records(path) == [*records, *more]
    change(path, "UPDATE events SET at = 10.0 WHERE seq = 5")
    with pytest.raises(DamagedJournalError, match=r"\(record 5 of mesa\)"):
        read_records(path)


@each_row(
    "damage, kept, held",
    [
        ("UPDATE tables SET last_seq = 3", 5, 5),  # only this number is wrong
        ("UPDATE tables SET last_seq = 77", 5, 77),
        ("DELETE FROM tables", 5, 5),
        ("DELETE FROM events WHERE seq = 5", 4, 5),
        ("UPDATE events SET at = 3.0 WHERE seq = 5", 4, 5),
        ("UPDATE events SET at = 3.0 WHERE seq = 4", 2, 5),  # half a call is not saved
        ("UPDATE events SET at = 3.0 WHERE seq = 3", 2, 5),
        ("DELETE FROM events WHERE seq = 1 AND table_id = 'mesa'", 0, 5),
    ],
)
def test_whole_calls_are_saved_up_to_the_first_damaged_record(
    tmp_path: Path, damage: str, kept: int, held: int
) -> None:
    path = tmp_path / "mus.sqlite3"
    records = fill(path, CUT, BET)
    fill(path, CUT, table="martes")
    change(path, damage)
    saved = path.with_name("saved.sqlite3")
    found = save_what_is_sound(path, saved)
    assert next(one for one in found if one.table_id == "mesa") == Saved("mesa", kept, held)
    assert read_records(saved) == records[:kept]
    assert {info.table_id for info in tables(saved)} == {"martes"} | ({"mesa"} if kept else set())


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Record]]:
    path = tmp_path_factory.mktemp("evening") / "mus.sqlite3"
    records = fill(path, *[[e.DealStarted(n, 1)] for n in range(2, 150)])
    return path.read_bytes(), records


@each_row("seed", range(60))
def test_nothing_is_saved_from_a_damaged_file_that_was_not_written(
    tmp_path: Path, evening: tuple[bytes, list[Record]], seed: int
) -> None:
    path = tmp_path / "mus.sqlite3"
    content, records, chance = bytearray(evening[0]), evening[1], random.Random(seed)
    at = chance.randrange(100, len(content))
    content[at : at + 16] = chance.randbytes(16)
    path.write_bytes(content)
    saved = path.with_name("saved.sqlite3")
    try:
        save_what_is_sound(path, saved)
    except JournalError:
        return
    for info in tables(saved):
        assert read_records(saved, info.table_id) == records[: info.last_seq]


def unplugged(path: Path, calls: int) -> list[Record]:
    """Write this many calls to the log alone, as a power cut leaves them."""
    live = path.with_name("live.sqlite3")
    records = batches(OPENING, *[[e.DealStarted(n, 1)] for n in range(2, calls + 1)])
    with closing(SqliteJournal(live, "mesa")) as journal:
        for record in records:
            if record.seq == record.batch:
                journal.append([one for one in records if one.batch == record.batch])
        for end in ("", "-wal"):
            shutil.copyfile(live.with_name(live.name + end), path.with_name(path.name + end))
    return records


@each_row("byte", [0, 3, 9, 17, 25, 31])
def test_a_log_with_a_damaged_header_is_noticed(tmp_path: Path, byte: int) -> None:
    path = tmp_path / "mus.sqlite3"
    unplugged(path, calls=40)
    wal = path.with_name(path.name + "-wal")
    content = bytearray(wal.read_bytes())
    content[byte] ^= 1
    wal.write_bytes(content)
    lost = lost_commits(path)
    assert (lost > 30) is (len(tables(path)) == 0 or tables(path)[0].last_seq < 30)


def test_a_log_with_a_flipped_bit_is_noticed_though_sqlite_drops_its_tail(path: Path) -> None:
    records = unplugged(path, calls=40)
    assert lost_commits(path) == 0
    wal = path.with_name(path.name + "-wal")
    content = bytearray(wal.read_bytes())
    content[len(content) // 2] ^= 1
    wal.write_bytes(content)
    lost = lost_commits(path)
    left = read_records(path)
    assert left == records[: len(left)]
    assert 0 < lost < len(records) - len(left) + 1
    assert lost >= len(records) - len(left) - 1


@each_row("cut", [1, 100, 4_000, 4_119])
def test_a_commit_cut_off_by_a_power_cut_is_no_damage(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "mus.sqlite3"
    unplugged(path, calls=40)
    wal = path.with_name(path.name + "-wal")
    content = wal.read_bytes()
    wal.write_bytes(content[:-cut])
    assert lost_commits(path) == 0


@each_row("content", [b"", b"x" * 31, b"x" * 5_000, b"\0" * 5_000])
def test_a_file_that_is_no_log_has_no_lost_commits(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mus.sqlite3"
    fill(path)
    path.with_name(path.name + "-wal").write_bytes(content)
    assert lost_commits(path) == 0


@each_row("end", [e.DealCounted(), e.DealVoided(1), e.JuegoWon("A", e.WonBy.ORDAGO)])
def test_at_the_end_of_a_deal_the_log_is_written_into_the_file(
    tmp_path: Path, end: e.Event
) -> None:
    """Damage to the log then costs one deal at most."""
    path = tmp_path / "mus.sqlite3"
    alone = path.with_name("alone.sqlite3")
    with closing(SqliteJournal(path, "mesa")) as journal:
        journal.append(batches(OPENING))
        journal.append(batches([end], after=2))
        shutil.copyfile(path, alone)  # without the log file
    assert [record.event for record in read_records(alone)][-1] == end
