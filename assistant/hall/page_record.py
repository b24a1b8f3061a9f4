"""The page with the record of a table's game, for the referee of a dispute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, NotFound

from assistant.page.door import MAY_TOUCH


class RecordsPort(Protocol):
    """The records of all games of a hall."""

    def games(self, table: str) -> Sequence[Mapping[str, Any]]:
        """A table's games, the newest first; with "deal" and "fault" where they are listed."""

    def record(self, table: str, game: str) -> str | None:
        """A game's record as text; None where there is nothing to tell of it."""


def add_record(app: Flask, records: RecordsPort, known: Callable[[str], bool]) -> None:
    """Add what is told of a table's games; ``known``: whether there is such a table in the hall."""

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
    """The game that is asked for, else the newest that has a deal, else the newest."""
    if asked:
        return next((game for game in games if game["game"] == asked), None)
    dealt = next((game for game in games if game.get("deal")), None)
    return dealt or next(iter(games), None)


def _why_none(
    games: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any] | None, asked: str | None
) -> str:
    """Which of the page's sentences says why there is no record."""
    if not chosen:
        return "recordUnknown" if asked and games else "recordNoGames"
    return "recordFault" if chosen.get("fault") else "recordEmpty"
