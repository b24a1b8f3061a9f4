"""A table's line to the hall's hub, from the runner's news to the uplink."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from assistant import __version__
from assistant.files.process import UsageError
from assistant.files.settings import Address
from assistant.hall.hub.broker import TABLE_LINE, remember_broker
from assistant.hall.hub.wire import Called
from assistant.page.house import House
from assistant.rules.history import undo_target
from assistant.rules.phases import Phase
from assistant.table.journal import Outbox
from assistant.table.runner import News, Runner
from assistant.table.snapshot.views import brief
from assistant.table.table import Table

log = logging.getLogger("mus.hub")

CONSUMER = "hub"
"""Whose place in each game the journal keeps."""


class Uplinked:
    """A listener that tells the uplink of every change; the table waits for nothing of it."""

    def __init__(
        self,
        address: Address,
        journal: Path,
        runner: Runner,
        on_line: Callable[[bool], None] = lambda _there: None,
    ) -> None:
        """Prepare it; ``on_line`` is told whether the hall is reached.

        Raises UsageError, AddressError, JournalError.
        """
        try:
            from assistant.hall.hub.uplink import Uplink, UplinkThread
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "paho":
                raise
            raise UsageError(
                "--hub needs parts that are not installed: start with ./scripts/run --hub, or "
                "type: pip install 'mus-assistant[hub]'."
            ) from None
        self.called: Called | None = None
        """The match that was called to this table: who plays the next game."""
        outbox = Outbox(journal, CONSUMER)
        try:
            self._uplink = Uplink(
                address, outbox, __version__, on_called=self._call, on_line=on_line
            )
        except BaseException:
            outbox.close()
            raise
        self._on_line = on_line
        self._thread = UplinkThread(self._uplink)
        self._runner = runner
        self._game = ""

    def start(self) -> None:
        """Send the present game, and whatever of earlier ones is not sent yet."""
        self._on_line(False)  # until it is
        self._show(self._runner.table)
        self._thread.start()

    def close(self) -> None:
        """End it; the next time it goes on where it was."""
        self._thread.stop()

    def told(self, news: News, table: Table) -> None:
        """Something changed."""
        if news.updates:
            self._show(table)

    def _call(self, called: Called | None) -> None:
        """Sit them down, unless somebody plays; then "nueva partida" does it when that is over."""
        self.called = called
        runner, table = self._runner, self._runner.table
        state, begun = table.state, undo_target(table.records) is not None
        if called is None or (
            # They sit there, and by other rules they may only be asked to begin, not to begin anew.
            called.seats == state.seats and (begun or called.allows(state.profile))
        ):
            return
        log.info("%s: %s", called.match, ", ".join(called.seats))
        if state.phase is Phase.OVER or not begun:
            runner.begin_anew(_untouched)  # unless somebody says something first

    def _show(self, table: Table) -> None:
        game = self._runner.journal.table_id
        if game != self._game:
            self._game = game
            self._uplink.take_up(game)
        self._uplink.show(brief(table.state, table.seq))


def _untouched(table: Table) -> bool:
    """Whether nobody has said anything in its game yet."""
    return undo_target(table.records) is None


def install(house: House) -> Uplinked | None:
    """Prepare a house's line to its hall; None where it has none, or keeps no journal to send.

    Which hall it is stays on this machine for the doctor. Raises UsageError, AddressError,
    JournalError.
    """
    settings = house.settings
    if not settings.listen:
        remember_broker(TABLE_LINE, settings.hub)
    if not settings.hub or not settings.journal:
        return None
    line = Uplinked(settings.hub, settings.journal, house.runner, house.board.hall)
    house.tell(line)
    return line
