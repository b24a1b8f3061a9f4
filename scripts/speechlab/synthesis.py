"""Read sentences aloud with every training voice: one part of the corpus a call."""

import random
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from . import clips, espeak, festival, festival_voices, recipe, split, text_voices
from .audio import Samples
from .vocabulary import Sampler

_BATCH = 120
Item = tuple[clips.Clip, Samples]


def make_part(base: Path, sampler: Sampler, seed: int, scale: float = 1.0) -> int:
    """Write one part of the synthetic corpus to `base`; return how many clips it has."""
    rng = random.Random(seed)
    items: list[Item] = []
    with tempfile.TemporaryDirectory(prefix="mus-voices-") as name:
        folder = Path(name)
        for voice in festival_voices.VOICES:
            count = round(recipe.SENTENCES[voice.name] * scale)
            items += islice(_festival(voice, sampler, rng, folder, count), count)
            print(f"{base.name}: {voice.name}, {len(items)} clips so far", flush=True)
        for voices, key in (
            ((text_voices.PICO,), text_voices.PICO),
            (text_voices.VOICES, "espeak"),
        ):
            count = round(recipe.SENTENCES[key] * scale)
            items += islice(_text_engine(voices, sampler, rng, folder), count)
            print(f"{base.name}: {key}, {len(items)} clips so far", flush=True)
    rng.shuffle(items)
    clips.write(base, items)
    return len(items)


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
