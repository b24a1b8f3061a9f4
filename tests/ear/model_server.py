"""A local HTTP server that has one archive, and can misbehave in many ways."""

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
    """The archive, and how the server behaves.

    etag      the ETag header; "" sends none
    cut_after numbers of bytes; for each, the server hangs up once after so many
    stalls    while true, the server sends half of the file and then nothing
    pause     seconds before the body of every answer
    lies      answer a Range with another part of the file
    deaf      answer a Range with the whole file
    endless   send the file a hundred times, without a Content-Length
    status    the status of every answer; any but 200 is an error
    asked     the Range of each request; "" for none
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
            self.close_connection = True  # the client has hung up

    def _start(self, wanted: str, told: Server) -> int | None:
        """Send the headers.

        Returns the offset at which the body begins, or None if there is no body.
        """
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
        """Print nothing, because ``asked`` keeps the requests."""


class _Http(ThreadingHTTPServer):
    def __init__(self, told: Server) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.told = told

    def handle_error(self, *_: object) -> None:
        """Ignore errors, because a client may hang up."""


@contextmanager
def serving(content: bytes) -> Iterator[Server]:
    """Run the server inside the ``with`` block."""
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
