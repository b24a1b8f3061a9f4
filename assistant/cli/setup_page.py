"""The set-up page: who plays, and with what the table hears, sees and speaks."""

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

    opening   grows each time the table opens anew; fault: why the last change failed, after which
              all is as before
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
    """The microphone's trial: decibels below full scale, seconds left, what was heard.

    ``better``: another device, if this one seems to be the wrong one, else ""; ``lost``: the number
    of blocks of 50 ms that came too late to be heard; ``heard``: the text of each utterance and its
    confidence, 0 to 1, the newest last.
    """

    state: str
    note: str
    better: str
    lost: int
    decibels: float
    left: float
    heard: list[tuple[str, float]]


class CheckView(TypedDict):
    """A check: its name, "ok", "warning" or "wrong", what it found, and what to do."""

    name: str
    state: str
    found: str
    advice: str


class SetupPort(Protocol):
    """What the page asks of the set-up. Any thread may call any method; some take seconds."""

    def fresh(self) -> bool:
        """Whether nothing was ever set here; then the table's page leads to the set-up."""

    def view(self) -> SetupView:
        """What is set, and what could be."""

    def checks(self) -> list[CheckView]:
        """What the checks found: whether all is there that a table needs."""

    def change(self, values: Mapping[str, object], start: str) -> bool:
        """Store some settings (None: the default); returns whether the table soon opens anew.

        ``start``: "" stays on this page, "again" looks for the devices anew, "on" goes on to the
        table, "new" begins another game there.
        Raises SetupError, BoardError.
        """

    def listen(self) -> TrialView:
        """Begin to try the microphone. For a while the table hears nothing."""

    def trial(self) -> TrialView:
        """The state of the microphone's trial."""

    def speak(self, name: str, rate: int, volume: float, language: str) -> None:
        """Say a sentence with such a voice. Raises SetupError."""

    def look(self, camera: str) -> bytes:
        """A picture of a camera as JPEG, but never of cards in play. Raises SetupError."""


# ---- The page ------------------------------------------------------------------------------------


def setup_pages(setup: SetupPort) -> Blueprint:
    """Make the page and its routes.

    While nothing was ever set on this machine, the table's address leads to this page.
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
