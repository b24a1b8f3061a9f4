"""The page's ASGI server: it runs in a thread of its own, and ends for certain when it is stopped.

It has a plain address (HTTP) and, if asked for, a secure one beside it (HTTPS).
``guard.Guests`` bounds how many connections strangers may have.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any

from flask import Flask
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from assistant.files.settings import MAX_PORT
from assistant.page.asgi import MOST_MESSAGE, Page, Peers
from assistant.page.authority import SECURE, SecureDoor
from assistant.page.guard import PORTS, Guests, Ports, own_address
from assistant.rules.errors import MusError, Translatable

log = logging.getLogger("mus.dashboard")

HEAD_SECONDS = 10
"""Seconds that the head of a request may take, however often a byte of it comes."""
HEAD_BYTES = 16_384
"""The most bytes of a head that is not complete."""
WAITING = 128
"""Connections that wait to be accepted, and that are accepted in one go."""
STOP_SECONDS = 2
"""Seconds that unfinished answers still have when the server stops; then they are cut."""
RENEW_SECONDS = 60
"""Seconds between two checks whether this machine has another address."""
EVERYWHERE = ("0.0.0.0", "")


class DashboardError(MusError):
    """The page cannot be served; the text is one sentence that says what to do."""


class _Config(Config):
    """How the page is served."""

    def __init__(self, page: Page, secure: SecureDoor | None) -> None:
        self.page = page
        self.secure = secure
        super().__init__(
            page,
            http=_Connection,
            ws=_SocketConnection,
            ws_max_size=MOST_MESSAGE,
            ws_ping_interval=None,  # a handler bounds the silence of its clients by itself
            ws_per_message_deflate=False,
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
            callback_notify=self._renew,
            timeout_notify=RENEW_SECONDS,
        )

    async def _renew(self) -> None:
        """Look whether the secure address needs another certificate.

        In the event loop, where no connection is being secured meanwhile.
        """
        if self.secure:
            try:
                self.secure.renew()
            except OSError as error:
                log.warning("The page's certificate was not renewed: %s.", error.strerror)


class _Server(Server):
    """An ASGI server whose second listener, if there is one, is the secure one."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; uvicorn itself would let a TLS handshake take a minute."""
        await super().startup(sockets=[])
        config = self.config
        assert isinstance(config, _Config)
        loop = asyncio.get_running_loop()
        contexts = (None, config.secure.context if config.secure else None)
        for listener, context in zip(sockets or [], contexts, strict=False):
            self.servers.append(
                await loop.create_server(
                    lambda: _Connection(config, self.server_state, self.lifespan.state),
                    sock=listener,
                    ssl=context,
                    ssl_handshake_timeout=HEAD_SECONDS if context else None,
                    backlog=WAITING,
                )
            )


class _Connection(H11Protocol):
    """A connection that is cut if the head of a request comes too slowly."""

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it among the open connections."""
        super().connection_made(transport)
        assert isinstance(self.config, _Config)
        self._page = self.config.page
        self._peers = _peers_of(transport)
        self._page.connections[self._peers] = self
        self.end_answer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more; either side has closed it."""
        super().connection_lost(exc)
        self.begin_answer()
        del self._page.connections[self._peers]

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Give the connection to a WebSocket, which takes this one's place among the open ones."""
        self.begin_answer()
        super().handle_websocket_upgrade(event)

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


class _SocketConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it among the open connections."""
        super().connection_made(transport)
        assert isinstance(self.config, _Config)
        self._page = self.config.page
        self._peers = _peers_of(transport)
        self._page.connections[self._peers] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more; either side has closed it."""
        super().connection_lost(exc)
        del self._page.connections[self._peers]

    def shutdown(self) -> None:
        """Close it because the server ends; uvicorn fails where the client is closing it, too."""
        try:
            super().shutdown()
        except InvalidState:
            self.transport.close()

    def begin_answer(self) -> None:
        """A WebSocket is one long answer, which its handler bounds."""

    def end_answer(self) -> None:
        """See ``begin_answer``."""

    def cut(self) -> None:
        """End it at once."""
        self.transport.abort()


def _peers_of(transport: asyncio.BaseTransport) -> Peers:
    """Both ends of a connection; unknown if the other side closed it at once."""
    client, server = (
        transport.get_extra_info(name) or ("", 0) for name in ("peername", "sockname")
    )
    return client[:2], server[:2]


class _Listener(socket.socket):
    """The listening socket. It closes one stranger's connection too many as soon as it comes."""

    guests: Guests

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """The next connection. Raises ConnectionAbortedError if it was refused."""
        connection, address = super().accept()
        if not self.guests.connects(address[0]):
            connection.close()
            raise ConnectionAbortedError
        counted = _Counted(
            connection.family, connection.type, connection.proto, connection.detach()
        )
        counted.leaves = partial(self.guests.leaves, address[0])
        return counted, address


class _Counted(socket.socket):
    """A guest's connection, counted until it is closed, even if its TLS never began."""

    leaves: Callable[[], None] | None = None

    def close(self) -> None:
        """Close it, and count it no more."""
        super().close()
        if self.leaves:
            self.leaves()
            self.leaves = None


class DashboardServer:
    """The server of a page. ``port`` is the real one, also if it was given as 0."""

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        option: str = "--port",
        secure: SecureDoor | None = None,
    ) -> None:
        """Take the port at once; ``option``: how to choose another one. Raises DashboardError.

        ``secure``: for the secure address beside the plain one. If its port cannot be taken, the
        log has one sentence, and only the plain one is served.
        """
        self._listeners = [_listen(host, port, option)]
        self.host = host
        self.port: int = self._listeners[0].getsockname()[1]
        self.secure = secure if secure and self._opens(secure) else None
        self._page = Page(app)
        for listener in self._listeners:
            listener.guests = self._page.guests
        app.extensions[SECURE] = self.secure
        app.extensions[PORTS] = Ports(self.port, self.secure.port if self.secure else None)
        self._server = _Server(_Config(self._page, self.secure))
        self._thread: Thread | None = None

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

    @property
    def secure_url(self) -> str | None:
        """Where this machine's browser finds the secure page; None if there is none."""
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"https://{host}:{self.secure.port}/" if self.secure else None

    def _opens(self, secure: SecureDoor) -> bool:
        """Take the port of the secure address, if possible."""
        try:
            listener = _listen(self.host, secure.port, "--https-port")
        except DashboardError as error:
            log.warning("There is no secure page for telephones: %s", error)
            return False
        secure.port = listener.getsockname()[1]
        self._listeners.append(listener)
        return True

    def start(self) -> None:
        """Serve from now on, in a thread of its own."""
        _raise_file_limit()
        self._thread = Thread(
            target=self._server.run,
            args=(list(self._listeners),),
            name="mus-dashboard",
            daemon=True,
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
        for listener in self._listeners:
            listener.close()
        self._page.close()


def serve(
    app: Flask, host: str, port: int, option: str = "--port", secure: SecureDoor | None = None
) -> DashboardServer:
    """Prepare to serve an app on a port (0: any free one). Raises DashboardError."""
    return DashboardServer(app, host, port, option, secure)


def _raise_file_limit() -> None:
    """Let the process open as many files as it is allowed: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    log.debug("open files: %s, at most %s", soft, hard)


def _listen(host: str, port: int, option: str) -> _Listener:
    if not 0 <= port <= MAX_PORT:
        raise DashboardError(
            "Port {port} does not exist: choose one up to {most}.", port=port, most=MAX_PORT
        )
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
            return Translatable(
                "Port {port} is taken: choose another with {option}.", port=port, option=option
            )
        case errno.EACCES:
            return Translatable(
                "Port {port} needs more rights than yours: choose one above 1023 with {option}.",
                port=port,
                option=option,
            )
        case _:
            return Translatable(
                "The page cannot be served on {host}:{port} ({why}).",
                host=host,
                port=port,
                why=error.strerror or error,
            )
