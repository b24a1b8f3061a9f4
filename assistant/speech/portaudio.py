"""The library that reaches sound devices, and what a killed program may have left in its way.

PortAudio asks JACK for its devices, and Debian's JACK library keeps a registry in shared memory
under a lock. Whoever is killed with that lock leaves it locked for ever, and every later program
waits for it when it starts. A registry that no process uses is of no use to anybody: it is taken
away before it can do harm.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from assistant.speech.errors import NoMicrophone

log = logging.getLogger("mus.ear")

SHARED, PROCESSES = Path("/dev/shm"), Path("/proc")


def sounddevice() -> Any:
    """The module, which lists the devices when it is first asked for. Raises NoMicrophone."""
    clear_registry(SHARED / f"jack_db-{os.getuid()}")
    try:
        import sounddevice as module
    except OSError as error:  # the wheel finds no PortAudio on this system
        raise NoMicrophone(
            "The sound library PortAudio is missing: install the package libportaudio2."
        ) from error
    return module


def list_anew() -> None:
    """Have the devices listed again, for that is done only once. No stream may be open."""
    if "sounddevice" not in sys.modules:
        return  # they are listed when first asked for
    module = sounddevice()
    with suppress(module.PortAudioError):
        module._terminate()
    with suppress(module.PortAudioError):  # whoever opens one is told
        module._initialize()


def clear_registry(folder: Path, processes: Path = PROCESSES) -> bool:
    """Take JACK's registry away if no process uses it; returns whether it was."""
    if not folder.is_dir() or _is_used(folder, processes):
        return False
    shutil.rmtree(folder, ignore_errors=True)
    log.debug("%s was left behind by a program that was killed", folder)
    return True


def _is_used(folder: Path, processes: Path) -> bool:
    """Whether a process has a file of the folder in its memory, as every user of JACK has."""
    mark = f"{folder}/".encode()
    return any(mark in _maps(process) for process in processes.glob("[0-9]*/maps"))


def _maps(process: Path) -> bytes:
    try:
        return process.read_bytes()
    except OSError:
        return b""  # it ended just now, or is another user's, who has a registry of his own
