"""The time until the hands are told, while the eye watches a film of people who lay cards."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from typing import Any, cast

from assistant.eye.at_table import Eye
from assistant.eye.calibration import Calibration
from assistant.eye.read import Reader, Reading
from assistant.eye.source import Frame
from assistant.eye.watch import Reopening
from assistant.files.resources import load_lexicon
from assistant.messages import Pressed
from assistant.rules import calls as c
from assistant.table.table import Table
from scripts.lab.eyebench import footage, scenes
from scripts.lab.eyebench.footage import PER_SECOND, Moment, Phase
from scripts.lab.eyebench.scenes import Art
from scripts.lab.eyebench.trial import Condition, calibrated
from scripts.lab.rendering.dealing import new_table, take

FRAMES = 30
"""Frames of a film. Cards are laid in half of them, faster than anybody lays them."""
NEVER = 20.0
"""Seconds after which the bench stops waiting."""
TO_SHOWDOWN = (
    c.Cut(),
    *(c.Pass(),) * 8,
    *(c.Declare(seat=seat, holds=False) for seat in (1, 2, 3, 4)),
    *(c.Declare(seat=seat, holds=False) for seat in (1, 2, 3, 4)),
    *(c.Pass(),) * 4,
)


class Film:
    """A camera that shows a film in real time, and then its last frame for ever."""

    lost = None

    def __init__(self, moments: Sequence[Moment]) -> None:
        self._moments = moments
        self._still = [at for at, one in enumerate(moments) if one.phase is Phase.STILL]
        self._shown = -1
        self._over = threading.Event()
        self._start = time.monotonic()

    @property
    def left(self) -> float:
        """The time of the first frame without a hand."""
        return self._start + self._still[0] / PER_SECOND

    def read(self, timeout: float) -> Frame | None:
        """The present frame, or None if the next one does not come in time."""
        due = self._start + (self._shown + 1) / PER_SECOND
        if self._over.wait(min(timeout, max(0.0, due - time.monotonic()))):
            return None
        now = int((time.monotonic() - self._start) * PER_SECOND)
        if now <= self._shown:
            return None
        self._shown = now
        at = now if now < len(self._moments) else self._still[now % len(self._still)]
        return Frame(self._moments[at].picture, self._start + now / PER_SECOND, now)

    def close(self) -> None:
        """End a read that is waiting."""
        self._over.set()


class Timed:
    """A reader that notes when each of its readings began and ended."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._changed = threading.Condition()
        self._readings: list[tuple[float, float]] = []

    def followed(self, *args: Any) -> tuple[Reading, Calibration | None]:
        """Read as the reader does."""
        began = time.monotonic()
        reading = self._reader.followed(*args)
        with self._changed:
            self._readings.append((began, time.monotonic()))
            self._changed.notify()
        return reading

    def ended(self, since: float, within: float) -> float:
        """When the first reading that began after ``since`` ended. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._after(since), within):
                raise TimeoutError("The eye did not read a table that lay still.")
            return self._after(since)[0]

    def _after(self, since: float) -> list[float]:
        return [ended for began, ended in self._readings if began >= since]


def answered(condition: Condition, art: Art, reader: Reader, seed: int) -> float:
    """Seconds from the last hand's leaving to the reading of an eye that watches. TimeoutError."""
    scene = scenes.dealt(seed, condition.way, condition.lit, condition.card_pixels, condition.size)
    calibration = calibrated(scene, art, reader, seed)
    moments = list(footage.frames(scene, art, FRAMES, random.Random(f"film {seed}")))
    timed, film = Timed(reader), Film(moments)
    eye = Eye(cast(Reopening, film), cast(Reader, timed), calibration, lambda _message: None)
    eye.look_for(_at_showdown())
    eye.start()
    try:
        return timed.ended(film.left, NEVER) - film.left
    finally:
        eye.close()


def _at_showdown() -> Table:
    """A table that waits for the cards of all four players."""
    table = new_table(load_lexicon())
    for call in TO_SHOWDOWN:
        take(table, Pressed(call, table.seq))
    return table
