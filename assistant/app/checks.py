"""What ``mus doctor`` looks at: each is a function that tells what it found and what to do."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from assistant.announce import VoiceSettings
from assistant.announce.mouth import Mouth
from assistant.announce.player import find_player
from assistant.app.calibrate import table_dir
from assistant.app.decks import find_deck
from assistant.app.resources import load_lexicon, load_phrases
from assistant.app.settings import Settings
from assistant.app.settings_file import read_settings, settings_path
from assistant.journal import tables
from assistant.rules.errors import MusError
from assistant.rules.profile import Profile
from assistant.speech import Recogniser
from assistant.speech.microphone import microphones
from assistant.vision.calibration import load_calibration
from assistant.vision.source import open_source
from assistant.vision.watch import is_black

FIRST_YEAR = 2026
"""The clock of a machine without a battery begins long before that."""
LITTLE, TOO_LITTLE = 200, 20
"""Megabytes of free disk: an evening's journal takes one."""
PICTURE_WITHIN = 4.0


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, and what to do about it ("" where it is well)."""

    state: State
    found: str
    advice: str = ""


def well(found: str) -> Found:
    """All is well."""
    return Found(State.OK, found)


def model(settings: Settings) -> Found:
    """The speech model, loaded with a grammar."""
    Recogniser(settings.model, load_lexicon().grammar())
    return well(settings.model.name)


def microphone(settings: Settings) -> Found:
    """The microphones there are, and the one that is asked for."""
    found = microphones()
    if not found:
        return Found(State.WRONG, "no hay ninguno",
                     "Conecta uno; sin micrófono se juega tocando la página.")  # fmt: skip
    wanted = (settings.mic or "").lower()
    if wanted and not any(wanted in name.lower() for name in found):
        advice = f"Ninguno se llama {settings.mic!r}: mus settings mic NOMBRE lo cambia."
        return Found(State.WRONG, ", ".join(found), advice)
    return well(", ".join(found))


def camera(settings: Settings) -> Found:
    """The camera, if one is set: whether it gives a picture."""
    if not settings.camera:
        return well("ninguna: las cartas se dicen o se tocan")
    with open_source(settings.camera) as source:
        frame = source.read(PICTURE_WITHIN)
    if frame is None:
        return Found(State.WRONG, "no da imagen", "Mira si está enchufada y libre.")
    high, wide = frame.image.shape[:2]
    if is_black(frame.image):
        return Found(State.WARNING, "imagen negra", "Destápala o da más luz.")
    return well(f"{wide} x {high}")


def table(settings: Settings) -> Found:
    """The deck and the calibration, if there is a camera."""
    if not settings.camera:
        return well("sin cámara no hace falta calibrarla")
    deck = find_deck(settings.deck)
    folder = settings.table or table_dir()
    if not folder.exists():
        return Found(State.WARNING, f"baraja {deck.name}, sin calibrar",
                     f"Calíbrala: mus calibrate --camera {settings.camera}")  # fmt: skip
    load_calibration(folder)
    return well(f"baraja {deck.name}, calibrada")


def voice(settings: Settings) -> Found:
    """Whether a sentence could be spoken in the table's language."""
    if settings.voice == "off":
        return well("apagada")
    profile = settings.profile or settings.usual_profile or Profile()
    sound = VoiceSettings(load_phrases(profile.voice).code, name=settings.voice_name)
    with closing(Mouth(sound)) as mouth:
        mouth.check()
    return well(settings.voice_name or sound.language)


def loudspeaker(settings: Settings) -> Found:
    """What plays a sentence."""
    if settings.voice == "off":
        return well("no hace falta")
    return well(find_player()[0])


def disk(settings: Settings) -> Found:
    """Whether the journal has room."""
    folder = _there(settings.journal.parent if settings.journal else Path.home())
    free = shutil.disk_usage(folder).free // 2**20
    found = f"{free} MB libres en {folder}"
    if free < TOO_LITTLE:
        return Found(State.WRONG, found, "Haz sitio: la partida no se podrá guardar.")
    if free < LITTLE:
        return Found(State.WARNING, found, "Haz sitio pronto.")
    return well(found)


def journal(settings: Settings) -> Found:
    """Whether the games that are kept can be read."""
    if settings.journal is None or not settings.journal.exists():
        return well("todavía ninguno")
    return well(f"{len(tables(settings.journal))} partidas en {settings.journal}")


def port(settings: Settings) -> Found:
    """Whether the page can be served."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            return Found(State.WRONG, f"{settings.port}: {error.strerror}",
                         "¿Hay otra partida en marcha? Si no: mus settings port 8766")  # fmt: skip
    return well(str(settings.port))


def clock(_settings: Settings) -> Found:
    """Whether the machine knows what day it is."""
    now = time.localtime()
    found = time.strftime("%Y-%m-%d %H:%M", now)
    if now.tm_year < FIRST_YEAR:
        return Found(State.WARNING, found,
                     "Ponlo en hora: sin red, una Raspberry Pi no la sabe.")  # fmt: skip
    return well(found)


def settings_file(_settings: Settings) -> Found:
    """Whether the settings file can be used."""
    kept = read_settings()
    return well(f"{len(kept)} en {settings_path()}" if kept else "los de siempre")


CHECKS: dict[str, Callable[[Settings], Found]] = {
    "ajustes": settings_file,
    "modelo": model,
    "micrófono": microphone,
    "cámara": camera,
    "mesa": table,
    "voz": voice,
    "altavoz": loudspeaker,
    "disco": disk,
    "diario": journal,
    "puerto": port,
    "reloj": clock,
}
"""In the order in which they are told."""


def looked(check: Callable[[Settings], Found], settings: Settings) -> Found:
    """What a check found, also where it fails: then what it raised tells what to do."""
    try:
        return check(settings)
    except MusError as error:
        return Found(State.WRONG, "no", str(error))
    except OSError as error:
        return Found(State.WRONG, "no", f"{error.strerror or error}.")


def _there(folder: Path) -> Path:
    """The folder, or the next above it that exists."""
    return folder if folder.exists() else _there(folder.parent)
