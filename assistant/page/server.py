"""The server of the page: the Flask app as an ASGI application, in a thread of its own."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from threading import Thread
from typing import Any, Protocol

from flask import Flask
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol
from werkzeug import Response

from assistant.page.guard import GUESTS, Guests, own_address
from assistant.page.incoming import MAX_BODY, MAX_PHOTO
from assistant.page.stream import EVENTS, STREAM, Stream
from assistant.rules.errors import MusError

# ---- The Flask app as an ASGI application: requests in threads, streams in the event loop -------
# A request's body is read before the request gets a thread, and its answer is sent after the thread
# is free again, so that no slow connection holds one. Strangers have threads of their own, so that
# the table's own devices never wait for them.


OWN_THREADS, STRANGERS_THREADS = 8, 2
"""Requests answered at the same time: of the table's own devices, and of all others."""
MOST_OWN, MOST_STRANGERS = MAX_PHOTO, MAX_BODY
"""The most bytes of a body: from the table's own devices, and from all others."""
BODY_SECONDS, ANSWER_SECONDS = 60.0, 120.0
"""Seconds that a request's body may take, and its answer."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Connection(Protocol):
    """The connection of a request; it belongs to an event loop."""

    loop: asyncio.AbstractEventLoop

    def begin_answer(self) -> None:
        """The head of a request is there."""

    def end_answer(self) -> None:
        """The answer is sent: the next head may come."""

    def cut(self) -> None:
        """End it at once."""


class Page:
    """A Flask app as an ASGI application.

    ``connections``: the open ones, by the address and port of their client.
    """

    def __init__(self, app: Flask) -> None:
        self.guests: Guests = app.extensions[GUESTS]
        self.stream: Stream = app.extensions[STREAM]
        self.connections: dict[tuple[str, int], Connection] = {}
        self._app = app
        self._own = ThreadPoolExecutor(OWN_THREADS, "mus-page")
        self._strangers = ThreadPoolExecutor(STRANGERS_THREADS, "mus-page-strangers")

    def cut(self) -> None:
        """Cut all open connections; from any thread."""
        for connection in list(self.connections.values()):
            with suppress(RuntimeError):  # the loop has ended, and with it all connections
                connection.loop.call_soon_threadsafe(connection.cut)

    def close(self) -> None:
        """End the threads, once nothing is served any more."""
        for one in (self._own, self._strangers):
            one.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        connection = self.connections.get(scope["client"])
        if connection is None:
            return  # it left before it was answered
        connection.begin_answer()
        try:
            await self._answer(scope, receive, send)
        except (TimeoutError, ConnectionError, asyncio.CancelledError):
            connection.cut()
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0)  # it is gone before the server asks what became of it
        else:
            connection.end_answer()

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        own = self.guests.is_own(scope["client"][0])
        async with asyncio.timeout(BODY_SECONDS):
            body = await _body(scope, receive, MOST_OWN if own else MOST_STRANGERS)
        async with asyncio.timeout(ANSWER_SECONDS):
            answer = await asyncio.get_running_loop().run_in_executor(
                self._own if own else self._strangers, self._ask, _environ(scope, body)
            )
            await send(_head(answer))
            if scope["method"] != "GET" or answer.mimetype != EVENTS:
                await send({"type": "http.response.body", "body": answer.data})
                return
        await self._listen(scope, receive, send)

    def _ask(self, environ: dict[str, Any]) -> Response:
        """The app's whole answer, so that a slow receiver holds no thread."""
        return Response.from_app(self._app, environ, buffered=True)

    async def _listen(self, scope: Message, receive: Receive, send: Send) -> None:
        """Send the stream of events for as long as the page stays."""

        async def tell(text: str, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": more})

        address = scope["client"][0]
        if self.guests.listens(address):  # or others were faster: it comes again by itself
            gone = asyncio.ensure_future(_gone(receive))
            try:
                await self.stream.listen(_header(scope, b"last-event-id"), tell, gone)
            finally:
                gone.cancel()
                self.guests.stops(address)
        await tell("", more=False)


def _environ(scope: Message, body: bytes) -> dict[str, Any]:
    """The WSGI environment of a request (PEP 3333)."""
    server, port = scope["server"]
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "REMOTE_ADDR": scope["client"][0],
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key = name.decode("latin1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


def _head(answer: Response) -> Message:
    headers = [
        (name.lower().encode("latin1"), value.encode("latin1"))
        for name, value in answer.headers.to_wsgi_list()
    ]
    return {"type": "http.response.start", "status": answer.status_code, "headers": headers}


def _header(scope: Message, asked: bytes) -> str:
    return next((value.decode("latin1") for name, value in scope["headers"] if name == asked), "")


async def _body(scope: Message, receive: Receive, most: int) -> bytes:
    """The body of a request; empty if it is too long, which the app refuses by its head.

    Raises ConnectionError if it does not come.
    """
    length = _header(scope, b"content-length")
    if not length.isdecimal() or int(length) > most:
        return b""
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError("It left in the middle of a request.")
        body += message["body"]
        more = message["more_body"]
    return bytes(body)


async def _gone(receive: Receive) -> None:
    """Wait until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


# ---- Serving the page: an ASGI server in a thread of its own, and an end that is an end ---------
# ``guard.Guests`` bounds how many connections strangers may have.


log = logging.getLogger("mus.dashboard")

HEAD_SECONDS = 10
"""Seconds that the head of a request may take, however often a byte of it comes."""
HEAD_BYTES = 16_384
"""The most bytes of a head that is not complete."""
WAITING = 128
"""Connections that wait to be accepted, and that are accepted in one go."""
STOP_SECONDS = 2
"""Seconds that unfinished answers still have when the server stops; then they are cut."""
MAX_PORT = 65535
EVERYWHERE = ("0.0.0.0", "")


class DashboardError(MusError):
    """The page cannot be served; the text is one sentence that says what to do."""


class _Config(Config):
    """How the page is served."""

    def __init__(self, page: Page) -> None:
        self.page = page
        super().__init__(
            page,
            http=_Connection,
            ws="none",
            lifespan="off",
            interface="asgi3",
            loop="asyncio",
            log_config=None,
            log_level="error",  # what a browser sends wrongly is of interest to nobody
            access_log=False,
            proxy_headers=False,  # an address is the one that a connection comes from
            server_header=False,
            headers=[("Server", "mus")],
            backlog=WAITING,
            h11_max_incomplete_event_size=HEAD_BYTES,
            timeout_keep_alive=HEAD_SECONDS,
            timeout_graceful_shutdown=2 * STOP_SECONDS,
        )


class _Connection(H11Protocol):
    """A connection that is cut if the head of a request comes too slowly."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it among the open connections."""
        super().connection_made(transport)
        assert isinstance(self.config, _Config)
        self._page = self.config.page
        self._client = transport.get_extra_info("peername")
        self._page.connections[self._client] = self
        self.end_answer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more; either side has closed it."""
        super().connection_lost(exc)
        self.begin_answer()
        del self._page.connections[self._client]
        self._page.guests.leaves(self._client[0])

    def begin_answer(self) -> None:
        """The head of a request is there."""
        if self._head:
            self._head.cancel()

    def end_answer(self) -> None:
        """The answer is sent: the next head may come."""
        self.begin_answer()
        self._head = self.loop.call_later(HEAD_SECONDS, self.cut)

    def cut(self) -> None:
        """End it at once."""
        self.transport.abort()


class _Listener(socket.socket):
    """The listening socket. It closes one stranger's connection too many as soon as it comes."""

    guests: Guests

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """The next connection. Raises ConnectionAbortedError if it was refused."""
        connection, address = super().accept()
        if not self.guests.connects(address[0]):
            connection.close()
            raise ConnectionAbortedError
        return connection, address


class DashboardServer:
    """The server of a page. ``port`` is the real one, also if it was given as 0."""

    def __init__(self, app: Flask, host: str, port: int, option: str = "--port") -> None:
        """Take the port at once; ``option``: how to choose another one. Raises DashboardError."""
        self._listener = _listen(host, port, option)
        self._page = Page(app)
        self._listener.guests = self._page.guests
        self._server = Server(_Config(self._page))
        self._thread: Thread | None = None
        self.host = host
        self.port: int = self._listener.getsockname()[1]

    @property
    def url(self) -> str:
        """Where this machine's browser finds the page."""
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://{host}:{self.port}/"

    @property
    def lan_url(self) -> str | None:
        """Where other devices find the page; None if only this machine is served."""
        if self.host not in EVERYWHERE:
            return None
        return f"http://{own_address()}:{self.port}/"

    def start(self) -> None:
        """Serve from now on, in a thread of its own."""
        _raise_file_limit()
        self._thread = Thread(
            target=self._server.run, args=([self._listener],), name="mus-dashboard", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the streams, finish the answers, and free the port. A second stop does nothing."""
        self._page.stream.close()
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
            self._page.cut()
            self._thread.join()
            self._thread = None
        self._listener.close()
        self._page.close()


def serve(app: Flask, host: str, port: int, option: str = "--port") -> DashboardServer:
    """Prepare to serve an app on a port (0: any free one). Raises DashboardError."""
    return DashboardServer(app, host, port, option)


def _raise_file_limit() -> None:
    """Let the process open as many files as it is allowed: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    log.debug("open files: %s, at most %s", soft, hard)


def _listen(host: str, port: int, option: str) -> _Listener:
    if not 0 <= port <= MAX_PORT:
        raise DashboardError(f"Port {port} does not exist: choose one up to {MAX_PORT}.")
    listener = _Listener(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(WAITING)
    except OSError as error:
        listener.close()
        raise DashboardError(_sentence(error, host, port, option)) from error
    return listener


def _sentence(error: OSError, host: str, port: int, option: str) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} is taken: choose another with {option}."
        case errno.EACCES:
            return f"Port {port} needs more rights than yours: choose one above 1023 with {option}."
        case _:
            return f"The page cannot be served on {host}:{port} ({error.strerror or error})."
