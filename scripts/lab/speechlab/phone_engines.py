"""Spanish phones from the voices of other languages of SVOX pico (Apache-2.0) and flite (BSD-like).

Pico reads phones in a <phoneme> tag. Its reader knows no entities, so the mark of stress stands
bare in single quotes. Trying each phone showed what it takes; flite's own help has the rest.
"""

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

from . import audio, g2p
from .festival_voices import can_say
from .phone_voices import PhoneVoice

_STRESS = '"'


def speak(voice: PhoneVoice, text: str, rng: random.Random, folder: Path) -> audio.Samples | None:
    """Say Spanish `text` at a random speed and pitch; None if the voice lacks one of its sounds."""
    words = [_own_phones(voice, word, rng) for word in text.split()]
    if not all(words):
        return None
    wav = folder / "phones.wav"
    wav.unlink(missing_ok=True)
    command = _pico if voice.engine == "pico" else _flite
    subprocess.run(command(voice, words, wav, rng), capture_output=True, check=False)
    return audio.trimmed(audio.read(wav)) if wav.exists() else None


def _own_phones(voice: PhoneVoice, word: str, rng: random.Random) -> list[list[str]]:
    """Return a word's syllables in the voice's phones, the stressed one marked; [] if it cannot."""
    phones, accent = g2p.phones_of(word), g2p.stressed(word)
    if not can_say(voice, set(phones)):
        return []
    said = []
    for syllable in g2p.syllables(phones):
        ways = [(voice.phones.get(phones[at]) or voice.phones["s"]).split("|") for at in syllable]
        own = [phone for way in ways for phone in rng.choice(way).split()]
        said.append([_STRESS, *own] if accent in syllable else own)
    return said


def _pico(
    voice: PhoneVoice, words: Sequence[list[list[str]]], wav: Path, rng: random.Random
) -> list[str]:
    speed, pitch = rng.randint(80, 130), rng.randint(75, 125)
    tags = " ".join(
        f"<phoneme ph='{'.'.join(''.join(syllable) for syllable in word)}'/>" for word in words
    )
    marked = f'<speed level="{speed}"><pitch level="{pitch}">{tags}</pitch></speed>'
    return ["pico2wave", "-l", voice.own, "-w", str(wav), marked]


def _flite(
    voice: PhoneVoice, words: Sequence[list[list[str]]], wav: Path, rng: random.Random
) -> list[str]:
    line = ["pau"]
    for word in words:
        line += [phone for syllable in word for phone in syllable if phone != _STRESS]
    stretch, pitch = rng.uniform(0.8, 1.3), rng.uniform(85, 190)
    return [
        "flite", "-voice", voice.own, "--setf", f"duration_stretch={stretch:.2f}",
        "--setf", f"int_f0_target_mean={pitch:.0f}", "-p", " ".join([*line, "pau"]), "-o", str(wav),
    ]  # fmt: skip
