"""``mus doctor``: whether this machine has all that a table needs, and what to do if not."""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import Any

from assistant.cli.play_options import add_arguments, settings_from
from assistant.ear import SpeechError
from assistant.ear.hearing import vocabulary_of
from assistant.ear.microphone import (
    SYSTEM_DEFAULT,
    behind,
    better,
    channels_of,
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
from assistant.files.settings import (
    MICROPHONE,
    MOST_CHANNELS,
    Settings,
    read_settings,
    settings_path,
)
from assistant.files.terminal import printed_texts, terminal_language, translated
from assistant.hall.hub.broker import TABLE_LINE, remembered_broker
from assistant.hall.uplinked import CONSUMER
from assistant.language.script import DEFAULT_SEATS
from assistant.rules.errors import MusError
from assistant.rules.profile import Profile
from assistant.speakers.enrolled import fitted, is_current, names
from assistant.table.journal import Outbox, tables
from assistant.voice import VoiceSettings
from assistant.voice.speaker import Mouth, try_player

# ---- The checks: one function each, which returns what it found ---------------------------------


FIRST_YEAR = 2026
"""The first year of a right clock. Without a battery it starts long before that."""
LITTLE, TOO_LITTLE = 200, 20
"""Megabytes of free disk, below which there is a warning, and an error. An evening takes one."""
FEWEST_OF_ARRAY = 4
"""Channels from which on a microphone is worth hearing with all of them."""
PICTURE_WITHIN = 4.0
HUB_WITHIN = 5.0
SOME = 8
"""The most words that a speech model lacks and that are named."""


class CheckState(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """What a check found: a code, and what goes into the words for that code."""

    state: CheckState
    code: str
    params: Mapping[str, object] = field(default_factory=dict)


def well(code: str = "ok", **params: object) -> CheckFinding:
    """A finding: all is well."""
    return CheckFinding(CheckState.OK, code, params)


def warning(code: str, **params: object) -> CheckFinding:
    """A finding: a game can be played, and yet something should be done."""
    return CheckFinding(CheckState.WARNING, code, params)


def wrong(code: str, **params: object) -> CheckFinding:
    """A finding: no game can be played like this."""
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
    """The microphones that are there, the one in use, and whether any sound comes from it."""
    if settings.hearing != MICROPHONE:
        return well(settings.hearing)
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
    if silent:
        return _wrong_device(settings, "silent", source, found)
    several = channels_of(settings.mic) if settings.mic and settings.channels == 1 else 0
    if FEWEST_OF_ARRAY <= several <= MOST_CHANNELS:
        return well("several", names=", ".join(found), wanted=settings.mic, count=several)
    return well(names=", ".join(found))


def _wrong_device(settings: Settings, code: str, source: str, names: list[str]) -> CheckFinding:
    """What is wrong with the microphone in use, and which one would be better."""
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
    """The program that plays a sentence, and whether it would be heard."""
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
    """The hall that the game is sent to: whether it lets the table in, and how much is unsent.

    It is the hall of the settings, or else that of the last game, which may have been an option.
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
    """Whether the machine's clock is right."""
    now = time.localtime()
    told = time.strftime("%Y-%m-%d %H:%M", now)
    return warning("wrong", now=told) if now.tm_year < FIRST_YEAR else well(now=told)


def settings_file(_settings: Settings) -> CheckFinding:
    """Whether the settings file can be used."""
    kept = read_settings()
    return well("kept", n=len(kept), path=settings_path()) if kept else well("default")


def language_of(settings: Settings) -> str:
    """The language of the voice at a table that starts with these settings."""
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
"""The checks by name, in the order of the output."""


def looked(check: Callable[[Settings], CheckFinding], settings: Settings) -> CheckFinding:
    """What a check found. If it raises an error, the error's text says what to do."""
    try:
        return check(settings)
    except MusError as error:
        return wrong("error", text=str(error))
    except OSError as error:
        return wrong("error", text=f"{error.strerror or error}.")


def _there(folder: Path) -> Path:
    """The folder, or the nearest folder above it that exists."""
    return folder if folder.exists() else _there(folder.parent)


# ---- The findings in words, from the file ``checks.toml`` of a language -------------------------


ANY = "any"
"""The table of the findings that every check can have."""


@dataclass(frozen=True, slots=True)
class CheckTold:
    """A check in words: its name, its state, what it found, and what to do ("": nothing)."""

    name: str
    state: CheckState
    found: str
    advice: str


class CheckWords:
    """The words of the checks in one language."""

    def __init__(self, language: str) -> None:
        """Raises UsageError if their file is broken, SentenceError if it cannot be used."""
        self._words = load_wording("checks", language)
        self._errors = printed_texts(language)

    def told(self, check: str, found: CheckFinding) -> CheckTold:
        """A finding in words. Raises UsageError if a word is missing."""
        words = {name: translated(str(word), self._errors) for name, word in found.params.items()}
        about = check if f"{check}.{found.code}.0" in self._words.texts else ANY
        try:
            name = self._words(f"{check}.name")
            said = self._words(f"{about}.{found.code}.0", **words)
            advice = f"{about}.{found.code}.1"
            does = self._words(advice, **words) if advice in self._words.texts else ""
            return CheckTold(name, found.state, said, does)
        except KeyError as error:
            raise UsageError(
                "checks: [{check}] has no good words for {code}.", check=check, code=found.code
            ) from error


# ---- The command --------------------------------------------------------------------------------


WITHIN = 8.0
"""Seconds for all checks together; they run at the same time."""
MARKS = {CheckState.OK: "✓", CheckState.WARNING: "!", CheckState.WRONG: "✗"}


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "doctor",
        help="look whether this machine has all that a table needs",
        description="Look at the microphone, the camera, the voice, the speech model, the disk and "
        "whatever else a table needs, and say what to do about what is missing. Exit status: 0 all "
        "is well enough to play, 1 something is wrong.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    told = examined()
    if args.json:
        print(json.dumps([asdict(one) for one in told], ensure_ascii=False))
    else:
        for one in told:
            print(f"{MARKS[one.state]} {one.name:14}{one.found}")
            if one.advice:
                print(f"  {'':14}{one.advice}")
    sys.stdout.flush()
    return int(any(one.state is CheckState.WRONG for one in told))


def examined() -> list[CheckTold]:
    """What every check found, in order, in the language of the terminal."""
    settings, broken = _settings_kept()
    words = CheckWords(terminal_language())
    return [words.told(name, one) for name, one in (_found(settings) | broken).items()]


def _found(settings: Settings) -> dict[str, CheckFinding]:
    """What every check found. One that hangs is reported so, and not waited for."""
    found: dict[str, CheckFinding] = {}
    threads = [
        threading.Thread(target=_look, args=(name, check, settings, found), daemon=True)
        for name, check in CHECKS.items()
    ]
    for thread in threads:
        thread.start()
    late = threading.Event()
    timer = threading.Timer(WITHIN, late.set)
    timer.daemon = True
    timer.start()
    while not late.is_set() and any(thread.is_alive() for thread in threads):
        late.wait(0.02)
    timer.cancel()
    return {name: found.get(name, wrong("hangs")) for name in CHECKS}


def _look(
    name: str,
    check: Callable[[Settings], CheckFinding],
    settings: Settings,
    found: dict[str, CheckFinding],
) -> None:
    found[name] = looked(check, settings)


def _settings_kept() -> tuple[Settings, dict[str, CheckFinding]]:
    """This table's settings; or the defaults and what is wrong, if the file cannot be used."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args([])
    try:
        return settings_from(args), {}
    except MusError as error:
        return settings_from(args, {}), {"settings": wrong("error", text=str(error))}
