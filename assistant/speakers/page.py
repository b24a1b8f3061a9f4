"""The players' voices on the setup page: which are known, and how far a new one is."""

from __future__ import annotations

from typing import Protocol, TypedDict

from flask import Blueprint, Response, jsonify, request

from assistant.page.app import feature_pages
from assistant.page.door import check_may_touch
from assistant.page.incoming import body_of, voice_step

# ---- What the page asks for ----------------------------------------------------------------------


class VoiceView(TypedDict):
    """A player's voice: how many calls were read, for how long, and when (ISO 8601)."""

    name: str
    calls: int
    seconds: float
    made: str


class LessonView(TypedDict, total=False):
    """A voice that is being learnt; ``name`` and ``over`` always, the rest while somebody reads.

    over   "" still reading, "kept", "few" readings could be used, "disk": they could not be kept
    at     prompts that are done with, of ``of``; say: the one to be read now
    steps  attempts so far; tried, fault, like, left: the last one's (see enrolment.Step)
    """

    name: str
    over: str
    at: int
    of: int
    say: str
    steps: int
    tried: str
    fault: str
    like: str
    left: bool


class VoicesView(TypedDict):
    """The voices of this machine.

    most     voices that there may be; current: whether the ear is fitted to just these
    passes   done and to do, while it is being fitted
    fault    where that failed: "disk", "broken" recordings, or "failed" for whatever else
    """

    voices: list[VoiceView]
    languages: list[str]
    most: int
    current: bool
    passes: list[int] | None
    fault: str
    lesson: LessonView | None


class Voices(Protocol):
    """Where voices are learnt. Every method may be called from any thread."""

    def view(self) -> VoicesView:
        """The voices there are, and how far the new one is."""

    def begin(self, name: str, language: str) -> VoicesView:
        """Let a player read; the table hears nothing meanwhile. Raises SetupError."""

    def skip(self) -> VoicesView:
        """Leave the present prompt out."""

    def stop(self) -> VoicesView:
        """Forget what was read so far."""

    def forget(self, name: str) -> VoicesView:
        """Delete a voice and what was learnt from it. Raises SetupError."""

    def fit(self) -> VoicesView:
        """Fit the ear to the voices that there are. Raises SetupError."""


# ---- What the setup page asks for ----------------------------------------------------------------


def voice_pages(voices: Voices) -> Blueprint:
    """Make the part of the setup page that has voices learnt."""
    pages = feature_pages("voices", menu="voices")

    @pages.get("/api/setup/voices")
    def known_voices() -> Response:
        check_may_touch()
        return jsonify(voices.view())

    @pages.post("/api/setup/voices")
    def learn_voice() -> Response:
        return jsonify(_done(voices, *voice_step(body_of(request))))

    return pages


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
