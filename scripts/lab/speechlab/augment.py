"""Augmentation of a clip: speed, rooms, noise, microphones, telephones and loudness.

`light` copies get speed, a simple room, noise and mild band limits. `heavy` ones also get real
rooms, knocks, spectral tilt and telephone lines. The warp of the vocal tract and of the channel
happens later, on the features, at every training step (see specaug.py).
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import soundfile
from scipy.signal import butter, fftconvolve, lfilter, resample_poly

from . import audio, noise, people_noise, rooms
from .audio import RATE, Samples

_NYQUIST = RATE / 2
_DENSER = 4


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What can be put around a clip: rooms, recorded noise, and clips for babble."""

    rooms: Sequence[Samples]
    crowd: noise.Fetch
    crowd_size: int
    recordings: Sequence[Samples] = field(default=())


def spoken(clip: Samples, around: Surroundings, heavy: bool, rng: np.random.Generator) -> Samples:
    """Return one augmented copy of a clip of speech."""
    samples = _speed(clip, rng) if rng.random() < 0.75 else clip
    power = audio.rms(samples)
    samples = _padded(samples, rng)
    if rng.random() < 0.5:
        samples = _in_room(samples, around, heavy, rng)
    samples = _with_noise(samples, power, around, rng, floor_db=0 if heavy else 5)
    if heavy and rng.random() < 0.2:
        loudness = float(np.abs(samples).max()) * rng.uniform(0.1, 0.8)
        samples = samples + noise.knocks(len(samples), rng) * loudness
    if heavy and rng.random() < 0.3:
        samples = _filtered(([1.0, rng.uniform(-0.6, 0.6)], [1.0]), samples)
    return _recorded(samples, heavy, rng)


def silent(around: Surroundings, heavy: bool, rng: np.random.Generator) -> Samples:
    """Return half to three seconds in which nobody speaks."""
    samples = np.zeros(int(RATE * rng.uniform(0.5, 3)), np.float32)
    samples = _with_noise(samples, 0.1, around, rng, people=False)
    if heavy and rng.random() < 0.8:
        samples = samples + 0.5 * noise.knocks(len(samples), rng)
    return _recorded(samples, heavy, rng)


def _speed(samples: Samples, rng: np.random.Generator) -> Samples:
    """Play faster or slower, with the pitch, as Ko et al. (2015)."""
    factor = rng.uniform(0.84, 1.2)
    if factor > 1:
        samples = _filtered(butter(4, 0.95 / factor), samples)
    return at_speed(samples, factor)


def at_speed(samples: Samples, factor: float) -> Samples:
    """Return samples played `factor` times as fast, by lines between four times as many.

    Lines between the original samples would take half of the loudness from the hiss of an s.
    """
    dense = resample_poly(samples, _DENSER, 1)
    places = np.arange(0, len(dense) - 1, factor * _DENSER)
    return np.asarray(np.interp(places, np.arange(len(dense)), dense), np.float32)


def _padded(samples: Samples, rng: np.random.Generator) -> Samples:
    before, after = int(RATE * rng.uniform(0.05, 0.6)), int(RATE * rng.uniform(0.15, 0.6))
    return np.pad(samples, (before, after))


def _in_room(
    samples: Samples, around: Surroundings, heavy: bool, rng: np.random.Generator
) -> Samples:
    shoebox = heavy and rng.random() < 0.6
    response = (
        around.rooms[int(rng.integers(len(around.rooms)))] if shoebox else rooms.decaying_noise(rng)
    )
    return np.asarray(fftconvolve(samples, response)[: len(samples)], np.float32)


def _with_noise(
    samples: Samples, power: float, around: Surroundings, rng: np.random.Generator,
    people: bool = True, floor_db: float = 3,
) -> Samples:  # fmt: skip
    """Add one kind of noise, `floor_db` to 27 dB below the power; none in one case of twelve."""
    length, dice = len(samples), rng.random()
    if dice > 0.92:
        return samples
    if dice < 0.38 and people:
        other = noise.babble(length, around.crowd, around.crowd_size, rng)
    elif dice < 0.54 and around.recordings:
        other = noise.excerpt(around.recordings, length, rng)
    elif dice < 0.6:
        other = people_noise.music(length, rng)
    elif dice < 0.7:
        other = noise.clatter(length, rng)
    elif dice < 0.86:
        other = noise.coloured(length, rng, rng.uniform(0, 2.2))
    else:
        other = noise.hum(length, rng)
    gain = power / audio.rms(other) * 10 ** (-rng.uniform(floor_db, 27) / 20)
    return np.asarray(samples + other * gain, np.float32)


def _recorded(samples: Samples, heavy: bool, rng: np.random.Generator) -> Samples:
    """Pass through a microphone or a telephone, at some loudness, sometimes clipped."""
    if heavy and rng.random() < 0.5:
        samples = _telephone(samples, rng)
    else:
        if rng.random() < 0.25:
            samples = _filtered(butter(2, rng.uniform(60, 350) / _NYQUIST, "high"), samples)
        if rng.random() < 0.25:
            samples = _filtered(butter(3, rng.uniform(3300, 7500) / _NYQUIST), samples)
    samples = samples / (np.abs(samples).max() + 1e-9) * 10 ** (rng.uniform(-32, -0.5) / 20)
    if rng.random() < 0.05:
        samples = np.clip(samples * 3, -1, 1)
    return np.asarray(samples, np.float32)


def _telephone(samples: Samples, rng: np.random.Generator) -> Samples:
    """Keep a telephone's band and, in most cases, code it as GSM 06.10 or mu-law."""
    band = [rng.uniform(180, 400) / _NYQUIST, rng.uniform(3000, 3800) / _NYQUIST]
    samples = _filtered(butter(int(rng.integers(2, 5)), band, "band"), samples)
    narrow = resample_poly(samples, 1, 2)
    narrow = narrow / (np.abs(narrow).max() + 1e-9) * rng.uniform(0.2, 0.9)
    dice = rng.random()
    if dice < 0.75:
        narrow = _coded(narrow, "GSM610" if dice < 0.45 else "ULAW")
    return np.asarray(resample_poly(narrow, 2, 1), np.float32)


def _coded(narrow: Samples, subtype: str) -> Samples:
    buffer = io.BytesIO()
    soundfile.write(buffer, narrow, RATE // 2, format="WAV", subtype=subtype)
    buffer.seek(0)
    return np.asarray(soundfile.read(buffer, dtype="float32")[0], np.float32)


def _filtered(coefficients: tuple[Sequence[float], Sequence[float]], samples: Samples) -> Samples:
    return np.asarray(lfilter(*coefficients, samples), np.float32)
