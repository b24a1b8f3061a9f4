"""Scenes of some seconds at a table: calls in a row in one room, or noise without a word.

They hold only what may be used for tuning. The caller chooses the voices, each recorded noise is
the part that trains, and people kept for measuring are left out.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.signal import fftconvolve

from scripts.lab.rendering.voices import LOUDNESS, Manner, Voice, speak

from . import audio, human, noise, people_noise, rooms, split
from .audio import RATE, Samples

RECORDED = ("cafe_short", "kitchen", "room")
MADE: dict[str, Callable[[int, np.random.Generator], Samples]] = {
    "knocks, claps, clinks": lambda length, rng: _now_and_then(noise.knocks, length, rng),
    "laughter": lambda length, rng: _some(people_noise.laughter, length, rng),
    "coughs": lambda length, rng: _some(people_noise.cough, length, rng),
    "shuffles": lambda length, rng: _some(people_noise.shuffle, length, rng),
    "music": people_noise.music,
    "clatter": noise.clatter,
    "knocks over a hum": lambda length, rng: _over_a_hum(length, rng),
}
ROOMS = ("quiet", "echo", *(f"{name} {snr}" for name in RECORDED[:2] for snr in (18, 12, 6)))
"""Where calls are said: recorded noise so many dB below the voices."""

CALLS = 6
"""Calls in one scene."""
SECONDS = 10
"""Length of a scene of noise."""
PAUSES = (0.55, 1.1)
"""Seconds between two calls: more than any that the ear takes for one call's own."""
QUIETER = 24.0
"""dB that a scene may lie below the loudest: a microphone turned down, or far away."""
HISS = (-75.0, -55.0)
"""dB below full scale of what a microphone adds."""
LONGEST_WORD = 1.6
"""Seconds of a clip by people: in a longer one there is more than its text."""
SPEEDS, PITCHES = (0.85, 1.3), (0.88, 1.12)
REPLAYED = (0.8, 1.25)
"""Speeds at which recordings are played: the café's few seconds would else be heard only once."""


@dataclass(frozen=True, slots=True)
class Said:
    """A call and where it sounds in its scene, in seconds."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Scene:
    """The sound of a scene, its kind, and the calls that are said in it; none if it is noise."""

    kind: str
    samples: Samples
    said: tuple[Said, ...] = ()


def recordings(folder: Path) -> dict[str, list[Samples]]:
    """Read the part of each recorded noise that trains. Raises FileNotFoundError."""
    found = {
        name: [
            split.noise_part(audio.read(path), measuring=False)
            for path in sorted((folder / name).glob("*.ogg"))
        ]
        for name in RECORDED
    }
    if missing := [name for name, parts in found.items() if not parts]:
        raise FileNotFoundError(f"{folder} holds no recordings of {', '.join(missing)}.")
    return found


def of_calls(
    texts: Sequence[str],
    voices: Sequence[Voice],
    recorded: dict[str, list[Samples]],
    rng: np.random.Generator,
) -> Iterator[Scene]:
    """Yield scenes in which all the texts are said, one voice after another, in one room each."""
    dice = random.Random(int(rng.integers(2**32)))
    for number, first in enumerate(range(0, len(texts), CALLS)):
        pieces, said, at = [np.zeros(RATE // 2, np.float32)], [], RATE // 2
        for i, text in enumerate(texts[first : first + CALLS]):
            manner = Manner(dice.uniform(*SPEEDS), dice.uniform(*PITCHES))
            call = speak(voices[(first + i) % len(voices)], text, manner)
            call = call * np.float32(10 ** (-dice.uniform(0, 6) / 20))
            pause = round(dice.uniform(*PAUSES) * RATE)
            said.append(Said(text, at / RATE, (at + len(call)) / RATE))
            pieces += [call, np.zeros(pause, np.float32)]
            at += len(call) + pause
        kind = ROOMS[number % len(ROOMS)]
        samples = _in_room(np.concatenate(pieces), kind, recorded, rng)
        quieter = 10 ** (-rng.uniform(0, QUIETER) / 20)
        yield Scene(kind, _with_hiss(samples * quieter, rng), tuple(said))


def of_people(
    folder: Path, count: int, recorded: dict[str, list[Samples]], rng: np.random.Generator
) -> Iterator[Scene]:
    """Yield scenes of one Spanish word or two each, said by people who may train."""
    rows = [row for row in human.manifest(folder) if row.language == "es" and _is_short(row)]
    for number, index in enumerate(rng.permutation(len(rows))[:count]):
        spoken = human.speech(rows[index].path)
        if spoken is None or len(spoken) > LONGEST_WORD * RATE:
            continue
        call = spoken * np.float32(LOUDNESS / audio.rms(spoken))
        padded = np.pad(call, (RATE, RATE // 2))
        kind = ROOMS[number % len(ROOMS)]
        quieter = 10 ** (-rng.uniform(0, QUIETER) / 20)
        samples = _with_hiss(_in_room(padded, kind, recorded, rng) * quieter, rng)
        yield Scene(kind, samples, (Said(rows[index].text, 1.0, 1.0 + len(call) / RATE),))


def _is_short(row: human.Recording) -> bool:
    return 1 <= len(row.text.split()) <= 2 and row.speaker not in split.MEASURING_SPEAKERS


def of_noise(
    seconds: float, recorded: dict[str, list[Samples]], rng: np.random.Generator
) -> Iterator[Scene]:
    """Yield scenes without a word, with this many seconds of each kind of noise."""
    length = SECONDS * RATE
    for kind in (*MADE, *RECORDED):
        for _ in range(round(seconds / SECONDS)):
            made = MADE[kind](length, rng) if kind in MADE else _replayed(recorded[kind], rng)
            peak = 10 ** (-rng.uniform(0, QUIETER) / 20)
            samples = made / (np.abs(made).max() + 1e-9) * peak
            yield Scene(kind, _with_hiss(samples, rng))


def _in_room(
    samples: Samples, kind: str, recorded: dict[str, list[Samples]], rng: np.random.Generator
) -> Samples:
    if kind == "quiet":
        return samples
    if kind == "echo":
        return np.asarray(fftconvolve(samples, rooms.decaying_noise(rng))[: len(samples)])
    name, snr = kind.split()
    other = _replayed(recorded[name], rng, len(samples))
    speech = samples[np.abs(samples) > 1e-4]
    gain = audio.rms(speech) / audio.rms(other) * 10 ** (-float(snr) / 20)
    return np.asarray(samples + other * gain, np.float32)


def _replayed(
    recorded: Sequence[Samples], rng: np.random.Generator, length: int = SECONDS * RATE
) -> Samples:
    """Return a stretch of a recording, slower or faster, with the pitch."""
    speed = rng.uniform(*REPLAYED)
    stretch = noise.excerpt(recorded, int(length * speed) + 2, rng)
    places = np.arange(length) * speed
    return np.asarray(np.interp(places, np.arange(len(stretch)), stretch), np.float32)


def _now_and_then(
    make: Callable[[int, np.random.Generator], Samples], length: int, rng: np.random.Generator
) -> Samples:
    """Return sounds of `make`, which makes them by length, one after another."""
    pieces = [make(length // 4, rng) * 10 ** (-rng.uniform(0, 12) / 20) for _ in range(4)]
    return np.asarray(np.concatenate(pieces), np.float32)


def _over_a_hum(length: int, rng: np.random.Generator) -> Samples:
    hum = noise.hum(length, rng) * 10 ** (-rng.uniform(20, 40) / 20)
    return np.asarray(hum + _now_and_then(noise.knocks, length, rng), np.float32)


def _some(
    make: Callable[[np.random.Generator], Samples], length: int, rng: np.random.Generator
) -> Samples:
    """Return three sounds of `make` at random places, some louder than others."""
    scene = np.zeros(length, np.float32)
    for _ in range(3):
        sound = make(rng) * 10 ** (-rng.uniform(0, 12) / 20)
        at = int(rng.integers(length))
        scene[at : at + len(sound)] += sound[: length - at]
    return scene


def _with_hiss(samples: Samples, rng: np.random.Generator) -> Samples:
    hiss = noise.coloured(len(samples), rng, rng.uniform(0, 2))
    return np.asarray(samples + hiss * 10 ** (rng.uniform(*HISS) / 20), np.float32)
