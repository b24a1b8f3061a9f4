"""The latest-frame grabber: a thread owns the camera and keeps only its newest picture."""

from __future__ import annotations

import atexit
import logging
import threading
import time
import weakref
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Protocol

from assistant.eye.images import Image
from assistant.eye.source import CameraError, Frame, Source
from assistant.rules.errors import Translatable

log = logging.getLogger("mus.eye")

Picture = Callable[[], Image | None]
"""Decodes the picture when it is needed; None if it is broken."""

LETTING_GO = 2.0
"""Seconds that ``close`` waits for a busy camera; after that the thread releases it later."""
ANSWER_WITHIN = 3.0
"""Seconds that a job may wait for its turn."""
A_SECOND = 10
"""The most pictures decoded a second: enough for a table, and easy for a small computer."""


class Feed(Protocol):
    """The port of a camera driver, used by one thread. No method blocks for more than seconds."""

    @abstractmethod
    def open(self) -> None:
        """Take the device. Raises CameraError."""

    @abstractmethod
    def next(self) -> Picture | None:
        """The next picture; None if none has come yet. Raises CameraError if the camera is lost."""

    @abstractmethod
    def close(self) -> None:
        """Release the device, opened or not."""


class FramePace:
    """Limits the rate of decoding."""

    def __init__(self, a_second: float = A_SECOND) -> None:
        """At most ``a_second`` of them."""
        self._every = 1 / a_second
        self._due = 0.0

    def due(self, now: float) -> bool:
        """Whether to decode the picture that came at ``now``, in seconds."""
        if now < self._due:
            return False
        late = now - self._due
        # A small delay is made up for. Otherwise 30 pictures a second would become 7.5, not 10.
        self._due = (now if late > self._every else self._due) + self._every
        return True


@dataclass(frozen=True, slots=True)
class _Kept:
    picture: Picture
    at: float
    number: int


class Newest(Source):
    """A live source: the newest picture of a feed."""

    live = True

    def __init__(self, name: str, feed: Feed, within: float) -> None:
        """Open ``feed`` in a thread of its own and wait ``within`` seconds for it.

        Raises CameraError.
        """
        self.name = name
        self._feed = feed
        self._changed = threading.Condition()
        self._opened = False
        self._closed = False
        self._failure = ""
        self._kept: _Kept | None = None
        self._count = 0
        self._jobs: deque[tuple[Callable[[], bool], Future[bool]]] = deque()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        _running.add(self)
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._opened or self._failure, within)
            opened, failure = self._opened, self._failure
        if failure:
            self.close()
            raise CameraError(failure)
        if not opened:
            # Do not wait for the thread: it may hang in a system call, and ends when that returns.
            self._over.set()
            raise CameraError(
                "{name} does not answer: look whether it is on and connected.", name=name
            )

    def read(self, timeout: float) -> Frame | None:
        """The newest frame. Raises CameraError."""
        deadline = time.monotonic() + timeout
        while (kept := self._take(deadline)) is not None:
            image = kept.picture()
            if image is not None:
                return Frame(image, kept.at, kept.number)
            if time.monotonic() >= deadline:
                break
        return None

    def close(self) -> None:
        """Release the camera."""
        with self._changed:
            self._closed = True
            self._kept = None
            self._changed.notify_all()
        self._over.set()
        if self._thread is not threading.current_thread():
            self._thread.join(LETTING_GO)

    def _take(self, deadline: float) -> _Kept | None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._kept or self._failure or self._closed, deadline - time.monotonic()
            )
            if self._closed:
                raise CameraError("{name} is closed.", name=self.name)
            if self._failure:  # pictures from before the loss are not shown
                raise CameraError(self._failure)
            kept, self._kept = self._kept, None
            return kept

    def _ask(self, job: Callable[[], bool]) -> bool:
        """Run a job between two pictures, in the thread that owns the camera."""
        if self._over.is_set():
            return False
        answer: Future[bool] = Future()
        self._jobs.append((job, answer))
        try:
            return answer.result(ANSWER_WITHIN)
        except (CancelledError, TimeoutError):
            answer.cancel()
            return False

    def _run(self) -> None:
        failure = ""
        try:
            self._feed.open()
            with self._changed:
                self._opened = True
                self._changed.notify_all()
            while not self._over.is_set():
                self._work()
                picture = self._feed.next()
                if picture is not None:
                    self._keep(picture)
        except CameraError as error:
            failure = str(error)
        except Exception:
            # OpenCV or a driver failed; readers that wait must still get an error.
            log.exception("a camera stopped")
            failure = Translatable(
                "{name} stopped working: plug it in again, or name another camera.", name=self.name
            )
        finally:
            self._end(failure)

    def _end(self, failure: str) -> None:
        try:
            self._feed.close()
        except Exception:
            log.exception("a camera was not let go of in order")
        with self._changed:
            self._failure = failure
            self._over.set()
            self._changed.notify_all()
        while self._jobs:
            self._jobs.popleft()[1].cancel()
        _running.discard(self)

    def _keep(self, picture: Picture) -> None:
        with self._changed:
            if not self._closed:
                self._kept = _Kept(picture, time.monotonic(), self._count)
                self._count += 1
                self._changed.notify_all()

    def _work(self) -> None:
        while self._jobs:
            job, answer = self._jobs.popleft()
            if answer.set_running_or_notify_cancel():
                answer.set_result(job())


_running: weakref.WeakSet[Newest] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Release all cameras that were not closed.

    A thread that returns from OpenCV while Python shuts down aborts the whole program.
    """
    left = list(_running)
    for source in left:
        source._over.set()
    deadline = time.monotonic() + LETTING_GO
    for source in left:
        source._thread.join(max(0.0, deadline - time.monotonic()))
