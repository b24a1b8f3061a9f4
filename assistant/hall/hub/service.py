"""One process of the hub: its metrics, the intake of the tables' messages, and all its threads."""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from threading import Condition
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from sqlalchemy import Engine

from assistant.files.settings import Address
from assistant.hall.hub.board import Hall, SliceBoard
from assistant.hall.hub.database import HALL, DatabaseError, NoDatabaseError, get_or_create
from assistant.hall.hub.leases import Leases, LeaseThread
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.link import Link, LinkCallbacks, Subscription
from assistant.hall.hub.scoring import Scorer, ScoringThread
from assistant.hall.hub.store import JournalReader, Refusal, Store, Taken
from assistant.hall.hub.wire import (
    SLICES,
    Batch,
    Called,
    HubHello,
    Status,
    Stored,
    WireError,
    hello,
    pack_called,
    pack_hub_hello,
    pack_stored,
    read_batch,
    read_status,
    table_of,
    topic,
    topics_of,
)
from assistant.hall.hub.worker import Worker

# ---- Metrics of the hub, as Prometheus reads them -----------------------------------------------


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
        """Add a gauge whose value is computed when somebody asks."""
        Gauge(f"mus_hub_{name}", meaning, registry=self.registry).set_function(value)

    def received(self, messages: int) -> None:
        """Count messages that came."""
        self._messages.inc(messages)

    def stored(self, events: int, seconds: float, waited: float) -> None:
        """Count new events, the seconds to store them, and those that the oldest one had waited."""
        self._events.inc(events)
        self._storing.observe(seconds)
        self._waiting.observe(waited)

    def repeated(self, messages: int) -> None:
        """Count messages that held nothing new."""
        self._repeats.inc(messages)

    def gap(self) -> None:
        """Count a gap: records were missing, and were asked for again."""
        self._gaps.inc()

    def refused(self, code: str) -> None:
        """Count a refused message by its kind of fault."""
        self._refused.labels(code).inc()

    def database(self, there: bool) -> None:
        """Set whether the database answers."""
        self._database.set(there)

    def broker(self, there: bool) -> None:
        """Set whether the broker is connected."""
        self._broker.set(there)

    def text(self) -> bytes:
        """All metrics in Prometheus's text format."""
        return generate_latest(self.registry)


# ---- The intake: stores the tables' messages, many in one transaction, then answers --------------
# A message is acknowledged to the broker only when it is stored or refused, so a hub that dies in
# between loses nothing. Only stored records are confirmed to their table.


intake_log = logging.getLogger("mus.hub.intake")

MOST_AT_ONCE = 400
"""Most messages in one transaction."""
POLL = 0.2
ENOUGH, GATHER = 16, 0.1
"""A transaction costs more than the messages in it. So the next one begins when ENOUGH messages
wait, or GATHER seconds after the last one began. A message after a calm of that length is stored at
once. With several processes each gets fewer messages, and waits longer for as many."""
SOONEST, LATEST = 0.5, 10.0
"""Seconds between two attempts at a database that does not answer: the first, and the longest."""


Result = TypeVar("Result")
Message = TypeVar("Message", Batch, Status)


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message that waits to be stored; ``done`` acknowledges it to the broker."""

    topic: str
    payload: bytes
    done: Callable[[], None]
    came: float


class Intake:
    """The thread that stores. ``reply`` sends a table the hub's answer, and may fail silently."""

    def __init__(
        self,
        store: Store,
        reply: Callable[[str, Stored], None],
        metrics: Metrics,
        played: Callable[[], None] = lambda: None,
        came: Callable[[], None] = lambda: None,
    ) -> None:
        """``played`` is called after new events were stored, ``came`` after a status was."""
        self._store = store
        self._reply = reply
        self._metrics = metrics
        self._played = played
        self._came = came
        self._letters: deque[QueuedMessage] = deque()
        self._came_in = Condition()
        self._began = float("-inf")
        self._thread = Worker("intake", self._step)
        self._ends = self._thread.ends

    def post(self, topic: str, payload: bytes, done: Callable[[], None]) -> None:
        """Queue a message. The broker's receive maximum limits how many wait."""
        with self._came_in:
            self._letters.append(QueuedMessage(topic, payload, done, time.monotonic()))
            if len(self._letters) in (1, ENOUGH):
                self._came_in.notify()

    def start(self) -> None:
        """Start to store."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the present transaction and end; the broker still has the messages that wait."""
        self._ends.set()
        with self._came_in:
            self._came_in.notify()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.alive

    @property
    def waiting(self) -> int:
        """Messages that wait."""
        return len(self._letters)

    def _step(self) -> None:
        if not (letters := self._gather()):
            return
        try:
            self._deal_with(letters)
        finally:
            # Acknowledge in any case: a table sends again what is not confirmed, and the
            # broker must not hold back everything that comes after.
            if not self._ends.is_set():
                for letter in letters:
                    letter.done()

    def _gather(self) -> list[QueuedMessage]:
        with self._came_in:
            if not self._waited(1, POLL):
                return []
            self._waited(ENOUGH, self._began + GATHER - time.monotonic())
            self._began = time.monotonic()
            most = min(len(self._letters), MOST_AT_ONCE)
            return [self._letters.popleft() for _ in range(most)]

    def _waited(self, messages: int, timeout: float) -> bool:
        return self._came_in.wait_for(
            lambda: len(self._letters) >= messages or self._ends.is_set(), timeout
        )

    def _deal_with(self, letters: Sequence[QueuedMessage]) -> None:
        self._metrics.received(len(letters))
        batches: list[tuple[QueuedMessage, Batch]] = []
        statuses: list[tuple[QueuedMessage, Status]] = []
        refused: list[Refusal] = []
        for letter in letters:
            try:
                kind = table_of(letter.topic)[1]
                if kind == "events":
                    batches.append((letter, read_batch(letter.topic, letter.payload)))
                elif kind == "status":
                    statuses.append((letter, read_status(letter.topic, letter.payload)))
                else:
                    raise WireError("topic", f"The hub takes no {kind[:32]!a}.")
            except WireError as error:
                refused.append(Refusal(letter.topic, letter.payload, error))
        if batches and not self._ends.is_set():
            refused += self._together_or_singly(self._events, batches)
        if statuses:  # after the batches, because they say how far these should go
            refused += self._together_or_singly(self._statuses, statuses)
        if refused:
            self._refuse(refused)

    def _together_or_singly(
        self,
        work: Callable[[Sequence[tuple[QueuedMessage, Message]]], list[Refusal]],
        letters: Sequence[tuple[QueuedMessage, Message]],
    ) -> list[Refusal]:
        """Do the work for all messages at once; if that fails, one by one. Returns the refusals."""
        try:
            return work(letters)
        except Exception as error:
            if len(letters) > 1:  # one of them is at fault; the others must not suffer for it
                return [
                    refusal for one in letters for refusal in self._together_or_singly(work, [one])
                ]
            letter = letters[0][0]
            if isinstance(error, DatabaseError):
                return [Refusal(letter.topic, letter.payload, WireError("database", str(error)))]
            intake_log.exception(
                "A message from %r met a mistake of the hub's own.", letter.topic[:100]
            )
            return [Refusal(letter.topic, letter.payload, WireError("mistake", repr(error)))]

    def _events(self, letters: Sequence[tuple[QueuedMessage, Batch]]) -> list[Refusal]:
        began = time.monotonic()
        oldest = min(letter.came for letter, _ in letters)
        taken = self._retried(lambda: self._store.take([batch for _, batch in letters]))
        if taken is None:
            return []
        events = sum(one.new for one in taken)
        self._metrics.stored(events, time.monotonic() - began, began - oldest)
        if events:
            self._played()
        for one in taken:
            self._confirm(one)
        faults = {(one.table, one.game): one.fault for one in taken if one.fault}
        return [
            Refusal(letter.topic, letter.payload, fault)
            for letter, batch in letters
            if (fault := faults.get((batch.table, batch.game)))
        ]

    def _confirm(self, taken: Taken) -> None:
        if taken.gap:
            self._metrics.gap()
        if not taken.new:
            self._metrics.repeated(1)
        self._reply(taken.table, Stored(taken.game, taken.stored, taken.gap))

    def _statuses(self, letters: Sequence[tuple[QueuedMessage, Status]]) -> list[Refusal]:
        statuses = [status for _, status in letters]
        found = self._retried(lambda: self._store.statuses(statuses))
        for status, have in zip(statuses, found or [], strict=False):
            for game, last in status.games:
                if have[game] < last:
                    self._reply(status.table, Stored(game, have[game], again=True))
        self._came()
        return []

    def _refuse(self, refused: Sequence[Refusal]) -> None:
        for refusal in refused:
            self._metrics.refused(refusal.error.code)
            intake_log.warning("Refused from %r: %s", refusal.topic[:100], refusal.error)
        try:
            self._retried(lambda: self._store.refuse(refused))
        except DatabaseError as error:
            intake_log.error("%s", error)

    def _retried(self, work: Callable[[], Result]) -> Result | None:
        """Do the work, retried until the database answers; None if the hub ends before."""
        wait = SOONEST
        while True:
            try:
                result = work()
            except NoDatabaseError as error:
                self._metrics.database(False)
                intake_log.error("%s Waiting for it.", error)
                if self._ends.wait(wait):
                    return None
                wait = min(2 * wait, LATEST)
            else:
                self._metrics.database(True)
                return result


# ---- One process of the hub: the link to the broker, the intake, the board and the scoring ------


log = logging.getLogger("mus.hub")

INTAKE, BOARD, SCORING, PAGE = ROLES = ("intake", "board", "scoring", "page")
"""The roles of a process of the hub: take in events; fold them; take results; show the hall."""
KINDS = {"events": False, "status": True}
"""The kinds of messages from a table to the hub, and whether the broker retains them."""
ROOM = 2000
"""Messages that the broker may send before the first of them is acknowledged."""


@dataclass(frozen=True, slots=True)
class HubHealth:
    """The health of a hub process. ``broker``: it is connected; ``board``: the board is up to date.

    ``waiting`` counts the messages that wait. ``dead`` names the threads that do not run.
    """

    broker: bool
    board: bool
    waiting: int
    dead: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether every part works."""
        return self.broker and self.board and not self.dead


class Hub:
    """A process of the hub. Several share the work on one database; each shows the whole hall."""

    def __init__(
        self, address: Address, engine: Engine, roles: Collection[str] = frozenset(ROLES)
    ) -> None:
        """Prepare it on a database of the newest schema. Raises AddressError, DatabaseError."""
        self.metrics = Metrics()
        self.reader = JournalReader(engine)
        self._roles = frozenset(roles)
        store = Store(engine)
        self.hall = Hall(self.reader)
        self.board = SliceBoard(self.reader, store, self.hall.poke)
        self.intake = Intake(store, self._reply, self.metrics, self.board.poke, self.hall.poke)
        name = f"hub-{os.getpid()}-{secrets.token_hex(8)}"
        self._hello = HubHello(get_or_create(engine, HALL, lambda: secrets.token_hex(8)))
        self.link = Link(
            address,
            name,
            LinkCallbacks(self._up, self._down, self.intake.post),
            manual=True,
            room=ROOM,
        )
        self.ledger = Ledger(engine)
        self.scorer = Scorer(self.ledger, self.reader)
        self._scoring = ScoringThread(self.scorer, self._call, self._there)
        self._slices: frozenset[int] = frozenset()
        slices = [f"{number:02}" for number in range(SLICES)]
        shared: dict[str, tuple[Sequence[str], Callable[[frozenset[str]], None]]] = {
            INTAKE: (slices, self._take_in),
            BOARD: (slices, lambda held: self.board.follow([int(number) for number in held])),
            SCORING: (("all",), self._score),
        }
        self.leases = LeaseThread(
            {
                Leases(engine, name, role, names, share=role != SCORING): tell
                for role, (names, tell) in shared.items()
                if role in self._roles
            }
        )
        self._threads = {
            name: thread
            for role, name, thread in (
                (PAGE, "hall", self.hall),
                (BOARD, "board", self.board),
                (INTAKE, "intake", self.intake),
                (SCORING, "scoring", self._scoring),
                ("", "leases", self.leases),
            )
            if not role or role in self._roles
        }
        self.metrics.watch("waiting", "Messages that wait", lambda: self.intake.waiting)
        self.metrics.watch("tables_online", "Tables that are there", self._online)
        self.metrics.watch("slices", "Slices that this process takes in", self._count_slices)

    def start(self) -> None:
        """Start all threads. They wait for a broker or database that does not answer."""
        self.link.start()
        for thread in self._threads.values():
            thread.start()

    def stop(self) -> None:
        """Stop all threads in order. The broker and the tables still have what is not stored."""
        self.link.stop()
        for thread in reversed(self._threads.values()):
            thread.stop()

    def health(self) -> HubHealth:
        """The present health."""
        dead = tuple([name for name, thread in self._threads.items() if not thread.alive])
        boards = [self.hall.fresh] if PAGE in self._roles else []
        boards += [self.board.fresh] if BOARD in self._roles else []
        return HubHealth(self.link.up, all(boards), self.intake.waiting, dead)

    def tables(self) -> list[str]:
        """The tables that are online, in the order in which people count them."""
        names = [view["table"] for view in self.hall.views() if view["online"]]
        return sorted(names, key=lambda name: (len(name), name))

    def doubts(self, tournament: int) -> frozenset[str]:
        """The matches of a tournament whose journals contradict their results."""
        return self.ledger.scored(tournament).doubts

    def left(self, tournament: int) -> Mapping[str, str]:
        """The matches of a tournament whose game was not taken as their result, and why."""
        return self.ledger.scored(tournament).left

    def state(self) -> dict[str, object]:
        """The health for HTTP."""
        health = self.health()
        return {"ready": health.ready, **asdict(health)}

    def _up(self) -> None:
        self.metrics.broker(True)
        self._scoring.forget()
        self._greet(self._slices)

    def _down(self) -> None:
        self.metrics.broker(False)

    def _reply(self, table: str, stored: Stored) -> None:
        self.link.publish(topic(table, "stored"), pack_stored(stored))

    def _call(self, table: str, called: Called | None) -> bool:
        payload = pack_called(called) if called else b""  # an empty one clears the retained one
        return self.link.publish(topic(table, "seats"), payload, retain=True)

    def _take_in(self, held: frozenset[str]) -> None:
        """Take in these slices: subscribe to new ones, and ask their tables for missing records."""
        slices = frozenset(int(number) for number in held)
        new, gone = slices - self._slices, self._slices - slices
        self._slices = slices
        self.link.unsubscribe([topics_of(n, kind) for n in sorted(gone) for kind in KINDS])
        self.link.subscribe(
            [
                Subscription(topics_of(number, kind), retained=retained)
                for number in sorted(new)
                for kind, retained in KINDS.items()
            ]
        )
        self._greet(new)

    def _greet(self, slices: Collection[int]) -> None:
        for number in sorted(slices):
            self.link.publish(hello(number), pack_hub_hello(self._hello))

    def _score(self, held: frozenset[str]) -> None:
        if held:
            self._scoring.forget()
        self._scoring.turn = bool(held)

    def _there(self) -> dict[str, float | None]:
        return {row.table: row.since if row.online else None for row in self.reader.tables()}

    def _online(self) -> float:
        return float(self.reader.online())

    def _count_slices(self) -> float:
        return float(len(self._slices))
