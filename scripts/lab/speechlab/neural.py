"""Sentences read aloud by the network Kokoro-82M, in parts of some six minutes of speech.

The network is slow (half a core-second and more for a second of speech), so a stopped run keeps the
parts that it has finished. It reads espeak-ng's phonetic letters, as Spain or as Latin America says
them. A GPU says the sentences of a part in batches.
"""

import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice
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
"""The endings of a sentence, which decide its melody."""

_UP, _DOWN = 2, 3
"""From the network's 24 kHz to our 16."""

_THREADS = 4
"""Sentences that espeak-ng spells, or that are resampled, side by side."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence before it is said: the name of its clip, and how the voice says it."""

    clip: clips.Clip
    ending: str
    speed: float


Speaker = Callable[[Sequence[Sentence]], Sequence[audio.Samples | None]]
"""Says sentences, 16 kHz; None for one in which nothing is to be heard."""


def missing(device: str = "cpu") -> list[str]:
    """Return the training voices that cannot speak on this machine, without their family."""
    names = (voice.removeprefix(neural_voices.FAMILY) for voice in neural_voices.VOICES)
    here = kokoro.installed if device == "cpu" else kokoro.has_files
    return [name for name in names if not here(name)]


def make_part(
    base: Path, sampler: Sampler, seed: str, sentences: int, speaker: Speaker | None = None
) -> int:
    """Write one part to `base`, said by `speaker` (by default the CPU); count its clips.

    The same seed draws the same sentences for every speaker.
    """
    speaker = speaker or speaker_on("cpu")
    to_come = drawn(sampler, random.Random(seed))
    items: list[tuple[clips.Clip, audio.Samples]] = []
    while len(items) < sentences:
        some = list(islice(to_come, sentences - len(items)))
        for sentence, samples in zip(some, speaker(some), strict=True):
            if samples is not None:
                items.append((sentence.clip, samples))
    clips.write(base, items)
    return len(items)


def drawn(sampler: Sampler, rng: random.Random) -> Iterator[Sentence]:
    """Yield sentences for ever. Raises ValueError if a voice is drawn that may not train."""
    while True:
        text, kind = (
            (sampler.call(rng), "call") if rng.random() < _MORE_CALLS else sampler.draw(rng)
        )
        voice, latin = neural_voices.draw(rng), rng.random() < _SESEO
        split.check_trains(voice)
        ending, speed = rng.choice(_ENDINGS), rng.uniform(*_SPEED)
        yield Sentence(clips.Clip(text, kind, voice, latin), ending, speed)


@cache
def speaker_on(device: str) -> Speaker:
    """Return a speaker on a device: "cpu" (onnxruntime), or one of PyTorch's ("cuda").

    Raises OSError or ValueError if Kokoro's network cannot be read.
    """
    if device == "cpu":
        return _one_by_one
    from . import kokoro_torch

    network = kokoro_torch.Network(kokoro.folder() / kokoro.MODEL, device)

    def in_batches(sentences: Sequence[Sentence]) -> list[audio.Samples | None]:
        with ThreadPoolExecutor(_THREADS) as pool:
            said = network.said(list(pool.map(_inputs, sentences)))
            return list(pool.map(_finished, said))

    return in_batches


def _one_by_one(sentences: Sequence[Sentence]) -> list[audio.Samples | None]:
    return [
        _finished(kokoro.said(_voice(sentence), _ipa(sentence), sentence.speed))
        for sentence in sentences
    ]


def _inputs(sentence: Sentence) -> kokoro.Inputs:
    return kokoro.inputs(_voice(sentence), _ipa(sentence), sentence.speed)


def _voice(sentence: Sentence) -> str:
    return sentence.clip.voice.removeprefix(neural_voices.FAMILY)


def _ipa(sentence: Sentence) -> str:
    language = text_voices.LANGUAGES[bool(sentence.clip.seseo)]
    command = ["espeak-ng", "-v", language, "-q", "--ipa", sentence.clip.text]
    ipa = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return ipa.strip() + sentence.ending


def _finished(said: kokoro.Floats) -> audio.Samples | None:
    return audio.trimmed(np.asarray(resample_poly(said, _UP, _DOWN), np.float32))
