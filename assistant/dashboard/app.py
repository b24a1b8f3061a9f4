"""The Flask app: the page, its snapshots, its taps."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, jsonify, redirect, render_template, request
from werkzeug import Response as WerkzeugResponse
from werkzeug.exceptions import HTTPException

from assistant.dashboard.apprentice import add_apprentice
from assistant.dashboard.classroom import add_classroom, is_learning
from assistant.dashboard.door import Keys, add_door, add_no_door
from assistant.dashboard.eye import add_camera, add_workshop
from assistant.dashboard.guard import guard
from assistant.dashboard.guests import GUESTS, Guests
from assistant.dashboard.history import add_history
from assistant.dashboard.incoming import MAX_BODY, body_of, cards, pressed
from assistant.dashboard.odds import add_odds
from assistant.dashboard.port import (
    Board,
    BoardError,
    Camera,
    History,
    Learner,
    Setup,
    Voices,
    Workshop,
)
from assistant.dashboard.practice import Practice, add_practice
from assistant.dashboard.report import Reports, add_report
from assistant.dashboard.setup import add_setup
from assistant.dashboard.stream import HEARTBEAT, STREAM, Stream, TableSource
from assistant.dashboard.teaching import Classroom
from assistant.messages import CardsSeen, Pressed


def create_app(
    board: Board,
    *,
    web_dir: Path,
    keys: Keys | None = None,
    heartbeat: float = HEARTBEAT,
    camera: Camera | None = None,
    workshop: Workshop | None = None,
    history: History | None = None,
    setup: Setup | None = None,
    voices: Voices | None = None,
    learner: Learner | None = None,
    classroom: Classroom | None = None,
    practice: Practice | None = None,
    odds: Path | None = None,
    reports: Reports | None = None,
) -> Flask:
    """Make the app over a board, its history, a camera and its decks, and what sets all that up.

    ``web_dir`` holds ``templates`` and ``static``. With ``keys`` other devices of the local network
    may open the page, and whoever knows the PIN may touch it; without, it is this machine's alone.
    ``heartbeat`` is in seconds. With ``practice`` the table is one against the computer.
    ``odds`` is the file of the odds of all hands.
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
    if keys:
        add_door(app, keys, free=is_learning)
    else:
        add_no_door(app)
    there = {
        "eye": camera is not None,
        "past": history is not None,
        "sets": setup is not None,
        "learns": learner is not None,
    }
    there |= {"teaches": classroom is not None, "odds": odds is not None}
    there["reports"] = reports is not None
    if practice:
        add_practice(app, practice, there)  # first, for the front door is its own
    _add_pages(app, there, setup)
    _add_api(app, board)
    if camera:
        add_camera(app, board, camera)
    if history:
        add_history(app, history, there)
    if learner:
        add_apprentice(app, learner)
    if workshop:
        add_workshop(app, workshop)
    if setup:
        add_setup(app, setup, voices)
    if classroom:
        add_classroom(app, classroom)
    if odds:
        add_odds(app, odds)
    if reports:
        add_report(app, reports)
    add_errors(app)
    return app


def stream_of(app: Flask) -> Stream:
    """The listeners of an app."""
    stream: Stream = app.extensions[STREAM]
    return stream


def _add_pages(app: Flask, there: dict[str, bool], setup: Setup | None) -> None:
    @app.get("/")
    def table() -> str | WerkzeugResponse:
        if setup and setup.fresh():
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


def _add_api(app: Flask, board: Board) -> None:
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
