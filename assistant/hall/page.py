"""The hall's page: the board of all tables, the hub's health and metrics, the games' records."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, HTTPException, NotFound

from assistant.files.resources import load_phrases
from assistant.hall.page_tournaments import DeskPort, add_tournaments, is_free, refusal
from assistant.page.app import add_errors, add_words, by_a_person, pack
from assistant.page.door import MAY_TOUCH, Keys, add_door, add_no_door
from assistant.page.guard import GUESTS, Guests, guard, own_address, qr_svg
from assistant.page.incoming import MAX_BODY
from assistant.page.stream import HEARTBEAT, NOTHING_YET, STREAM, Stream
from assistant.review.mus_record import load_words
from assistant.review.record import build, markdown
from assistant.rules.errors import HistoryError, MusError
from assistant.rules.history import fold
from assistant.table.snapshot.views import Brief, brief

if TYPE_CHECKING:  # mus hub --help works where SQLAlchemy is not installed
    from assistant.hall.hub.store import GameRow, JournalReader

GATHER = 0.1
"""Least seconds between two messages to one page; changes of many tables go in one."""
MOST_CODES = 200
"""Most QR codes on one page for printing."""
METRICS = "text/plain; version=0.0.4; charset=utf-8"
NOT_FOUND = 404
Answer = tuple[Response | str, int]


class HallBoard(Protocol):
    """The live board of a hall: all tables as they are now."""

    @property
    def version(self) -> int:
        """A number that grows with every change."""

    def views(self, after: int = -1) -> Sequence[Mapping[str, Any]]:
        """The tables that changed after a version; by default all."""

    def view(self, table: str) -> Mapping[str, Any] | None:
        """One table; None if there is none of that name."""

    def wait(self, after: int, timeout: float) -> int:
        """Wait until the version is above ``after``, at most ``timeout`` seconds; returns it."""


def create_hall_app(
    hall: HallBoard,
    *,
    web_dir: Path,
    keys: Keys | None = None,
    desk: DeskPort | None = None,
    records: Records | None = None,
    health: Callable[[], Mapping[str, Any]],
    metrics: Callable[[], bytes],
    heartbeat: float = HEARTBEAT,
) -> Flask:
    """Make the Flask app of a hall.

    Args:
        hall: The live board.
        web_dir: The folder with the templates and the static files.
        keys: The PIN and the secret. With them other devices of the local network may look, and
            whoever knows the PIN is the referee. Without them only this machine is served.
        desk: The tournaments, which the referee runs; None for a hall without.
        records: The records of the tables' games, which the referee reads; None to leave them out.
        health: The state of the hub's parts; "ready" says whether all of them work.
        metrics: The metrics as Prometheus reads them.
        heartbeat: Seconds between two signs of life in a stream without news.
    """
    lan = keys is not None
    folder = web_dir.resolve()
    app = Flask(
        "mus-hub", static_folder=str(folder / "static"), template_folder=str(folder / "templates")
    )
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    stream = Stream(_HallSource(hall), heartbeat=heartbeat, gather=GATHER)
    app.extensions[STREAM] = stream
    app.extensions[GUESTS] = Guests()
    guard(app, lan=lan)
    pack(app)
    add_words(app, "hall", lambda: request.accept_languages.best or "")
    if keys:
        add_door(app, keys, free=is_free)
    else:
        add_no_door(app)

    def address() -> str:
        """The address at which telephones find the hall, whatever address was asked."""
        if not lan:
            return request.host_url
        return f"http://{own_address()}:{request.environ['SERVER_PORT']}/"

    if desk:
        add_tournaments(app, desk, address)
    if records:
        add_record(app, records, lambda table: hall.view(table) is not None)

    @app.get("/")
    def board() -> str:
        return render_template("hall.html", screen=False, table=None, tournaments=desk is not None)

    @app.get("/t/<table>")
    def one(table: str) -> str:
        if hall.view(table) is None:
            raise NotFound("There is no such table in this hall.")
        return render_template("hall.html", screen=False, table=table)

    @app.get("/qr")
    def codes() -> str:
        asked = _asked()
        there = [view["table"] for view in hall.views()]
        names = dict.fromkeys([*there, *_numbered(asked)])
        tables = sorted(names, key=lambda name: (len(name), name))
        shown = {"tables": tables, "asked": asked, "most": MOST_CODES, "url": address()}
        return render_template("hall-qr.html", **shown)

    @app.get("/qr/<table>.svg")
    def code(table: str) -> Response:
        if hall.view(table) is None and table not in _numbered(_asked()):
            raise NotFound("There is no such table in this hall.")
        return Response(qr_svg(f"{address()}t/{table}"), mimetype="image/svg+xml")

    @app.get("/screen")
    def screen() -> str:
        return render_template("hall.html", screen=True, table=None, tournaments=desk is not None)

    @app.get("/api/hall")
    def tables() -> Response:
        return jsonify(version=hall.version, tables=hall.views())

    @app.get("/api/hall/<table>")
    def table(table: str) -> Response:
        found = hall.view(table)
        if found is None:
            raise NotFound("There is no such table in this hall.")
        return jsonify(found)

    @app.get("/events")
    def events() -> Response:
        return stream.response()

    @app.get("/healthz")
    def healthz() -> Response:
        return jsonify(ok=True)

    @app.get("/readyz")
    def readyz() -> tuple[Response, int]:
        state = health()
        return jsonify(state), 200 if state["ready"] else 503

    @app.get("/metrics")
    def watched() -> Response:
        return Response(metrics(), content_type=METRICS)

    @app.errorhandler(MusError)
    def refused(error: MusError) -> Answer:
        status = getattr(error, "status", 409)
        if status == NOT_FOUND and by_a_person():
            return render_template("hall-lost.html", kind="notHere"), status
        return jsonify(error=str(error), **refusal(error)), status

    @app.errorhandler(NotFound)
    @app.errorhandler(Forbidden)
    def not_here(error: HTTPException) -> Answer:
        status = error.code or NOT_FOUND
        if by_a_person():
            kind = "notHere" if status == NOT_FOUND else "notYou"
            return render_template("hall-lost.html", kind=kind), status
        return jsonify(error=error.description), status

    add_errors(app)
    return app


def _asked() -> int:
    """The number of tables that have not come yet and for which codes are wanted."""
    asked = request.args.get("tables", 0, type=int)
    return min(max(asked, 0), MOST_CODES)


def _numbered(many: int) -> list[str]:
    """The usual names of so many tables."""
    return [f"mesa-{number}" for number in range(1, many + 1)]


class _HallSource:
    """The source of the stream: the tables that a page lacks, as JSON, cached for all pages."""

    def __init__(self, hall: HallBoard) -> None:
        self._hall = hall
        self.wait = hall.wait
        self._written: tuple[tuple[int, int], str] = (NOTHING_YET, NOTHING_YET), ""

    def newest(self, after: int, language: str) -> tuple[int, str]:  # noqa: ARG002
        """The present version, and the tables that changed after ``after``, as JSON."""
        version = self._hall.version
        if version <= after:
            return version, ""
        if self._written[0] != (after, version):
            whole = after == NOTHING_YET
            told = {"version": version, "whole": whole, "tables": self._hall.views(after)}
            self._written = (after, version), json.dumps(told, separators=(",", ":"))
        return version, self._written[1]


# ---- The records of games, as ``mus record`` prints them, for the referee ------------------------

MOST_LISTED = 20
"""The most games of a table that are listed in full, because each has to be read completely."""
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

    The hub has the calls and the cards. Everything else that was heard stays at the table.
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


# ---- The pages of a table's games ----------------------------------------------------------------


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
