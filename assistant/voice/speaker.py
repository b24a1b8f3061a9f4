"""The voice on the loudspeaker: its two processes, and the thread that says its sentences.

One process makes a WAV file of a sentence, one plays it.
"""

from __future__ import annotations

import json
import logging
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import wave
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Protocol

from assistant.rules.errors import Translatable
from assistant.voice.port import (
    Gate,
    SaidSentence,
    SentenceQueue,
    SpokenLine,
    VoiceError,
    VoiceSettings,
)

# ---- The synthesis process: started by the game, and restarted if it dies -----------------------


log = logging.getLogger("mus.voice")

ENGINE = (sys.executable, "-m", "assistant.voice.synthesis")
PATIENCE = 40.0
"""Seconds after which a process is given up; it makes two attempts itself, of 10 s at most."""
LETHARGY = 2.0
"""Seconds that a process may take to end by itself."""
GONE = (OSError, ValueError)
"""Raised by writing to a process that has ended, and by reading half of its last answer."""
ATTEMPTS = 2
DEAD = (
    "The voice cannot speak (its engine dies each time): install espeak-ng anew "
    "(apt install --reinstall espeak-ng), or use --voice off."
)


class _DiedError(Exception):
    """The process has ended, or does not answer."""


class Mouth:
    """Makes WAV files of sentences in a child process, which is restarted if it dies."""

    def __init__(self, settings: VoiceSettings, engine: tuple[str, ...] = ENGINE) -> None:
        self._settings = settings
        self._command = engine
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self.volume = settings.volume
        """0 to 1, of the sentences to come; set by any thread."""

    def check(self) -> None:
        """Raise VoiceError, with what to do, where no sentence could be made at all."""
        self._twice(self._started)

    def voices(self) -> list[str]:
        """The names of the installed voices of the language. Raises VoiceError."""
        return list(self._twice(lambda: _answered(self._started(), {})))

    def render(self, text: str, path: Path) -> float:
        """Write the sentence into ``path``; return its length in seconds. Raises VoiceError."""
        asked: dict[str, Any] = {"text": text, "path": str(path.absolute()), "volume": self.volume}
        if isinstance(text, SpokenLine):
            asked |= {"timbre": asdict(text.timbre), "tones": text.tones}
        return float(self._twice(lambda: _answered(self._started(), asked)))

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._drop()

    def _twice(self, do: Callable[[], Any]) -> Any:
        """Call ``do``, again with a new process if the first one dies. Raises VoiceError."""
        with self._lock:
            for _ in range(ATTEMPTS):
                try:
                    return do()
                except _DiedError:
                    log.debug("the voice's engine died")
                    self._drop()
        raise VoiceError(DEAD)

    def _started(self) -> subprocess.Popen[str]:
        """The process, alive and with its settings. Raises _DiedError, VoiceError."""
        if self._process and self._process.poll() is None:
            return self._process
        self._drop()
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        try:
            _answered(self._process, {**asdict(self._settings)})
        except VoiceError:
            self._drop()  # without a voice it is of no use
            raise
        return self._process

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with process:
            _close(process.stdin)
            try:
                process.wait(LETHARGY)
            except subprocess.TimeoutExpired:
                process.kill()


def _answered(process: subprocess.Popen[str], asked: dict[str, Any]) -> Any:
    """Its answer. Raises _DiedError if it died or is stuck, VoiceError if it reports an error."""
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(json.dumps(asked) + "\n")
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        answer = json.loads(process.stdout.readline()) if ready else None
    except GONE as error:
        raise _DiedError from error
    if answer is None:
        raise _DiedError
    if "error" in answer:
        raise VoiceError(answer["error"], **answer["words"])
    return answer["done"]


def _close(file: IO[str] | None) -> None:
    with suppress(OSError):  # the rest of its buffer is of no use
        if file:
            file.close()


# ---- The player: the system's own command plays a WAV file --------------------------------------
# A process can be ended in mid-sentence, and a sound device that hangs or vanishes does not block
# the game.


PLAYERS: tuple[tuple[str, ...], ...] = (
    ("aplay", "-q"),
    ("paplay",),
    ("pw-play",),
    ("afplay",),
)
"""Commands that play a file: ALSA, PulseAudio, PipeWire, macOS. The first installed one is used."""

STUCK = 5.0
"""Seconds beyond its length after which a sentence is given up."""

POLL = 0.02
"""Seconds between two looks at the player, by which an interruption may be late."""


def find_player() -> tuple[str, ...]:
    """The command to play with. Raises VoiceError where none is installed."""
    for command in PLAYERS:
        if shutil.which(command[0]):
            return command
    raise VoiceError(
        "Nothing here plays sound: install alsa-utils (apt install alsa-utils), or use --voice off."
    )


def play(
    command: tuple[str, ...],
    path: Path,
    seconds: float,
    stop: threading.Event,
    stuck: float = STUCK,
) -> bool:
    """Play the file; return True, or False if ``stop`` was set before its end.

    ``seconds``: how long it should take. A player that is still busy ``stuck`` seconds after that
    is ended. Raises VoiceError if it cannot be heard.
    """
    deadline = time.monotonic() + seconds + stuck
    with subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        while process.poll() is None:
            if stop.wait(POLL):
                process.kill()
                return False
            if time.monotonic() > deadline:
                process.kill()
                raise VoiceError(_unheard(command, "the sound device takes no sound"))
        said = process.stderr.read().strip().splitlines() if process.stderr else []
        if process.returncode:
            raise VoiceError(_unheard(command, said[-1] if said else f"exit {process.returncode}"))
        return True


def try_player() -> tuple[str, ...]:
    """Play a moment of silence; return the command that did. Raises VoiceError if none can.

    An installed command is not enough, because there may be no sound card. A busy device counts as
    working: the table itself may be speaking.
    """
    command = find_player()
    with tempfile.TemporaryDirectory(prefix="mus-sound-") as folder:
        path = Path(folder) / "silence.wav"
        with wave.open(str(path), "wb") as sound:
            sound.setparams((1, 2, 22_050, 0, "NONE", "not compressed"))
            sound.writeframes(bytes(2 * 2_205))
        try:
            play(command, path, 0.1, threading.Event())
        except VoiceError as error:
            if "busy" not in str(error).lower():
                raise
    return command


def _unheard(command: tuple[str, ...], why: str) -> str:
    why = why.removeprefix(f"{command[0]}: ")
    return Translatable(
        "Nobody hears the voice ({player}: {why}): connect a loudspeaker, or use --voice off.",
        player=command[0],
        why=why,
    )


# ---- The thread that says one sentence after another --------------------------------------------

GRACE = 5.0
"""Seconds that a closing voice may still speak."""


class Queue(Protocol):
    """A queue of sentences."""

    def __len__(self) -> int:
        """The number of sentences."""

    def put(self, new: SaidSentence) -> list[SaidSentence]:
        """Add a sentence; return those that it replaces."""

    def take(self) -> SaidSentence | None:
        """The next sentence, if any."""

    def clear(self) -> None:
        """Forget all."""


class SpeechThread:
    """Owns a thread that calls ``speak(text, stop)`` for each sentence of its queue.

    ``speak`` returns when the sentence is over, or soon after ``stop`` is set. What it raises is
    logged, because a fault of the voice must not end the game. ``finish`` is called at the end of
    the thread, to release what the thread used.
    """

    def __init__(
        self,
        waiting: Queue,
        speak: Callable[[str, threading.Event], None],
        finish: Callable[[], None],
    ) -> None:
        self._waiting = waiting
        self._speak = speak
        self._finish = finish
        self._changed = threading.Condition()
        self._current: SaidSentence | None = None
        self._stop = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Put a sentence into the queue and return at once."""
        new = SaidSentence(text, seq, urgent)
        with self._changed:
            if self._closed:
                return
            for said in self._waiting.put(new):
                log.debug("overtaken: %s", said.text)
            now = self._current
            if urgent and now and not now.urgent and now.seq < seq:
                self._stop.set()
            self._changed.notify()

    @property
    def current(self) -> SaidSentence | None:
        """The sentence that is being said, or prepared."""
        with self._changed:
            return self._current

    @property
    def busy(self) -> bool:
        """Whether a sentence is being said, or waits."""
        with self._changed:
            return self._current is not None or len(self._waiting) > 0

    def silence(self) -> None:
        """Stop the present sentence and forget the others."""
        with self._changed:
            self._waiting.clear()
            self._stop.set()

    def close(self, grace: float = GRACE) -> None:
        """Take no more; finish what waits within ``grace`` seconds, then stop in mid-sentence."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(grace)
        if self._thread.is_alive():
            self.silence()
            self._thread.join(grace)

    def _run(self) -> None:
        while (said := self._next()) is not None:
            log.info("%s", said.text)
            try:
                self._speak(said.text, self._stop)
            except Exception:
                log.exception("not said: %s", said.text)
        self._finish()

    def _next(self) -> SaidSentence | None:
        """Wait for the next sentence; ``None`` when closed and nothing waits."""
        with self._changed:
            self._current = None
            while (said := self._waiting.take()) is None:
                if self._closed:
                    return None
                self._changed.wait()
            self._current = said
            self._stop.clear()
            return said


# ---- The voice on the loudspeaker ---------------------------------------------------------------


POLITE = 2.0
"""A sentence waits so many seconds at most while a player is speaking, because nobody would
understand his call otherwise. A call takes no longer."""
POLL = 0.02
"""Seconds between two looks whether the player has ended."""
ROOM = 8
"""The most sentences that may wait; more would be out of date before they are said."""


OnBegin = Callable[[SaidSentence, float], None]
"""Takes a sentence and its length in seconds."""


class Pyttsx3Voice:
    """Speaks by pyttsx3; the ``gate`` is shut exactly while there is sound.

    A machine that cannot speak logs one warning, and the game goes on in silence. A loudspeaker
    that comes back is used again.
    """

    def __init__(
        self,
        settings: VoiceSettings | None = None,
        gate: Gate | None = None,
        player: tuple[str, ...] | None = None,
        on_begin: OnBegin | None = None,
    ) -> None:
        """``player``: the command that plays a WAV file; None: the system's own.

        ``on_begin`` is called with each sentence when its sound begins, on the voice's thread.
        """
        self._gate = gate
        self._on_begin = on_begin
        self._player = player
        self._mouth = Mouth(settings or VoiceSettings())
        self._folder = tempfile.TemporaryDirectory(prefix="mus-voice-")
        self._warned = False
        self._desk = SpeechThread(SentenceQueue(ROOM), self._speak, self._finish)

    def say(self, text: str, *, seq: int, urgent: bool = False) -> None:
        """Say a sentence soon, unless a newer one replaces it."""
        self._desk.say(text, seq=seq, urgent=urgent)

    @property
    def busy(self) -> bool:
        """Whether it speaks, or is about to."""
        return self._desk.busy

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0 to 1, of what is said from now on."""
        self._mouth.volume = volume

    def silence(self) -> None:
        """Stop speaking at once and drop what waits."""
        self._desk.silence()

    def close(self) -> None:
        """Finish what waits, within a few seconds, and release engine and files."""
        self._desk.close()

    def _finish(self) -> None:
        self._mouth.close()
        self._folder.cleanup()

    def _speak(self, text: str, stop: threading.Event) -> None:
        path = Path(self._folder.name) / "sentence.wav"
        try:
            player = self._player or find_player()
            seconds = self._mouth.render(text, path)
            if self._sound(player, path, seconds, stop):
                self._warned = False
        except VoiceError as error:
            # Only once: a table without a loudspeaker knows it after the first sentence.
            log.log(logging.DEBUG if self._warned else logging.WARNING, "%s", error)
            self._warned = True

    def _sound(
        self, player: tuple[str, ...], path: Path, seconds: float, stop: threading.Event
    ) -> bool:
        if self._gate is None:
            self._begin(seconds)
            return play(player, path, seconds, stop)
        patience = time.monotonic() + POLITE
        while self._gate.somebody_speaks and time.monotonic() < patience:
            if stop.wait(POLL):
                return False
        self._gate.shut(path)
        try:
            self._begin(seconds)
            return play(player, path, seconds, stop)
        finally:
            self._gate.open()

    def _begin(self, seconds: float) -> None:
        said = self._desk.current
        if self._on_begin and said:
            self._on_begin(said, seconds)


# ---- One sentence on the loudspeaker, to try a voice --------------------------------------------


def say_once(text: str, sound: VoiceSettings, gate: Gate) -> None:
    """Say a sentence and return when it is over. Raises VoiceError where nobody hears it."""
    player = find_player()
    with tempfile.TemporaryDirectory(prefix="mus-voice-") as folder, closing(Mouth(sound)) as mouth:
        path = Path(folder) / "sentence.wav"
        seconds = mouth.render(text, path)
        gate.shut(path)
        try:
            play(player, path, seconds, threading.Event())
        finally:
            gate.open()
