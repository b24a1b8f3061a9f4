"""One process of the hub: the line to the broker, what stores, and what it counts of itself."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from sqlalchemy import Engine

from assistant.files.broker_address import Address
from assistant.hall.hub.database import DatabaseError, kept_once
from assistant.hall.hub.hall import Hall
from assistant.hall.hub.intake import Intake
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.link import Ears, Link, Wish
from assistant.hall.hub.scoring import Scorer, ScoringThread
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import HELLO, TABLES, Called, Stored, pack_called, pack_stored, topic

# ---- What the hub counts of itself, as Prometheus reads it --------------------------------------


SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one hub process; those of several add up."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        new = self.registry
        self._messages = Counter("mus_hub_messages", "Messages that came", registry=new)
        self._events = Counter("mus_hub_events_stored", "New events stored", registry=new)
        self._repeats = Counter("mus_hub_repeats", "Games sent again in vain", registry=new)
        self._gaps = Counter("mus_hub_gaps", "Times that something was missing", registry=new)
        self._refused = Counter(
            "mus_hub_refused", "Messages not taken, by their fault", ["code"], registry=new
        )
        self._storing = Histogram(
            "mus_hub_store_seconds", "Time of one transaction", buckets=SECONDS, registry=new
        )
        self._waiting = Histogram(
            "mus_hub_wait_seconds",
            "Time that a message waited to be stored",
            buckets=SECONDS,
            registry=new,
        )
        self._database = Gauge("mus_hub_database_up", "Whether it answers", registry=new)
        self._broker = Gauge("mus_hub_broker_up", "Whether the line stands", registry=new)

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Show a value that is asked for when somebody looks."""
        Gauge(f"mus_hub_{name}", meaning, registry=self.registry).set_function(value)

    def received(self, messages: int) -> None:
        """So many messages came."""
        self._messages.inc(messages)

    def stored(self, events: int, seconds: float, waited: float) -> None:
        """So many new events were stored in so much time; the oldest message had waited so long."""
        self._events.inc(events)
        self._storing.observe(seconds)
        self._waiting.observe(waited)

    def repeated(self, messages: int) -> None:
        """So many messages held nothing new."""
        self._repeats.inc(messages)

    def gap(self) -> None:
        """Something was missing, and was asked for again."""
        self._gaps.inc()

    def refused(self, code: str) -> None:
        """A message was not taken."""
        self._refused.labels(code).inc()

    def database(self, there: bool) -> None:
        """Whether the database answers."""
        self._database.set(there)

    def broker(self, there: bool) -> None:
        """Whether the line to the broker stands."""
        self._broker.set(there)

    def text(self) -> bytes:
        """All of it, in Prometheus's text form."""
        return generate_latest(self.registry)


# ---- One process of the hub: the line to the broker, what stores, and the board that follows ----


log = logging.getLogger("mus.hub")

GROUP = "group"
"""By what the name is kept that the hub's processes share their subscription by.

Nobody else knows it: a table that joined the group would be handed other tables' messages.
"""
STATUSES = f"{TABLES}/+/status"
ROOM = 2000
"""Messages that the broker may hand over before the first of them is stored."""


@dataclass(frozen=True, slots=True)
class HubHealth:
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
        self.reader = JournalReader(engine)
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

    def health(self) -> HubHealth:
        """How it is."""
        threads = (
            ("intake", self.intake.alive),
            ("hall", self.hall.alive),
            ("scoring", self._scoring.alive),
        )
        dead = tuple([name for name, alive in threads if not alive])
        return HubHealth(self.link.up, self.hall.fresh, self.intake.waiting, dead)

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
