"""The database: its schema is the one that the code uses, in SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect, text

from assistant.hall.hub.database import (
    METADATA,
    DatabaseError,
    NoDatabaseError,
    migrate,
    newest_revision,
    open_database,
    revision,
)
from assistant.hall.hub.maintenance import PARTITION
from assistant.hall.hub.wire import slice_of
from scripts.lab.hubbench.servers import free_port
from tests.tables import each_row


def test_the_migrations_make_the_schema_that_the_code_expects(engine: Engine) -> None:
    with engine.connect() as connection:
        parts = [
            name for name in inspect(connection).get_table_names() if PARTITION.fullmatch(name)
        ]
        assert len(parts) == (16 if engine.dialect.name == "postgresql" else 0)
        context = MigrationContext.configure(
            connection,
            opts={"compare_type": True, "include_name": lambda name, *_: name not in parts},
        )
        assert compare_metadata(context, METADATA) == []
        assert revision(connection) == newest_revision()


def test_a_second_start_changes_nothing(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO tables (table_id, since) VALUES ('mesa-1', 0)"))
    migrate(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM tables")).scalar_one() == 1


def test_a_hall_of_the_previous_schema_keeps_every_row(where: str) -> None:
    """And its tables and games are in the slices in which messages of today come."""
    engine = open_database(where)
    migrate(engine, "0003")
    with engine.begin() as connection:
        for number in range(1, 41):
            name = f"mesa-{number}"
            connection.execute(
                text("INSERT INTO tables (table_id, since) VALUES (:name, 0)"), {"name": name}
            )
            connection.execute(
                text(
                    "INSERT INTO games (id, table_id, game, stored, highest, touched, opened) "
                    "VALUES (:n, :name, 'game-1', 3, 3, 0, 0)"
                ),
                {"n": number, "name": name},
            )
            for seq in (1, 2, 3):
                connection.execute(
                    text('INSERT INTO events VALUES (:n, :seq, :seq, 0, 0, \'{"a": "ñ"}\')'),
                    {"n": number, "seq": seq},
                )
    migrate(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM events")).scalar_one() == 120
        for table in ("tables", "games"):
            found = connection.execute(text(f"SELECT table_id, slice FROM {table}")).all()
            assert dict(map(tuple, found)) == {
                f"mesa-{n}": slice_of(f"mesa-{n}") for n in range(1, 41)
            }
    with engine.begin() as connection:  # the foreign key still holds, and still cascades
        connection.execute(text("DELETE FROM games WHERE id = 7"))
        assert connection.execute(text("SELECT COUNT(*) FROM events")).scalar_one() == 117
    engine.dispose()


def test_several_processes_may_migrate_at_once(where: str) -> None:
    failed: list[BaseException] = []

    def start() -> None:
        engine = open_database(where)
        try:
            migrate(engine)
        except BaseException as error:
            failed.append(error)
        engine.dispose()

    threads = [Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_database_of_a_newer_version_is_left_unchanged(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match="newer version"):
        migrate(engine)


def test_a_file_that_is_no_database_is_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Querida peña: " * 100)
    engine = open_database(str(path))
    with pytest.raises(DatabaseError):
        migrate(engine)
    engine.dispose()
    assert path.read_text() == "Querida peña: " * 100


def test_an_unreachable_server_is_reported_without_the_password() -> None:
    engine = open_database(f"postgresql://hub:secreto@127.0.0.1:{free_port()}/hub")
    with pytest.raises(NoDatabaseError) as error:
        migrate(engine)
    assert "secreto" not in str(error.value)
    assert "127.0.0.1" in str(error.value)


@each_row("where", ["mysql://a/b", "://", "sqlite://"])
def test_an_impossible_database_address_is_reported(where: str) -> None:
    with pytest.raises(DatabaseError, match="file's name"):
        open_database(where)
