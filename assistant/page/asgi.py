"""The Flask app as an ASGI application: requests in threads, streams and sockets in the event loop.

A request's body is read before the request gets a thread, and its answer is sent after the thread
is free again, so that no slow connection holds one. Strangers have threads of their own, so that
the table's own devices never wait for them.

The app itself decides about a WebSocket: it first gets a GET request for the same path, so that the
guard, the door and the route decide as they do for every page. Only if the app answers 204 is the
WebSocket opened, and its handler called in the server's event loop.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from typing import Any, Protocol

from flask import Flask
from werkzeug import Response

from assistant.page.guard import GUESTS, Guests
from assistant.page.incoming import MAX_BODY, MAX_PHOTO
from assistant.page.stream import EVENTS, STREAM, Stream

# ---- WebSockets: which paths have one, and the conversation that each handler holds -------------


SOCKETS = "mus.sockets"
"""Where an app keeps the handlers of its WebSockets, by their paths."""
LET_IN = 204
"""The status with which a route lets a WebSocket in."""
MOST_MESSAGE = 8192
"""The most bytes of one message; the WebSocket of a longer one is closed (1009)."""
MOST_REASON = 123
"""The most bytes of a close frame's reason (RFC 6455 5.5)."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Conversation:
    """One open WebSocket, used in the event loop.

    ``address``: the client's; ``secure``: whether it is encrypted.
    """

    def __init__(self, address: str, secure: bool, receive: Receive, send: Send) -> None:
        self.address = address
        self.secure = secure
        self._receive = receive
        self._send = send
        self._gone = False

    async def next(self, seconds: float) -> str | bytes | None:
        """The next message; None once the client has gone. Raises TimeoutError."""
        if self._gone:
            return None
        async with asyncio.timeout(seconds):
            message = await self._receive()
        if message["type"] != "websocket.receive":
            self._gone = True
            return None
        text: str | None = message.get("text")
        if text is not None:
            return text
        return bytes(message["bytes"])

    async def say(self, text: str) -> None:
        """Send a text; nothing happens if the client has gone."""
        await self._try({"type": "websocket.send", "text": text})

    async def close(self, code: int, reason: str) -> None:
        """Close it with a code (RFC 6455 7.4) and one sentence."""
        short = reason.encode()[:MOST_REASON].decode("utf-8", "ignore")
        await self._try({"type": "websocket.close", "code": code, "reason": short})
        self._gone = True

    async def _try(self, message: Message) -> None:
        if self._gone:
            return
        with suppress(OSError):  # it has gone just now; uvicorn says so with a kind of OSError
            await self._send(message)


Handler = Callable[[Conversation], Awaitable[None]]


def add_socket(app: Flask, path: str, handler: Handler) -> None:
    """Have WebSockets of a path handled. A route of that path lets them in."""
    app.extensions.setdefault(SOCKETS, {})[path] = handler


def handler_of(app: Flask, path: str) -> Handler | None:
    """The handler of a path, if there is one."""
    handlers: dict[str, Handler] = app.extensions.get(SOCKETS, {})
    return handlers.get(path)


# ---- The application: requests, streams and WebSockets ------------------------------------------


OWN_THREADS, STRANGERS_THREADS = 8, 2
"""Requests answered at the same time: of the table's own devices, and of all others."""
MOST_OWN, MOST_STRANGERS = MAX_PHOTO, MAX_BODY
"""The most bytes of a body: from the table's own devices, and from all others."""
BODY_SECONDS, ANSWER_SECONDS = 60.0, 120.0
"""Seconds that a request's body may take, and its answer."""

Peers = tuple[tuple[str, int], tuple[str, int]]
"""The addresses and ports of a connection's client and server."""


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

    ``connections``: the open ones, by their addresses and ports.
    """

    def __init__(self, app: Flask) -> None:
        self.guests: Guests = app.extensions[GUESTS]
        self.stream: Stream = app.extensions[STREAM]
        self.connections: dict[Peers, Connection] = {}
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
        """Answer one request, or hold one conversation by WebSocket."""
        connection = self.connections.get(_peers(scope))
        if connection is None:
            return  # it left before it was answered
        connection.begin_answer()
        try:
            if scope["type"] == "websocket":
                await self._converse(scope, receive, send)
            else:
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
        await self._listen(scope, receive, send, answer.headers.get("Content-Language", ""))

    async def _converse(self, scope: Message, receive: Receive, send: Send) -> None:
        """Open a WebSocket if the app lets it in, and hold its conversation."""
        address = scope["client"][0]
        pool = self._own if self.guests.is_own(address) else self._strangers
        asked = {**scope, "method": "GET", "scheme": scope["scheme"].replace("ws", "http")}
        answer = await asyncio.get_running_loop().run_in_executor(
            pool, self._ask, _environ(asked, b"")
        )
        handler = handler_of(self._app, scope["path"])
        if handler is None or answer.status_code != LET_IN:
            head = {**_head(answer), "type": "websocket.http.response.start"}
            await send(head)
            await send({"type": "websocket.http.response.body", "body": answer.data})
            return
        await receive()  # the client's wish to connect
        await send({"type": "websocket.accept"})
        await handler(Conversation(address, scope["scheme"] == "wss", receive, send))

    def _ask(self, environ: dict[str, Any]) -> Response:
        """The app's whole answer, so that a slow receiver holds no thread."""
        return Response.from_app(self._app, environ, buffered=True)

    async def _listen(self, scope: Message, receive: Receive, send: Send, language: str) -> None:
        """Send the stream of events for as long as the page stays."""

        async def tell(text: str, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": more})

        address = scope["client"][0]
        if self.guests.listens(address):  # else others were faster: the page will retry
            gone = asyncio.ensure_future(_gone(receive))
            try:
                last_id = _header(scope, b"last-event-id")
                await self.stream.listen(last_id, tell, gone, language)
            finally:
                gone.cancel()
                self.guests.stops(address)
        await tell("", more=False)


def _peers(scope: Message) -> Peers:
    return scope["client"], scope["server"]


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
        if name in (b"connection", b"upgrade"):
            continue  # they are between the browser and this server
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
