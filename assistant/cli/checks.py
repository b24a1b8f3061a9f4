"""What ``mus doctor`` looks at: each is a function that tells what it found and what to do."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Event

from assistant.ear import SpeechError
from assistant.ear.hearing import vocabulary_of
from assistant.ear.microphone import (
    SYSTEM_DEFAULT,
    behind,
    better,
    is_monitor,
    is_silent,
    microphones,
    served,
)
from assistant.eye.calibration import load_calibration, table_dir
from assistant.eye.deck import find_deck
from assistant.eye.source import open_source
from assistant.eye.watch import is_black
from assistant.files.process import UsageError
from assistant.files.resources import load_lexicon, load_phrases, load_wording
from assistant.files.settings import Settings, read_settings, settings_path
from assistant.hall.hub.broker import TABLE_LINE, remembered_broker
from assistant.hall.uplinked import CONSUMER
from assistant.language.script import DEFAULT_SEATS
from assistant.rules.errors import MusError
from assistant.rules.profile import Profile
from assistant.speakers.enrolled import fitted, is_current, names
from assistant.table.journal import Outbox, tables
from assistant.voice import VoiceSettings
from assistant.voice.mouth import Mouth, try_player

# ---- What ``mus doctor`` looks at: each is a function that tells what it found and what to do ---


FIRST_YEAR = 2026
"""The clock of a machine without a battery begins long before that."""
LITTLE, TOO_LITTLE = 200, 20
"""Megabytes of free disk: an evening's journal takes one."""
PICTURE_WITHIN = 4.0
HUB_WITHIN = 5.0
SOME = 8
"""Words that are named of those that a speech model lacks."""


class CheckState(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """How it came out, by a code, and what goes into the words for that."""

    state: CheckState
    code: str
    params: Mapping[str, object] = field(default_factory=dict)


def well(code: str = "ok", **params: object) -> CheckFinding:
    """All is well."""
    return CheckFinding(CheckState.OK, code, params)


def warning(code: str, **params: object) -> CheckFinding:
    """It can be played, and yet something is to be done."""
    return CheckFinding(CheckState.WARNING, code, params)


def wrong(code: str, **params: object) -> CheckFinding:
    """It cannot be played so."""
    return CheckFinding(CheckState.WRONG, code, params)


def model(settings: Settings) -> CheckFinding:
    """The speech models: whether each loads, and hears the table's words."""
    lexicon, seats = load_lexicon(), settings.seats or settings.usual_seats or DEFAULT_SEATS
    folders = [folder for folder in (settings.model, settings.second) if folder]
    found = {folder.name: vocabulary_of(folder, lexicon, seats) for folder in folders}
    for name, words in found.items():
        if words.unheard:
            silent = ", ".join(words.silent[:SOME])
            how = wrong if len(words.silent) == words.words else warning
            return how("lacks", name=name, words=silent, n=len(words.unheard))
    name, replaced = " + ".join(found), sum(len(words.missing) for words in found.values())
    return well("stand_ins", name=name, n=replaced) if replaced else well(name=name)


def players(_settings: Settings) -> CheckFinding:
    """Whose voices the ear was fitted to."""
    known = names()
    if not known:
        return well("none")
    one = fitted()
    if one is None or not is_current(one):
        return warning("stale", names=", ".join(known))
    return well(names=", ".join(known))


def microphone(settings: Settings) -> CheckFinding:
    """The microphones there are, the one that is asked for, and whether any sound comes of it."""
    found = microphones()
    if not found:
        return wrong("none")
    wanted = (settings.mic or "").lower()
    if wanted and not any(wanted in name.lower() for name in found):
        return wrong("unknown", names=", ".join(found), wanted=settings.mic)
    source = settings.mic or behind(SYSTEM_DEFAULT[0])
    if is_monitor(source):
        return _wrong_device(settings, "monitor", source, found)
    try:
        silent = is_silent(settings.mic)
    except SpeechError as error:
        return warning("busy", names=", ".join(found), text=str(error))
    return (
        _wrong_device(settings, "silent", source, found) if silent else well(names=", ".join(found))
    )


def _wrong_device(settings: Settings, code: str, source: str, names: list[str]) -> CheckFinding:
    """What is wrong with the microphone in use, with the one to take instead if there is any."""
    if other := better(source, names):
        return warning(code, name=source, other=other)
    if not settings.mic and (other := served(SYSTEM_DEFAULT[0])):
        return warning(f"{code}_served", name=source, other=other)
    return warning(f"{code}_alone", name=source)


def camera(settings: Settings) -> CheckFinding:
    """The camera, if one is set: whether it gives a picture."""
    if not settings.camera:
        return well("none")
    with open_source(settings.camera) as source:
        frame = source.read(PICTURE_WITHIN)
    if frame is None:
        return wrong("blind")
    high, wide = frame.image.shape[:2]
    if is_black(frame.image):
        return warning("black")
    return well(wide=wide, high=high)


def table(settings: Settings) -> CheckFinding:
    """The deck and the calibration, if there is a camera."""
    if not settings.camera:
        return well("none")
    deck = find_deck(settings.deck)
    folder = settings.table or table_dir()
    if not folder.exists():
        return warning("uncalibrated", deck=deck.name, camera=settings.camera)
    load_calibration(folder)
    return well(deck=deck.name)


def voice(settings: Settings) -> CheckFinding:
    """Whether a sentence could be spoken in the table's language."""
    if settings.voice == "off":
        return well("off")
    sound = VoiceSettings(load_phrases(language_of(settings)).code, name=settings.voice_name)
    with closing(Mouth(sound)) as mouth:
        mouth.check()
    return well(name=settings.voice_name or sound.language)


def loudspeaker(settings: Settings) -> CheckFinding:
    """What plays a sentence, and whether anything would be heard of it."""
    if settings.voice == "off":
        return well("off")
    return well(player=try_player()[0])


def disk(settings: Settings) -> CheckFinding:
    """Whether the journal has room."""
    folder = _there(settings.journal.parent if settings.journal else Path.home())
    free = shutil.disk_usage(folder).free // 2**20
    if free < TOO_LITTLE:
        return wrong("full", free=free, folder=folder)
    if free < LITTLE:
        return warning("little", free=free, folder=folder)
    return well(free=free, folder=folder)


def journal(settings: Settings) -> CheckFinding:
    """Whether the games that are kept can be read."""
    if settings.journal is None or not settings.journal.exists():
        return well("none")
    return well(n=len(tables(settings.journal)), path=settings.journal)


def port(settings: Settings) -> CheckFinding:
    """Whether the page can be served."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            return wrong("taken", port=settings.port, why=error.strerror)
    return well(port=settings.port)


def hub(settings: Settings) -> CheckFinding:
    """The hall that the game is sent to: whether the table is let in, and what is not sent yet.

    It is the one that is set, or else the last game's, which it may have been told as it began.
    """
    address = settings.hub or remembered_broker(TABLE_LINE)
    if address is None:
        return well("none")
    try:
        from assistant.hall.hub.link import Link, LinkCallbacks
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "paho":
            raise
        return wrong("parts")
    there, waiting = Event(), _unsent(settings)
    # Not by the table's own name: a game that runs meanwhile keeps its line.
    link = Link(address, "", LinkCallbacks(there.set, lambda: None, lambda *_: None), logs=False)
    link.start()
    try:
        if there.wait(HUB_WITHIN):
            return well(hub=address, n=waiting)
        return warning("away", hub=address, n=waiting, why=link.trouble)
    finally:
        link.stop()


def _unsent(settings: Settings) -> int:
    """Records that the hall has not confirmed."""
    if settings.journal is None or not settings.journal.exists():
        return 0
    with closing(Outbox(settings.journal, CONSUMER)) as outbox:
        return sum(game.last_seq - game.position for game in outbox.games())


def clock(_settings: Settings) -> CheckFinding:
    """Whether the machine knows what day it is."""
    now = time.localtime()
    told = time.strftime("%Y-%m-%d %H:%M", now)
    return warning("wrong", now=told) if now.tm_year < FIRST_YEAR else well(now=told)


def settings_file(_settings: Settings) -> CheckFinding:
    """Whether the settings file can be used."""
    kept = read_settings()
    return well("kept", n=len(kept), path=settings_path()) if kept else well("default")


def language_of(settings: Settings) -> str:
    """The language in which a table that is begun with these settings is spoken to."""
    profile = settings.profile or settings.usual_profile or Profile()
    return settings.language or profile.voice


CHECKS: dict[str, Callable[[Settings], CheckFinding]] = {
    "settings": settings_file,
    "model": model,
    "players": players,
    "microphone": microphone,
    "camera": camera,
    "table": table,
    "voice": voice,
    "loudspeaker": loudspeaker,
    "disk": disk,
    "journal": journal,
    "port": port,
    "hub": hub,
    "clock": clock,
}
"""In the order in which they are told."""


def looked(check: Callable[[Settings], CheckFinding], settings: Settings) -> CheckFinding:
    """What a check found, also where it fails: then what it raised tells what to do."""
    try:
        return check(settings)
    except MusError as error:
        return wrong("error", text=str(error))
    except OSError as error:
        return wrong("error", text=f"{error.strerror or error}.")


def _there(folder: Path) -> Path:
    """The folder, or the next above it that exists."""
    return folder if folder.exists() else _there(folder.parent)


# ---- What a check found in the words of a language, which are data: ``checks.toml`` -----------


ANY = "any"
"""The table of what can come of every check."""


@dataclass(frozen=True, slots=True)
class CheckTold:
    """A check in words: its name, how it came out, what was found, and what to do ("": nothing)."""

    name: str
    state: CheckState
    found: str
    advice: str


class CheckWords:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        """Raises UsageError where their file is broken, SentenceError where it cannot be used."""
        self._words = load_wording("checks", language)

    def told(self, check: str, found: CheckFinding) -> CheckTold:
        """What a check found. Raises UsageError where a word is missing."""
        words = {name: str(word) for name, word in found.params.items()}
        about = check if f"{check}.{found.code}.0" in self._words.texts else ANY
        try:
            name = self._words(f"{check}.name")
            said = self._words(f"{about}.{found.code}.0", **words)
            advice = f"{about}.{found.code}.1"
            does = self._words(advice, **words) if advice in self._words.texts else ""
            return CheckTold(name, found.state, said, does)
        except KeyError as error:
            raise UsageError(f"checks: [{check}] has no good words for {found.code}.") from error
