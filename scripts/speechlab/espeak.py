"""Engines that take text: espeak-ng (GPL-3.0, its output is free) and SVOX pico (Apache-2.0)."""

import random
import subprocess
from pathlib import Path

from . import audio

LANGUAGES = ("es", "es-419")
VARIANTS: tuple[str, ...] = (
    "", *"""adam Alex Alicia Andrea Andy Annie antonio aunty belinda benjamin boris caleb david Denis
    Diogo ed edward Gene gustave Henrique Hugo iven Jacky john Lee linda marcelo Marco max
    Michael michel miguel Mike pablo paul pedro quincy RicishayMax rob robert steph steph2
    steph3 zac anika f1 f2 f3 f4 f5 grandpa grandma klatt klatt2 klatt3 klatt4 klatt6 m1 m2
    m3 m4 m5 m6 m7 m8 Mario norbert sandro shelby travis victor""".split(),
)  # fmt: skip
VOICES = tuple(f"{lang}+{name}".rstrip("+") for lang in LANGUAGES for name in VARIANTS)
PICO = "pico"


def has_seseo(voice: str) -> bool:
    """Tell whether the voice says s for theta: the American one does."""
    return voice.startswith("es-419")


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
