"""Players whose voices the table knows: their readings, kept in the data folder, nowhere else."""

from __future__ import annotations

import json
import re
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from assistant.ear import SpeechError
from assistant.ear.audio import RATE, WIDTH, Samples, read_wav
from assistant.files.atomic import replaced
from assistant.files.errors import UsageError
from assistant.files.paths import own_data_dir
from assistant.files.resources import languages, load_texts
from assistant.messages.documents import parse_json
from assistant.speakers.enrolment import Prompt, SaidPrompt, prompts_from
from assistant.speakers.network import BaseNetwork

NAME = re.compile(r"\w[\w-]{0,39}")
DESCRIPTION, ROOM = "voice.json", "room.wav"
NO_SOUND: Samples = np.zeros(0, np.int16)
MOST = 24
"""Voices that a table learns: the players of a peña, and an evening's guests."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A player's voice.

    name, language  who read, and of which language's calls
    made            when, as ISO 8601
    said            the calls that were read, each with its sound
    room            what the microphone heard between them
    """

    name: str
    language: str
    made: str
    said: tuple[SaidPrompt, ...]
    room: Samples

    @property
    def seconds(self) -> float:
        """How much was read."""
        return sum(len(one.sound) for one in self.said) / RATE


def own_dir() -> Path:
    """Where the voices lie (XDG); it need not be there."""
    return own_data_dir() / "voices"


def prompt_languages() -> tuple[str, ...]:
    """The languages whose calls can be read."""
    return languages("prompts")


def load_prompts(language: str, base: BaseNetwork) -> tuple[Prompt, ...]:
    """What is read in a language. Raises UsageError, ModelError."""
    known = prompt_languages()
    if language not in known:
        raise UsageError(
            f"There are no calls to read in {language[:20]!r}: choose from {', '.join(known)}."
        )
    return prompts_from(load_texts("prompts", language), base.phones)


def check_name(name: str) -> None:
    """Raise UsageError where a voice cannot be called so."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"A voice cannot be called {name[:40]!r}: take letters, digits, - and _, 40 at most."
        )


def names() -> list[str]:
    """Whose voices are kept."""
    return sorted(path.parent.name for path in own_dir().glob(f"[!.]*/{DESCRIPTION}"))


def enrolled(name: str) -> Enrolled:
    """A voice that is kept. Raises UsageError where there is none, or its files are broken."""
    folder = kept_voice(name)
    try:
        told = parse_json((folder / DESCRIPTION).read_text(encoding="utf-8"))
        said = tuple(SaidPrompt(one["say"], _sound(folder / one["file"])) for one in told["said"])
        room = _sound(folder / ROOM) if (folder / ROOM).is_file() else NO_SOUND
        return Enrolled(name, str(told["language"]), str(told["made"]), said, room)
    except (OSError, ValueError, KeyError, TypeError, SpeechError) as error:
        raise UsageError(
            f"The voice {name!r} cannot be read: learn it again with 'mus enrol --replace {name}'."
        ) from error


def keep(name: str, language: str, said: Sequence[SaidPrompt], room: Samples = NO_SOUND) -> None:
    """Write a voice whole before it takes the place of an older one. Raises OSError."""
    with replaced(own_dir() / name, f"la voz {name}") as partly:
        partly.mkdir(parents=True, mode=0o700)  # a voice is a person's own
        _write(partly, language, said, room)


def kept_voice(name: str) -> Path:
    """The folder of a voice that is kept. Raises UsageError where there is none."""
    if name not in names():
        raise UsageError(f"There is no voice {name[:40]!r}: 'mus enrol --list' names them.")
    return own_dir() / name


def write_wav(path: Path, sound: Samples) -> None:
    """Write mono sound at the ear's rate. Raises OSError."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(WIDTH)
        file.setframerate(RATE)
        file.writeframes(sound.astype("<i2").tobytes())


def _write(folder: Path, language: str, said: Sequence[SaidPrompt], room: Samples) -> None:
    files = [f"{number:02}.wav" for number, _ in enumerate(said, start=1)]
    for file, one in zip(files, said, strict=True):
        write_wav(folder / file, one.sound)
    if len(room):
        write_wav(folder / ROOM, room)
    told = {
        "language": language,
        "made": datetime.now().astimezone().isoformat(timespec="seconds"),
        "said": [{"say": one.say, "file": file} for file, one in zip(files, said, strict=True)],
    }
    text = json.dumps(told, ensure_ascii=False, indent=1)
    (folder / DESCRIPTION).write_text(text + "\n", encoding="utf-8")


def _sound(path: Path) -> Samples:
    return np.concatenate(list(read_wav(path)))
