"""The page of the one who learns: what was said, what may be said, and how it sounds."""

from __future__ import annotations

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import BadRequest, NotFound

from assistant.dashboard.incoming import body_of
from assistant.dashboard.port import Learner

MAX_TEXT = 200
"""Letters of anything that is asked with."""


def add_apprentice(app: Flask, learner: Learner) -> None:
    """Add the page, what it shows for one seat, and the sound of a call."""

    @app.get("/apprentice")
    def apprentice() -> str:
        return render_template("apprentice.html")

    @app.get("/api/apprentice")
    def told_to_apprentice() -> Response:
        found = learner.view(_seat(), _asked("lang"), _asked("hand"))
        if found is None:
            raise NotFound("There is no such seat at this table: choose another one.")
        return _fresh(jsonify(found))

    @app.post("/api/apprentice/say")
    def pronounced() -> Response:
        # Not GET: it shuts the table's ear, so whoever only looks on may not ask for it.
        sound = learner.sound(_text(body_of(request)))
        if sound is None:
            raise NotFound("That is no call of this table: open the page again.")
        return _fresh(Response(sound, mimetype="audio/wav"))


def _seat() -> int:
    seat = request.args.get("seat", "")
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise BadRequest("Say which seat, as in ?seat=1.")
    return int(seat)


def _asked(name: str) -> str:
    value = request.args.get(name, "")
    if len(value) > MAX_TEXT:
        raise BadRequest(f"That {name} is too long.")
    return value


def _text(body: dict[str, object]) -> str:
    """Read ``{"text": "Envido"}``. Raises BadRequest."""
    match body:
        case {"text": str(text)} if len(body) == 1 and len(text) <= MAX_TEXT:
            return text
    raise BadRequest('Send "text", a call of this table.')


def _fresh(response: Response) -> Response:
    """An old answer would be taken for the present one."""
    response.headers["Cache-Control"] = "no-store"
    return response
