"""The records of a hall's games, for a dispute: what ``mus record`` prints at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.files.resources import load_phrases
from assistant.hall.hub.store import GameRow, JournalReader
from assistant.review.mus_record import load_words
from assistant.review.record import build, markdown
from assistant.rules.errors import HistoryError
from assistant.rules.history import fold
from assistant.table.snapshot.views import Brief, brief

MOST_LISTED = 20
"""Games of a table that are listed, the newest: each is read whole for how it stands."""
MOST_KEPT = 500
"""Games of which it is remembered how they stand."""


@dataclass(frozen=True, slots=True)
class _Stand:
    """How a game stands after so many of its records."""

    stored: int
    brief: Brief | None
    fault: bool


class Records:
    """The records of all tables. Each method raises DatabaseError.

    The hub has the calls and the cards, not what else was heard: that stays at the table.
    """

    def __init__(self, reader: JournalReader) -> None:
        self._reader = reader
        self._stands: dict[int, _Stand] = {}

    def games(self, table: str) -> list[dict[str, Any]]:
        """A table's games, the newest first: {"game", "opened", "deal", "brief", "fault"}.

        Of those that are too old to be listed, {"game"} and no more.
        """
        found = self._reader.games(table)[::-1]
        return [
            *(self._told(game) for game in found[:MOST_LISTED]),
            *({"game": game.game} for game in found[MOST_LISTED:]),
        ]

    def record(self, table: str, game: str) -> str | None:
        """A game's record as Markdown; None where there is nothing to tell of it.

        So it is where there is no such game, it has no deal yet, or its journal does not add up.
        """
        row = next((row for row in self._reader.games(table) if row.game == game), None)
        if row is None or row.stored == 0:
            return None
        phrases = load_phrases()
        try:
            records = self._reader.records(row.id, 0, row.stored)
            told = build(f"{table} {row.game}", records, [], phrases)
        except HistoryError:
            return None
        return markdown(told, load_words(), phrases)

    def _told(self, game: GameRow) -> dict[str, Any]:
        stand = self._stand(game)
        deal = stand.brief["deal"] if stand.brief else 0
        return {
            "game": game.game,
            "opened": game.opened,
            "deal": deal,
            "brief": stand.brief,
            "fault": stand.fault,
        }

    def _stand(self, game: GameRow) -> _Stand:
        known = self._stands.get(game.id)
        if known and known.stored == game.stored:
            return known
        try:
            state = fold(self._reader.records(game.id, 0, game.stored))
            stand = _Stand(game.stored, brief(state, game.stored) if state else None, fault=False)
        except HistoryError:
            stand = _Stand(game.stored, None, fault=True)
        if len(self._stands) >= MOST_KEPT:
            self._stands.clear()
        self._stands[game.id] = stand
        return stand
