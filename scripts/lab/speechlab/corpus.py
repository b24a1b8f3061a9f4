"""From clips to features: augment every clip of a part, and store the network's input."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

from . import (
    amazon_queen,
    augment,
    clips,
    features,
    human,
    neighbours,
    packaged,
    recipe,
    rooms,
)
from .audio import Samples

BYSTANDERS, NOISES = "bystanders", "noises"
"""Clip stores of the work folder, for a machine that has neither the folder nor the packages."""

_ONE_LINE_OF = 3
"""Dutch and English actors talk for four hours, and all who talk behind others are in memory."""


@cache
def bystanders(work: Path, people: Path | None) -> list[tuple[str, Samples]]:
    """Return who talks in the background and what, a row for each recording.

    It is read once in a process. They are those of the work folder's store if it has one. Otherwise
    they are people in the folder `people` who speak other languages, and those in Debian's
    packages.
    """
    kept = _kept(work, BYSTANDERS)
    if kept is not None:
        return [(clip.voice, kept.samples(index)) for index, clip in enumerate(kept.clips)]
    rows = [*(human.manifest(people) if people else ()), *packaged.bystanders()]
    rows += list(neighbours.bystanders())[::_ONE_LINE_OF]
    english = islice(amazon_queen.talk(measuring=False), None, None, _ONE_LINE_OF)
    return [*human.bystanders(rows), *((amazon_queen.SPEAKER, line) for line in english)]


def surroundings(
    work: Path, crowd: clips.ClipStore, people: Path | None, others: Sequence[Samples]
) -> augment.Surroundings:
    """Return rooms, noise and babble. Half of the babble is `others`, if there are any."""
    halls = rooms.load_or_make(work / "rooms.npy", rooms.COUNT, seed=1)
    total = 2 * len(crowd) if others else len(crowd)

    def fetch(index: int) -> Samples:
        if index < len(crowd):
            return crowd.samples(index)
        return others[index % len(others)]

    return augment.Surroundings(halls, fetch, total, _noises(work, people))


def keep_surroundings(work: Path, people: Path | None) -> None:
    """Write the rooms, the bystanders and the noises to the work folder if they are missing."""
    rooms.load_or_make(work / "rooms.npy", rooms.COUNT, seed=1)
    others = [
        (clips.Clip("", "talk", who, None), samples) for who, samples in bystanders(work, people)
    ]
    noises = [
        (clips.Clip("", "noise", "noise", None), np.clip(samples, -1, 1))
        for samples in _noises(work, people)
    ]
    for name, items in ((BYSTANDERS, others), (NOISES, noises)):
        if items and _kept(work, name) is None:
            clips.write(work / f"speech-{name}", items)


def unpack_shared(work: Path) -> None:
    """Unpack the stores that all parts share, so that parallel parts find them ready."""
    for name in (recipe.ALL_PARTS[0], BYSTANDERS, NOISES):
        _kept(work, name)


def _noises(work: Path, people: Path | None) -> list[Samples]:
    kept = _kept(work, NOISES)
    if kept is not None:
        return [kept.samples(index) for index in range(len(kept))]
    return human.noises(people) if people else []


def _kept(work: Path, name: str) -> clips.ClipStore | None:
    base = work / f"speech-{name}"
    return clips.ClipStore(base) if base.with_suffix(".json").exists() else None


def make_features(
    base: Path, store: clips.ClipStore, around: augment.Surroundings, copies: int, seed: int
) -> int:
    """Write the features of one part, `copies` for each clip, to `base`. Returns the frames."""
    rng = np.random.default_rng(seed)
    return features.write(base, _utterances(base.name, store, around, copies, rng))


def _utterances(
    name: str, store: clips.ClipStore, around: augment.Surroundings, copies: int,
    rng: np.random.Generator,
) -> Iterator[tuple[features.Transcript, features.Frames]]:  # fmt: skip
    for index, clip in enumerate(store.clips):
        speech = store.samples(index)
        transcript = features.Transcript(clip.text, clip.voice, clip.seseo, index)
        for copy in range(copies):
            heard = augment.spoken(speech, around, heavy=copy % 2 == 1, rng=rng)
            yield transcript, features.mfcc(heard)
        if index % 1000 == 0:
            print(f"{name}: {index} of {len(store)} clips", flush=True)
    nobody = features.Transcript("", "nobody", False, -1)
    for number in range(min(recipe.SILENT_CLIPS, len(store)) * 2):
        yield nobody, features.mfcc(augment.silent(around, heavy=number % 2 == 1, rng=rng))
