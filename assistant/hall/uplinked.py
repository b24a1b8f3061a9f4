"""A table's connection to the hall's hub: it passes the runner's news to the uplink."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypedDict

from assistant import __version__
from assistant.files.atomic import write_whole
from assistant.files.process import UsageError
from assistant.files.settings import Address
from assistant.hall.hub.broker import TABLE_LINE, remember_broker
from assistant.hall.hub.wire import Called
from assistant.rules.history import undo_target
from assistant.rules.phases import Phase
from assistant.rules.state import State, side_letters
from assistant.table.journal import Outbox
from assistant.table.runner import News, Runner
from assistant.table.snapshot.views import brief
from assistant.table.table import Table

if TYPE_CHECKING:  # commands use this module without the page
    from assistant.page.house import House

log = logging.getLogger("mus.hub")

CONSUMER = "hub"
"""The name of the consumer whose position in each game the journal keeps."""


@dataclass(frozen=True, slots=True)
class MatchNote:
    """The hall's decisions about the match that is played here, which its game does not count.

    ``more``: juegos for each side, fewer than 0 if they were taken back; ``winner``: the side that
    has enough with them, or "". ``decided``: the match has its result. ``seats``: who is called to
    the table, while others play there; () if nobody is. ``ends``: when the round ends by itself,
    in Unix seconds, once that is near.
    """

    more: tuple[int, int] = (0, 0)
    winner: str = ""
    decided: bool = False
    seats: tuple[str, ...] = ()
    ends: int = 0


NO_NOTE = MatchNote()


class MatchPhrases(Protocol):
    """The sentences of the note, in one language."""

    def of_the_match(
        self, state: State, more: tuple[int, ...], winner: str = "", *, decided: bool = False
    ) -> str:
        """The decisions on the match; "" if there are none."""

    def round_ends(self, hour: str) -> str:
        """When the round ends by itself."""

    def next_match(self, seats: Sequence[str]) -> str:
        """Who is called to the table."""


class MatchView(TypedDict):
    """The note in words, and the juegos for each side that the game does not count.

    It is shown until the table's journal has more than ``seq`` records; None: as long as it holds.
    ``next``: others are called to the table, and their game may be begun.
    """

    text: str
    more: list[int]
    seq: int | None
    next: bool


class Uplinked:
    """A listener that passes every change to the uplink. The table never waits for it."""

    def __init__(
        self,
        address: Address,
        journal: Path,
        runner: Runner,
        on_line: Callable[[bool], None] = lambda _there: None,
        on_note: Callable[[MatchNote], None] = lambda _note: None,
    ) -> None:
        """Prepare it; ``on_line`` gets whether the hall is reached, ``on_note`` each new note.

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
        self._on_note = on_note
        self._kept: dict[str, str] = {}
        self._memory = journal.with_name(f"{journal.name}.match")
        self._game = ""
        self._match = ""  # the one that the present game is, if that is known
        self._decided = False
        self._noted = NO_NOTE
        runner.may_leave = self._waits

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
            self._note()

    def note(self) -> MatchNote:
        """The hall's decisions about the match that is played here."""
        called, table = self.called, self._runner.table
        state = table.state
        if called is not None and self._waits(table) and state.phase is not Phase.OVER:
            return MatchNote(seats=called.seats)
        if not self._match or state.phase is Phase.OVER or state.sides != 2:
            return NO_NOTE
        if called is None:
            return MatchNote(decided=self._decided and not _untouched(table))
        if called.match != self._match:
            return NO_NOTE
        opened = state.given or (0, 0)
        more = called.given[0] - opened[0], called.given[1] - opened[1]
        won = (state.juegos[0] + more[0], state.juegos[1] + more[1])
        enough = any(more) and called.vacas == 1 and max(won) >= state.profile.juegos
        if enough:
            return MatchNote(more, side_letters(2)[won.index(max(won))])
        return MatchNote(more, ends=called.ends)

    def _waits(self, table: Table) -> bool:
        """Whether others are called to the table than those who play there."""
        called = self.called
        return (
            called is not None
            and called.match != self._match
            and (called.seats != table.state.seats)
        )

    def _note(self) -> None:
        note = self.note()
        if note != self._noted:
            self._noted = note
            self._on_note(note)

    def _call(self, called: Called | None) -> None:
        """Begin the game of a called match, unless a match that is still open is played here.

        Then "nueva partida" begins it after that game. A game whose match has its result, or has
        got another table, does not hold it up: the hall has called the next match in spite of it.
        """
        self.called = called
        if called is None:
            self._decided = True
        else:
            game = self._runner.journal.table_id
            if self._match not in {"", called.match}:
                self._runner.begin_anew(lambda _table: self._runner.journal.table_id == game)
            elif self._begins(called):
                self._runner.begin_anew(_untouched)  # unless somebody says something first
            self._decided = False
        self._note()

    def _begins(self, called: Called) -> bool:
        """Whether a game has to begin for a match that is new here, or is the present one."""
        table = self._runner.table
        state, begun = table.state, not _untouched(table)
        over = state.phase is Phase.OVER
        if self._match != called.match and called.seats != state.seats:
            return over or not begun
        self._is(called.match)
        if over:
            return self._decided  # its result was voided, and it is played again
        # They sit there, and by other rules they may only be asked to begin, not to begin anew.
        given = called.given == (state.given or (0, 0))
        as_called = called.seats == state.seats and called.allows(state.profile) and given
        return not begun and not as_called

    def _show(self, table: Table) -> None:
        game = self._runner.journal.table_id
        if game != self._game:
            taken_up, self._game = not self._game, game
            self._uplink.take_up(game)
            called = self.called
            here = called is not None and called.seats == table.state.seats
            self._is(called.match if called and here else self._remembered() if taken_up else "")
        self._uplink.show(brief(table.state, table.seq))

    def _is(self, match: str) -> None:
        """Which match the present game is, "" for none; a table that is started anew knows it."""
        self._match = match
        known = {"game": self._game, "match": match}
        if known == self._kept or (not match and not self._kept):
            return
        self._kept = known
        try:
            write_whole(self._memory, json.dumps(known))
        except OSError as error:
            log.warning("Which match the game is could not be kept: %s", error)

    def _remembered(self) -> str:
        """The match that the present game was when this table was stopped; "" if none is known."""
        try:
            kept = json.loads(self._memory.read_text("utf-8"))
            return str(kept["match"]) if kept["game"] == self._game else ""
        except (OSError, ValueError, KeyError, TypeError):
            return ""


def _untouched(table: Table) -> bool:
    """Whether nobody has said anything in a table's game yet."""
    return undo_target(table.records) is None


def install(
    house: House, say: Callable[[str, Table], None] = lambda _text, _table: None
) -> Uplinked | None:
    """Prepare a house's line to its hall; None where it has none, or keeps no journal to send.

    What the hall decides about the match is shown by the pages, and given to ``say``. Which hall it
    is stays on this machine for the doctor. Raises UsageError, AddressError, JournalError.
    """
    settings = house.settings
    if not settings.listen:
        remember_broker(TABLE_LINE, settings.hub)
    if not settings.hub or not settings.journal:
        return None

    def words(note: MatchNote, ends: Callable[[int], str], phrases: MatchPhrases) -> str:
        state = house.runner.table.state
        if note.seats:
            return phrases.next_match(note.seats)
        text = phrases.of_the_match(state, note.more, note.winner, decided=note.decided)
        return " ".join(filter(None, (text, ends(note.ends) if note.ends else "")))

    def left(ends: int) -> str:
        minutes = math.ceil((ends - time.time()) / 60)
        return house.phrases.round_ends_in(minutes) if minutes > 0 else ""

    def noted(note: MatchNote) -> None:
        told["seq"] = house.runner.table.seq
        house.board.refresh()
        if text := words(note, left, house.phrases):
            say(text, house.runner.table)

    def shown(phrases: MatchPhrases = house.phrases) -> dict[str, MatchView]:
        def hour(ends: int) -> str:
            return phrases.round_ends(time.strftime("%H:%M", time.localtime(ends)))

        note = line.note()
        stays = note.decided or note.winner
        seq = None if stays else told["seq"]
        # Of several vacas a page shows the present one, and the juego may be of an earlier one.
        more = note.more if house.runner.table.state.profile.vacas == 1 else (0, 0)
        return {
            "match": {
                "text": words(note, hour, phrases),
                "more": list(more),
                "seq": seq,
                "next": bool(note.seats),
            }
        }

    told = {"seq": 0}
    line = Uplinked(settings.hub, settings.journal, house.runner, house.board.hall, noted)
    house.board.extend(shown, shown)
    house.tell(line)
    return line
