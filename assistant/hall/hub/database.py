"""The hub's database: its tables, how it is opened, and the migration to the newest schema."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    false,
    insert,
    make_url,
    select,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    OperationalError,
    SQLAlchemyError,
)

from assistant.rules.errors import MusError

# The hub's tables, the same in SQLite and PostgreSQL. ``migrations`` makes them, step by step.


METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

TABLES = Table(
    "tables",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("online", Boolean, nullable=False, server_default=false()),
    Column("since", Float, nullable=False, comment="of being there, or lost; the hub's clock"),
    Column("clock", Float, nullable=False, server_default="0", comment="its clock less the hub's"),
    Column("version", String(32), nullable=False, server_default=""),
    Column("slice", Integer, nullable=False, server_default="0"),
    Column("shown", BigInteger, nullable=False, server_default="0", comment="see slices.shown"),
    Column("game", String(64), nullable=False, server_default="", comment="its newest"),
    Column("lag", Integer, nullable=False, server_default="0", comment="events that are missing"),
    Column("fault", Text, nullable=False, server_default="", comment="of its newest game"),
    Column("brief", Text, nullable=False, server_default="", comment="its game as shown, as JSON"),
    Index(None, "slice", "shown"),
)
"""The tables of the hall: whether they are online, and what the board shows of them."""

GAMES = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(32), ForeignKey("tables.table_id"), nullable=False),
    Column("game", String(64), nullable=False),
    Column("stored", Integer, nullable=False, server_default="0", comment="without a gap"),
    Column("highest", Integer, nullable=False, server_default="0", comment="with gaps"),
    Column("touched", Float, nullable=False, comment="last change; the hub's clock"),
    Column("opened", Float, nullable=False, comment="first heard of; the hub's clock"),
    Column("fault", Text, nullable=False, server_default="", comment="why it does not add up"),
    Column("slice", Integer, nullable=False, server_default="0"),
    Column("change", BigInteger, nullable=False, server_default="0", comment="see slices.change"),
    UniqueConstraint("table_id", "game"),
    Index(None, "touched"),
    Index(None, "slice", "change"),
)
"""Every game of every table. Its events up to ``stored`` are all there."""

EVENTS = Table(
    "events",
    METADATA,
    Column("game_id", Integer, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("batch", Integer, nullable=False),
    Column("at", Float, nullable=False, comment="the table's clock"),
    Column("received", Float, nullable=False, comment="the hub's clock"),
    Column("event", Text, nullable=False),
    postgresql_partition_by="HASH (game_id)",
)
"""The journals, as the tables wrote them. PostgreSQL keeps them in several partitions."""

SLICES = Table(
    "slices",
    METADATA,
    Column("slice", Integer, primary_key=True, autoincrement=False),
    Column("change", BigInteger, nullable=False, server_default="0"),
    Column("shown", BigInteger, nullable=False, server_default="0"),
)
"""Two counters for each slice of the tables: of changes to games, and to what the board shows.

Every write raises the counter in the same transaction, and stores its new value with the rows that
it wrote. The counter's row stays locked until the transaction ends. So changes become visible in
the order of their numbers, and a reader that remembers the last number misses none.
"""

LEASES = Table(
    "leases",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("owner", String(64), nullable=False, server_default=""),
    Column("until", Float, nullable=False, server_default="0", comment="the database's clock"),
)
"""Work that one process does at a time, and which process that is."""

PROCESSES = Table(
    "processes",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("work", String(32), primary_key=True),
    Column("seen", Float, nullable=False, comment="the database's clock"),
)
"""The processes of the hub that share a kind of work."""

REFUSALS = Table(
    "refusals",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("topic", String(200), nullable=False),
    Column("code", String(16), nullable=False),
    Column("why", Text, nullable=False),
    Column("head", Text, nullable=False, comment="the first bytes of it, in hexadecimal"),
    Index(None, "at"),
)
"""The latest messages that were refused."""

TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", String(120), nullable=False),
    Column("opened", Float, nullable=False, comment="the hub's clock"),
    Column("fee", Integer, nullable=False, server_default="0", comment="of a pair, in cents"),
    UniqueConstraint("name"),
)
"""The tournaments. Everything public about them follows from their acts."""

ACTS = Table(
    "acts",
    METADATA,
    Column(
        "tournament_id", Integer, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False, comment="the hub's clock"),
    Column("act", Text, nullable=False),
)
"""The acts of the tournaments, in order: draws, results, corrections, each with its author."""

CONTACTS = Table(
    "contacts",
    METADATA,
    Column(
        "tournament_id", Integer, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("pair", Integer, primary_key=True, autoincrement=False),
    Column("telephone", String(80), nullable=False),
)
"""The telephones of the pairs, for the organisers alone; they can be deleted."""

PAYMENTS = Table(
    "payments",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column(
        "tournament_id", Integer, ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False
    ),
    Column("pair", Integer, nullable=False),
    Column("cents", Integer, nullable=True, comment="in all; none: it was taken back"),
    Column("by", String(120), nullable=False),
    Column("at", Float, nullable=False, comment="the hub's clock"),
    Index(None, "tournament_id"),
)
"""Who paid the fee, and who took it; the last row of a pair counts."""

SCORED = Table(
    "scored",
    METADATA,
    Column(
        "tournament_id", Integer, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("told", Text, nullable=False, comment="JSON: results in doubt, games that were left"),
)
"""The scorer's findings in the journals of a tournament, beside the results that it entered."""

KEPT = Table(
    "kept",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Values that all processes of a hall share: the first process makes them, and no process changes
them."""
HALL = "hall"
"""The name of the hall's own name, which every new or restored database gets anew."""


# ---- Opening the database, migrating it, and its errors in plain words --------------------------


log = logging.getLogger("mus.hub.database")

POSTGRESQL, SQLITE = "postgresql", "sqlite"
BUSY_SECONDS = 30.0
IDLE = 1.0
"""Seconds after which a connection is tried before it is used again. SQLAlchemy would try it at
each use, and a busy hub uses it some fifty times a second."""
ONE_AT_A_TIME = 0x4D7573
"""The key of PostgreSQL's advisory lock for migrations: "Mus" in ASCII."""


class DatabaseError(MusError):
    """The database cannot be opened or used; the text says what to do."""

    status = 503
    """The HTTP status."""


class NoDatabaseError(DatabaseError):
    """The database does not answer now. Nothing was stored; the caller may retry."""


def open_database(where: str) -> Engine:
    """The engine for ``postgresql://user@host/name``, or for a file of SQLite.

    It does not connect yet. Raises DatabaseError.
    """
    url = _url(where)
    if url.get_backend_name() == SQLITE:
        _make_room(url.database)
        return _sqlite(url)
    return _postgresql(url)


def shown_name(where: str) -> str:
    """A database's URL without its password. Raises DatabaseError."""
    return _url(where).render_as_string(hide_password=True)


@contextmanager
def opened(where: str) -> Iterator[Engine]:
    """The engine, disposed of at the end of the body. Raises DatabaseError."""
    engine = open_database(where)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def opened_hall(where: str) -> Iterator[Engine]:
    """The engine of a database that holds a hall already, migrated to the newest schema.

    So a mistyped name creates no new database, and no hall's tables in a database of something
    else. Raises DatabaseError.
    """
    check_there(where)
    with opened(where) as engine:
        with database_errors(engine), engine.connect() as connection:
            have = revision(connection)
        if have is None:
            shown = shown_name(where)
            raise DatabaseError(
                "There is no hub in the database {shown}: check --database.", shown=shown
            )
        migrate(engine)
        yield engine


def check_there(where: str) -> None:
    """Raise DatabaseError if the database is a file that does not exist."""
    url = _url(where)
    if url.get_backend_name() == SQLITE and not Path(url.database or "").is_file():
        raise DatabaseError(
            "There is no database {path}: check --database; mus hub makes a new one.",
            path=url.database,
        )


def migrate(engine: Engine, to: str = "head") -> None:
    """Make the schema, or migrate it to a revision, by default the newest. Raises DatabaseError."""
    with database_errors(engine), engine.connect() as connection:
        if engine.dialect.name == POSTGRESQL:
            # Several processes may start at once; the others wait here, and find it done.
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
    """The revision of the database's schema; None if it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str:
    """The revision that this version of mus needs."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


@contextmanager
def database_errors(engine: Engine) -> Iterator[None]:
    """Turn the errors of SQLAlchemy, alembic and the driver into DatabaseError."""
    shown = engine.url.render_as_string(hide_password=True)
    try:
        yield
    except DBAPIError as error:
        kind = NoDatabaseError if is_away(error) else DatabaseError
        why = " ".join(str(error.orig).split())[:200]
        raise kind(
            "The database {shown} does not do it ({why}): check that it runs.", shown=shown, why=why
        ) from error
    except UnicodeError as error:  # the driver's own, which SQLAlchemy lets through
        raise DatabaseError(
            "The database {shown} keeps no such text: {error}.", shown=shown, error=error
        ) from error
    except (SQLAlchemyError, CommandError) as error:
        why = " ".join(str(error).split())[:200]
        raise DatabaseError(
            "The database {shown} cannot be used: {why}.", shown=shown, why=why
        ) from error


def is_away(error: DBAPIError) -> bool:
    """Whether a retry may succeed: the database does not answer, or is busy."""
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
    """Create the file of a new database for its owner alone: it will hold the hall's keys."""
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
        # SQLite cannot wait for a lock in a transaction that reads first and writes later.
        reads = connection.get_execution_options().get("reads")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def _postgresql(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"connect_timeout": 5})

    @event.listens_for(engine, "checkout")
    def _checked(connection: Any, record: Any, _proxy: Any) -> None:
        now = time.monotonic()
        if now - record.info.get("used", now) > IDLE:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError from error  # the pool takes another one
        record.info["used"] = now

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


# ---- Values that all processes of a hall share: the first process that asks makes them ----------


def get_or_create(engine: Engine, name: str, make: Callable[[], str]) -> str:
    """The shared value of that name, made by ``make`` if there is none yet.

    If several processes ask at once, all get the value of the quickest. Raises DatabaseError.
    """
    found = _found(engine, name)
    if found is None:
        found = make()
        try:
            with database_errors(engine), engine.begin() as connection:
                connection.execute(insert(KEPT).values(name=name, value=found))
        except DatabaseError as error:
            if not isinstance(error.__cause__, IntegrityError):
                raise
            found = _found(engine, name) or found  # somebody was quicker
    return found


def _found(engine: Engine, name: str) -> str | None:
    reading = engine.execution_options(reads=True)
    with database_errors(engine), reading.connect() as connection:
        return connection.execute(select(KEPT.c.value).where(KEPT.c.name == name)).scalar()
