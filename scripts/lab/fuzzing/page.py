"""The page of a table as a reader: whole requests over a socket, from their first byte on."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assistant.eye.hand_photos import Workshop
from assistant.eye.page import deck_pages
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_phrases
from assistant.language.script import DEFAULT_SEATS
from assistant.page import serve
from assistant.page.app import table_app
from assistant.page.board import TableBoard
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.profile import Profile
from assistant.table.journal import Journal, MemoryJournal
from assistant.table.runner import Runner
from assistant.table.table import Table

HOST = "127.0.0.1"
LENGTH = b"Content-Length: @"
"""Stands for the length of a request's body, whatever damage that has."""
WAITS = 0.3
"""Seconds of silence after which the page is taken to wait for more."""
WAITING = b"HTTP/1.1 waiting"
LONGEST_HEAD = 16_384
"""Bytes. If a client sends a longer head, the page may cut it off before it has read the answer."""
POSTS = (
    b"/api/press",
    b"/api/cards",
    b"/api/enter",
    b"/api/decks/photo?suits=o",
    b"/api/decks/swap",
    b"/api/decks/keep",
    b"/api/decks/photo?suits=",
)
GETS = (b"/api/replay/", b"/api/history/", b"/history/", b"/api/snapshot?", b"/qr.svg?")
OTHERS = (b"http://[", b"http://127.0.0.1/", b"//[::1", b"*", b"/static/", b"/events", b"/")
BODIES = (
    {"call": {"type": "Cut", "seat": 1}, "seen": 2},
    {"command": "undo", "seen": 2},
    {"seat": 2, "cards": ["R", "R", "C", "1"], "deal": 1},
    {"pin": "123456"},
    {"one": "6e", "other": "7e"},
    {"name": "mia", "instead": False},
)


class PageError(Exception):
    """The page failed with a fault of its own, or did not answer."""


class _Complaints(logging.Handler):
    """Keeps the complaints of the server and the app."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one complaint."""
        self.told.append(record.getMessage() + str(record.exc_info or ""))


def requests(pictures: list[bytes]) -> list[bytes]:
    """Whole requests of every kind."""
    paths = [path + end for path in GETS for end in (b"1", b"deal-1.svg", b"lang=eu")]
    bodies = [json.dumps(body).encode() for body in BODIES]
    return [
        *(_request(b"GET", path) for path in (*paths, *OTHERS)),
        *(_request(b"POST", path, body) for path in POSTS for body in bodies),
        *(_request(b"POST", POSTS[3], picture, b"image/jpeg") for picture in pictures),
    ]


def _request(
    method: bytes, path: bytes, body: bytes = b"", kind: bytes = b"application/json"
) -> bytes:
    head = [method + b" " + path + b" HTTP/1.1", b"Host: " + HOST.encode()]
    if body:
        head += [b"Content-Type: " + kind, LENGTH]
    return b"\r\n".join([*head, b"", body])


@contextmanager
def page(_folder: Path) -> Iterator[Callable[[bytes], object]]:
    """A table in the middle of a game with a served page. The reader sends it a request."""
    table = Table(load_lexicon(), number(open_game(Profile(), DEFAULT_SEATS), 0, 0.0))
    journal = MemoryJournal()
    journal.append(table.records)
    runner = Runner(table, journal, _nobody)
    board = TableBoard(runner, load_phrases())
    runner.listeners.append(board)
    app = table_app(board, web_dir=data_dir("web"))
    app.register_blueprint(deck_pages(Workshop(None, lambda _deck: None)))
    server = serve(app, HOST, 0)
    complaints = _Complaints()
    logging.getLogger().addHandler(complaints)

    def ask(data: bytes) -> object:
        _head, _, body = data.partition(b"\r\n\r\n")
        answer = answer_of(server.port, data.replace(LENGTH, LENGTH[:-1] + b"%d" % len(body)))
        if complaints.told:
            raise PageError(complaints.told.pop())
        if not answer and len(data) <= LONGEST_HEAD:
            raise PageError("no answer")
        if answer[9:10] == b"5" and answer[9:12] != b"503":
            raise PageError(answer[:60].decode("latin1"))
        return answer[9:12]

    try:
        runner.start()
        server.start()
        yield ask
    finally:
        server.stop()
        runner.stop()
        board.close()
        logging.getLogger().removeHandler(complaints)


def answer_of(port: int, request: bytes) -> bytes:
    """The head of the page's answer, or WAITING."""
    answer = b""
    with suppress(ConnectionError), socket.create_connection((HOST, port), 30) as connection:
        connection.sendall(request)
        connection.settimeout(WAITS)
        with suppress(TimeoutError):
            while b"\r\n\r\n" not in answer and (more := connection.recv(1 << 16)):
                answer += more
            return answer
        connection.settimeout(30)
        connection.shutdown(socket.SHUT_WR)  # there is no more, so it lets go
        while more := connection.recv(1 << 16):
            answer += more
        return answer or WAITING
    return answer


def _nobody() -> tuple[Journal, Table]:
    raise AssertionError("nobody asks for another game")
