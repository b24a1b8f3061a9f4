"""The hall's page: every table at once, for whoever is in the hall; and what watches the hub."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, HTTPException, NotFound

from assistant.hall.page_record import RecordsPort, add_record
from assistant.hall.page_tournaments import DeskPort, add_tournaments, is_free, refusal
from assistant.page.app import add_errors
from assistant.page.door import Keys, add_door, add_no_door
from assistant.page.guard import GUESTS, Guests, guard, own_address, qr_svg
from assistant.page.incoming import MAX_BODY
from assistant.page.stream import HEARTBEAT, NOTHING_YET, STREAM, Stream
from assistant.page.words import add_words
from assistant.rules.errors import MusError

GATHER = 0.1
"""Seconds between two messages to one page: what many tables change meanwhile goes in one."""
MOST_CODES = 200
"""Codes of tables on one page to print; more nobody cuts out at once."""
METRICS = "text/plain; version=0.0.4; charset=utf-8"
NOT_FOUND = 404
Answer = tuple[Response | str, int]


class HallBoard(Protocol):
    """All tables of a hall, as they are now."""

    @property
    def version(self) -> int:
        """Grows with every change."""

    def views(self, after: int = -1) -> Sequence[Mapping[str, Any]]:
        """The tables that changed after a version."""

    def view(self, table: str) -> Mapping[str, Any] | None:
        """One table; None where there is none of that name."""

    def wait(self, after: int, timeout: float) -> int:
        """The version, as soon as it is above ``after``, or after ``timeout`` seconds as it is."""


def create_hall_app(
    hall: HallBoard,
    *,
    web_dir: Path,
    keys: Keys | None = None,
    desk: DeskPort | None = None,
    records: RecordsPort | None = None,
    health: Callable[[], Mapping[str, Any]],
    metrics: Callable[[], bytes],
    heartbeat: float = HEARTBEAT,
) -> Flask:
    """Make the app over a hall. ``health`` has "ready" beside what it says of the parts.

    With ``keys`` other devices of the local network may look, and whoever knows the PIN may run the
    tournaments of the ``desk``, and read the ``records`` of the tables' games; without, it is this
    machine's alone.
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
    add_words(app, "hall", lambda: request.accept_languages.best or "")
    if keys:
        add_door(app, keys, free=is_free)
    else:
        add_no_door(app)

    def address() -> str:
        """Where telephones find the hall: this machine's own address, however it was asked."""
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
        if status == NOT_FOUND and _by_a_person():
            return render_template("hall-lost.html", kind="notHere"), status
        return jsonify(error=str(error), **refusal(error)), status

    @app.errorhandler(NotFound)
    @app.errorhandler(Forbidden)
    def not_here(error: HTTPException) -> Answer:
        status = error.code or NOT_FOUND
        if _by_a_person():
            kind = "notHere" if status == NOT_FOUND else "notYou"
            return render_template("hall-lost.html", kind=kind), status
        return jsonify(error=error.description), status

    add_errors(app)
    return app


def _by_a_person() -> bool:
    """Whether a browser's own window asks, rather than a page or a program."""
    wants = request.accept_mimetypes
    return request.method == "GET" and wants.quality("text/html") > wants.quality(
        "application/json"
    )


def _asked() -> int:
    """How many tables somebody wants codes of beforehand."""
    asked = request.args.get("tables", 0, type=int)
    return min(max(asked, 0), MOST_CODES)


def _numbered(many: int) -> list[str]:
    """The names that tables get where nobody gives them others."""
    return [f"mesa-{number}" for number in range(1, many + 1)]


class _HallSource:
    """The tables that a page does not have yet, or the whole hall; written once for each such."""

    def __init__(self, hall: HallBoard) -> None:
        self._hall = hall
        self.wait = hall.wait
        self._written: tuple[tuple[int, int], str] = (NOTHING_YET, NOTHING_YET), ""

    def newest(self, after: int) -> tuple[int, str]:
        """The version now, and the tables that changed after another, as JSON."""
        version = self._hall.version
        if version <= after:
            return version, ""
        if self._written[0] != (after, version):
            whole = after == NOTHING_YET
            told = {"version": version, "whole": whole, "tables": self._hall.views(after)}
            self._written = (after, version), json.dumps(told, separators=(",", ":"))
        return version, self._written[1]
