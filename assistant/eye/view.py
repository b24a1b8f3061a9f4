"""Motion detection, change detection, and a view: a picture prepared for the search for cards."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.images import Image, brightest
from assistant.eye.plane import Plane, Points
from assistant.eye.source import EndOfFrames, Source
from assistant.files.process import UsageError

# ---- Motion detection: cards are read when nothing moves ----------------------------------------


SMALL = 240
"""Width to which frames are reduced: the sensor's noise is gone, and a finger still shows."""
MOVED_LEVELS = 14
"""A pixel that changes by more shows motion; lamps flicker by less."""
MOVED_SHARE = 0.002
"""The share of the picture that must change: half a finger."""
AT_REST = 0.3
"""Seconds without motion after which cards lie still."""
FRAMES = 3
"""How many frames a reading is made from."""
STILL_WITHIN_S = 20.0
"""Seconds within which a camera must show a picture that stands still."""


class Stillness:
    """A motion detector: it takes every frame, and measures for how long nothing has moved."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since: float | None = None

    def fed(self, image: Image, at: float) -> float:
        """Take a frame of the time ``at``; return for how many seconds nothing has moved."""
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
    """The frames of each moment of rest; of a picture file, the picture.

    Ends with the file, or when a live source gave no frame for ``timeout`` seconds. Raises
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
    if rest and not told:  # a picture, or a video that ended early
        yield list(rest)


def still(source: Source) -> list[Image]:
    """The frames of the next moment of rest. Raises UsageError, CameraError."""
    for frames in moments(source, STILL_WITHIN_S):
        return frames
    raise UsageError("{name} gave no picture that stands still: fix the camera.", name=source.name)


# ---- Change detection: what is on the table that was not there when it was empty ----------------
# A threshold of brightness would take a checked cloth for paper, so the picture is compared with
# one of the empty table by the same camera. Shadows, and a lamp that is a little brighter, do not
# count.


Mask = npt.NDArray[np.uint8]
"""A mask, (height, width): 1 where something is true, 0 elsewhere."""

SOFTENED = 0.8
"""Both pictures are blurred by so many pixels, so that the sensor's noise does not count."""
LEAST_LEVELS, MOST_LEVELS = 8.0, 40.0
NOISES = 4.0
"""A change is more than NOISES times the median difference. If that is more than noise can be, the
whole picture has changed."""
SHADOW = (0.4, 1.02)
"""The share of the empty table's light that is left in a shadow."""
SHADOW_COLOUR = 0.1
"""How far a shadow's colour may differ from the table's, as a share of its brightness."""
SPECK_MM2 = 300.0
"""A smaller change is neither a card nor a readable piece of one."""


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """The table without cards: the mean of some frames."""

    picture: Image

    @staticmethod
    def learned(frames: Sequence[Image]) -> EmptyTable:
        """The mean of frames of one size. Raises ValueError for none, or several sizes."""
        if not frames or len({frame.shape for frame in frames}) > 1:
            raise ValueError("the empty table is learned from frames of one size")
        mean = np.mean([frame.astype(np.float32) for frame in frames], axis=0)
        return EmptyTable(np.asarray(np.round(mean), np.uint8))


def changed(picture: Image, empty: Image, per_mm: float) -> Mask:
    """Where two pictures of one size differ by more than noise and shadow.

    ``per_mm``: pixels per millimetre. Holes in regions are filled; specks are left out.
    """
    now = _softened(picture)
    before = _relit(now, _softened(empty))
    difference = brightest(cv2.absdiff(now, before))
    least = float(np.clip(NOISES * np.median(difference), LEAST_LEVELS, MOST_LEVELS))
    found = np.asarray((difference > least) & ~_shadowed(now, before, least), np.uint8)
    found = np.asarray(cv2.morphologyEx(found, cv2.MORPH_CLOSE, _square(3)), np.uint8)
    outlines, _ = cv2.findContours(found, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    speck = SPECK_MM2 * per_mm**2
    large = [outline for outline in outlines if cv2.contourArea(outline) > speck]
    filled = np.zeros_like(found)
    cv2.drawContours(filled, large, -1, 1, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, _square(5)), np.uint8)


def _softened(picture: Image) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFTENED), np.float32)


def _relit(
    now: npt.NDArray[np.float32], before: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """The empty table with its brightness adjusted to now, by the median of all pixels."""
    some = (slice(None, None, 7), slice(None, None, 7))
    gain = np.median((now[some] + 1) / (before[some] + 1), axis=(0, 1))
    return np.asarray(before * np.clip(gain, 0.5, 2.0).astype(np.float32), np.float32)


def _shadowed(
    now: npt.NDArray[np.float32], before: npt.NDArray[np.float32], least: float
) -> npt.NDArray[np.bool_]:
    """Where the picture has the empty table's colour, only darker."""
    light = _summed(now * before) / (_summed(before**2) + 1)
    off = brightest(cv2.absdiff(now, light[..., None] * before))
    near = off < np.maximum(least, SHADOW_COLOUR * brightest(before))
    return np.asarray((light > SHADOW[0]) & (light < SHADOW[1]) & near, np.bool_)


def _summed(picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    blue, green, red = cv2.split(picture)
    return np.asarray(blue + green + red, np.float32)


def _square(side: int) -> Mask:
    return np.ones((side, side), np.uint8)


# ---- The view: a picture prepared for the search for cards --------------------------------------
# Edges are looked for in a smaller picture, in which cards have about the same size with any
# camera. Finer edges take longer, and show the position of a card no better.


PER_MM = 0.9
"""The most pixels per millimetre in the smaller picture."""
WEAKEST = 0.03
"""The least slope of an edge in a pixel, as a share of the brightest level."""
GAP_MM = 24.0
"""Size of the holes and bays in a change that may belong to a card: on a cloth as white as paper,
no change shows."""


@dataclass(frozen=True, slots=True)
class View:
    """A picture prepared for the search.

    picture   as the camera sent it
    grey      the mean of its three colours
    plane     of the table, in pixels of ``picture``
    factor    width of a pixel of the smaller picture, in pixels of ``picture``
    bright    the smaller picture's brightest channel
    slopes    its gradient to the right and downwards: (height, width, 2)
    steep     the slope from which on an edge counts fully
    new       the mask of changes against the empty table, in the smaller picture
    may       where cards may be: ``new`` with its bays and holes filled
    bare      the empty table in the smaller picture, or None if it is unknown
    """

    picture: Image
    grey: npt.NDArray[np.uint8]
    plane: Plane
    factor: float
    bright: npt.NDArray[np.uint8]
    slopes: npt.NDArray[np.float32]
    steep: float
    new: Mask
    may: Mask
    bare: Image | None

    def smaller(self, pixels: Points) -> Points:
        """Pixels of the picture as pixels of the smaller one."""
        return (pixels + 0.5) / self.factor - 0.5

    def larger(self, pixels: Points) -> Points:
        """Pixels of the smaller picture as those of the picture."""
        return (pixels + 0.5) * self.factor - 0.5

    def mm(self, pixels: Points) -> Points:
        """Pixels of the smaller picture as millimetres on the table."""
        return self.plane.to_mm(self.larger(pixels))

    def quad(self, outline: Points) -> Points:
        """An outline in millimetres as pixels of the smaller picture."""
        return self.smaller(self.plane.to_pixels(outline))


def view(picture: Image, plane: Plane, empty: Image | None) -> View:
    """Prepare a picture; without the ``empty`` table, cards may lie anywhere."""
    factor = max(1.0, plane.per_mm / PER_MM)
    small = _reduced(picture, factor)
    bare = None if empty is None else _reduced(empty, factor)
    if bare is None:
        new = np.ones(small.shape[:2], np.uint8)
        may = new
    else:
        new = changed(small, bare, plane.per_mm / factor)
        side = 2 * round(GAP_MM * plane.per_mm / factor / 2) + 1
        kernel = np.ones((side, side), np.uint8)
        may = np.asarray(cv2.morphologyEx(new, cv2.MORPH_CLOSE, kernel), np.uint8)
    bright = brightest(small)
    soft = cv2.GaussianBlur(bright, (0, 0), 0.7).astype(np.float32)
    right = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    rise = float(np.median(np.hypot(right, down)))
    steep = max(3 * rise, WEAKEST * float(np.percentile(soft, 99)), 1.0)
    slopes = np.asarray(cv2.merge([right, down]), np.float32)
    grey = np.asarray(cv2.transform(picture, np.full((1, 3), 1 / 3)), np.uint8)
    return View(picture, grey, plane, factor, bright, slopes, steep, new, may, bare)


def _reduced(picture: Image, factor: float) -> Image:
    if factor == 1:
        return picture
    size = (round(picture.shape[1] / factor), round(picture.shape[0] / factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
