"""Speech engines beside pyttsx3: Piper and RHVoice by their commands, and folders of recordings.

Each is chosen by its name: "piper: es_ES-davefx-medium", "rhvoice: Mateo", "recorded: abuela".
"""

from __future__ import annotations

import importlib.util
import json
import logging
import re
import shutil
import subprocess
import sys
import wave
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.files.paths import data_dir, own_data_dir
from assistant.rules.errors import Translatable
from assistant.voice.port import Timbre, VoiceError, VoiceSettings, respelt

log = logging.getLogger("mus.voice")

PIPER, RHVOICE, RECORDED = "piper", "rhvoice", "recorded"
ENGINES = (PIPER, RHVOICE, RECORDED)
USUAL_RATE = 180
"""Words a minute at which Piper and RHVoice speak by themselves, near enough."""
DEADLINE_S = 15.0
"""Seconds after which a command is given up; Piper on a small computer takes two."""
RHVOICE_SHARES = (Path("/usr/share/RHVoice"), Path("/usr/local/share/RHVoice"))
PIPER_SHARES = (Path("/usr/share/piper-voices"), Path("/usr/local/share/piper-voices"))
MOST_FILES = 2000
"""Files of a folder that are looked at, so that a wrong folder takes no time."""

# ---- Sounds: 16-bit, mono, joined at the first one's rate ---------------------------------------


@dataclass(frozen=True, slots=True)
class SoundPiece:
    """A piece of sound: samples, and how many make a second."""

    rate: int
    samples: NDArray[np.int16]


def read_piece(path: Path) -> SoundPiece:
    """A WAV file as 16-bit mono. Raises VoiceError."""
    try:
        with wave.open(str(path), "rb") as file:
            width, channels, rate = file.getsampwidth(), file.getnchannels(), file.getframerate()
            data = file.readframes(min(file.getnframes(), 60 * rate))
        if width != 2:
            raise wave.Error("it is not 16-bit")
    except (OSError, EOFError, wave.Error) as error:
        raise VoiceError(
            "{path} is no sound that can be played ({why}): save it as a 16-bit WAV file.",
            path=path,
            why=error,
        ) from error
    frames = np.frombuffer(data[: len(data) // (2 * channels) * 2 * channels], "<i2")
    mono = frames.reshape(-1, channels).mean(axis=1)
    return SoundPiece(rate, mono.astype(np.int16))


def silence(seconds: float, rate: int) -> SoundPiece:
    """So many seconds of nothing."""
    return SoundPiece(rate, np.zeros(round(seconds * rate), np.int16))


def join_pieces(pieces: Sequence[SoundPiece], path: Path) -> float:
    """Write the pieces one after the other; return their seconds. Raises OSError."""
    rate = pieces[0].rate
    samples = np.concatenate([_at_rate(piece, rate) for piece in pieces])
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", "not compressed"))
        file.writeframes(samples.astype("<i2").tobytes())
    return len(samples) / rate


def _at_rate(piece: SoundPiece, rate: int) -> NDArray[np.int16]:
    if piece.rate == rate or not len(piece.samples):
        return piece.samples
    count = round(len(piece.samples) * rate / piece.rate)
    places = np.linspace(0, len(piece.samples) - 1, count)
    return np.interp(places, np.arange(len(piece.samples)), piece.samples).astype(np.int16)


def tones_path(moment: str) -> Path:
    """The tones of a moment: "ordago", "juego" or "match" (scripts/lab/make_tones.py)."""
    return data_dir("models") / "sounds" / f"{moment}.wav"


# ---- Piper and RHVoice: a command makes a WAV file of a text ------------------------------------


class Engine(Protocol):
    """A speech engine: makes sound of sentences."""

    def check(self) -> None:
        """Raise VoiceError, with what to do, where no sentence could be made at all."""

    def render(self, text: str, path: Path, timbre: Timbre) -> float:
        """Write the sentence into ``path``; return its length in seconds. Raises VoiceError."""


class PiperEngine:
    """A Piper voice: an ``.onnx`` file with its ``.onnx.json`` beside it."""

    def __init__(self, settings: VoiceSettings, model: Path) -> None:
        self._settings = settings
        self._model = model

    def check(self) -> None:
        """Raise VoiceError where Piper itself is missing."""
        piper_command()

    def render(self, text: str, path: Path, timbre: Timbre) -> float:
        """Write the sentence into ``path``; return its length in seconds. Raises VoiceError."""
        slower = USUAL_RATE / (self._settings.rate * timbre.rate)
        command = [*piper_command(), "--model", str(self._model), "--output_file", str(path)]
        command += ["--length_scale", f"{slower:.2f}"]
        told = respelt(text, self._settings.sounds)
        return _spoken_by(command, told, path, f"{PIPER}: {self._model.stem}")


class RHVoiceEngine:
    """An RHVoice voice, spoken by its command ``RHVoice-test``."""

    def __init__(self, settings: VoiceSettings, profile: str) -> None:
        self._settings = settings
        self._profile = profile

    def check(self) -> None:
        """Raise VoiceError where RHVoice itself is missing."""
        rhvoice_command()

    def render(self, text: str, path: Path, timbre: Timbre) -> float:
        """Write the sentence into ``path``; return its length in seconds. Raises VoiceError."""
        rate = round(100 * self._settings.rate * timbre.rate / USUAL_RATE)
        pitch = self._settings.pitch + timbre.pitch  # 100 is the voice's own
        command = [*rhvoice_command(), "-p", self._profile, "-o", str(path)]
        command += ["-r", str(rate), "-t", str(max(50, min(200, pitch)))]
        told = respelt(text, self._settings.sounds)
        return _spoken_by(command, told, path, f"{RHVOICE}: {self._profile}")


def piper_command() -> tuple[str, ...]:
    """The command that speaks by Piper. Raises VoiceError."""
    if importlib.util.find_spec("piper") and importlib.util.find_spec("piper.voice"):
        return sys.executable, "-m", "piper"
    # "piper" may also be the program of that name that sets up mice.
    for name in ("piper-tts", "piper"):
        if found := shutil.which(name):
            return (found,)
    raise VoiceError(
        "Piper is not installed: install it (pip install piper-tts), or choose another voice."
    )


def rhvoice_command() -> tuple[str, ...]:
    """The command that speaks by RHVoice. Raises VoiceError."""
    if found := shutil.which("RHVoice-test"):
        return (found,)
    raise VoiceError(
        "RHVoice is not installed: install it (apt install rhvoice), or choose another voice."
    )


def _spoken_by(command: Sequence[str], text: str, path: Path, name: str) -> float:
    path.unlink(missing_ok=True)  # or an earlier sentence might be taken for this one
    try:
        done = subprocess.run(
            command,
            input=text + "\n",
            capture_output=True,
            text=True,
            errors="replace",
            timeout=DEADLINE_S,
            check=False,
        )
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        why = said[-1][:160] if said else f"exit {done.returncode}"
    except subprocess.TimeoutExpired as error:
        raise _mute(name, Translatable("it takes longer than {n:g} s", n=DEADLINE_S)) from error
    except OSError as error:
        raise _mute(name, error.strerror or "") from error
    if done.returncode or not path.is_file():
        raise _mute(name, why)
    piece = read_piece(path)
    if not len(piece.samples):
        raise _mute(name, Translatable("it gives no sound"))
    return join_pieces([piece], path)  # a header that a pipe left open is written anew


def _mute(name: str, why: str) -> VoiceError:
    return VoiceError(
        "The voice {name} cannot speak ({why}): install it anew, or choose another one.",
        name=name,
        why=why,
    )


# ---- A recorded voice: a folder of WAV files, each named by the words that it says --------------


COMMA_S, STOP_S = 0.12, 0.3
"""Seconds of silence after a comma and after a sentence."""
_WORDS = re.compile(r"[^\W_]+|[,;:.?!]+")


class RecordedEngine:
    """Somebody's recordings: "una.wav", "para norte y sur.wav", "órdago de.wav".

    A sentence is put together from the longest pieces. If one of its words was never recorded,
    another voice says the whole sentence, so that nobody misses it.
    """

    def __init__(self, folder: Path, otherwise: Engine) -> None:
        """``otherwise``: the voice for what was not recorded."""
        self._folder = folder
        self._otherwise = otherwise

    def check(self) -> None:
        """Raise VoiceError where there are no recordings, or no voice for the rest."""
        pieces = self._pieces()
        if not pieces:
            raise VoiceError(
                "{path} has no recordings: put WAV files there, each named by its words.",
                path=self._folder,
            )
        read_piece(next(iter(pieces.values())))
        self._otherwise.check()

    def render(self, text: str, path: Path, timbre: Timbre) -> float:
        """Write the sentence into ``path``; return its length in seconds. Raises VoiceError."""
        chosen = self._chosen(text)
        if chosen is None:
            log.debug("not recorded: %s", text)
            return self._otherwise.render(text, path, timbre)
        return join_pieces(chosen, path)

    def _pieces(self) -> dict[tuple[str, ...], Path]:
        files = sorted(self._folder.glob("*.wav"))[:MOST_FILES]
        return {tuple(_words(file.stem)): file for file in files}

    def _chosen(self, text: str) -> list[SoundPiece] | None:
        """The pieces of a sentence, with silence where it has a comma or a stop."""
        pieces = self._pieces()
        longest = max(map(len, pieces), default=0)
        found: list[SoundPiece] = []
        tokens = _WORDS.findall(text.lower())
        at = 0
        while at < len(tokens):
            if not tokens[at][0].isalnum():
                if found:
                    pause = STOP_S if tokens[at][0] in ".?!" else COMMA_S
                    found.append(silence(pause, found[0].rate))
                at += 1
                continue
            ends = range(min(len(tokens), at + longest), at, -1)
            end = next((end for end in ends if tuple(tokens[at:end]) in pieces), None)
            if end is None:
                return None
            found.append(read_piece(pieces[tuple(tokens[at:end])]))
            at = end
        return found or None


def _words(text: str) -> list[str]:
    return [word for word in _WORDS.findall(text.lower()) if word[0].isalnum()]


# ---- The installed voices, and the one that a name means ----------------------------------------


@dataclass(frozen=True, slots=True)
class InstalledVoice:
    """A voice that is there: its engine, its own name, its language, and its file or folder."""

    engine: str
    own: str
    language: str
    path: Path

    @property
    def name(self) -> str:
        """The name by which it is chosen."""
        return f"{self.engine}: {self.own}"


def installed_voices() -> list[InstalledVoice]:
    """The voices of Piper and RHVoice and the recorded ones, of all languages."""
    return sorted([*_piper_voices(), *_rhvoice_voices(), *_recorded_voices()], key=_name)


def _name(voice: InstalledVoice) -> str:
    return voice.name.lower()


def recorded_dir() -> Path:
    """The folder of recorded voices: LANGUAGE/NAME/*.wav; it need not exist."""
    return own_data_dir() / RECORDED


def piper_dir() -> Path:
    """The folder where a player puts Piper's voices; it need not exist."""
    return own_data_dir() / PIPER


def _piper_voices() -> Iterator[InstalledVoice]:
    seen = set[str]()
    for folder in (piper_dir(), own_data_dir().parent / "piper-voices", *PIPER_SHARES):
        for model in _first(folder.rglob("*.onnx")) if folder.is_dir() else ():
            config = model.with_name(f"{model.name}.json")
            if config.is_file() and model.stem not in seen:
                seen.add(model.stem)
                yield InstalledVoice(PIPER, model.stem, _piper_language(model, config), model)


def _first(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path, _ in zip(paths, range(MOST_FILES), strict=False))


def _piper_language(model: Path, config: Path) -> str:
    """The code that its file of settings tells, or else that which its name begins with."""
    try:
        told = json.loads(config.read_text("utf-8"))["language"]["code"]
    except (OSError, ValueError, LookupError, TypeError):
        told = model.stem
    return re.split(r"[_-]", str(told))[0].lower()


RHVOICE_LANGUAGES = {"spanish": "es", "basque": "eu", "english": "en"}


def _rhvoice_voices() -> Iterator[InstalledVoice]:
    for share in RHVOICE_SHARES:
        for info in sorted(share.glob("voices/*/voice.info")):
            try:
                lines = info.read_text("utf-8").splitlines()
            except (OSError, UnicodeDecodeError):
                continue
            told = dict(line.partition("=")[::2] for line in lines if "=" in line)
            spoken = re.split(r"\W", told.get("language", "").lower())[0]
            name = told.get("name") or info.parent.name
            code = RHVOICE_LANGUAGES.get(spoken, spoken)
            yield InstalledVoice(RHVOICE, name, code, info.parent)


def _recorded_voices() -> Iterator[InstalledVoice]:
    for folder in sorted(recorded_dir().glob("*/*")):
        if folder.is_dir() and any(folder.glob("*.wav")):
            yield InstalledVoice(RECORDED, folder.name, folder.parent.name, folder)


def voice_meant(name: str, language: str) -> InstalledVoice | None:
    """The voice of these engines that a name means; None where it means one of pyttsx3's.

    "piper: davefx" is a part of the name after its engine, "piper" the first of the language, and
    "davefx-medium" a whole name. Raises VoiceError where an engine is named and has no such voice.
    """
    engine, _, part = (text.strip().lower() for text in name.partition(":"))
    voices = installed_voices()
    if engine not in ENGINES:
        return next((voice for voice in voices if voice.own.lower() == name.strip().lower()), None)
    mine = [voice for voice in voices if voice.engine == engine]
    whole = [voice for voice in mine if voice.own.lower() == part]
    speaking = [voice for voice in mine if voice.language == language.split("-")[0]]
    near = [voice for voice in (speaking if not part else mine) if part in voice.own.lower()]
    found = whole or near
    if len(found) == 1 or (found and not part):
        return found[0]
    if found:
        raise VoiceError(
            "Here more than one voice has {name!r} in its name: choose one of {some}.",
            name=name,
            some=", ".join(voice.name for voice in found),
        )
    raise _missing(engine, name)


def _missing(engine: str, name: str) -> VoiceError:
    """What to do where an engine has no such voice."""
    _commands: dict[str, Callable[[], object]] = {PIPER: piper_command, RHVOICE: rhvoice_command}
    if engine in _commands:
        try:
            _commands[engine]()
        except VoiceError as error:
            return error
    if engine == RHVOICE:
        return VoiceError(
            "RHVoice has no voice {name!r} here: install the package of one.", name=name
        )
    folder = piper_dir() if engine == PIPER else recorded_dir()
    return VoiceError(
        "There is no voice {name!r} in {folder}: put it there.", name=name, folder=folder
    )
