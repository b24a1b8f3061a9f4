"""Basque speech for measuring, by espeak-ng's own voice and by MBROLA's Spanish voices.

The sounds are those of espeak-ng, which knows Basque spelling by itself, so the bench does not read
by the table (basque.py) with which the model was made. MBROLA's voices say the Spanish sound
nearest to each; they are for measuring only, as in mbrola.py.
"""

import random
import subprocess
from pathlib import Path

from . import audio, basque_ipa, mbrola, prosody

ESPEAK_VOICES = (
    "eu", "eu+f2", "eu+m3", "eu+f4", "eu+m7", "eu+f3", "eu+Andrea", "eu+max", "eu+steph2",
    "eu+pablo",
)  # fmt: skip
_TIMEOUT_S = 30


def by_mbrola(
    voice: mbrola.Voice, text: str, rng: random.Random, folder: Path
) -> audio.Samples | None:
    """Say Basque `text`; None if the voice lacks a diphone of it."""
    manner = prosody.delivery(voice.pitches, rng)
    return mbrola.say(voice, prosody.timed(spoken(text), manner, rng), folder)


def by_espeak(voice: str, text: str, rng: random.Random, folder: Path) -> audio.Samples | None:
    """Say Basque `text` at a random speed and pitch; None if there was no sound."""
    wav = folder / "espeak.wav"
    wav.unlink(missing_ok=True)
    manner = ["-s", str(rng.randint(125, 200)), "-p", str(rng.randint(30, 70))]
    _espeak("-v", voice, *manner, "-w", str(wav), text)
    return audio.trimmed(audio.read(wav)) if wav.exists() else None


def spoken(text: str) -> list[prosody.Spoken]:
    """Return the words of Basque `text` as espeak-ng says them, in Spanish sounds."""
    said = _espeak("-v", "eu", "-q", "--ipa", f"--sep={basque_ipa.BETWEEN}", text)
    return [basque_ipa.word(sounds) for sounds in said.split()]


def _espeak(*arguments: str) -> str:
    done = subprocess.run(
        ["espeak-ng", *arguments], capture_output=True, text=True, check=True, timeout=_TIMEOUT_S
    )
    return done.stdout
