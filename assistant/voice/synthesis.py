"""Speech synthesis by pyttsx3, in a process of its own: ``python -m assistant.voice.synthesis``."""

from __future__ import annotations

import gc
import importlib
import json
import logging
import os
import re
import signal
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from assistant.rules.errors import Translatable
from assistant.voice.engines import (
    PIPER,
    RHVOICE,
    Engine,
    PiperEngine,
    RecordedEngine,
    RHVoiceEngine,
    installed_voices,
    join_pieces,
    read_piece,
    silence,
    tones_path,
    voice_meant,
)
from assistant.voice.port import Timbre, VoiceError, VoiceSettings, respelt

# ---- Sentences into sound, by pyttsx3 -----------------------------------------------------------
# pyttsx3's own ``say`` is not used. On Linux it plays through a shell inside espeak-ng's callback:
# it cannot be interrupted, leaves its file behind when playing fails, and waits for as long as a
# stuck sound device does. Here pyttsx3 only writes a WAV file (about 10 ms a sentence), and we play
# it.
#
# Known about pyttsx3 2.99:
#
# * ``init`` gives one engine per driver to the whole process, and espeak-ng exists once in it: two
#   synthesisers used in turn mix their settings. A process has one, behind one lock.
# * An engine that is dropped unhooks espeak-ng's callback when Python collects it, and after that a
#   newer engine is mute. So the old one is collected before another is made.
# * Only the last text before ``runAndWait`` is spoken: one sentence, one run.
# * The first ``runAndWait`` of an engine returns before anything is spoken. A sentence ends when
#   the driver says that its file is written.
# * A later ``runAndWait`` never returns if the driver fails on that file, in a callback that hides
#   exceptions. So the file is tried first, and a timer ends the loop of a stuck engine.
# * The driver says so in espeak-ng's thread and then ends its loop there. It would end the loop of
#   a sentence begun meanwhile, and cut its sound. So we wait for that thread.
# * That thread takes the settings, too. ``runAndWait`` stops the driver before its loop begins. If
#   espeak-ng still takes a setting then, the driver believes that it speaks, and cancels the
#   sentence that follows. So we wait for that thread before each sentence, too.
# * The driver prints to standard output, where ``mus`` prints its results. We make it print to the
#   log.


log = logging.getLogger("mus.voice")

_LOCK = threading.Lock()
SENTENCE_END = re.compile(r"(?<=[.?!]) ")

OWN = Timbre()
"""The voice of the settings as it is."""
SHOWN = 12
"""How many voices a message names if the wanted one is not there."""
PATIENCE = 10.0
"""Seconds after which an engine counts as dead; half a minute of speech takes a third of a
second."""

MUTE = (
    "The voice cannot speak ({why}): install espeak-ng (apt install espeak-ng), or use --voice off."
)


class Synthesiser:
    """Makes WAV files of sentences. Its engine is made at the first use, and again if it dies."""

    def __init__(self, settings: VoiceSettings) -> None:
        self._settings = settings
        self.volume = settings.volume
        """0 to 1, of the sentences to come; set by any thread."""
        self._engine: Any = None
        self._voice = ""
        self._finished = threading.Event()

    def check(self) -> None:
        """Raise VoiceError, with what to do, where no sentence could be made at all."""
        with _LOCK:
            self._start()
            # The thread that will speak makes its own engine.
            self._drop()

    def voices(self) -> list[str]:
        """The names of pyttsx3's voices of the language. Raises VoiceError."""
        with _LOCK:
            voices = self._start().getProperty("voices")
            self._drop()
        return sorted({str(voice.name) for voice in voices_of(voices, self._settings.language)})

    def render(self, text: str, path: Path, timbre: Timbre = OWN) -> float:
        """Write the sentence into ``path``; return its length in seconds. Raises VoiceError."""
        with _LOCK:
            try:
                return self._render(text, path, timbre)
            except VoiceError:
                raise
            except Exception as error:
                log.debug("the engine died (%s); another is made", error)
            self._drop()
            try:
                return self._render(text, path, timbre)
            except VoiceError:
                raise
            except Exception as error:
                self._drop()
                raise VoiceError(
                    "The sentence {text!r} could not be spoken: {error}.", text=text, error=error
                ) from error

    def close(self) -> None:
        """Give the engine back."""
        with _LOCK:
            self._drop()

    def _render(self, text: str, path: Path, timbre: Timbre) -> float:
        if self._engine is None:
            self._start()
            # A new engine keeps its settings back until its first sentence begins, and espeak-ng
            # takes them in another thread. So the first sentence has none, and is never played.
            self._say("mus", path)
        self._put_on(timbre)
        return self._say(respelt(text, self._settings.sounds), path)

    def _say(self, text: str, path: Path) -> float:
        engine = self._engine
        path.write_bytes(b"")
        _wait_for_espeak()
        engine.save_to_file(text, str(path))
        self._finished.clear()
        # The proxy's, not the engine's own: that one refuses, believing that the loop ended.
        watchdog = threading.Timer(PATIENCE, engine.proxy.endLoop, (True,))
        watchdog.daemon = True
        watchdog.start()
        try:
            engine.runAndWait()
        finally:
            watchdog.cancel()
        if not self._finished.wait(PATIENCE):
            raise TimeoutError("the engine is stuck")
        _wait_for_espeak()
        _soften(path, self.volume)
        seconds = wav_seconds(path)
        if seconds == 0 and any(map(str.isalnum, text)):
            # The end of the last sentence came late, and was taken for the end of this one.
            raise RuntimeError("nothing was spoken")
        return seconds

    def _put_on(self, timbre: Timbre) -> None:
        """Speak in a timbre from now on, as far as the engine has settings for it."""
        engine, voice = self._engine, self._voice
        if is_espeak := "pyttsx3.drivers.espeak" in sys.modules:
            voice = f"{voice}+{timbre.variant}" if timbre.variant else voice
        engine.setProperty("voice", voice)
        engine.setProperty("rate", round(self._settings.rate * timbre.rate))
        if is_espeak:
            pitch = self._settings.pitch + timbre.pitch - OWN.pitch
            engine.setProperty("pitch", min(max(pitch, 0), 99))

    def _start(self) -> Any:
        try:
            pyttsx3 = importlib.import_module("pyttsx3")
            engine = pyttsx3.init()
            voices = engine.getProperty("voices")
        except Exception as error:
            # Drivers pass on what they get: OSError if the library is missing, RuntimeError if its
            # voices are.
            raise VoiceError(MUTE, why=str(error).rstrip(".")) from error
        _hush()
        name, language = self._settings.name, self._settings.language
        voice = voice_named(voices, name, language) if name else choose_voice(voices, language)
        if voice is None:
            raise VoiceError(
                MUTE, why=Translatable("it has no voice for '{language}'", language=language)
            )
        finished = threading.Event()
        engine.connect("finished-utterance", lambda **_: finished.set())
        self._engine, self._voice, self._finished = engine, voice, finished
        return engine

    def _drop(self) -> None:
        self._engine = None
        gc.collect()


class VoiceEngines:
    """The engine that the settings name, with the pauses of a style and the tones before a line."""

    def __init__(self, settings: VoiceSettings) -> None:
        """Nothing is started yet."""
        self._settings = replace(settings, volume=1.0)  # the whole is softened at the end
        self._chosen: Engine | None = None
        self.volume = settings.volume
        """0 to 1, of the sentences to come."""

    def check(self) -> None:
        """Raise VoiceError, with what to do, where no sentence could be made at all."""
        self._engine().check()

    def voices(self) -> list[str]:
        """The names of all installed voices of the language. Raises VoiceError without any."""
        code = self._settings.language.split("-")[0]
        others = [voice.name for voice in installed_voices() if voice.language == code]
        try:
            plain = Synthesiser(replace(self._settings, name="")).voices()
        except VoiceError:
            if not others:
                raise
            plain = []
        return [*others, *plain]

    def render(self, text: str, path: Path, timbre: Timbre = OWN, tones: str = "") -> float:
        """Write the sentence into ``path``; return its length in seconds. Raises VoiceError.

        ``tones``: those of a moment that sound before it; "" for none.
        """
        engine, pause = self._engine(), self._settings.pause
        parts = SENTENCE_END.split(text) if pause else [text]
        pieces = [read_piece(tones_path(tones))] if tones else []
        seconds = 0.0
        for part in parts:
            seconds = engine.render(part, path, timbre)
            if tones or len(parts) > 1:
                piece = read_piece(path)
                pieces += [piece, silence(pause, piece.rate)] if part is not parts[-1] else [piece]
        if pieces:
            seconds = join_pieces(pieces, path)
        _soften(path, self.volume)
        return seconds

    def _engine(self) -> Engine:
        """The engine of the settings; a voice that is installed meanwhile is found."""
        if self._chosen is None:
            self._chosen = _engine_of(self._settings)
        return self._chosen


def _engine_of(settings: VoiceSettings) -> Engine:
    meant = voice_meant(settings.name, settings.language) if settings.name else None
    if meant is None:
        return Synthesiser(settings)
    if meant.engine == PIPER:
        return PiperEngine(settings, meant.path)
    if meant.engine == RHVOICE:
        return RHVoiceEngine(settings, meant.own)
    return RecordedEngine(meant.path, Synthesiser(replace(settings, name="")))


def voice_named(voices: Iterable[Any], name: str, language: str = "") -> str:
    """The id of the one voice whose name or id contains ``name``; an equal name comes first.

    Raises VoiceError if there is none or more than one. It names some: those of the language, where
    there are any.
    """
    voices = list(voices)
    known = {str(voice.id): str(voice.name or voice.id) for voice in voices}
    wanted = name.lower()
    whole = [id for id, told in known.items() if wanted in (id.lower(), told.lower())]
    part = [id for id, told in known.items() if wanted in id.lower() or wanted in told.lower()]
    found = whole[:1] or part
    if len(found) == 1:
        return found[0]
    near = [str(voice.name or voice.id) for voice in voices_of(voices, language)]
    shown = [known[id] for id in found] or near or list(known.values())
    some = ", ".join(sorted(shown)[:SHOWN])
    if found:
        raise VoiceError(
            "Here more than one voice has {name!r} in its name: choose one of {some}.",
            name=name,
            some=some,
        )
    raise VoiceError("Here no voice is {name!r}: choose one of {some}.", name=name, some=some)


def voices_of(voices: Iterable[Any], language: str) -> list[Any]:
    """The voices that speak a language, in any of its regions."""
    wanted = language.lower().split("-")[0]
    return [
        voice for voice in voices if any(code.split("-")[0] == wanted for code in _codes(voice))
    ]


def choose_voice(voices: Iterable[Any], language: str) -> str | None:
    """The id of a voice that speaks the language: that very one, else one of its regions.

    Among regions a country comes first: "en-gb" before "en-029" (the Caribbean) and before
    "en-gb-scotland" (an accent). Drivers give a language as text or bytes, with "_" or "-", some
    with a length byte before it.
    """
    by_language: dict[str, str] = {}
    for voice in voices:
        for name in _codes(voice):
            by_language.setdefault(name, voice.id)
    wanted = language.lower()
    regions = [name for name in by_language if name.startswith(f"{wanted}-")]
    near = min(regions, key=lambda name: (any(map(str.isdigit, name)), len(name), name), default="")
    return by_language.get(wanted) or by_language.get(near)


def _codes(voice: Any) -> list[str]:
    """The codes of a voice's languages, in small letters."""
    texts = [
        code.decode("ascii", "ignore") if isinstance(code, bytes) else str(code)
        for code in voice.languages or ()
    ]
    return ["".join(filter(str.isprintable, text)).replace("_", "-").lower() for text in texts]


def wav_seconds(path: Path) -> float:
    """The length of a WAV file in seconds. Raises OSError, EOFError or wave.Error."""
    with wave.open(str(path), "rb") as sound:
        return sound.getnframes() / sound.getframerate()


def _soften(path: Path, volume: float) -> None:
    """Make 16-bit sound softer: espeak-ng forgets a volume that is set with a voice."""
    if volume == 1.0:
        return
    with wave.open(str(path), "rb") as sound:
        params, samples = sound.getparams(), sound.readframes(sound.getnframes())
    softer = np.frombuffer(samples, "<i2") * volume
    with wave.open(str(path), "wb") as sound:
        sound.setparams(params)
        sound.writeframes(softer.astype("<i2").tobytes())


def _wait_for_espeak() -> None:
    """Wait until espeak-ng's own thread has nothing to do. Raises TimeoutError.

    It has taken the settings then, and left the driver's callback.
    """
    library = sys.modules.get("pyttsx3.drivers._espeak")
    deadline = time.monotonic() + PATIENCE
    while library is not None and library.IsPlaying():
        if time.monotonic() > deadline:
            raise TimeoutError("espeak-ng is stuck")
        time.sleep(0.001)


def _hush() -> None:
    driver = sys.modules.get("pyttsx3.drivers.espeak")
    if driver is not None:
        driver.print = _to_log  # type: ignore[attr-defined]


def _to_log(*words: object) -> None:
    log.debug("%s", " ".join(map(str, words)))


# ---- The process --------------------------------------------------------------------------------
# espeak-ng is a C library with threads of its own, and when one crashes the whole process ends: it
# reads past the end of a stack that another thread used before (1.51; one start in three beside
# Vosk). So it has a process to itself, and the game outlives it.
#
# The protocol is a JSON object a line. The first line is the voice's settings. Each further line is
# a sentence (with its timbre, if any), or an empty object that asks for the names of the voices.
# Each is answered with one line. The process ends at the end of its input.


def main() -> None:
    """Answer until the end of the input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the game, which ends this process
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers:
        # What a library prints goes to standard error, not between the answers.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        serve(sys.stdin, answers)


def serve(lines: TextIO, answers: TextIO) -> None:
    """Make sound of each sentence in ``lines`` and write its answer to ``answers``."""
    voice: VoiceEngines | None = None
    for line in lines:
        asked = json.loads(line)
        if voice is None:
            voice = VoiceEngines(VoiceSettings(**asked))
            answer = _tried(voice.check)
        elif "text" not in asked:
            answer = _tried(voice.voices)
        else:
            voice.volume = asked["volume"]
            timbre = Timbre(**asked.get("timbre", {}))
            path, tones = Path(asked["path"]), asked.get("tones", "")
            answer = _tried(partial(voice.render, asked["text"], path, timbre, tones))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _tried(do: Callable[[], object]) -> dict[str, Any]:
    try:
        return {"done": do()}
    except VoiceError as error:
        told = str(error)
        if isinstance(told, Translatable):
            return {"error": told.key, "words": {name: str(w) for name, w in told.words.items()}}
        return {"error": told, "words": {}}


if __name__ == "__main__":
    main()
