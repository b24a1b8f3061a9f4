"""Read sentences aloud with the network Kokoro-82M, in parts of some six minutes of speech.

The network is slow (half a core-second and more for a second of speech), so a run that was stopped
keeps the parts that it has finished. It reads what espeak-ng writes in phonetic letters, as Spain
or as Latin America says it.
"""

import random
import subprocess
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from scripts.lab.rendering import kokoro

from . import audio, clips, neural_voices, split, text_voices
from .vocabulary import Sampler

_MORE_CALLS = 0.35
"""Share of the sentences that are calls beside those which the sampler draws anyway."""

_SESEO = 0.35
_SPEED = (0.8, 1.3)
_ENDINGS = ("", ".", ".", "!", "?")
"""What a sentence ends in decides its melody."""

_UP, _DOWN = 2, 3
"""From the network's 24 kHz to our 16."""


def missing() -> list[str]:
    """Return the voices that train and are not on this machine, without their family."""
    names = (voice.removeprefix(neural_voices.FAMILY) for voice in neural_voices.VOICES)
    return [name for name in names if not kokoro.installed(name)]


def make_part(base: Path, sampler: Sampler, seed: str, sentences: int) -> int:
    """Write one part to `base`, and return its clips."""
    rng = random.Random(seed)
    items: list[tuple[clips.Clip, audio.Samples]] = []
    while len(items) < sentences:
        text, kind = (
            (sampler.call(rng), "call") if rng.random() < _MORE_CALLS else sampler.draw(rng)
        )
        voice, latin = neural_voices.draw(rng), rng.random() < _SESEO
        split.check_trains(voice)
        samples = _speak(voice, text, text_voices.LANGUAGES[latin], rng)
        if samples is not None:
            items.append((clips.Clip(text, kind, voice, latin), samples))
    clips.write(base, items)
    return len(items)


def _speak(voice: str, text: str, language: str, rng: random.Random) -> audio.Samples | None:
    command = ["espeak-ng", "-v", language, "-q", "--ipa", text]
    ipa = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    ipa = ipa.strip() + rng.choice(_ENDINGS)
    said = kokoro.said(voice.removeprefix(neural_voices.FAMILY), ipa, rng.uniform(*_SPEED))
    return audio.trimmed(np.asarray(resample_poly(said, _UP, _DOWN), np.float32))
