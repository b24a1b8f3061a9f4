"""Calibration: how one camera sees one table (zones, plane, empty table), from mats or cards."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.find import Finder
from assistant.eye.images import Image, VisionError, flipped, read_image
from assistant.eye.match import Quad
from assistant.eye.other_deck import OtherDeck, other_deck
from assistant.eye.plane import Plane, Points, fit_plane
from assistant.eye.view import EmptyTable
from assistant.files.paths import own_data_dir
from assistant.files.process import UsageError
from assistant.messages.documents import parse_toml
from assistant.rules.cards import HAND_SIZE
from assistant.rules.errors import Translatable


class OtherDeckError(UsageError):
    """The cards that were laid out for a calibration are not those of the deck."""

    def __init__(self, other: OtherDeck) -> None:
        super().__init__(str(other))
        self.other = other


class CalibrationError(VisionError):
    """A table's calibration that does not fit its pictures, or is not as its file says."""


# ---- The calibration and its folder -------------------------------------------------------------
# It is kept in a folder: ``table.toml``, which a person may edit, and ``empty.png``. Each part is
# optional: without zones, each card belongs to the side of the picture that is nearest to it.


FILE, EMPTY = "table.toml", "empty.png"
MAX_FILE = 20_000
MAX_SEATS = 6
NUMBERS = 6
"""How many numbers describe a plane: see ``plane.Plane``."""
LEAST_ZONE = 0.002
"""The least area of a zone, as a share of the picture: a smaller one was tapped by mistake."""


class PictureSide(StrEnum):
    """A side of the camera's picture, anticlockwise as the players sit."""

    BELOW = "below"
    RIGHT = "right"
    ABOVE = "above"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Calibration:
    """A table as one camera sees it.

    size    width and height of the picture, in pixels
    zones   seat -> the corners of the area where its cards lie, in pixels
    plane   how millimetres become pixels, or None if it is not known yet
    empty   the table without cards, or None
    mirrored  whether the camera shows a mirror image; all else is of the picture turned back
    first   without zones: the side of the picture at which seat 1 sits
    """

    size: tuple[int, int]
    zones: Mapping[int, Quad] = field(default_factory=dict)
    plane: Plane | None = None
    empty: EmptyTable | None = None
    mirrored: bool = False
    first: PictureSide = PictureSide.BELOW

    def seat_of(self, point: Points, seats: int = 4) -> int | None:
        """The seat in whose zone a point of the picture lies; None if in none."""
        if not self.zones:
            return _nearest_side(point, self.size, seats, self.first)
        x, y = (float(part) for part in point)
        inside = [
            seat
            for seat, zone in self.zones.items()
            if cv2.pointPolygonTest(zone.astype(np.float32), (x, y), measureDist=False) >= 0
        ]
        return inside[0] if len(inside) == 1 else None


def _nearest_side(point: Points, size: tuple[int, int], seats: int, first: PictureSide) -> int:
    """The seat by the angle of a point: seat 1 at side ``first``, the others anticlockwise."""
    right, down = (point - np.array(size) / 2) / np.array(size)
    angle = float(np.degrees(np.arctan2(right, down)))  # 0 is below, 90 to the right
    turned = (angle - 90 * tuple(PictureSide).index(first)) % 360
    return round(turned / (360 / seats)) % seats + 1


def table_dir() -> Path:
    """The folder of this machine's calibration (XDG); it need not exist."""
    return own_data_dir() / "table"


def save_calibration(folder: Path, calibration: Calibration) -> None:
    """Write a table's folder. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    if calibration.empty is not None:
        _, data = cv2.imencode(".png", calibration.empty.picture)
        _write(folder / EMPTY, data.tobytes())
    _write(folder / FILE, _text(calibration).encode())


def _write(file: Path, data: bytes) -> None:
    """Atomic write: a table may lose its power at any time."""
    partly = file.with_name(file.name + ".part")
    partly.write_bytes(data)
    partly.replace(file)


def _text(calibration: Calibration) -> str:
    lines = ["# A table as one camera sees it, in pixels of its picture.",
             f"picture = [{calibration.size[0]}, {calibration.size[1]}]"]  # fmt: skip
    if calibration.mirrored:
        lines += ["", "# The camera shows a mirror image, which is turned back.", "mirrored = true"]
    if calibration.first is not PictureSide.BELOW:
        lines += ["", "# Without zones: the side of the picture at which seat 1 sits.",
                  f'first = "{calibration.first}"']  # fmt: skip
    if calibration.plane:
        numbers = ", ".join(f"{number:.9g}" for number in calibration.plane.numbers())
        lines += ["", "# What the cards told of how the camera hangs.", f"plane = [{numbers}]"]
    for seat, zone in sorted(calibration.zones.items()):
        corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in zone)
        lines += ["", "[[zone]]", f"seat = {seat}", f"corners = [{corners}]"]
    return "\n".join(lines) + "\n"


def load_calibration(path: Path) -> Calibration:
    """Read a table's folder, or its file. Raises CalibrationError or ImageError."""
    file = path / FILE if path.is_dir() else path
    table = _toml(file)
    size = _size(file, table.get("picture"))
    zones = _zones(file, table.get("zone", []), size)
    plane = _plane(file, table.get("plane"), size)
    mirrored = table.get("mirrored", False)
    if not isinstance(mirrored, bool):
        raise CalibrationError("{file}: mirrored is true or false.", file=file)
    first = table.get("first", PictureSide.BELOW)
    if first not in tuple(PictureSide):
        raise CalibrationError(
            "{file}: first is one of {known}.", file=file, known=", ".join(PictureSide)
        )
    first = PictureSide(first)
    picture = file.parent / EMPTY
    if not picture.is_file():
        return Calibration(size, zones, plane, None, mirrored, first)
    empty = read_image(picture)
    if (empty.shape[1], empty.shape[0]) != size:
        raise CalibrationError(
            "{picture} is {wide} x {high} pixels and {name} says {width} x {height}: "
            "calibrate the table again.",
            picture=picture,
            wide=empty.shape[1],
            high=empty.shape[0],
            name=file.name,
            width=size[0],
            height=size[1],
        )
    return Calibration(size, zones, plane, EmptyTable(empty), mirrored, first)


def _toml(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            return parse_toml(opened.read(MAX_FILE).decode("utf-8"))
    except OSError as error:
        raise CalibrationError(
            "{file} cannot be read: {why}.", file=file, why=error.strerror
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CalibrationError("{file} is no TOML: {error}.", file=file, error=error) from error


def _size(file: Path, told: object) -> tuple[int, int]:
    if isinstance(told, list) and len(told) == 2:
        sides = [side for side in told if type(side) is int and 16 <= side <= 20_000]
        if len(sides) == 2:
            return sides[0], sides[1]
    raise CalibrationError(
        "{file}: write picture = [1920, 1080], its width and height in pixels.", file=file
    )


def _plane(file: Path, told: object, size: tuple[int, int]) -> Plane | None:
    if told is None:
        return None
    if isinstance(told, list) and len(told) == NUMBERS:
        numbers = [float(number) for number in told if type(number) in (int, float)]
        if len(numbers) == NUMBERS and np.isfinite(numbers).all() and abs(numbers[0]) < 5:
            return Plane.of(size, numbers)
    raise CalibrationError(
        "{file}: plane takes {numbers} numbers; calibrate the table again.",
        file=file,
        numbers=NUMBERS,
    )


def _zones(file: Path, told: object, size: tuple[int, int]) -> dict[int, Quad]:
    if not isinstance(told, list):
        raise CalibrationError("{file}: write each seat's zone as [[zone]].", file=file)
    zones: dict[int, Quad] = {}
    for row in told:
        seat, corners = (row.get("seat"), row.get("corners")) if isinstance(row, dict) else (0, 0)
        if type(seat) is not int or not 1 <= seat <= MAX_SEATS or seat in zones:
            raise CalibrationError(
                "{file}: each zone has a seat of its own, 1 to {most}.", file=file, most=MAX_SEATS
            )
        zones[seat] = checked_zone(
            Translatable("{file}: the zone of seat {seat}", file=file, seat=seat), corners, size
        )
    return zones


def checked_zone(what: str, corners: object, size: tuple[int, int]) -> Quad:
    """Four corners that make a zone of a picture. Raises CalibrationError."""
    try:
        zone = np.array(corners, np.float64)
    except (TypeError, ValueError):
        zone = np.zeros(0)
    if zone.shape != (4, 2) or not np.isfinite(zone).all():
        raise CalibrationError(
            "{what} needs four corners: [[x, y], [x, y], [x, y], [x, y]].", what=what
        )
    if (zone < 0).any() or (zone > np.array(size)).any():
        raise CalibrationError(
            "{what} lies partly outside the picture of {width} x {height} pixels.",
            what=what,
            width=size[0],
            height=size[1],
        )
    ring = zone.astype(np.float32)
    if abs(cv2.contourArea(ring)) < LEAST_ZONE * size[0] * size[1] or not _simple(zone):
        raise CalibrationError(
            "{what} is crossed or too small: tap its corners in turn.", what=what
        )
    return np.asarray(zone, np.float64)


def _simple(zone: Quad) -> bool:
    """Whether no two sides of a quadrilateral cross, by the directions of its turns."""
    sides = np.roll(zone, -1, axis=0) - zone
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    # A zone may be concave at one corner; with two left and two right turns it crosses itself.
    return bool((turns > 0).sum() in (0, 1, 3, 4))


# ---- Printed mats: a sheet before each seat, whose four marks give the zone and the plane -------
# ``scripts/print_mat.py`` draws them from the constants here. A mark is an ArUco marker of the 4 x
# 4 dictionary. Seat 1 has the marks 0 to 3, clockwise from its mat's upper left; seat 2 has 4 to 7.


DICTIONARY = cv2.aruco.DICT_4X4_50
MARKS = 4
"""How many marks a mat has."""
MARK_MM = 22.0
"""The side of a mark, including its black border."""
SHEET_MM = (297.0, 210.0)
"""A4, landscape."""
ZONE_MM = (259.0, 172.0)
"""Distances between the middles of neighbouring marks: four cards fit between them."""
MOST_SEATS = 6


@dataclass(frozen=True, slots=True)
class Mats:
    """The mats found in a picture.

    ``zones``: of each seat whose four marks are seen; ``plane``: of the table; ``partly``: seats
    with only some of their marks seen.
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
    """A mark as a picture of ``side`` pixels a side."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side), np.uint8)


def _marks(seat: int) -> range:
    return range(MARKS * (seat - 1), MARKS * seat)


def _exact() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return parameters


def _crossing(square: Quad) -> npt.NDArray[np.float64]:
    """Where a mark's diagonals cross: its middle in any perspective."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = square
    first, second = np.array([cx - ax, cy - ay]), np.array([dx - bx, dy - by])
    cross = first[0] * second[1] - first[1] * second[0]
    gap = np.array([bx - ax, by - ay])
    along = (gap[0] * second[1] - gap[1] * second[0]) / cross
    return np.asarray(np.array([ax, ay]) + first * along, np.float64)


# ---- Calibrating: from a picture of the empty table, and one with a card before each seat -------


FEWEST = 2
"""The least number of cards that shows how the camera is tilted."""


def calibrated(
    finder: Finder, empty: Sequence[Image], laid: Image | None
) -> tuple[Calibration, int]:
    """Calibrate from frames of the empty table and a picture with cards; also count the cards seen.

    Raises UsageError if neither mats nor cards determine the plane, and OtherDeckError where the
    cards are those of another deck.
    """
    bare = EmptyTable.learned(empty)
    high, wide = bare.picture.shape[:2]
    mats = find_mats(bare.picture)
    if not mats.zones and find_mats(flipped(bare.picture)).zones:  # no mark looks like its mirror
        return _unmirrored(finder, bare, laid)
    table = Calibration((wide, high), mats.zones, mats.plane, bare)
    if laid is None:
        if mats.plane is None:
            raise UsageError(
                "No mat is seen: print them with scripts/print_mat.py, or give a picture with one "
                "card before each seat (--cards)."
            )
        return table, 0
    if laid.shape != bare.picture.shape:
        raise UsageError("The two pictures differ in size: take both by the same camera.")
    found = finder.plane(laid, bare)
    if found is None or len(found[1]) < FEWEST:
        if (other := other_deck(laid, finder)) is not None:
            raise OtherDeckError(other)
        raise UsageError(
            "{found} cards are made out, and {wanted} are needed: lay one before each "
            "seat, apart, with light that does not mirror in them.",
            found=len(found[1]) if found else 0,
            wanted=HAND_SIZE,
        )
    if finder.mirrored(laid, found[1]):
        return _unmirrored(finder, bare, laid)
    return replace(table, plane=found[0]), len(found[1])


def _unmirrored(finder: Finder, bare: EmptyTable, laid: Image | None) -> tuple[Calibration, int]:
    """Calibrate a camera that shows a mirror image, by its pictures turned back."""
    turned = None if laid is None else flipped(laid)
    table, seen = calibrated(finder, [flipped(bare.picture)], turned)
    return replace(table, mirrored=True), seen
