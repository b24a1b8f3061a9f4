"""One picture of the table, made ready to look for cards in it.

Edges are looked for in a smaller picture, in which a card is about as large whatever the camera:
finer ones tell no more of where a card lies, and take longer.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.change import Mask, changed
from assistant.vision.images import Image, brightest
from assistant.vision.plane import Plane, Points

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
