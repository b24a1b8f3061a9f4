"""Move a card's supposed pose until the picture there looks most like a card of the deck.

Lucas and Kanade's method (1981) for a plane of known size: where a small shift or turn would bring
what is seen nearer to the reference, in the sense of least squares, it is done, some times over.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.match import Floats, Seen, straightened
from assistant.vision.plane import Plane, Pose, turned

MOST_MM, MOST_RADIANS = 2.0, 0.05
"""In one step no more: the picture is only near here what its slope tells."""
ENOUGH_MM, ENOUGH_RADIANS = 0.05, 0.001
STIFF = np.diag([100.0, 100.0, 100.0, 1.0, 1.0, 1.0, 1.0])
"""Where the picture tells little, as on a strip of white paper, a card stays where it was supposed:
square of the levels of noise over the square of the millimetres that it may be off."""
ARM_MM = 40.0
"""Turns are counted by how far they move a point so far from the middle, to be like shifts."""


def aligned(
    picture: npt.NDArray[np.uint8],
    plane: Plane,
    pose: Pose,
    reference: Floats,
    seen: Callable[[Pose], Seen],
    size_mm: tuple[float, float],
    rounds: int = 4,
) -> Pose:
    """The pose near ``pose`` at which the picture is most like ``reference``.

    ``reference``: of shape (height, width, 3). ``seen(pose)``: which of its pixels count.
    """
    high, wide = reference.shape[:2]
    step = size_mm[0] / wide, size_mm[1] / high
    x, y = _grid(wide, high, step)
    wanted = reference.mean(axis=2).ravel()
    even = np.stack([-wanted, -np.ones_like(wanted), -x / ARM_MM, -y / ARM_MM])
    for _ in range(rounds):
        grey = straightened(picture, plane.quad(pose, size_mm), (wide, high)).mean(
            axis=2, dtype=np.float32
        )
        right = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8).ravel() / step[0]
        down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8).ravel() / step[1]
        about = (down * x - right * y) / ARM_MM
        slopes = np.vstack([right, down, about, even]).astype(np.float64)
        weighted = slopes * seen(pose).ravel()
        square = weighted @ slopes.T + STIFF
        found = np.linalg.solve(square, -weighted @ grey.ravel().astype(np.float64))
        shift = np.clip(found[:2], -MOST_MM, MOST_MM)
        turn = float(np.clip(found[2] / ARM_MM, -MOST_RADIANS, MOST_RADIANS))
        pose = np.array([*(pose[:2] + turned(float(pose[2])) @ shift), pose[2] + turn])
        if np.abs(shift).max() < ENOUGH_MM and abs(turn) < ENOUGH_RADIANS:
            break
    return pose


def _grid(wide: int, high: int, step: tuple[float, float]) -> tuple[Floats, Floats]:
    """Each pixel's place from the card's middle, in millimetres."""
    x, y = np.meshgrid(np.arange(wide) - (wide - 1) / 2, np.arange(high) - (high - 1) / 2)
    return (x.ravel() * step[0]).astype(np.float32), (y.ravel() * step[1]).astype(np.float32)
