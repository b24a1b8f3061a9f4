"""The table as a plane: where a millimetre of it is in the picture, and back.

Nobody measures how the camera hangs. Cards are all of one known size, so a few outlines tell how
large a millimetre is in every part of the picture: how far the camera leans, and how its lens
bends. Where the plane's nought lies and which way it is turned is not known, nor asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""Of shape (..., 2)."""
Pose = npt.NDArray[np.float64]
"""Where a card lies: its middle's x and y in millimetres, and its turn in radians, clockwise."""

UNSURE = np.array([1e-3, 10.0, 10.0, 3.0, 3.0, 5.0])
"""One over how much each of a plane's numbers may be: without cards to tell, a camera hangs
straight above and its lens bends nothing."""
FAR = 3.0
"""Pixels from which on a corner that does not fit counts less: it may be no card's."""
STEPS = 30


@dataclass(frozen=True, slots=True)
class Plane:
    """How millimetres of the table become pixels of one camera's picture.

    size      of the picture: width, height
    scale     logarithm of the pixels of a millimetre in the middle
    stretch   one direction against the other: along the picture's sides, along its diagonals
    lean      of the camera: how things shrink towards the right, and downwards
    bulge     the lens's first radial coefficient, in shares of the longer side
    """

    size: tuple[int, int]
    scale: float
    stretch: tuple[float, float] = (0.0, 0.0)
    lean: tuple[float, float] = (0.0, 0.0)
    bulge: float = 0.0
    _matrix: npt.NDArray[np.float64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make once what every point is multiplied by."""
        object.__setattr__(self, "_matrix", self._made())

    @property
    def per_mm(self) -> float:
        """Pixels of a millimetre in the middle."""
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
        for _ in range(5):  # the bulge is a few hundredths: each round is as much nearer
            flat = bent / (1 + self.bulge * (flat**2).sum(axis=-1, keepdims=True))
        inverse = np.linalg.inv(self._matrix)
        lying = flat @ inverse[:, :2].T + inverse[:, 2]
        return np.asarray(lying[..., :2] / lying[..., 2:], np.float64)

    def quad(self, pose: Pose, size_mm: tuple[float, float]) -> Points:
        """The corners in pixels of a card that lies so, from its upper left on."""
        return self.to_pixels(corners(size_mm) @ turned(float(pose[2])).T + pose[:2])

    def quads(self, poses: Points, size_mm: tuple[float, float]) -> Points:
        """The same of many poses, of shape (n, 3): of shape (n, 4, 2)."""
        x, y = corners(size_mm).T
        cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
        turned = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)
        return self.to_pixels(turned + poses[:, None, :2])

    def numbers(self) -> tuple[float, ...]:
        """Six numbers that make the plane, for a file."""
        return (self.scale, *self.stretch, *self.lean, self.bulge)

    @staticmethod
    def of(size: tuple[int, int], numbers: Sequence[float]) -> Plane:
        """The plane that ``numbers`` make."""
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
    """The matrix that turns by so many radians, clockwise as one looks at a picture."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])


def lying(quad: Points, plane: Plane, size_mm: tuple[float, float]) -> tuple[Pose, float]:
    """How a card lies whose outline that is, and by how many millimetres a corner is off."""
    pose, off = _fitted(plane.to_mm(quad), size_mm)
    return pose, float(np.abs(off).max())


def fit_plane(
    size: tuple[int, int], quads: Sequence[Points], size_mm: tuple[float, float]
) -> tuple[Plane, float]:
    """The plane on which these outlines, in pixels, are cards: it and a corner's usual error.

    Levenberg and Marquardt's least squares over the plane's six numbers, where each card lies as
    fits it best. The error is in millimetres, the root of the mean square. Two cards tell how far
    the camera leans, one only about. Raises ValueError without any.
    """
    if not quads:
        raise ValueError("no outline to fit the plane to")
    area = np.mean([abs(_area(quad)) for quad in quads])
    start = np.array([0.5 * np.log(area / (size_mm[0] * size_mm[1])), 0, 0, 0, 0, 0.0])
    per_mm = float(np.exp(start[0]))

    def residuals(numbers: Points) -> Points:
        plane = Plane.of(size, numbers.tolist())
        off = [_fitted(plane.to_mm(quad), size_mm)[1].ravel() for quad in quads]
        pixels = np.concatenate(off) * per_mm
        far = np.abs(pixels)
        weight = np.where(far < FAR, 1.0, np.sqrt(FAR / np.maximum(far, 1e-9)))
        return np.concatenate([pixels * weight, (numbers - start) * UNSURE])

    numbers = _least_squares(residuals, start)
    plane = Plane.of(size, numbers.tolist())
    off = np.concatenate([_fitted(plane.to_mm(quad), size_mm)[1] for quad in quads])
    return plane, float(np.sqrt((off**2).mean()))


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


def _fitted(found: Points, size_mm: tuple[float, float]) -> tuple[Pose, Points]:
    """The pose whose corners are nearest to four found ones, and what is left: (4, 2), in mm."""
    rect = corners(size_mm)
    middle = found.mean(axis=0)
    away = found - middle
    cos = float((rect * away).sum())
    sin = float((rect[:, 0] * away[:, 1] - rect[:, 1] * away[:, 0]).sum())
    angle = float(np.arctan2(sin, cos))
    return np.array([*middle, angle]), away - rect @ turned(angle).T


def _area(quad: Points) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
