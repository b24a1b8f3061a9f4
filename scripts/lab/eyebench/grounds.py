"""Random grounds under the cards, seen from above: cloth, wood and checks."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.float32]
"""BGR from 0 to 1, of shape (height, width, 3)."""


def cloth(across: int, down: int, dice: np.random.Generator) -> Image:
    """Felt of one colour, with fine grain, and with slow stains where it is worn."""
    colours = np.array([[0.2, 0.38, 0.1], [0.42, 0.2, 0.12], [0.15, 0.13, 0.45], [0.3, 0.3, 0.3]])
    colour = dice.choice(colours) * dice.uniform(0.7, 1.2)
    grain = noise(across, down, 1.2, dice) * 0.05
    worn = noise(across, down, 90, dice) * 0.06
    return np.asarray(np.clip(colour * (1 + (grain + worn)[..., None]), 0, 1), np.float32)


def wood(across: int, down: int, dice: np.random.Generator) -> Image:
    """Planks with their grain along them."""
    light = np.array([0.35, 0.52, 0.72]) * dice.uniform(0.55, 1.1)
    grain = cv2.GaussianBlur(
        dice.standard_normal((down, across)).astype(np.float32), (0, 0), sigmaX=60, sigmaY=1.3
    )
    grain *= 0.13 / (grain.std() + 1e-6)
    table = light * (1 + grain[..., None])
    plank = int(dice.integers(110, 220))
    for at, top in enumerate(range(-int(dice.integers(0, plank)), down, plank)):
        rows = slice(max(0, top), max(0, top + plank))
        table[rows] *= 1 + 0.12 * dice.standard_normal() if at else 1
        table[max(0, top) : max(0, top + 2)] *= 0.55
    return np.asarray(np.clip(table, 0, 1), np.float32)


def checks(across: int, down: int, dice: np.random.Generator) -> Image:
    """A tablecloth of checks in white and one colour, with edges everywhere."""
    colour = dice.choice(np.array([[0.2, 0.15, 0.7], [0.65, 0.3, 0.15], [0.25, 0.5, 0.2]]))
    side = int(dice.integers(24, 60))
    x, y = np.meshgrid(np.arange(across) // side % 2, np.arange(down) // side % 2)
    share = ((x + y) / 2)[..., None]
    table = (0.86 * (1 - share) + colour * share) * (
        1 + 0.03 * noise(across, down, 1, dice)[..., None]
    )
    return np.asarray(np.clip(table, 0, 1), np.float32)


def noise(across: int, down: int, sigma: float, dice: np.random.Generator) -> Image:
    """Grey grains about ``sigma`` pixels wide, of shape (down, across); mean 0, deviation 1."""
    coarse = max(1.0, sigma / 4)
    small = dice.standard_normal((round(down / coarse) + 2, round(across / coarse) + 2))
    soft = cv2.GaussianBlur(small.astype(np.float32), (0, 0), sigma / coarse)
    found = cv2.resize(soft, (across, down), interpolation=cv2.INTER_LINEAR)
    return np.asarray(found / (found.std() + 1e-6), np.float32)


GROUNDS: dict[str, Callable[[int, int, np.random.Generator], Image]] = {
    "cloth": cloth,
    "wood": wood,
    "checks": checks,
}
