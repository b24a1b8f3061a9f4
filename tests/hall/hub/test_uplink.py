"""The uplink: a game whose journal is locked for a while still reaches the hub."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from assistant.files.settings import Address
from assistant.hall.hub.uplink import RETRY, Uplink
from assistant.table.journal import Outbox, SqliteJournal
from tests.hall.hub.played import calls, played

NOBODY = Address("127.0.0.1", 1, tls=False, user="mesa-1", password="")
FULL = "CREATE TRIGGER full BEFORE INSERT ON cursors BEGIN SELECT RAISE(FAIL, 'disk is full'); END"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with two games."""
    path = tmp_path / "mesa.sqlite3"
    for game in ("game-1", "game-2"):
        with closing(SqliteJournal(path, game)) as journal:
            for batch in calls(list(played(1))):
                journal.append(batch)
    return path


@pytest.fixture
def uplink(path: Path) -> Iterator[Uplink]:
    uplink = Uplink(NOBODY, Outbox(path, "hub"), "test")
    yield uplink
    uplink.close()


def games_in_outbox(path: Path) -> list[str]:
    with closing(Outbox(path, "hub")) as outbox:
        return [game.table_id for game in outbox.games()]


def write(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def test_a_game_that_could_not_be_read_is_sent_later(
    path: Path, uplink: Uplink, caplog: pytest.LogCaptureFixture
) -> None:
    write(path, FULL)
    uplink.take_up("game-1")
    uplink.take_up("game-2")
    for now in range(int(RETRY)):
        uplink.step(float(now))
    assert games_in_outbox(path) == []
    assert len(caplog.records) == 1  # logged once, not at every step
    write(path, "DROP TRIGGER full")
    uplink.step(RETRY)
    assert games_in_outbox(path) == ["game-1", "game-2"]


def test_a_game_that_could_not_be_read_is_sent_at_the_end(path: Path, uplink: Uplink) -> None:
    write(path, FULL)
    uplink.take_up("game-2")
    uplink.step(0.0)
    write(path, "DROP TRIGGER full")
    uplink.close()
    assert games_in_outbox(path) == ["game-2"]
