"""Drawn pictures as pixels."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from scripts.lab.drawing.shapes import Colour, Picture

Image = npt.NDArray[np.uint8]
"""BGR, of shape (height, width, 3)."""
FINER = 4
"""A picture is drawn this much larger each way and then made smaller, for soft edges."""
FRACTION = 4
"""Bits behind the point in OpenCV's coordinates."""


def pixels(picture: Picture, width: float, height: float, per_mm: float) -> Image:
    """The picture on white, ``width`` by ``height`` millimetres."""
    across, down = round(width * per_mm), round(height * per_mm)
    large = np.full((down * FINER, across * FINER, 3), 255, np.uint8)
    for shape in picture:
        scaled = shape.points * (per_mm * FINER * (1 << FRACTION))
        points = [np.round(scaled).astype(np.int32)]
        if shape.fill:
            cv2.fillPoly(large, points, _bgr(shape.fill), shift=FRACTION)
        if shape.line:
            thick = max(1, round(shape.width * per_mm * FINER))
            cv2.polylines(large, points, shape.closed, _bgr(shape.line), thick, shift=FRACTION)
    small = cv2.resize(large, (across, down), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _bgr(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return blue, green, red
