"""The set-up of a table: its page, trials of its devices, and the change of its settings."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TypedDict

import cv2
from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug import Response as WerkzeugResponse

from assistant.cli.mus_doctor import CHECKS, CheckWords, looked
from assistant.cli.play_options import rules_asked_for
from assistant.ear import Ear, EchoGate, SpeechError
from assistant.ear.levels import Rehearsal
from assistant.ear.listening import TableEar
from assistant.ear.microphone import CONVERTERS, SYSTEM_DEFAULT, better, microphones
from assistant.eye.at_table import Eye
from assistant.eye.cameras import shown, usb_cameras
from assistant.eye.deck import deck_paths
from assistant.eye.images import Image, VisionError
from assistant.eye.page import in_play
from assistant.eye.source import open_source
from assistant.files.player_names import chosen_seats
from assistant.files.process import UsageError
from assistant.files.profile_files import house_rules, load_profile, profile_paths
from assistant.files.resources import languages, load_phrases, nearest
from assistant.files.settings import (
    HEARINGS,
    LOCALHOST,
    Settings,
    Value,
    checked,
    read_settings,
    whole,
    write_settings,
)
from assistant.files.style_files import (
    find_style,
    in_language,
    load_style,
    shipped_styles,
    style_meant,
    style_paths,
)
from assistant.files.terminal import ERRORS, terminal_texts, translated
from assistant.language.phrases import Level
from assistant.language.phrases.sample import sample
from assistant.language.script import SeatNameError, read_seats
from assistant.page import BoardError, SetupError
from assistant.page.app import feature_pages, is_front_door, languages_asked, menu
from assistant.page.door import check_may_touch
from assistant.page.house import House
from assistant.page.incoming import body_of, camera_name, changes, voice_trial
from assistant.rules.engine import sides_of
from assistant.rules.errors import MusError, ProfileError, Translatable
from assistant.rules.history import undo_target
from assistant.rules.profile import OPTIONS, Profile, differences, rules_of
from assistant.table.table import Table
from assistant.voice import VoiceError, VoiceSettings
from assistant.voice.announcer import sound_in
from assistant.voice.speaker import Mouth, say_once


class SetupChoiceView(TypedDict):
    """House rules to choose: the name, what people call them, and where they come from.

    own    a player wrote them; the page has texts of its own for those that ship
    rules  what they say of each rule that has a switch, as text
    """

    name: str
    title: str
    explains: str
    own: bool
    rules: dict[str, str]


class SetupStyleView(TypedDict):
    """A caller's style to choose: its name, what people call it, one sentence, whose it is."""

    name: str
    title: str
    explains: str
    own: bool


class SetupView(TypedDict):
    """The settings of this table, and the values that they could have.

    opening   grows each time the table opens anew; fault: why the last change failed, after which
              all is as before
    fresh     nothing was ever set here; untouched: nobody has said anything in the present game
    values    every setting by its key; profile and rules: of the next game, if nobody changes them
    choices   the names to choose from, by the setting's key; also the values of each rule that has
              a switch
    styles    the callers' styles, described in the language of the page
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
    styles: list[SetupStyleView]


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


# ---- The settings that the set-up page may show and change --------------------------------------


KEYS = (
    "hearing", "mic", "camera", "deck", "voice", "voice_name", "style", "rate", "volume", "level",
    "sounds", "learn", "lan", "language", "profile", "rules", "seats",
)  # fmt: skip
"""The settings of the page. It shows these and may change these, and no others.

The others are for the command line. People who know the PIN are trusted with the game, but not with
the choice of files that this machine reads, or of where it sends their content.
"""
USUAL = "estandar"
"""The profile of a table that has chosen none."""
SWITCHES = ("kings", "target", "juegos", "vacas", "corrido", "real31", "real31_cards", "senas")
"""The rules that a table settles before it plays. The page has switches for them."""
SWITCH_CHOICES = ("kings", "corrido", "real31", "senas")
"""Those of them that have a few values, which the page gets as a list."""
CAMERA = re.compile(r"\d{1,2}|rpicam|(https?|rtsp)://\S+", re.ASCII)
"""Cameras that the page may name. Files are for the command line."""
VEIL = re.compile(r"://\*\*\*@|\?\.\.\.$|/\.\.\.$")
"""The marks of an address whose password or query is hidden."""


def values_now(settings: Settings) -> dict[str, Value]:
    """The settings of the page as they hold now, with the options of the command line."""
    now: dict[str, Value] = {
        **whole(read_settings()),
        "hearing": settings.hearing,
        "mic": settings.mic or "",
        "camera": _veiled(settings.camera or ""),
        "deck": settings.deck or "",
        "voice": settings.voice != "off",
        "style": settings.style,
        "level": settings.level,
        "learn": settings.learn,
        "lan": settings.host != LOCALHOST,
    }
    now["profile"], now["rules"] = next_rules(settings, str(now["profile"]))
    return {key: now[key] for key in KEYS}


def next_rules(settings: Settings, kept: str) -> tuple[str, str]:
    """The house rules of the next game: a profile, and the single rules on top of it.

    The command line may have set them one by one, or by a file. Then the profile is the one that
    differs least from them. ``kept``: the profile of the settings file.
    """
    rules = settings.profile or settings.usual_profile or Profile()
    named = house_rules()
    base = kept or USUAL
    if settings.profile or base not in named:
        base = min(named, key=lambda name: (len(differences(rules, named[name])), name != USUAL))
    over = differences(rules, named[base])
    return base, " ".join(f"{key}={value}" for key, value in over.items())


def new_values(
    values: Mapping[str, object], settings: Settings, seated: Collection[str] = ()
) -> dict[str, Value | None]:
    """Check what the page sets, and return it as it is stored.

    ``seated``: who plays at the table now. Raises SetupError, ProfileError, UsageError.
    """
    for key in values:
        if key not in KEYS:
            raise SetupError(
                Translatable(
                    "{key!r} is not for this page to set: use 'mus settings'.", key=key[:40]
                )
            )
    if camera := values.get("camera"):
        values = {**values, "camera": camera_meant(str(camera), settings)}
    if seats := values.get("seats"):
        chosen_seats(str(seats), seated)  # first: the page has its own words for these errors
    if profile := values.get("profile"):
        _check_profile(str(profile))
    if style := values.get("style"):
        style_meant(str(style))
    return {key: None if value is None else checked(key, value) for key, value in values.items()}


def camera_meant(camera: str, settings: Settings) -> str:
    """The camera that the page names. The present one comes back as it was shown, veiled.

    Raises SetupError.
    """
    if settings.camera and camera == _veiled(settings.camera):
        return settings.camera
    if camera and not CAMERA.fullmatch(camera):
        raise SetupError("A camera is a number, rpicam, or an address (http, rtsp).", "camera")
    if VEIL.search(camera):
        raise SetupError("Write the whole address: its password is not shown here.", "veiled")
    return camera


def _check_profile(name: str) -> None:
    """Take house rules by name alone: files are for the command line. Raises UsageError."""
    if name not in profile_paths():
        known = ", ".join(profile_paths())
        raise UsageError(
            "There is no profile {name!r}: choose from {known}.", name=name[:40], known=known
        )


def _veiled(camera: str) -> str:
    """The address of a camera without its password, which nobody at the page needs."""
    return shown(camera) if "://" in camera else camera


WRONG_DEVICE = ("dead", "monitor")
"""Notes of the ear that another microphone may help against."""
WIDEST = 1280
"""Pixels; the width of a picture that only shows whether the camera sees the table."""
QUALITY = 80
PICTURE_WITHIN = 5.0
PARTS = ("model", "voice", "loudspeaker", "disk", "journal", "clock")
"""Checks that run while the table is open; the others need devices that it uses."""


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody set on the page.

    before  the settings that were stored, each with its value before (None: it was not set)
    new     whether a new game is to begin
    same    the settings that nobody changed on the page: options of the command line still hold
    """

    before: Mapping[str, Value | None]
    new: bool
    same: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Opening:
    """The number of this opening of the table, from 1, and why the requested one failed."""

    number: int
    fresh: bool
    fault: str = ""


class Setup:
    """The set-up during one opening of the table. Any thread may call any method."""

    def __init__(
        self,
        settings: Settings,
        opening: Opening,
        table: Callable[[], Table],
        ear: Callable[[], Ear],
        eye: Eye | None,
        gate: EchoGate,
        rehearsal: Rehearsal,
        ask: Callable[[Change], None],
    ) -> None:
        """``ask`` makes the table open anew. ``fresh`` holds until somebody goes on to it."""
        self._settings = settings
        self._opening = opening
        self._table = table
        self._ear = ear
        self._eye = eye
        self._gate = gate
        self._rehearsal = rehearsal
        self._ask = ask
        self._fresh = opening.fresh
        self._voices: list[str] | None = None
        self._listing = threading.Lock()

    def fresh(self) -> bool:
        """Whether nothing was ever set on this machine."""
        return self._fresh

    def view(self, asked: Sequence[str] = ()) -> SetupView:
        """What is set, and what could be.

        ``asked``: the languages that the page asks for, the nearest first.
        """
        table = self._table()
        return {
            "opening": self._opening.number,
            "fault": self._opening.fault,
            "fresh": self._fresh,
            "untouched": undo_target(table.records) is None,
            "language": table.state.profile.voice,
            "seats": list(table.state.seats),
            "values": values_now(self._settings),
            "choices": {
                "hearing": list(HEARINGS),
                "mic": _microphones(),
                "camera": _cameras(),
                "deck": list(deck_paths()),
                "voice_name": self._voice_names(),
                "style": list(style_paths()),
                "level": [str(level) for level in Level],
                "language": list(languages("phrases")),
                **{key: OPTIONS[key].values.told.split("|") for key in SWITCH_CHOICES},
            },
            "profiles": _profiles(),
            "styles": _styles(nearest("page/table", *asked, table.state.profile.voice)),
        }

    def checks(self, asked: Sequence[str] = ()) -> list[CheckView]:
        """What the checks found: whether all is there that a table needs."""
        spoken = load_phrases(self._table().state.profile.voice).code[:2]
        words = CheckWords(nearest("checks", *asked, spoken))
        told = [words.told(name, looked(CHECKS[name], self._settings)) for name in PARTS]
        return [{"name": one.name, "state": str(one.state), "found": one.found,
                 "advice": one.advice} for one in told]  # fmt: skip

    def change(self, values: Mapping[str, object], start: str) -> bool:
        """Store some settings (None: the default); returns whether the table soon opens anew.

        ``start``: "" stays on the page, "again" looks for the devices anew, "on" goes on to the
        table, "new" begins another game there. Raises SetupError, BoardError.
        """
        try:
            kept = read_settings()
            new = new_values(values, self._settings, self._table().state.seats)
            same = self._as_shown(new)
            _fits(whole(_merged(kept, new)))
            write_settings(new)
        except OSError as error:
            raise BoardError(
                "The settings could not be kept: {why}.", why=error.strerror
            ) from error
        except SetupError:
            raise
        except SeatNameError as error:
            raise SetupError(str(error), error.fault, error.name) from error
        except ProfileError as error:
            raise SetupError(str(error), error.key or "") from error
        except MusError as error:
            raise SetupError(str(error)) from error
        if start in ("on", "new"):
            self._fresh = False
        before = {key: kept.get(key) for key in new}
        anew = before != new or start in ("new", "again")
        if anew:
            self._ask(Change(before, start == "new", same))
        return anew

    def _as_shown(self, new: Mapping[str, Value | None]) -> frozenset[str]:
        """The settings that nobody changed, although the page sent them with the others."""
        shown = {**values_now(self._settings), "seats": " ".join(self._table().state.seats)}
        return frozenset(key for key, value in new.items() if (value or "") == (shown[key] or ""))

    def listen(self) -> TrialView:
        """Begin to try the microphone."""
        self._rehearsal.begin()
        return self.trial()

    def trial(self) -> TrialView:
        """The state of the microphone's trial."""
        ear = self._ear()
        state, note = ear.told
        return {
            "state": str(state),
            "note": note,
            "better": better(ear.device, _microphones()) if note in WRONG_DEVICE else "",
            "lost": ear.dropped,
            "decibels": round(ear.decibels, 1),
            "left": round(self._rehearsal.left(), 1),
            "heard": [(one.text, round(one.confidence, 3)) for one in self._rehearsal.heard()],
        }

    def speak(self, name: str, rate: int, volume: float, language: str, style: str = "") -> None:
        """Say what a caller says of a little deal, in such a voice and style. Raises SetupError."""
        try:
            phrases, chosen = load_phrases(language), find_style(style or self._settings.style)
            sound = sound_in(chosen, phrases, name, rate, volume)
            level = chosen.level(Level.ESSENTIAL)
            said = sample(phrases.styled(chosen), level, self._table().state.seats)
            say_once(said, sound, self._gate)
        except MusError as error:
            raise SetupError(str(error), "voice") from error

    def look(self, camera: str) -> bytes:
        """A picture of a camera as JPEG. Raises SetupError, also while cards are in play."""
        camera = camera_meant(camera, self._settings)
        if in_play(self._table().state):
            raise SetupError("Cards are in play: finish the hand first.", "cards")
        try:
            picture = self._picture(camera)
        except VisionError as error:
            raise SetupError(str(error)) from error
        if picture is None:
            raise SetupError("The camera gives no picture: is it plugged in, and free?", "picture")
        share = min(1.0, WIDEST / picture.shape[1])
        small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return data.tobytes()

    def _picture(self, camera: str) -> Image | None:
        if self._eye and camera == self._settings.camera:
            seen = self._eye.sight()
            return seen[-1] if seen else None
        with open_source(camera) as source:
            return frame.image if (frame := source.read(PICTURE_WITHIN)) else None

    def _voice_names(self) -> list[str]:
        """The voices of the table's language; none if no synthesiser is there."""
        with self._listing:  # each listing takes a process of its own
            if self._voices is None:
                self._voices = _voices_of(self._table().state.profile.voice)
            return self._voices


def _merged(kept: Mapping[str, Value], new: Mapping[str, Value | None]) -> dict[str, Value]:
    """All settings with the new values; None removes one."""
    return {key: value for key, value in {**kept, **new}.items() if value is not None}


def _voices_of(language: str) -> list[str]:
    try:
        with closing(Mouth(VoiceSettings(load_phrases(language).code))) as mouth:
            return mouth.voices()
    except VoiceError:
        return []  # the trial of the voice says why


def _fits(values: Mapping[str, Value]) -> None:
    """Check that the rules fit the players, and that the deck is there. Raises MusError."""
    profile = (
        rules_asked_for(str(values["profile"]) or None, str(values["rules"]) or None) or Profile()
    )
    if values["seats"]:
        sides_of(profile, len(read_seats(str(values["seats"]))))
    deck = str(values["deck"])
    if deck and deck not in deck_paths():
        raise UsageError(
            "There is no deck {deck!r}: choose from {known}.",
            deck=deck[:40],
            known=", ".join(deck_paths()),
        )


def _styles(language: str) -> list[SetupStyleView]:
    """All styles that can be read. A player's broken file does not hide the others."""
    found: list[SetupStyleView] = []
    for path in style_paths().values():
        with suppress(UsageError):
            one = load_style(path)
            title, explains = (in_language(texts, language) for texts in (one.title, one.explains))
            own = path.parent != shipped_styles()
            found.append({"name": one.name, "title": title, "explains": explains, "own": own})
    return found


def _microphones() -> list[str]:
    try:
        found = microphones()
    except SpeechError:
        return []
    return [name for name in found if name not in CONVERTERS and name not in SYSTEM_DEFAULT]


def _cameras() -> list[str]:
    return [*map(str, usb_cameras()), *(["rpicam"] if shutil.which("rpicam-vid") else [])]


def _profiles() -> list[SetupChoiceView]:
    """All profiles that can be read. A player's broken file does not hide the others."""
    found: list[SetupChoiceView] = []
    for path in profile_paths().values():
        try:
            one = load_profile(path)
        except UsageError:
            continue
        said = rules_of(one.profile)
        found.append(
            {
                "name": one.name,
                "title": one.title,
                "explains": one.explains,
                "own": one.own,
                "rules": {key: said[key] for key in SWITCHES},
            }
        )
    return found


def setup_pages(setup: Setup) -> Blueprint:
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
        return jsonify(setup.view(languages_asked()))

    @pages.get("/api/setup/checks")
    def checks() -> Response:
        check_may_touch()
        return jsonify(checks=setup.checks(languages_asked()))

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
    def speak() -> tuple[Response, int]:
        name, rate, volume, language, style = voice_trial(body_of(request))
        try:
            setup.speak(name, rate, volume, language, style)
        except SetupError as error:  # what has to be installed is said in the page's language
            told = translated(error, terminal_texts(ERRORS, language))
            return jsonify(error=str(error), code=error.code, told=told), 422
        return jsonify(spoken=True), 200

    @pages.post("/api/setup/look")
    def look() -> Response:
        return Response(setup.look(camera_name(body_of(request))), mimetype="image/jpeg")

    @pages.app_errorhandler(SetupError)
    def wrong(error: SetupError) -> tuple[Response, int]:
        about = {"name": error.name} if error.name else {}
        return jsonify(error=str(error), code=error.code, **about), 422

    return pages


def install(
    house: House,
    opening: Opening,
    ear: TableEar,
    eye: Eye | None,
    gate: EchoGate,
    ask: Callable[[Change], None],
) -> Setup:
    """Add the set-up page to a house, unless it plays a recording. For ``ask`` see Setup."""
    setup = Setup(
        house.settings,
        opening,
        table=lambda: house.runner.table,
        ear=lambda: ear.ear,
        eye=eye,
        gate=gate,
        rehearsal=ear.rehearsal,
        ask=ask,
    )
    if not house.settings.listen:
        house.show(setup_pages(setup))
    return setup
