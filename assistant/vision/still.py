"""Whether anything moves on the table: cards are read when nothing does."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import cv2
import numpy as np

from assistant.vision.images import Image, brightest
from assistant.vision.source import EndOfFrames, Source

SMALL = 240
"""Width to which frames are made smaller: the noise of the sensor is gone, a finger is not."""
MOVED_LEVELS = 14
"""A pixel that changes by more has seen something move; lamps flicker by less."""
MOVED_SHARE = 0.002
"""Of the picture: half a finger."""
AT_REST = 0.3
"""Seconds without movement after which cards lie as they are meant to."""
FRAMES = 3
"""A reading is made from so many."""


class Stillness:
    """Is fed every frame, and tells since when nothing moved."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since: float | None = None

    def fed(self, image: Image, at: float) -> float:
        """For how many seconds nothing has moved; ``at``: when the frame was taken."""
        high = max(1, round(image.shape[0] * SMALL / image.shape[1]))
        small = np.asarray(cv2.resize(image, (SMALL, high), interpolation=cv2.INTER_AREA), np.uint8)
        last, self._last = self._last, small
        if last is None or last.shape != small.shape or _moved(last, small) or self._since is None:
            self._since = at
        return at - self._since


def _moved(one: Image, other: Image) -> bool:
    change = brightest(cv2.absdiff(one, other))
    return float((change > MOVED_LEVELS).mean()) > MOVED_SHARE


def moments(source: Source, timeout: float) -> Iterator[list[Image]]:
    """Frames of each time that nothing moved for a while; of a picture, the picture.

    Ends with the file, or when a live source gave nothing for ``timeout`` seconds. Raises
    CameraError.
    """
    watch, rest, told = Stillness(), deque[Image](maxlen=FRAMES), False
    while True:
        try:
            frame = source.read(timeout)
        except EndOfFrames:
            break
        if frame is None:
            break
        calm = watch.fed(frame.image, frame.at)
        if calm == 0:
            rest.clear()
            told = False
        rest.append(frame.image)
        if calm >= AT_REST and len(rest) == FRAMES and not told:
            told = True
            yield list(rest)
    if rest and not told:  # a picture, or a film that ended early
        yield list(rest)
