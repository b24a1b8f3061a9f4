"""The thread that says one sentence after another, so that nobody else has to wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from assistant.announce.port import Said

log = logging.getLogger("mus.voice")

GRACE = 5.0
"""Seconds that a closing voice may still speak."""


class Queue(Protocol):
    """Where sentences wait."""

    def __len__(self) -> int:
        """How many."""

    def put(self, new: Said) -> list[Said]:
        """Add a sentence; return those that will not be said for it."""

    def take(self) -> Said | None:
        """The next sentence, if any."""

    def clear(self) -> None:
        """Forget all."""


class Desk:
    """Owns a thread that calls ``speak(text, stop)`` for each sentence of its queue.

    ``speak`` returns when the sentence is over, or soon after ``stop`` is set. What it raises is
    logged: a voice that stumbles must not take the game with it. ``finish`` is called at the end of
    the thread, which gives back what only it has used.
    """

    def __init__(
        self,
        waiting: Queue,
        speak: Callable[[str, threading.Event], None],
        finish: Callable[[], None],
    ) -> None:
        self._waiting = waiting
        self._speak = speak
        self._finish = finish
        self._changed = threading.Condition()
        self._current: Said | None = None
        self._stop = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Put a sentence into the queue and return at once."""
        new = Said(text, seq, urgent)
        with self._changed:
            if self._closed:
                return
            for said in self._waiting.put(new):
                log.debug("overtaken: %s", said.text)
            now = self._current
            if urgent and now and not now.urgent and now.seq < seq:
                self._stop.set()
            self._changed.notify()

    @property
    def busy(self) -> bool:
        """Whether a sentence is being said, or waits."""
        with self._changed:
            return self._current is not None or len(self._waiting) > 0

    def silence(self) -> None:
        """Stop the present sentence and forget the others."""
        with self._changed:
            self._waiting.clear()
            self._stop.set()

    def close(self, grace: float = GRACE) -> None:
        """Take no more; finish what waits within ``grace`` seconds, then stop in mid-sentence."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(grace)
        if self._thread.is_alive():
            self.silence()
            self._thread.join(grace)

    def _run(self) -> None:
        while (said := self._next()) is not None:
            log.info("%s", said.text)
            try:
                self._speak(said.text, self._stop)
            except Exception:
                log.exception("not said: %s", said.text)
        self._finish()

    def _next(self) -> Said | None:
        """Wait for the next sentence; ``None`` when closed and nothing waits."""
        with self._changed:
            self._current = None
            while (said := self._waiting.take()) is None:
                if self._closed:
                    return None
                self._changed.wait()
            self._current = said
            self._stop.clear()
            return said
