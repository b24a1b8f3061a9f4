"""Cards of a deck nobody knows yet, laid in rows: found by their paper rim, and put in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assistant.vision.images import Image
from assistant.vision.lines import drawn_lines
from assistant.vision.match import Quad, warped
from assistant.vision.outlines import card_outlines, exact, plane_of
from assistant.vision.plane import Plane, lying
from assistant.vision.poses import apart, at_corners, edged, likeliest
from assistant.vision.view import view

RIM_SIZE = (122, 190)
"""Width and height at which a card's rim is looked at: two pixels a millimetre."""
RIM = (2, 5)
"""The rim lies so many pixels inside the edge: paper on every Spanish card."""
ROUND = 9
"""Of that square, corners are left out: they are round."""
EVEN = 0.03
"""So far from an even light nine tenths of the rim's pixels are, at most, as a share of it."""
MOST_POSES = 400
ROUNDS = 3
"""The plane of few cards is good near them; what is found there makes it good further away."""
EDGED = 0.55
ROW_MM = 0.6
"""Cards are of one row whose middles are no further apart, in heights of a card."""


def card_rows(picture: Image, size_mm: tuple[float, float]) -> list[list[Quad]]:
    """The cards of a picture: rows from the top, each from the left, corners from the upper left.

    Cards lie apart and upright, or upside down, each row about along the picture's longer side.
    """
    outlines = [exact(picture, quad) for quad in card_outlines(picture, size_mm)]
    cards = [quad for quad in outlines if rim_unevenness(picture, quad) < EVEN]
    high, wide = picture.shape[:2]
    found = plane_of((wide, high), cards, size_mm)
    if found is None:
        return []
    plane, cards = found
    for _ in range(ROUNDS):
        more = _completed(picture, plane, cards, size_mm)
        again = plane_of((wide, high), [exact(picture, quad) for quad in more], size_mm)
        if again is None or len(again[1]) <= len(cards):
            break
        plane, cards = again
    return _in_rows([_upright(exact(picture, quad)) for quad in cards])


def rim_unevenness(picture: Image, quad: Quad) -> float:
    """How far an outline's rim is from paper in an even light, as a share of its brightness."""
    wide, high = RIM_SIZE
    card = warped(picture, quad, RIM_SIZE).astype(np.float32).mean(axis=2)
    y, x = np.nonzero(_rim())
    levels = card[y, x]
    slopes = np.column_stack([np.ones_like(levels), x / wide - 0.5, y / high - 0.5])
    fitted, *_ = np.linalg.lstsq(slopes, levels, rcond=None)
    off = np.abs(levels - slopes @ fitted)
    return float(np.percentile(off, 90) / max(float(fitted[0]), 1.0))


def _rim() -> npt.NDArray[np.bool_]:
    wide, high = RIM_SIZE
    outer, inner = RIM
    rim = np.zeros((high, wide), bool)
    rim[outer:-outer, outer:-outer] = True
    rim[inner:-inner, inner:-inner] = False
    for rows in (slice(0, ROUND), slice(high - ROUND, high)):
        for columns in (slice(0, ROUND), slice(wide - ROUND, wide)):
            rim[rows, columns] = False
    return rim


def _completed(
    picture: Image, plane: Plane, cards: Sequence[Quad], size_mm: tuple[float, float]
) -> list[Quad]:
    """The cards, and those that their size helps to find on a restless cloth."""
    seen = view(picture, plane, None)
    high, wide = seen.bright.shape
    lines = drawn_lines(seen, (0, 0, wide, high))
    poses = likeliest(seen, at_corners(lines, size_mm), size_mm, MOST_POSES)
    known = np.array([lying(quad, plane, size_mm)[0] for quad in cards])
    width = size_mm[0]
    for pose in apart(poses[edged(seen, poses, size_mm) > EDGED], MOST_POSES):
        far = np.hypot(known[:, 0] - pose[0], known[:, 1] - pose[1]).min()
        if far < 0.9 * width:
            continue
        if rim_unevenness(picture, exact(picture, plane.quad(pose, size_mm))) < EVEN:
            known = np.vstack([known, pose])
    return [*cards, *(plane.quad(pose, size_mm) for pose in known[len(cards) :])]


def _upright(quad: Quad) -> Quad:
    """Its corners from the one that is the upper left as the picture shows it."""
    tops = [float(np.roll(quad, -turn, axis=0)[:2, 1].mean()) for turn in (0, 2)]
    return quad if tops[0] <= tops[1] else np.roll(quad, -2, axis=0)


def _in_rows(quads: Sequence[Quad]) -> list[list[Quad]]:
    """Rows by how high the middles lie, seen along the way that most rows run."""
    middles = np.array([quad.mean(axis=0) for quad in quads])
    across = np.array([quad[1] - quad[0] + quad[2] - quad[3] for quad in quads]).mean(axis=0)
    along = across / np.linalg.norm(across)
    down = middles @ np.array([-along[1], along[0]])
    height = float(np.mean([np.linalg.norm(quad[3] - quad[0]) for quad in quads]))
    rows: list[list[int]] = []
    for at in np.argsort(down):
        if rows and down[at] - np.mean([down[other] for other in rows[-1]]) < ROW_MM * height:
            rows[-1].append(int(at))
        else:
            rows.append([int(at)])
    return [[quads[at] for at in sorted(row, key=lambda at: float(middles[at] @ along))]
            for row in rows]  # fmt: skip
