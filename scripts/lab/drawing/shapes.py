"""Shapes in millimetres, with x to the right and y down, and how to move them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Colour = str
"""As "#rrggbb"."""
INK = "#1d1a16"
LINE = 0.35
"""Width of an outline in millimetres."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A line through points of shape (n, 2), closed and filled or not; ``width`` in millimetres."""

    points: Points
    fill: Colour | None = None
    line: Colour | None = INK
    width: float = LINE
    closed: bool = True


Picture = tuple[Shape, ...]
"""Shapes, each drawn over those before it."""


def polygon(
    points: Sequence[tuple[float, float]],
    fill: Colour | None,
    line: Colour | None = INK,
    width: float = LINE,
) -> Shape:
    """A closed figure with straight sides."""
    return Shape(np.asarray(points, float), fill, line, width)


def stroke(points: Sequence[tuple[float, float]], line: Colour = INK, width: float = LINE) -> Shape:
    """A line from point to point."""
    return Shape(np.asarray(points, float), None, line, width, closed=False)


def ellipse(
    x: float,
    y: float,
    rx: float,
    ry: float | None = None,
    fill: Colour | None = None,
    line: Colour | None = INK,
    width: float = LINE,
) -> Shape:
    """An ellipse, or a circle if only one radius is given."""
    around = np.linspace(0, 2 * np.pi, 49)[:-1]
    ring = np.column_stack([x + rx * np.cos(around), y + (ry or rx) * np.sin(around)])
    return Shape(ring, fill, line, width)


def smooth(
    points: Sequence[tuple[float, float]],
    fill: Colour | None,
    line: Colour | None = INK,
    width: float = LINE,
    *,
    closed: bool = True,
) -> Shape:
    """A soft curve through all the points (Catmull-Rom)."""
    knots = np.asarray(points, float)
    ends = (knots[-1:], knots[:2]) if closed else (knots[:1], knots[-1:])
    knots = np.vstack([ends[0], knots, ends[1]])
    steps = np.linspace(0, 1, 9)[:-1, None]
    parts = [_piece(knots[i : i + 4], steps) for i in range(len(knots) - 3)]
    curve = np.vstack(parts if closed else [*parts, knots[-1:]])
    return Shape(curve, fill, line, width, closed)


def _piece(knots: Points, t: Points) -> Points:
    a, b, c, d = knots
    return np.asarray(
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2
               + (3 * b - a - 3 * c + d) * t**3)
    )  # fmt: skip


def moved(
    picture: Iterable[Shape],
    x: float = 0.0,
    y: float = 0.0,
    scale: float = 1.0,
    turn: float = 0.0,
    *,
    mirrored: bool = False,
) -> Picture:
    """The picture scaled, turned clockwise by degrees about its origin, and then shifted.

    Outlines keep their width, so a small pip is drawn with the same pen as a large one.
    """
    angle = np.radians(turn)
    matrix = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if mirrored:
        matrix = matrix @ np.diag([-1.0, 1.0])
    return tuple(replace(shape, points=shape.points @ matrix.T + (x, y)) for shape in picture)
