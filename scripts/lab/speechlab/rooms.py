"""Room impulse responses: shoebox rooms (image method, pyroomacoustics) and decaying noise."""

from pathlib import Path

import numpy as np

from .audio import RATE, Samples

_LONGEST = 9600
COUNT = 240
"""Rooms that training is put into."""


def load_or_make(path: Path, count: int, seed: int) -> list[Samples]:
    """Read the rooms at `path`, or make `count` rooms and keep them there."""
    if not path.exists():
        rng = np.random.default_rng(seed)
        made = [room for room in (_shoebox(rng) for _ in range(count)) if room is not None]
        padded = [np.pad(room, (0, _LONGEST - len(room))) for room in made]
        np.save(path, np.stack(padded).astype(np.float16))
    return [np.asarray(row, np.float32) for row in np.load(path)]


def _shoebox(rng: np.random.Generator) -> Samples | None:
    """Return the response of one random room; None if Sabine's formula has no solution."""
    import pyroomacoustics  # imported here, so that rooms made elsewhere can be read without it

    size = rng.uniform([2.5, 2.0, 2.2], [8.0, 6.0, 3.5])
    try:
        absorption, order = pyroomacoustics.inverse_sabine(rng.uniform(0.15, 0.7), size)
    except ValueError:
        return None
    room = pyroomacoustics.ShoeBox(
        size, RATE, materials=pyroomacoustics.Material(absorption), max_order=min(order, 12)
    )
    mouth = rng.uniform(0.4, size - 0.4)
    offset = rng.normal(0, 1, 3) * rng.uniform(0.2, 0.8)
    room.add_source(mouth)
    room.add_microphone(np.clip(mouth + offset, 0.2, size - 0.2))
    room.compute_rir()
    response = room.rir[0][0]
    arrival = int(np.argmax(np.abs(response)))
    response = response[max(0, arrival - 8) :][:_LONGEST]
    return np.asarray(response / np.abs(response).max(), np.float32)


def decaying_noise(rng: np.random.Generator) -> Samples:
    """Return a response after Moorer (1979): white noise under an exponential decay."""
    return _decaying(rng, t60=rng.uniform(0.08, 0.6), direct_db=rng.uniform(0, 14))


def far_away(rng: np.random.Generator) -> Samples:
    """Return a response from across the room: it rings longer, and is most of the sound."""
    return _decaying(rng, t60=rng.uniform(0.3, 0.8), direct_db=rng.uniform(-8, 3))


def _decaying(rng: np.random.Generator, t60: float, direct_db: float) -> Samples:
    length = int(RATE * min(t60, 0.5))
    tail = rng.standard_normal(length) * np.exp(-6.9 * np.arange(length) / RATE / t60)
    tail[: int(0.002 * RATE)] = 0
    tail /= np.sqrt(np.square(tail).sum()) + 1e-9
    direct = 10 ** (direct_db / 20)
    tail[0] = direct
    return np.asarray(tail / direct, np.float32)
