"""The uplink, a table's side of the hub: it sends the journal's records and a snapshot."""

from __future__ import annotations

import json
import logging
import queue
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Protocol

from assistant.files.settings import Address
from assistant.hall.hub.link import Link, LinkCallbacks, Subscription, Will
from assistant.hall.hub.wire import (
    MOST_GAMES,
    MOST_RECORDS,
    VERSION,
    Called,
    EventRow,
    HubHello,
    Status,
    Stored,
    WireError,
    fitting,
    game_id,
    hello,
    pack_batch,
    pack_status,
    read_called,
    read_hub_hello,
    read_stored,
    slice_of,
    topic,
)
from assistant.rules.errors import MusError

# ---- The sender: which records to send next (a sliding window) ----------------------------------
# It is pure: its caller says what was sent, what the hub has, and what time it is. Only the hub's
# confirmation moves a table's position on, because a broker that has a message may still lose it.
# Records that are not confirmed in time are sent again; the hub stores each record once.


WINDOW = 1000
"""Most records of a game on their way before the hub has confirmed the first of them."""
CONFIRM_S = 10.0
"""Seconds without a confirmation after which all unconfirmed records are sent again."""
CONFIRM_LONGEST_S = 120.0
"""The longest such time in seconds; it doubles each time that sending again is in vain."""
ECHO = 1.0
"""Seconds in which a repeated request of the hub for the same record counts as one."""


class WaitingPort(Protocol):
    """A game that the hub should have, as an outbox lists it."""

    @property
    def table_id(self) -> str:
        """The game's name at its table."""

    @property
    def position(self) -> int:
        """The last seq that the hub has confirmed."""

    @property
    def last_seq(self) -> int:
        """The last seq in the journal."""


@dataclass(slots=True)
class _GameProgress:
    """The last seq of one game that is sent, and the last that is confirmed."""

    stored: int
    sent: int
    again_at: float = float("-inf")


class Sender:
    """Chooses the records to send next, for all games of one table."""

    def __init__(self, window: int = WINDOW) -> None:
        self._window = window
        self._ways: dict[str, _GameProgress] = {}
        self._patience = CONFIRM_S
        self._quiet_since = 0.0

    def rewind(self, now: float) -> None:
        """Begin again after the last confirmation, at a new connection or a hub's start."""
        for way in self._ways.values():
            way.sent = way.stored
        self._patience = CONFIRM_S
        self._quiet_since = now

    def next(self, games: Sequence[WaitingPort], most: int) -> tuple[str, int, int] | None:
        """The game to send from, the seq after which, and how many records; None if all is sent.

        The oldest game comes first, so that the hub shows an evening in its order.
        """
        for game, way in [(game, self._way(game)) for game in games]:
            room = way.stored + self._window - way.sent
            many = min(most, game.last_seq - way.sent, room)
            # While something is on its way, new records wait and go in one message (as in Nagle's
            # algorithm). So a slower hub gets fewer and larger messages.
            if many == most or (many > 0 and way.sent == way.stored):
                return game.table_id, way.sent, many
        return None

    def sent(self, table_id: str, seq: int, now: float) -> None:
        """Note that records up to a seq are on their way."""
        way = self._ways[table_id]
        if way.sent == way.stored:
            self._quiet_since = now  # nothing was on its way, so the wait begins now
        way.sent = seq

    def stored(self, table_id: str, seq: int, again: bool, now: float) -> int | None:
        """Note how far the hub has a game; returns the new position, None if it is unchanged.

        ``again``: the records after it are lost, either on their way or at the hub.
        """
        way = self._ways.get(table_id)
        if way is None:
            return None
        before = way.stored
        if again:
            if (before, way.sent) != (seq, seq) and now - way.again_at >= ECHO:
                way.stored = way.sent = seq
                way.again_at = now
        elif seq > way.stored:
            way.stored = seq
            way.sent = max(way.sent, seq)
        if way.stored > before:
            self._patience = CONFIRM_S
            self._quiet_since = now
        return way.stored if way.stored != before else None

    def confirmed(self, table_id: str) -> int:
        """The last seq of a game that the hub has confirmed; 0 if nothing is known."""
        way = self._ways.get(table_id)
        return way.stored if way else 0

    def give_up_waiting(self, now: float) -> bool:
        """Rewind if the hub has confirmed nothing for too long; returns whether it did."""
        if not self.waiting or now - self._quiet_since < self._patience:
            return False
        longer = min(2 * self._patience, CONFIRM_LONGEST_S)
        self.rewind(now)
        self._patience = longer
        return True

    @property
    def waiting(self) -> bool:
        """Whether anything on its way is not confirmed."""
        return any(way.sent > way.stored for way in self._ways.values())

    def _way(self, game: WaitingPort) -> _GameProgress:
        way = self._ways.get(game.table_id)
        if way is None:
            way = self._ways[game.table_id] = _GameProgress(game.position, game.position)
        return way


# ---- The uplink: the journal in order, a status and a snapshot ----------------------------------
# The table does not wait for it: the uplink reads the journal's file in a thread of its own.
# Without a network the table plays on, and what was played meanwhile is sent later.


log = logging.getLogger("mus.hub.uplink")

POLL = 0.5
"""Seconds between two steps without any news."""
QUIET = 15.0
"""Seconds without sending after which the status is sent: a hub may lack the last records."""
PICTURES = 1.0
"""Least seconds between two snapshots."""
KEEP = 5.0
"""Least seconds between two writes of the cursor, to spare the memory card."""
RETRY = 30.0
"""Seconds until a journal that could not be read is tried again."""
ANSWER_S = 2.0
"""The longest random delay, in seconds, before a table answers a hub's hello, because all tables of
a slice hear it at the same moment."""


class RawRecordPort(Protocol):
    """A record as it is in the journal's file."""

    @property
    def seq(self) -> int: ...  # noqa: D102
    @property
    def batch(self) -> int: ...  # noqa: D102
    @property
    def at(self) -> float: ...  # noqa: D102
    @property
    def event(self) -> str: ...  # noqa: D102


class OutboxPort(Protocol):
    """The part of the journal that is to be sent to the hub. Each method raises MusError."""

    def give(self, table_id: str) -> None:
        """Mark a game as one that the hub should have."""

    def games(self) -> Sequence[WaitingPort]:
        """Every game that the hub should have, the oldest first."""

    def read(self, table_id: str, after: int, limit: int) -> Sequence[RawRecordPort]:
        """Records after a seq."""

    def move(self, table_id: str, seq: int) -> None:
        """Store how far the hub has a game."""

    def close(self) -> None:
        """Close the journal."""


class Uplink:
    """Sends one table's journal. ``step`` does what can be done now and never blocks."""

    def __init__(
        self,
        address: Address,
        outbox: OutboxPort,
        version: str,
        clock: Callable[[], float] = time.time,
        on_called: Callable[[Called | None], None] = lambda _called: None,
        on_line: Callable[[bool], None] = lambda _there: None,
    ) -> None:
        """Prepare it; the table's name is the address's user. Raises AddressError.

        On the link's thread ``on_called`` gets the match that was called to this table, and
        ``on_line`` whether the broker is connected.
        """
        self.table = address.user
        self.news = Event()
        """Set it when there is something to send."""
        self._outbox = outbox
        self._version = version
        self._clock = clock
        self._on_called = on_called
        self._on_line = on_line
        self._sender = Sender()
        self._names: dict[str, str] = {}
        self._places: dict[str, int] = {}  # positions that are not in the journal yet
        self._words: queue.SimpleQueue[Stored | HubHello | None] = queue.SimpleQueue()
        self._hello = hello(slice_of(self.table))
        self._hall = ""
        """The name of the hub's database, as of the last hello."""
        self._new_hall = False
        """Whether that changed, and the status was not sent since."""
        self._answer_at: float | None = None
        """When to send again what a hub may have missed before its hello."""
        self._given: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._picture: Mapping[str, object] | None = None
        self._shown: Mapping[str, object] | None = None
        self._told: tuple[tuple[str, int], ...] | None = None
        self._sent_at = self._pictured_at = self._kept_at = self._blind_until = float("-inf")
        self._refused_until = float("-inf")
        self.link = Link(
            address,
            address.client_id,
            LinkCallbacks(self._up, self._down, self._message),
            (
                Subscription(topic(self.table, "stored")),
                Subscription(topic(self.table, "seats"), retained=True),
                Subscription(self._hello),
            ),
            will=Will(topic(self.table, "status"), pack_status(Status(self.table, False))),
        )

    def take_up(self, table_id: str) -> None:
        """Send this game, too, from its first record on."""
        self._given.put(table_id)
        self.news.set()

    def show(self, picture: Mapping[str, object]) -> None:
        """Set the table's snapshot, which is sent at most once a second."""
        self._picture = picture
        self.news.set()

    def step(self, now: float) -> float:
        """Do what can be done now; returns the seconds to the next step without any news."""
        try:
            if now >= self._refused_until:
                self._take_all_up(now)
            self._hear(now)
            if self.link.up and now >= self._blind_until:
                self._send(now)
                self._tell(now)
            self._keep(now)
        except MusError as error:
            log.error("%s The hub waits.", error)
            self._blind_until = now + RETRY
        return POLL

    def _take_all_up(self, now: float) -> None:
        """Mark the new games for the hub; retried later if the disk is full or busy."""
        with suppress(queue.Empty):
            while True:
                table_id = self._given.get_nowait()
                try:
                    self._outbox.give(table_id)
                except MusError as error:  # games that are marked already are sent meanwhile
                    log.error("%s The hub does not get %s yet.", error, table_id)
                    self._given.put(table_id)
                    self._refused_until = now + RETRY
                    return

    def confirmed(self, table_id: str) -> int:
        """The last seq of a game that the hub has confirmed; 0 if there is none."""
        return self._sender.confirmed(table_id)

    def close(self) -> None:
        """Send the last status, store how far the hub is, and close the journal."""
        status = Status(self.table, False, self._told or (), self._clock(), self._version)
        self.link.stop((topic(self.table, "status"), pack_status(status)))
        try:
            self._take_all_up(time.monotonic())
            self._hear(time.monotonic())
            self._keep(float("inf"))
        except MusError as error:
            log.error("%s", error)  # some records will be sent once more
        self._outbox.close()

    def _up(self) -> None:
        self._words.put(None)
        self.news.set()
        self._on_line(True)

    def _down(self) -> None:
        self.news.set()
        self._on_line(False)

    def _message(self, name: str, payload: bytes, _done: Callable[[], None]) -> None:
        try:
            if name == topic(self.table, "seats"):
                self._on_called(read_called(payload) if payload else None)
            elif name == self._hello:
                self._words.put(read_hub_hello(payload))
            else:
                self._words.put(read_stored(payload))
        except WireError as error:
            log.warning("The hub's word is not understood: %s", error)
        self.news.set()

    def _hear(self, now: float) -> None:
        with suppress(queue.Empty):
            while True:
                word = self._words.get_nowait()
                if word is None:
                    self._sender.rewind(now)
                    self._told = self._answer_at = None
                    continue
                if isinstance(word, HubHello):
                    self._greeted(word, now)
                    continue
                for name in [n for n, called in self._names.items() if called == word.game]:
                    place = self._sender.stored(name, word.seq, word.again, now)
                    if place is not None:
                        self._places[name] = place
        if self._answer_at is not None and now >= self._answer_at:
            self._answer_at = None
            self._sender.rewind(now)
            if self._new_hall:
                self._told, self._new_hall = None, False
        if self._sender.give_up_waiting(now):
            log.info("The hub confirms nothing; sending again.")

    def _greeted(self, said: HubHello, now: float) -> None:
        """Note a hello: another process takes this table in, and may lack unconfirmed records.

        If its database is another one, it knows nothing about this table, so it gets the status,
        too.
        """
        self._answer_at = now + random.uniform(0, ANSWER_S)
        self._new_hall |= self._hall not in ("", said.hall)
        self._hall = said.hall

    def _send(self, now: float) -> None:
        games = self._outbox.games()
        for game in games:
            self._name(game.table_id)
        while chosen := self._sender.next(games, MOST_RECORDS):
            name, after, many = chosen
            rows = fitting(
                [
                    EventRow(r.seq, r.batch, r.at, r.event)
                    for r in self._outbox.read(name, after, many)
                ]
            )
            payload = pack_batch(self._names[name], self._clock(), rows)
            if not rows or not self.link.publish(topic(self.table, "events"), payload):
                return
            self._sender.sent(name, rows[-1].seq, now)
            self._sent_at = now

    def _tell(self, now: float) -> None:
        """Publish the retained messages: the status and the snapshot."""
        if self._told is None or now - self._sent_at >= QUIET:
            games = tuple(
                [(self._name(g.table_id), g.last_seq) for g in self._outbox.games()][-MOST_GAMES:]
            )
            if games != self._told:
                status = Status(self.table, True, games, self._clock(), self._version)
                if self.link.publish(topic(self.table, "status"), pack_status(status), retain=True):
                    self._told = games
        picture = self._picture
        if picture and picture is not self._shown and now - self._pictured_at >= PICTURES:
            text = json.dumps({"v": VERSION, **picture}, separators=(",", ":"))
            if self.link.publish(topic(self.table, "snapshot"), text.encode(), retain=True):
                self._shown, self._pictured_at = picture, now

    def _keep(self, now: float) -> None:
        if self._places and now - self._kept_at >= KEEP:
            while self._places:
                name, seq = self._places.popitem()
                self._outbox.move(name, seq)
            self._kept_at = now

    def _name(self, table_id: str) -> str:
        if table_id not in self._names:
            first = self._outbox.read(table_id, 0, 1)[0]
            self._names[table_id] = game_id(table_id, first.at, first.event)
        return self._names[table_id]


class UplinkThread:
    """The thread of an uplink."""

    def __init__(self, uplink: Uplink) -> None:
        self.uplink = uplink
        self._ends = Event()
        self._thread = Thread(target=self._run, name="uplink", daemon=True)

    def start(self) -> None:
        """Connect and start to send."""
        self.uplink.link.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop and close; what is not sent is sent the next time."""
        self._ends.set()
        self.uplink.news.set()
        if self._thread.is_alive():
            self._thread.join()
        self.uplink.close()

    def _run(self) -> None:
        while not self._ends.is_set():
            self.uplink.news.clear()
            wait = self.uplink.step(time.monotonic())
            self.uplink.news.wait(wait)
