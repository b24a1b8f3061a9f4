"""Banks of noise and of talk as features, more than half an hour, to be mixed in at each step.

A copy of a clip has the same noise for ever, and the recorded cafés and kitchens that may train
last less than three minutes. So each recording is replayed here at many speeds, alone, over
another, and with people talking, and `specaug.py` puts any stretch behind any clip, at any
distance.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from scipy.signal import fftconvolve

from . import audio, augment, features, noise, people_noise, rooms
from .audio import RATE, Samples

NOISE, TALK = "noise", "talk"
"""The two banks."""
STRETCHES, SECONDS = 300, 10
_TALKERS, _QUIETER_DB, _PAUSE_S = 4, 12.0, (0.05, 1.5)
_SLOWEST, _FASTEST = 0.65, 1.5

Make = Callable[[int, augment.Surroundings, np.random.Generator], Samples]


def write(base: Path, bank: str, around: augment.Surroundings, stretches: int, seed: int) -> int:
    """Write this many stretches of a bank to `base`, each as an utterance. Returns the frames."""
    rng = np.random.default_rng(seed)
    make = _conversation if bank == TALK else _stretch
    made = (make(around, rng) for _ in range(stretches))
    nobody = features.Transcript("", bank, False, -1)
    return features.write(base, ((nobody, features.mfcc(samples)) for samples in made))


def load(base: Path) -> torch.Tensor | None:
    """Return the cepstra (frames, 40) of all stretches in a row; None if there is no bank."""
    if not base.with_suffix(".json").exists():
        return None
    return torch.from_numpy(np.load(base.with_suffix(".npy")).astype(np.float32))


def _stretch(around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    """Return ten seconds of one kind of noise, or of two at different loudness."""
    samples = _one(around, rng)
    if rng.random() < 0.4:
        samples = samples + _one(around, rng) * 10 ** (-rng.uniform(0, 12) / 20)
    return _at_some_level(samples, rng)


def _conversation(around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    """Return ten seconds of a few people in a room. Each says clip after clip, with pauses."""
    heard = np.zeros(SECONDS * RATE, np.float32)
    for talker in range(rng.integers(1, _TALKERS + 1)):
        track = _talker(len(heard), around, rng)
        far = fftconvolve(track, rooms.far_away(rng))[: len(heard)]
        level = 10 ** (-rng.uniform(0, _QUIETER_DB if talker else 0) / 20)
        heard += np.asarray(far * level / audio.rms(far), np.float32)
    return _at_some_level(heard, rng)


def _talker(length: int, around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    track = np.zeros(length, np.float32)
    at = int(RATE * rng.uniform(0, _PAUSE_S[1]))
    while at < length:
        clip = around.crowd(int(rng.integers(around.crowd_size)))[: length - at]
        track[at : at + len(clip)] = clip / audio.rms(clip)
        at += len(clip) + int(RATE * rng.uniform(*_PAUSE_S))
    return track


def _at_some_level(samples: Samples, rng: np.random.Generator) -> Samples:
    peak = 10 ** (-rng.uniform(3, 20) / 20)
    return np.asarray(samples / (np.abs(samples).max() + 1e-9) * peak, np.float32)


def _one(around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    kinds = [kind for kind in _KINDS if kind is not _recorded or around.recordings]
    shares = np.array([_KINDS[kind] for kind in kinds])
    kind = kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))]
    made = kind(SECONDS * RATE, around, rng)
    return np.asarray(made / (made.std() + 1e-9), np.float32)


def _recorded(length: int, around: augment.Surroundings, rng: np.random.Generator) -> Samples:
    """A café, a kitchen or a room, slower or faster, with the pitch, and brighter or duller."""
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
