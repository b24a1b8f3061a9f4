"""Taking up the game in progress, or opening a new one."""

from __future__ import annotations

import time
from dataclasses import dataclass

from assistant.app.errors import UsageError
from assistant.app.settings import Settings
from assistant.journal import Journal, MemoryJournal, SqliteJournal, latest_table, tables
from assistant.lexicon import Lexicon
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.phases import Phase
from assistant.table import Table


@dataclass(frozen=True, slots=True)
class Game:
    """A table with its journal; ``resumed`` where it was in progress already."""

    journal: Journal
    table: Table
    resumed: bool


def take_up(settings: Settings, lexicon: Lexicon) -> Game:
    """Go on with the journal's last game if it is not over. Raises JournalError, UsageError."""
    if settings.journal and not settings.new:
        table_id = latest_table(settings.journal)
        if table_id is not None:
            journal = SqliteJournal(settings.journal, table_id)
            try:
                table = Table(lexicon, journal.read())
            except BaseException:
                journal.close()
                raise
            if table.state.phase is not Phase.OVER:
                return _resumed(settings, journal, table)
            journal.close()
    return open_new(settings, lexicon)


def open_new(settings: Settings, lexicon: Lexicon) -> Game:
    """Open a game with the rules and seats of the settings. Raises JournalError."""
    journal: Journal
    if settings.journal:
        journal = SqliteJournal(settings.journal, f"game-{len(tables(settings.journal)) + 1}")
    else:
        journal = MemoryJournal()
    opening = number(open_game(settings.profile, settings.seats, settings.mano), 0, time.time())
    journal.append(opening)
    return Game(journal, Table(lexicon, opening), resumed=False)


def _resumed(settings: Settings, journal: Journal, table: Table) -> Game:
    if settings.game_given:
        journal.close()
        raise UsageError(
            f"A game is in progress in {settings.journal}, with rules and seats of its own: leave "
            "out --rules, --seats and --mano to go on with it, or add --new to start another."
        )
    return Game(journal, table, resumed=True)
