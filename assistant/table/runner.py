"""The inbox, and the thread that owns the table: message, decision, COMMIT, and only then the news.

A source (ear, camera, dashboard) puts its messages into the inbox. A listener (voice, dashboard,
card feeder) gets the news on the table's thread, so it must return at once.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from assistant.messages import (
    Accepted,
    Ask,
    Command,
    Heard,
    Ignored,
    Message,
    Outcome,
    Pressed,
    Refused,
    Told,
    batches,
)
from assistant.rules.calls import Call
from assistant.rules.history import Record
from assistant.rules.phases import Phase
from assistant.rules.state import State
from assistant.table.journal.port import Journal, JournalError
from assistant.table.table import Table

log = logging.getLogger("mus.table")

INBOX = 1000
"""Messages that may wait in the inbox; people say a few a second at most."""
CALM = 0.05
"""Seconds without a message after which there is time for work that is not urgent."""


@dataclass(frozen=True, slots=True)
class Update:
    """One committed batch: its outcome, its records, and the state before and after it."""

    what: Call | Command | None
    records: tuple[Record, ...]
    before: State
    after: State


@dataclass(frozen=True, slots=True)
class News:
    """What became of one message: every outcome in order, and what the accepted ones changed."""

    message: Message
    outcomes: tuple[Outcome, ...]
    updates: tuple[Update, ...]


class Listener(Protocol):
    """A listener: it gets the news of each message, on the table's thread."""

    def told(self, news: News, table: Table) -> None:
        """Take the news: the message was handled, and what it changed is in the journal."""


Answer = Future[tuple[Outcome, ...]]
NewGame = Callable[[], tuple[Journal, Table]]
"""Opens the next game beside the present one, whose journal stays open meanwhile."""
MayLeave = Callable[[Table], bool]
"""Whether a game may be left for another."""


class Runner:
    """The thread that owns one table, its journal and its listeners."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        new_game: NewGame,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.table = table
        self.journal = journal
        self.listeners: list[Listener] = []
        self.may_undo: Callable[[], bool] = lambda: True
        """Whether the last call may be taken back; called on the table's thread."""
        self.may_leave: MayLeave = lambda _table: False
        """Whether "nueva partida" may leave a game in progress; called on the table's thread."""
        self._new_game = new_game
        self._clock = clock
        self._later: deque[Callable[[], None]] = deque()
        self._inbox: queue.Queue[tuple[Message, Answer, MayLeave] | None] = queue.Queue(INBOX)
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    def start(self) -> None:
        """Begin to take messages."""
        self._thread.start()

    def stop(self) -> None:
        """Handle what waits in the inbox, then end the thread and close the journal."""
        if self._thread.is_alive():
            self._inbox.put(None)
            self._thread.join()
        self.journal.close()

    def post(self, message: Message) -> Answer:
        """Put a message into the inbox; the future gives what became of it."""
        return self._put(message, lambda table: _is_over(table) or self.may_leave(table))

    def begin_anew(self, may_leave: MayLeave) -> Answer:
        """Ask for a new game before the present one is over, if it may be left by then.

        ``may_leave`` is asked on the table's thread, after all that was posted before.
        """
        return self._put(
            Pressed(Command.NEW_GAME), lambda table: _is_over(table) or may_leave(table)
        )

    def _put(self, message: Message, may_leave: MayLeave) -> Answer:
        answer: Answer = Future()
        self._inbox.put((message, answer, may_leave))
        return answer

    def later(self, work: Callable[[], None]) -> None:
        """Do something on the table's thread once no message has come for a moment.

        To be called on the table's thread alone, for instance by a listener that gets news.
        """
        self._later.append(work)

    def drain(self) -> None:
        """Wait until the inbox is empty and its last message was handled."""
        self._inbox.join()

    def _run(self) -> None:
        while (item := self._next()) is not None:
            message, answer, may_leave = item
            try:
                answer.set_result(self._handle(message, may_leave))
            except Exception as error:
                # The table must outlive any one message; the sender gets the error.
                log.exception("the message %r failed", message)
                answer.set_exception(error)
            finally:
                self._inbox.task_done()

    def _next(self) -> tuple[Message, Answer, MayLeave] | None:
        """The next message; None for the end. While none comes, do what ``later`` was given."""
        while self._later:
            try:
                return self._inbox.get(timeout=CALM)
            except queue.Empty:
                self._do(self._later.popleft())
        return self._inbox.get()

    def _do(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            log.exception("what was put off failed")

    def _handle(self, message: Message, may_leave: MayLeave) -> tuple[Outcome, ...]:
        outcomes = self.table.propose(message)
        takes_back = isinstance(message, Pressed) and message.instead
        if (takes_back or any(map(_is_undo, outcomes))) and not self.may_undo():
            outcomes = (Refused("undo_nothing", text="There is nothing to undo."),)
        updates: tuple[Update, ...]
        if Told(Command.NEW_GAME) in outcomes:
            outcomes, updates = self._open_new_game(may_leave)
        else:
            outcomes, updates = self._commit(outcomes)
        for outcome in outcomes:
            if outcome in (Told(Command.PAUSE), Told(Command.RESUME)):
                self.table.paused = outcome == Told(Command.PAUSE)
        news = News(message, outcomes, updates)
        for listener in self.listeners:
            self._tell(listener, news)
        if isinstance(message, Heard):
            self._note(message, outcomes)
        return outcomes

    def _tell(self, listener: Listener, news: News) -> None:
        """Give a listener the news. If it fails, the others still get them."""
        try:
            listener.told(news, self.table)
        except Exception:
            log.exception("%s failed at %r", type(listener).__name__, news.message)

    def _commit(
        self, outcomes: tuple[Outcome, ...]
    ) -> tuple[tuple[Outcome, ...], tuple[Update, ...]]:
        """Commit outcomes to the journal, then to the table.

        If the commit fails, nothing changes, and an outcome says so.
        """
        records = batches(outcomes, self.table.seq, self._clock())
        try:
            self.journal.append(records)
        except JournalError as error:
            log.error("%s", error)
            return (Refused("journal_failed", text=str(error)),), ()
        return outcomes, tuple(self._updates(outcomes, records))

    def _updates(self, outcomes: Sequence[Outcome], records: Sequence[Record]) -> list[Update]:
        by_batch: dict[int, list[Record]] = {}
        for record in records:
            by_batch.setdefault(record.batch, []).append(record)
        accepted = [outcome for outcome in outcomes if isinstance(outcome, Accepted)]
        return [
            self._take(outcome, batch)
            for outcome, batch in zip(accepted, by_batch.values(), strict=True)
        ]

    def _take(self, outcome: Accepted, records: list[Record]) -> Update:
        before = self.table.state
        self.table.commit(records, outcome)
        return Update(outcome.call, tuple(records), before, self.table.state)

    def _open_new_game(self, may_leave: MayLeave) -> tuple[tuple[Outcome, ...], tuple[Update, ...]]:
        before = self.table.state
        if not may_leave(self.table):
            return (Refused("match_running", text="The match is not over."),), ()
        old = self.journal
        try:
            self.journal, self.table = self._new_game()
        except JournalError as error:
            log.error("%s", error)
            return (Refused("journal_failed", text=str(error)),), ()
        _close(old)  # not before: if no other game can begin, the old one goes on
        records = tuple(self.table.records)
        update = Update(Command.NEW_GAME, records, before, self.table.state)
        return (Told(Command.NEW_GAME),), (update,)

    def _note(self, message: Heard, outcomes: tuple[Outcome, ...]) -> None:
        """Keep what was heard beside the journal: the evidence in a dispute."""
        try:
            for outcome in outcomes:
                kind, detail = describe(outcome)
                self.journal.note_heard(self._clock(), message.text, message.seat, kind, detail)
        except JournalError as error:
            log.error("%s", error)  # the game goes on; only the evidence lacks an entry


def _is_over(table: Table) -> bool:
    return table.state.phase is Phase.OVER


def _close(journal: Journal) -> None:
    """Close the journal of the last game. A disk that fails now does not harm the next game."""
    try:
        journal.close()
    except JournalError as error:
        log.error("%s", error)


def _is_undo(outcome: Outcome) -> bool:
    return isinstance(outcome, Accepted) and outcome.call is Command.UNDO


def describe(outcome: Outcome) -> tuple[str, str]:
    """The kind of an outcome and its detail, as the ``heard`` log keeps them."""
    match outcome:
        case Accepted():
            return "accepted", repr(outcome.call)
        case Ask():
            return "ask", outcome.code
        case Refused():
            return "refused", outcome.code
        case Ignored():
            return "ignored", outcome.code
        case Told():
            return "told", str(outcome.command)
