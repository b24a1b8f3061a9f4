"""The report of the running table, counted once for each moment that somebody asks."""

from __future__ import annotations

import threading

from assistant.app.report import Telling, spoken
from assistant.app.runner import Runner
from assistant.dashboard import BoardError
from assistant.report import report
from assistant.rules.errors import HistoryError, MusError


class LiveReport:
    """Reads the records of the running table; called from any thread, and changes nothing."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._lock = threading.Lock()
        self._paper: tuple[Telling, bytes] | None = None
        self._told: tuple[tuple[int, float], Telling] | None = None

    def page(self) -> tuple[str, str] | None:
        """The title and the inside of the page; None before the first deal. Raises BoardError."""
        told = self._telling()
        return (told.title, told.inside()) if told else None

    def pdf(self) -> bytes | None:
        """The same on paper; None before the first deal. Raises BoardError."""
        told = self._telling()
        if told is None:
            return None
        with self._lock:
            if self._paper is None or self._paper[0] is not told:
                self._paper = told, told.pdf()
            return self._paper[1]

    def _telling(self) -> Telling | None:
        table = self._runner.table
        if not table.state.deal:
            return None
        records = table.records.copy()
        moment = len(records), records[0].at
        with self._lock:  # it takes a second or two: nobody counts the same twice
            if self._told is None or self._told[0] != moment:
                try:
                    told = Telling.of(report([records]), spoken(table.state.profile.voice))
                except HistoryError:
                    return None
                except MusError as error:
                    raise BoardError(str(error)) from error
                self._told = moment, told
            return self._told[1]
