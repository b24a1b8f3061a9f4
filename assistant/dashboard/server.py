"""Serving the page: an ASGI server in a thread of its own, and an end that is an end.

How many of these strangers may have, and how long a request's head may take, ``guests`` knows.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
from contextlib import suppress
from threading import Thread

from flask import Flask
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from assistant.dashboard.address import own_address
from assistant.dashboard.asgi import Page
from assistant.dashboard.guests import Guests
from assistant.rules.errors import MusError

log = logging.getLogger("mus.dashboard")

HEAD_SECONDS = 10
"""Seconds that the head of a request may take, however often a byte of it comes."""
HEAD_BYTES = 16_384
"""Of a head that has not come as a whole."""
WAITING = 128
"""Connections that wait to be taken in, and that are taken in at one go."""
STOP_SECONDS = 2
"""Seconds that answers may take which are not finished when the server stops; then they are cut."""
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
    """Cuts off whoever is too slow with a request's head."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It was taken in."""
        super().connection_made(transport)
        assert isinstance(self.config, _Config)
        self._page = self.config.page
        self._client = transport.get_extra_info("peername")
        self._page.connections[self._client] = self
        self.end_answer()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, by whomever."""
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
    """Closes the connections of strangers who are too many, before anything is done for them."""

    guests: Guests

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """The next connection. Raises ConnectionAbortedError where it was not taken in."""
        connection, address = super().accept()
        if not self.guests.connects(address[0]):
            connection.close()
            raise ConnectionAbortedError
        return connection, address


class DashboardServer:
    """A page being served. ``port`` is the real one, also where 0 was asked for."""

    def __init__(self, app: Flask, host: str, port: int, option: str = "--port") -> None:
        """Take the port at once; ``option`` is how another one is chosen. Raises DashboardError."""
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
        """Where other devices find the page; None where it is for this machine alone."""
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
        """Send the listeners away, finish, and give the port back. A second stop does nothing."""
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
    """Make ready to serve an app on a port (0: any free one). Raises DashboardError."""
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
