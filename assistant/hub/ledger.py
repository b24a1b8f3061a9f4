"""Tournaments in the database: acts in their order, and nothing is ever changed."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import RLock

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from assistant.forms import CodecError
from assistant.hub.database import told
from assistant.hub.schema import ACTS, TOURNAMENTS
from assistant.tournament import (
    Act,
    Opened,
    ResultEntered,
    TableAssigned,
    Tournament,
    TournamentError,
    act_from_json,
    act_to_json,
    apply,
    fold,
)

log = logging.getLogger("mus.hub.ledger")

TRIES = 20
"""Times that somebody else may be quicker before it is given up."""
PAUSE = 0.01
"""Seconds, times the tries so far: who comes late more often waits for another gap."""


class NoTournamentError(TournamentError):
    """There is none of that number."""

    status = 404
    """What it is to whoever asked over HTTP."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An act in its place. ``at`` is the hub's clock, in Unix seconds."""

    seq: int
    at: float
    act: Act


@dataclass(frozen=True, slots=True)
class Standing:
    """A tournament as its acts have made it.

    ``called``: when each match was called to a table; ``entered``: when its result came;
    ``named``: every table that a match was ever called to, also where it has another one now.
    """

    id: int
    seq: int
    tournament: Tournament
    called: dict[str, float]
    entered: dict[str, float]
    named: frozenset[str]


@dataclass(frozen=True, slots=True)
class Listed:
    """A tournament in the list."""

    id: int
    name: str
    opened: float


class Ledger:
    """The tournaments of a hall; several processes may write at once."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        self.engine = engine
        self._reading = engine.execution_options(reads=True)
        self.clock = clock
        self._lock = RLock()
        self._known: dict[int, Standing] = {}
        self._complained: set[int] = set()

    def listed(self) -> list[Listed]:
        """All tournaments, the newest first. Raises DatabaseError."""
        with told(self.engine), self._reading.connect() as connection:
            rows = connection.execute(select(TOURNAMENTS).order_by(TOURNAMENTS.c.id.desc()))
            return [Listed(*row) for row in rows]

    def open(self, opened: Opened) -> int:
        """Begin a tournament; returns its number. Raises TournamentError for a name that is taken.

        Raises DatabaseError, too.
        """
        now = self.clock()
        try:
            with told(self.engine), self.engine.begin() as connection:
                new = insert(TOURNAMENTS).values(name=opened.name, opened=now)
                number = connection.execute(new.returning(TOURNAMENTS.c.id)).scalar_one()
                row = {"tournament_id": number, "seq": 1, "at": now, "act": act_to_json(opened)}
                connection.execute(insert(ACTS).values(row))
        except Exception as error:
            if isinstance(error.__cause__, IntegrityError):
                raise TournamentError("tournament_taken", name=repr(opened.name)) from None
            raise
        return int(number)

    def entries(self, tournament: int, after: int = 0) -> list[Entry]:
        """What was done in a tournament after a seq. Raises DatabaseError, CodecError."""
        with told(self.engine), self._reading.connect() as connection:
            rows = connection.execute(
                select(ACTS.c.seq, ACTS.c.at, ACTS.c.act)
                .where(ACTS.c.tournament_id == tournament, ACTS.c.seq > after)
                .order_by(ACTS.c.seq)
            ).all()
        return [Entry(seq, at, act_from_json(text)) for seq, at, text in rows]

    def standing(self, tournament: int) -> Standing:
        """A tournament as it is now. Raises TournamentError where there is none of that number.

        Raises DatabaseError, CodecError, too.
        """
        with self._lock:
            known = self._known.get(tournament)
            new = self.entries(tournament, known.seq if known else 0)
            if known is None:
                if not new:
                    raise NoTournamentError("no_tournament", tournament=tournament)
                state = fold([entry.act for entry in new])
                times = _times(new, TableAssigned), _times(new, ResultEntered)
                known = Standing(tournament, new[-1].seq, state, *times, _named(new))
            elif new:
                state = known.tournament
                for entry in new:
                    state = apply(state, entry.act)
                called = {**known.called, **_times(new, TableAssigned)}
                entered = {**known.entered, **_times(new, ResultEntered)}
                named = known.named | _named(new)
                known = Standing(tournament, new[-1].seq, state, called, entered, named)
            self._known[tournament] = known
            return known

    def readable(self) -> list[Standing]:
        """All tournaments as they are now, but those that cannot be read.

        They are of a newer version, or their acts are refused by the rules of today; they stop
        nobody else's evening. Raises DatabaseError.
        """
        found: list[Standing] = []
        for listed in self.listed():
            try:
                found.append(self.standing(listed.id))
            except (TournamentError, CodecError) as error:
                if listed.id not in self._complained:
                    log.error("%s cannot be read: %s", listed.name, error)
                    self._complained.add(listed.id)
        return found

    def do(self, tournament: int, make: Callable[[Tournament], Sequence[Act]]) -> Standing:
        """Let ``make`` say what is to be done, and do it, all or nothing.

        Where somebody else was quicker it is asked again. Raises TournamentError where it may not
        be done, DatabaseError.
        """
        for tries in range(TRIES):
            time.sleep(random.uniform(0, PAUSE) * tries)
            before = self.standing(tournament)
            acts = make(before.tournament)
            if not acts or self._append(before, acts):
                return self.standing(tournament)
        raise TournamentError("busy")

    def _append(self, before: Standing, acts: Sequence[Act]) -> bool:
        """Whether the acts were written; not where somebody else wrote since."""
        state = before.tournament
        for act in acts:
            state = apply(state, act)
        now = self.clock()
        rows = [
            {"tournament_id": before.id, "seq": seq, "at": now, "act": act_to_json(act)}
            for seq, act in enumerate(acts, before.seq + 1)
        ]
        try:
            with told(self.engine), self.engine.begin() as connection:
                connection.execute(insert(ACTS), rows)
        except Exception as error:
            if isinstance(error.__cause__, IntegrityError):
                return False
            raise
        return True


def _named(entries: Sequence[Entry]) -> frozenset[str]:
    return frozenset([e.act.table for e in entries if isinstance(e.act, TableAssigned)])


def _times(
    entries: Sequence[Entry], kind: type[TableAssigned] | type[ResultEntered]
) -> dict[str, float]:
    """By match: when the last act of a kind was done."""
    return {e.act.match: e.at for e in entries if isinstance(e.act, kind)}
