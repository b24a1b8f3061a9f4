"""A camera's health: a watchdog for dark or frozen pictures, and reopening of a lost camera."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

import cv2
import numpy as np

from assistant.eye.images import Image, VisionError
from assistant.eye.source import CameraError, Frame, Source, open_source

log = logging.getLogger("mus.eye")

BLACK_AFTER = 2.0
"""Seconds of black pictures after which the lens counts as covered."""
FROZEN_AFTER = 3.0
"""Seconds without a new picture, or with the same one: a working sensor always has noise."""
BLACK_MEAN, BLACK_SPREAD = 24.0, 5.0
"""Limits of 255 for a black picture: above what a covered lens gives, even at the highest gain."""
STEP = 8
"""The step, in pixels, at which a picture is sampled."""
BLOCKS = (16, 9)
"""Columns and rows of blocks by whose means black is judged: they have no noise, but show a
table."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 10.0
"""Seconds between two attempts to open a lost camera; they double from the first to the second."""
LETTING_GO = 2.0


class Health(StrEnum):
    """The health of a camera; the page shows it."""

    WAITING = "waiting"
    OK = "ok"
    BLACK = "black"
    FROZEN = "frozen"
    LOST = "lost"


class Watchdog:
    """Judges a camera's health from its frames. It has no clock: the time is an argument."""

    def __init__(
        self, black_after: float = BLACK_AFTER, frozen_after: float = FROZEN_AFTER
    ) -> None:
        """The times are in seconds."""
        self._black_after = black_after
        self._frozen_after = frozen_after
        self._health = Health.WAITING
        self._sample: Image | None = None
        self._came_at = 0.0
        self._same_since = 0.0
        self._black_since: float | None = None

    @property
    def health(self) -> Health:
        """As it was when the watchdog was last fed."""
        return self._health

    def feed(self, frame: Frame | None, now: float, lost: bool = False) -> Health:
        """Take the result of a read: a frame, or None if none came in time.

        ``now``: seconds of a monotonic clock; ``lost``: whether the source is lost.
        """
        if frame is not None:
            self._look(frame.image, now)
        elif lost:
            # The first picture after a loss is new, even if it is as black as the last.
            self._sample = self._black_since = None
            self._health = Health.LOST
            return self._health
        if self._sample is not None:
            self._health = self._judged(now)
        return self._health

    def _look(self, image: Image, now: float) -> None:
        sample = np.ascontiguousarray(image[::STEP, ::STEP])
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._same_since = now
        self._sample = sample
        self._came_at = now
        if not is_black(sample):
            self._black_since = None
        elif self._black_since is None:
            self._black_since = now

    def _judged(self, now: float) -> Health:
        if now - self._came_at >= self._frozen_after:
            return Health.FROZEN
        # Black comes before frozen: a covered lens may be both, and uncovering it helps.
        if self._black_since is not None and now - self._black_since >= self._black_after:
            return Health.BLACK
        if now - self._same_since >= self._frozen_after:
            return Health.FROZEN
        return Health.OK


def is_black(image: Image) -> bool:
    """Whether a picture, BGR or grey, is dark all over, as with a covered lens."""
    blocks = cv2.resize(image, BLOCKS, interpolation=cv2.INTER_AREA)
    return float(blocks.mean()) < BLACK_MEAN and float(blocks.std()) < BLACK_SPREAD


class Reopening(Source):
    """A source that opens a lost live source again, until it is back.

    Meanwhile ``read`` gives None, and ``lost`` says why. Files, and a camera that is missing at the
    beginning, fail at once, because waiting does not mend them.
    """

    def __init__(
        self,
        spec: str,
        open: Callable[[str], Source] = open_source,
        first_wait: float = FIRST_WAIT,
        longest_wait: float = LONGEST_WAIT,
    ) -> None:
        """Open what ``spec`` names. Raises CameraError or ImageError, as ``open`` does."""
        self._spec = spec
        self._open = open
        self._waits = (first_wait, longest_wait)
        self._wait = first_wait
        self._changed = threading.Condition()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._lost: CameraError | None = None
        self._locked = False
        self._count = 0  # frames of the sources before this one
        self._last = -1
        self._inner: Source | None = open(spec)
        self.name = self._inner.name
        self.live = self._inner.live

    @property
    def lost(self) -> CameraError | None:
        """Why there are no pictures at present; None if there are."""
        return self._lost

    def read(self, timeout: float) -> Frame | None:
        """The newest frame, or None while there is none. Only files raise their errors."""
        deadline = time.monotonic() + timeout
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._inner is not None or self._over.is_set(),
                    deadline - time.monotonic(),
                )
                inner = self._inner
            if self._over.is_set():
                raise CameraError("{name} is closed.", name=self.name)
            if inner is None:
                return None
            try:
                frame = inner.read(max(0.0, deadline - time.monotonic()))
            except CameraError as error:
                if not self.live:
                    raise
                self._begin_again(inner, error)
            else:
                return frame if frame is None else self._numbered(frame)

    def close(self) -> None:
        """Release the camera and stop looking for it."""
        with self._changed:
            self._over.set()
            self._changed.notify_all()
            inner, thread = self._inner, self._thread
        if inner is not None:
            inner.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(LETTING_GO)

    def lock_exposure(self) -> bool:
        """Fix the exposure as it is now, and again after each reopening."""
        with self._changed:
            self._locked = True
            inner = self._inner
        return inner is not None and inner.lock_exposure()

    def _numbered(self, frame: Frame) -> Frame:
        if self._lost is not None:
            log.info("%s is back", self.name)
        self._lost = None
        self._wait = self._waits[0]
        self._last = self._count + frame.number
        return replace(frame, number=self._last)

    def _begin_again(self, inner: Source, error: CameraError) -> None:
        with self._changed:
            if self._over.is_set():
                return
            if self._lost is None:
                log.warning("%s", error)
            self._lost = error
            self._count = self._last + 1
            self._inner = None
            self._thread = threading.Thread(
                target=self._look_for_it, args=(inner,), name="camera again", daemon=True
            )
            self._thread.start()  # before anybody can wait for its end

    def _look_for_it(self, old: Source) -> None:
        old.close()  # in this thread, because it may take a while
        while not self._over.wait(self._wait):
            self._wait = min(2 * self._wait, self._waits[1])
            try:
                found = self._open(self._spec)
            except VisionError:
                continue
            if self._locked:
                found.lock_exposure()
            with self._changed:
                if not self._over.is_set():
                    self._inner = found
                    self._changed.notify_all()
                    return
            found.close()
            return
