"""Recalibration of a knocked camera: finds how it moved, by features of the table's ground."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from assistant.eye.calibration import Calibration
from assistant.eye.features import shrunk
from assistant.eye.find import Finder
from assistant.eye.images import Image
from assistant.eye.match import Floats
from assistant.eye.plane import Plane, Points, Pose, fit_points, posed, turned
from assistant.eye.view import EmptyTable

# ---- The ground is the table's own, so it shows how the camera was moved ------------------------
# Features of the empty table (SIFT, Lowe 2004) are found again in the new picture. In a plane they
# are related by a homography, once the lens is straightened. Cards, hands and chairs are outliers.


LOOKED_AT = 1200
"""Pixels of the longer side of the pictures in which features are found."""
MOST_FEATURES, FAINTEST, LONGEST = 6000, 0.001, 20.0
"""The most features of a picture, the least contrast of one, and how much longer than wide it may
be: those of a cloth are faint, and those of wood lie along its grain."""
CLEARLY = 0.85
"""The greatest ratio of the distances of the best match and the second (Lowe's ratio test)."""
OFF_PX = 3.0
"""A feature further from its place after the move is not of the table."""
LEAST_FEATURES, LEAST_SPREAD = 40, 0.1
"""How many features must agree, and over how much of the picture."""
STILL_PX = 2.5
"""A camera whose features are within so many pixels of their old places was not moved."""
TILE, AROUND = 40, 8
"""Side of a piece of the ground, and how far around its place it is looked for, in pixels of the
small pictures. Pieces take a fortieth of the time that features take."""
SMALL, GROUND_BLUR = 960, 6.0
"""Pixels of the longer side of the small pictures, and the blur that is the light on the ground."""
ALIKE = 0.7
"""The least correlation of a piece with what lies in its place now."""
LEAST_STILL = 0.5
"""The share of the pieces that must lie where they did. On each of 20 tables under a camera that
was not moved, 0.78 and more did; on each of eight under one that was knocked, at most 0.02."""
COARSE = 8
"""The warp is smooth: it is computed at one pixel of so many, and interpolated."""
FEWEST_CARDS = 3
"""The least number of separate cards that show how the camera hangs."""


@dataclass(frozen=True, slots=True)
class Move:
    """How a camera was moved: the same points of the ground before and after, in pixels."""

    before: Points
    after: Points

    @property
    def none(self) -> bool:
        """Whether the camera hangs as it did."""
        return float(np.median(np.linalg.norm(self.after - self.before, axis=1))) < STILL_PX


def recalibrated(
    finder: Finder, picture: Image, table: Calibration, *, upset: bool
) -> Iterator[Calibration]:
    """Calibrations by which a picture may be read better than by the table's own, likeliest first.

    ``upset``: whether most of the picture differs from the empty table. A camera that hangs as it
    did is not calibrated again; if most of the picture differs nonetheless, the light has changed,
    and the picture of the empty table is left out. If the ground has no features to recognise it
    by, separate cards tell the plane. ``picture`` and ``table`` are without a mirror image.
    """
    if table.plane is None or table.empty is None:
        return
    if hangs_as_before(table.empty.picture, picture):
        if upset:
            yield replace(table, empty=None)
        return
    move = found_move(table.empty.picture, picture, table.plane)
    if move is None:
        found = finder.plane(picture)
        if found is not None and len(found[1]) >= FEWEST_CARDS:
            yield replace(table, plane=found[0], empty=None)
    elif not move.none:
        yield _moved(move, table, table.plane, table.empty.picture, picture)
    elif upset:
        yield replace(table, empty=None)


def hangs_as_before(before: Image, after: Image) -> bool:
    """Whether pieces of the ground show that the camera hangs as it did.

    False if they do not: the camera was moved, or the ground shows nothing. This cheap test spares
    a table whose cards are hard to read a search for features each time.
    """
    if before.shape != after.shape:
        return False
    then, now = _levelled(before), _levelled(after)
    factor = max(before.shape[:2]) / max(then.shape)
    high, wide = then.shape
    still = [
        _lies_still(then, now, (left, top), STILL_PX / factor)
        for top in range(AROUND, high - TILE - AROUND + 1, TILE)
        for left in range(AROUND, wide - TILE - AROUND + 1, TILE)
    ]
    return sum(still) > LEAST_STILL * len(still)


def _levelled(picture: Image) -> Floats:
    """A small grey picture without the light that lies on the ground."""
    grey = cv2.cvtColor(shrunk(picture, SMALL), cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), GROUND_BLUR), np.float32)


def _lies_still(then: Floats, now: Floats, corner: tuple[int, int], least: float) -> bool:
    """Whether a piece of the ground is most alike where it was: not ``least`` pixels beside it."""
    left, top = corner
    piece = then[top : top + TILE, left : left + TILE]
    field = now[top - AROUND : top + TILE + AROUND, left - AROUND : left + TILE + AROUND]
    _, value, _, at = cv2.minMaxLoc(cv2.matchTemplate(field, piece, cv2.TM_CCOEFF_NORMED))
    return value > ALIKE and float(np.hypot(at[0] - AROUND, at[1] - AROUND)) < least


def found_move(before: Image, after: Image, plane: Plane) -> Move | None:
    """How the camera was moved between two pictures of a table; None if they do not show it.

    ``plane``: of the first picture.
    """
    sift = cv2.SIFT.create(
        nfeatures=MOST_FEATURES, contrastThreshold=FAINTEST, edgeThreshold=LONGEST
    )
    (old, signs), (new, others) = (_described(sift, picture) for picture in (before, after))
    if min(len(old), len(new)) < LEAST_FEATURES:
        return None
    nearest = cv2.BFMatcher(cv2.NORM_L2).knnMatch(signs, others, k=2)
    pairs = [(one.queryIdx, one.trainIdx) for one, second in nearest
             if one.distance < CLEARLY * second.distance]  # fmt: skip
    if len(pairs) < LEAST_FEATURES:
        return None
    mine, theirs = np.array(pairs).T
    old, new = old[mine], new[theirs]
    # Any plane will do: it takes the lens's distortion out, and the rest is a homography.
    flat = [plane.to_mm(points) * plane.per_mm for points in (old, new)]
    _, mask = cv2.findHomography(flat[0], flat[1], cv2.USAC_MAGSAC, OFF_PX)
    agree = np.zeros(len(old), bool) if mask is None else mask.ravel().astype(bool)
    if agree.sum() < LEAST_FEATURES:
        return None
    spread = cv2.contourArea(cv2.convexHull(old[agree].astype(np.float32)))
    if spread < LEAST_SPREAD * before.shape[0] * before.shape[1]:
        return None
    return Move(old[agree], new[agree])


def _described(sift: cv2.SIFT, picture: Image) -> tuple[Points, Floats]:
    """The places of a picture's features in its pixels, and their descriptors."""
    small = shrunk(picture, LOOKED_AT)
    found, signs = sift.detectAndCompute(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), None)
    if not found:
        return np.zeros((0, 2)), np.zeros((0, 128), np.float32)
    factor = picture.shape[1] / small.shape[1]
    places = np.array([point.pt for point in found], np.float64)
    return (places + 0.5) * factor - 0.5, np.asarray(signs, np.float32)


def _moved(
    move: Move, table: Calibration, plane: Plane, bare: Image, picture: Image
) -> Calibration:
    """The calibration after a move: its plane, its zones, and the empty table as it would look."""
    ground = plane.to_mm(move.before)
    grown = _hull(move.after) / max(1.0, _hull(move.before))
    scale = plane.scale + 0.5 * float(np.log(max(grown, 0.1)))
    now, _ = fit_points(table.size, [(move.after, ground)], scale)
    pose, _ = posed(move.after, ground, now)
    zones = {seat: now.to_pixels(_laid(plane.to_mm(zone), pose))
             for seat, zone in table.zones.items()}  # fmt: skip
    wide, high = table.size
    across, down = (np.arange(0, side, COARSE) + (COARSE - 1) / 2 for side in (wide, high))
    mm = now.to_mm(np.stack(np.meshgrid(across, down), axis=-1))
    source = plane.to_pixels((mm - pose[:2]) @ turned(float(pose[2]))).astype(np.float32)
    size = source.shape[1] * COARSE, source.shape[0] * COARSE
    maps = cv2.resize(source, size, interpolation=cv2.INTER_LINEAR)[:high, :wide]
    right, below = np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])
    # The part of the table that the old picture did not show is taken to be empty.
    empty = cv2.remap(bare, right, below, cv2.INTER_LINEAR, picture.copy(), cv2.BORDER_TRANSPARENT)
    return replace(table, plane=now, zones=zones, empty=EmptyTable(np.asarray(empty, np.uint8)))


def _laid(points: Points, pose: Pose) -> Points:
    return points @ turned(float(pose[2])).T + pose[:2]


def _hull(points: Points) -> float:
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))
