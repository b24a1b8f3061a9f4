"""Calibrating on the page: the seats' zones, learnt from the empty table and marked by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2

from assistant.eye.calibration import (
    Calibration,
    CalibrationError,
    calibrated,
    checked_zone,
    save_calibration,
)
from assistant.eye.find import Finder
from assistant.eye.images import Image
from assistant.eye.match import Quad
from assistant.eye.page import TableView, ZoneError
from assistant.eye.view import FRAMES
from assistant.files.process import UsageError
from assistant.page import BoardError
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.state import State

# ---- Calibrating on the page: first the empty table, then one with a card before each player ----


PATIENCE = 4.0
"""Seconds that the hand which has tapped may take to leave the picture."""
POLL = 0.1


class ZoneCalibration:
    """What was seen of the empty table so far; called from any thread, by one at a time."""

    def __init__(
        self,
        sight: Callable[[], list[Image]],
        finder: Callable[[], Finder],
        in_play: Callable[[], bool],
    ) -> None:
        """``sight``: the last pictures in which nothing moved; ``in_play``: whether cards are."""
        self._sight = sight
        self._finder = finder
        self._in_play = in_play
        self._empty: list[Image] = []

    def empty(self) -> None:
        """Learn the table without cards. Raises ZoneError."""
        if self._in_play():
            raise ZoneError("Cards are in play: finish the hand first.", "cards")
        self._empty = self._still()

    def cards(self) -> Calibration:
        """Learn how large cards are all over it, from one before each seat. Raises ZoneError."""
        if not self._empty:
            raise ZoneError("Show the empty table first.", "order")
        try:
            table, _ = calibrated(self._finder(), self._empty, self._still()[-1])
        except UsageError as error:
            raise ZoneError(str(error), "few") from error
        self._empty = []
        return table

    def _still(self) -> list[Image]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if len(seen := self._sight()) == FRAMES:
                return seen
            time.sleep(POLL)
        raise ZoneError("The picture does not stand still: leave the table alone.", "moves")


# ---- The seats' zones, marked on the page over the picture of the empty table -------------------
# The camera's own picture is never served: it would show cards, and hands, before the showdown.


QUALITY = 85
"""Of the JPEG: a person looks for where a seat's cards lie."""


def in_play(state: State) -> bool:
    """Whether somebody holds cards, or they lie on the table to be counted."""
    return state.deal > 0 and state.phase not in AFTER_DEAL


class Zones:
    """The calibration of a table that is being played at; called from any thread."""

    def __init__(
        self,
        folder: Path,
        calibration: Calibration | None,
        changed: Callable[[Calibration], None],
        lesson: ZoneCalibration | None = None,
    ) -> None:
        """``changed`` is told of a new calibration; without a ``lesson`` none is learnt here."""
        self._lesson = lesson
        self._folder = folder
        self._calibration = calibration
        self._changed = changed
        self._lock = threading.Lock()

    def table(self) -> TableView | None:
        """The picture's size and the zones; None before the table was calibrated."""
        known = self._calibration
        if known is None or known.empty is None:
            return None
        zones = {
            str(seat): [[round(float(x), 1), round(float(y), 1)] for x, y in zone]
            for seat, zone in sorted(known.zones.items())
        }
        return {"size": list(known.size), "zones": zones}

    def picture(self) -> bytes | None:
        """The empty table as JPEG."""
        known = self._calibration
        if known is None or known.empty is None:
            return None
        _, data = cv2.imencode(".jpg", known.empty.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return data.tobytes()

    def mark(self, seat: int, corners: list[list[float]] | None) -> TableView:
        """Give a seat its zone, or take it away. Raises ZoneError, BoardError."""
        with self._lock:
            known = self._calibration
            if known is None or known.empty is None:
                raise ZoneError("Calibrate the table first, with mus calibrate.")
            zones = {other: zone for other, zone in known.zones.items() if other != seat}
            if corners is not None:
                zones[seat] = _checked(seat, corners, known)
            self._keep(replace(known, zones=zones))
        table = self.table()
        assert table is not None
        return table

    def learn(self, step: str) -> TableView | None:
        """Calibrate, a step at a time; marked zones stay. Raises ZoneError, BoardError."""
        if self._lesson is None:
            raise ZoneError("Calibrate the table with mus calibrate.")
        with self._lock:
            if step == "empty":
                self._lesson.empty()
                return self.table()
            table, old = self._lesson.cards(), self._calibration
            if old and old.size == table.size:
                table = replace(table, zones={**old.zones, **table.zones})
            self._keep(table)
        return self.table()

    def _keep(self, calibration: Calibration) -> None:
        try:
            save_calibration(self._folder, calibration)
        except OSError as error:
            raise BoardError(f"The calibration could not be kept: {error.strerror}.") from error
        self._calibration = calibration
        self._changed(calibration)


def _checked(seat: int, corners: list[list[float]], known: Calibration) -> Quad:
    try:
        return checked_zone(f"The zone of seat {seat}", corners, known.size)
    except CalibrationError as error:
        raise ZoneError(str(error)) from error
