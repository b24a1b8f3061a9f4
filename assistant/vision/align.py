"""Move a card's supposed pose until the picture there looks most like a card of the deck.

Lucas and Kanade's method (1981) for a plane of known size: where a small shift or turn would bring
what is seen nearer to the reference, in the sense of least squares, it is done, some times over.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.match import Floats, Quad, Seen, straightened
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
    grey: npt.NDArray[np.uint8],
    plane: Plane,
    pose: Pose,
    reference: Floats,
    seen: Callable[[Quad], Seen],
    size_mm: tuple[float, float],
    rounds: int = 4,
) -> Pose:
    """The pose near ``pose`` at which the grey picture is most like ``reference``.

    ``reference``: of shape (height, width). ``seen``: which of its pixels count where a card has
    that outline.
    """
    high, wide = reference.shape
    step = size_mm[0] / wide, size_mm[1] / high
    x, y = _grid(wide, high, step)
    wanted = reference.ravel()
    even = np.stack([-wanted, -np.ones_like(wanted), -x / ARM_MM, -y / ARM_MM])
    for _ in range(rounds):
        quad = plane.quad(pose, size_mm)
        card = straightened(grey, quad, (wide, high))
        right = cv2.Sobel(card, cv2.CV_32F, 1, 0, scale=1 / 8).ravel() / step[0]
        down = cv2.Sobel(card, cv2.CV_32F, 0, 1, scale=1 / 8).ravel() / step[1]
        about = (down * x - right * y) / ARM_MM
        slopes = np.vstack([right, down, about, even])
        weighted = slopes * seen(quad).ravel()
        square = (weighted @ slopes.T).astype(np.float64) + STIFF
        found = np.linalg.solve(square, -weighted @ card.ravel().astype(np.float32))
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
