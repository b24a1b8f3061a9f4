"""The effects of light and of the camera's sensor: too little light, glare, and blur."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from scripts.lab.eyebench.grounds import Image

Pixels = npt.NDArray[np.uint8]
Place = tuple[float, float]
"""A place in the picture, as shares of its width and height."""


class Lit(StrEnum):
    """The kind of light on a table."""

    NORMAL = "normal"
    DIM = "dim"
    GLARE = "glare"


@dataclass(frozen=True, slots=True)
class Light:
    """The light on a table, and the sensor that sees it.

    level     of white paper in the middle of the table; 1 is the brightest level that can be told
    slope     how much brighter one side of the picture is than the other; ``towards`` in degrees
    warmth    of the lamp: how much more red it has than blue
    lamps     mirrored in the cards: x, y and radius as shares of the picture, and strength
    noise     standard deviation of the sensor's noise
    blur      pixels by which the picture moved while it was taken, and in which direction
    quality   of the JPEG that the camera makes
    """

    level: float
    slope: float
    towards: float
    warmth: float
    lamps: tuple[tuple[float, float, float, float], ...]
    noise: float
    blur: tuple[float, float]
    quality: int


def drawn(lit: Lit, mirrors: Sequence[Place], dice: np.random.Generator) -> Light:
    """A random light of that kind. ``mirrors``: places of cards, one of which mirrors each lamp."""
    dim = lit is Lit.DIM
    lamps = []
    for _ in range(int(dice.integers(1, 4)) if lit is Lit.GLARE else 0):
        x, y = mirrors[int(dice.integers(len(mirrors)))] + dice.uniform(-0.05, 0.05, 2)
        lamps.append((float(x), float(y), float(dice.uniform(0.03, 0.09)),
                      float(dice.uniform(0.35, 0.9))))  # fmt: skip
    return Light(
        level=float(dice.uniform(0.22, 0.4) if dim else dice.uniform(0.72, 0.98)),
        slope=float(dice.uniform(0.05, 0.45)),
        towards=float(dice.uniform(0, 360)),
        warmth=float(dice.uniform(-0.06, 0.22)),
        lamps=tuple(lamps),
        noise=float(dice.uniform(0.02, 0.035) if dim else dice.uniform(0.004, 0.012)),
        blur=(float(dice.uniform(0, 2.5 if dim else 1.2)), float(dice.uniform(0, 180))),
        quality=int(dice.integers(72, 95)),
    )


def shone(picture: Image, light: Light, dice: np.random.Generator) -> Pixels:
    """The picture as the camera sends it, in 8 bits."""
    return sensed(lit(picture, light), light, dice)


def lit(picture: Image, light: Light) -> Image:
    """What falls on the sensor: everything that the same light does to every picture alike."""
    down, across = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, across), np.linspace(-0.5, 0.5, down))
    angle = np.radians(light.towards)
    field = light.level * (1 + light.slope * (x * np.cos(angle) + y * np.sin(angle)))
    lamp = np.array([1 - light.warmth, 1.0, 1 + light.warmth]) / (1 + max(0.0, light.warmth))
    seen = picture * (field[..., None] * lamp).astype(np.float32)
    for at_x, at_y, radius, strength in light.lamps:
        far = ((x + 0.5 - at_x) * across) ** 2 + ((y + 0.5 - at_y) * down) ** 2
        seen += (strength * np.exp(-far / (2 * (radius * across) ** 2)))[..., None].astype(
            np.float32
        )
    return _moved(cv2.GaussianBlur(seen, (0, 0), 0.6), light.blur)


def sensed(seen: Image, light: Light, dice: np.random.Generator) -> Pixels:
    """What the camera makes of ``lit``: new noise every time, and a JPEG."""
    seen = seen + dice.standard_normal(seen.shape, np.float32) * np.float32(light.noise)
    levels = np.asarray(np.clip(seen * 255, 0, 255), np.uint8)
    _, sent = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, light.quality])
    return np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8)


def _moved(picture: Image, blur: tuple[float, float]) -> Image:
    length, direction = blur
    if length < 1:
        return picture
    side = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((side, side), np.float32)
    reach = length / 2 * np.array([np.cos(np.radians(direction)), np.sin(np.radians(direction))])
    for along in np.linspace(-1, 1, 9):
        column, row = np.round(side // 2 + along * reach).astype(int)
        kernel[row, column] += 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
