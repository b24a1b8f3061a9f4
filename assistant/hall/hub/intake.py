"""What the tables sent, into the database: many messages in one transaction, then the word back.

A message stays the broker's until it is stored or refused, so a hub that dies in between has lost
nothing; and only what is stored is confirmed to its table.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar

from assistant.hall.hub.database import DatabaseError, NoDatabaseError
from assistant.hall.hub.store import Refusal, Taken
from assistant.hall.hub.tireless import Tireless
from assistant.hall.hub.wire import (
    Batch,
    Status,
    Stored,
    WireError,
    read_batch,
    read_status,
    table_of,
)

log = logging.getLogger("mus.hub.intake")

MOST_AT_ONCE = 400
"""Messages in one transaction."""
POLL = 0.2
SOONEST, LATEST = 0.5, 10.0
"""Seconds between two attempts at a database that does not answer."""


Result = TypeVar("Result")
Message = TypeVar("Message", Batch, Status)


class Keeping(Protocol):
    """Where it all goes. Each method raises DatabaseError."""

    def take(self, batches: Sequence[Batch]) -> list[Taken]:
        """Store batches, all or none."""

    def statuses(self, statuses: Sequence[Status]) -> list[dict[str, int]]:
        """Note the tables' statuses; returns how far the games that each names are stored."""

    def refuse(self, refusals: Sequence[Refusal]) -> None:
        """Keep what was not taken."""


class Counting(Protocol):
    """Who counts what happens, for whoever watches the hub."""

    def received(self, messages: int) -> None:
        """So many messages came."""

    def stored(self, events: int, seconds: float, waited: float) -> None:
        """So many new events were stored in so much time; the oldest message had waited so long."""

    def repeated(self, messages: int) -> None:
        """So many messages held nothing new."""

    def gap(self) -> None:
        """Something was missing, and was asked for again."""

    def refused(self, code: str) -> None:
        """A message was not taken."""

    def database(self, there: bool) -> None:
        """Whether the database answers."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message as it came; ``done`` tells the broker that it is dealt with."""

    topic: str
    payload: bytes
    done: Callable[[], None]
    came: float


class Intake:
    """The thread that stores. ``reply`` sends a table the hub's word; it may fail silently."""

    def __init__(
        self,
        store: Keeping,
        reply: Callable[[str, Stored], None],
        counting: Counting,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._reply = reply
        self._counting = counting
        self._changed = changed
        self._letters: queue.SimpleQueue[Letter | None] = queue.SimpleQueue()
        self._thread = Tireless("intake", self._step)
        self._ends = self._thread.ends

    def post(self, topic: str, payload: bytes, done: Callable[[], None]) -> None:
        """Take a message; how many may wait, the line to the broker limits."""
        self._letters.put(Letter(topic, payload, done, time.monotonic()))

    def start(self) -> None:
        """Store from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Finish what is begun; what waits, the broker still has."""
        self._ends.set()
        self._letters.put(None)
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether it stores."""
        return self._thread.alive

    @property
    def waiting(self) -> int:
        """Messages that wait."""
        return self._letters.qsize()

    def _step(self) -> None:
        if not (letters := self._gather()):
            return
        try:
            self._deal_with(letters)
        finally:
            # Whatever happened: what is not confirmed its table sends again, and the broker is not
            # to wait for this hub with all that comes after.
            if not self._ends.is_set():
                for letter in letters:
                    letter.done()

    def _gather(self) -> list[Letter]:
        letters: list[Letter] = []
        with suppress(queue.Empty):
            letter = self._letters.get(timeout=POLL)
            while letter is not None:
                letters.append(letter)
                if len(letters) == MOST_AT_ONCE:
                    break
                letter = self._letters.get_nowait()
        return letters

    def _deal_with(self, letters: Sequence[Letter]) -> None:
        self._counting.received(len(letters))
        batches: list[tuple[Letter, Batch]] = []
        statuses: list[tuple[Letter, Status]] = []
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
            refused += self._one_or_all(self._events, batches)
        if statuses:  # after what came before them: they tell how far it goes
            refused += self._one_or_all(self._statuses, statuses)
        if refused:
            self._refuse(refused)

    def _one_or_all(
        self,
        work: Callable[[Sequence[tuple[Letter, Message]]], list[Refusal]],
        letters: Sequence[tuple[Letter, Message]],
    ) -> list[Refusal]:
        """Do the work for all at once, or else for each by itself; returns what was refused."""
        try:
            return work(letters)
        except Exception as error:
            if len(letters) > 1:  # one of them it is; the others are not to suffer for it
                return [refusal for one in letters for refusal in self._one_or_all(work, [one])]
            letter = letters[0][0]
            if isinstance(error, DatabaseError):
                return [Refusal(letter.topic, letter.payload, WireError("database", str(error)))]
            log.exception("A message from %r met a mistake of the hub's own.", letter.topic[:100])
            return [Refusal(letter.topic, letter.payload, WireError("mistake", repr(error)))]

    def _events(self, letters: Sequence[tuple[Letter, Batch]]) -> list[Refusal]:
        began = time.monotonic()
        oldest = min(letter.came for letter, _ in letters)
        taken = self._patiently(lambda: self._store.take([batch for _, batch in letters]))
        if taken is None:
            return []
        events = sum(one.new for one in taken)
        self._counting.stored(events, time.monotonic() - began, began - oldest)
        if events:
            self._changed()
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
            self._counting.gap()
        if not taken.new:
            self._counting.repeated(1)
        self._reply(taken.table, Stored(taken.game, taken.stored, taken.gap))

    def _statuses(self, letters: Sequence[tuple[Letter, Status]]) -> list[Refusal]:
        statuses = [status for _, status in letters]
        found = self._patiently(lambda: self._store.statuses(statuses))
        for status, have in zip(statuses, found or [], strict=False):
            for game, last in status.games:
                if have[game] < last:
                    self._reply(status.table, Stored(game, have[game], again=True))
        self._changed()
        return []

    def _refuse(self, refused: Sequence[Refusal]) -> None:
        for refusal in refused:
            self._counting.refused(refusal.error.code)
            log.warning("Refused from %r: %s", refusal.topic[:100], refusal.error)
        try:
            self._patiently(lambda: self._store.refuse(refused))
        except DatabaseError as error:
            log.error("%s", error)

    def _patiently(self, work: Callable[[], Result]) -> Result | None:
        """Do it as soon as the database answers; None where the hub ends before."""
        wait = SOONEST
        while True:
            try:
                result = work()
            except NoDatabaseError as error:
                self._counting.database(False)
                log.error("%s Waiting for it.", error)
                if self._ends.wait(wait):
                    return None
                wait = min(2 * wait, LATEST)
            else:
                self._counting.database(True)
                return result
