"""The enrolled voices that this table keeps, and the speech model adapted to them."""

from __future__ import annotations

import json
import re
import wave
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from assistant.ear import SpeechError
from assistant.ear.audio import RATE, WIDTH, Samples, read_wav
from assistant.ear.network import BaseNetwork, digest_of, load_base, save_model
from assistant.files.atomic import delete_together, replaced
from assistant.files.paths import own_data_dir
from assistant.files.process import UsageError
from assistant.files.resources import languages, load_texts, model_dir
from assistant.files.terminal import output_text
from assistant.messages.documents import parse_json
from assistant.speakers.enrolment import Prompt, SaidPrompt, floats, prompts_from, reading_of
from assistant.speakers.fitting import PASSES, VoiceReading, fit

# ---- Enrolled voices: the players' readings, kept in the data folder and nowhere else -----------


NAME = re.compile(r"\w[\w-]{0,39}")
DESCRIPTION, ROOM = "voice.json", "room.wav"
NO_SOUND: Samples = np.zeros(0, np.int16)
MOST = 24
"""The most voices that a table keeps: the players of a peña, and an evening's guests."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """An enrolled voice.

    name      who read
    language  the language of the calls that were read
    made      when, as ISO 8601
    said      the calls that were read, each with its sound
    room      the room's sound between them
    """

    name: str
    language: str
    made: str
    said: tuple[SaidPrompt, ...]
    room: Samples

    @property
    def seconds(self) -> float:
        """Seconds of all readings."""
        return sum(len(one.sound) for one in self.said) / RATE


def own_dir() -> Path:
    """Where the voices lie (XDG); it need not be there."""
    return own_data_dir() / "voices"


def prompt_languages() -> tuple[str, ...]:
    """The languages whose calls can be read."""
    return languages("prompts")


def load_prompts(language: str, base: BaseNetwork) -> tuple[Prompt, ...]:
    """The prompts of a language. Raises UsageError, ModelError."""
    known = prompt_languages()
    if language not in known:
        raise UsageError(
            "There are no calls to read in {language!r}: choose from {known}.",
            language=language[:20],
            known=", ".join(known),
        )
    return prompts_from(load_texts("prompts", language), base.phones)


def check_name(name: str) -> None:
    """Raise UsageError if a voice cannot have this name."""
    if not NAME.fullmatch(name):
        raise UsageError(
            "A voice cannot be called {name!r}: take letters, digits, - and _, 40 at most.",
            name=name[:40],
        )


def names() -> list[str]:
    """The names of the voices that are kept."""
    return sorted(path.parent.name for path in own_dir().glob(f"[!.]*/{DESCRIPTION}"))


def enrolled(name: str) -> Enrolled:
    """A voice that is kept. Raises UsageError if there is none, or its files are broken."""
    folder = kept_voice(name)
    try:
        told = parse_json((folder / DESCRIPTION).read_text(encoding="utf-8"))
        said = tuple(SaidPrompt(one["say"], _sound(folder / one["file"])) for one in told["said"])
        room = _sound(folder / ROOM) if (folder / ROOM).is_file() else NO_SOUND
        return Enrolled(name, str(told["language"]), str(told["made"]), said, room)
    except (OSError, ValueError, KeyError, TypeError, SpeechError) as error:
        raise UsageError(
            "The voice {name!r} cannot be read: learn it again with 'mus enrol --replace {name}'.",
            name=name,
        ) from error


def keep(name: str, language: str, said: Sequence[SaidPrompt], room: Samples = NO_SOUND) -> None:
    """Write a voice, replacing an older one of that name atomically. Raises OSError."""
    with replaced(own_dir() / name, output_text("the voice {name}", name=name)) as partly:
        partly.mkdir(parents=True, mode=0o700)  # a voice is a person's own
        _write(partly, language, said, room)


def kept_voice(name: str) -> Path:
    """The folder of a voice that is kept. Raises UsageError where there is none."""
    if name not in names():
        raise UsageError(
            "There is no voice {name!r}: 'mus enrol --list' names them.", name=name[:40]
        )
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


# ---- The adapted speech model, beside the one that ships ----------------------------------------


MADE = "voices.json"
FITTED = "the speech model of this table"
"""Its name in the message that a change of it was cut short."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """An adapted model: its folder, the voices it learnt, and the digest of its base model."""

    folder: Path
    voices: tuple[str, ...]
    base: str


def fitted_dir() -> Path:
    """The folder of the adapted model (XDG); it need not exist."""
    return own_data_dir() / "ear"


def fitted() -> Fitted | None:
    """The adapted model; None if there is none, or its description cannot be read."""
    folder = fitted_dir()
    try:
        told = parse_json((folder / MADE).read_text(encoding="utf-8"))
        return Fitted(folder, tuple(told["voices"]), str(told["base"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_current(one: Fitted) -> bool:
    """Whether its base model is the one that ships now, and its voices are those kept now."""
    try:
        return one.base == digest_of(model_dir()) and list(one.voices) == names()
    except OSError:
        return False


def ear_model() -> Path:
    """The default speech model: the adapted one if it is current, else the one that ships."""
    one = fitted()
    return one.folder if one and is_current(one) else model_dir()


def forget(name: str) -> None:
    """Delete a voice's recordings together with the adapted model. Raises UsageError.

    The model has to be fitted again to the other voices; until then, the one that ships is used.
    """
    delete_together(
        output_text("the forgetting of the voice {name}", name=name),
        (kept_voice(name), fitted_dir()),
    )


def fit_voices(on_pass: Callable[[int, int], None]) -> Fitted | None:
    """Fit the model to all voices that are kept. Without voices: delete the model, return None.

    ``on_pass`` is called with the passes done and their number; before the first pass, with 0 as
    each voice is read. Whatever it raises ends the fit. Raises UsageError, ModelError, OSError.
    """
    voices = [enrolled(name) for name in names()]
    if not voices:
        delete_together(output_text(FITTED), (fitted_dir(),))
        return None
    on_pass(0, PASSES)
    base = load_base(model_dir())
    readings: list[VoiceReading] = []
    for voice in voices:
        on_pass(0, PASSES)
        readings += _readings(voice, base)
    rooms = [floats(voice.room) for voice in voices if len(voice.room)]
    layers = fit(
        base.layers, readings, base.bigram, rooms, on_pass=lambda done: on_pass(done, PASSES)
    )
    with replaced(fitted_dir(), output_text(FITTED)) as partly:
        save_model(partly, model_dir(), layers)
        _describe(partly, voices, base.digest)
    return fitted()


def _readings(voice: Enrolled, base: BaseNetwork) -> list[VoiceReading]:
    prompts = {prompt.say: prompt for prompt in load_prompts(voice.language, base)}
    known = [one for one in voice.said if one.say in prompts]
    if not known:
        raise UsageError(
            "The voice {name!r} read calls that are no longer asked for: learn it "
            "again with 'mus enrol --replace {name}'.",
            name=voice.name,
        )
    return [reading_of(base, one.sound, prompts[one.say]) for one in known]


def _describe(folder: Path, voices: list[Enrolled], base: str) -> None:
    """Write what the model was made of."""
    told = {
        "base": base,
        "voices": [voice.name for voice in voices],
        "made": datetime.now().astimezone().isoformat(timespec="seconds"),
    }
    (folder / MADE).write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")
