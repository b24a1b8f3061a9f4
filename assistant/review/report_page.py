"""The report of the match that is being played, as a page and as a PDF."""

from __future__ import annotations

import threading
from typing import Protocol

from flask import Blueprint, Response, render_template
from markupsafe import Markup

from assistant.page import BoardError
from assistant.page.app import feature_pages
from assistant.page.house import House
from assistant.review.mus_report import Telling, spoken
from assistant.review.report import report
from assistant.rules.errors import HistoryError, MusError
from assistant.table.runner import Runner

# ---- The report of the running table, counted once for each moment that somebody asks -----------


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


# ---- The report of the match that is being played, as a page and as a PDF -----------------------


class Reports(Protocol):
    """Who tells the evening. Every method may be called from any thread."""

    def page(self) -> tuple[str, str] | None:
        """The title and the inside of the page, as HTML that is safe; None before the first deal.

        Raises BoardError.
        """

    def pdf(self) -> bytes | None:
        """The same on paper; None before the first deal. Raises BoardError."""


def report_pages(reports: Reports) -> Blueprint:
    """Make the page and the paper."""
    pages = feature_pages("report", menu="reports")

    @pages.get("/report")
    def report() -> str:
        title, inside = reports.page() or ("", "")
        # The report escapes every text of its own.
        return render_template("report.html", title=title, inside=Markup(inside))

    @pages.get("/report.pdf")
    def report_pdf() -> Response:
        paper = reports.pdf()
        if paper is None:
            return Response(status=404)
        answer = Response(paper, mimetype="application/pdf")
        answer.headers["Content-Disposition"] = "inline; filename=mus.pdf"
        return answer

    return pages


def install(house: House) -> None:
    """Let the page of a house tell the match player by player."""
    house.show(report_pages(LiveReport(house.runner)))
