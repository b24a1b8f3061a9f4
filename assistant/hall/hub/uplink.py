"""A table's side of the hub: which records it sends next, and what it looks like now."""

from __future__ import annotations

import json
import logging
import queue
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Protocol

from assistant.files.broker_address import Address
from assistant.hall.hub.link import Link, LinkCallbacks, Subscription, Will
from assistant.hall.hub.wire import (
    HELLO,
    MOST_GAMES,
    MOST_RECORDS,
    VERSION,
    Called,
    EventRow,
    Status,
    Stored,
    WireError,
    fitting,
    game_id,
    pack_batch,
    pack_status,
    read_called,
    read_stored,
    topic,
)
from assistant.rules.errors import MusError

# Which records a table sends next: in order, some on their way at once, again where it must be.
# Pure: it is told what was sent, what the hub has, and what time it is. The hub's word alone moves
# a table's position on, for a broker that has a message may still lose it. What was sent and is
# not confirmed in time is sent again; the hub keeps each record once, however often it comes.


WINDOW = 1000
"""Records of a game that may be on their way before the hub has confirmed the first of them."""
CONFIRM_S = 10.0
"""Seconds without a word from the hub after which all that it did not confirm is sent again."""
CONFIRM_LONGEST_S = 120.0
"""Seconds; each time in vain it is twice as long, up to this."""
ECHO = 1.0
"""Seconds in which the hub's asking again for the same record is the same asking."""


class WaitingPort(Protocol):
    """A game that the hub is to have, as an outbox lists it."""

    @property
    def table_id(self) -> str:
        """What the game is called at its table."""

    @property
    def position(self) -> int:
        """The last seq that the hub is known to have."""

    @property
    def last_seq(self) -> int:
        """The last seq that there is."""


@dataclass(slots=True)
class _GameProgress:
    """How far one game is on its way."""

    stored: int
    sent: int
    again_at: float = float("-inf")


class Sender:
    """The order of sending, for all games of one table."""

    def __init__(self, window: int = WINDOW) -> None:
        self._window = window
        self._ways: dict[str, _GameProgress] = {}
        self._patience = CONFIRM_S
        self._quiet_since = 0.0

    def rewind(self, now: float) -> None:
        """All that is not confirmed has to be sent: a new connection, or a hub that begins."""
        for way in self._ways.values():
            way.sent = way.stored
        self._patience = CONFIRM_S
        self._quiet_since = now

    def next(self, games: Sequence[WaitingPort], most: int) -> tuple[str, int, int] | None:
        """The game to send from, the seq after which, and how many; None where all is sent.

        The oldest game first: the hub shows an evening in its order.
        """
        for game, way in [(game, self._way(game)) for game in games]:
            room = way.stored + self._window - way.sent
            many = min(most, game.last_seq - way.sent, room)
            # While something is on its way a little more waits for it: what is called meanwhile
            # goes in one message, the larger the slower the hub is. Nobody at a table notices.
            if many == most or (many > 0 and way.sent == way.stored):
                return game.table_id, way.sent, many
        return None

    def sent(self, table_id: str, seq: int, now: float) -> None:
        """Records up to a seq are on their way."""
        way = self._ways[table_id]
        if way.sent == way.stored:
            self._quiet_since = now  # nothing was, so nobody was waited for
        way.sent = seq

    def stored(self, table_id: str, seq: int, again: bool, now: float) -> int | None:
        """The hub said how far it has a game; returns the new position, None where it is as before.

        ``again``: what comes after is lost, be it on its way, be it that the hub had it once.
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
        """The last seq of a game that the hub is known to have; 0 where nothing is known."""
        way = self._ways.get(table_id)
        return way.stored if way else 0

    def give_up_waiting(self, now: float) -> bool:
        """Rewind what the hub has not confirmed for too long; returns whether there is any."""
        if not self.waiting or now - self._quiet_since < self._patience:
            return False
        longer = min(2 * self._patience, CONFIRM_LONGEST_S)
        self.rewind(now)
        self._patience = longer
        return True

    @property
    def waiting(self) -> bool:
        """Whether anything is on its way that the hub did not confirm."""
        return any(way.sent > way.stored for way in self._ways.values())

    def _way(self, game: WaitingPort) -> _GameProgress:
        way = self._ways.get(game.table_id)
        if way is None:
            way = self._ways[game.table_id] = _GameProgress(game.position, game.position)
        return way


# ---- A table's side of the hub: its journal, in order, and what it looks like now ---------------
# The table knows nothing of it: the uplink reads the journal's file beside it, in a thread of its
# own. Whether the network is there or not, the table plays on, and what was played meanwhile is
# sent when it is.


log = logging.getLogger("mus.hub.uplink")

POLL = 0.5
"""Seconds in which the uplink looks after itself, with no news from anywhere."""
QUIET = 15.0
"""Seconds of silence after which the table tells how far it is, for a hub that lost the end."""
PICTURES = 1.0
"""Seconds between two snapshots at least."""
KEEP = 5.0
"""Seconds between two writings of the cursor at least: a worn memory card is spared."""
RETRY = 30.0
"""Seconds until a journal that could not be read is tried again."""


class RawRecordPort(Protocol):
    """A record as the journal's file has it."""

    @property
    def seq(self) -> int: ...  # noqa: D102
    @property
    def batch(self) -> int: ...  # noqa: D102
    @property
    def at(self) -> float: ...  # noqa: D102
    @property
    def event(self) -> str: ...  # noqa: D102


class OutboxPort(Protocol):
    """What the hub is to have of the journal. Each method raises MusError."""

    def give(self, table_id: str) -> None:
        """Make a game the hub's business."""

    def games(self) -> Sequence[WaitingPort]:
        """Every game that is the hub's business, the oldest first."""

    def read(self, table_id: str, after: int, limit: int) -> Sequence[RawRecordPort]:
        """Records after a seq."""

    def move(self, table_id: str, seq: int) -> None:
        """Keep how far the hub has a game."""

    def close(self) -> None:
        """Let go of the journal."""


class Uplink:
    """Sends one table's journal. ``step`` does what can be done now, and never waits."""

    def __init__(
        self,
        address: Address,
        outbox: OutboxPort,
        version: str,
        clock: Callable[[], float] = time.time,
        on_called: Callable[[Called | None], None] = lambda _called: None,
        on_line: Callable[[bool], None] = lambda _there: None,
    ) -> None:
        """Prepare it, under the address's name. Raises AddressError.

        ``on_called`` is told, on the link's thread, which match was called to this table, and
        ``on_line`` whether the broker is reached.
        """
        self.table = address.user
        self.news = Event()
        """Set by whoever knows that there is something to send."""
        self._outbox = outbox
        self._version = version
        self._clock = clock
        self._on_called = on_called
        self._on_line = on_line
        self._sender = Sender()
        self._names: dict[str, str] = {}
        self._places: dict[str, int] = {}  # positions that the journal does not have yet
        self._words: queue.SimpleQueue[Stored | None] = queue.SimpleQueue()
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
                Subscription(HELLO),
            ),
            will=Will(topic(self.table, "status"), pack_status(Status(self.table, False))),
        )

    def take_up(self, table_id: str) -> None:
        """From now on this game, too, is sent; from its first record on."""
        self._given.put(table_id)
        self.news.set()

    def show(self, picture: Mapping[str, object]) -> None:
        """What the table looks like now, for whoever wants no more than that."""
        self._picture = picture
        self.news.set()

    def step(self, now: float) -> float:
        """Do what can be done; returns the seconds after which to come again without any news."""
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
        """Make the games the hub's business; where the disk is full or busy, it is tried again."""
        with suppress(queue.Empty):
            while True:
                table_id = self._given.get_nowait()
                try:
                    self._outbox.give(table_id)
                except MusError as error:  # the games that are given already are sent meanwhile
                    log.error("%s The hub does not get %s yet.", error, table_id)
                    self._given.put(table_id)
                    self._refused_until = now + RETRY
                    return

    def confirmed(self, table_id: str) -> int:
        """How far the hub has a game, by its own word; 0 where it has not spoken of it."""
        return self._sender.confirmed(table_id)

    def close(self) -> None:
        """Say goodbye, and keep how far the hub is."""
        status = Status(self.table, False, self._told or (), self._clock(), self._version)
        self.link.stop((topic(self.table, "status"), pack_status(status)))
        try:
            self._take_all_up(time.monotonic())
            self._hear(time.monotonic())
            self._keep(float("inf"))
        except MusError as error:
            log.error("%s", error)  # then some records are sent once more
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
            else:
                self._words.put(None if name == HELLO else read_stored(payload))
        except WireError as error:
            log.warning("The hub's word is not understood: %s", error)
        self.news.set()

    def _hear(self, now: float) -> None:
        with suppress(queue.Empty):
            while True:
                word = self._words.get_nowait()
                if word is None:
                    self._sender.rewind(now)
                    self._told = None
                    continue
                for name in [n for n, called in self._names.items() if called == word.game]:
                    place = self._sender.stored(name, word.seq, word.again, now)
                    if place is not None:
                        self._places[name] = place
        if self._sender.give_up_waiting(now):
            log.info("The hub confirms nothing; sending again.")

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
        """What is kept at the broker: how far the table is, and what it looks like."""
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
    """An uplink that runs by itself."""

    def __init__(self, uplink: Uplink) -> None:
        self.uplink = uplink
        self._ends = Event()
        self._thread = Thread(target=self._run, name="uplink", daemon=True)

    def start(self) -> None:
        """Connect, and send from now on."""
        self.uplink.link.start()
        self._thread.start()

    def stop(self) -> None:
        """End it; what is not sent is sent the next time."""
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
