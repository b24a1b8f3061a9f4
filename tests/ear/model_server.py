"""A server on this machine that has one archive, and can be told to be a bad one."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Server:
    """What it has, and how it behaves.

    etag      the version's mark; "" gives none
    cut_after bytes after which it hangs up, once for each number
    stalls    sends half, and then nothing more while this holds
    pause     seconds before every answer's body
    lies      answers a Range with a part from elsewhere; deaf: answers it with the whole
    endless   sends more than it promised to anybody
    status    what it answers, if not what was asked for
    asked     the Range of each request ("": none)
    """

    content: bytes
    etag: str = '"one"'
    cut_after: list[int] = field(default_factory=list)
    pause: float = 0.0
    stalls: bool = False
    lies: bool = False
    deaf: bool = False
    endless: bool = False
    status: int = 200
    asked: list[str] = field(default_factory=list)
    url: str = ""


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def do_GET(self) -> None:
        told = self.server.told
        wanted = self.headers.get("Range", "")
        told.asked.append(wanted)
        if told.status != 200:
            self.send_error(told.status)
            return
        start = self._start(wanted, told)
        if start is None:
            return
        body = told.content[start:]
        if told.etag:
            self.send_header("ETag", told.etag)
        if not told.endless:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        time.sleep(told.pause)
        if told.endless:
            body = body * 100
        if told.stalls:
            self.wfile.write(body[: len(body) // 2])
            body = body[len(body) // 2 :]
        while told.stalls:
            time.sleep(0.02)
        if told.cut_after:
            body = body[: told.cut_after.pop(0)]
            self.close_connection = True
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True  # the other side has had enough

    def _start(self, wanted: str, told: Server) -> int | None:
        """Where the answer begins; its head is sent up to there. None: all is said."""
        found = re.fullmatch(r"bytes=(\d+)-", wanted)
        fits = self.headers.get("If-Range", told.etag) == told.etag
        if found is None or not fits or told.deaf:
            self.send_response(200)
            return 0
        start, size = int(found[1]), len(told.content)
        if start >= size:
            self.send_error(416)
            return None
        start = start // 2 if told.lies else start
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        return start

    def log_message(self, *_: object) -> None:
        """Nothing: what was asked is kept."""


class _Http(ThreadingHTTPServer):
    def __init__(self, told: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.told = told

    def handle_error(self, *_: object) -> None:
        """Nothing: a client may hang up."""


@contextmanager
def serving(content: bytes) -> Iterator[Server]:
    """The server, for as long as it is needed."""
    told = Server(content)
    http = _Http(told)
    told.url = f"http://127.0.0.1:{http.server_address[1]}/model.zip"
    thread = threading.Thread(
        target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield told
    finally:
        http.shutdown()
        http.server_close()
