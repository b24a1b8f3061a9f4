"""The seats' zones, marked on the page over the picture of the empty table.

The camera's own picture is never served: it would show cards, and hands, before the showdown.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2

from assistant.app.lesson import Lesson
from assistant.dashboard import BoardError, TableView, ZoneError
from assistant.vision.calibration import Calibration, checked_zone, save_calibration
from assistant.vision.errors import CalibrationError
from assistant.vision.match import Quad

QUALITY = 85
"""Of the JPEG: a person looks for where a seat's cards lie."""


class Zones:
    """The calibration of a table that is being played at; called from any thread."""

    def __init__(
        self,
        folder: Path,
        calibration: Calibration | None,
        changed: Callable[[Calibration], None],
        lesson: Lesson | None = None,
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
