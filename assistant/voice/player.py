"""Plays a WAV file on the loudspeaker, by the system's own player in a process of its own.

A process can be ended in mid-sentence, and a sound device that hangs or vanishes takes nothing of
ours with it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
import time
import wave
from pathlib import Path

from assistant.voice.port import VoiceError

PLAYERS: tuple[tuple[str, ...], ...] = (
    ("aplay", "-q"),
    ("paplay",),
    ("pw-play",),
    ("afplay",),
)
"""Commands that play a file, the first installed is used: ALSA, PulseAudio, PipeWire, macOS."""

STUCK = 5.0
"""Seconds beyond its length after which a sentence is given up."""

POLL = 0.02
"""Seconds between looks at the player: how late an interruption may come."""


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
    """Play the file; return whether to its end, or (``stop`` was set) only a part of it.

    Raises VoiceError if nobody hears it.

    ``seconds`` is how long it should take; a player that is still busy ``stuck`` seconds after that
    is ended.
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
    """Play a moment of silence; the command that took it. Raises VoiceError if nothing does.

    A command that is installed plays nothing where there is no sound card. One that is busy, as
    while the table itself speaks, is there.
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
