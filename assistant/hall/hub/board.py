"""The hall's live board: every table's game, folded from its stored journal."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Condition, Event
from typing import TypedDict

from assistant.hall.hub.database import DatabaseError
from assistant.hall.hub.store import GameRow, JournalReader, TableRow
from assistant.hall.hub.worker import Worker
from assistant.rules.changes import apply
from assistant.rules.errors import HistoryError
from assistant.rules.events import Retracted
from assistant.rules.history import Record, fold
from assistant.rules.state import State
from assistant.table.snapshot.views import Brief, brief

log = logging.getLogger("mus.hub.hall")

POLL = 0.2
"""Seconds between two looks for what other processes of the hub have stored."""
GATHER = 0.03
COUNT = 1.0
"""Seconds between two looks at which tables are online."""
OVERLAP = 10.0
"""Seconds that each query reaches back before the last one. A transaction that began earlier may
become visible later, and another machine's clock may be a little behind."""
RETRY = 2.0
MOST_AT_ONCE = 200
"""Most games that are read in one query."""


class HallTable(TypedDict):
    """A table on the board.

    ``version``: the board's version at the table's last change. ``since``: when it came online or
    was lost, in Unix seconds of the hub's clock. ``clock``: seconds that its own clock is ahead.
    ``lag``: events known to be missing. ``fault``: why its journal does not fold.
    """

    version: int
    table: str
    online: bool
    since: float
    clock: float
    game: str
    lag: int
    fault: str
    brief: Brief | None


@dataclass(slots=True)
class _Live:
    """The newest game of a table: its state after ``seq``."""

    row: GameRow
    seq: int = 0
    state: State | None = None
    fault: str = ""


class Hall:
    """Follows the database. Any number of threads may read it, or wait for the next change."""

    def __init__(
        self,
        reader: JournalReader,
        clock: Callable[[], float] = time.time,
        on_fault: Callable[[int, str], None] = lambda _game, _why: None,
    ) -> None:
        self.version = 0
        self.fresh = False
        """Whether the last look succeeded; False before the first one."""
        self._reader = reader
        self._clock = clock
        self._on_fault = on_fault
        self._changed = Condition()
        self._poke = Event()
        self._live: dict[str, _Live] = {}  # by table: its newest game
        self._tables: dict[str, TableRow] = {}
        self._versions: dict[str, int] = {}
        self._since = float("-inf")
        self._counted_at = float("-inf")
        self._thread = Worker("hall", self._step)
        self._ends = self._thread.ends

    def start(self) -> None:
        """Start to follow."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wake every waiting thread."""
        self._ends.set()
        self._poke.set()
        self._thread.join()
        with self._changed:
            self._changed.notify_all()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.alive

    def poke(self) -> None:
        """Look at once, because something was stored."""
        self._poke.set()

    def wait(self, after: int, timeout: float) -> int:
        """Wait until the version is above ``after``, at most ``timeout`` seconds; returns it."""
        with self._changed:
            self._changed.wait_for(lambda: self._ends.is_set() or self.version > after, timeout)
            return self.version

    def views(self, after: int = -1) -> list[HallTable]:
        """The tables that changed after a version, by name; by default all."""
        with self._changed:
            names = [name for name, version in self._versions.items() if version > after]
            return [self._view(name) for name in sorted(names)]

    def names(self) -> list[str]:
        """All tables that were ever online, as of the last look."""
        with self._changed:
            return list(self._tables)

    def view(self, table: str) -> HallTable | None:
        """One table; None if there is none of that name."""
        with self._changed:
            return self._view(table) if table in self._tables else None

    def look(self) -> bool:
        """Bring the board up to date; returns whether it changed. Raises DatabaseError."""
        asked = self._clock()
        rows = self._reader.changed(self._since)
        tables = self._all_tables({row.table for row in rows})
        newest: dict[str, GameRow] = {}
        for row in rows:
            live = self._live.get(row.table)
            if live is None or row.id >= live.row.id:
                newest[row.table] = row
        behind = [
            row for row in newest.values() if (live := self._live.get(row.table)) is None
            or (live.row.id, live.seq, live.row.highest) != (row.id, row.stored, row.highest)
        ]  # fmt: skip
        for start in range(0, len(behind), MOST_AT_ONCE):
            self._follow(behind[start : start + MOST_AT_ONCE])
        self._since = asked - OVERLAP
        changed = {row.table for row in behind}
        changed |= {name for name, row in tables.items() if self._tables.get(name) != row}
        with self._changed:
            self._tables = tables
            self.fresh = True
            if changed:
                self.version += 1
                self._versions |= dict.fromkeys(changed & tables.keys(), self.version)
                self._changed.notify_all()
        return bool(changed)

    def _all_tables(self, playing: set[str]) -> dict[str, TableRow]:
        """The tables, read again every ``COUNT`` seconds, or when an unknown table plays."""
        if time.monotonic() - self._counted_at < COUNT and playing <= self._tables.keys():
            return self._tables
        self._counted_at = time.monotonic()
        return {row.table: row for row in self._reader.tables()}

    def _step(self) -> None:
        self._poke.wait(POLL)
        self._ends.wait(GATHER)  # what is stored meanwhile is read in the same look
        self._poke.clear()
        try:
            self.look()
        except DatabaseError as error:
            self.fresh = False
            log.error("The board stands still: %s", error)
            self._ends.wait(RETRY)
        except Exception:
            self.fresh = False
            raise

    def _follow(self, rows: Sequence[GameRow]) -> None:
        lives: dict[int, _Live] = {}
        places: dict[int, tuple[int, int]] = {}
        for row in rows:
            live = self._live.get(row.table)
            same = live is not None and live.row.id == row.id
            lives[row.id] = replace(live, row=row) if same and live else _Live(row)
            places[row.id] = (lives[row.id].seq, row.stored)
        try:
            found = self._reader.many(places)
        except HistoryError:
            found = {}
        for game_id, live in lives.items():
            self._advance(live, found.get(game_id))
        with self._changed:
            self._live |= {live.row.table: live for live in lives.values()}

    def _advance(self, live: _Live, records: Sequence[Record] | None) -> None:
        """Fold new records; if they do not fold, keep the state and set the fault."""
        row = live.row
        try:
            if records is None:
                records = self._reader.records(row.id, live.seq, row.stored)
            if live.fault or any(isinstance(record.event, Retracted) for record in records):
                live.state = fold(self._reader.records(row.id, 0, row.stored))
            else:
                live.state = _folded_on(live.state, records)
            live.fault = ""
        except HistoryError as error:
            live.fault = str(error)
        except DatabaseError:
            raise
        except Exception as error:  # whatever it is, it concerns this journal and no other table
            log.exception("%s, %s was never foreseen.", row.table, row.game)
            live.fault = repr(error)
        live.seq = row.stored
        if row.fault != live.fault:
            if live.fault:
                log.error("%s, %s does not add up: %s", row.table, row.game, live.fault)
            self._on_fault(row.id, live.fault)

    def _view(self, table: str) -> HallTable:
        row, live = self._tables[table], self._live.get(table)
        return {
            "version": self._versions.get(table, 0),
            "table": table,
            "online": row.online,
            "since": row.since,
            "clock": row.clock,
            "game": live.row.game if live else "",
            "lag": live.row.highest - live.row.stored if live else 0,
            "fault": live.fault if live else "",
            "brief": brief(live.state, live.seq) if live and live.state else None,
        }


def _folded_on(state: State | None, records: Sequence[Record]) -> State | None:
    for record in records:
        state = apply(state, record.event)
    return state
