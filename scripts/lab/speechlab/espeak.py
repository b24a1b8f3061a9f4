"""Engines that take text: espeak-ng (GPL-3.0, its output is free) and SVOX pico (Apache-2.0)."""

import random
import subprocess
from pathlib import Path

from . import audio
from .text_voices import PICO


def speak(voice: str, text: str, rng: random.Random, folder: Path) -> audio.Samples | None:
    """Say `text` at a random speed and pitch; None if the engine gave no sound."""
    wav = folder / "engine.wav"
    wav.unlink(missing_ok=True)
    command = _pico(text, rng) if voice == PICO else _espeak(voice, text, rng)
    subprocess.run([*command[:-1], "-w", str(wav), command[-1]], capture_output=True, check=False)
    return audio.trimmed(audio.read(wav)) if wav.exists() else None


def _espeak(voice: str, text: str, rng: random.Random) -> list[str]:
    if rng.random() < 0.15:
        text = text.replace(" ", ", ", 1)
    speed, pitch = rng.randint(115, 230), rng.randint(20, 80)
    return ["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), text]


def _pico(text: str, rng: random.Random) -> list[str]:
    speed, pitch = rng.randint(80, 130), rng.randint(75, 125)
    marked = f'<speed level="{speed}"><pitch level="{pitch}">{text}</pitch></speed>'
    return ["pico2wave", "-l", "es-ES", marked]
