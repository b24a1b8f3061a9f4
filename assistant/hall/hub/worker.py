"""A worker thread that repeats one step, and survives every error in it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread

log = logging.getLogger("mus.hub")

RETRY_AFTER_S = 1.0
"""Seconds to the next step after one that failed unexpectedly."""


class Worker:
    """A daemon thread. An unexpected exception is logged with its traceback, and it goes on."""

    def __init__(self, name: str, step: Callable[[], object]) -> None:
        """``step`` does one piece of work; it waits by itself until there is something to do."""
        self.ends = Event()
        self._name = name
        self._step = step
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @property
    def alive(self) -> bool:
        """Whether it was started and still runs."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the end of the last step, after ``ends`` was set."""
        self._thread.join()

    def _run(self) -> None:
        while not self.ends.is_set():
            try:
                self._step()
            except Exception:
                log.exception("The hub's %s met what it should not have; it goes on.", self._name)
                self.ends.wait(RETRY_AFTER_S)
