"""The hall's live board: the present view of every table, folded from its stored journal.

One process folds a slice of the tables (``SliceBoard``) and stores the view of each. Every page
reads these views (``Hall``), so that several pages cost no second folding.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Condition, Event, Lock
from typing import TypedDict

from assistant.hall.hub.database import DatabaseError
from assistant.hall.hub.store import BoardView, GameRow, JournalReader, ShownRow, Store
from assistant.hall.hub.wire import slice_of
from assistant.hall.hub.worker import Worker
from assistant.rules.changes import apply
from assistant.rules.errors import HistoryError
from assistant.rules.events import Retracted
from assistant.rules.history import Record, fold
from assistant.rules.state import State
from assistant.table.snapshot.views import Brief, brief

log = logging.getLogger("mus.hub.hall")

BOARD_POLL, PAGE_POLL = 0.25, 0.12
"""Seconds between two polls for changes that other processes of the hub have stored.

Changes of the own process are read at once. A slice's intake and board are mostly leased to the
same process, so the page polls more often than the board.
"""
NOBODY_S, ASLEEP_POLL = 20.0, 2.0
"""NOBODY_S: seconds without a request after which a page stops following the database. It then only
checks every ASLEEP_POLL seconds whether the database answers."""
RETRY = 2.0
MOST_AT_ONCE = 200
"""Most games that are read in one query."""


class HallTable(TypedDict):
    """A table on the board.

    ``version``: the board's version at the table's last change. ``since``: when it came online or
    was lost, in Unix seconds of the hub's clock. ``clock``: seconds that its own clock is ahead.
    ``lag``: events known to be missing. ``fault``: why its journal does not fold. ``moved``: when
    its game last changed, also before this process began.
    """

    version: int
    table: str
    online: bool
    since: float
    clock: float
    game: str
    lag: int
    fault: str
    moved: float
    brief: Brief | None


@dataclass(slots=True)
class _Live:
    """The newest game of a table: its state after ``seq``."""

    row: GameRow
    seq: int = 0
    state: State | None = None
    fault: str = ""


class Follower:
    """A thread that polls some slices of the database for changes."""

    def __init__(self, name: str, reader: JournalReader, poll: float) -> None:
        """``poll``: seconds between two polls without news."""
        self.fresh = False
        """Whether the last poll succeeded; False before the first one."""
        self._reader = reader
        self._seen: dict[int, int] = {}  # by slice: the number of the last change that was read
        self._name = name
        self._poll = poll
        self._poke = Event()
        self._thread = Worker(name, self._step)
        self._ends = self._thread.ends

    def start(self) -> None:
        """Start to follow."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for the end of the present poll."""
        self._ends.set()
        self._poke.set()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.alive

    def poke(self) -> None:
        """Poll at once, because something was stored."""
        self._poke.set()

    def look(self) -> bool:
        """Read what changed; returns whether anything did. Raises DatabaseError."""
        raise NotImplementedError

    def _moved(self, counted: Mapping[int, int], slices: Collection[int]) -> dict[int, int]:
        """The slices with changes that were not read yet, each with the last number that was."""
        return {
            number: self._seen.get(number, -1)
            for number in slices
            if counted.get(number, -1) > self._seen.get(number, -1)
        }

    def _step(self) -> None:
        self._poke.wait(self._poll)
        self._poke.clear()
        self._try(self.look)

    def _try(self, look: Callable[[], object]) -> None:
        """Poll, and note whether that succeeded."""
        try:
            look()
            self.fresh = True
        except DatabaseError as error:
            self.fresh = False
            log.error("The %s stands still: %s", self._name, error)
            self._ends.wait(RETRY)
        except Exception:
            self.fresh = False
            raise


class SliceBoard(Follower):
    """Folds the journals of some slices' tables, and stores the view of each table."""

    def __init__(
        self,
        reader: JournalReader,
        store: Store,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare it; ``changed`` is called when something new was stored."""
        super().__init__("board", reader, BOARD_POLL)
        self._store = store
        self._changed = changed
        self._wanted: frozenset[int] = frozenset()
        self._live: dict[str, _Live] = {}  # by table: its newest game

    def follow(self, slices: Collection[int]) -> None:
        """Set the slices to fold. New ones are folded from their beginning."""
        self._wanted = frozenset(slices)
        self._poke.set()

    def look(self) -> bool:
        """Bring the slices up to date; returns whether a table changed. Raises DatabaseError."""
        wanted = self._wanted
        if gone := self._seen.keys() - wanted:
            for number in gone:
                del self._seen[number]
            for table in [table for table in self._live if slice_of(table) in gone]:
                del self._live[table]
        counted = self._reader.changes() if wanted else {}
        moved = self._moved(counted, wanted)
        newest: dict[str, GameRow] = {}
        for row in self._reader.games_beyond(moved):
            live = self._live.get(row.table)
            if live is None or row.id >= live.row.id:
                newest[row.table] = row
        behind = [
            row for row in newest.values() if (live := self._live.get(row.table)) is None
            or (live.row.id, live.seq, live.row.highest) != (row.id, row.stored, row.highest)
        ]  # fmt: skip
        for start in range(0, len(behind), MOST_AT_ONCE):
            self._follow(behind[start : start + MOST_AT_ONCE])
        self._seen |= {number: counted[number] for number in moved}
        self.fresh = True
        if behind:
            self._changed()
        return bool(behind)

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
        self._store.show([_view(live) for live in lives.values()])
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
        except Exception as error:  # any error here is about this journal and no other table
            log.exception("%s, %s was never foreseen.", row.table, row.game)
            live.fault = repr(error)
        live.seq = row.stored
        if row.fault != live.fault:
            if live.fault:
                log.error("%s, %s does not add up: %s", row.table, row.game, live.fault)
            self._store.fault(row.id, live.fault)


def _view(live: _Live) -> BoardView:
    picture = json.dumps(brief(live.state, live.seq)) if live.state else ""
    lag = live.row.highest - live.row.stored
    return BoardView(live.row.table, live.row.game, lag, live.fault, picture)


def _folded_on(state: State | None, records: Sequence[Record]) -> State | None:
    for record in records:
        state = apply(state, record.event)
    return state


class Hall(Follower):
    """All tables as the boards have stored them. Any number of threads may read it, or wait.

    It follows the database while somebody asks, and for ``NOBODY_S`` after that. Several processes
    may have a page, for safety, and a page that nobody looks at costs next to nothing. The first
    request after that reads what has changed meanwhile.
    """

    def __init__(self, reader: JournalReader, clock: Callable[[], float] = time.time) -> None:
        super().__init__("page", reader, PAGE_POLL)
        self._clock = clock
        self.version = 0
        self._changed = Condition()
        self._tables: dict[str, HallTable] = {}
        self._looking = Lock()
        self._asked_at = float("-inf")
        self._sleeps = False

    def stop(self) -> None:
        """Stop, and wake every waiting thread."""
        super().stop()
        with self._changed:
            self._changed.notify_all()

    def wait(self, after: int, timeout: float) -> int:
        """Wait until the version is above ``after``, at most ``timeout`` seconds; returns it."""
        self._asked()
        with self._changed:
            self._changed.wait_for(lambda: self._ends.is_set() or self.version > after, timeout)
            return self.version

    def views(self, after: int = -1) -> list[HallTable]:
        """The tables that changed after a version, by name; by default all."""
        self._asked()
        with self._changed:
            views = [view for view in self._tables.values() if view["version"] > after]
        return sorted(views, key=lambda view: view["table"])

    def view(self, table: str) -> HallTable | None:
        """One table; None if there is none of that name."""
        self._asked()
        with self._changed:
            return self._tables.get(table)

    def look(self) -> bool:
        """Read what changed; returns whether anything did. Raises DatabaseError."""
        with self._looking:
            counted = self._reader.shows()
            moved = self._moved(counted, counted)
            rows = self._reader.shown_beyond(moved)
            with self._changed:
                self._seen |= {number: counted[number] for number in moved}
                self.fresh = True
                if rows:
                    self.version += 1
                    self._tables |= {one.row.table: self._shown(one) for one in rows}
                    self._changed.notify_all()
            return bool(rows)

    def _asked(self) -> None:
        """Note that somebody asks; the first request after a pause brings the board up to date."""
        self._asked_at = time.monotonic()
        if self._sleeps:
            self._sleeps = False
            self._try(self.look)

    def _step(self) -> None:
        self._sleeps = self.fresh and time.monotonic() - self._asked_at > NOBODY_S
        if self._sleeps:
            self._ends.wait(ASLEEP_POLL)
            self._try(self._reader.shows)  # whether the database answers
        else:
            super()._step()

    def _shown(self, one: ShownRow) -> HallTable:
        row, view = one.row, one.view
        known = self._tables.get(row.table)
        picture = json.loads(view.brief) if view.brief else None
        now = self._clock()
        # What this process sees first may have stood still for long: the database knows since when.
        moved = min(now, one.touched) if known is None and one.touched is not None else now
        same = known and (known["game"], known["brief"]) == (view.game, picture)
        return {
            "version": self.version,
            "table": row.table,
            "online": row.online,
            "since": row.since,
            "clock": row.clock,
            "game": view.game,
            "lag": view.lag,
            "fault": view.fault,
            "moved": known["moved"] if known and same else moved,
            "brief": picture,
        }
