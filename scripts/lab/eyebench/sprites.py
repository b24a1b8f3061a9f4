"""Pictures of things, drawn in millimetres and laid on a table as the camera sees them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.grounds import Image

Mask = npt.NDArray[np.float32]
"""From 0 to 1, of shape (height, width)."""
Values = npt.NDArray[np.floating[Any]]
Covered = npt.NDArray[np.bool_]
"""Of the whole picture, of shape (height, width)."""
Matrix = npt.NDArray[np.float64]
Points = npt.NDArray[np.float64]
Colour = tuple[float, float, float]
"""Blue, green, red, from 0 to 1."""
LAMP = (-0.5, -0.5, 0.71)
"""Towards the lamp: x right, y down, and up. The cards' shadows fall away from it too."""
FINER = 1.15
"""A sprite is drawn at this many times its size in the scene, then warped."""
LEAN = 0.5
"""How far right and down a shadow falls for each millimetre that a thing is above the table."""


class Thing(Protocol):
    """Something that stands or lies on a table and is no card."""

    def paint(self, table: Image, watching: Camera) -> None:
        """Draw it, with its shadow, over the table as it was before the lens."""

    def covers(self, watching: Camera) -> Covered:
        """The part of the picture that it hides or distorts, without its shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A thing's picture: its colours, its mask, and the pixel of its own origin."""

    colour: Image
    cover: Mask
    origin: tuple[float, float]
    per_mm: float


@dataclass(frozen=True, slots=True)
class Pose:
    """The place of a sprite's origin on the table in mm, and its turn in degrees clockwise.

    ``height``: of the plane that it is seen in, above the table. ``shadow``: how dark, from 0 to 1.
    """

    x: float
    y: float
    turn: float
    height: float
    shadow: float = 0.45

    def matrix(self, away: float = 0.0) -> Matrix:
        """The map from the sprite's millimetres to the table's; ``away``: moved right and down."""
        angle = np.radians(self.turn)
        cos, sin = np.cos(angle), np.sin(angle)
        return np.array([[cos, -sin, self.x + away], [sin, cos, self.y + away], [0, 0, 1.0]])


class Laid(ABC):
    """A Thing that is one sprite, defined by its picture and its pose."""

    __slots__ = ()

    @abstractmethod
    def pose(self) -> Pose:
        """The place of its sprite on the table."""

    @abstractmethod
    def sprite(self, per_mm: float) -> Sprite:
        """Its picture, drawn with this many pixels to a millimetre."""

    def paint(self, table: Image, watching: Camera) -> None:
        """Draw it, with its shadow, over the table as it was before the lens."""
        _paint(table, self.sprite(watching.per_mm * FINER), self.pose(), watching)

    def covers(self, watching: Camera) -> Covered:
        """The part of the picture that it hides."""
        return _covers(self.sprite(watching.per_mm * FINER), self.pose(), watching)


def _paint(table: Image, sprite: Sprite, pose: Pose, watching: Camera) -> None:
    """Lay a sprite and its shadow over what is there."""
    own = _millimetres(sprite)
    seen = watching.homography(pose.height) @ pose.matrix() @ own
    fallen = watching.homography() @ pose.matrix(pose.height * LEAN) @ own
    soft = max(0.5, 0.45 * pose.height * watching.per_mm)
    down, across = sprite.cover.shape
    frame = np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float64)
    ends = np.vstack([cv2.perspectiveTransform(frame[None], warp)[0] for warp in (seen, fallen)])
    box = window(ends, table, 3 * soft + 2)
    if box is None:
        return
    left, top, right, bottom = box
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    size = (right - left, bottom - top)
    part = table[top:bottom, left:right]
    dark = cv2.warpPerspective(sprite.cover, shift @ fallen, size)
    dark = cv2.GaussianBlur(dark, (0, 0), soft)
    part *= 1 - pose.shadow * dark[..., None]
    colour = cv2.warpPerspective(sprite.colour, shift @ seen, size, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(sprite.cover, shift @ seen, size)[..., None]
    part *= 1 - cover
    part += colour * cover


def _covers(sprite: Sprite, pose: Pose, watching: Camera) -> Covered:
    """A mask of the sprite in the picture."""
    inside = np.asarray(sprite.cover > 0.5, np.uint8)
    rims, _ = cv2.findContours(inside, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    onto = pose.matrix() @ _millimetres(sprite)
    table = [cv2.perspectiveTransform(rim.astype(np.float64), onto)[:, 0] for rim in rims]
    edges = [watching.seen(np.asarray(rim, np.float64), pose.height) for rim in table]
    across, down = watching.size
    mask = np.zeros((down, across), np.uint8)
    cv2.fillPoly(mask, [pixels(edge) for edge in edges], 1)
    return mask.astype(bool)


def pixels(points: Points) -> npt.NDArray[np.int32]:
    """Points as whole pixels, for drawing."""
    return np.asarray(np.round(points), np.int32)


def window(points: Points, table: Image, margin: float) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of the part of the table with the points; None without any."""
    down, across = table.shape[:2]
    left, top = np.floor(points.min(axis=0) - margin).astype(int)
    right, bottom = np.ceil(points.max(axis=0) + margin).astype(int)
    left, top, right, bottom = max(0, left), max(0, top), min(across, right), min(down, bottom)
    return (int(left), int(top), int(right), int(bottom)) if right > left and bottom > top else None


def filled(polygons: Sequence[Points], size: tuple[int, int]) -> Mask:
    """Convex polygons in pixels as one mask with soft edges; ``size``: across, down."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    for polygon in polygons:
        cv2.fillConvexPoly(mask, pixels(polygon * 16), 255, cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def blurred(values: Values, sigma: float) -> Mask:
    """A mask, or heights, smoothed over this many pixels."""
    return np.asarray(cv2.GaussianBlur(np.asarray(values, np.float32), (0, 0), sigma), np.float32)


def relief(height: Mask, per_mm: float, turn: float) -> Mask:
    """How brightly the lamp shines on a surface; 1 if it lies flat.

    ``height`` in millimetres, for each pixel. ``turn``: of the sprite on the table, in degrees.
    """
    down, across = (edge * np.float32(per_mm) for edge in np.gradient(height))
    x, y = lamp(turn)
    towards = (LAMP[2] - across * x - down * y) / np.sqrt(1 + across**2 + down**2)
    return np.asarray(0.4 + 0.6 * np.maximum(towards, 0) / LAMP[2], np.float32)


def lamp(turn: float) -> tuple[float, float]:
    """The direction of the lamp, right and down, in a sprite turned by this many degrees."""
    angle = np.radians(turn)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return LAMP[0] * cos + LAMP[1] * sin, LAMP[1] * cos - LAMP[0] * sin


def _millimetres(sprite: Sprite) -> Matrix:
    """The map from a sprite's pixels to its millimetres."""
    x, y = sprite.origin
    small = 1 / sprite.per_mm
    return np.array([[small, 0, -x * small], [0, small, -y * small], [0, 0, 1.0]])
