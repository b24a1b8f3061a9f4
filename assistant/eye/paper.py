"""The paper of a card: whether an outline has a rim of paper, and how light falls on it.

A Spanish card has white paper around its art. The telephone's own shadow, a near lamp or a window
light it unevenly, so no plane of light is assumed. Along the rim light changes slowly or in few
steps, whereas art, cloth and print change often; and light does not change the paper's colour.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.images import Image
from assistant.eye.match import Quad, warped

# ---- The rim -------------------------------------------------------------------------------------


Levels = npt.NDArray[np.float64]
"""Levels of blue, green and red, of shape (..., 3)."""
RIM_SIZE = (122, 190)
"""Width and height at which a card's rim is looked at: two pixels a millimetre."""
RIM = (2, 5)
"""The rim is this many pixels inside the edge: it is paper on every Spanish card."""
ROUND = 9
"""Corner squares of so many pixels are left out, because corners are round."""
SOFT = 3.0
"""Levels along the rim are blurred by so many pixels, against the sensor's noise."""
LONG = 61
"""A change of light along the rim is longer than half of this, 15 mm, in pixels; a shorter change
is art or print."""
COLOUR = 2.0
"""How much more a change of colour counts than one of brightness, because no shadow makes one."""
EVEN = 0.04
"""The greatest unevenness of a rim of paper."""
DARKEST_SHARE = 0.5
"""The least level of paper in the deepest shadow, as a share of the brightest paper's."""


def rim_unevenness(picture: Image, quad: Quad) -> float:
    """How little an outline's rim looks like paper: the share by which its levels stray.

    Nineteen of twenty points of the rim stray less from paper in slowly changing light. It is 1
    where a part is far too dark for a shadow.
    """
    card = np.asarray(warped(picture, quad, RIM_SIZE), np.float32)
    x, y = _ring()
    soft = _along(np.median(card[y, x], axis=0))
    bright = soft.mean(axis=1)
    darkest, brightest = np.percentile(bright, (3, 97))
    if darkest < DARKEST_SHARE * brightest:
        return 1.0
    round_it = np.concatenate([bright[-(LONG // 2) :], bright, bright[: LONG // 2]])
    slow = np.median(np.lib.stride_tricks.sliding_window_view(round_it, LONG), axis=1)
    strays = np.abs(bright - slow) / np.maximum(slow, 1.0)
    colour = _colour(soft)
    stained = np.abs(colour - np.median(colour, axis=0)).max(axis=1)
    return float(max(np.percentile(strays, 95), COLOUR * np.percentile(stained, 95)))


def _along(levels: Levels) -> Levels:
    """Levels along the rim, (n, 3), blurred; the rim's end is beside its beginning."""
    far = round(4 * SOFT)
    round_it = np.concatenate([levels[-far:], levels, levels[:far]])[:, None]
    soft = cv2.GaussianBlur(round_it, (1, 2 * far + 1), sigmaX=SOFT, sigmaY=SOFT)
    return np.asarray(soft.reshape(-1, 3)[far:-far], np.float64)


def _colour(levels: Levels) -> Levels:
    """The share of each channel, which no shadow changes."""
    return np.asarray(levels / np.maximum(levels.sum(axis=-1, keepdims=True), 1.0), np.float64)


@cache
def _ring() -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The pixels of the rim, x and y of shape (depth, n): once round the card, for each depth."""
    wide, high = RIM_SIZE
    found = []
    for deep in range(*RIM):
        across, down = np.arange(ROUND, wide - ROUND), np.arange(ROUND, high - ROUND)
        right, low = wide - 1 - deep, high - 1 - deep
        x = [across, np.full_like(down, right), across[::-1], np.full_like(down, deep)]
        y = [np.full_like(across, deep), down, np.full_like(across, low), down[::-1]]
        found.append((np.concatenate(x), np.concatenate(y)))
    x_all, y_all = zip(*found, strict=True)
    return np.stack(x_all), np.stack(y_all)


# ---- The light on a card -------------------------------------------------------------------------


MARGIN = 0.035
"""The width of the paper rim, as a share of the card's height."""
LIGHT_HIGH = 128
"""The light is found at this height in pixels: it is smooth, and noise is averaged out."""
PLANE = 0.03
"""A plane of light is good enough if nine tenths of the rim differ from it by this share at
most."""
PAPER_COLOUR = 0.025
"""The most by which the channels' shares may differ from those of the rim on paper."""
ROUNDS = ((0.25, 0.10), (0.12, 0.07), (0.08, 0.05))
"""(difference, reach) of each round. It takes pixels for paper that differ from the light of the
round before by at most the first share, and finds the light anew within the second share of the
card's height."""
TRUSTED = 0.05
"""If less than this share of the neighbourhood is paper, the light of the round before stays."""


def light_on(card: Levels) -> Levels:
    """The level and colour that white paper has in each pixel of a rectified card.

    The rim is paper. A plane of light is fitted to it. If that does not fit, as in a shadow, the
    light between the rim's sides is interpolated, then found in all paper inside the card.
    """
    high, wide = card.shape[:2]
    small_wide = round(LIGHT_HIGH * wide / high)
    small = cv2.resize(card, (small_wide, LIGHT_HIGH), interpolation=cv2.INTER_AREA)
    light = _light(np.asarray(small, np.float64))
    large = cv2.resize(light, (wide, high), interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, np.float64)


def _light(card: Levels) -> Levels:
    high, wide = card.shape[:2]
    rim = _rim(high, wide)
    y, x = np.mgrid[0:high, 0:wide]
    slopes = np.stack([np.ones_like(x), x / wide - 0.5, y / high - 0.5], axis=-1).astype(np.float64)
    fitted, *_ = np.linalg.lstsq(slopes[rim], card[rim], rcond=None)
    plane = np.asarray(slopes @ fitted, np.float64)
    off = np.abs(card[rim].sum(axis=1) / np.maximum(plane[rim].sum(axis=1), 1.0) - 1)
    if float(np.percentile(off, 90)) < PLANE:
        return plane
    soft = np.asarray(cv2.GaussianBlur(card, (0, 0), 1.0), np.float64)
    light = _between(soft, round(0.6 * MARGIN * high))
    colour = _colour(card)
    own = np.median(colour[rim], axis=0)
    white = np.abs(colour - own).max(axis=2) < PAPER_COLOUR
    for share, reach in ROUNDS:
        near = np.abs(card.sum(axis=2) / np.maximum(light.sum(axis=2), 1.0) - 1) < share
        paper = (white & near).astype(np.float64)
        weight = cv2.GaussianBlur(paper, (0, 0), reach * high)[..., None]
        sums = cv2.GaussianBlur(card * paper[..., None], (0, 0), reach * high)
        there = np.minimum(1.0, weight / TRUSTED)
        light = np.asarray(there * sums / np.maximum(weight, 1e-6) + (1 - there) * light)
    return light


def _rim(high: int, wide: int) -> npt.NDArray[np.bool_]:
    """The pixels of the paper rim without the corners, which are round."""
    deep, edge, corner = round(MARGIN * high), round(MARGIN * high / 4), round(0.05 * high)
    rim = np.zeros((high, wide), bool)
    rim[edge:-edge, edge:-edge] = True
    rim[deep:-deep, deep:-deep] = False
    for rows in (slice(0, corner), slice(high - corner, high)):
        for columns in (slice(0, corner), slice(wide - corner, wide)):
            rim[rows, columns] = False
    return rim


def _between(card: Levels, deep: int) -> Levels:
    """The levels of four lines so deep inside the edges, blended over the card (Coons 1967)."""
    high, wide = card.shape[:2]
    top, low = card[deep][None], card[high - 1 - deep][None]
    left, right = card[:, deep][:, None], card[:, wide - 1 - deep][:, None]
    x = np.linspace(0, 1, wide)[None, :, None]
    y = np.linspace(0, 1, high)[:, None, None]
    corners = (
        (1 - y) * ((1 - x) * top[:, deep : deep + 1] + x * top[:, -deep - 1 : -deep])
        + y * ((1 - x) * low[:, deep : deep + 1] + x * low[:, -deep - 1 : -deep])
    )  # fmt: skip
    return np.asarray((1 - y) * top + y * low + (1 - x) * left + x * right - corners)
