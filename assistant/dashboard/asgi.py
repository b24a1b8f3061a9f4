"""The Flask app as an ASGI application: requests in threads, streams in the event loop.

A request's body is read before a thread is given to it, and its answer is sent after the thread is
free again, so that nobody's slow connection holds one. Strangers have threads of their own: however
much they ask for, the table's own devices do not wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi_typing import WSGIApp
from flask import Flask

from assistant.dashboard.guests import GUESTS, Guests
from assistant.dashboard.incoming import MAX_BODY, MAX_PHOTO
from assistant.dashboard.stream import EVENTS, STREAM, Stream

OWN_THREADS, STRANGERS_THREADS = 8, 2
"""Requests that are answered at the same time, of the table's own devices and of all others."""
MOST_OWN, MOST_STRANGERS = MAX_PHOTO, MAX_BODY
"""Bytes of a body that are read, of the table's own devices and of all others."""
BODY_SECONDS, ANSWER_SECONDS = 60.0, 120.0
"""Seconds that a request's body may take, and its answer."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Connection(Protocol):
    """What a request came by."""

    def begin_answer(self) -> None:
        """The head of a request is there."""

    def end_answer(self) -> None:
        """The answer is sent: the next head may come."""

    def cut(self) -> None:
        """End it at once."""


class Page:
    """An app of ``create_app`` or ``create_hall_app``, for an ASGI server.

    ``connections``: those that are open, by their client's address and port.
    """

    def __init__(self, app: Flask) -> None:
        self.guests: Guests = app.extensions[GUESTS]
        self.stream: Stream = app.extensions[STREAM]
        self.connections: dict[tuple[str, int], Connection] = {}
        # A queue without an end (0): a thread never waits for whoever takes its answer.
        answers = cast(WSGIApp, app)
        self._own = WSGIMiddleware(answers, OWN_THREADS, 0)
        self._strangers = WSGIMiddleware(answers, STRANGERS_THREADS, 0)

    def close(self) -> None:
        """Let the threads go, once nothing is served any more."""
        for one in (self._own, self._strangers):
            one.executor.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        connection = self.connections.get(scope["client"])
        if connection is None:
            return  # it left before it was answered
        connection.begin_answer()
        try:
            await self._answer(scope, receive, send)
        except (TimeoutError, ConnectionError):
            connection.cut()
        else:
            connection.end_answer()

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        own = self.guests.is_own(scope["client"][0])
        async with asyncio.timeout(BODY_SECONDS):
            body = await _body(scope, receive, MOST_OWN if own else MOST_STRANGERS)
        stream: list[Message] = []

        async def read() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def write(message: Message) -> None:
            if stream or _begins_stream(scope, message):
                stream.append(message)
            else:
                await send(message)

        async with asyncio.timeout(ANSWER_SECONDS):
            await (self._own if own else self._strangers)(scope, read, write)  # type: ignore[arg-type]
        if stream:
            await send(stream[0])
            await self._listen(scope, receive, send)

    async def _listen(self, scope: Message, receive: Receive, send: Send) -> None:
        """Go on with an answer for as long as its page stays."""

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


def _begins_stream(scope: Message, message: Message) -> bool:
    return (
        message["type"] == "http.response.start"
        and scope["method"] == "GET"
        and any(
            name == b"content-type" and value.startswith(EVENTS.encode())
            for name, value in message["headers"]
        )
    )


def _header(scope: Message, asked: bytes) -> str:
    return next((value.decode("latin1") for name, value in scope["headers"] if name == asked), "")


async def _body(scope: Message, receive: Receive, most: int) -> bytes:
    """The body of a request; nothing of a longer one, which the app refuses by its head.

    Raises ConnectionError where it does not come.
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
    """Wait until whoever asked has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
