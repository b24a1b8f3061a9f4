"""Maintenance of the hub's database: backup, restore, and pruning of old games."""

from __future__ import annotations

import hashlib
import json
import re
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from sqlalchemy import Connection, Engine, MetaData, Table, delete, func, inspect, select, text

from assistant.hall.hub.database import (
    EVENTS,
    GAMES,
    HALL,
    KEPT,
    LEASES,
    POSTGRESQL,
    PROCESSES,
    REFUSALS,
    DatabaseError,
    database_errors,
    migrate,
    newest_revision,
    revision,
)

# ---- Backup and restore: a hub's whole database as one file -------------------------------------
# The file is a ZIP with a manifest and one file of JSON lines for each table. Any kind of database
# takes it, so this is also how a hall moves from SQLite to PostgreSQL.


MANIFEST = "manifest.json"
FORM = 1
"""The version of the archive's form; raised with each change that an older mus would misread."""
PARTITION = re.compile("events_[0-9]+")
"""PostgreSQL's partitions, whose rows are read through their parent table."""
ROWS = 1000
"""Rows read and written at a time."""
FILLED = frozenset(table.name for table in (KEPT, LEASES, PROCESSES))
"""Tables that mus hub fills by itself, at a first start without any hall."""
MOST_LINE = 1_000_000
MOST_MANIFEST = 1_000_000
_DAMAGE = (BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError, RuntimeError)


class HallArchiveError(DatabaseError):
    """A file that is no backup of a hub, or a database that takes none; the text says why."""


def back_up(engine: Engine, target: Path) -> dict[str, int]:
    """Write all of the database, as of one moment; returns the number of rows of each table.

    The file is replaced atomically. Only its owner may read it, because it holds the referee's
    PIN and the secret of the slips' codes. Raises DatabaseError, OSError.
    """
    partly = target.with_name(f".{target.name}.part")
    try:
        with database_errors(engine), _still(engine) as connection:
            have = revision(connection)
            if have is None:
                raise HallArchiveError("There is no hub in that database: check --database.")
            partly.unlink(missing_ok=True)
            partly.touch(mode=0o600)
            with ZipFile(partly, "w", ZIP_DEFLATED) as archive:
                written = {
                    table.name: _write(connection, table, archive)
                    for table in _reflected(connection)
                }
                manifest = {
                    "form": FORM,
                    "revision": have,
                    "made": time.time(),
                    "tables": {name: {"rows": n, "sha256": d} for name, (n, d) in written.items()},
                }
                archive.writestr(MANIFEST, json.dumps(manifest))
        partly.replace(target)
    finally:
        partly.unlink(missing_ok=True)
    return {name: rows for name, (rows, _) in written.items()}


def restore(engine: Engine, source: Path) -> dict[str, int]:
    """Fill an empty database from a file, all or nothing; returns the number of rows of each table.

    Raises HallArchiveError, DatabaseError, OSError.
    """
    try:
        with ZipFile(source) as archive:
            manifest = _manifest(archive, source)
            _check(archive, manifest, source)
            with database_errors(engine), engine.connect() as connection:
                if revision(connection) is not None and _holds_anything(connection):
                    raise HallArchiveError("That database holds a hall already: name an empty one.")
            if _never_used(engine):
                migrate(engine, manifest["revision"])
            elif _revision_of(engine) != manifest["revision"]:
                raise HallArchiveError(
                    "That database has another schema than the backup: name one that is new."
                )
            with database_errors(engine), engine.begin() as connection:
                for table in _reflected(connection):
                    if table.name in FILLED:
                        connection.execute(table.delete())
                    _read(connection, table, archive)
                    _count_on(connection, table)
                _rename(connection)
    except _DAMAGE as error:
        raise HallArchiveError(
            "{source} is damaged or no backup of a hub ({error}).", source=source, error=error
        ) from error
    migrate(engine)
    return {name: entry["rows"] for name, entry in manifest["tables"].items()}


def _rename(connection: Connection) -> None:
    """Forget the hall's name and who held its leases: tables greet another database anew."""
    there = inspect(connection)
    if there.has_table(KEPT.name):
        connection.execute(delete(KEPT).where(KEPT.c.name == HALL))
    for table in (LEASES, PROCESSES):
        if there.has_table(table.name):
            connection.execute(delete(table))


def _still(engine: Engine) -> Connection:
    """A connection whose reads all see the same moment (snapshot isolation)."""
    if engine.dialect.name == POSTGRESQL:
        return engine.connect().execution_options(isolation_level="REPEATABLE READ")
    return engine.execution_options(reads=True).connect()


def _reflected(connection: Connection) -> list[Table]:
    """The tables of this revision, in the order of their foreign keys."""
    metadata = MetaData()
    metadata.reflect(connection)
    tables = (table for table in metadata.sorted_tables if table.name != "alembic_version")
    return [table for table in tables if not PARTITION.fullmatch(table.name)]


def _write(connection: Connection, table: Table, archive: ZipFile) -> tuple[int, str]:
    rows, digest = 0, hashlib.sha256()
    found = connection.execution_options(yield_per=ROWS).execute(
        select(table).order_by(*table.primary_key.columns)
    )
    with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as file:
        for row in found.mappings():
            line = json.dumps(dict(row), separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            file.write(line)
            rows += 1
    return rows, digest.hexdigest()


def _manifest(archive: ZipFile, source: Path) -> dict[str, Any]:
    if archive.getinfo(MANIFEST).file_size > MOST_MANIFEST:
        raise HallArchiveError(
            "{source} is no backup of a hub: its manifest is too large.", source=source
        )
    manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
    if manifest["form"] > FORM or manifest["revision"] > newest_revision():
        raise HallArchiveError(
            "{source} was made by a newer version of mus: update mus.", source=source
        )
    return manifest


def _check(archive: ZipFile, manifest: dict[str, Any], source: Path) -> None:
    """Check the whole archive before anything is written."""
    for name, entry in manifest["tables"].items():
        rows, digest = 0, hashlib.sha256()
        with archive.open(f"{name}.jsonl") as file:
            for line in _lines(file):
                digest.update(line)
                rows += 1
        if (rows, digest.hexdigest()) != (entry["rows"], entry["sha256"]):
            raise HallArchiveError(
                "{source} is damaged: {name} is not as it was written.", source=source, name=name
            )


def _read(connection: Connection, table: Table, archive: ZipFile) -> None:
    rows: list[dict[str, Any]] = []
    with archive.open(f"{table.name}.jsonl") as file:
        for line in _lines(file):
            rows.append(json.loads(line))
            if len(rows) == ROWS:
                connection.execute(table.insert(), rows)
                rows = []
    if rows:
        connection.execute(table.insert(), rows)


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    while line := file.readline(MOST_LINE + 1):
        if len(line) > MOST_LINE:
            raise ValueError("a line is too long")
        yield line


def _count_on(connection: Connection, table: Table) -> None:
    """Set PostgreSQL's sequence of ids behind those that were restored."""
    if connection.dialect.name == POSTGRESQL and "id" in table.c:
        last = connection.execute(select(func.max(table.c.id))).scalar_one()
        if last:
            name = f"pg_get_serial_sequence('{table.name}', 'id')"
            connection.execute(text(f"SELECT setval({name}, :last)"), {"last": last})


def _holds_anything(connection: Connection) -> bool:
    tables = [table for table in _reflected(connection) if table.name not in FILLED]
    return any(connection.execute(select(table).limit(1)).first() for table in tables)


def _never_used(engine: Engine) -> bool:
    return _revision_of(engine) is None


def _revision_of(engine: Engine) -> str | None:
    with database_errors(engine), engine.connect() as connection:
        return revision(connection)


# ---- Pruning: deletion of old games, and of refusals from that time ------------------------------


DAY = 86_400.0


def old_games(engine: Engine, days: float) -> tuple[int, int]:
    """The number of games untouched for ``days``, and of their events. Raises DatabaseError."""
    old = select(GAMES.c.id).where(GAMES.c.touched < time.time() - days * DAY)
    with database_errors(engine), engine.execution_options(reads=True).connect() as connection:
        games = connection.execute(select(func.count()).select_from(old.subquery())).scalar_one()
        events = connection.execute(
            select(func.count()).select_from(EVENTS).where(EVENTS.c.game_id.in_(old))
        ).scalar_one()
    return games, events


def prune(engine: Engine, days: float) -> int:
    """Delete the games untouched for ``days``; returns how many. Raises DatabaseError."""
    before = time.time() - days * DAY
    with database_errors(engine), engine.begin() as connection:
        done = connection.execute(delete(GAMES).where(GAMES.c.touched < before))
        connection.execute(delete(REFUSALS).where(REFUSALS.c.at < before))
        return done.rowcount
