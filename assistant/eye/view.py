"""One picture of the table: what changed, whether anything moves, and made ready to be searched."""

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
from assistant.files.errors import UsageError

# ---- Whether anything moves on the table: cards are read when nothing does ----------------------


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
STILL_WITHIN_S = 20.0
"""Seconds that a camera has to show something that stands still."""


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


def still(source: Source) -> list[Image]:
    """Frames of the next time that nothing moves. Raises UsageError, CameraError."""
    for frames in moments(source, STILL_WITHIN_S):
        return frames
    raise UsageError(f"{source.name} gave no picture that stands still: fix the camera.")


# ---- What lies on the table that did not lie there when it was empty ----------------------------
# A threshold of brightness takes a checked cloth for paper; the empty table, seen once by the same
# camera, does not. Shadows and a lamp that grew a little brighter are no change.


Mask = npt.NDArray[np.uint8]
"""Of shape (height, width): 1 where it holds, 0 elsewhere."""

SOFTENED = 0.8
"""Pixels by which both pictures are blurred, so that the sensor's noise is no change."""
LEAST_LEVELS, MOST_LEVELS = 8.0, 40.0
NOISES = 4.0
"""A change is more than so many times what a pixel mostly differs by; where that is more than noise
ever is, all has changed."""
SHADOW = (0.4, 1.02)
"""Of the empty table's light, what is left in a shadow."""
SHADOW_COLOUR = 0.1
"""How far a shadow's colour may be from the table's, as a share of its brightness."""
SPECK_MM2 = 300.0
"""What is smaller is neither a card nor a piece of one that could be read."""


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """The table before anybody laid a card on it: the mean of some frames."""

    picture: Image

    @staticmethod
    def learned(frames: Sequence[Image]) -> EmptyTable:
        """The table from frames of one size. Raises ValueError without any, or of several sizes."""
        if not frames or len({frame.shape for frame in frames}) > 1:
            raise ValueError("the empty table is learned from frames of one size")
        mean = np.mean([frame.astype(np.float32) for frame in frames], axis=0)
        return EmptyTable(np.asarray(np.round(mean), np.uint8))


def changed(picture: Image, empty: Image, per_mm: float) -> Mask:
    """Where two pictures of one size differ by more than noise and shadow, in whole regions.

    ``per_mm``: pixels of a millimetre. Regions are filled; specks are left out.
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
    """The empty table in the light of now: most of what is seen is table still."""
    some = (slice(None, None, 7), slice(None, None, 7))
    gain = np.median((now[some] + 1) / (before[some] + 1), axis=(0, 1))
    return np.asarray(before * np.clip(gain, 0.5, 2.0).astype(np.float32), np.float32)


def _shadowed(
    now: npt.NDArray[np.float32], before: npt.NDArray[np.float32], least: float
) -> npt.NDArray[np.bool_]:
    """Where there is the empty table's own colour, only darker."""
    light = _summed(now * before) / (_summed(before**2) + 1)
    off = brightest(cv2.absdiff(now, light[..., None] * before))
    near = off < np.maximum(least, SHADOW_COLOUR * brightest(before))
    return np.asarray((light > SHADOW[0]) & (light < SHADOW[1]) & near, np.bool_)


def _summed(picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    blue, green, red = cv2.split(picture)
    return np.asarray(blue + green + red, np.float32)


def _square(side: int) -> Mask:
    return np.ones((side, side), np.uint8)


# ---- One picture of the table, made ready to look for cards in it -------------------------------
# Edges are looked for in a smaller picture, in which a card is about as large whatever the camera:
# finer ones tell no more of where a card lies, and take longer.


PER_MM = 0.9
"""Pixels of a millimetre in the smaller picture, at most."""
WEAKEST = 0.03
"""Of the brightest level: an edge less steep than this in a pixel is none."""
GAP_MM = 24.0
"""A card is paper wherever the cloth is; where that is paper-white too, no change is seen. Holes
and bays of that size in what changed may belong to a card."""


@dataclass(frozen=True, slots=True)
class View:
    """What is looked at.

    picture   as the camera sent it
    grey      the mean of its three colours
    plane     of the table, in pixels of ``picture``
    factor    pixels of ``picture`` in one of the smaller
    bright    the smaller picture's brightest channel
    slopes    how steeply it rises to the right and downwards, of shape (height, width, 2)
    steep     the rise from which on an edge counts in full
    new       what is not the empty table, in the smaller picture
    may       where cards may be: ``new`` with its bays and holes filled
    bare      the empty table in the smaller picture, or None where nobody knows it
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
    """Make a picture ready; without the ``empty`` table, cards may lie anywhere."""
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
