"""The pages of set-up and of the odds of any hand."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, jsonify, render_template, request, send_file
from werkzeug.exceptions import Forbidden

from assistant.page.door import MAY_TOUCH
from assistant.page.incoming import body_of, camera_name, changes, voice_step, voice_trial
from assistant.page.port import SetupError, SetupPort, Voices, VoicesView

# ---- The odds of any hand: a page that counts by a table made beforehand, with no network, too


def add_odds(app: Flask, table: Path) -> None:
    """Add the page and its ``table``, see ``scripts/lab/tabulate_odds.py``."""

    @app.get("/odds")
    def odds() -> str:
        return render_template("odds.html")

    @app.get("/odds.json")
    def odds_table() -> Response:
        return send_file(table.resolve(), mimetype="application/json")


# ---- The page on which a table is set up: who plays, and what it hears, sees and speaks with ----


def add_setup(app: Flask, setup: SetupPort, voices: Voices | None) -> None:
    """Add the page and what it asks for; without ``voices`` none can be learnt."""

    @app.get("/setup")
    def setup_page() -> str:
        return render_template("setup.html", learns=voices is not None)

    @app.get("/api/setup")
    def view() -> Response:
        _check_told(app)
        return jsonify(setup.view())

    @app.get("/api/setup/checks")
    def checks() -> Response:
        _check_told(app)
        return jsonify(checks=setup.checks())

    @app.get("/api/setup/trial")
    def trial() -> Response:
        _check_told(app)
        return jsonify(setup.trial())

    @app.post("/api/setup")
    def change() -> Response:
        values, start = changes(body_of(request))
        return jsonify(anew=setup.change(values, start))

    @app.post("/api/setup/listen")
    def listen() -> Response:
        body_of(request)
        return jsonify(setup.listen())

    @app.post("/api/setup/speak")
    def speak() -> Response:
        setup.speak(*voice_trial(body_of(request)))
        return jsonify(spoken=True)

    @app.post("/api/setup/look")
    def look() -> Response:
        return Response(setup.look(camera_name(body_of(request))), mimetype="image/jpeg")

    @app.errorhandler(SetupError)
    def wrong(error: SetupError) -> tuple[Response, int]:
        return jsonify(error=str(error), code=error.code), 422

    if voices:
        _add_voices(app, voices)


def _check_told(app: Flask) -> None:
    """Raise Forbidden for whoever only looks on: how a table is set is not for him to see."""
    if not app.extensions[MAY_TOUCH]():
        raise Forbidden("Tell the table's PIN first: it stands on the table's own screen.")


def _add_voices(app: Flask, voices: Voices) -> None:
    @app.get("/api/setup/voices")
    def known_voices() -> Response:
        _check_told(app)
        return jsonify(voices.view())

    @app.post("/api/setup/voices")
    def learn_voice() -> Response:
        return jsonify(_done(voices, *voice_step(body_of(request))))


def _done(voices: Voices, step: str, name: str, language: str) -> VoicesView:
    match step:
        case "begin":
            return voices.begin(name, language)
        case "forget":
            return voices.forget(name)
        case "skip":
            return voices.skip()
        case "stop":
            return voices.stop()
        case _:
            return voices.fit()
