"""Opens the game of a run: the one in progress or a new one, also from a damaged journal."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.files.atomic import Renames, beside, rename_together
from assistant.files.process import UsageError
from assistant.files.resources import languages
from assistant.files.settings import Settings
from assistant.files.terminal import output_text
from assistant.hall.hub.wire import Called
from assistant.language.lexicon import Lexicon
from assistant.language.script import DEFAULT_SEATS
from assistant.rules.engine import open_game
from assistant.rules.events import DealStarted, GameOpened
from assistant.rules.history import Record, number, undo_target
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.rules.state import State
from assistant.table.journal import (
    DamagedJournalError,
    Journal,
    MemoryJournal,
    SqliteJournal,
    latest_table,
    tables,
)
from assistant.table.journal.copy import (
    COMPANIONS,
    Saved,
    lost_commits,
    nobody_writes,
    save_what_is_sound,
)
from assistant.table.table import Table

# ---- A damaged journal is put aside, and a new one goes on with its sound records ---------------


ENDS = ("", *COMPANIONS)


def mend_journal(path: Path, lost: int = 0) -> str:
    """Put a damaged journal aside, and a new one with its sound records in its place.

    Returns what was lost, in sentences for people. The damaged file stays beside the new one.
    ``lost``: how many commits its log has lost, as ``lost_commits`` counts them. Raises
    JournalError, OSError.
    """
    with nobody_writes(path):
        aside = _aside(path)
        for end in ENDS:
            if _with(path, end).exists():
                _copy(_with(path, end), _with(aside, end))
        partly, _ = beside(path)
        for end in ENDS:
            _with(partly, end).unlink(missing_ok=True)
        saved = save_what_is_sound(path, partly)
        old = {_with(path, end): beside(_with(path, end))[1] for end in ENDS}
        for left in old.values():
            left.unlink(missing_ok=True)
        steps = (*((one, other) for one, other in old.items() if one.exists()), (partly, path))
        what = output_text("the damaged journal")
        rename_together(Renames(what, steps, waste=tuple(old.values())))
    damaged = output_text("The journal was damaged, and is now in {path}.", path=aside)
    return " ".join((damaged, *_told(saved, lost)))


def mend_log(path: Path) -> str:
    """Mend a journal whose log has lost commits, which nothing else would notice.

    Returns what ``mend_journal`` returns, or "" if nothing was lost. Call it before the journal is
    opened. Raises JournalError, OSError.
    """
    lost = lost_commits(path) if path.is_file() else 0
    return mend_journal(path, lost) if lost else ""


def _told(saved: list[Saved], lost: int) -> list[str]:
    told = [
        output_text(
            "Of {table}, {kept} records of {held} are kept.",
            table=one.table_id,
            kept=one.kept,
            held=one.held,
        )
        for one in saved
        if one.kept < one.held
    ]
    if lost:
        told.append(output_text("Of the last calls, {n} or more are lost.", n=lost))
    if told:
        return [*told, output_text("Check the score.")]
    return [output_text("No call is lost.")]


def _aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside


def _with(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _copy(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    with target.open("rb") as file:
        os.fsync(file.fileno())


# ---- Taking up the game in progress, or opening a new one ---------------------------------------


log = logging.getLogger("mus.journal")

SAME_EVENING_S = 3 * 3600.0
"""A match that ended less than these seconds ago is shown at a start; later a new one begins."""

Tongue = Callable[[Profile], Lexicon]
"""House rules -> the lexicon of their languages."""


@dataclass(frozen=True, slots=True)
class Game:
    """A table with its journal; ``resumed``: the game was in progress already."""

    journal: Journal
    table: Table
    resumed: bool

    def begin(self) -> None:
        """Write the opening of a new game, once all that it needs is ready.

        Raises JournalError, and then the game's journal is closed.
        """
        if self.resumed:
            return
        try:
            self.journal.append(self.table.records)
        except BaseException:
            self.journal.close()
            raise


def take_up(settings: Settings, tongue: Tongue) -> Game:
    """Go on with the journal's last game, or open one. Raises JournalError, UsageError.

    Options may repeat the rules, seats and mano of the game in progress, so that the same command
    line starts the table again after a power cut. If nobody has said anything in that game yet, a
    game with other rules, seats or mano replaces it. A match that has just ended is shown again, so
    that a power cut takes neither its score nor the undo of its last stone. A damaged journal is
    put aside, and the game goes on with its sound records.
    """
    path = settings.journal
    if not path:
        return open_new(settings, tongue)
    if told := mend_log(path):
        log.warning("%s", told)
    try:
        return _take_up(settings, tongue)
    except DamagedJournalError:
        log.warning("%s", mend_journal(path))
    return _take_up(settings, tongue)


def _take_up(settings: Settings, tongue: Tongue) -> Game:
    if not settings.journal or settings.new:
        return open_new(settings, tongue)
    table_id = latest_table(settings.journal)
    if table_id is None:
        return open_new(settings, tongue)
    journal = SqliteJournal(settings.journal, table_id)
    try:
        records = journal.read()
        table = Table(tongue(_profile_of(records)), records)
        in_progress = table.state.phase is not Phase.OVER
        if (in_progress or _is_just_over(records)) and _as_asked(settings, table):
            return Game(journal, table, resumed=True)
        if in_progress and undo_target(table.records) is not None:
            raise UsageError(
                "A game is in progress in {journal}, with other rules, seats or mano: "
                "leave out --profile, --rules, --seats and --mano to go on with it, or "
                "add --new to start another.",
                journal=settings.journal,
            )
    except BaseException:
        journal.close()
        raise
    journal.close()
    return open_new(settings, tongue, table.state)


def open_new(
    settings: Settings,
    tongue: Tongue,
    last: State | None = None,
    called: Called | None = None,
    beside: Journal | None = None,
) -> Game:
    """Prepare a game; ``begin`` opens it. Raises JournalError, ProfileError, HistoryError.

    Its rules and seats are those of the options, or else this table's usual ones, or else those of
    the ``last`` game. A match that a hall has ``called`` to the table has its own players and
    juegos, its tournament's rules if there are any, and the juegos that its referee gave to a pair.
    ``beside``: the journal of the game before, which stays open, so that that game can go on if
    this one cannot begin.
    """
    profile = settings.profile or told_in(
        settings.usual_profile or (last.profile if last else Profile()), settings.language
    )
    seats = settings.seats or settings.usual_seats or (last.seats if last else DEFAULT_SEATS)
    if called:
        seats = called.seats
        profile = called.profile(profile)
    given = called.given if called and any(called.given) else ()
    events = open_game(profile, seats, settings.mano, given)
    table = Table(tongue(profile), number(events, 0, time.time()))
    return Game(_new_journal(settings.journal, beside), table, resumed=False)


def _new_journal(path: Path | None, beside: Journal | None) -> Journal:
    """An empty journal. Raises JournalError."""
    if not path:
        return MemoryJournal()
    name = f"game-{len(tables(path)) + 1}"
    # A file has one writer, so whoever holds it opens the next game, too.
    return beside.another(name) if isinstance(beside, SqliteJournal) else SqliteJournal(path, name)


def told_in(profile: Profile, language: str) -> Profile:
    """The same rules with another language for the voice; calls in it are understood, too."""
    if not language:
        return profile
    understood = language in profile.calls or language not in languages("lexicon")
    calls = profile.calls if understood else (*profile.calls, language)
    return replace(profile, voice=language, calls=calls)


def _profile_of(records: Sequence[Record]) -> Profile:
    """The house rules of a game; the default ones if no game was opened (the table refuses it)."""
    opened = next((r.event for r in records if isinstance(r.event, GameOpened)), None)
    return opened.profile if opened else Profile()


def _is_just_over(records: Sequence[Record]) -> bool:
    """Whether a match ended this evening, or may have: a clock that was lost is in the past."""
    return records[-1].at > time.time() - SAME_EVENING_S


def _as_asked(settings: Settings, table: Table) -> bool:
    """Whether the game in progress has the rules, the seats and the mano that were asked for."""
    state = table.state
    first = next((r.event.mano for r in table.records if isinstance(r.event, DealStarted)), None)
    return (
        settings.profile in (None, state.profile)
        and settings.seats in (None, state.seats)
        and settings.mano in (None, first)
    )
