"""A camera above the table: the place of a table's point in the picture."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera with a lens. Lengths are in millimetres, angles in degrees.

    size        of the picture: across, down
    per_mm      pixels of a millimetre in the middle of the table
    tilt, yaw   how far it leans from straight above, and to which side; roll: the turned picture
    distance    from the lens to the middle of the table
    bulge       the lens's first radial coefficient; below zero, lines bend outwards
    aside       how far the middle of the table is from the axis: to the right, and down
    """

    size: tuple[int, int]
    per_mm: float
    tilt: float
    yaw: float
    roll: float
    distance: float
    bulge: float
    aside: tuple[float, float] = (0.0, 0.0)

    @property
    def focal(self) -> float:
        """The focal length in pixels."""
        return self.per_mm * self.distance

    def inner(self) -> Matrix:
        """The camera matrix."""
        across, down = self.size
        return np.array([[self.focal, 0, across / 2], [0, self.focal, down / 2], [0, 0, 1.0]])

    def homography(self, height: float = 0.0) -> Matrix:
        """The map from the table's plane, in mm, to pixels of a lens without bulge.

        ``height``: of a plane this many millimetres above the table.
        """
        turn = _about("z", self.roll) @ _about("z", -self.yaw) @ _about("x", self.tilt)
        turn = turn @ _about("z", self.yaw)
        middle = np.array([*self.aside, self.distance]) - height * turn[:, 2]
        outer = np.column_stack([turn[:, 0], turn[:, 1], middle])
        return np.asarray(self.inner() @ outer, np.float64)

    def seen(self, points: Points, height: float = 0.0) -> Points:
        """The places of points on the table, or ``height`` mm above it, in the picture: (n, 2)."""
        flat = cv2.perspectiveTransform(points[None], self.homography(height))[0]
        return np.asarray(self._bent(np.asarray(flat, np.float64)), np.float64)

    def maps(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """For each pixel of the picture, its place in a picture without bulge."""
        inner = self.inner()
        across, down = np.meshgrid(np.arange(self.size[0]), np.arange(self.size[1]))
        pixels = np.column_stack([across.ravel(), down.ravel()]).astype(np.float64)
        straight = cv2.undistortPoints(pixels[:, None], inner, self._lens(), P=inner)
        both = straight.reshape(self.size[1], self.size[0], 2).astype(np.float32)
        return both[..., 0], both[..., 1]

    def _bent(self, pixels: Points) -> Points:
        middle = np.array(self.size) / 2
        rays = (pixels - middle) / self.focal
        wider = 1 + self.bulge * (rays**2).sum(axis=1, keepdims=True)
        return np.asarray(rays * wider * self.focal + middle, np.float64)

    def _lens(self) -> Matrix:
        return np.array([self.bulge, 0.0, 0.0, 0.0])


def drawn(size: tuple[int, int], card_pixels: float, dice: random.Random) -> Camera:
    """A camera as people mount it: nearly above, and not quite straight.

    ``card_pixels``: the height in the picture of a card of 95 mm in the middle of the table.
    """
    return Camera(
        size,
        card_pixels / 95.0,
        tilt=dice.uniform(0, 18),
        yaw=dice.uniform(0, 360),
        roll=dice.uniform(-6, 6),
        distance=dice.uniform(900, 1400),
        bulge=dice.uniform(-0.08, 0.02),
    )


def knocked(watching: Camera, dice: random.Random) -> Camera:
    """The camera after somebody has knocked it: it looks elsewhere, turned, from another height."""
    return replace(
        watching,
        tilt=watching.tilt + dice.uniform(-4, 4),
        roll=watching.roll + dice.choice((-1, 1)) * dice.uniform(1, 6),
        distance=watching.distance * dice.uniform(0.96, 1.04),
        aside=(dice.uniform(-40, 40), dice.uniform(-40, 40)),
    )


def _about(axis: str, degrees: float) -> Matrix:
    angle = np.radians(degrees)
    cos, sin = np.cos(angle), np.sin(angle)
    if axis == "x":
        return np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
