"""Server-sent events: every listener gets every newest snapshot, whole.

A listener is one thread that waits at the board. There are no queues: who was slow gets the newest
snapshot next, for each one says everything. A listener's id is ``BOOT.VERSION``: versions begin
anew when the assistant is restarted, so a page that comes back must not be taken for up to date.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from threading import Condition, Event

from flask import Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from assistant.dashboard.guests import GUESTS, Guests
from assistant.dashboard.port import Board
from assistant.snapshot import Snapshot

HEARTBEAT = 15.0
"""Seconds of silence after which a beat is sent, which also finds out who has left."""
POLL = 0.5
"""Seconds; how long a listener may take to notice that the dashboard stops."""
RETRY_MS = 1000
NOTHING_YET = -1


class Listeners:
    """Who listens, how many they may be, and the end of all of them."""

    def __init__(self) -> None:
        self._left = Condition()
        self._count = 0
        self.boot = secrets.token_hex(4)
        self.closing = Event()

    @property
    def count(self) -> int:
        """How many listen now."""
        return self._count

    def response(self, messages: Iterator[str]) -> Response:
        """The answer to whoever asks now, and stays. Raises ServiceUnavailable for one too many."""
        guests: Guests = current_app.extensions[GUESTS]
        address = request.remote_addr or ""
        self._enter(guests, address)

        def leave() -> None:
            guests.stops(address)
            self._leave()

        response = Response(messages, mimetype="text/event-stream")
        # Not in the generator: one that is never started (HEAD) would never leave.
        response.call_on_close(leave)
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    def seen(self, last_id: str | None) -> int:
        """The version that a page has that comes back; none of another start's is."""
        boot, _, version = (last_id or "").partition(".")
        known = boot == self.boot and version.isascii() and version.isdigit()
        return int(version) if known and len(version) < 10 else NOTHING_YET

    def close(self, timeout: float = 5.0) -> bool:
        """Send everybody away; returns whether all have left after ``timeout`` seconds."""
        self.closing.set()
        with self._left:
            return self._left.wait_for(lambda: self._count == 0, timeout)

    def open(self) -> None:
        """Take listeners (again)."""
        self.closing.clear()

    def _enter(self, guests: Guests, address: str) -> None:
        with self._left:
            if self.closing.is_set() or not guests.listens(address):
                raise ServiceUnavailable("Too many pages are open.", retry_after=10)
            self._count += 1

    def _leave(self) -> None:
        with self._left:
            self._count -= 1
            self._left.notify_all()


class Stream:
    """All the listeners of one app."""

    def __init__(self, board: Board, *, heartbeat: float = HEARTBEAT) -> None:
        self._board = board
        self._heartbeat = heartbeat
        self._all = Listeners()
        self._written = NOTHING_YET, ""  # one reference: read and replaced whole

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return self._all.count

    def response(self, last_id: str | None) -> Response:
        """The answer to whoever asks now, and stays. Raises ServiceUnavailable for one too many."""
        return self._all.response(self._messages(self._all.seen(last_id)))

    def close(self, timeout: float = 5.0) -> bool:
        """Send everybody away; returns whether all have left after ``timeout`` seconds."""
        return self._all.close(timeout)

    def open(self) -> None:
        """Take listeners (again)."""
        self._all.open()

    def _messages(self, seen: int) -> Iterator[str]:
        yield f"retry: {RETRY_MS}\n\n"
        if seen == NOTHING_YET:
            first = self._board.snapshot()
            seen = first["version"]
            yield self._message(first)
        spoke = time.monotonic()
        while not self._all.closing.is_set():
            asked = time.monotonic()
            newer = self._board.wait(seen, POLL)
            if newer is not None:
                seen = newer["version"]
                yield self._message(newer)
                spoke = asked
                continue
            # A board that is closed already does not wait; then we do.
            self._all.closing.wait(asked + POLL - time.monotonic())
            if time.monotonic() - spoke >= self._heartbeat:
                # The comment keeps the line open; the named event lets the page know it is.
                yield ": beat\nevent: beat\ndata: \n\n"
                spoke = time.monotonic()

    def _message(self, snapshot: Snapshot) -> str:
        """A snapshot as it is sent; written once, however many listen."""
        version, message = self._written
        if version != snapshot["version"]:
            data = json.dumps(snapshot, ensure_ascii=False, separators=(",", ":"))
            message = f"id: {self._all.boot}.{snapshot['version']}\ndata: {data}\n\n"
            self._written = snapshot["version"], message
        return message
