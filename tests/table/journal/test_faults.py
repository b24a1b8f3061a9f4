"""Files that are no journal, and failing disks: each gives one sentence and loses no record."""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from zlib import crc32

import pytest

from assistant.rules import events as e
from assistant.rules.history import Record
from assistant.table.journal import (
    DamagedJournalError,
    JournalError,
    SqliteJournal,
    latest_table,
    tables,
)
from tests.contracts.journal_contract import CUT, OPENING, batches
from tests.tables import each_row

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mus.sqlite3"


def refusal(path: Path) -> str:
    """The sentence with which a journal refuses to open."""
    with pytest.raises(JournalError) as caught:
        SqliteJournal(path, "mesa")
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert str(path) in sentence or str(path.parent) in sentence
    return sentence


def fill(path: Path, deals: int = 1) -> list[Record]:
    """Write a game of ``deals`` deals; return its records."""
    records = batches(OPENING, *[[e.DealStarted(n, 1)] for n in range(2, deals + 2)])
    with closing(SqliteJournal(path, "mesa")) as journal:
        journal.append(records)
    return records


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql)


def test_a_file_of_a_newer_version_asks_for_an_update(path: Path) -> None:
    fill(path)
    change(path, "PRAGMA user_version = 3")
    assert "made by a newer version of mus: update mus or choose another" in refusal(path)
    with pytest.raises(JournalError, match="newer version"):
        tables(path)


def test_an_event_of_a_newer_version_asks_for_an_update(path: Path) -> None:
    fill(path)
    event = '{"type":"CardPeeked","v":1,"seat":2}'
    crc = crc32(f"4 4 {event}".encode())
    change(path, "UPDATE tables SET last_seq = 4")
    change(path, f"INSERT INTO events VALUES ('mesa', 4, 4, 1.0, '{event}', {crc})")
    with closing(SqliteJournal(path, "mesa")) as journal:
        with pytest.raises(JournalError, match=r"Record 4 .* newer version of mus: update mus"):
            journal.read()
        assert journal.read(4) == []


@each_row(
    "content",
    [
        b"x",
        b"mano: 1\n1: mus\n",
        b"\0" * 5_000,
        os.urandom(100_000),
        b"SQLite format 3\0" + b"x" * 90,
    ],
)
def test_a_file_of_another_kind_is_refused_and_left_unchanged(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "mus.sqlite3"
    path.write_bytes(content)
    assert "choose another" in refusal(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_unchanged(path: Path) -> None:
    change(path, "CREATE TABLE recipes (name TEXT)")
    content = path.read_bytes()
    assert "is no journal of mus: choose another with --journal" in refusal(path)
    assert path.read_bytes() == content


@each_row("started", [None, "PRAGMA journal_mode = WAL"])
def test_a_file_left_unfinished_by_a_power_cut_becomes_a_journal(
    tmp_path: Path, started: str | None
) -> None:
    path = tmp_path / "mus.sqlite3"
    path.touch()
    if started:
        change(path, started)
    assert len(fill(path)) == 3
    assert tables(path)[0].last_seq == 3


@each_row("device", ["/dev/full", "/dev/null", "/"])
def test_a_device_is_refused(device: str) -> None:
    before = set(Path("/dev").iterdir())
    assert "is no file: choose another with --journal" in refusal(Path(device))
    assert set(Path("/dev").iterdir()) == before


@each_row("name", ["file/mus.sqlite3", "file/folder/mus.sqlite3"])
def test_a_folder_that_cannot_be_made_is_named_in_the_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    assert "cannot be made" in refusal(tmp_path / name)


@contextmanager
def as_nobody() -> Iterator[Path]:
    """A folder, for a user who is bound by permissions; root is not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = os.geteuid() == 0
        if root:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            folder.chmod(0o700)
            if root:
                os.seteuid(0)


def test_a_folder_without_write_permission_is_refused() -> None:
    with as_nobody() as folder:
        folder.chmod(0o500)
        assert "permission denied; choose another" in refusal(folder / "mus.sqlite3")
        assert "cannot be made (Permission denied)" in refusal(folder / "new" / "mus.sqlite3")


def test_a_file_without_write_permission_is_refused_before_the_game() -> None:
    with as_nobody() as folder:
        path = folder / "mus.sqlite3"
        records = fill(path)
        path.chmod(0o400)
        assert "cannot be written: allow it, or choose another" in refusal(path)
        path.chmod(0o600)
        with closing(SqliteJournal(path, "mesa")) as journal:
            assert journal.read() == records


def test_a_database_locked_by_another_program_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.table.journal.file.BUSY_SECONDS", 0.05)
    fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "another program keeps it locked; close that program" in refusal(path)
    with closing(SqliteJournal(path, "mesa")) as journal:  # the lock was released, too
        journal.append(batches(CUT, after=3))


def test_a_refused_file_does_not_block_the_next_one(path: Path) -> None:
    path.write_text("notes")
    refusal(path)
    path.unlink()
    assert len(fill(path)) == 3


@each_row(
    "damage",
    [
        "DELETE FROM events WHERE seq = 1",
        "DELETE FROM events WHERE seq = 3",
        "DELETE FROM events WHERE seq > 3",
        "UPDATE events SET table_id = 'misa' WHERE seq = 7",
        "UPDATE events SET event = replace(event, ':3', ':4') WHERE seq = 4",
        "UPDATE events SET batch = 1 WHERE seq = 4",
        "UPDATE events SET event = 'null' WHERE seq = 4",
        "UPDATE events SET at = at + 60 WHERE seq = 4",
        "UPDATE tables SET last_seq = 6",
        "UPDATE tables SET last_seq = 8",
        "UPDATE tables SET last_seq = 1",
    ],
)
def test_a_missing_or_changed_record_is_noticed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "mus.sqlite3"
    fill(path, deals=5)
    change(path, damage)
    with (
        pytest.raises(DamagedJournalError, match="it is damaged; 'mus play' puts it aside"),
        closing(SqliteJournal(path, "mesa")) as journal,
    ):
        journal.read()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Record]]:
    """A journal of a few hundred records, as bytes, and the records in it."""
    path = tmp_path_factory.mktemp("whole") / "mus.sqlite3"
    records = fill(path, deals=300)
    return path.read_bytes(), records


@each_row("seed", range(40))
def test_a_damaged_file_is_refused_or_read_completely(
    tmp_path: Path, whole: tuple[bytes, list[Record]], seed: int
) -> None:
    """A worn memory card changes bytes or cuts off the end.

    Either every record is read, or none.
    """
    path = tmp_path / "mus.sqlite3"
    content, records = bytearray(whole[0]), whole[1]
    chance = random.Random(seed)
    at = chance.randrange(len(content))
    if seed % 4:
        content[at : at + 16] = chance.randbytes(16)
    else:
        del content[at:]
    path.write_bytes(content)
    try:
        with closing(SqliteJournal(path, "mesa")) as journal:
            read = journal.read()
    except JournalError:
        return
    assert read == records


def test_a_truncated_file_is_noticed_when_it_is_opened(
    path: Path, whole: tuple[bytes, list[Record]]
) -> None:
    content = whole[0]
    path.write_bytes(content[: len(content) // 2])
    assert "it is damaged; 'mus play' puts it aside and goes on" in refusal(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fsize", "tmpfs"])
def test_a_full_disk_loses_no_record_and_the_game_goes_on_once_there_is_space(
    checkout: Path, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = [
        sys.executable,
        "-m",
        "tests.table.journal.small_disk",
        str(folder / "m.sqlite3"),
        kind,
    ]
    if kind == "tmpfs":
        mount = f"mount -t tmpfs -o size=400k none '{folder}'"
        command = ["unshare", "-rm", "sh", "-c", f'{mount} || exit 77; exec "$@"', "sh", *command]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    if kind == "tmpfs" and done.returncode != 0 and "small_disk" not in done.stderr:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    sentence, kept, went_on = done.stdout.splitlines()
    assert "disk" in sentence
    assert "\n" not in sentence
    assert int(kept) > 0
    assert int(went_on) > int(kept)


def test_the_latest_table_of_a_damaged_file_is_an_error_and_no_new_game(path: Path) -> None:
    path.write_bytes(b"x" * 5_000)
    with pytest.raises(JournalError, match="choose another"):
        latest_table(path)
