"""The pages of the eye: the seats' zones, and the decks."""

from __future__ import annotations

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import NotFound

from assistant.page.incoming import (
    MAX_PHOTO,
    body_of,
    deck_name,
    lesson_step,
    photo,
    two_cards,
    zone,
)
from assistant.page.port import Board, Camera, WorkshopPort, ZoneError

JPEG = "image/jpeg"


def add_camera(app: Flask, board: Board, camera: Camera) -> None:
    """Add the page on which zones are marked over the empty table."""

    @app.get("/camera")
    def seen() -> str:
        return render_template("camera.html")

    @app.get("/api/camera")
    def seen_table() -> Response:
        return jsonify(camera.table())

    @app.get("/api/camera/empty.jpg")
    def empty_table() -> Response:
        return _picture(camera.picture(), "The table was not calibrated yet.")

    @app.post("/api/camera/zone")
    def mark_zone() -> Response:
        seat, corners = zone(body_of(request), len(board.snapshot()["seats"]))
        return jsonify(camera.mark(seat, corners))

    @app.post("/api/camera/learn")
    def learn() -> Response:
        return jsonify(camera.learn(lesson_step(body_of(request))))

    @app.errorhandler(ZoneError)
    def no_zone(error: ZoneError) -> tuple[Response, int]:
        return jsonify(error=str(error), code=error.code), 422


def add_workshop(app: Flask, workshop: WorkshopPort) -> None:
    """Add the page on which decks are enrolled from photographs."""

    @app.get("/decks")
    def decks_page() -> str:
        return render_template("decks.html")

    @app.get("/api/decks")
    def decks() -> Response:
        return jsonify(workshop.decks())

    @app.get("/api/decks/new.jpg")
    def new_deck() -> Response:
        return _picture(workshop.overview(), "No card was photographed yet.")

    @app.post("/api/decks/photo")
    def take_photo() -> Response:
        request.max_content_length = MAX_PHOTO
        return jsonify(workshop.photograph(*photo(request)))

    @app.post("/api/decks/swap")
    def swap_cards() -> Response:
        return jsonify(workshop.swap(*two_cards(body_of(request))))

    @app.post("/api/decks/keep")
    def keep_deck() -> Response:
        name, instead = deck_name(body_of(request))
        return jsonify(workshop.keep(name, instead=instead))


def _picture(data: bytes | None, otherwise: str) -> Response:
    if data is None:
        raise NotFound(otherwise)
    return Response(data, mimetype=JPEG)
