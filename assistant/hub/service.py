"""One process of the hub: the line to the broker, what stores, and the board that follows."""

from __future__ import annotations

import logging
import os
import secrets
from dataclasses import asdict, dataclass

from sqlalchemy import Engine

from assistant.hub.address import Address
from assistant.hub.calling import Called, pack_called
from assistant.hub.database import DatabaseError
from assistant.hub.hall import Hall
from assistant.hub.intake import Intake
from assistant.hub.kept import kept_once
from assistant.hub.ledger import Ledger
from assistant.hub.link import Ears, Link, Wish
from assistant.hub.metrics import Metrics
from assistant.hub.reader import Reader
from assistant.hub.scoring import Scorer
from assistant.hub.scoring_thread import ScoringThread
from assistant.hub.store import Store
from assistant.hub.wire import (
    HELLO,
    TABLES,
    Stored,
    pack_stored,
    topic,
)

log = logging.getLogger("mus.hub")

GROUP = "group"
"""By what the name is kept that the hub's processes share their subscription by.

Nobody else knows it: a table that joined the group would be handed other tables' messages.
"""
STATUSES = f"{TABLES}/+/status"
ROOM = 2000
"""Messages that the broker may hand over before the first of them is stored."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a process does its work; ``board``: it shows what the database has.

    ``dead``: its threads that do not run, or no more, of what stores, shows and takes results.
    """

    broker: bool
    board: bool
    waiting: int
    dead: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether all of it works."""
        return self.broker and self.board and not self.dead


class Hub:
    """A process of the hub. Several share the work on one database, and each shows all of it."""

    def __init__(self, address: Address, engine: Engine) -> None:
        """Prepare it on a database of the present schema. Raises AddressError, DatabaseError."""
        self.metrics = Metrics()
        self.reader = Reader(engine)
        self._store = Store(engine)
        self.hall = Hall(self.reader, on_fault=self._fault)
        self.intake = Intake(self._store, self._reply, self.metrics, self.hall.poke)
        name = f"hub-{os.getpid()}-{secrets.token_hex(8)}"
        group = kept_once(engine, GROUP, lambda: f"hub-{secrets.token_hex(16)}")
        self.link = Link(
            address,
            name,
            Ears(self._up, self._down, self.intake.post),
            (Wish(f"$share/{group}/{TABLES}/+/events"), Wish(STATUSES, retained=True)),
            manual=True,
            room=ROOM,
        )
        self.ledger = Ledger(engine)
        self._scorer = Scorer(self.ledger, self.reader)
        self._scoring = ScoringThread(self._scorer, self._call, self.hall.names)
        self.metrics.watch("waiting", "Messages that wait", lambda: self.intake.waiting)
        self.metrics.watch("tables_online", "Tables that are there", self._online)

    def start(self) -> None:
        """Begin; a broker or database that is away is waited for."""
        self.hall.start()
        self.intake.start()
        self.link.start()
        self._scoring.start()

    def stop(self) -> None:
        """End it in order; what is not stored, the broker and the tables still have."""
        self._scoring.stop()
        self.link.stop()
        self.intake.stop()
        self.hall.stop()

    def health(self) -> Health:
        """How it is."""
        threads = (
            ("intake", self.intake.alive),
            ("hall", self.hall.alive),
            ("scoring", self._scoring.alive),
        )
        dead = tuple([name for name, alive in threads if not alive])
        return Health(self.link.up, self.hall.fresh, self.intake.waiting, dead)

    def tables(self) -> list[str]:
        """The tables that are there, in the order in which people count them."""
        names = [view["table"] for view in self.hall.views() if view["online"]]
        return sorted(names, key=lambda name: (len(name), name))

    def doubts(self, tournament: int) -> frozenset[str]:
        """Matches of a tournament whose tables tell another end than their results."""
        return self._scorer.doubts.get(tournament, frozenset())

    def left(self, tournament: int) -> dict[str, str]:
        """Matches of a tournament whose tables played otherwise than they should have, and why."""
        return self._scorer.left.get(tournament, {})

    def state(self) -> dict[str, object]:
        """The same for whoever asks over HTTP."""
        health = self.health()
        return {"ready": health.ready, **asdict(health)}

    def _up(self) -> None:
        self.metrics.broker(True)
        self._scoring.forget()
        self.link.publish(HELLO, b"{}")

    def _down(self) -> None:
        self.metrics.broker(False)

    def _reply(self, table: str, stored: Stored) -> None:
        self.link.publish(topic(table, "stored"), pack_stored(stored))

    def _call(self, table: str, called: Called | None) -> bool:
        payload = pack_called(called) if called else b""  # nothing: the broker forgets it
        return self.link.publish(topic(table, "seats"), payload, retain=True)

    def _fault(self, game_id: int, why: str) -> None:
        try:
            self._store.fault(game_id, why)
        except DatabaseError as error:
            log.error("%s", error)

    def _online(self) -> float:
        return float(sum(view["online"] for view in self.hall.views()))
