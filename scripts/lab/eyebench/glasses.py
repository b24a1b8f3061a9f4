"""Glasses and bottles, which lean away from the picture's middle and bend light."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from scripts.lab.eyebench import sprites
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.grounds import Image
from scripts.lab.eyebench.sprites import Colour, Covered, Mask, Points

AROUND = np.linspace(0, 2 * np.pi, 72, endpoint=False)
BRIGHT = 1.25 * np.pi
"""The angle on a ring at which the lamp is mirrored: up and left."""


@dataclass(frozen=True, slots=True)
class Glass:
    """A glass or a bottle. Its place is the middle of its foot on the table, in mm.

    rings     of the wall, from the foot up: height and radius in mm
    drink     its colour, as white paper looks through it
    floor     of the inside, and ``level``, up to which it is filled: mm above the table
    dense     how much it hides of what is under it, from 0 to 1
    foam      mm of foam above the drink
    wall      the glass's own colour, as white paper looks through it
    opening   of the last ring: whether it is dark inside, as a bottle's neck is
    """

    x: float
    y: float
    rings: tuple[tuple[float, float], ...]
    drink: Colour
    floor: float
    level: float
    dense: float
    foam: float
    wall: Colour
    opening: bool

    def paint(self, table: Image, watching: Camera) -> None:
        """Draw it, with its shadow, over the table as it was before the lens."""
        fallen = [self._ring(r, watching, away=h * sprites.LEAN) for h, r in self.rings]
        seen = [self._ring(radius, watching, high) for high, radius in self.rings]
        margin = 12 * watching.per_mm
        box = sprites.window(np.vstack([*fallen, *seen]), table, margin)
        if box is None:
            return
        left, top, right, bottom = box
        size = (right - left, bottom - top)
        part = table[top:bottom, left:right]
        moved = [ring - (left, top) for ring in seen]
        self._darken(part, [ring - (left, top) for ring in fallen], watching.per_mm)
        walls = sprites.filled(_hulls(moved), size)
        _bend(part, walls)
        part *= 1 - walls[..., None] * (1 - np.array(self.wall, np.float32))
        if self.full:
            self._fill(part, watching, (left, top))
        self._rims(part, moved, watching.per_mm)

    @property
    def full(self) -> bool:
        """Whether there is anything in it."""
        return self.level > self.floor

    def covers(self, watching: Camera) -> Covered:
        """The part of the picture that it hides or distorts."""
        circles = [(self._circle(radius), high) for high, radius in self.rings]
        mask = np.zeros((watching.size[1], watching.size[0]), np.uint8)
        for hull in _hulls([watching.seen(circle, high) for circle, high in circles]):
            cv2.fillConvexPoly(mask, sprites.pixels(hull), 1)
        return mask.astype(bool)

    def _circle(self, radius: float) -> Points:
        around = np.column_stack([np.cos(AROUND), np.sin(AROUND)]) * radius
        return np.asarray(around + np.array([self.x, self.y]), np.float64)

    def _ring(
        self, radius: float, watching: Camera, high: float = 0.0, away: float = 0.0
    ) -> Points:
        """The pixels of a ring of the wall before the lens, or of its shadow, ``away`` mm off."""
        circle = self._circle(radius) + away
        warp = watching.homography(high)
        return np.asarray(cv2.perspectiveTransform(circle[None], warp)[0], np.float64)

    def _darken(self, part: Image, fallen: list[Points], per_mm: float) -> None:
        """The shadow in the drink's colour, and the light that the glass gathers within it."""
        size = (part.shape[1], part.shape[0])
        dark = sprites.blurred(sprites.filled(_hulls(fallen), size), 5 * per_mm)
        through = np.array(self.wall) * (np.array(self.drink) if self.full else 1.0)
        depth = 0.2 + 0.3 * (1 - through.mean())
        part *= 1 - dark[..., None] * np.asarray(depth * (1.2 - 0.4 * through), np.float32)
        spot = sprites.filled([fallen[-1] * 0.55 + fallen[0].mean(axis=0) * 0.45], size)
        spot = sprites.blurred(spot, 4 * per_mm)
        part += spot[..., None] * np.asarray(0.13 * through**2, np.float32)

    def _fill(self, part: Image, watching: Camera, corner: tuple[int, int]) -> None:
        """The drink: the wall up to its surface, and the surface."""
        heights, radii = zip(*self.rings, strict=True)
        between = [high for high in heights if self.floor < high < self.level]
        levels = [self.floor, *between, self.level]
        wet = [(high, float(np.interp(high, heights, radii))) for high in levels]
        rings = [self._ring(0.95 * r, watching, h) - corner for h, r in wet]
        size = (part.shape[1], part.shape[0])
        body = sprites.filled(_hulls(rings), size)[..., None]
        colour = np.array(self.drink, np.float32)
        seen = part * colour * (1 - self.dense) + colour * 0.75 * self.dense
        part *= 1 - body
        part += seen * body
        top = sprites.filled([rings[-1]], size)
        if self.foam:
            part *= 1 - 0.95 * top[..., None]
            part += 0.95 * top[..., None] * np.array([0.78, 0.88, 0.92], np.float32)
        near_rim = sprites.blurred(top, 2.5 * watching.per_mm)
        part *= 1 - (0.3 * top * (1 - near_rim) * 1.6)[..., None]
        lamp = rings[-1].mean(axis=0) * 0.6 + rings[-1][_at(BRIGHT)] * 0.4
        glint = sprites.filled([lamp + (rings[-1] - rings[-1].mean(axis=0)) * (0.3, 0.14)], size)
        part += (0.3 * (1 - self.dense * 0.4)) * sprites.blurred(glint, 1.2 * watching.per_mm)[
            ..., None
        ]

    def _clear(self, height: float) -> float:
        """How much of a ring at that height one sees through what is above it."""
        if height >= self.rings[-1][0]:
            return 1.0
        wet = self.full and height < self.level
        through = float(np.mean(self.wall) ** 1.5)
        return through * (1 - (self.dense if wet and not self.foam else 0.9 if wet else 0))

    def _rims(self, part: Image, rings: list[Points], per_mm: float) -> None:
        """The thick glass of the foot, the edge of the mouth, and the lamp along the wall."""
        for at, (ring, (height, _)) in enumerate(zip(rings, self.rings, strict=True)):
            clear = self._clear(height)
            last = at in (0, len(rings) - 1)
            _stroke(part, ring, clear * (-0.3 if last else -0.1), 2.2 * per_mm)
            _stroke(part, ring, clear * (0.22 if last else 0.08), 0.8 * per_mm)
            for towards, bright in ((BRIGHT, 0.75), (BRIGHT - np.pi, 0.35)):
                arc = ring[np.arange(_at(towards) - 8, _at(towards) + 9) % len(ring)]
                bright *= clear if last else clear / 2
                _stroke(part, arc, bright, 1.1 * per_mm, closed=False)
        if self.opening:
            size = (part.shape[1], part.shape[0])
            hole = (rings[-1] - rings[-1].mean(axis=0)) * 0.7 + rings[-1].mean(axis=0)
            part *= 1 - 0.8 * sprites.filled([hole], size)[..., None]
        for low, high in pairwise(rings):
            _streak(part, low, high, per_mm)


def _hulls(rings: list[Points]) -> list[Points]:
    """The space between each two neighbouring rings, as convex polygons."""
    both = [np.vstack(pair).astype(np.float32) for pair in pairwise(rings)]
    return [np.asarray(cv2.convexHull(points)[:, 0], np.float64) for points in both]


def _bend(part: Image, walls: Mask) -> None:
    """Refraction: the middle gets smaller, and the parts along the walls are stretched."""
    inside = np.asarray(walls > 0.5, np.uint8)
    if not inside.any():
        return
    deep = cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    rows, columns = np.nonzero(inside)
    middle = columns.mean(), rows.mean()
    near = 1 - deep / deep.max()
    factor = np.where(inside > 0, 1.18 - 0.55 * near**3, 1).astype(np.float32)
    y, x = np.mgrid[: part.shape[0], : part.shape[1]].astype(np.float32)
    from_x, from_y = middle[0] + (x - middle[0]) * factor, middle[1] + (y - middle[1]) * factor
    bent = cv2.remap(part, from_x.astype(np.float32), from_y.astype(np.float32), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REFLECT)  # fmt: skip
    part *= 1 - walls[..., None]
    part += cv2.GaussianBlur(bent, (0, 0), 0.8) * walls[..., None]


def _at(angle: float) -> int:
    return round(angle / (2 * np.pi) * len(AROUND)) % len(AROUND)


def _stroke(part: Image, line: Points, bright: float, wide: float, closed: bool = True) -> None:
    """A soft line that makes the picture lighter, or with a negative value darker."""
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.polylines(
        mask, [sprites.pixels(line * 16)], closed, 255, max(1, round(wide)), cv2.LINE_AA, 4
    )
    soft = sprites.blurred(mask / np.float32(255), max(0.6, wide / 3))[..., None]
    part *= 1 - abs(bright) * soft
    part += max(0.0, bright) * soft


def _streak(part: Image, low: Points, high: Points, per_mm: float) -> None:
    """The lamp's mirror image along the wall. It is narrow, and lost if the wall is seen end on."""
    for towards, wide, bright in ((BRIGHT + 0.5, 2, 0.3), (BRIGHT - 2.6, 1, 0.18)):
        at = np.arange(_at(towards), _at(towards) + wide + 1) % len(low)
        quad = np.vstack([low[at], high[at][::-1]])
        strip = sprites.filled([quad], (part.shape[1], part.shape[0]))
        strip = sprites.blurred(strip, 1.2 * per_mm)
        part += bright * strip[..., None] * (1 - part)
