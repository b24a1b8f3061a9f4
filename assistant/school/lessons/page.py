"""The pages that teach: lessons, the glossary, the señas and their quiz."""

from __future__ import annotations

from typing import Protocol, TypedDict

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import BadRequest

from assistant.files.resources import nearest
from assistant.page.app import feature_pages, languages_asked, menu
from assistant.page.door import MAY_TOUCH
from assistant.page.incoming import body_of
from assistant.rules.errors import MusError
from assistant.school.lessons.walk import LessonRow

# ---- The port of the classroom: what the teaching pages need ------------------------------------


class ClassError(MusError):
    """The classroom cannot do what was asked. The page has words for its ``code``."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class ShownView(TypedDict):
    """Something at the lesson's table: a "call", "cards" or "stones"."""

    kind: str
    who: str
    words: str
    cards: list[str]
    stones: list[tuple[str, int]]


class VerdictView(TypedDict):
    """The result of the last answer."""

    right: bool
    understood: bool
    what: str
    why: str


class WalkView(TypedDict):
    """A lesson as somebody goes through it.

    at, of     the step, from 0, and how many there are; at == of once it is over
    mood       "shown", "asked", "right", "wrong" or "over"
    kind       "read", "choose" or "say"; ``say`` is one wording of what is to be said
    right      questions that were answered right at once, of ``asked`` in the whole lesson
    listening  the ear listens for the answer; heard: what it made of the last sound
    hears      there is an ear to answer to; without one no answer aloud is waited for
    """

    name: str
    title: str
    next: str
    at: int
    of: int
    mood: str
    kind: str
    text: list[str]
    shown: list[ShownView]
    question: str
    choices: list[str]
    say: str
    verdict: VerdictView | None
    right: int
    asked: int
    listening: bool
    heard: str
    hears: bool


class TermView(TypedDict):
    """A word of the glossary."""

    name: str
    means: str
    said: str
    see: list[str]


class SignView(TypedDict):
    """A seña; ``draw`` names its drawing."""

    holds: str
    gesture: str
    draw: str
    when: str


class SignsView(TypedDict):
    """A list of señas, what is forbidden, and how the quiz went so far."""

    name: str
    title: str
    notes: list[str]
    forbidden: list[str]
    signs: list[SignView]
    asked: int
    right: int


class QuizView(TypedDict):
    """A question of the quiz; ``right`` is None until it was answered.

    way  "holds": ``shown`` is a drawing, the choices are what he may hold; "gesture": ``shown`` is
         what he holds, the choices are drawings
    alt  the drawing that is shown, in words
    """

    way: str
    shown: str
    alt: str
    choices: list[SignView]
    chosen: int | None
    right: int | None
    asked: int
    score: int


class ClassroomPort(Protocol):
    """Where the game is learnt. Every method may be called from any thread.

    ``learner``: "" for the table's own devices, which share one walk; a guest's device by its
    address, which has one of its own and no ear. ``language``: "" for the classroom's own.
    """

    language: str
    """That of whoever asks for none."""

    @property
    def hears(self) -> bool:
        """Whether there is an ear to answer to."""

    def lessons(self, learner: str = "", language: str = "") -> list[LessonRow]:
        """All lessons, in their order. Raises ClassError."""

    def path(self) -> list[str]:
        """The lessons of the short path. Raises ClassError."""

    def walk(self, name: str, learner: str = "", language: str = "") -> WalkView:
        """A lesson where it stands. Raises ClassError."""

    def step(self, name: str, do: str, learner: str = "", language: str = "") -> WalkView:
        """Do it: "begin" (again), "next", "back", "listen" or "quiet". Raises ClassError."""

    def answer(
        self, name: str, at: int, choice: int, learner: str = "", language: str = ""
    ) -> WalkView:
        """Choose an answer of the step ``at``. Raises ClassError."""

    def glossary(self, language: str = "") -> list[TermView]:
        """All words, in the order of the alphabet. Raises ClassError."""

    def played(self) -> str:
        """The list by which the table plays: its name, or "off" where nobody makes any."""

    def senas(self, learner: str = "", language: str = "") -> list[SignsView]:
        """All lists of señas. Raises ClassError."""

    def quiz(
        self, name: str, choice: int | None, learner: str = "", language: str = ""
    ) -> QuizView:
        """Another question of a list; or the answer to the last one. Raises ClassError."""

    def sound(self, kind: str, name: str, at: int, language: str = "") -> bytes:
        """A word of the glossary ("term"), or a step of a lesson ("step"), as WAV.

        Raises ClassError.
        """


# ---- The pages that teach: lessons, the glossary, the señas and their quiz ----------------------


LONGEST = 80
"""The most letters of a name."""
MANY = 1000
"""More steps than any lesson has."""
WAV = "audio/wav"
LEARNS = ("/api/lessons/", "/api/senas/")
"""Beginnings of the addresses by which guests, too, learn, each on his own."""


def is_learning(path: str) -> bool:
    """Whether a request to a path changes only a guest's own lesson."""
    return path.startswith(LEARNS)


def classroom_pages(classroom: ClassroomPort) -> Blueprint:
    """Make the pages and what they ask for."""
    pages = feature_pages("lessons", menu="teaches", free=is_learning)
    _add_pages(pages)

    def learner() -> str:
        """Who asks: "" for a device of the table, else a guest's address."""
        return "" if current_app.extensions[MAY_TOUCH]() else request.remote_addr or "guest"

    def language() -> str:
        """The language of the lessons for a device: that of its pages."""
        return nearest("lessons", *languages_asked(), classroom.language)

    @pages.get("/api/lessons")
    def all_lessons() -> Response:
        who = learner()
        return jsonify(
            lessons=classroom.lessons(who, language()),
            hears=classroom.hears and who == "",
            path=classroom.path(),
        )

    @pages.get("/api/lessons/<name>")
    def one_lesson(name: str) -> Response:
        return jsonify(classroom.walk(name, learner(), language()))

    @pages.post("/api/lessons/<name>")
    def go_on(name: str) -> Response:
        match body_of(request):
            case {"do": "begin" | "next" | "back" | "listen" | "quiet" as do, **rest} if not rest:
                return jsonify(classroom.step(name, str(do), learner(), language()))
            case {"at": at, "choice": choice, **rest} if not rest:
                where = _number(at), _number(choice)
                return jsonify(classroom.answer(name, *where, learner(), language()))
        raise BadRequest(
            'Send "do": "begin", "next", "back", "listen" or "quiet"; or "at" and "choice".'
        )

    @pages.get("/api/glossary")
    def all_terms() -> Response:
        return jsonify(terms=classroom.glossary(language()))

    @pages.get("/api/senas")
    def all_signs() -> Response:
        return jsonify(lists=classroom.senas(learner(), language()), played=classroom.played())

    @pages.post("/api/senas/<name>")
    def quiz(name: str) -> Response:
        match body_of(request):
            case {"do": "ask", **rest} if not rest:
                return jsonify(classroom.quiz(name, None, learner(), language()))
            case {"choice": choice, **rest} if not rest:
                return jsonify(classroom.quiz(name, _number(choice), learner(), language()))
        raise BadRequest('Send "do": "ask", or "choice", a number.')

    @pages.post("/api/sound")
    def sound() -> Response:
        # Not GET: it shuts the table's ear, so whoever only looks on may not ask for it.
        return Response(classroom.sound(*_sound(body_of(request)), language()), mimetype=WAV)

    @pages.app_errorhandler(ClassError)
    def wrong(error: ClassError) -> tuple[Response, int]:
        return jsonify(error=str(error), code=error.code), 422

    return pages


def _add_pages(pages: Blueprint) -> None:
    @pages.get("/lessons")
    def lessons_page() -> str:
        return render_template("lessons.html", **menu())

    @pages.get("/glossary")
    def glossary_page() -> str:
        return render_template("glossary.html")

    @pages.get("/senas")
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
