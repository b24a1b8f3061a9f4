"""Leases in the database: they say which process of the hub does what, and move within seconds.

A lease is a row with its owner and the time at which it expires. Its owner renews it every
second; a process that finds it expired takes it. All times are the database's clock, so that the
clocks of the machines do not matter. Two owners at once do no harm, because the database checks
every write of the hub: a record is stored once, and a counter's row is locked. So an owner whose
database does not answer goes on, and learns later what it has lost.

SQLite serves one process, which holds everything without a lease: a memory card would not bear a
write every second.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, Engine, Float, cast, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from assistant.hall.hub.database import (
    LEASES,
    POSTGRESQL,
    PROCESSES,
    DatabaseError,
    database_errors,
)
from assistant.hall.hub.worker import Worker

log = logging.getLogger("mus.hub.leases")

TICK = 1.0
"""Seconds between two renewals."""
LASTS = 3.0
"""Seconds that a lease lasts after a renewal. A killed process's work moves in LASTS + TICK."""
FORGOTTEN = 60.0
"""Seconds after which a process that is gone is forgotten, when the next one starts."""
NOW = cast(func.extract("epoch", func.clock_timestamp()), Float)
"""The time by the database's clock, in seconds, which is the same for all processes."""


class Leases:
    """This process's part of one kind of work, as a set of names."""

    def __init__(
        self, engine: Engine, owner: str, work: str, names: Sequence[str], share: bool = True
    ) -> None:
        """Prepare it.

        Args:
            engine: The hub's database.
            owner: This process, a name that no other has.
            work: The kind of work, at most 16 letters; it begins the leases' names.
            names: The parts of the work, each of which can be leased.
            share: Whether the names are shared out evenly; else the first process holds all.
        """
        self.held: frozenset[str] = frozenset()
        self._known = False
        """Whether the names are in the database; looked for once."""
        self._engine = engine
        self._owner = owner
        self._work = work
        self._names = {f"{work}-{name}": name for name in names}
        self._ours = LEASES.c.name.startswith(f"{work}-")  # cheaper to ask for than 64 names
        self._share = share
        self._alone = engine.dialect.name != POSTGRESQL

    def renew(self) -> frozenset[str]:
        """Renew the leases, give back what is too much, take what is free; returns what it holds.

        Raises DatabaseError, and then it holds the same as before.
        """
        if self._alone:
            self.held = frozenset(self._names.values())
            return self.held
        with database_errors(self._engine), self._engine.begin() as connection:
            # A renewal that a power cut loses is made again a second later.
            connection.execute(text("SET LOCAL synchronous_commit = off"))
            if not self._known:
                self._make_known(connection)
            now, most = self._fair(connection)
            mine = self._renewed(connection, now)
            if len(mine) > most:
                mine -= self._given_back(connection, sorted(mine)[most:])
            elif len(mine) < most:
                mine |= self._taken(connection, now, most - len(mine))
        self._known = True
        self.held = frozenset(self._names[name] for name in mine)
        return self.held

    def end(self) -> None:
        """Give everything back, so that others take it within a tick. Raises DatabaseError."""
        self.held = frozenset()
        if self._alone:
            return
        with database_errors(self._engine), self._engine.begin() as connection:
            self._given_back(connection, list(self._names))
            connection.execute(
                delete(PROCESSES).where(
                    PROCESSES.c.name == self._owner, PROCESSES.c.work == self._work
                )
            )

    def _make_known(self, connection: Connection) -> None:
        count = select(func.count()).where(LEASES.c.name.in_(self._names))
        if int(connection.execute(count).scalar_one()) < len(self._names):
            rows = [{"name": name} for name in sorted(self._names)]
            connection.execute(insert(LEASES).on_conflict_do_nothing(), rows)
        connection.execute(delete(PROCESSES).where(PROCESSES.c.seen < NOW - FORGOTTEN))

    def _fair(self, connection: Connection) -> tuple[float, int]:
        """The time, and its fair number of leases; also notes that this process is alive."""
        if not self._share:
            return float(connection.execute(select(NOW)).scalar_one()), len(self._names)
        new = insert(PROCESSES).values(name=self._owner, work=self._work, seen=NOW)
        connection.execute(
            new.on_conflict_do_update(
                index_elements=["name", "work"], set_={"seen": new.excluded.seen}
            )
        )
        now, there = connection.execute(
            select(NOW, func.count()).where(
                PROCESSES.c.work == self._work, PROCESSES.c.seen > NOW - LASTS
            )
        ).one()
        return float(now), -(-len(self._names) // max(1, int(there)))

    def _renewed(self, connection: Connection, now: float) -> set[str]:
        """The leases that are still its own, also those that expired and that nobody took."""
        mine = self._ours & (LEASES.c.owner == self._owner)
        renewal = update(LEASES).where(mine).values(until=now + LASTS).returning(LEASES.c.name)
        return {name for (name,) in connection.execute(renewal)}

    def _given_back(self, connection: Connection, names: Sequence[str]) -> set[str]:
        mine = LEASES.c.name.in_(names) & (LEASES.c.owner == self._owner)
        connection.execute(update(LEASES).where(mine).values(owner="", until=0.0))
        return set(names)

    def _taken(self, connection: Connection, now: float, most: int) -> set[str]:
        free = (
            select(LEASES.c.name)
            .where(self._ours, LEASES.c.until < now)
            .order_by(LEASES.c.name)
            .limit(most)
            .with_for_update(skip_locked=True)
        )
        names = {name for (name,) in connection.execute(free)}
        if names:
            connection.execute(
                update(LEASES)
                .where(LEASES.c.name.in_(names))
                .values(owner=self._owner, until=now + LASTS)
            )
        return names


class LeaseThread:
    """Renews leases every second, and reports what each holds if that changed."""

    def __init__(self, leases: dict[Leases, Callable[[frozenset[str]], None]]) -> None:
        self._leases = leases
        self._thread = Worker("leases", self._step)

    def start(self) -> None:
        """Start to take."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and give everything back."""
        self._thread.ends.set()
        self._thread.join()
        for leases in self._leases:
            try:
                leases.end()
            except DatabaseError as error:
                log.debug("What was held expires by itself: %s", error)

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.alive

    def _step(self) -> None:
        for leases, tell in self._leases.items():
            before = leases.held
            try:
                held = leases.renew()
            except DatabaseError as error:
                log.error("%s Nothing is taken or given back now.", error)
                continue
            if held != before:
                tell(held)
        self._thread.ends.wait(TICK)
