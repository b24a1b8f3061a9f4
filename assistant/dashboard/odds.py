"""The odds of any hand: a page that counts by a table made beforehand, with no network, too."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, render_template, send_file


def add_odds(app: Flask, table: Path) -> None:
    """Add the page and its ``table``, see ``scripts/tabulate_odds.py``."""

    @app.get("/odds")
    def odds() -> str:
        return render_template("odds.html")

    @app.get("/odds.json")
    def odds_table() -> Response:
        return send_file(table.resolve(), mimetype="application/json")
