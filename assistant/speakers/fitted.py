"""The speech model fitted to the voices of this table, beside the one that ships."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from assistant.files.atomic import delete_together, replaced
from assistant.files.errors import UsageError
from assistant.files.paths import own_data_dir
from assistant.files.resources import model_dir
from assistant.messages.documents import parse_json
from assistant.speakers.enrolled import Enrolled, enrolled, kept_voice, load_prompts, names
from assistant.speakers.enrolment import floats, reading_of
from assistant.speakers.fitting import PASSES, VoiceReading, fit
from assistant.speakers.network import BaseNetwork, digest_of, load_base, save_model

MADE = "voices.json"
FITTED = "el modelo de voz de esta mesa"
"""What it is called where a change of it was cut short."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model: its folder, whose voices it learnt, and of which model it was made."""

    folder: Path
    voices: tuple[str, ...]
    base: str


def fitted_dir() -> Path:
    """Where the fitted model lies (XDG); it need not be there."""
    return own_data_dir() / "ear"


def fitted() -> Fitted | None:
    """The fitted model; None where there is none, or nobody can read what it was made of."""
    folder = fitted_dir()
    try:
        told = parse_json((folder / MADE).read_text(encoding="utf-8"))
        return Fitted(folder, tuple(told["voices"]), str(told["base"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_current(one: Fitted) -> bool:
    """Whether it was made of the model that ships now, and of the voices that are kept now."""
    try:
        return one.base == digest_of(model_dir()) and list(one.voices) == names()
    except OSError:
        return False


def ear_model() -> Path:
    """The model to hear with where nobody names one: the fitted one, if it is current."""
    one = fitted()
    return one.folder if one and is_current(one) else model_dir()


def forget(name: str) -> None:
    """Delete a voice's recordings and, at once, the model that learnt them. Raises UsageError.

    The model of the others has to be made anew; until it is, the one that ships hears.
    """
    delete_together(f"el olvido de la voz {name}", (kept_voice(name), fitted_dir()))


def fit_voices(on_pass: Callable[[int, int], None]) -> Fitted | None:
    """Make the model of all voices that are kept; None, and no model, where there are none.

    ``on_pass`` is told how many passes are done, and of how many. Raises UsageError, ModelError,
    OSError.
    """
    voices = [enrolled(name) for name in names()]
    if not voices:
        delete_together(FITTED, (fitted_dir(),))
        return None
    base = load_base(model_dir())
    readings = [reading for voice in voices for reading in _readings(voice, base)]
    rooms = [floats(voice.room) for voice in voices if len(voice.room)]
    layers = fit(
        base.layers, readings, base.bigram, rooms, on_pass=lambda done: on_pass(done, PASSES)
    )
    with replaced(fitted_dir(), FITTED) as partly:
        save_model(partly, model_dir(), layers)
        _describe(partly, voices, base.digest)
    return fitted()


def _readings(voice: Enrolled, base: BaseNetwork) -> list[VoiceReading]:
    prompts = {prompt.say: prompt for prompt in load_prompts(voice.language, base)}
    known = [one for one in voice.said if one.say in prompts]
    if not known:
        raise UsageError(
            f"The voice {voice.name!r} read calls that are no longer asked for: "
            f"learn it again with 'mus enrol --replace {voice.name}'."
        )
    return [reading_of(base, one.sound, prompts[one.say]) for one in known]


def _describe(folder: Path, voices: list[Enrolled], base: str) -> None:
    """Tell what it was made of."""
    told = {
        "base": base,
        "voices": [voice.name for voice in voices],
        "made": datetime.now().astimezone().isoformat(timespec="seconds"),
    }
    (folder / MADE).write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")
