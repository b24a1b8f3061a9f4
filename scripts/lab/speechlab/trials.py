"""The trials that measure a model: phrases by voices that never train, table talk, knocks."""

import random
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from . import audio, human, mbrola, noise, packaged, split
from .vocabulary import Sampler, Vocabulary, number_words


@dataclass(frozen=True, slots=True)
class Trial:
    """One sound to hear, its text ("" if the model should know nothing in it), and its group."""

    group: str
    text: str
    samples: audio.Samples


def common_forms(vocabulary: Vocabulary, known: frozenset[str]) -> Vocabulary:
    """Return the vocabulary without single-word forms and forms with words outside `known`."""

    def sayable(form: str) -> bool:
        return "{word}" not in form and all(w in known for w in form.split() if w[0] != "{")

    rows = [(weight, tuple(filter(sayable, forms))) for weight, forms in vocabulary.forms]
    return replace(vocabulary, forms=tuple(row for row in rows if row[1]))


def phrases(sampler: Sampler, known: frozenset[str], count: int, rng: random.Random) -> list[str]:
    """Draw `count` phrases of which every word is known."""
    drawn: list[str] = []
    while len(drawn) < count:
        text = sampler.call(rng)
        if known.issuperset(text.split()):
            drawn.append(text)
    return drawn


def grammar(vocabulary: Vocabulary, known: frozenset[str], rng: random.Random) -> list[str]:
    """Return a grammar like the application's: every form, numbers 0 to 40, lances, cards."""
    sampler = Sampler(vocabulary, ())
    drawn = {sampler.call(rng) for _ in range(8000)}
    numbers = {number_words(n) for n in range(41)}
    return sorted(text for text in drawn | numbers if known.issuperset(text.split()))


def spoken_by_engines(texts: Iterable[str], group: str, rng: random.Random) -> list[Trial]:
    """Say each text with one MBROLA voice after another. Skip texts with a missing sound."""
    voices = mbrola.installed()
    trials = []
    with tempfile.TemporaryDirectory(prefix="mus-bench-") as name:
        for index, text in enumerate(texts):
            samples = mbrola.speak(voices[index % len(voices)], text, rng, Path(name))
            if samples is not None:
                trials.append(Trial(group, text, framed(samples)))
    return trials


def spoken_by_people(folder: Path, known: frozenset[str]) -> list[Trial]:
    """Return the measuring speakers' clips: words the model knows, and talk it does not."""
    trials = []
    for row in [*human.manifest(folder), *packaged.measuring()]:
        if row.speaker not in split.MEASURING_SPEAKERS or not row.text:
            continue
        samples = audio.trimmed(audio.read(row.path))
        words = row.text.lower().split()
        if samples is None:
            continue
        if known.issuperset(words):
            trials.append(Trial("person", " ".join(words), framed(samples)))
        elif known.isdisjoint(words):
            trials.append(Trial("person talk", "", framed(samples)))
    return trials


def knocks(count: int, seed: int) -> list[Trial]:
    """Return clips of three seconds with knocks, claps and clinks over a quiet room."""
    rng = np.random.default_rng(seed)
    length = 3 * audio.RATE
    return [
        Trial(
            "knocks", "", 0.5 * noise.knocks(length, rng) + 0.001 * noise.coloured(length, rng, 1)
        )
        for _ in range(count)
    ]


def in_babble(trials: list[Trial], crowd: list[Trial], snr_db: float, seed: int) -> list[Trial]:
    """Return the trials with several people talking `snr_db` below the speaker."""
    rng = np.random.default_rng(seed)

    def voice(index: int) -> audio.Samples:
        return crowd[index].samples

    return [
        replace(trial, samples=audio.mixed(
            trial.samples, noise.babble(len(trial.samples), voice, len(crowd), rng), snr_db))
        for trial in trials
    ]  # fmt: skip


def framed(samples: audio.Samples) -> audio.Samples:
    """Put the silence of a quiet room around a clip, as a microphone hears it."""
    rng = np.random.default_rng(len(samples))
    framed = np.pad(samples, (audio.RATE // 4, audio.RATE // 2))
    return np.asarray(framed + 0.0005 * noise.coloured(len(framed), rng, 1), np.float32)
