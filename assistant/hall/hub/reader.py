"""The reading side of the database: which games changed, and their records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, select, text

from assistant.hall.hub.database import GAMES, REFUSALS, TABLES, told
from assistant.messages.codec import event_from_json
from assistant.rules.history import Record


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of the hall. ``since`` is the hub's clock, ``clock`` how far its own is ahead."""

    table: str
    online: bool
    since: float
    clock: float
    version: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game and how far it is stored without a gap. Times are the hub's."""

    id: int
    table: str
    game: str
    stored: int
    highest: int
    touched: float
    opened: float
    fault: str


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


GAMES_AT_ONCE = 200
# As text: a hall that plays asks for a hundred games twice a second, and to build so large a
# statement out of parts, or to ask for each game by itself, takes longer than to answer it. There
# is nothing in it but numbers of our own.
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
        with told(self.engine), self._reading.connect() as connection:
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
        """The games that something came of since a time of the hub's clock, or later."""
        with told(self.engine), self._reading.connect() as connection:
            rows = connection.execute(_GAME.where(GAMES.c.touched >= since).order_by(GAMES.c.id))
            return [GameRow(*row) for row in rows.all()]  # at once: row by row is slow

    def games(self, table: str) -> list[GameRow]:
        """All games of a table, in the order in which they came."""
        with told(self.engine), self._reading.connect() as connection:
            rows = connection.execute(_GAME.where(GAMES.c.table_id == table).order_by(GAMES.c.id))
            return [GameRow(*row) for row in rows]

    def records(self, game_id: int, after: int, last: int) -> list[Record]:
        """A game's records after a seq, up to another. Raises CodecError, too."""
        return self.many({game_id: (after, last)})[game_id]

    def many(self, places: dict[int, tuple[int, int]]) -> dict[int, list[Record]]:
        """The records of several games, each after a seq and up to another; raises CodecError."""
        found: dict[int, list[Record]] = {game_id: [] for game_id in places}
        with told(self.engine), self._reading.connect() as connection:
            wanted = [f"({game:d}, {after:d}, {last:d})" for game, (after, last) in places.items()]
            for start in range(0, len(wanted), GAMES_AT_ONCE):
                some = ", ".join(wanted[start : start + GAMES_AT_ONCE])
                rows = connection.execute(text(_MANY.format(some))).all()
                for game, seq, batch, at, event in rows:
                    found[game].append(Record(seq, batch, at, event_from_json(event)))
        return found

    def refusals(self, limit: int = 100) -> Sequence[RefusalRow]:
        """The latest refusals, the newest first."""
        with told(self.engine), self._reading.connect() as connection:
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
