"""Cards worn by years of play: faded, stained, creased, and worn at their edges."""

from __future__ import annotations

import random
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from scripts.lab.eyebench import grounds
from scripts.lab.eyebench.light import Pixels
from scripts.lab.eyebench.scenes import Art

FADED = (0.7, 0.95)
"""How much of the ink's contrast is left."""
YELLOW = 0.12
STAINS, CREASES = 4, 3
"""The most stains and creases on a card."""


def worn(faces: Art, seed: int) -> Art:
    """The same cards, each worn in its own way. The same seed gives the same wear."""
    return {card: _worn(face, f"{seed} {card}") for card, face in faces.items()}


@lru_cache(maxsize=64)
def _noise(wide: int, high: int, seed: int) -> npt.NDArray[np.float32]:
    return np.asarray(grounds.noise(wide, high, 3, np.random.default_rng(seed)), np.float32)


def _worn(face: Pixels, name: str) -> Pixels:
    dice = random.Random(name)
    high, wide = face.shape[:2]
    card = face[..., :3].astype(np.float32) / 255
    paper = np.array([1 - dice.uniform(0, YELLOW), 1 - dice.uniform(0, 0.03), 1.0], np.float32)
    card = 1 - (1 - card) * dice.uniform(*FADED)
    # Ink comes off in grains, and more of it comes off where hands held the card.
    grain = _noise(wide, high, dice.randrange(8))
    held = np.hypot(*np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high)))
    off = np.clip(grain - 2.2 + 0.7 * held, 0, 1).astype(np.float32)[..., None]
    card = card * (1 - off) + off * 0.95
    card *= paper
    for _ in range(dice.randint(0, STAINS)):
        spot = np.zeros((high, wide), np.float32)
        axes = round(wide * dice.uniform(0.02, 0.1)), round(wide * dice.uniform(0.02, 0.1))
        middle = dice.randrange(wide), dice.randrange(high)
        cv2.ellipse(spot, middle, axes, dice.uniform(0, 180), 0, 360, 1.0, cv2.FILLED)
        soft = cv2.GaussianBlur(spot, (0, 0), wide * 0.015)[..., None]
        colour = np.array([dice.uniform(0.5, 0.8), dice.uniform(0.65, 0.9), 0.92], np.float32)
        card *= 1 - soft * dice.uniform(0.3, 0.9) * (1 - colour)
    for _ in range(dice.randint(0, CREASES)):
        line = np.zeros((high, wide), np.float32)
        start, end = ((dice.randrange(wide), dice.randrange(high)) for _ in range(2))
        cv2.line(line, start, end, 1.0, max(1, round(wide / 160)), cv2.LINE_AA)
        share = line[..., None] * dice.uniform(0.3, 0.8)
        card = card * (1 - share) + share * dice.choice([0.97, 0.75])
    edge = np.minimum.reduce(np.broadcast_arrays(
        np.arange(wide)[None], np.arange(wide)[::-1][None],
        np.arange(high)[:, None], np.arange(high)[::-1][:, None],
    ))  # fmt: skip
    dirt = np.exp(-edge / (0.02 * wide)) * dice.uniform(0.05, 0.35)
    card *= 1 - np.asarray(dirt, np.float32)[..., None]
    made = np.asarray(np.clip(card * 255, 0, 255), np.uint8)
    return made if face.shape[2] == 3 else np.dstack([made, face[..., 3]])
