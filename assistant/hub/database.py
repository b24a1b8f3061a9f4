"""The hub's database: opened, brought to the present schema, and its faults in plain words."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from assistant.rules.errors import MusError

log = logging.getLogger("mus.hub.database")

POSTGRESQL, SQLITE = "postgresql", "sqlite"
BUSY_SECONDS = 30.0
ONE_AT_A_TIME = 0x4D7573
"""Of PostgreSQL's advisory locks the one under which a schema is brought up to date: "Mus"."""


class DatabaseError(MusError):
    """The database cannot be opened or used; the text says what to do."""

    status = 503
    """What it is to whoever asked over HTTP."""


class NoDatabaseError(DatabaseError):
    """The database does not answer now. What it was given was not kept; it may be given again."""


def open_database(where: str) -> Engine:
    """The engine for a URL, or a file's name. Raises DatabaseError.

    ``postgresql://user@host/name``, or a file for SQLite. Nothing is connected to yet.
    """
    url = _url(where)
    if url.get_backend_name() == SQLITE:
        _make_room(url.database)
        return _sqlite(url)
    return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 5})


def shown_name(where: str) -> str:
    """How a database is called, without its password. Raises DatabaseError."""
    return _url(where).render_as_string(hide_password=True)


@contextmanager
def opened(where: str) -> Iterator[Engine]:
    """The same for as long as the body lasts. Raises DatabaseError."""
    engine = open_database(where)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def opened_hall(where: str) -> Iterator[Engine]:
    """The same for a hall that is there, brought to the present schema.

    A name that was mistyped makes no database, nor a hall in somebody else's. Raises DatabaseError.
    """
    check_there(where)
    with opened(where) as engine:
        with told(engine), engine.connect() as connection:
            have = revision(connection)
        if have is None:
            shown = shown_name(where)
            raise DatabaseError(f"There is no hub in the database {shown}: check --database.")
        migrate(engine)
        yield engine


def check_there(where: str) -> None:
    """Raise DatabaseError for a database that is a file, where there is no such file."""
    url = _url(where)
    if url.get_backend_name() == SQLITE and not Path(url.database or "").is_file():
        raise DatabaseError(
            f"There is no database {url.database}: check --database; mus hub makes a new one."
        )


def migrate(engine: Engine, to: str = "head") -> None:
    """Bring the schema up to date, or to a revision; or make it. Raises DatabaseError."""
    with told(engine), engine.connect() as connection:
        if engine.dialect.name == POSTGRESQL:
            # Several processes may be started at once; the others wait, and find it done.
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": ONE_AT_A_TIME})
            connection.commit()
        try:
            _check_not_newer(connection)
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, to)
            connection.commit()
        finally:
            connection.rollback()
            if engine.dialect.name == POSTGRESQL:
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": ONE_AT_A_TIME})
                connection.commit()


def revision(connection: Connection) -> str | None:
    """The schema that the database has; None where it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str:
    """The schema that this version of mus needs."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


@contextmanager
def told(engine: Engine) -> Iterator[None]:
    """Turn what a database complains of into DatabaseError."""
    shown = engine.url.render_as_string(hide_password=True)
    try:
        yield
    except DBAPIError as error:
        kind = NoDatabaseError if is_away(error) else DatabaseError
        why = " ".join(str(error.orig).split())[:200]
        raise kind(f"The database {shown} does not do it ({why}): check that it runs.") from error
    except UnicodeError as error:  # the driver's own, which SQLAlchemy lets through
        raise DatabaseError(f"The database {shown} keeps no such text: {error}.") from error
    except (SQLAlchemyError, CommandError) as error:
        why = " ".join(str(error).split())[:200]
        raise DatabaseError(f"The database {shown} cannot be used: {why}.") from error


def is_away(error: DBAPIError) -> bool:
    """Whether the database may do tomorrow what it does not do now."""
    return isinstance(error, OperationalError) or error.connection_invalidated


def _url(where: str) -> URL:
    if "://" not in where:
        return URL.create(SQLITE, database=str(Path(where).expanduser().absolute()))
    try:
        url = make_url(where)
    except ArgumentError:
        raise _unknown() from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == SQLITE and url.database:
        return url
    raise _unknown()


def _unknown() -> DatabaseError:
    return DatabaseError(
        "--database takes a file's name, or postgresql://USER@HOST/NAME: write one of these."
    )


def _make_room(database: str | None) -> None:
    """The file of a new database, for its owner alone: the hall's keys will be in it."""
    if not database or database.startswith((":", "file:")):
        return
    path = Path(database)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # Python begins no transaction by itself
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        # A transaction that reads first and writes later could not be waited for.
        reads = connection.get_execution_options().get("reads")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def _check_not_newer(connection: Connection) -> None:
    have = revision(connection)
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if have is not None and have not in known:
        raise DatabaseError("The database was made by a newer version of mus: update mus.")
