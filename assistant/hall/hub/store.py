"""The tables' journals in the database: stores each record once, and reads them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    bindparam,
    case,
    delete,
    func,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from assistant.hall.hub.database import (
    EVENTS,
    GAMES,
    POSTGRESQL,
    REFUSALS,
    SLICES,
    TABLES,
    database_errors,
)
from assistant.hall.hub.wire import Batch, EventRow, Status, WireError, slice_of
from assistant.messages.codec import event_from_json
from assistant.rules.history import Record

# ---- Writing: each record is stored once, however often and in whatever order it comes ----------


log = logging.getLogger("mus.hub.store")

REFUSALS_KEPT = 10_000
HEAD_KEPT = 200
"""Bytes of a refused message that are stored."""

Key = tuple[str, str]
"""A table and a game."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of storing a game's batches.

    The game is ``stored`` without a gap up to that seq; ``gap``: later records are there, too.
    ``new`` counts the events that were not stored before. ``fault`` names a batch that contradicts
    what was stored before; nothing of such a batch is stored.
    """

    table: str
    game: str
    stored: int
    gap: bool
    new: int
    fault: WireError | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message that was not taken."""

    topic: str
    payload: bytes
    error: WireError


@dataclass(frozen=True, slots=True)
class BoardView:
    """What the board shows of a table: its newest game, and that as JSON ("": it has none).

    ``lag``: events known to be missing. ``fault``: why its journal does not fold.
    """

    table: str
    game: str
    lag: int
    fault: str
    brief: str


@dataclass(slots=True)
class _Game:
    """A game's row in the database while its batches are stored."""

    id: int
    stored: int
    highest: int


_MOVED = (
    update(GAMES)
    .where(GAMES.c.id == bindparam("one"))
    .values(
        stored=bindparam("to"),
        highest=bindparam("top"),
        touched=bindparam("now"),
        change=bindparam("number"),
    )
)
# PostgreSQL takes all rows of a transaction in one statement, as arrays: a tenth of the time that
# a statement for each row takes.
_MOVED_TOGETHER = text(
    "UPDATE games SET stored = v.stored, highest = v.highest, touched = :now, change = v.change "
    "FROM unnest(CAST(:one AS integer[]), CAST(:to AS integer[]), CAST(:top AS integer[]), "
    "CAST(:number AS bigint[])) AS v(id, stored, highest, change) WHERE games.id = v.id"
)
_INSERTED_TOGETHER = text(
    "INSERT INTO events (game_id, seq, batch, at, received, event) "
    "SELECT v.game_id, v.seq, v.batch, v.at, :received, v.event "
    "FROM unnest(CAST(:game_id AS integer[]), CAST(:seq AS integer[]), CAST(:batch AS integer[]), "
    "CAST(:at AS double precision[]), CAST(:event AS text[])) AS v(game_id, seq, batch, at, event)"
)
_SHOWN = (
    update(TABLES)
    .where(TABLES.c.table_id == bindparam("table"))
    .values(
        game=bindparam("newest"),
        lag=bindparam("missing"),
        fault=bindparam("why"),
        brief=bindparam("picture"),
        shown=bindparam("number"),
    )
)
_SHOWN_TOGETHER = text(
    "UPDATE tables SET game = v.game, lag = v.lag, fault = v.fault, brief = v.brief, "
    "shown = v.shown FROM unnest(CAST(:table AS text[]), CAST(:newest AS text[]), "
    "CAST(:missing AS integer[]), CAST(:why AS text[]), CAST(:picture AS text[]), "
    "CAST(:number AS bigint[])) AS v(table_id, game, lag, fault, brief, shown) "
    "WHERE tables.table_id = v.table_id"
)


class Store:
    """Writes the journals. Any number of processes may write at once."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        self.engine = engine
        self._clock = clock
        self._insert: Any = (
            postgresql.insert if engine.dialect.name == POSTGRESQL else sqlite.insert
        )
        self._ids: dict[Key, int] = {}

    def take(self, batches: Sequence[Batch]) -> list[Taken]:
        """Store batches in one transaction, in order. Raises DatabaseError and stores nothing."""
        by_game: dict[Key, list[Batch]] = {}
        for batch in batches:
            by_game.setdefault((batch.table, batch.game), []).append(batch)
        with database_errors(self.engine), self.engine.begin() as connection:
            return self._take(connection, by_game)

    def statuses(self, statuses: Sequence[Status]) -> list[dict[str, int]]:
        """Store which tables are online; returns for each how far the games it names are stored.

        Raises DatabaseError and stores nothing.
        """
        now = self._clock()
        newest = {status.table: status for status in statuses}  # the last of several counts
        slices = {status.table: slice_of(status.table) for status in statuses}
        rows = [
            {
                "table_id": status.table,
                "slice": slices[status.table],
                "online": status.online,
                "since": now,
                "clock": status.at - now if status.online else 0.0,
                "version": status.version,
            }
            for _, status in sorted(newest.items())  # always locked in the same order, as games are
        ]
        with database_errors(self.engine), self.engine.begin() as connection:
            insert = self._insert(TABLES)
            new = insert.excluded
            changes = {
                "online": new.online,
                "since": case((TABLES.c.online != new.online, new.since), else_=TABLES.c.since),
                "clock": case((new.online, new.clock), else_=TABLES.c.clock),
                "version": case((new.online, new.version), else_=TABLES.c.version),
                "shown": new.shown,
            }
            numbers = self._next(connection, SLICES.c.shown, slices.values())
            for row in rows:
                row["shown"] = numbers[slices[str(row["table_id"])]]
            connection.execute(
                insert.on_conflict_do_update(index_elements=["table_id"], set_=changes), rows
            )
            found = connection.execute(
                select(GAMES.c.table_id, GAMES.c.game, GAMES.c.stored).where(
                    GAMES.c.table_id.in_(newest),
                    GAMES.c.game.in_({game for status in statuses for game, _ in status.games}),
                )
            )
            have = {(row.table_id, row.game): row.stored for row in found}
        return [
            {game: have.get((status.table, game), 0) for game, _ in status.games}
            for status in statuses
        ]

    def refuse(self, refusals: Sequence[Refusal]) -> None:
        """Store what was refused, and why. Raises DatabaseError."""
        now = self._clock()
        rows = [
            {
                "at": now,
                "topic": _plain(refusal.topic)[:200],
                "code": refusal.error.code,
                "why": _plain(str(refusal.error)),
                "head": refusal.payload[:HEAD_KEPT].hex(),
            }
            for refusal in refusals
        ]
        with database_errors(self.engine), self.engine.begin() as connection:
            connection.execute(REFUSALS.insert(), rows)
            newest = connection.execute(select(func.max(REFUSALS.c.id))).scalar_one()
            connection.execute(delete(REFUSALS).where(REFUSALS.c.id <= newest - REFUSALS_KEPT))

    def fault(self, game_id: int, why: str) -> None:
        """Store why a game's journal does not fold; "": it does. Raises DatabaseError."""
        with database_errors(self.engine), self.engine.begin() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == game_id).values(fault=why))

    def show(self, views: Sequence[BoardView]) -> None:
        """Store what the board shows of these tables. Raises DatabaseError."""
        if not views:
            return
        with database_errors(self.engine), self.engine.begin() as connection:
            if self.engine.dialect.name == POSTGRESQL:
                # Views lost in a power cut are folded again, so nobody has to wait for the disk.
                connection.execute(text("SET LOCAL synchronous_commit = off"))
            numbers = self._next(
                connection, SLICES.c.shown, {slice_of(view.table) for view in views}
            )
            rows = [
                {
                    "table": view.table,
                    "newest": view.game,
                    "missing": view.lag,
                    "why": view.fault,
                    "picture": view.brief,
                    "number": numbers[slice_of(view.table)],
                }
                for view in sorted(views, key=lambda view: view.table)
            ]
            if self.engine.dialect.name == POSTGRESQL:
                connection.execute(_SHOWN_TOGETHER, _columns(rows))
            else:
                connection.execute(_SHOWN, rows)

    def _take(self, connection: Connection, by_game: dict[Key, list[Batch]]) -> list[Taken]:
        now = self._clock()
        games = self._locked(connection, by_game, now)
        new: list[dict[str, Any]] = []
        changes: list[dict[str, Any]] = []
        taken: list[Taken] = []
        for key, batches in by_game.items():
            game = games[key]
            rows, fault = self._new_rows(connection, game, batches)
            new += [_values(game.id, row, now) for row in rows]
            if rows:
                self._advance(connection, game, rows)
                changes.append(
                    {
                        "one": game.id,
                        "to": game.stored,
                        "top": game.highest,
                        "now": now,
                        "slice": slice_of(key[0]),
                    }
                )
            gap = game.highest > game.stored
            taken.append(Taken(*key, game.stored, gap, len(rows), fault))
        if new:
            self._write(connection, new, changes)
        return taken

    def _write(
        self, connection: Connection, new: list[dict[str, Any]], changes: list[dict[str, Any]]
    ) -> None:
        """Write the events, and how far their games are."""
        together = self.engine.dialect.name == POSTGRESQL
        if together:
            received = {"received": new[0]["received"]}
            connection.execute(_INSERTED_TOGETHER, _columns(new) | received)
        else:
            connection.execute(self._insert(EVENTS), new)
        # Last, because every other writer of these slices waits from here on.
        numbers = self._next(connection, SLICES.c.change, {row["slice"] for row in changes})
        for row in changes:
            row["number"] = numbers[row.pop("slice")]
        if together:
            connection.execute(_MOVED_TOGETHER, _columns(changes) | {"now": changes[0]["now"]})
        else:
            connection.execute(_MOVED, changes)

    def _next(
        self, connection: Connection, counter: Column[int], slices: Collection[int]
    ) -> dict[int, int]:
        """Raise a counter of some slices by one; the new values. They stay locked to the commit."""
        wanted = sorted(set(slices))
        # Always locked in the same order, to exclude a deadlock.
        lock = (
            select(SLICES.c.slice, counter)
            .where(SLICES.c.slice.in_(wanted))
            .order_by(SLICES.c.slice)
            .with_for_update()
        )
        rows = connection.execute(lock).all()
        if len(rows) < len(wanted):
            new = [{"slice": number} for number in wanted]
            connection.execute(self._insert(SLICES).on_conflict_do_nothing(), new)
            rows = connection.execute(lock).all()
        connection.execute(
            update(SLICES).where(SLICES.c.slice.in_(wanted)).values({counter: counter + 1})
        )
        return {number: value + 1 for number, value in rows}

    def _locked(self, connection: Connection, keys: Iterable[Key], now: float) -> dict[Key, _Game]:
        """The games' rows, locked until this transaction ends."""
        known = [key for key in keys if key in self._ids]
        games = self._lock(connection, known)
        # Unknown to this process, or pruned since it was known.
        lacking = sorted(key for key in keys if key not in games)
        if not lacking:
            return games
        self._make_known(connection, lacking, now)
        return self._lock(connection, [*known, *lacking])

    def _make_known(self, connection: Connection, keys: Sequence[Key], now: float) -> None:
        """Insert rows for games and their tables, unless another process has done so."""
        tables = [
            {"table_id": table, "slice": slice_of(table), "online": True, "since": now}
            for table in sorted({table for table, _ in keys})
        ]
        games = [
            {
                "table_id": table,
                "game": game,
                "slice": slice_of(table),
                "touched": now,
                "opened": now,
            }
            for table, game in keys
        ]
        for into, rows in ((TABLES, tables), (GAMES, games)):
            connection.execute(self._insert(into).on_conflict_do_nothing(), rows)
        found = connection.execute(
            select(GAMES.c.table_id, GAMES.c.game, GAMES.c.id).where(
                GAMES.c.table_id.in_({table for table, _ in keys}),
                GAMES.c.game.in_({game for _, game in keys}),
            )
        )
        self._ids |= {(row.table_id, row.game): row.id for row in found}

    def _lock(self, connection: Connection, keys: Sequence[Key]) -> dict[Key, _Game]:
        if not keys:
            return {}
        rows = connection.execute(
            select(GAMES.c.table_id, GAMES.c.game, GAMES.c.id, GAMES.c.stored, GAMES.c.highest)
            .where(GAMES.c.id.in_([self._ids[key] for key in keys]))
            .order_by(GAMES.c.id)  # always in the same order, to exclude a deadlock
            .with_for_update()
        )
        return {(table, game): _Game(*rest) for table, game, *rest in rows}

    def _new_rows(
        self, connection: Connection, game: _Game, batches: Sequence[Batch]
    ) -> tuple[list[EventRow], WireError | None]:
        """The records to store, and the fault of a batch that contradicts what is stored."""
        seqs = {row.seq for batch in batches for row in batch.rows}
        there: dict[int, EventRow] = {}
        if game.highest and min(seqs) <= game.highest:
            found = connection.execute(
                select(EVENTS.c.seq, EVENTS.c.batch, EVENTS.c.at, EVENTS.c.event).where(
                    EVENTS.c.game_id == game.id, EVENTS.c.seq.in_(seqs)
                )
            )
            there = {seq: EventRow(seq, *rest) for seq, *rest in found}
        new: dict[int, EventRow] = {}
        fault = None
        for batch in batches:
            wrong = [
                row
                for row in batch.rows
                if there.get(row.seq, row) != row or new.get(row.seq, row) != row
            ]
            if wrong:
                fault = WireError(
                    "conflict", f"Record {wrong[0].seq} of {batch.game} is another than before."
                )
                continue
            new |= {row.seq: row for row in batch.rows if row.seq not in there}
        return [new[seq] for seq in sorted(new)], fault

    def _advance(self, connection: Connection, game: _Game, rows: Sequence[EventRow]) -> None:
        """Advance over the new rows, and over those behind them that had come too early."""
        seqs = {row.seq for row in rows}
        if game.highest > game.stored and game.stored + 1 in seqs:
            early = connection.execute(
                select(EVENTS.c.seq).where(EVENTS.c.game_id == game.id, EVENTS.c.seq > game.stored)
            )
            seqs |= {seq for (seq,) in early}
        while game.stored + 1 in seqs:
            game.stored += 1
        game.highest = max(game.highest, rows[-1].seq)


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns, each an array for PostgreSQL."""
    return {key: [row[key] for row in rows] for key in rows[0]}


def _values(game_id: int, row: EventRow, now: float) -> dict[str, Any]:
    return {
        "game_id": game_id,
        "seq": row.seq,
        "batch": row.batch,
        "at": row.at,
        "received": now,
        "event": row.event,
    }


def _plain(text: str) -> str:
    """The text with escapes, in ASCII, which every database and every terminal takes."""
    return text.encode("unicode_escape").decode("ascii")


# ---- Reading: which games changed, and their records --------------------------------------------


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of the hall. ``since`` is the hub's clock; ``clock``: seconds its own is ahead."""

    table: str
    online: bool
    since: float
    clock: float
    version: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game, ``stored`` without a gap up to that seq. Times are Unix seconds at the hub."""

    id: int
    table: str
    game: str
    stored: int
    highest: int
    touched: float
    opened: float
    fault: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A table as the board shows it; ``touched``: when its game last changed, by the hub's clock.

    None if it has no game.
    """

    row: TableRow
    view: BoardView
    touched: float | None


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """A message that was not taken."""

    at: float
    topic: str
    code: str
    why: str
    head: str


_GAME = select(
    GAMES.c.id,
    GAMES.c.table_id,
    GAMES.c.game,
    GAMES.c.stored,
    GAMES.c.highest,
    GAMES.c.touched,
    GAMES.c.opened,
    GAMES.c.fault,
)
_BEYOND = "WITH seen (slice, number) AS (VALUES {}) SELECT {} FROM seen JOIN {} ON {}"
"""Rows of some slices beyond a number each. Only numbers of our own are put into it."""
_GAMES_BEYOND = (
    "id, table_id, game, stored, highest, touched, opened, fault",
    "games",
    "games.slice = seen.slice AND change > number ORDER BY id",
)
_TABLES_BEYOND = (
    "table_id, online, since, clock, version, game, lag, fault, brief, (SELECT touched FROM games "
    "WHERE games.table_id = tables.table_id AND games.game = tables.game)",
    "tables",
    "tables.slice = seen.slice AND shown > number ORDER BY table_id",
)


GAMES_AT_ONCE = 200
# A hall that plays asks for a hundred games twice a second. Building so large a statement from
# SQLAlchemy's parts, or asking for each game by itself, takes longer than the answer. So the
# statement is text; only numbers of our own are put into it.
_MANY = (
    "WITH wanted (game, beyond, last) AS (VALUES {}) "
    "SELECT game_id, seq, batch, at, event FROM wanted JOIN events "
    "ON game_id = game AND seq > beyond AND seq <= last ORDER BY game_id, seq"
)


class JournalReader:
    """Reads, and changes nothing. Each method raises DatabaseError."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._reading = engine.execution_options(reads=True)

    def tables(self) -> list[TableRow]:
        """All tables of the hall, by name."""
        with database_errors(self.engine), self._reading.connect() as connection:
            rows = connection.execute(
                select(
                    TABLES.c.table_id,
                    TABLES.c.online,
                    TABLES.c.since,
                    TABLES.c.clock,
                    TABLES.c.version,
                ).order_by(TABLES.c.table_id)
            )
            return [TableRow(*row) for row in rows]

    def changed(self, since: float) -> list[GameRow]:
        """The games touched at or after a time of the hub's clock."""
        with database_errors(self.engine), self._reading.connect() as connection:
            rows = connection.execute(_GAME.where(GAMES.c.touched >= since).order_by(GAMES.c.id))
            return [GameRow(*row) for row in rows.all()]  # all at once: row by row is slow

    def names(self) -> list[str]:
        """All tables that were ever there."""
        with database_errors(self.engine), self._reading.connect() as connection:
            return list(connection.execute(select(TABLES.c.table_id)).scalars())

    def online(self) -> int:
        """How many tables are online."""
        with database_errors(self.engine), self._reading.connect() as connection:
            counted = select(func.count()).select_from(TABLES).where(TABLES.c.online)
            return int(connection.execute(counted).scalar_one())

    def changes(self) -> dict[int, int]:
        """By slice: the number of the last change to a game."""
        return self._counted("change")

    def shows(self) -> dict[int, int]:
        """By slice: the number of the last change to what the board shows."""
        return self._counted("shown")

    def games_beyond(self, numbers: Mapping[int, int]) -> list[GameRow]:
        """The games of some slices that changed after a number each."""
        return [GameRow(*row) for row in self._beyond(numbers, *_GAMES_BEYOND)]

    def shown_beyond(self, numbers: Mapping[int, int]) -> list[ShownRow]:
        """The tables of some slices whose view changed after a number each."""
        return [
            ShownRow(
                TableRow(table, bool(online), since, clock, version),
                BoardView(table, game, lag, fault, brief),
                touched,
            )
            for table, online, since, clock, version, game, lag, fault, brief, touched in (
                self._beyond(numbers, *_TABLES_BEYOND)
            )
        ]

    def _counted(self, counter: str) -> dict[int, int]:
        # A text, because a poll that finds nothing new should cost next to nothing.
        with database_errors(self.engine), self._reading.connect() as connection:
            return dict(connection.execute(text(f"SELECT slice, {counter} FROM slices")).all())

    def _beyond(self, numbers: Mapping[int, int], what: str, table: str, on: str) -> Sequence[Any]:
        if not numbers:
            return []
        values = ", ".join(f"({number:d}, {after:d})" for number, after in numbers.items())
        with database_errors(self.engine), self._reading.connect() as connection:
            return connection.execute(text(_BEYOND.format(values, what, table, on))).all()

    def games(self, table: str) -> list[GameRow]:
        """All games of a table, in the order of their arrival."""
        with database_errors(self.engine), self._reading.connect() as connection:
            rows = connection.execute(_GAME.where(GAMES.c.table_id == table).order_by(GAMES.c.id))
            return [GameRow(*row) for row in rows]

    def records(self, game_id: int, after: int, last: int) -> list[Record]:
        """A game's records after one seq, up to another. Raises CodecError, too."""
        return self.many({game_id: (after, last)})[game_id]

    def many(self, places: dict[int, tuple[int, int]]) -> dict[int, list[Record]]:
        """The records of several games, each after one seq and up to another; raises CodecError."""
        found: dict[int, list[Record]] = {game_id: [] for game_id in places}
        with database_errors(self.engine), self._reading.connect() as connection:
            wanted = [f"({game:d}, {after:d}, {last:d})" for game, (after, last) in places.items()]
            for start in range(0, len(wanted), GAMES_AT_ONCE):
                some = ", ".join(wanted[start : start + GAMES_AT_ONCE])
                rows = connection.execute(text(_MANY.format(some))).all()
                for game, seq, batch, at, event in rows:
                    found[game].append(Record(seq, batch, at, event_from_json(event)))
        return found

    def refusals(self, limit: int = 100) -> Sequence[RefusalRow]:
        """The latest refusals, the newest first."""
        with database_errors(self.engine), self._reading.connect() as connection:
            rows = connection.execute(
                select(
                    REFUSALS.c.at,
                    REFUSALS.c.topic,
                    REFUSALS.c.code,
                    REFUSALS.c.why,
                    REFUSALS.c.head,
                )
                .order_by(REFUSALS.c.id.desc())
                .limit(limit)
            )
            return [RefusalRow(*row) for row in rows]
