"""The page that looks back: the deals of the match, and the table at each step of one."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, jsonify, render_template
from werkzeug.exceptions import NotFound

from assistant.dashboard.port import History


def add_history(app: Flask, history: History, there: Mapping[str, bool]) -> None:
    """Add the page and what it asks for. ``there``: other pages."""

    @app.get("/history")
    def look_back() -> str:
        return render_template("history.html", **there)

    @app.get("/showdown")
    def counted() -> str:
        return render_template("showdown.html")

    @app.get("/api/history")
    def deals() -> Response:
        return jsonify(deals=history.deals())

    @app.get("/api/history/<int:deal>")
    def told(deal: int) -> Response:
        found = history.deal(deal)
        if found is None:
            raise NotFound("There is no such deal in this match.")
        return jsonify(found)

    @app.get("/api/history/<int:deal>/cards.jpg")
    def picture(deal: int) -> Response:
        data = history.picture(deal)
        if data is None:
            raise NotFound("No camera saw the cards of this deal.")
        return Response(data, mimetype="image/jpeg")

    @app.get("/history/<any(score, lances):of>.svg")
    def drawn_match(of: str) -> Response:
        return _drawn(history.drawing(of, 0))

    @app.get("/history/deal-<int:deal>.svg")
    def drawn_deal(deal: int) -> Response:
        return _drawn(history.drawing("deal", deal))

    @app.get("/api/replay/<int:seq>")
    def replay(seq: int) -> Response:
        found = history.at(seq)
        if found is None:
            raise NotFound("There is no such step in this match.")
        return jsonify(found)


def _drawn(svg: str | None) -> Response:
    if svg is None:
        raise NotFound("There is no such deal in this match.")
    return Response(svg, mimetype="image/svg+xml")
