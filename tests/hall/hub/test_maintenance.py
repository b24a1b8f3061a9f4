"""Backup, restore and pruning of a hall, in any kind of database."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select, text, update

from assistant.hall.hub.database import GAMES, METADATA, migrate, open_database
from assistant.hall.hub.maintenance import HallArchiveError, back_up, old_games, prune, restore
from assistant.hall.hub.store import JournalReader, Refusal, Store
from assistant.hall.hub.wire import Batch, EventRow, WireError
from assistant.messages.codec import event_to_json
from scripts.lab.hubbench.servers import Postgres, installed_postgres, running
from tests.hall.hub.machines import open_folder
from tests.hall.hub.played import played

ROWS = tuple([EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in played(30)])


def filled(engine: Engine) -> Store:
    store = Store(engine)
    store.take([Batch("mesa-1", "game-1", 0.0, ROWS), Batch("mesa-2", "game-1", 0.0, ROWS[:9])])
    store.refuse([Refusal("x", b"\x00", WireError("topic", "No."))])
    return store


def everything(engine: Engine) -> dict[str, list[Any]]:
    with engine.connect() as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in METADATA.sorted_tables
        }


@pytest.fixture
def empty(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Engine]]:
    """Empty databases."""
    made: list[Engine] = []

    def make(kind: str) -> Engine:
        where = str(tmp_path / f"empty{len(made)}.sqlite3")
        if kind == "postgresql":
            server: Postgres = request.getfixturevalue("postgres")
            where = server.create(f"empty_{abs(hash(tmp_path))}_{len(made)}")
        made.append(open_database(where))
        return made[-1]

    yield make
    for engine in made:
        engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_restored_hall_equals_the_saved_one(
    engine: Engine, kind: str, empty: Callable[[str], Engine], tmp_path: Path
) -> None:
    filled(engine)
    rows = back_up(engine, tmp_path / "hall.zip")
    assert rows["events"] == len(ROWS) + 9
    other = empty(kind)
    assert restore(other, tmp_path / "hall.zip") == rows
    assert everything(other) == everything(engine)
    # And it can go on: new games get new numbers, and old games continue.
    taken = Store(other).take(
        [Batch("mesa-2", "game-1", 0.0, ROWS[9:20]), Batch("mesa-3", "game-1", 0.0, ROWS[:3])]
    )
    assert [one.stored for one in taken] == [20, 3]


OTHER_POSTGRES = "MUS_OTHER_POSTGRES"
"""An environment variable: a folder with another PostgreSQL's ``postgres`` and ``initdb``."""


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgresql"], indirect=True)
def test_a_hall_moves_to_another_version_of_postgresql(engine: Engine, tmp_path: Path) -> None:
    others = [Path(os.environ[OTHER_POSTGRES])] if OTHER_POSTGRES in os.environ else []
    others += installed_postgres()[:-1]
    if not others:
        pytest.skip(f"one version is installed, and {OTHER_POSTGRES} names no other")
    filled(engine)
    rows = back_up(engine, tmp_path / "hall.zip")
    with engine.connect() as connection:
        version = connection.execute(text("SHOW server_version_num")).scalar_one()
    for programs in others:
        with open_folder() as folder:
            server = Postgres(folder / "server", durable=False, programs=programs)
            with running(server):
                other = open_database(server.create("moved"))
                with other.connect() as connection:
                    told = connection.execute(text("SHOW server_version_num")).scalar_one()
                assert int(told) // 10_000 != int(version) // 10_000
                assert restore(other, tmp_path / "hall.zip") == rows
                assert everything(other) == everything(engine)
                other.dispose()


def test_an_existing_hall_is_never_overwritten(engine: Engine, tmp_path: Path) -> None:
    filled(engine)
    before = everything(engine)
    back_up(engine, tmp_path / "hall.zip")
    with pytest.raises(HallArchiveError, match="holds a hall already"):
        restore(engine, tmp_path / "hall.zip")
    assert everything(engine) == before


def test_a_backup_can_be_restored_into_an_empty_schema(
    engine: Engine, empty: Callable[[str], Engine], tmp_path: Path
) -> None:
    filled(engine)
    back_up(engine, tmp_path / "hall.zip")
    other = empty("sqlite")
    migrate(other)
    restore(other, tmp_path / "hall.zip")
    assert everything(other) == everything(engine)


def test_a_backup_of_an_empty_hall_is_refused(
    empty: Callable[[str], Engine], tmp_path: Path
) -> None:
    with pytest.raises(HallArchiveError, match="no hub"):
        back_up(empty("sqlite"), tmp_path / "hall.zip")
    assert list(tmp_path.glob("*.zip")) == []


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "change",
    [
        lambda files: files.pop("manifest.json"),
        lambda files: files.pop("events.jsonl"),
        lambda files: files.update({"events.jsonl": files["events.jsonl"][:-20]}),
        lambda files: files.update({"manifest.json": b"[]"}),
        lambda files: files.update({"manifest.json": b"{"}),
        lambda files: files.update(
            {"manifest.json": files["manifest.json"].replace(b'"form": 1', b'"form": 2')}
        ),
        lambda files: files.update({"events.jsonl": b"x" * 2_000_000}),
    ],
)
def test_a_damaged_backup_is_reported_and_leaves_nothing_behind(
    engine: Engine,
    change: Callable[[dict[str, bytes]], None],
    empty: Callable[[str], Engine],
    tmp_path: Path,
) -> None:
    filled(engine)
    back_up(engine, tmp_path / "hall.zip")
    with zipfile.ZipFile(tmp_path / "hall.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    other = empty("sqlite")
    with pytest.raises(HallArchiveError):
        restore(other, tmp_path / "bad.zip")
    migrate(other)
    assert not any(everything(other).values())


def test_a_file_that_is_no_zip_is_reported(empty: Callable[[str], Engine], tmp_path: Path) -> None:
    (tmp_path / "hall.zip").write_text("Querida peña")
    with pytest.raises(HallArchiveError, match="no backup"):
        restore(empty("sqlite"), tmp_path / "hall.zip")


def test_only_old_games_are_pruned(engine: Engine) -> None:
    filled(engine)
    with engine.begin() as connection:
        connection.execute(update(GAMES).where(GAMES.c.table_id == "mesa-1").values(touched=1000.0))
    assert old_games(engine, 30) == (1, len(ROWS))
    assert prune(engine, 30) == 1
    assert old_games(engine, 30) == (0, 0)
    kept = everything(engine)
    assert len(kept["events"]) == 9
    (game,) = JournalReader(engine).games("mesa-2")
    assert game.stored == 9
    assert json.dumps(kept["games"])
