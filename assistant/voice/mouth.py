"""A voice's two processes, held by the game: one makes a WAV file of a sentence, one plays it."""

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
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from assistant.voice.port import SpokenLine, VoiceError, VoiceSettings

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
            asked["timbre"] = asdict(text.timbre)
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
        raise VoiceError(answer["error"])
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
    return (
        f"Nobody hears the voice ({command[0]}: {why}): connect a loudspeaker, or use --voice off."
    )
