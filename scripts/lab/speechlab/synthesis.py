"""Sentences read aloud by every training voice, one part of the corpus in each call."""

import random
import tempfile
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from . import (
    clips,
    espeak,
    festival,
    festival_voices,
    phone_engines,
    phone_voices,
    split,
    text_voices,
)
from .audio import Samples
from .vocabulary import Sampler

_BATCH = 120
Item = tuple[clips.Clip, Samples]


def make_part(base: Path, sampler: Sampler, seed: int, wanted: Mapping[str, int]) -> int:
    """Write one part of the synthetic corpus to `base`, with this many sentences a voice.

    Returns its number of clips. The key "espeak" stands for all of espeak-ng's variants.
    """
    rng = random.Random(seed)
    items: list[Item] = []
    with tempfile.TemporaryDirectory(prefix="mus-voices-") as name:
        for voice, spoken in _voices(sampler, rng, Path(name), wanted):
            items += islice(spoken, wanted[voice])
            print(f"{base.name}: {voice}, {len(items)} clips so far", flush=True)
    rng.shuffle(items)
    clips.write(base, items)
    return len(items)


def _voices(
    sampler: Sampler, rng: random.Random, folder: Path, wanted: Mapping[str, int]
) -> Iterator[tuple[str, Iterator[Item]]]:
    """Yield the voices that are wanted, each with its endless sentences."""
    for voice in festival_voices.VOICES:
        if count := wanted.get(voice.name):
            yield voice.name, _festival(voice, sampler, rng, folder, count)
    for name, voices in ((text_voices.PICO, (text_voices.PICO,)), ("espeak", text_voices.VOICES)):
        if wanted.get(name):
            yield name, _text_engine(voices, sampler, rng, folder)
    for speaker in phone_voices.VOICES:
        if wanted.get(speaker.name):
            yield speaker.name, _phone_engine(speaker, sampler, rng, folder)


def _festival(
    voice: festival_voices.Voice, sampler: Sampler, rng: random.Random, folder: Path, count: int
) -> Iterator[Item]:
    split.check_trains(voice.name)
    seseo = festival_voices.has_seseo(voice)
    for _ in range(100):
        kinds = dict(sampler.draw(rng) for _ in range(min(_BATCH, 3 * count)))
        for text, samples in festival.speak_all(voice, list(kinds), rng, folder):
            yield clips.Clip(text, kinds[text], voice.name, seseo), samples


def _text_engine(
    voices: tuple[str, ...], sampler: Sampler, rng: random.Random, folder: Path
) -> Iterator[Item]:
    while True:
        text, kind = sampler.draw(rng)
        voice = rng.choice(voices)
        split.check_trains(voice)
        samples = espeak.speak(voice, text, rng, folder)
        if samples is not None:
            yield clips.Clip(text, kind, voice, text_voices.has_seseo(voice)), samples


def _phone_engine(
    voice: phone_voices.PhoneVoice, sampler: Sampler, rng: random.Random, folder: Path
) -> Iterator[Item]:
    split.check_trains(voice.name)
    while True:
        text, kind = sampler.draw(rng)
        samples = phone_engines.speak(voice, text, rng, folder)
        if samples is not None:
            yield clips.Clip(text, kind, voice.name, festival_voices.has_seseo(voice)), samples
