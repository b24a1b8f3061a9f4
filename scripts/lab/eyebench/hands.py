"""A player's hand and forearm in a sleeve, seen from above, as it comes from his seat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from scripts.lab.eyebench import grounds, sprites
from scripts.lab.eyebench.grounds import Image
from scripts.lab.eyebench.sprites import Colour, Laid, Mask, Pose, Sprite

LEFT, TOP, RIGHT, BOTTOM = -165, -140, 165, 400
"""The extent of a hand's sprite, in millimetres from the middle of its palm."""
TIP = 118.0
"""From the middle of the palm to the middle finger's tip, in millimetres."""
WRIST = 52.0
KNUCKLES = ((-29.0, -40.0), (-10.0, -46.0), (10.0, -43.0), (27.0, -34.0))
"""The knuckles of the four fingers, from the index on."""
LENGTHS = (71.0, 77.0, 72.0, 56.0)
WIDTHS = (18.0, 18.5, 17.5, 15.5)


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a hand, and how it is held.

    skin, sleeve   their colours; ``stripes``: how much the sleeve has of them, from 0 to 1
    cuff           millimetres from the middle of the palm to the beginning of the sleeve
    left           whether it is a left hand, whose thumb is at the right
    size           1 for a hand 185 mm long
    spread, bent   degrees between two fingers, and from the hand to the forearm: at most 14
    curls          of index, middle, ring and little finger and thumb: 0 stretched, 1 bent
    seed           of the skin's grain and the sleeve's folds
    """

    skin: Colour
    sleeve: Colour
    stripes: float
    cuff: float
    left: bool
    size: float
    spread: float
    bent: float
    curls: tuple[float, float, float, float, float]
    seed: int


@dataclass(frozen=True, slots=True)
class Hand(Laid):
    """A hand: the middle of its palm on the table in mm, and its turn clockwise in degrees.

    With ``turn`` 0 the fingers point away from seat 1. ``height``: of the hand above the table.
    """

    x: float
    y: float
    turn: float
    height: float
    look: Look

    def pose(self) -> Pose:
        """The place of its sprite on the table."""
        return Pose(self.x, self.y, self.turn, self.height, shadow=0.5)

    def sprite(self, per_mm: float) -> Sprite:
        """Its picture, drawn with this many pixels to a millimetre."""
        return _drawn(self.look, self.turn, per_mm)


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """What a hand is drawn on: the place in mm, and the height of the surface, by pixel."""

    x: Mask
    y: Mask
    height: Mask
    per_mm: float


Bone = tuple[float, float, float, float, float, float]
"""From x, y with a radius to x, y with a radius, in millimetres."""


@lru_cache(maxsize=8)
def _drawn(look: Look, turn: float, per_mm: float) -> Sprite:
    """The picture of the hand. It is cached, because a film shows the same hand in many places."""
    across = np.arange(round((RIGHT - LEFT) * per_mm), dtype=np.float32) / per_mm + LEFT
    down = np.arange(round((BOTTOM - TOP) * per_mm), dtype=np.float32) / per_mm + TOP
    x, y = np.meshgrid(across / look.size, down / look.size)
    sheet = _Sheet(-x if look.left else x, y, np.zeros_like(x), per_mm * look.size)
    skin = _skin(sheet, look, turn)
    cover = _soft(sheet.height)
    cloth, sleeve = _sleeve(sheet, look, turn)
    below = sprites.blurred(sleeve, 3 * per_mm)[..., None]
    colour = skin * (1 - 0.5 * below) * (1 - sleeve[..., None]) + cloth * sleeve[..., None]
    cover = np.maximum(cover, sleeve)
    return Sprite(
        np.asarray(np.clip(colour, 0, 1), np.float32), cover, (-LEFT * per_mm, -TOP * per_mm),
        per_mm,
    )  # fmt: skip


def _skin(sheet: _Sheet, look: Look, turn: float) -> Image:
    """The bare hand and arm. ``sheet.height`` becomes theirs."""
    _raise(sheet, (0, WRIST - 4, 29, *_elbow(look, 420), 46), 24)
    for (x, y), width in zip(KNUCKLES, WIDTHS, strict=True):
        _raise(sheet, (0.5 * x, WRIST - 8, 22, x * 0.93, y + 6, width * 0.72), 22)
    _raise(sheet, (-24, WRIST - 12, 20, -38, 0, 15), 21)
    sheet.height[:] = sprites.blurred(sheet.height, 3 * sheet.per_mm) * (sheet.height > 0)
    dice = np.random.default_rng(look.seed)
    shape = (sheet.x.shape[1], sheet.x.shape[0])
    mottled = 1 + 0.035 * grounds.noise(*shape, 7 * sheet.per_mm, dice)
    mottled += 0.02 * grounds.noise(*shape, 0.8 * sheet.per_mm, dice)
    red, nails = np.zeros_like(sheet.x), np.zeros_like(sheet.x)
    for finger in range(5):
        _finger(sheet, look, finger, red, nails)
    high = sprites.blurred(sheet.height, 1.1 * sheet.per_mm)
    bright = sprites.relief(high, sheet.per_mm, turn) * mottled
    tone = np.array(look.skin, np.float32) * (1 - red[..., None] * (0.22, 0.2, 0.08))
    pale = np.array(look.skin, np.float32) * 0.55 + np.array([0.36, 0.36, 0.42], np.float32)
    tone = tone * (1 - nails[..., None]) + pale * nails[..., None]
    # Light goes into skin and comes out red: its shaded sides are not grey.
    return np.asarray(tone * bright[..., None] ** np.array([1.25, 1.1, 0.85]), np.float32)


def _finger(sheet: _Sheet, look: Look, finger: int, red: Mask, nails: Mask) -> None:
    """Two bones from the knuckle on. A bent finger looks shorter."""
    curl = look.curls[finger]
    if finger == 4:
        (x, y), long, width, angle = (-41.0, -2.0), 58.0, 20.0, -38.0 + 30 * curl
        long *= 1 - 0.3 * curl
    else:
        (x, y), long, width = KNUCKLES[finger], LENGTHS[finger], WIDTHS[finger]
        angle = (finger - 1.4) * (look.spread + 2)
        long *= 1 - 0.5 * curl
    lean = np.radians(angle), np.radians(angle * (0.55 if finger != 4 else 0.3))
    middle = x + 0.5 * long * np.sin(lean[0]), y - 0.5 * long * np.cos(lean[0])
    tip = middle[0] + 0.42 * long * np.sin(lean[1]), middle[1] - 0.42 * long * np.cos(lean[1])
    radius = width / 2
    _raise(sheet, (x, y, radius * 1.02, *middle, radius * 0.97), 11 + 3 * curl)
    _raise(sheet, (*middle, radius * 0.97, *tip, radius * 0.8), 10)
    bent = 0.5 * curl
    for at, wide, deep in (((x, y), 8.0, 0.5), (middle, 4.0, 0.9), (tip, 6.0, 0.7)):
        part = _near(sheet, at, at, 3 * wide)
        far = (sheet.x[part] - at[0]) ** 2 + (sheet.y[part] - at[1]) ** 2
        red[part] += deep * np.exp(-far / (2 * wide**2))
    if bent < 0.4:
        _nail(sheet, tip, lean[1], radius, nails)


def _nail(sheet: _Sheet, tip: tuple[float, float], lean: float, radius: float, nails: Mask) -> None:
    part = _near(sheet, tip, tip, 2 * radius)
    x, y = sheet.x[part] - tip[0], sheet.y[part] - tip[1]
    along, aside = x * np.sin(lean) - y * np.cos(lean), x * np.cos(lean) + y * np.sin(lean)
    far = (aside / (0.55 * radius)) ** 2 + ((along - 0.15 * radius) / (0.66 * radius)) ** 2
    nails[part] += np.clip(4 * (1 - far), 0, 0.6).astype(np.float32)


def _sleeve(sheet: _Sheet, look: Look, turn: float) -> tuple[Image, Mask]:
    """The sleeve's colours and place. It is wider than the arm, with folds across it."""
    angle = np.radians(look.bent)
    along = (sheet.y - WRIST) * np.cos(angle) - sheet.x * np.sin(angle) + WRIST
    arm = _Sheet(sheet.x, sheet.y, np.zeros_like(sheet.x), sheet.per_mm)
    _raise(arm, (0, WRIST, 39, *_elbow(look, 460), 62), 34)
    dice = np.random.default_rng(look.seed + 1)
    across, down = sheet.x.shape[1], sheet.x.shape[0]
    folds = grounds.noise(across, down // 3, 9 * sheet.per_mm, dice)
    folds = np.asarray(cv2.resize(folds, (across, down)), np.float32)
    edge = look.cuff + 2.5 * np.cos(sheet.x / 17) + 3 * (arm.height < 14)
    inside = np.clip((along - edge) * sheet.per_mm + 0.5, 0, 1) * _soft(arm.height)
    weave = 1 + 0.05 * grounds.noise(across, down, 0.7 * sheet.per_mm, dice)
    hem = 1 - 0.28 * np.exp(-((along - look.cuff - 9) ** 2) / 2)
    aside = sheet.x * np.cos(angle) + (sheet.y - WRIST) * np.sin(angle)
    striped = 1 - look.stripes * 0.5 * (np.sin(aside / 2.4) > 0.4)
    high = np.asarray(sprites.blurred(arm.height, 2 * sheet.per_mm) + 2.6 * folds, np.float32)
    bright = sprites.relief(high, sheet.per_mm, turn)
    shade = bright * weave * hem * striped
    cloth = np.array(look.sleeve, np.float32) * shade[..., None]
    return np.asarray(cloth, np.float32), np.asarray(inside, np.float32)


def _elbow(look: Look, away: float) -> tuple[float, float]:
    angle = np.radians(look.bent)
    return float(-away * np.sin(angle)), float(WRIST + away * np.cos(angle))


def _raise(sheet: _Sheet, bone: Bone, top: float) -> None:
    """Add a round limb around a bone, ``top`` mm high along it."""
    x0, y0, r0, x1, y1, r1 = bone
    part = _near(sheet, (x0, y0), (x1, y1), max(r0, r1))
    x, y = sheet.x[part] - x0, sheet.y[part] - y0
    long = (x1 - x0) ** 2 + (y1 - y0) ** 2
    share = np.clip((x * (x1 - x0) + y * (y1 - y0)) / long, 0, 1)
    far = (x - share * (x1 - x0)) ** 2 + (y - share * (y1 - y0)) ** 2
    round_ = np.sqrt(np.maximum(0, 1 - far / (r0 + share * (r1 - r0)) ** 2)) * top
    sheet.height[part] = np.maximum(sheet.height[part], round_)


def _near(
    sheet: _Sheet, one: tuple[float, float], other: tuple[float, float], away: float
) -> tuple[slice, slice]:
    """The rows and columns of what lies between two points or within ``away`` mm of them."""
    slices = []
    for lane, a, b in ((sheet.y[:, 0], one[1], other[1]), (sheet.x[0], one[0], other[0])):
        inside = np.flatnonzero((lane >= min(a, b) - away) & (lane <= max(a, b) + away))
        slices.append(slice(inside[0], inside[-1] + 1) if len(inside) else slice(0))
    return slices[0], slices[1]


def _soft(height: Mask) -> Mask:
    """A mask of what is there, with edges that are half a pixel soft."""
    return sprites.blurred((height > 0).astype(np.float32), 0.6)
