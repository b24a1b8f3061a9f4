"""Printed mats: a sheet before each seat whose four marks tell the zone, and how the camera hangs.

``scripts/print_mat.py`` draws them by the numbers here. A mark is an ArUco of the dictionary of
4 x 4 bits; seat 1 has the marks 0 to 3, clockwise from its mat's upper left, seat 2 has 4 to 7.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from assistant.vision.images import Image
from assistant.vision.match import Quad
from assistant.vision.plane import Plane, fit_plane

DICTIONARY = cv2.aruco.DICT_4X4_50
MARKS = 4
"""On a mat."""
MARK_MM = 22.0
"""Side of a mark, with its black border."""
SHEET_MM = (297.0, 210.0)
"""A4, lying."""
ZONE_MM = (259.0, 172.0)
"""From the middle of one mark to those of its neighbours: four cards lie between them."""
MOST_SEATS = 6


@dataclass(frozen=True, slots=True)
class Mats:
    """What the mats in a picture tell.

    ``zones``: of each seat whose four marks are seen; ``plane``: of the table; ``partly``: seats of
    which only some marks are seen.
    """

    zones: dict[int, Quad]
    plane: Plane | None
    partly: tuple[int, ...]


def find_mats(picture: Image) -> Mats:
    """The mats in a picture of the table."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    detector.setDetectorParameters(_exact())
    found, numbers, _ = detector.detectMarkers(picture)
    middles: dict[int, npt.NDArray[np.float64]] = {}
    if numbers is not None:
        for corners, number in zip(found, np.asarray(numbers).ravel(), strict=True):
            middles[int(number)] = _crossing(np.asarray(corners, np.float64).reshape(4, 2))
    seats = sorted({number // MARKS + 1 for number in middles if number < MARKS * MOST_SEATS})
    zones = {seat: np.array([middles[number] for number in _marks(seat)]) for seat in seats
             if all(number in middles for number in _marks(seat))}  # fmt: skip
    high, wide = picture.shape[:2]
    plane = fit_plane((wide, high), list(zones.values()), ZONE_MM)[0] if zones else None
    return Mats(zones, plane, tuple(seat for seat in seats if seat not in zones))


def mark(number: int, side: int) -> npt.NDArray[np.uint8]:
    """A mark as a picture of so many pixels a side."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side), np.uint8)


def _marks(seat: int) -> range:
    return range(MARKS * (seat - 1), MARKS * seat)


def _exact() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return parameters


def _crossing(square: Quad) -> npt.NDArray[np.float64]:
    """Where a mark's diagonals cross: its middle, however the camera leans."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = square
    first, second = np.array([cx - ax, cy - ay]), np.array([dx - bx, dy - by])
    cross = first[0] * second[1] - first[1] * second[0]
    gap = np.array([bx - ax, by - ay])
    along = (gap[0] * second[1] - gap[1] * second[0]) / cross
    return np.asarray(np.array([ax, ay]) + first * along, np.float64)
