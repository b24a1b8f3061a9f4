"""Server-sent events: every listener gets the newest version, as a complete snapshot.

A listener is a coroutine of the server's event loop, so that hundreds of them need no thread. One
thread waits at the board for all of them, as long as anybody listens. There are no queues: a slow
listener gets the newest version next. The id of a message is ``BOOT.VERSION``. Versions begin anew
when the assistant is restarted, so ``BOOT`` keeps an old page from looking up to date.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Protocol

from flask import Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from assistant.page.board import Board
from assistant.page.guard import GUESTS, Guests

STREAM = "mus.stream"
"""Where an app keeps its ``Stream``."""
EVENTS = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds of silence after which a heartbeat is sent, which also detects closed pages."""
POLL = 0.5
"""Seconds within which the thread at the board notices that nobody listens any more."""
SEND_SECONDS = 30.0
"""Seconds after which a listener that accepts no data is dropped."""
RETRY_MS = 1000
NOTHING_YET = -1

Send = Callable[[str], Awaitable[None]]


class SnapshotSource(Protocol):
    """The source of a stream. Both methods may be called from any thread."""

    def wait(self, after: int, timeout: float) -> int:
        """The version once it is above ``after``, or the present one after ``timeout`` seconds."""

    def newest(self, after: int, language: str) -> tuple[int, str]:
        """The version now, and its JSON for a page that has ``after`` (or NOTHING_YET).

        ``language``: that of the page, a code.
        """


class TableSource:
    """The table's snapshots; each is encoded once for each language, however many listen."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._written: dict[str, tuple[int, str]] = {}  # language -> version and text

    def wait(self, after: int, timeout: float) -> int:
        """The version, as soon as it is above ``after``, or after ``timeout`` seconds as it is."""
        newer = self._board.wait(after, timeout)
        return newer["version"] if newer else after

    def newest(self, after: int, language: str) -> tuple[int, str]:  # noqa: ARG002
        """The version now, and its snapshot as JSON, which has everything."""
        snapshot = self._board.in_language(language)
        written = self._written.get(language, (NOTHING_YET, ""))
        if written[0] != snapshot["version"]:
            text = json.dumps(snapshot, ensure_ascii=False, separators=(",", ":"))
            written = self._written[language] = snapshot["version"], text
        return written


class Stream:
    """All the listeners of one app. What is asynchronous runs in the server's event loop."""

    def __init__(
        self, source: SnapshotSource, *, heartbeat: float = HEARTBEAT, gather: float = 0.0
    ) -> None:
        """``gather``: the least seconds between two messages to one page, to limit their number."""
        self.boot = secrets.token_hex(4)
        self.listeners = 0
        self._source = source
        self._heartbeat = heartbeat
        self._gather = gather
        self._closing = Event()
        self._version = NOTHING_YET
        self._change: asyncio.Future[None] | None = None
        self._follows: asyncio.Task[None] | None = None

    def response(self, language: str = "") -> Response:
        """The head of the answer to the present request; ``listen`` goes on with it.

        ``language``: that of the page, a code; the head names it as its Content-Language.
        Raises ServiceUnavailable if there are too many streams.
        """
        guests: Guests = current_app.extensions[GUESTS]
        if self._closing.is_set() or not guests.may_listen(request.remote_addr or ""):
            raise ServiceUnavailable("Too many pages are open.", retry_after=10)
        response = Response(iter(()), mimetype=EVENTS)  # of a length that nobody knows
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        if language:
            response.headers["Content-Language"] = language
        return response

    def seen(self, last_id: str | None) -> int:
        """The version that a returning page has; NOTHING_YET if its id is from another start."""
        boot, _, version = (last_id or "").partition(".")
        known = boot == self.boot and version.isascii() and version.isdigit()
        return int(version) if known and len(version) < 10 else NOTHING_YET

    def close(self) -> None:
        """End all streams within half a second; from any thread."""
        self._closing.set()

    async def listen(
        self, last_id: str | None, send: Send, gone: asyncio.Future[None], language: str = ""
    ) -> None:
        """Send one page every newest version, until it is ``gone`` or the stream is closed.

        ``language``: that of the page, as in the head of its answer.
        Raises TimeoutError if the page accepts no data any more.
        """
        self.listeners += 1
        try:
            await self._listen(self.seen(last_id), send, gone, language)
        finally:
            self.listeners -= 1

    async def _listen(
        self, seen: int, send: Send, gone: asyncio.Future[None], language: str
    ) -> None:
        async def tell(text: str) -> float:
            async with asyncio.timeout(SEND_SECONDS):
                await send(text)
            return time.monotonic()

        spoke = await tell(f"retry: {RETRY_MS}\n\n")
        while not (self._closing.is_set() or gone.done()):
            change = self._next_change()  # before looking, so that none is missed
            version, text = self._source.newest(seen, language)
            if version > seen:
                seen = version
                spoke = await tell(f"id: {self.boot}.{version}\ndata: {text}\n\n")
                await asyncio.sleep(self._gather)
                continue
            silent = time.monotonic() - spoke
            if silent >= self._heartbeat:
                # The comment keeps the line open; the named event lets the page know it is.
                spoke = await tell(": beat\nevent: beat\ndata: \n\n")
                continue
            await asyncio.wait(
                (change, gone),
                timeout=self._heartbeat - silent,
                return_when=asyncio.FIRST_COMPLETED,
            )

    def _next_change(self) -> asyncio.Future[None]:
        """A future that is done at the next change, or at the end."""
        if self._change is None or self._change.done():
            self._change = asyncio.get_running_loop().create_future()
        if self._follows is None or self._follows.done():
            self._follows = asyncio.create_task(self._follow())
        return self._change

    async def _follow(self) -> None:
        """Wait at the board, in a thread, as long as anybody listens."""
        while self.listeners and not self._closing.is_set():
            asked = time.monotonic()
            version = await asyncio.to_thread(self._source.wait, self._version, POLL)
            if version > self._version:
                self._version = version
                self._announce()
                continue
            # A board that is closed already does not wait; then we do.
            await asyncio.sleep(asked + POLL - time.monotonic())
        self._announce()

    def _announce(self) -> None:
        if self._change and not self._change.done():
            self._change.set_result(None)
