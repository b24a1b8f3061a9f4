"""Calibrating on the page: first the empty table, then one with a card before each player."""

from __future__ import annotations

import time
from collections.abc import Callable

from assistant.app.calibrate import calibrated
from assistant.app.errors import UsageError
from assistant.dashboard import ZoneError
from assistant.vision.calibration import Calibration
from assistant.vision.find import Finder
from assistant.vision.images import Image
from assistant.vision.still import FRAMES

PATIENCE = 4.0
"""Seconds that the hand which has tapped may take to leave the picture."""
POLL = 0.1


class Lesson:
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
