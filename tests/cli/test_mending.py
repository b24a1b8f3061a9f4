"""A table with a damaged journal goes on with the sound records and reports the damage."""

from __future__ import annotations

import argparse
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from assistant.cli.game import Game, take_up
from assistant.cli.play_options import add_arguments, settings_from
from assistant.files.resources import load_lexicon
from assistant.rules.history import Record
from assistant.table.journal import SqliteJournal
from tests.review.record.evening import Evening, script

LEXICON = load_lexicon()


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "table.sqlite3"


def start(journal: Path) -> Game:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    settings = settings_from(parser.parse_args(["--journal", str(journal)]))
    return take_up(settings, lambda _profile: LEXICON)


def played(journal: Path) -> list[Record]:
    """Play a deal up to its count; return the records."""
    evening = Evening(journal, "game-1", script("a_plain_deal"))
    for text in ("no hay mus", "envido", "quiero", "paso", "paso"):
        evening.say(text)
    evening.close()
    with closing(SqliteJournal(journal, "game-1", read_only=True)) as read:
        return read.read()


def events_of(journal: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(journal)) as connection:
        return connection.execute("SELECT * FROM events ORDER BY seq").fetchall()


@pytest.mark.usefixtures("in_spanish")
@pytest.mark.parametrize(
    ("damage", "lost"),
    [
        ("UPDATE tables SET last_seq = last_seq - 1", 0),
        ("UPDATE tables SET last_seq = last_seq + 2", 0),
        ("UPDATE events SET at = at + 1 WHERE seq = (SELECT MAX(seq) FROM events)", 1),
        ("UPDATE events SET event = replace(event, 'a', 'e') WHERE seq = 6", 99),
    ],
)
def test_the_game_goes_on_with_the_sound_calls_and_keeps_the_damaged_file(
    journal: Path, damage: str, lost: int, caplog: pytest.LogCaptureFixture
) -> None:
    records = played(journal)
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute(damage)
    damaged = events_of(journal)
    game = start(journal)
    kept = game.table.records
    assert game.resumed
    assert kept == records[: len(kept)]
    assert (len(kept) == len(records)) is (lost == 0)
    game.journal.append([])
    game.journal.close()
    (told,) = [record.getMessage() for record in caplog.records]
    aside = journal.with_name("table.sqlite3.damaged-1")
    assert told.startswith(f"El diario estaba dañado, y queda en {aside}.")
    assert ("Comprobad el tanteo." in told) is (len(kept) < len(records) or "+ 2" in damage)
    assert events_of(aside) == damaged
    caplog.clear()
    again = start(journal)
    again.journal.close()
    assert (again.table.records, caplog.records) == (kept, [])


@pytest.mark.usefixtures("in_spanish")
def test_the_losses_of_a_damaged_log_are_reported(
    journal: Path, caplog: pytest.LogCaptureFixture
) -> None:
    live = journal.with_name("live.sqlite3")
    evening = Evening(live, "game-1", script("a_plain_deal"))
    for text in ("no hay mus", "envido", "quiero", "paso", "paso", "paso", "paso"):
        evening.say(text)
    for end in ("", "-wal"):
        shutil.copyfile(live.with_name(live.name + end), journal.with_name(journal.name + end))
    evening.close()
    wal = journal.with_name(journal.name + "-wal")
    content = bytearray(wal.read_bytes())
    content[len(content) // 2] ^= 1
    wal.write_bytes(content)
    start(journal).journal.close()
    (told,) = [record.getMessage() for record in caplog.records]
    assert "De lo último se han perdido" in told
    assert journal.with_name("table.sqlite3.damaged-1-wal").read_bytes() == content


@pytest.mark.usefixtures("in_spanish")
def test_a_completely_damaged_file_is_put_aside_and_a_new_game_begins(
    journal: Path, caplog: pytest.LogCaptureFixture
) -> None:
    played(journal)
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("DELETE FROM events WHERE seq = 1")
    game = start(journal)
    game.begin()
    game.journal.close()
    assert not game.resumed
    assert "se conservan 0 registros" in caplog.records[0].getMessage()
