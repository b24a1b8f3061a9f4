"""What lies on the table that did not lie there when it was empty.

A threshold of brightness takes a checked cloth for paper; the empty table, seen once by the same
camera, does not. Shadows and a lamp that grew a little brighter are no change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.images import Image, brightest

Mask = npt.NDArray[np.uint8]
"""Of shape (height, width): 1 where it holds, 0 elsewhere."""

SOFTENED = 0.8
"""Pixels by which both pictures are blurred, so that the sensor's noise is no change."""
LEAST_LEVELS, MOST_LEVELS = 8.0, 40.0
NOISES = 4.0
"""A change is more than so many times what a pixel mostly differs by; where that is more than noise
ever is, all has changed."""
SHADOW = (0.4, 1.02)
"""Of the empty table's light, what is left in a shadow."""
SHADOW_COLOUR = 0.1
"""How far a shadow's colour may be from the table's, as a share of its brightness."""
SPECK_MM2 = 300.0
"""What is smaller is neither a card nor a piece of one that could be read."""


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """The table before anybody laid a card on it: the mean of some frames."""

    picture: Image

    @staticmethod
    def learned(frames: Sequence[Image]) -> EmptyTable:
        """The table from frames of one size. Raises ValueError without any, or of several sizes."""
        if not frames or len({frame.shape for frame in frames}) > 1:
            raise ValueError("the empty table is learned from frames of one size")
        mean = np.mean([frame.astype(np.float32) for frame in frames], axis=0)
        return EmptyTable(np.asarray(np.round(mean), np.uint8))


def changed(picture: Image, empty: Image, per_mm: float) -> Mask:
    """Where two pictures of one size differ by more than noise and shadow, in whole regions.

    ``per_mm``: pixels of a millimetre. Regions are filled; specks are left out.
    """
    now = _softened(picture)
    before = _relit(now, _softened(empty))
    difference = brightest(cv2.absdiff(now, before))
    least = float(np.clip(NOISES * np.median(difference), LEAST_LEVELS, MOST_LEVELS))
    found = np.asarray((difference > least) & ~_shadowed(now, before, least), np.uint8)
    found = np.asarray(cv2.morphologyEx(found, cv2.MORPH_CLOSE, _square(3)), np.uint8)
    outlines, _ = cv2.findContours(found, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    speck = SPECK_MM2 * per_mm**2
    large = [outline for outline in outlines if cv2.contourArea(outline) > speck]
    filled = np.zeros_like(found)
    cv2.drawContours(filled, large, -1, 1, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, _square(5)), np.uint8)


def _softened(picture: Image) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFTENED), np.float32)


def _relit(
    now: npt.NDArray[np.float32], before: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """The empty table in the light of now: most of what is seen is table still."""
    some = (slice(None, None, 7), slice(None, None, 7))
    gain = np.median((now[some] + 1) / (before[some] + 1), axis=(0, 1))
    return np.asarray(before * np.clip(gain, 0.5, 2.0).astype(np.float32), np.float32)


def _shadowed(
    now: npt.NDArray[np.float32], before: npt.NDArray[np.float32], least: float
) -> npt.NDArray[np.bool_]:
    """Where there is the empty table's own colour, only darker."""
    light = _summed(now * before) / (_summed(before**2) + 1)
    off = brightest(cv2.absdiff(now, light[..., None] * before))
    near = off < np.maximum(least, SHADOW_COLOUR * brightest(before))
    return np.asarray((light > SHADOW[0]) & (light < SHADOW[1]) & near, np.bool_)


def _summed(picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    blue, green, red = cv2.split(picture)
    return np.asarray(blue + green + red, np.float32)


def _square(side: int) -> Mask:
    return np.ones((side, side), np.uint8)
