"""Outlines of fully visible cards, alone on the table or laid in rows for an enrolment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.images import Image, brightest
from assistant.eye.match import Quad
from assistant.eye.paper import EVEN, rim_unevenness
from assistant.eye.plane import Plane, fit_plane, lying
from assistant.eye.poses import apart, at_corners, drawn_lines, edged, likeliest
from assistant.eye.view import Mask, changed, view

# ---- Outlines of cards, found without knowing how large a card is in the picture ----------------
# They determine the table's plane, by which all other cards are then found; and a deck is enrolled
# from them.


WORKED_AT = 1200.0
"""Outlines are looked for in a picture with this longer side, in pixels; then corners are
refined."""
SMALLEST, LARGEST = 0.0008, 0.25
"""Limits of a card's area, as a share of the picture."""
FILLED = 0.93
"""A card fills this share of its quadrilateral: only the round corners are missing."""
ASPECT = 0.16
"""Tolerance of a card's aspect ratio, as a share: the camera is tilted."""
ALIKE = 1.6
"""The greatest ratio of the areas of two cards in one picture."""
LEANING_ASPECT, LEANING_ALIKE = 0.45, 3.0
"""ASPECT and ALIKE for a camera that leans by up to 50 degrees: a card may look square."""
FITS_MM = 2.5
"""A corner further from its place on the plane is not a card's."""
GAPS = (0.01, 0.03)
"""Gaps between pieces of a card that are closed, as shares of the picture's longer side."""
REACH = 0.05
"""How far an outline's side may be off, in widths of the card."""
SAMPLES = 48
STEEP = 0.06
"""The least fall of an edge of a card over two pixels, as a share of the brightest level near
it."""
SIDE = (0.12, 0.88)
"""The part of a side that its line is fitted to; round corners bend the rest."""


def card_outlines(
    picture: Image,
    size_mm: tuple[float, float],
    empty: Image | None = None,
    *,
    leaning: bool = False,
) -> list[Quad]:
    """Outlines of separate cards in pixels, each from an upper left corner on.

    ``leaning``: the camera may lean far, so cards may look square and differ in size. Then other
    things have a card's shape as well.
    """
    found, factor = _all_outlines(picture, size_mm, empty, _aspect(leaning))
    alike = LEANING_ALIKE if leaning else ALIKE
    return [(quad + 0.5) * factor - 0.5 for quad in _of_one_size(distinct(found), alike)]


def _aspect(leaning: bool) -> float:
    return LEANING_ASPECT if leaning else ASPECT


def whole_outlines(picture: Image, size_mm: tuple[float, float]) -> list[Quad]:
    """Outlines that lie inside no other and are not much smaller than the largest.

    They serve for backs, whose printed frame and pattern have a card's shape as well.
    """
    found, factor = _all_outlines(picture, size_mm, None)
    found.sort(key=_area, reverse=True)
    kept: list[Quad] = []
    for quad in found:
        if _area(quad) < _area(found[0]) / ALIKE:
            break
        x, y = (float(part) for part in quad.mean(axis=0))
        if all(cv2.pointPolygonTest(other.astype(np.float32), (x, y), measureDist=False) < 0
               for other in kept):  # fmt: skip
            kept.append(quad)
    return [(quad + 0.5) * factor - 0.5 for quad in kept]


def _all_outlines(
    picture: Image, size_mm: tuple[float, float], empty: Image | None, aspect: float = ASPECT
) -> tuple[list[Quad], float]:
    """All outlines of a card's shape in a reduced picture, and the factor of the reduction."""
    factor = max(1.0, max(picture.shape[:2]) / WORKED_AT)
    small = _reduced(picture, factor)
    found: list[Quad] = []
    for mask in _masks(small, None if empty is None else _reduced(empty, factor)):
        for outline in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
            quad = _quad(np.asarray(outline, np.int32), mask.size, size_mm, aspect)
            if quad is not None:
                found.append(quad)
    return found, factor


def lone_outlines(
    picture: Image, size_mm: tuple[float, float], empty: Image, *, leaning: bool = False
) -> list[Quad]:
    """Rough outlines of single cards on a cloth that has their paper's colour in places.

    In such places no change is seen, and pieces of a card are missing, so its outline is the convex
    hull of the rest. Other things give outlines too; the caller tells them apart by the deck.
    """
    factor = max(1.0, max(picture.shape[:2]) / WORKED_AT)
    mask = changed(_reduced(picture, factor), _reduced(empty, factor), 1 / factor)
    found = []
    for share in GAPS:
        side = 2 * round(share * max(mask.shape) / 2) + 1
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
        for outline in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            if SMALLEST * mask.size <= cv2.contourArea(outline) <= LARGEST * mask.size:
                box = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), np.float64)
                found.append(exact(picture, (_upright(box) + 0.5) * factor - 0.5))
    return [quad for quad in found if _of_aspect(quad, size_mm, _aspect(leaning))]


def exact(picture: Image, quad: Quad) -> Quad:
    """Refine an outline to a part of a pixel: each side moves to the steepest edge near it.

    The outline was found in a reduced picture, or by a threshold that depends on the light. A side
    without an edge near it stays.
    """
    reach = max(3.0, REACH * _length(quad, 0))
    lines = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        lines.append(_edge(picture, start, end, reach) or (end - start, start))
    met = _met(lines)
    return quad if met is None else met


def _edge(picture: Image, start: Quad, end: Quad, reach: float) -> tuple[Quad, Quad] | None:
    """The line of the steepest edge near a side: its direction and a point on it."""
    way = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    out = np.array([way[1], -way[0]])
    steps = np.arange(-reach, reach + 0.5, 0.5)
    along = np.linspace(*SIDE, SAMPLES)[:, None]
    points = start + along * (end - start)
    spots = (points[:, None] + steps[:, None] * out).astype(np.float32)
    rows = cv2.remap(picture, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REPLICATE).astype(np.float32).max(axis=2)  # fmt: skip
    # Paper is inside, and brighter than nearly everything it lies on. The frame of the art is no
    # such edge, because it has paper on both sides.
    fall = cv2.GaussianBlur(rows[:, :-4] - rows[:, 4:], (0, 0), 1.0)
    best = fall.argmax(axis=1)
    strong = fall[np.arange(len(best)), best] > STEEP * rows.max(axis=1)
    if strong.sum() < SAMPLES / 2:
        return None
    found = points + (steps[2:-2][best])[:, None] * out
    line = cv2.fitLine(found[strong].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    fitted = line[:2].astype(np.float64)
    return fitted * np.sign(fitted @ way), line[2:].astype(np.float64)


def plane_of(
    size: tuple[int, int], quads: Sequence[Quad], size_mm: tuple[float, float]
) -> tuple[Plane, list[Quad]] | None:
    """The plane that most outlines agree with, and these outlines; None if there is none."""
    kept = list(quads)
    while kept:
        plane, _ = fit_plane(size, kept, size_mm)
        off = [lying(quad, plane, size_mm)[1] for quad in kept]
        if max(off) <= FITS_MM:
            return plane, kept
        kept.pop(int(np.argmax(off)))
    return None


def _masks(small: Image, empty: Image | None) -> Iterator[Mask]:
    """Masks of where cards may be, by several thresholds: no single one suits all tables."""
    if empty is not None:
        yield changed(small, empty, max(small.shape[:2]) / WORKED_AT)
    soft = cv2.GaussianBlur(small, (0, 0), 1.0)
    bright = brightest(soft)
    plain = cv2.subtract(np.full_like(bright, 255), cv2.subtract(bright, soft.min(axis=2)))
    paper = cv2.min(bright, plain)
    for channel in (bright, paper):
        level, mask = cv2.threshold(channel, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        yield np.asarray(mask, np.uint8)
        yield np.asarray(channel > (level + 255) / 2, np.uint8)
        block = 2 * (max(small.shape[:2]) // 12) + 1
        yield np.asarray(
            cv2.adaptiveThreshold(
                channel, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -8
            ),
            np.uint8,
        )
    edges = np.zeros(bright.shape, np.uint8)
    for channel in cv2.split(soft):
        edges |= np.asarray(cv2.Canny(channel, 30, 90), np.uint8)
    yield np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)) == 0, np.uint8)


def _quad(
    outline: npt.NDArray[np.int32], pixels: int, size_mm: tuple[float, float], aspect: float
) -> Quad | None:
    """The quadrilateral of an outline with a card's shape, clockwise, a short side first."""
    area = cv2.contourArea(outline)
    if not SMALLEST * pixels <= area <= LARGEST * pixels:
        return None
    hull = cv2.convexHull(outline)
    if len(hull) < 4 or area < FILLED * cv2.contourArea(hull):
        return None
    rough = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64).reshape(-1, 2)
    if len(rough) != 4:
        return None
    sides = _sides(rough, outline.reshape(-1, 2).astype(np.float64))
    if sides is None or area < FILLED * abs(cv2.contourArea(sides.astype(np.float32))):
        return None
    quad = _upright(sides)
    return quad if _of_aspect(quad, size_mm, aspect) else None


def _of_aspect(quad: Quad, size_mm: tuple[float, float], tolerance: float) -> bool:
    """Whether an outline has about a card's aspect ratio."""
    width = _length(quad, 0) + _length(quad, 2)
    height = _length(quad, 1) + _length(quad, 3)
    return abs(width / height / (size_mm[0] / size_mm[1]) - 1) < tolerance


def _sides(rough: Quad, points: Quad) -> Quad | None:
    """The corners, as crossings of lines fitted to the points of each side."""
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        length = float(np.linalg.norm(end - start))
        way = (end - start) / max(length, 1e-9)
        along = (points - start) @ way / max(length, 1e-9)
        off = np.abs((points - start) @ np.array([-way[1], way[0]]))
        near = points[(along > SIDE[0]) & (along < SIDE[1]) & (off < 0.04 * length + 2)]
        if len(near) < 8:
            return None
        line = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((line[:2].astype(np.float64), line[2:].astype(np.float64)))
    return _met(lines)


def _met(lines: list[tuple[Quad, Quad]]) -> Quad | None:
    """Where each line (a direction and a point) crosses the one before."""
    found = []
    for (way, through), (other, beside) in zip(lines[-1:] + lines[:-1], lines, strict=True):
        way, other = way / np.linalg.norm(way), other / np.linalg.norm(other)
        cross = way[0] * other[1] - way[1] * other[0]
        if abs(cross) < 0.2:
            return None
        gap = beside - through
        found.append(through + way * (gap[0] * other[1] - gap[1] * other[0]) / cross)
    return np.array(found)


def _upright(quad: Quad) -> Quad:
    """Clockwise, with a short side first."""
    x, y = quad[:, 0], quad[:, 1]
    if float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0:
        quad = quad[::-1]
    if _length(quad, 0) + _length(quad, 2) > _length(quad, 1) + _length(quad, 3):
        quad = np.roll(quad, -1, axis=0)
    return quad


def _length(quad: Quad, side: int) -> float:
    return float(np.linalg.norm(quad[(side + 1) % 4] - quad[side]))


def distinct(quads: Sequence[Quad]) -> list[Quad]:
    """The outlines without duplicates; of those in one place the first is kept."""
    kept: list[Quad] = []
    for quad in quads:
        if not any(_same(quad, other) for other in kept):
            kept.append(quad)
    return kept


def _same(one: Quad, other: Quad) -> bool:
    return float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))) < 0.25 * _length(one, 0)


def _of_one_size(quads: list[Quad], alike: float) -> list[Quad]:
    """The largest group of about equal area: pips and tiles differ from cards in size."""
    areas = np.array([_area(quad) for quad in quads])
    best: list[Quad] = []
    for area in areas:
        near = (areas < alike * area) & (areas > area / alike)
        if near.sum() > len(best):
            best = [quad for quad, close in zip(quads, near, strict=True) if close]
    return best


def _of_most_area(quads: list[Quad]) -> list[Quad]:
    """The group of about equal area that covers most: there may be more pips than cards."""
    areas = np.array([_area(quad) for quad in quads])
    best: list[Quad] = []
    most = 0.0
    for area in areas:
        near = (areas < ALIKE * area) & (areas > area / ALIKE)
        group = [quad for quad, close in zip(quads, near, strict=True) if close]
        covered = sum(_area(quad) for quad in distinct(group))
        if covered > most:
            best, most = group, covered
    return best


def _area(quad: Quad) -> float:
    return abs(cv2.contourArea(quad.astype(np.float32)))


def _reduced(picture: Image, factor: float) -> Image:
    if factor == 1:
        return picture
    size = (round(picture.shape[1] / factor), round(picture.shape[0] / factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


# ---- Cards of an unknown deck, laid in rows: found by their paper rims, and put in order --------


MOST_POSES = 400
ROUNDS = 3
"""Rounds of fitting: the plane of a few cards is good near them, and cards found there extend
it."""
LEAST_CARDS = 3
"""The least number of cards to learn the shape from: a single outline may be another thing's."""
EDGED = 0.55
ROW_MM = 0.6
"""The greatest distance between the middles of one row's cards across the row, in card heights."""


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards of a picture, and outlines of a card's shape and size without a rim of paper.

    Corners go from the upper left one on.
    """

    cards: tuple[Quad, ...]
    refused: tuple[Quad, ...]


def laid_cards(picture: Image, size_mm: tuple[float, float]) -> LaidCards:
    """The cards of a picture that lie apart, in whatever order."""
    found, factor = _all_outlines(picture, size_mm, None)
    # A card's printed frame has a card's shape as well, so the larger outline is tried first.
    exactly = sorted((exact(picture, (quad + 0.5) * factor - 0.5) for quad in found), key=_area)
    outlines = _of_most_area(exactly[::-1])
    rimmed = [quad for quad in outlines if rim_unevenness(picture, quad) < EVEN]
    cards = distinct(rimmed)
    outlines = distinct([*cards, *outlines])
    high, wide = picture.shape[:2]
    agreed = plane_of((wide, high), cards, size_mm)
    if agreed is None:
        return LaidCards((), tuple(_upright_row(quad) for quad in outlines))
    plane, cards = agreed
    for _ in range(ROUNDS):
        more = _completed(picture, plane, cards, size_mm)
        again = plane_of((wide, high), [exact(picture, quad) for quad in more], size_mm)
        if again is None or len(again[1]) <= len(cards):
            break
        plane, cards = again
    cards = [exact(picture, quad) for quad in cards]
    others = distinct([*cards, *outlines])[len(cards) :]
    refused = [quad for quad in others if lying(quad, plane, size_mm)[1] < FITS_MM]
    return LaidCards(tuple(map(_upright_row, cards)), tuple(map(_upright_row, refused)))


def learned_aspect(picture: Image, size_mm: tuple[float, float]) -> float | None:
    """The width of a picture's cards by their height, as the median; None for fewer than three.

    ``size_mm``: about their size. A camera that leans by 15 degrees shows it wrong by 3%.
    """
    outlines = [exact(picture, quad) for quad in card_outlines(picture, size_mm)]
    cards = [quad for quad in outlines if rim_unevenness(picture, quad) < EVEN]
    if len(cards) < LEAST_CARDS:
        return None
    sides = np.array([[_length(quad, side) for side in range(4)] for quad in cards])
    return float(np.median((sides[:, 0] + sides[:, 2]) / (sides[:, 1] + sides[:, 3])))


def card_rows(picture: Image, size_mm: tuple[float, float]) -> list[list[Quad]]:
    """The cards of a picture: rows from the top, each from the left, corners from the upper left.

    Cards must lie apart, upright or upside down, in rows about parallel to the longer side.
    """
    return in_rows(laid_cards(picture, size_mm).cards)


def _completed(
    picture: Image, plane: Plane, cards: Sequence[Quad], size_mm: tuple[float, float]
) -> list[Quad]:
    """The cards, and further ones that their known size helps to find on a patterned cloth."""
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


def _upright_row(quad: Quad) -> Quad:
    """The corners from the one that is upper left in the picture."""
    tops = [float(np.roll(quad, -turn, axis=0)[:2, 1].mean()) for turn in (0, 2)]
    return quad if tops[0] <= tops[1] else np.roll(quad, -2, axis=0)


def in_rows(quads: Sequence[Quad]) -> list[list[Quad]]:
    """The cards grouped into rows, by their positions across the rows' main direction."""
    if not quads:
        return []
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
