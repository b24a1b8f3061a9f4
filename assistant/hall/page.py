"""The hall's page: the Flask app with the board of all tables, and the hub's health and metrics."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import Forbidden, HTTPException, NotFound

from assistant.hall.page_record import Records, add_record
from assistant.hall.page_tournaments import DeskPort, add_tournaments, is_free, refusal
from assistant.page.app import add_errors, add_words
from assistant.page.door import Keys, add_door, add_no_door
from assistant.page.guard import GUESTS, Guests, guard, own_address, qr_svg
from assistant.page.incoming import MAX_BODY
from assistant.page.stream import HEARTBEAT, NOTHING_YET, STREAM, Stream
from assistant.rules.errors import MusError

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
    """Whether a person opens the address in a browser, rather than a script or a program."""
    wants = request.accept_mimetypes
    return request.method == "GET" and wants.quality("text/html") > wants.quality(
        "application/json"
    )


def _asked() -> int:
    """For how many tables that have not come yet codes are wanted."""
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

    def newest(self, after: int) -> tuple[int, str]:
        """The present version, and the tables that changed after ``after``, as JSON."""
        version = self._hall.version
        if version <= after:
            return version, ""
        if self._written[0] != (after, version):
            whole = after == NOTHING_YET
            told = {"version": version, "whole": whole, "tables": self._hall.views(after)}
            self._written = (after, version), json.dumps(told, separators=(",", ":"))
        return version, self._written[1]
