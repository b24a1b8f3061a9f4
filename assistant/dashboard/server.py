"""Serving the page: one thread that accepts, one for each connection, an end that is an end.

How many of these strangers may have, and how long a request's head may take, ``guests`` knows.
"""

from __future__ import annotations

import errno
import logging
import resource
import socket
from contextlib import suppress
from threading import Thread
from typing import Any

from flask import Flask
from werkzeug.serving import BaseWSGIServer, ThreadedWSGIServer, WSGIRequestHandler

from assistant.dashboard.address import own_address
from assistant.dashboard.app import STREAM
from assistant.dashboard.guests import GUESTS, Deadlines, Guests
from assistant.rules.errors import MusError

log = logging.getLogger("mus.dashboard")

SOCKET_TIMEOUT = 30
"""Seconds after which a browser that neither sends nor takes anything has lost its thread."""
HEAD_SECONDS = 10.0
"""Seconds that the head of a request may take, however often a byte of it comes."""
POLL = 0.1
"""Seconds; how long the accepting thread may take to notice that it is to end."""
MAX_PORT = 65535
EVERYWHERE = ("0.0.0.0", "")


class DashboardError(MusError):
    """The page cannot be served; the text is one sentence that says what to do."""


class _Handler(WSGIRequestHandler):
    """Logs to our logger, without colours, and does not wait for ever."""

    timeout = SOCKET_TIMEOUT

    def handle_one_request(self) -> None:
        """Wait for a request, and not for ever for its head."""
        waiting = self.server
        assert isinstance(waiting, _Server)
        waiting.heads.wait(self.connection.fileno(), self._cut)
        super().handle_one_request()

    def parse_request(self) -> bool:
        """The head is there."""
        waiting = self.server
        assert isinstance(waiting, _Server)
        whole = super().parse_request()
        waiting.heads.done(self.connection.fileno())
        return whole

    def _cut(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Requests are of interest only to whoever looks for a fault."""
        log.debug("%s %s (%s bytes)", self.requestline, code, size)

    def log(self, type: str, message: str, *args: object) -> None:
        """What goes wrong between a browser and us ends no game."""
        level = logging.getLevelNamesMapping().get(type.upper(), logging.WARNING)
        log.log(level, message.rstrip(), *args)

    def version_string(self) -> str:
        """No need to say which libraries of which version answer."""
        return "mus"


class _Server(ThreadedWSGIServer):
    """Sends strangers away who are too many, and cuts off whoever is too slow."""

    def __init__(self, host: str, port: int, app: Flask, taken: int) -> None:
        super().__init__(host, port, app, _Handler, fd=taken)
        self.guests: Guests = app.extensions[GUESTS]
        self.heads = Deadlines(HEAD_SECONDS)

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002
        """Whether a connection is taken in; else it is closed at once."""
        return self.guests.connects(client_address[0])

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection to its end."""
        connection = request.fileno()
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.heads.done(connection)
            self.guests.leaves(client_address[0])

    def service_actions(self) -> None:
        """Called between two connections, and several times a second."""
        super().service_actions()
        self.heads.cut_overdue()


class DashboardServer:
    """A page being served. ``port`` is the real one, also where 0 was asked for."""

    def __init__(self, app: Flask, host: str, port: int, option: str = "--port") -> None:
        """Take the port at once; ``option`` is how another one is chosen. Raises DashboardError."""
        self._stream = app.extensions[STREAM]
        self._server = _server(app, host, port, option)
        self._thread: Thread | None = None
        self.host = host
        self.port: int = self._server.socket.getsockname()[1]

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
            target=self._server.serve_forever, args=(POLL,), name="mus-dashboard", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Send the listeners away, finish, and give the port back. A second stop does nothing."""
        if not self._stream.close():
            log.warning("A page did not let go of the dashboard in time.")
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._thread = None
        self._server.server_close()


def serve(app: Flask, host: str, port: int, option: str = "--port") -> DashboardServer:
    """Make ready to serve an app on a port (0: any free one). Raises DashboardError."""
    return DashboardServer(app, host, port, option)


def _server(app: Flask, host: str, port: int, option: str) -> BaseWSGIServer:
    # werkzeug ends the whole program where a port is taken; so we take it ourselves.
    taken = _listen(host, port, option)
    try:
        return _Server(host, port, app, taken.fileno())
    finally:
        taken.close()


def _raise_file_limit() -> None:
    """Let the process open as many files as it is allowed: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    log.debug("open files: %s, at most %s", soft, hard)


def _listen(host: str, port: int, option: str) -> socket.socket:
    if not 0 <= port <= MAX_PORT:
        raise DashboardError(f"Port {port} does not exist: choose one up to {MAX_PORT}.")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(socket.SOMAXCONN)
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
