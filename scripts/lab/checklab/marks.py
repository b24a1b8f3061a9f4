"""Marks that play leaves on cards: stains, creases and shades, most over the number in a corner.

They are no print. ``eyebench/wear.py`` has the wear of the tables that measure; these marks vary
more.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.images import Image
from scripts.lab.checklab.prints import Dice
from scripts.lab.eyebench import grounds

STAINS, CREASES, SHADES = 3, 2, 1
"""The most of each on a card."""
AT_NUMBER = 0.6
"""The share of the marks that lie over a number."""
NUMBER = ((0.06, 0.24), (0.05, 0.2))
"""Where a number is, as shares of a card's width and height, from the nearest corner."""
Share = npt.NDArray[np.float32]


def marked(face: Image, dice: Dice) -> Image:
    """The card with some marks."""
    high, wide = face.shape[:2]
    card = face.astype(np.float32) / 255
    for _ in range(dice.randint(0, STAINS)):
        colour = np.array(_stain_colour(dice), np.float32)
        card *= 1 - _spot(wide, high, dice)[..., None] * (1 - colour)
    for _ in range(dice.randint(0, CREASES)):
        line = _line(wide, high, dice)[..., None]
        card = card * (1 - line) + line * np.float32(dice.choice((0.97, 0.9, 0.75, 0.55)))
    for _ in range(dice.randint(0, SHADES)):
        card *= 1 - _shade(wide, high, dice)[..., None]
    return np.asarray(np.clip(card * 255, 0, 255), np.uint8)


def _stain_colour(dice: Dice) -> tuple[float, float, float]:
    """What light of a stain is left, blue, green and red: of drink, grease, ash or dirt."""
    red = dice.uniform(0.75, 1.0)
    green = red * dice.uniform(0.7, 1.0)
    return green * dice.uniform(0.6, 1.0), green, red


def _place(wide: int, high: int, dice: Dice) -> tuple[int, int]:
    """A place on a card, often one where a number is."""
    if dice.random() >= AT_NUMBER:
        return dice.randrange(wide), dice.randrange(high)
    x, y = (dice.uniform(*span) for span in NUMBER)
    if dice.random() < 0.5:
        x, y = 1 - x, 1 - y
    return round(x * wide), round(y * high)


def _spot(wide: int, high: int, dice: Dice) -> Share:
    """A stain: how much of it lies on each pixel. Some have a dark rim, as a drop that dried."""
    spot = np.zeros((high, wide), np.float32)
    axes = round(wide * dice.uniform(0.015, 0.12)), round(wide * dice.uniform(0.015, 0.12))
    thick = cv2.FILLED if dice.random() < 0.8 else max(1, round(wide * dice.uniform(0.01, 0.03)))
    cv2.ellipse(spot, _place(wide, high, dice), axes, dice.uniform(0, 180), 0, 360, 1.0, thick)
    soft = cv2.GaussianBlur(spot, (0, 0), wide * dice.uniform(0.004, 0.03))
    if dice.random() < 0.5:
        numbers = np.random.default_rng(dice.getrandbits(32))
        grain = grounds.noise(wide, high, dice.uniform(2, 12), numbers)
        soft = soft * np.clip(0.7 + 0.3 * grain, 0, 1)
    return np.asarray(soft * dice.uniform(0.3, 1.0), np.float32)


def _line(wide: int, high: int, dice: Dice) -> Share:
    """A crease through a place of the card, at any angle."""
    line = np.zeros((high, wide), np.float32)
    x, y = _place(wide, high, dice)
    turn, far = dice.uniform(0, np.pi), dice.uniform(0.05, 1.0) * wide
    along = round(far * np.cos(turn)), round(far * np.sin(turn))
    width = max(1, round(wide * dice.uniform(0.004, 0.014)))
    cv2.line(line, (x - along[0], y - along[1]), (x + along[0], y + along[1]), 1.0, width,
             cv2.LINE_AA)  # fmt: skip
    return np.asarray(line * dice.uniform(0.3, 0.9), np.float32)


def _shade(wide: int, high: int, dice: Dice) -> Share:
    """The darker side of a fold: the card beyond a line, darkest at the line."""
    x, y = _place(wide, high, dice)
    turn, reach = dice.uniform(0, 2 * np.pi), wide * dice.uniform(0.05, 0.5)
    columns, rows = np.meshgrid(np.arange(wide) - x, np.arange(high) - y)
    beyond = columns * np.cos(turn) + rows * np.sin(turn)
    shade = np.where(beyond > 0, np.exp(-beyond / reach), 0) * dice.uniform(0.05, 0.35)
    soft = cv2.GaussianBlur(np.asarray(shade, np.float32), (0, 0), wide * 0.006)
    return np.asarray(soft, np.float32)
