"""WebSockets of the page: which paths have one, and the conversation that each handler holds.

A WebSocket is let in by the app itself: its request is put to the app as a GET of the same path
first, so that the guard, the door and the route decide as they do for every page. Only if the app
answers 204 is it opened, and its handler called in the server's event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from flask import Flask

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
