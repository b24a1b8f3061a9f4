"""Half an hour and more of noise as features, to be mixed in anew at every step of training.

A copy of a clip has one noise for ever, and the recorded cafés and kitchens that may train last
less than three minutes: here each is replayed at many speeds, alone, over another, and with people
talking, and `specaug.py` puts any stretch behind any clip, at any distance.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from . import augment, features, noise, people_noise
from .audio import RATE, Samples

PART = "noise"
STRETCHES, SECONDS = 300, 10
_SLOWEST, _FASTEST = 0.65, 1.5

Make = Callable[[int, augment.Surroundings, np.random.Generator], Samples]


def write(base: Path, around: augment.Surroundings, stretches: int, seed: int) -> int:
    """Write so many stretches of noise to `base`, each as an utterance; return the frames."""
    rng = np.random.default_rng(seed)
    made = (_stretch(around, rng) for _ in range(stretches))
    nobody = features.Transcript("", PART, False, -1)
    return features.write(base, ((nobody, features.mfcc(samples)) for samples in made))


def load(base: Path) -> torch.Tensor | None:
    """Return the cepstra (frames, 40) of all stretches in a row; None where there is no bank."""
    if not base.with_suffix(".json").exists():
        return None
    return torch.from_numpy(np.load(base.with_suffix(".npy")).astype(np.float32))


def _stretch(around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    """Return ten seconds of one kind of noise, or of two at different loudness."""
    samples = _one(around, rng)
    if rng.random() < 0.4:
        samples = samples + _one(around, rng) * 10 ** (-rng.uniform(0, 12) / 20)
    peak = 10 ** (-rng.uniform(3, 20) / 20)
    return np.asarray(samples / (np.abs(samples).max() + 1e-9) * peak, np.float32)


def _one(around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    kinds = [kind for kind in _KINDS if kind is not _recorded or around.recordings]
    shares = np.array([_KINDS[kind] for kind in kinds])
    kind = kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))]
    made = kind(SECONDS * RATE, around, rng)
    return np.asarray(made / (made.std() + 1e-9), np.float32)


def _recorded(length: int, around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    """A café, a kitchen or a room, slower or faster, pitch and all, and brighter or duller."""
    speed = rng.uniform(_SLOWEST, _FASTEST)
    stretch = noise.excerpt(around.recordings, int(length * speed) + 2, rng)
    places = np.arange(length) * speed
    return np.asarray(np.interp(places, np.arange(len(stretch)), stretch), np.float32)


def _people(length: int, around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    return noise.babble(length, around.crowd, around.crowd_size, rng)


def _room_of_people(length: int, around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    """A bar: people who talk, and what they do with plates, glasses and cards."""
    talk = _people(length, around, rng) + _people(length, around, rng)
    clatter = noise.clatter(length, rng)
    louder = 10 ** (rng.uniform(-15, 5) / 20)
    return np.asarray(talk / talk.std() + clatter / clatter.std() * louder, np.float32)


def _clatter(length: int, _: augment.Surroundings, rng: np.random.Generator) -> Samples:
    return noise.clatter(length, rng)


def _music(length: int, _: augment.Surroundings, rng: np.random.Generator) -> Samples:
    return people_noise.music(length, rng)


def _coloured(length: int, _: augment.Surroundings, rng: np.random.Generator) -> Samples:
    return noise.coloured(length, rng, rng.uniform(0, 2.2))


def _hum(length: int, _: augment.Surroundings, rng: np.random.Generator) -> Samples:
    return noise.hum(length, rng)


_KINDS: dict[Make, float] = {
    _recorded: 0.4,
    _people: 0.15,
    _room_of_people: 0.15,
    _clatter: 0.1,
    _music: 0.08,
    _coloured: 0.07,
    _hum: 0.05,
}
"""Each kind of noise, and its share."""
