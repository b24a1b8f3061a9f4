"""The record of a hall's game, for a dispute: what ``mus record`` prints at a table."""

from __future__ import annotations

from collections.abc import Callable

from assistant.app.record import load_words
from assistant.app.resources import load_phrases
from assistant.hub.reader import Reader
from assistant.record import build, markdown

Recorder = Callable[[str], str | None]


def recorder(reader: Reader) -> Recorder:
    """What gives the record of a table's newest game as Markdown; None where it has none.

    The hub has the calls and the cards, not what else was heard: that stays at the table. Raises
    HistoryError where the journal does not add up, DatabaseError.
    """

    def record(table: str) -> str | None:
        games = reader.games(table)
        if not games or games[-1].stored == 0:
            return None
        game = games[-1]
        phrases = load_phrases()
        records = reader.records(game.id, 0, game.stored)
        return markdown(build(f"{table} {game.game}", records, [], phrases), load_words(), phrases)

    return record
