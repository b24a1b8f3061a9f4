"""A client's WebSocket at the secure page, whose TLS belongs to one thread.

The client of ``websockets.sync`` reads in one thread and writes in another. OpenSSL allows neither
for one connection: what is written while a session ticket is read is lost, and the client waits
for an answer to a request that the server never got. Browsers use one thread, and so does this.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

T = TypeVar("T")


class SecureTalk:
    """An open WebSocket, used from a test's own thread. Raises what ``websockets`` raises."""

    def __init__(self, port: int, path: str, context: ssl.SSLContext, origin: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="secure-talk", daemon=True)
        self._thread.start()
        url = f"wss://127.0.0.1:{port}/{path}"
        try:
            self._socket = self._do(self._open(url, context, origin))
        except BaseException:
            self._end()
            raise

    async def _open(self, url: str, context: ssl.SSLContext, origin: str) -> ClientConnection:
        return await connect(url, ssl=context, origin=Origin(origin))

    def send(self, message: str | bytes) -> None:
        """Send a message."""
        self._do(self._socket.send(message))

    def recv(self, seconds: float) -> str | bytes:
        """The next message. Raises TimeoutError."""
        return self._do(asyncio.wait_for(self._socket.recv(), seconds))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._do(self._socket.close())
        self._end()

    def _do(self, task: Coroutine[Any, Any, T]) -> T:
        done: Future[T] = asyncio.run_coroutine_threadsafe(task, self._loop)
        return done.result()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
