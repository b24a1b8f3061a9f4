"""A script's spoken lines as one recording, with the truth of who said what when."""

from __future__ import annotations

import random
import wave
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assistant.ear.audio import RATE, read_wav, to_int16
from assistant.language.script import Cards, Mano, Said, Script
from scripts.lab.rendering.voices import Floats, Manner, Voice, VoiceError, speak

SHOWDOWN = (1.5, 2.5)
"""Seconds of silence while cards are laid open and gathered."""
GAP = (0.25, 1.2)
"""Seconds of silence between two calls."""
SPEEDS, PITCHES = (0.9, 1.25), (0.92, 1.08)
DISTANCES = (-6.0, 0.0)
"""Range of levels of the seats, in dB, because the microphone is nearer to some than to others."""
HISS = 10 ** (-66 / 20)
"""Root mean square of the noise that any microphone adds. Full scale is 1."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How a recording is made. Times in seconds; ``snr`` in dB, only together with ``noise``."""

    voices: tuple[Voice, ...]
    seed: int = 0
    gap: tuple[float, float] = GAP
    noise: Path | None = None
    snr: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was said: from ``start`` to ``end`` (seconds), by which seat and voice."""

    start: float
    end: float
    words: str
    seat: int | None
    voice: str
    line: int


@dataclass(slots=True)
class Recording:
    """Sound at ``RATE`` with full scale 1, and its truth."""

    sound: Floats
    lines: list[Line] = field(default_factory=list)

    def truth(self) -> dict[str, Any]:
        """What ``--truth`` writes."""
        return {
            "rate": RATE,
            "seconds": round(len(self.sound) / RATE, 3),
            "calls": [asdict(line) for line in self.lines],
        }


def render(script: Script, setting: Setting) -> Recording:
    """Say all lines of a script, each seat in a voice of its own. Raises VoiceError."""
    rng = random.Random(setting.seed)
    recording = say_all(script, setting, rng)
    noise = None
    if setting.noise is not None and setting.snr is not None:
        noise = np.concatenate(list(read_wav(setting.noise))).astype(np.float32)
        if not noise.any():
            raise VoiceError(f"{setting.noise} is silent: choose a recording of noise.")
    recording.sound = in_room(recording, noise, setting.snr, rng)
    return recording


def say_all(script: Script, setting: Setting, rng: random.Random) -> Recording:
    """All lines of a script, said with this setting, and no other sound."""
    seats = _cast(setting.voices, len(script.seats), rng)
    gains = {seat: 10 ** (rng.uniform(*DISTANCES) / 20) for seat in seats}
    pieces: list[Floats] = []
    lines: list[Line] = []
    at = 0
    pause = rng.uniform(*SHOWDOWN) / 2
    for step in script.steps:
        if isinstance(step, Cards | Mano):
            pause = rng.uniform(*SHOWDOWN)
        if not isinstance(step, Said):
            continue
        seat = step.heard.seat or rng.choice(list(seats))
        manner = Manner(rng.uniform(*SPEEDS), rng.uniform(*PITCHES))
        said = speak(seats[seat], step.heard.text, manner) * np.float32(gains[seat])
        silence = np.zeros(round(pause * RATE), np.float32)
        pieces += [silence, said]
        start, at = at + len(silence), at + len(silence) + len(said)
        lines.append(
            Line(
                round(start / RATE, 3),
                round(at / RATE, 3),
                step.heard.text,
                step.heard.seat,
                seats[seat].name,
                step.line,
            )
        )
        pause = rng.uniform(*setting.gap)
    if not lines:
        raise VoiceError("Nothing is said in this script: it needs lines like '1: paso'.")
    pieces.append(np.zeros(RATE, np.float32))
    return Recording(np.concatenate(pieces), lines)


def _cast(voices: Sequence[Voice], seats: int, rng: random.Random) -> dict[int, Voice]:
    """A voice for each seat. They differ as long as there are enough voices."""
    shuffled = list(voices)
    rng.shuffle(shuffled)
    return {seat: shuffled[(seat - 1) % len(shuffled)] for seat in range(1, seats + 1)}


def in_room(
    recording: Recording, noise: Floats | None, snr: float | None, rng: random.Random
) -> Floats:
    """The recording's sound with hiss, and with a noise ``snr`` dB below all that is said.

    The noise plays in a loop from a random place. Give the noise and its level, or neither.
    """
    clean = recording.sound
    hiss = np.random.default_rng(rng.getrandbits(32)).standard_normal(len(clean), np.float32)
    heard: Floats = clean + hiss * np.float32(HISS)
    if noise is None or snr is None:
        return heard
    speech = np.concatenate(
        [clean[round(line.start * RATE) : round(line.end * RATE)] for line in recording.lines]
    )
    level = float(np.sqrt(np.mean(np.square(speech)))) * 10 ** (-snr / 20)
    power = float(np.sqrt(np.mean(np.square(noise))))
    looped = np.resize(np.roll(noise, -rng.randrange(len(noise))), len(clean))
    heard += looped * np.float32(level / power)
    return heard


def write_wav(path: Path, sound: Floats) -> None:
    """Write mono 16-bit PCM at ``RATE``."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(to_int16(sound).tobytes())
