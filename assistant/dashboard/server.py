"""Serving the page: one thread that accepts, one for each request, an end that is an end."""

from __future__ import annotations

import errno
import logging
import socket
from threading import Thread

from flask import Flask
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from assistant.dashboard.address import own_address
from assistant.dashboard.app import STREAM
from assistant.rules.errors import MusError

log = logging.getLogger("mus.dashboard")

SOCKET_TIMEOUT = 30
"""Seconds after which a browser that neither sends nor takes anything has lost its thread."""
POLL = 0.1
"""Seconds; how long the accepting thread may take to notice that it is to end."""
MAX_PORT = 65535
EVERYWHERE = ("0.0.0.0", "")


class DashboardError(MusError):
    """The page cannot be served; the text is one sentence that says what to do."""


class _Handler(WSGIRequestHandler):
    """Logs to our logger, without colours, and does not wait for ever."""

    timeout = SOCKET_TIMEOUT

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
        return make_server(
            host, port, app, threaded=True, request_handler=_Handler, fd=taken.fileno()
        )
    finally:
        taken.close()


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
