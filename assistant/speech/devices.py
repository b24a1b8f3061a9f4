"""Which of the system's devices is a microphone, which is meant by a name, which would be better.

A system may take sound by default from the monitor of its loudspeaker, which hears what the machine
plays and nobody at the table. PortAudio cannot tell behind the names ``default`` and ``pulse``; the
sound server's own ``pactl`` can, where it is installed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CONVERTERS = frozenset(
    "a52 dmix downmix hdmi iec958 jack lavrate null oss samplerate speex speexrate upmix usbstream "
    "vdownmix".split()
)
"""ALSA's converters, which PortAudio lists beside the microphones."""
SYSTEM_DEFAULT = ("default", "sysdefault")
SERVERS = (*SYSTEM_DEFAULT, "pulse", "pipewire")
"""Names behind which a sound server chooses the device."""
OF_OUTPUTS = ("monitor", "loopback", "stereo mix", "what u hear")
"""Parts of the names of sources that give what the machine plays."""
ANSWERS_WITHIN = 2.0


@dataclass(frozen=True, slots=True)
class Device:
    """A device that sound can be taken from: ``rate`` in Hz is the one it likes best."""

    name: str
    index: int
    channels: int
    rate: int


def inputs(backend: Any) -> list[Device]:
    """All devices of ``sounddevice`` that sound can be taken from."""
    return [
        Device(str(one["name"]), index, int(one["max_input_channels"]),
               int(one["default_samplerate"]))
        for index, one in enumerate(backend.query_devices())
        if one["max_input_channels"] > 0
    ]  # fmt: skip


def named(wanted: str, devices: Sequence[Device]) -> Device | None:
    """The device of that name, else the first that begins with it, else that holds its words.

    Capitals do not matter. ``None`` where there is none: no other is ever taken instead.
    """
    text = wanted.casefold().strip()
    by_name = [(device.name.casefold(), device) for device in devices]
    fits = (
        [device for name, device in by_name if name == text],
        [device for name, device in by_name if name.startswith(text)],
        [device for name, device in by_name if all(word in name for word in text.split())],
    )
    return next((found[0] for found in fits if found), None)


def is_monitor(name: str) -> bool:
    """Whether it gives what the machine plays."""
    return any(part in name.casefold() for part in OF_OUTPUTS)


def real(names: Sequence[str]) -> list[str]:
    """Those of the names that are microphones of their own: no converter, default or monitor."""
    return [
        name
        for name in names
        if name not in CONVERTERS and name not in SERVERS and not is_monitor(name)
    ]


def behind(name: str) -> str:
    """The source that a sound server gives under ``name``; the name itself where none is asked."""
    if name not in SERVERS:
        return name
    lines = (line.partition(": ") for line in _pactl("info"))
    return next((source for key, _, source in lines if key == "Default Source"), name)


def better(name: str, names: Sequence[str]) -> str:
    """The first of the names that is a microphone of its own and another one; "" for none."""
    return next((other for other in real(names) if other != name), "")


def served(name: str) -> str:
    """A microphone that the sound server has and does not give under ``name``; "" for none."""
    lines = (line.split("\t") for line in _pactl("list", "short", "sources"))
    sources = [parts[1] for parts in lines if len(parts) > 1 and not is_monitor(parts[1])]
    taken = behind(name)
    return next((source for source in sources if source != taken), "")


def advice(name: str, names: Sequence[str]) -> str:
    """What to do instead of taking sound from ``name``: one clause that names a better device.

    ``names``: all the devices there are.
    """
    if other := better(name, names):
        return f"choose '{other}' on the set-up page, or with: mus settings mic '{other}'"
    if source := served(name):
        return f"choose '{source}' with: pactl set-default-source {source}"
    return "plug a microphone in, then choose it on the set-up page, or with: mus settings mic NAME"


def _pactl(*words: str) -> list[str]:
    """What the sound server says of itself, line by line; nothing where it cannot be asked."""
    try:
        answer = subprocess.run(
            ["pactl", *words],
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=ANSWERS_WITHIN,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return answer.stdout.splitlines()
