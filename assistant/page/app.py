"""The Flask app: the page, its snapshots, its taps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from flask import Flask, Response, jsonify, redirect, render_template, request
from werkzeug import Response as WerkzeugResponse
from werkzeug.exceptions import HTTPException

from assistant.messages import CardsSeen, Pressed
from assistant.page.door import Keys, add_door, add_no_door
from assistant.page.guard import GUESTS, Guests, guard
from assistant.page.incoming import MAX_BODY, body_of, cards, pressed
from assistant.page.port import Board, BoardError
from assistant.page.stream import HEARTBEAT, STREAM, Stream, TableSource
from assistant.page.words import add_words


def bare_app(
    board: Board,
    *,
    web_dir: Path,
    keys: Keys | None = None,
    heartbeat: float = HEARTBEAT,
    free: Callable[[str], bool] = lambda _path: False,
) -> Flask:
    """Make an app that has its guard, its door and its stream, and no page yet.

    ``web_dir`` holds ``templates`` and ``static``. With ``keys`` other devices of the local network
    may open the page, and whoever knows the PIN may touch it; without, it is this machine's alone.
    ``heartbeat`` is in seconds. ``free``: whether a path needs no PIN.
    """
    folder = web_dir.resolve()
    app = Flask(
        "mus", static_folder=str(folder / "static"), template_folder=str(folder / "templates")
    )
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    app.extensions[STREAM] = Stream(TableSource(board), heartbeat=heartbeat)
    app.extensions[GUESTS] = Guests()
    guard(app, lan=keys is not None)
    add_words(app, "table", lambda: board.snapshot()["language"])
    if keys:
        add_door(app, keys, free=free)
    else:
        add_no_door(app)
    return app


def stream_of(app: Flask) -> Stream:
    """The listeners of an app."""
    stream: Stream = app.extensions[STREAM]
    return stream


def add_pages(app: Flask, there: Mapping[str, bool], fresh: Callable[[], bool]) -> None:
    """Add the table's page; ``there``: which features have pages of their own.

    While the table is ``fresh``, nobody has set it up, and its page leads to where that is done.
    """

    @app.get("/")
    def table() -> str | WerkzeugResponse:
        if fresh():
            return redirect("/setup")
        return render_template("table.html", **there)

    @app.get("/watch")
    def watch() -> str:
        return render_template("table.html", **there, watch=True)

    @app.get("/phone")
    def phone() -> str:
        return render_template("phone.html", **there)

    @app.get("/sw.js")
    def service_worker() -> Response:
        # At the top, for it may keep only what lies beneath it.
        return app.send_static_file("sw.js")

    @app.get("/healthz")
    def healthz() -> Response:
        return jsonify(ok=True)


def add_api(app: Flask, board: Board) -> None:
    """Add what the table's page asks for: snapshots, the stream, taps."""

    @app.get("/api/snapshot")
    def snapshot() -> Response:
        return jsonify(board.snapshot())

    @app.get("/events")
    def events() -> Response:
        return stream_of(app).response()

    @app.post("/api/press")
    def press() -> Response:
        return _told(board, pressed(body_of(request)))

    @app.post("/api/cards")
    def show_cards() -> Response:
        return _told(board, cards(body_of(request), board.snapshot()["deal"]))


def _told(board: Board, message: Pressed | CardsSeen) -> Response:
    return jsonify(outcomes=board.press(message))


def add_errors(app: Flask) -> None:
    """Answer every error as JSON with one sentence."""

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> tuple[Response, int, dict[str, str]]:
        # The error's own headers (Allow, Retry-After) go along; its HTML body does not.
        headers = {k: v for k, v in error.get_headers() if k.lower() != "content-type"}
        return jsonify(error=error.description), error.code or 500, headers

    @app.errorhandler(BoardError)
    def no_board(error: BoardError) -> tuple[Response, int]:
        return jsonify(error=str(error)), 503
