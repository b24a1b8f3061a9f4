"""From clips to features: augment every clip of a part and store what the network will see."""

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

_ONE_LINE_OF = 3
"""Dutch and English actors talk for four hours, and all who talk behind others are in memory."""


@cache
def bystanders(people: Path | None) -> list[tuple[str, Samples]]:
    """Return who talks in the background, and what: one row a recording; read once a process.

    They are those in the folder `people` who speak other languages, and those in Debian's packages.
    """
    rows = [*(human.manifest(people) if people else ()), *packaged.bystanders()]
    rows += list(neighbours.bystanders())[::_ONE_LINE_OF]
    english = islice(amazon_queen.talk(measuring=False), None, None, _ONE_LINE_OF)
    return [*human.bystanders(rows), *((amazon_queen.SPEAKER, line) for line in english)]


def surroundings(
    work: Path, crowd: clips.ClipStore, people: Path | None, others: Sequence[Samples]
) -> augment.Surroundings:
    """Return rooms, noise and babble; half of the babble is `others` where there are any."""
    halls = rooms.load_or_make(work / "rooms.npy", rooms.COUNT, seed=1)
    total = 2 * len(crowd) if others else len(crowd)

    def fetch(index: int) -> Samples:
        if index < len(crowd):
            return crowd.samples(index)
        return others[index % len(others)]

    return augment.Surroundings(halls, fetch, total, human.noises(people) if people else [])


def make_features(
    base: Path, store: clips.ClipStore, around: augment.Surroundings, copies: int, seed: int
) -> int:
    """Write the features of one part, `copies` per clip, to `base`; return the frames."""
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
