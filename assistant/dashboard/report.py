"""The report of the match that is being played, as a page and as a PDF."""

from __future__ import annotations

from typing import Protocol

from flask import Flask, Response, render_template
from markupsafe import Markup


class Reports(Protocol):
    """Who tells the evening. Every method may be called from any thread."""

    def page(self) -> tuple[str, str] | None:
        """The title and the inside of the page, as HTML that is safe; None before the first deal.

        Raises BoardError.
        """

    def pdf(self) -> bytes | None:
        """The same on paper; None before the first deal. Raises BoardError."""


def add_report(app: Flask, reports: Reports) -> None:
    """Add the page and the paper."""

    @app.get("/report")
    def report() -> str:
        title, inside = reports.page() or ("", "")
        # The report escapes every text of its own.
        return render_template("report.html", title=title, inside=Markup(inside))

    @app.get("/report.pdf")
    def report_pdf() -> Response:
        paper = reports.pdf()
        if paper is None:
            return Response(status=404)
        answer = Response(paper, mimetype="application/pdf")
        answer.headers["Content-Disposition"] = "inline; filename=mus.pdf"
        return answer
