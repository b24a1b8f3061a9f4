"""The pages that teach: lessons, the glossary, the señas and their quiz."""

from __future__ import annotations

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import BadRequest

from assistant.dashboard.door import MAY_TOUCH
from assistant.dashboard.incoming import body_of
from assistant.dashboard.teaching import ClassError, Classroom

LONGEST = 80
"""Letters of a name."""
MANY = 1000
"""Steps that no lesson has."""
WAV = "audio/wav"
LEARNS = ("/api/lessons/", "/api/senas/")
"""Beginnings of the addresses by which a guest learns, too, each on his own."""


def is_learning(path: str) -> bool:
    """Whether a path moves nothing but a guest's own lesson."""
    return path.startswith(LEARNS)


def add_classroom(app: Flask, classroom: Classroom) -> None:
    """Add the pages and what they ask for."""
    _add_pages(app)

    def learner() -> str:
        """Who asks: the table's own device, or a guest's, which moves nothing of the table's."""
        return "" if app.extensions[MAY_TOUCH]() else request.remote_addr or "guest"

    @app.get("/api/lessons")
    def all_lessons() -> Response:
        who = learner()
        return jsonify(lessons=classroom.lessons(who), hears=classroom.hears and who == "")

    @app.get("/api/lessons/<name>")
    def one_lesson(name: str) -> Response:
        return jsonify(classroom.walk(name, learner()))

    @app.post("/api/lessons/<name>")
    def go_on(name: str) -> Response:
        match body_of(request):
            case {"do": "begin" | "next" | "back" | "listen" | "quiet" as do, **rest} if not rest:
                return jsonify(classroom.step(name, str(do), learner()))
            case {"at": at, "choice": choice, **rest} if not rest:
                return jsonify(classroom.answer(name, _number(at), _number(choice), learner()))
        raise BadRequest(
            'Send "do": "begin", "next", "back", "listen" or "quiet"; or "at" and "choice".'
        )

    @app.get("/api/glossary")
    def all_terms() -> Response:
        return jsonify(terms=classroom.glossary())

    @app.get("/api/senas")
    def all_signs() -> Response:
        return jsonify(lists=classroom.senas(learner()))

    @app.post("/api/senas/<name>")
    def quiz(name: str) -> Response:
        match body_of(request):
            case {"do": "ask", **rest} if not rest:
                return jsonify(classroom.quiz(name, None, learner()))
            case {"choice": choice, **rest} if not rest:
                return jsonify(classroom.quiz(name, _number(choice), learner()))
        raise BadRequest('Send "do": "ask", or "choice", a number.')

    @app.post("/api/sound")
    def sound() -> Response:
        # Not GET: it shuts the table's ear, so whoever only looks on may not ask for it.
        return Response(classroom.sound(*_sound(body_of(request))), mimetype=WAV)

    @app.errorhandler(ClassError)
    def wrong(error: ClassError) -> tuple[Response, int]:
        return jsonify(error=str(error), code=error.code), 422


def _add_pages(app: Flask) -> None:
    @app.get("/lessons")
    def lessons_page() -> str:
        return render_template("lessons.html")

    @app.get("/glossary")
    def glossary_page() -> str:
        return render_template("glossary.html")

    @app.get("/senas")
    def senas_page() -> str:
        return render_template("senas.html")


def _sound(body: dict[str, object]) -> tuple[str, str, int]:
    """Read ``{"term": "envido"}`` or ``{"lesson": "01-...", "at": 3}``. Raises BadRequest."""
    match body:
        case {"term": str(name)} if len(body) == 1 and len(name) <= LONGEST:
            return "term", name, 0
        case {"lesson": str(name), "at": at} if len(body) == 2 and len(name) <= LONGEST:
            return "step", name, _number(at)
    raise BadRequest('Send "term", a word of the glossary, or "lesson" and "at".')


def _number(value: object) -> int:
    # type(), not isinstance(): true is no number.
    if type(value) is not int or not 0 <= value <= MANY:
        raise BadRequest(f"A number goes from 0 to {MANY}.")
    return value
