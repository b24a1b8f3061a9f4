"""The page of the exercises. It keeps no progress: each telephone sends its own with each request.

So nobody needs a PIN or a name, and nobody can see or spoil the progress of others. The table's
ear listens to answers only for the table's own devices.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypedDict

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import BadRequest

from assistant.ear import Ear
from assistant.files.paths import data_dir
from assistant.files.resources import nearest
from assistant.page.app import feature_pages, languages_asked
from assistant.page.door import MAY_TOUCH
from assistant.page.house import House
from assistant.page.incoming import body_of
from assistant.rules.profile import Profile
from assistant.school.drills.exercises import (
    DrillError,
    DrillKind,
    Exercise,
    drilled,
    kind_of,
)
from assistant.school.drills.positions import exercise_of
from assistant.school.drills.schedule import (
    LAST_SECOND,
    DrillProgress,
    SkillRecord,
    answered,
    next_exercise,
    progress_from,
    progress_to,
    skills_of,
)
from assistant.school.drills.told import (
    DrillGradeView,
    DrillTongue,
    ExerciseView,
    choice_heard,
    drill_tongue,
    exercise_view,
    grade_view,
    step_of,
)
from assistant.school.judge import Judge
from assistant.school.lessons import AnswerVerdict
from assistant.school.lessons.classroom import Pupil
from assistant.school.lessons.files import heard_in
from assistant.school.players.maestro import UntaughtError, read_lore, why_untaught

# ---- The views that the page gets ---------------------------------------------------------------


class DrillKindView(TypedDict):
    """A kind of exercise that there is at this table."""

    kind: str
    title: str
    about: str


class DrillSkillView(TypedDict):
    """How somebody does at a skill."""

    skill: str
    title: str
    kind: str
    level: int
    asked: int
    right: int
    wrong: int


class DrillEarView(TypedDict):
    """What the ear made of an answer; ``choice`` is None until one was understood."""

    name: str
    listening: bool
    heard: str
    choice: int | None


def skill_views(
    progress: DrillProgress, told: DrillTongue, *, judged: bool
) -> list[DrillSkillView]:
    """Every skill, with how somebody does at it."""
    views: list[DrillSkillView] = []
    for skill in skills_of((), judged=judged):
        record = progress.skills.get(skill, SkillRecord())
        views.append(
            {
                "skill": skill,
                "title": told.words(f"skill.{skill}"),
                "kind": str(kind_of(skill)),
                "level": record.level,
                "asked": record.asked,
                "right": record.right,
                "wrong": len(record.wrong),
            }
        )
    return views


# ---- The exercises of a table -------------------------------------------------------------------


def load_judge() -> Judge | None:
    """The judge of calls; None if maestro's file is missing, and then some kinds are, too."""
    try:
        return Judge(read_lore(data_dir("models") / "players" / "maestro.npz"))
    except UntaughtError:
        return None


TRIES = 5
"""How often another exercise is tried if one cannot be made."""


class Drills:
    """Makes exercises and grades answers by the house rules of a table. Any thread may call it."""

    def __init__(self, profile: Callable[[], Profile], language: str, pupil: Pupil | None) -> None:
        """``language``: the table's; ``pupil``: lends its ear, None where there is none."""
        self._profile = profile
        self.language = language
        self._pupil = pupil
        self._making = threading.Lock()
        self._lock = threading.Lock()
        self._dice = random.Random()
        self._heard: DrillEarView = {"name": "", "listening": False, "heard": "", "choice": None}

    @cached_property
    def _judge(self) -> Judge | None:
        return load_judge()

    @property
    def rules(self) -> Profile:
        """The house rules of the exercises."""
        return drilled(self._profile())

    @property
    def judged(self) -> bool:
        """Whether maestro knows these house rules, so that all kinds can be offered."""
        judge = self._judge
        return judge is not None and why_untaught(self.rules, judge.tables.lore.kings) is None

    @property
    def hears(self) -> bool:
        """Whether there is an ear to answer to."""
        return self._pupil is not None and self._pupil.hears

    def kinds(self, told: DrillTongue) -> list[DrillKindView]:
        """The kinds of exercise, in the order in which they are met."""
        known = {kind_of(skill) for skill in skills_of((), judged=self.judged)}
        return [
            {
                "kind": str(kind),
                "title": told.words(f"kind.{kind}"),
                "about": told.words(f"about.{kind}"),
            }
            for kind in DrillKind
            if kind in known
        ]

    def skills(self, progress: DrillProgress, told: DrillTongue) -> list[DrillSkillView]:
        """Every skill, with how somebody does at it."""
        return skill_views(progress, told, judged=self.judged)

    def next(
        self, progress: DrillProgress, now: float, kinds: list[str], told: DrillTongue
    ) -> ExerciseView:
        """What is asked next. Raises DrillError."""
        skills = skills_of(kinds, judged=self.judged)
        if not skills:
            raise DrillError("There are no such exercises by these house rules.")
        for attempt in range(TRIES):
            name = next_exercise(progress, now, skills, self._dice)
            try:
                exercise = self._made(name)
            except DrillError:
                if attempt == TRIES - 1:
                    raise
                continue
            record = progress.skills.get(exercise.skill)
            again = record is not None and name in record.wrong
            return exercise_view(exercise, told, again=again)
        raise DrillError("There are no such exercises by these house rules.")

    def answer(
        self, name: str, choice: int, progress: DrillProgress, now: float, told: DrillTongue
    ) -> tuple[DrillGradeView, DrillProgress]:
        """DrillGrade an answer; the progress after it. Raises DrillError."""
        exercise = self._made(name)
        if choice >= len(exercise.choices):
            raise DrillError("There is no such answer.")
        graded = grade_view(exercise, choice, self.rules, told)
        return graded, answered(progress, exercise, exercise.choices[choice], now)

    def listen(self, name: str, language: str) -> DrillEarView:
        """Lend the ear for an answer in a language. Raises DrillError, ClassError."""
        if self._pupil is None:
            raise DrillError("There is no microphone.")
        exercise = self._made(name)
        spoken = heard_in(language)
        step = step_of(exercise, drill_tongue(spoken))
        pupil = self._pupil

        def hear(verdict: AnswerVerdict) -> None:
            if not verdict.understood:
                return
            with self._lock:
                if self._heard["name"] == name:
                    self._heard["choice"] = choice_heard(exercise, step, verdict.what)
            pupil.quiet()

        with self._lock:
            self._heard = {"name": name, "listening": True, "heard": "", "choice": None}
        pupil.listen(step, hear, spoken)
        return self.ear()

    def quiet(self) -> DrillEarView:
        """Stop listening."""
        if self._pupil is not None:
            self._pupil.quiet()
        return self.ear()

    def ear(self) -> DrillEarView:
        """How listening goes."""
        pupil = self._pupil
        with self._lock:
            return {
                "name": self._heard["name"],
                "listening": pupil is not None and pupil.listening,
                "heard": pupil.heard if pupil is not None else "",
                "choice": self._heard["choice"],
            }

    def close(self) -> None:
        """Give the ear back."""
        self.quiet()

    def _made(self, name: str) -> Exercise:
        # One at a time: a room full of telephones leaves the table its other cores.
        with self._making:
            return exercise_of(name, self.rules, self._judge)


def install(house: House, ear: Callable[[], Ear | None], busy: Callable[[], bool]) -> Drills:
    """Offer the exercises on the pages of a house.

    ``ear``: the house's own, if it has one; ``busy``: whether it is lent to somebody else.
    """
    language = house.phrases.code
    pupil = Pupil(ear, house.settings.model, heard_in(language), busy)
    drills = Drills(lambda: house.runner.table.state.profile, language, pupil)
    house.show(drill_pages(drills))
    return drills


# ---- The routes ---------------------------------------------------------------------------------


MANY = 1 << 4
"""More answers than any exercise has."""
MOST_KINDS = len(DrillKind)


def is_drilling(path: str) -> bool:
    """Whether a request to a path changes nothing at the table, so that it needs no PIN."""
    return path == "/api/drills" or path.startswith("/api/drills/")


def drill_pages(drills: Drills) -> Blueprint:
    """Make the page and what it asks for."""
    pages = feature_pages("drills", menu="drills", free=is_drilling)

    def language() -> str:
        """The language of the exercises for a device: that of its pages."""
        return nearest("drills", *languages_asked(), drills.language)

    def tongue() -> DrillTongue:
        return drill_tongue(language())

    @pages.get("/drills")
    def drills_page() -> str:
        return render_template("drills.html")

    @pages.get("/api/drills")
    def all_kinds() -> Response:
        told = tongue()
        hears = drills.hears and _touches()
        return jsonify(kinds=drills.kinds(told), hears=hears)

    @pages.post("/api/drills")
    def go_on() -> Response:
        match body_of(request):
            case {"do": "next", "kinds": list(kinds), **rest}:
                progress, now = _sender(rest)
                return jsonify(drills.next(progress, now, _kinds(kinds), tongue()))
            case {"do": "progress", **rest}:
                progress, _ = _sender(rest)
                return jsonify(skills=drills.skills(progress, tongue()))
        raise BadRequest('Send "do": "next" with "kinds", or "progress"; "kept", "at".')

    @pages.post("/api/drills/<name>")
    def answer(name: str) -> Response:
        match body_of(request):
            case {"choice": choice, **rest}:
                progress, now = _sender(rest)
                graded, after = drills.answer(name, _number(choice), progress, now, tongue())
                return jsonify(verdict=graded, kept=progress_to(after))
        raise BadRequest('Send "choice", "kept" and "at".')

    @pages.get("/api/drills-ear")
    def ear() -> Response:
        return jsonify(drills.ear())

    @pages.post("/api/drills-ear")
    def listen() -> Response:
        # Not one of the free addresses: a guest's telephone does not get the table's ear.
        match body_of(request):
            case {"do": "listen", "name": str(name), **rest} if not rest:
                return jsonify(drills.listen(name, language()))
            case {"do": "quiet", **rest} if not rest:
                return jsonify(drills.quiet())
        raise BadRequest('Send "do": "listen" with "name", or "quiet".')

    @pages.app_errorhandler(DrillError)
    def wrong(error: DrillError) -> tuple[Response, int]:
        return jsonify(error=str(error), code="exercise"), 422

    return pages


def _touches() -> bool:
    return bool(current_app.extensions[MAY_TOUCH]())


def _sender(body: dict[str, Any]) -> tuple[DrillProgress, float]:
    """The sender's progress and clock, from a request. Raises BadRequest, DrillError."""
    if sorted(body) != ["at", "kept"]:
        raise BadRequest('Send "kept" and "at", and nothing else.')
    now = body["at"]
    if type(now) not in (int, float) or not 0 < now < LAST_SECOND:
        raise BadRequest('"at" is the time in seconds since 1970.')
    kept = body["kept"]
    return DrillProgress() if kept is None else progress_from(kept), float(now)


def _kinds(told: list[Any]) -> list[str]:
    kinds = {str(kind) for kind in DrillKind}
    if len(told) > MOST_KINDS or any(kind not in kinds for kind in told):
        raise BadRequest(f"The kinds of exercise are {', '.join(sorted(kinds))}.")
    return [str(kind) for kind in told]


def _number(value: object) -> int:
    # type(), not isinstance(): true is no number.
    if type(value) is not int or not 0 <= value < MANY:
        raise BadRequest(f"A number goes from 0 to {MANY - 1}.")
    return value
