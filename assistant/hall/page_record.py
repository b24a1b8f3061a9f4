"""The records of a hall's games, as ``mus record`` prints them, on a page for the referee."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, NotFound

from assistant.files.resources import load_phrases
from assistant.page.door import MAY_TOUCH
from assistant.review.mus_record import load_words
from assistant.review.record import build, markdown
from assistant.rules.errors import HistoryError
from assistant.rules.history import fold
from assistant.table.snapshot.views import Brief, brief

if TYPE_CHECKING:  # mus hub --help works where SQLAlchemy is not installed
    from assistant.hall.hub.store import GameRow, JournalReader

MOST_LISTED = 20
"""Games of a table that are listed in full, the newest ones. Each has to be read whole."""
MOST_KEPT = 500
"""Games whose standing is cached."""


@dataclass(frozen=True, slots=True)
class _Stand:
    """The standing of a game after its first ``stored`` records."""

    stored: int
    brief: Brief | None
    fault: bool


class Records:
    """The records of all games of a hall. Each method raises DatabaseError.

    The hub has the calls and the cards. What else was heard stays at the table.
    """

    def __init__(self, reader: JournalReader) -> None:
        self._reader = reader
        self._stands: dict[int, _Stand] = {}

    def games(self, table: str) -> list[dict[str, Any]]:
        """A table's games, the newest first: {"game", "opened", "deal", "brief", "fault"}.

        Games behind the first ``MOST_LISTED`` have only {"game"}.
        """
        found = self._reader.games(table)[::-1]
        return [
            *(self._told(game) for game in found[:MOST_LISTED]),
            *({"game": game.game} for game in found[MOST_LISTED:]),
        ]

    def record(self, table: str, game: str) -> str | None:
        """A game's record as Markdown.

        None if there is no such game, it has no deal yet, or its journal does not fold.
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


# ---- The page ------------------------------------------------------------------------------------


def add_record(app: Flask, records: Records, known: Callable[[str], bool]) -> None:
    """Add the routes of a table's games; ``known``: whether the hall has such a table."""

    def games_of(table: str) -> Sequence[Mapping[str, Any]]:
        games = records.games(table)
        if not games and not known(table):
            raise NotFound("There is no such table in this hall.")
        return games

    @app.get("/t/<table>/record")
    def record_page(table: str) -> tuple[str, int]:
        if not app.extensions[MAY_TOUCH]():  # the page asks for the PIN
            return render_template("hall-record.html", table=table, game="", word="", text=""), 403
        games = games_of(table)
        asked = request.args.get("game")
        chosen = _chosen(games, asked)
        text = records.record(table, chosen["game"]) if chosen else None
        word = "" if text else _why_none(games, chosen, asked)
        game = chosen["game"] if chosen else ""
        page = render_template("hall-record.html", table=table, game=game, word=word, text=text)
        return page, 404 if asked and not chosen else 200

    @app.get("/api/hall/<table>/games")
    def games_of_table(table: str) -> Response:
        if not app.extensions[MAY_TOUCH]():
            raise Forbidden("Tell the hall's PIN first: the record is for the referee.")
        games = games_of(table)
        listed = [game for game in games if "brief" in game]
        return jsonify(games=listed, older=len(games) - len(listed))


def _chosen(games: Sequence[Mapping[str, Any]], asked: str | None) -> Mapping[str, Any] | None:
    """The game that was asked for, else the newest with a deal, else the newest."""
    if asked:
        return next((game for game in games if game["game"] == asked), None)
    dealt = next((game for game in games if game.get("deal")), None)
    return dealt or next(iter(games), None)


def _why_none(
    games: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any] | None, asked: str | None
) -> str:
    """The key of the page's sentence that says why there is no record."""
    if not chosen:
        return "recordUnknown" if asked and games else "recordNoGames"
    return "recordFault" if chosen.get("fault") else "recordEmpty"
