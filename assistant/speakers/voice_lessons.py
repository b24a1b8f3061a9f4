"""Enrolment on the setup page: the view of the enrolled voices, and learning a new one.

The ear is lent to one player after another, who reads prompts aloud. Then its speech model is
adapted to all of them.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, TypedDict

from flask import Blueprint, Response, jsonify, request

from assistant.ear import Block, Ear, EarState
from assistant.ear.network import load_base
from assistant.files.process import UsageError
from assistant.files.resources import model_dir
from assistant.page import SetupError
from assistant.page.app import feature_pages
from assistant.page.door import check_may_touch
from assistant.page.house import House
from assistant.page.incoming import body_of, voice_step
from assistant.rules.errors import MusError, Translatable
from assistant.speakers.enrolled import (
    DESCRIPTION,
    MOST,
    check_name,
    enrolled,
    fit_voices,
    fitted,
    forget,
    is_current,
    keep,
    load_prompts,
    names,
    own_dir,
    prompt_languages,
)
from assistant.speakers.enrolment import Enrolment, EnrolmentStep
from assistant.speakers.self_training import SelfTraining

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
    steps  attempts so far; tried, fault, like, left: the last one's (see EnrolmentStep)
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
    learnt   calls of this table from which the ear has learnt while people play; None: it does not
    """

    voices: list[VoiceView]
    languages: list[str]
    most: int
    current: bool
    passes: list[int] | None
    fault: str
    learnt: int | None
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


# ---- The addresses of the setup page -------------------------------------------------------------


def voice_pages(voices: Voices) -> Blueprint:
    """The part of the setup page on which voices are learnt."""
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


# ---- A cache of the voices as the page shows them -----------------------------------------------


Mark = tuple[int, int]


class VoiceViews:
    """A cache of views, because a voice is minutes of sound to read. Any thread may call it.

    A voice is replaced as a whole folder, so its description shows whether it is still the same.
    """

    def __init__(self) -> None:
        self._read: dict[str, tuple[Mark, VoiceView]] = {}

    def of(self, names: list[str]) -> list[VoiceView]:
        """The views of these voices; all others are dropped from the cache."""
        before = self._read
        marked = [(name, _mark(name)) for name in names]
        found = {}
        for name, mark in marked:
            known = before.get(name)
            found[name] = known if known and known[0] == mark else (mark, _view(name))
        self._read = found
        return [view for _, view in found.values()]


def _mark(name: str) -> Mark:
    """What changes with a voice's files; a voice that was deleted meanwhile has a mark, too."""
    try:
        told = (own_dir() / name / DESCRIPTION).stat()
    except OSError:
        return (0, 0)
    return (told.st_ino, told.st_mtime_ns)


def _view(name: str) -> VoiceView:
    try:
        voice = enrolled(name)
    except UsageError:
        return {"name": name, "calls": 0, "seconds": 0.0, "made": ""}
    seconds = round(voice.seconds, 1)
    return {"name": name, "calls": len(voice.said), "seconds": seconds, "made": voice.made}


# ---- Enrolling and fitting ----------------------------------------------------------------------


log = logging.getLogger("mus.ear")

OPENS_IN = 5.0
"""Seconds within which a microphone gives its first sound after the table was opened."""
NICE = 10
"""The nice value of the fitting thread, so that the table's own threads go first."""


class _StoppedError(Exception):
    """Ends the fitting, because the table is closed."""


class VoiceLessons:
    """The voices of this machine, and one that is being learnt; called from any thread."""

    def __init__(
        self,
        ear: Callable[[], Ear],
        fitted_anew: Callable[[], None],
        learns: SelfTraining | None = None,
    ) -> None:
        """``fitted_anew`` is called once there is another model to hear with.

        ``learns``: the ear that learns while people play, if it does.
        """
        self._ear = ear
        self._fitted_anew = fitted_anew
        self._learns = learns
        self._lock = threading.Lock()
        self._name, self._language, self._over = "", "", ""
        self._enrolment: Enrolment | None = None
        self._last: EnrolmentStep | None = None
        self._steps = 0
        self._passes: tuple[int, int] | None = None
        self._fault = ""
        self._views = VoiceViews()
        self._closed = threading.Event()

    def view(self) -> VoicesView:
        """The voices, and the progress of the new one."""
        # The state is read first, so that the files have every voice that it names. The files are
        # read without the lock, because the ear's thread waits for it.
        with self._lock:
            passes, fault, lesson = self._passes, self._fault, self._lesson()
        known, model = names(), fitted()
        return {
            "voices": self._views.of(known),
            "languages": list(prompt_languages()),
            "most": MOST,
            "current": not known or (model is not None and is_current(model)),
            "passes": None if passes is None else list(passes),
            "fault": fault,
            "learnt": self._learns.learnt_from if self._learns else None,
            "lesson": lesson,
        }

    def begin(self, name: str, language: str) -> VoicesView:
        """Lend the ear to a player, who reads; the table hears nothing. Raises SetupError."""
        try:
            check_name(name)
            base = load_base(model_dir())
            prompts = load_prompts(language, base)
        except MusError as error:
            raise SetupError(str(error), "name" if isinstance(error, UsageError) else "") from error
        if name not in names() and len(names()) >= MOST:
            raise SetupError(
                Translatable("{most} voices are known, as many as can be.", most=MOST), "many"
            )
        ear = self._ear()
        if not hears(ear):
            raise SetupError("There is no microphone.", "deaf")
        with self._lock:
            self._check_idle()
            self._enrolment = Enrolment(prompts, base)
            self._name, self._language = name, language
            self._last, self._steps, self._over, self._fault = None, 0, "", ""
        ear.lend(self._hear)
        return self.view()

    def skip(self) -> VoicesView:
        """Skip the present prompt."""
        with self._lock:
            if self._enrolment:
                self._enrolment.skip()
                self._last = None
                self._settle(self._enrolment)
        return self.view()

    @property
    def reading(self) -> bool:
        """Whether the ear is lent to somebody who reads."""
        return self._enrolment is not None

    def stop(self) -> VoicesView:
        """Give the ear back to the table; the readings so far are dropped."""
        self._ear().take_back(self._hear)
        with self._lock:
            self._enrolment, self._over = None, ""
        return self.view()

    def forget(self, name: str) -> VoicesView:
        """Delete a player's recordings and what was learnt from them. Raises SetupError."""
        with self._lock:
            self._check_idle()
        try:
            forget(name)
        except UsageError as error:
            raise SetupError(str(error), "unknown") from error
        return self.fit()

    def fit(self) -> VoicesView:
        """Adapt the ear to all voices, in the background. Raises SetupError."""
        with self._lock:
            self._check_idle()
            self._begin_to_fit()
        return self.view()

    def close(self) -> None:
        """End what is under way."""
        self._closed.set()
        self._ear().take_back(self._hear)

    def _hear(self, block: Block) -> None:
        """Take a block of the reading, on the ear's thread."""
        with self._lock:
            if self._enrolment and (step := self._enrolment.feed(block)):
                self._last = step
                self._steps += 1
                self._settle(self._enrolment)

    def _settle(self, enrolment: Enrolment) -> None:
        """Keep the voice once all was read, and learn it."""
        if enrolment.prompt is not None:
            return
        self._ear().take_back(self._hear)
        self._enrolment = None
        if not enrolment.enough:
            self._over = "few"
            return
        try:
            keep(self._name, self._language, enrolment.said, enrolment.room)
        except OSError:
            self._over = "disk"
            return
        self._over = "kept"
        self._begin_to_fit()

    def _begin_to_fit(self) -> None:
        self._passes, self._fault = (0, 1), ""
        threading.Thread(target=self._fit, name="voices", daemon=True).start()

    def _fit(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        fault = "failed"
        try:
            fault = self._fault_of_fitting()
        finally:  # whatever happened, another voice can be learnt
            with self._lock:
                self._passes, self._fault = None, fault
        if not fault and not self._closed.is_set():
            self._fitted_anew()

    def _fault_of_fitting(self) -> str:
        """Fit the model; return the fault for the page, or ""."""
        try:
            fit_voices(self._passed)
        except _StoppedError:
            return ""
        except (MusError, OSError) as error:
            log.warning("the ear could not be fitted to the voices: %s", error)
            return "disk" if isinstance(error, OSError) else "broken"
        except Exception:  # bad numbers, no memory: nobody else would report it
            log.exception("the ear could not be fitted to the voices")
            return "failed"
        return ""

    def _passed(self, done: int, of: int) -> None:
        if self._closed.is_set():
            raise _StoppedError
        with self._lock:
            self._passes = (done, of)

    def _check_idle(self) -> None:
        if self._enrolment or self._passes:
            raise SetupError("A voice is being learnt: wait until that is done.", "busy")

    def _lesson(self) -> LessonView | None:
        enrolment = self._enrolment
        if enrolment is None or enrolment.prompt is None:
            return {"name": self._name, "over": self._over} if self._over else None
        last = self._last
        return {
            "name": self._name,
            "over": "",
            "at": enrolment.at,
            "of": len(enrolment.prompts),
            "say": enrolment.prompt.say,
            "steps": self._steps,
            "tried": last.say if last else "",
            "fault": str(last.fault) if last and last.fault else "",
            "like": last.like if last else "",
            "left": bool(last and last.left),
        }


def install(
    house: House, ear: Ear, fitted_anew: Callable[[], None], learns: SelfTraining | None
) -> VoiceLessons:
    """Add enrolment to the setup page, with the ear of the house.

    A table that hears a recording has no such page, because nobody is there to read. For the other
    arguments see ``VoiceLessons``.
    """
    voices = VoiceLessons(lambda: ear, fitted_anew, learns)
    if not house.settings.listen:
        house.show(voice_pages(voices))
    return voices


def hears(ear: Ear) -> bool:
    """Whether sound comes; waits a moment, because a microphone opens slowly."""
    deadline = time.monotonic() + OPENS_IN
    while ear.told[0] is EarState.OFF and time.monotonic() < deadline:
        time.sleep(0.05)
    return ear.told[0] in (EarState.LISTENING, EarState.PAUSED)
