"""The page on which a table is set up: who plays, and what it hears, sees and speaks with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypedDict

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug import Response as WerkzeugResponse

from assistant.page import SetupError
from assistant.page.app import feature_pages, is_front_door, menu
from assistant.page.door import check_may_touch
from assistant.page.incoming import body_of, camera_name, changes, voice_trial

# ---- What the page asks for ----------------------------------------------------------------------


class SetupChoiceView(TypedDict):
    """House rules to choose: the name, what people call them, and where they come from."""

    name: str
    title: str
    explains: str


class SetupView(TypedDict):
    """What is set at this table, and what could be.

    opening   rises each time that the table is opened anew; fault: why the last change was not
              taken, and all is as before
    fresh     nothing was ever set here; untouched: nobody has said anything in the present game
    values    every setting by its key; seats, profile, language: of the present game
    choices   the names to choose from, by the setting's key
    """

    opening: int
    fault: str
    fresh: bool
    untouched: bool
    language: str
    seats: list[str]
    values: dict[str, str | bool | int | float]
    choices: dict[str, list[str]]
    profiles: list[SetupChoiceView]


class TrialView(TypedDict):
    """The microphone as it is tried: decibels below full scale, seconds left, what was heard.

    ``better`` is another device where this one seems to be the wrong one, else empty; ``lost``
    counts the blocks of 50 ms that came too late to be heard. ``heard`` has each utterance's text
    and how sure the ear is of it, 0 to 1, the newest last.
    """

    state: str
    note: str
    better: str
    lost: int
    decibels: float
    left: float
    heard: list[tuple[str, float]]


class CheckView(TypedDict):
    """What a check found: its name, "ok", "warning" or "wrong", what it saw, what to do."""

    name: str
    state: str
    found: str
    advice: str


class SetupPort(Protocol):
    """Setting the table up. Every method may be called from any thread; some take seconds."""

    def fresh(self) -> bool:
        """Whether nothing was ever set here: then the page begins with it."""

    def view(self) -> SetupView:
        """What is set, and what could be."""

    def checks(self) -> list[CheckView]:
        """Whether all is there that a table needs."""

    def change(self, values: Mapping[str, object], start: str) -> bool:
        """Keep some settings (None: the default); returns whether the table is opened anew soon.

        ``start``: "" stays at it, "again" looks for the devices anew, "on" goes on to the table,
        "new" begins another game there.
        Raises SetupError, BoardError.
        """

    def listen(self) -> TrialView:
        """Begin to try the microphone: for a while the table hears nothing."""

    def trial(self) -> TrialView:
        """How the microphone does."""

    def speak(self, name: str, rate: int, volume: float, language: str) -> None:
        """Say a sentence by such a voice. Raises SetupError."""

    def look(self, camera: str) -> bytes:
        """A picture of a camera as JPEG, but never of cards in play. Raises SetupError."""


# ---- The page ------------------------------------------------------------------------------------


def setup_pages(setup: SetupPort) -> Blueprint:
    """Make the page and what it asks for.

    While nothing was ever set on this machine, the front door leads there.
    """
    pages = feature_pages("setup", menu="sets")

    @pages.before_app_request
    def set_up_first() -> WerkzeugResponse | None:
        return redirect("/setup") if is_front_door(request) and setup.fresh() else None

    @pages.get("/setup")
    def setup_page() -> str:
        return render_template("setup.html", learns=menu().get("voices"))

    @pages.get("/api/setup")
    def view() -> Response:
        check_may_touch()
        return jsonify(setup.view())

    @pages.get("/api/setup/checks")
    def checks() -> Response:
        check_may_touch()
        return jsonify(checks=setup.checks())

    @pages.get("/api/setup/trial")
    def trial() -> Response:
        check_may_touch()
        return jsonify(setup.trial())

    @pages.post("/api/setup")
    def change() -> Response:
        values, start = changes(body_of(request))
        return jsonify(anew=setup.change(values, start))

    @pages.post("/api/setup/listen")
    def listen() -> Response:
        body_of(request)
        return jsonify(setup.listen())

    @pages.post("/api/setup/speak")
    def speak() -> Response:
        setup.speak(*voice_trial(body_of(request)))
        return jsonify(spoken=True)

    @pages.post("/api/setup/look")
    def look() -> Response:
        return Response(setup.look(camera_name(body_of(request))), mimetype="image/jpeg")

    @pages.app_errorhandler(SetupError)
    def wrong(error: SetupError) -> tuple[Response, int]:
        return jsonify(error=str(error), code=error.code), 422

    return pages
