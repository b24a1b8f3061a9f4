"""The table's plane: the mapping of millimetres to pixels (a homography, and lens distortion).

Nobody measures the camera's position. All cards have one known size, so a few outlines show how
large a millimetre is in each part of the picture: the camera's tilt and its lens's distortion. The
plane's origin and orientation are arbitrary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""Points of shape (..., 2)."""
Pose = npt.NDArray[np.float64]
"""A card's pose: x and y of its middle in millimetres, and its turn in radians, clockwise."""

UNSURE = np.array([1e-3, 10.0, 10.0, 3.0, 3.0, 5.0])
"""The prior: the inverse of each number's usual size. Without evidence, the camera is straight
above and its lens has no distortion."""
FAR = 3.0
"""A corner that is off by more than so many pixels counts less, because it may be no card's."""
STEPS = 30


@dataclass(frozen=True, slots=True)
class Plane:
    """The mapping of millimetres on the table to pixels of one camera's picture.

    size      width and height of the picture
    scale     logarithm of the pixels per millimetre in the middle
    stretch   anisotropy along the picture's sides, and along its diagonals
    lean      the camera's tilt: how things shrink towards the right, and downwards
    bulge     the lens's first radial coefficient, in units of the longer side
    """

    size: tuple[int, int]
    scale: float
    stretch: tuple[float, float] = (0.0, 0.0)
    lean: tuple[float, float] = (0.0, 0.0)
    bulge: float = 0.0
    _matrix: npt.NDArray[np.float64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the matrices of the mapping once."""
        object.__setattr__(self, "_matrix", self._made())

    @property
    def per_mm(self) -> float:
        """Pixels per millimetre in the middle."""
        return float(np.exp(self.scale))

    def to_pixels(self, points: Points) -> Points:
        """Millimetres on the table as pixels, of the same shape."""
        seen = points @ self._matrix[:, :2].T + self._matrix[:, 2]
        flat = seen[..., :2] / seen[..., 2:]
        far = flat[..., :1] ** 2 + flat[..., 1:] ** 2
        return np.asarray(flat * (1 + self.bulge * far) * self._unit + self._middle, np.float64)

    def to_mm(self, pixels: Points) -> Points:
        """Pixels as millimetres on the table, of the same shape."""
        bent = (pixels - self._middle) / self._unit
        flat = bent
        for _ in range(5):  # the distortion is a few hundredths, so this converges fast
            flat = bent / (1 + self.bulge * (flat**2).sum(axis=-1, keepdims=True))
        inverse = np.linalg.inv(self._matrix)
        lying = flat @ inverse[:, :2].T + inverse[:, 2]
        return np.asarray(lying[..., :2] / lying[..., 2:], np.float64)

    def quad(self, pose: Pose, size_mm: tuple[float, float]) -> Points:
        """The corners of a card at a pose in pixels, from its upper left on."""
        return self.to_pixels(corners(size_mm) @ turned(float(pose[2])).T + pose[:2])

    def quads(self, poses: Points, size_mm: tuple[float, float]) -> Points:
        """The same for many poses: (n, 3) -> (n, 4, 2)."""
        x, y = corners(size_mm).T
        cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
        turned = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)
        return self.to_pixels(turned + poses[:, None, :2])

    def numbers(self) -> tuple[float, ...]:
        """The six numbers of the plane, for a file."""
        return (self.scale, *self.stretch, *self.lean, self.bulge)

    @staticmethod
    def of(size: tuple[int, int], numbers: Sequence[float]) -> Plane:
        """The plane of six numbers."""
        scale, along, across, right, down, bulge = (float(number) for number in numbers)
        return Plane(size, scale, (along, across), (right, down), bulge)

    @property
    def _unit(self) -> float:
        return float(max(self.size))

    @property
    def _middle(self) -> Points:
        return np.array(self.size, np.float64) / 2

    def _made(self) -> npt.NDArray[np.float64]:
        along, across = self.stretch
        grow = self.per_mm / self._unit
        lying = np.array(
            [[(1 + along) * grow, across * grow, 0], [across * grow, (1 - along) * grow, 0],
             [0, 0, 1.0]])  # fmt: skip
        leaning = np.array([[1, 0, 0], [0, 1, 0], [*self.lean, 1.0]])
        return np.asarray(leaning @ lying, np.float64)


def corners(size_mm: tuple[float, float]) -> Points:
    """A card's corners about its middle, in millimetres, from its upper left on."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(signs * np.array(size_mm) / 2, np.float64)


def turned(angle: float) -> npt.NDArray[np.float64]:
    """The rotation matrix of an angle in radians, clockwise in the picture."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])


def lying(quad: Points, plane: Plane, size_mm: tuple[float, float]) -> tuple[Pose, float]:
    """The pose of the card with this outline, and its corners' error in millimetres."""
    pose, off = _fitted(plane.to_mm(quad), corners(size_mm))
    return pose, float(np.abs(off).max())


def fit_plane(
    size: tuple[int, int], quads: Sequence[Points], size_mm: tuple[float, float]
) -> tuple[Plane, float]:
    """Fit the plane to outlines of cards, in pixels; also the corners' error.

    The error is the root mean square in millimetres. Two cards determine the camera's tilt; one
    does so only roughly. Raises ValueError without outlines.
    """
    if not quads:
        raise ValueError("no outline to fit the plane to")
    area = np.mean([abs(_area(quad)) for quad in quads])
    scale = float(0.5 * np.log(area / (size_mm[0] * size_mm[1])))
    rect = corners(size_mm)
    plane, off = fit_points(size, [(quad, rect) for quad in quads], scale)
    return plane, float(np.sqrt((np.concatenate(off) ** 2).mean()))


def fit_points(
    size: tuple[int, int],
    cards: Sequence[tuple[Points, Points]],
    scale: float,
    unsure: Points = UNSURE,
) -> tuple[Plane, list[Points]]:
    """Fit the plane to points of cards; also each card's residuals in millimetres.

    ``cards``: of each card, points in pixels and the same points in millimetres from its middle;
    ``scale``: about the logarithm of the pixels per millimetre; ``unsure``: the prior. It is least
    squares by Levenberg and Marquardt over the plane's six numbers, each card at its best pose.
    """
    start = np.array([scale, 0, 0, 0, 0, 0.0])
    per_mm = float(np.exp(scale))

    def residuals(numbers: Points) -> Points:
        plane = Plane.of(size, numbers.tolist())
        off = [_fitted(plane.to_mm(pixels), mm)[1].ravel() for pixels, mm in cards]
        pixels = np.concatenate(off) * per_mm
        far = np.abs(pixels)
        weight = np.where(far < FAR, 1.0, np.sqrt(FAR / np.maximum(far, 1e-9)))
        return np.concatenate([pixels * weight, (numbers - start) * unsure])

    plane = Plane.of(size, _least_squares(residuals, start).tolist())
    return plane, [_fitted(plane.to_mm(pixels), mm)[1] for pixels, mm in cards]


def _least_squares(residuals: Callable[[Points], Points], start: Points) -> Points:
    numbers, left, damping = start, residuals(start), 1e-3
    for _ in range(STEPS):
        slopes = np.stack([(residuals(numbers + step) - left) / 1e-5
                           for step in np.eye(len(start)) * 1e-5], axis=1)  # fmt: skip
        square = slopes.T @ slopes
        step = np.linalg.solve(square + damping * np.diag(np.diag(square)), -slopes.T @ left)
        tried = residuals(numbers + step)
        gain = float(left @ left - tried @ tried)
        if gain <= 0:
            damping *= 5
            continue
        numbers, left, damping = numbers + step, tried, damping / 5
        if gain < 1e-6 * float(left @ left):
            break
    return np.asarray(numbers, np.float64)


def placed(pixels: Points, mm: Points, plane: Plane) -> Pose:
    """The pose at which points of a card, in millimetres from its middle, are nearest to pixels."""
    return posed(pixels, mm, plane)[0]


def posed(pixels: Points, mm: Points, plane: Plane) -> tuple[Pose, Points]:
    """The same pose, and how far off each point then is, in millimetres: (n, 2)."""
    return _fitted(plane.to_mm(pixels), mm)


def _fitted(found: Points, wanted: Points) -> tuple[Pose, Points]:
    """The pose that brings a card's points nearest to found ones, and the residuals: (n, 2)."""
    middle, own = found.mean(axis=0), wanted.mean(axis=0)
    away, flat = found - middle, wanted - own
    cos = float((flat * away).sum())
    sin = float((flat[:, 0] * away[:, 1] - flat[:, 1] * away[:, 0]).sum())
    angle = float(np.arctan2(sin, cos))
    turn = turned(angle)
    return np.array([*(middle - turn @ own), angle]), away - flat @ turn.T


def _area(quad: Points) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
