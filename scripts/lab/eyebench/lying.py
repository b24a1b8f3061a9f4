"""Flat things on a table: a beer mat, stones with or without their saucer, a telephone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from scripts.lab.eyebench import grounds, sprites
from scripts.lab.eyebench.grounds import Image
from scripts.lab.eyebench.sprites import Colour, Laid, Mask, Pose, Sprite, Values


@dataclass(frozen=True, slots=True)
class Coaster(Laid):
    """A beer mat: its middle and width in mm. ``round_``: a disc; else square with round corners.

    ``print_``: the colour of its ring and letters. ``seed``: of where a wet glass stood on it.
    """

    x: float
    y: float
    turn: float
    width: float
    round_: bool
    paper: Colour
    print_: Colour
    seed: int

    def pose(self) -> Pose:
        """The place of its sprite on the table."""
        return Pose(self.x, self.y, self.turn, 1.5)

    def sprite(self, per_mm: float) -> Sprite:
        """Its picture, drawn with this many pixels to a millimetre."""
        return _mat(self, per_mm)


@dataclass(frozen=True, slots=True)
class Stones(Laid):
    """Amarracos: pebbles or chickpeas, loose or in a saucer. Their place is their middle in mm.

    ``saucer``: its width in mm, 0 without one. ``stones``: for each, x and y from the middle, the
    radius, and how much longer than wide it is.
    """

    x: float
    y: float
    turn: float
    saucer: float
    colour: Colour
    stones: tuple[tuple[float, float, float, float], ...]
    seed: int

    def pose(self) -> Pose:
        """The place of its sprite on the table."""
        return Pose(self.x, self.y, self.turn, 8.0 if self.saucer else 3.5)

    def sprite(self, per_mm: float) -> Sprite:
        """Its picture, drawn with this many pixels to a millimetre."""
        return _pebbles(self, per_mm)


@dataclass(frozen=True, slots=True)
class Phone(Laid):
    """A telephone that is switched off: its middle, width and length in mm."""

    x: float
    y: float
    turn: float
    width: float
    length: float
    colour: Colour

    def pose(self) -> Pose:
        """The place of its sprite on the table."""
        return Pose(self.x, self.y, self.turn, 8.0)

    def sprite(self, per_mm: float) -> Sprite:
        """Its picture, drawn with this many pixels to a millimetre."""
        return _slab(self, per_mm)


@lru_cache(maxsize=4)
def _mat(mat: Coaster, per_mm: float) -> Sprite:
    x, y = _grid(mat.width, mat.width, per_mm)
    half = mat.width / 2
    far: Values = np.hypot(x, y) if mat.round_ else _from_middle(x, y, half, half, 9)
    dice = np.random.default_rng(mat.seed)
    inked = _band(far, half - 7, 3.0, per_mm) + _band(far, half - 12, 0.8, per_mm)
    inked += _letters(x.shape, per_mm, mat.width)
    for down in (-0.3, 0.3):
        inked += _band(y, down * half, 1.2, per_mm) * (np.abs(x) < 0.45 * half)
    ring = np.hypot(x - dice.uniform(-8, 8), y - dice.uniform(-8, 8))
    wet = _band(ring, dice.uniform(26, 33), 2.0, per_mm) * dice.uniform(0, 0.3)
    rough = 1 + 0.03 * grounds.noise(x.shape[1], x.shape[0], 1.2, dice)
    ink = np.clip(inked, 0, 0.92)[..., None]
    colour = (np.array(mat.paper) * (1 - ink) + np.array(mat.print_) * ink) * rough[..., None]
    colour *= (1 - wet)[..., None]
    return _sprite(colour, _edge(half - far, per_mm), per_mm)


@lru_cache(maxsize=4)
def _pebbles(stones: Stones, per_mm: float) -> Sprite:
    ends = [max(abs(x), abs(y)) + 2 * radius for x, y, radius, _ in stones.stones]
    reach = max([*ends, stones.saucer / 2])
    x, y = _grid(2 * reach, 2 * reach, per_mm)
    dice, lamp = np.random.default_rng(stones.seed), sprites.lamp(stones.turn)
    colour, cover = _porcelain(x, y, stones, per_mm)
    for at_x, at_y, radius, longer in stones.stones:
        away = 0.6 * radius
        far = np.hypot(x - at_x + lamp[0] * away, y - at_y + lamp[1] * away)
        below = sprites.blurred(_edge(radius - far, per_mm), 0.35 * radius * per_mm)
        own, inside = _pebble(x - at_x, y - at_y, (radius, longer), stones, (per_mm, dice))
        left = 1 - inside[..., None]
        colour = np.asarray(colour * (1 - 0.5 * below[..., None]) * left + own * (1 - left))
        cover = np.maximum(cover, inside)
    return _sprite(colour, cover, per_mm)


def _pebble(
    x: Mask,
    y: Mask,
    shape: tuple[float, float],
    stones: Stones,
    drawn: tuple[float, np.random.Generator],
) -> tuple[Image, Mask]:
    """The colours and mask of one stone, from its middle, radius and length."""
    (radius, longer), (per_mm, dice) = shape, drawn
    lean = dice.uniform(0, np.pi)
    along, aside = x * np.cos(lean) + y * np.sin(lean), y * np.cos(lean) - x * np.sin(lean)
    far = np.sqrt((along / longer) ** 2 + aside**2)
    high = np.sqrt(np.maximum(0, 1 - (far / radius) ** 2)) * radius * 0.7
    shade = sprites.relief(np.asarray(high, np.float32), per_mm, stones.turn)
    grain = 1 + 0.04 * grounds.noise(x.shape[1], x.shape[0], 1.5, dice)
    own = np.array(stones.colour) * dice.uniform(0.88, 1.08) * (shade * grain)[..., None]
    return np.asarray(own, np.float32), _edge(radius - far, per_mm)


def _porcelain(x: Mask, y: Mask, stones: Stones, per_mm: float) -> tuple[Image, Mask]:
    """A saucer with a broad rim, and a well in the middle."""
    if not stones.saucer:
        # The edges of the stones are mixed with this colour, so that they are not black.
        return np.full((*x.shape, 3), stones.colour, np.float32), np.zeros_like(x)
    half = stones.saucer / 2
    far: Values = np.hypot(x, y) / half
    high = half * (0.22 * np.clip((far - 0.55) / 0.45, 0, 1) ** 1.4 - 0.05 * (far < 0.5))
    soft = sprites.blurred(high, 0.04 * half * per_mm)
    shade = sprites.relief(soft, per_mm, stones.turn)
    colour: Values = np.array([0.9, 0.92, 0.93]) * shade[..., None]
    line = _band(far * half, 0.93 * half, 1.0, per_mm)[..., None]
    colour = colour * (1 - 0.6 * line) + np.array([0.5, 0.25, 0.15]) * 0.6 * line
    return np.asarray(np.clip(colour, 0, 1), np.float32), _edge(half * (1 - far), per_mm)


@lru_cache(maxsize=4)
def _slab(phone: Phone, per_mm: float) -> Sprite:
    x, y = _grid(phone.width, phone.length, per_mm)
    inside = -_from_middle(x, y, phone.width / 2, phone.length / 2, 9, at_edge=True)
    glass = np.array([0.045, 0.04, 0.038]) + np.array([0.09, 0.085, 0.08]) * np.clip(
        0.5 - x / phone.width - 0.6 * y / phone.length, 0, 1.2
    )[..., None]  # the mirrored ceiling  # fmt: skip
    rim = np.clip(1.6 - inside, 0, 1)[..., None]
    lip = np.clip(1 - np.abs(inside - 2.0) / 0.5, 0, 1)[..., None] * 0.25
    colour = glass * (1 - rim) + np.array(phone.colour) * rim + lip * 0.4
    eye = np.hypot(x, y + phone.length / 2 - 7)
    colour = colour * (1 - 0.8 * np.clip(2.4 - eye, 0, 1)[..., None])
    return _sprite(colour, _edge(inside, per_mm), per_mm)


def _grid(width: float, length: float, per_mm: float) -> tuple[Mask, Mask]:
    """The place of each pixel of a sprite of this size, in mm from its middle."""
    across, down = (round(side * per_mm / 2) + 2 for side in (width, length))
    x, y = np.meshgrid(np.arange(-across, across + 1), np.arange(-down, down + 1))
    return np.asarray(x / per_mm, np.float32), np.asarray(y / per_mm, np.float32)


def _from_middle(
    x: Mask, y: Mask, half_x: float, half_y: float, corner: float, at_edge: bool = False
) -> Mask:
    """How far outside of a rectangle with round corners: 0, or ``half_x``, on its edge."""
    out_x, out_y = np.abs(x) - half_x + corner, np.abs(y) - half_y + corner
    out = np.hypot(np.maximum(out_x, 0), np.maximum(out_y, 0)) - corner
    far = out + np.minimum(np.maximum(out_x, out_y), 0)
    return np.asarray(far if at_edge else far + half_x, np.float32)


def _band(far: Values, at: float, wide: float, per_mm: float) -> Mask:
    return np.asarray(np.clip((wide / 2 - np.abs(far - at)) * per_mm + 0.5, 0, 1), np.float32)


def _edge(inside: Values, per_mm: float) -> Mask:
    """A mask that is 1 inside, with an edge one pixel soft. ``inside``: mm from the edge."""
    return np.asarray(np.clip(inside * per_mm + 0.5, 0, 1), np.float32)


def _letters(shape: tuple[int, ...], per_mm: float, width: float) -> Mask:
    mask = np.zeros(shape[:2], np.uint8)
    size, thick = width / 95 * per_mm * 0.36, max(1, round(1.5 * per_mm))
    (across, down), _ = cv2.getTextSize("SAGARDOA", cv2.FONT_HERSHEY_DUPLEX, size, thick)
    at = (shape[1] - across) // 2, (shape[0] + down) // 2
    cv2.putText(mask, "SAGARDOA", at, cv2.FONT_HERSHEY_DUPLEX, size, 255, thick, cv2.LINE_AA)
    return np.asarray(mask / np.float32(255), np.float32)


def _sprite(colour: Values, cover: Mask, per_mm: float) -> Sprite:
    middle = ((cover.shape[1] - 1) / 2, (cover.shape[0] - 1) / 2)
    return Sprite(np.asarray(np.clip(colour, 0, 1), np.float32), cover, middle, per_mm)
