"""The Flask app of a table: its pages, its snapshots and taps, and the words of its language."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Flask,
    Request,
    Response,
    current_app,
    jsonify,
    render_template,
    request,
)
from werkzeug.exceptions import HTTPException, NotFound

from assistant.files.resources import SPANISH, languages, load_texts, load_wording, nearest
from assistant.messages import CardsSeen, Pressed
from assistant.page.board import Board, BoardError
from assistant.page.door import Keys, add_door, add_no_door
from assistant.page.guard import GUESTS, Guests, guard
from assistant.page.incoming import MAX_BODY, body_of, cards, pressed
from assistant.page.stream import HEARTBEAT, STREAM, Stream, TableSource
from assistant.rules.errors import MusError

MENU = "mus.menu"
"""Where an app keeps the names of the features whose pages its menus offer."""
FREE = "mus.free"
"""Where an app keeps the functions that say whether a path needs no PIN."""


def table_app(
    board: Board, *, web_dir: Path, keys: Keys | None = None, heartbeat: float = HEARTBEAT
) -> Flask:
    """Make the app of a table: its guard, its door, its stream and its own pages.

    Each feature adds a blueprint of its own. ``web_dir`` holds ``templates`` and ``static``. With
    ``keys`` the other devices of the local network may open the page, and those that gave the PIN
    may press its buttons. Without, only this machine is served. ``heartbeat`` is in seconds.
    """
    folder = web_dir.resolve()
    app = Flask(
        "mus", static_folder=str(folder / "static"), template_folder=str(folder / "templates")
    )
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    app.extensions[STREAM] = Stream(TableSource(board), heartbeat=heartbeat)
    app.extensions[GUESTS] = Guests()
    app.extensions[MENU] = []
    app.extensions[FREE] = []
    guard(app, lan=keys is not None)
    pack(app)
    add_words(app, "table", lambda: board.snapshot()["language"])
    if keys:
        add_door(app, keys, free=lambda path: any(free(path) for free in app.extensions[FREE]))
    else:
        add_no_door(app)
    _add_pages(app)
    _add_api(app, board)
    add_errors(app)
    return app


def feature_pages(
    name: str, menu: str = "", free: Callable[[str], bool] | None = None
) -> Blueprint:
    """Make a blueprint for the pages of a feature.

    ``menu``: the name that the templates of the menus use for it. ``free``: whether a path of the
    feature needs no PIN; without ``free`` each request that changes something needs one.
    """
    pages = Blueprint(name, __name__)
    if menu:
        pages.record_once(lambda setup: setup.app.extensions[MENU].append(menu))
    if free:
        pages.record_once(lambda setup: setup.app.extensions[FREE].append(free))
    return pages


def menu() -> dict[str, bool]:
    """The features that have pages in the present app, as arguments for its templates."""
    return dict.fromkeys(current_app.extensions[MENU], True)


def stream_of(app: Flask) -> Stream:
    """The listeners of an app."""
    stream: Stream = app.extensions[STREAM]
    return stream


def is_front_door(asked: Request) -> bool:
    """Whether a request is for the bare address of the table, without the path of a page."""
    return asked.method in ("GET", "HEAD") and asked.path == "/"


def _add_pages(app: Flask) -> None:
    """Add the table's page, in its four forms."""

    @app.get("/")
    def table() -> str:
        return render_template("table.html", **menu())

    @app.get("/watch")
    def watch() -> str:
        return render_template("table.html", **menu(), watch=True)

    @app.get("/overlay")
    def overlay() -> str:
        return render_template("overlay.html")

    @app.get("/phone")
    def phone() -> str:
        return render_template("table.html", **menu(), remote=True)

    @app.get("/sw.js")
    def service_worker() -> Response:
        # At the top, because a service worker controls only the paths beneath its own.
        return app.send_static_file("sw.js")

    @app.get("/healthz")
    def healthz() -> Response:
        return jsonify(ok=True)


def _add_api(app: Flask, board: Board) -> None:
    """Add what the table's page asks for: snapshots, the stream, taps."""

    @app.get("/api/snapshot")
    def snapshot() -> Response:
        return jsonify(board.in_language(*languages_asked()))

    @app.get("/events")
    def events() -> Response:
        language = nearest("phrases", *languages_asked(), board.snapshot()["language"])
        board.in_language(language)  # a new language is loaded here, not in the loop of the stream
        return stream_of(app).response(language)

    @app.post("/api/press")
    def press() -> Response:
        return _told(board, pressed(body_of(request)))

    @app.post("/api/cards")
    def show_cards() -> Response:
        return _told(board, cards(body_of(request), board.snapshot()["deal"]))


def _told(board: Board, message: Pressed | CardsSeen) -> Response:
    return jsonify(outcomes=board.press(message, languages_asked()))


def by_a_person() -> bool:
    """Whether a person opens the address in a browser, rather than a script or a program."""
    wants = request.accept_mimetypes
    return request.method == "GET" and wants.quality("text/html") > wants.quality(
        "application/json"
    )


def add_errors(app: Flask) -> None:
    """Answer every error with JSON that holds one sentence; a person who is lost gets a page."""

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> tuple[Response | str, int, dict[str, str]]:
        if error.code == HTTPStatus.NOT_FOUND and by_a_person():
            return render_template("lost.html"), HTTPStatus.NOT_FOUND, {}
        # The error's own headers (Allow, Retry-After) go along; its HTML body does not.
        headers = {k: v for k, v in error.get_headers() if k.lower() != "content-type"}
        return jsonify(error=error.description), error.code or 500, headers

    @app.errorhandler(BoardError)
    def no_board(error: BoardError) -> tuple[Response, int]:
        return jsonify(error=str(error)), 503


# ---- The words of a page, in one language -------------------------------------------------------
# They are in ``models/<language>/page/``: ``table.toml`` for every page, and one more file each for
# the pages before the game, for learners, for practice, for the hall, and for the refusals of its
# desk. So the table's page loads no words that it never says.


KINDS = {
    "table": ("table",),
    "setup": ("table", "setup"),
    "school": ("table", "school"),
    "practice": ("table", "practice"),
    "hall": ("table", "hall", "refusals"),
}
"""Kind of a page -> the files of words that its scripts use."""
TONGUE = "tongue"
"""The cookie with the language that a device has chosen in the menu."""
REFUSALS = "refusals"
"""The file that a language may lack: a tournament's desk then refuses in English."""


def add_words(app: Flask, kind: str, language: Callable[[], str]) -> None:
    """Give every template the words of its page, and serve those of the scripts as JSON.

    A page is in the language that ``?lang=`` asks for, or else in that which the device keeps in a
    cookie, or else in ``language()``, or in Spanish if none of them has words. ``kind``: the kind
    of the app's pages. ``page`` in a template is the table of that name in the file of that kind,
    and ``tongues`` are the names that the languages call themselves, by their codes.
    """

    @app.context_processor
    def words() -> dict[str, Any]:
        table = language()
        code = nearest("page/table", *languages_asked(), table)
        own = page_words(kind, code)
        return {
            "code": code,
            "words_kind": kind,
            "page": own["page"],
            "table_language": table,
            "tongues": {one: page_words("table", one)["page"]["tongue"] for one in _tongues()},
        }

    @app.get("/words/<code>/<asked>.json")
    def words_as_json(code: str, asked: str) -> Response:
        if asked not in KINDS or code not in languages("page/table"):
            raise NotFound("There are no such words: open the page again.")
        answer = Response(_written(code, asked), mimetype="application/json")
        answer.headers["Cache-Control"] = "no-cache"  # asked for again, and not sent if unchanged
        answer.add_etag()
        answer.make_conditional(request)
        return answer


def pack(app: Flask) -> None:
    """Send what the pages load packed by gzip (RFC 1952) to each browser that takes it.

    That makes a page a third as large. The HTML of a page is not packed, because the size of a
    packed text can betray a secret in it (BREACH, Gluck, Harris and Prado 2013).
    """
    kept: dict[tuple[str, str], bytes] = {}

    @app.after_request
    def packed(answer: Response) -> Response:
        tag = answer.get_etag()[0]
        loaded = request.endpoint in ("static", "words_as_json", "service_worker")
        if not (loaded and tag and answer.status_code == HTTPStatus.OK and _packs(answer)):
            return answer
        answer.vary.add("Accept-Encoding")
        answer.set_etag(tag, weak=True)  # packed or not, the content is the same in other bytes
        if request.accept_encodings.quality("gzip") > 0:
            answer.direct_passthrough = False
            plain, key = answer.get_data(), (request.path, tag)
            if key not in kept:
                kept[key] = gzip.compress(plain, mtime=0)
            answer.set_data(kept[key])
            answer.headers["Content-Encoding"] = "gzip"
            answer.headers.pop("Accept-Ranges", None)
        return answer


def _packs(answer: Response) -> bool:
    """Whether a file is text; pictures, sounds and fonts are packed already."""
    kind = answer.mimetype or ""
    return kind.startswith("text/") or kind.endswith(("javascript", "json", "xml"))


def languages_asked() -> tuple[str, str]:
    """The languages that a request asks for, the nearest first; "" where it asks for none."""
    return request.args.get("lang", ""), request.cookies.get(TONGUE, "")


def _tongues() -> list[str]:
    """The languages of the pages: Spanish first, then the others in which people call."""
    called = languages("lexicon")
    return sorted(
        languages("page/table"), key=lambda code: (code != SPANISH, code not in called, code)
    )


@lru_cache
def _written(code: str, kind: str) -> str:
    named = {part: page_words(part, code) for part in KINDS[kind]}
    words = {"code": code, **{part: texts for part, texts in named.items() if texts}}
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


@lru_cache
def page_words(part: str, code: str) -> Mapping[str, Any]:
    """One file of a page's words, checked; empty if the language lacks it and may.

    Raises BoardError if the file cannot be used, because a player may have edited it.
    """
    name = f"page/{part}"
    if part == REFUSALS and code not in languages(name):
        return {}
    try:
        load_wording(name, code)
        return load_texts(name, code)
    except MusError as error:
        raise BoardError(str(error)) from error
