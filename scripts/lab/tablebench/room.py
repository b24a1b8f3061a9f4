"""The acoustics of a bar, from a voice to the microphone in the middle of a table.

Each bar is a room with hard walls and furniture. Its first echoes come from the image method
(pyroomacoustics), followed by noise that fades away. The direct sound keeps its level, and the
room's answer is added to it in the wanted ratio. The caller decides how loud somebody is at the
table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pyroomacoustics
from scipy.signal import fftconvolve, lfilter

from scripts.lab.rendering.voices import Floats
from scripts.lab.speechlab.audio import RATE

Dice = np.random.Generator
Point = npt.NDArray[np.float64]
"""Metres along a bar's three edges."""

BARS = 8
"""Number of bars. A seed chooses one."""
SEATS, PLACES = 4, 12
"""Places at the table, and places of others in the bar."""
NEAR, FAR = (0.6, 1.0), (1.8, 6.0)
"""Metres to the microphone: of players, and of others. The next table begins where this one
ends."""
NEAR_RATIO, FAR_RATIO = (3.0, 8.0), (-6.0, 2.0)
"""dB of the direct sound over all that the room answers."""
REVERBERATION = (0.4, 0.6)
"""Seconds in which the room's answer falls by 60 dB."""
BENT = 0.5
"""How far a small loudspeaker is driven into its limits. 0 means not at all."""
_SIZES = (7.0, 6.0, 2.7), (12.0, 9.0, 3.5)
"""Metres: the smallest bar and the largest."""
_TABLE, _MOUTHS = 0.78, (1.05, 1.6)
"""Metres above the floor."""
_ORDER = 5
"""Reflections that the image method follows, which are all of the first echoes."""
_EARLY = 0.05
"""Seconds that belong to the first echoes."""
_DIRECT = 0.0025
"""Seconds that count as the direct sound."""
_BEFORE = 40
"""Samples that an interpolated arrival begins before its peak."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The responses from each seat and from each other place; the direct sound has energy 1."""

    near: tuple[Floats, ...]
    far: tuple[Floats, ...]


def near(sound: Floats, seat: int, seed: int) -> Floats:
    """A player's voice at the microphone; ``seat`` from 1 on.

    What was said at a sample is heard at that sample, and the room goes on ringing after the end.
    """
    return _heard(sound, bar(seed % BARS).near[(seat - 1) % SEATS])


def far(sound: Floats, seed: int, place: int = 0) -> Floats:
    """Somebody who talks elsewhere in the same bar. People in one bar have different places.

    Place 0 is the nearest to the table, and the driest.
    """
    return _heard(sound, bar(seed % BARS).far[place % PLACES])


def loudspeaker(sound: Floats, seed: int) -> Floats:
    """The assistant's own voice as it comes back from a small loudspeaker on the same table."""
    peak = float(np.abs(sound).max()) or 1.0
    bent = np.tanh(BENT * sound / peak) / BENT * peak
    return _heard(np.asarray(bent, np.float32), bar(seed % BARS).near[seed % SEATS])


@cache
def bar(number: int) -> Bar:
    """The bar of that number."""
    dice = np.random.default_rng(7100 + number)
    size = dice.uniform(*_SIZES)
    microphone = np.array([size[0] * dice.uniform(0.4, 0.6), size[1] * dice.uniform(0.4, 0.6), 0])
    microphone[2] = _TABLE
    fades = dice.uniform(*REVERBERATION)
    first = dice.uniform(0, 2 * np.pi)
    seats = [
        _around(microphone, size, NEAR, first + seat * np.pi / 2, dice) for seat in range(SEATS)
    ]
    others = [
        _around(microphone, size, FAR, dice.uniform(0, 2 * np.pi), dice) for _ in range(PLACES)
    ]
    others.sort(key=lambda mouth: float(np.linalg.norm(mouth - microphone)))
    echoes = _early([*seats, *others], microphone, size, fades)
    drier = np.sort(dice.uniform(*FAR_RATIO, PLACES))[::-1]
    ratios = [*dice.uniform(*NEAR_RATIO, SEATS), *drier]
    responses = [
        _response(early, fades, ratio, dice) for early, ratio in zip(echoes, ratios, strict=True)
    ]
    return Bar(tuple(responses[:SEATS]), tuple(responses[SEATS:]))


def _around(
    microphone: Point, size: Point, metres: tuple[float, float], angle: float, dice: Dice
) -> Point:
    """A mouth at some distance; if a wall is in the way, in another direction."""
    while True:
        away, height = dice.uniform(*metres), dice.uniform(*_MOUTHS)
        rise = min(height - microphone[2], 0.9 * away)
        flat = np.sqrt(away**2 - rise**2)
        mouth: Point = microphone + np.array([flat * np.cos(angle), flat * np.sin(angle), rise])
        if np.all(mouth > 0.3) and np.all(mouth < size - 0.3):
            return mouth
        angle = dice.uniform(0, 2 * np.pi)


def _early(mouths: list[Point], microphone: Point, size: Point, fades: float) -> list[Floats]:
    """Each mouth's direct sound and first echoes, from the arrival of the direct sound on."""
    absorption, _ = pyroomacoustics.inverse_sabine(fades, size)
    walls = pyroomacoustics.Material(absorption)
    room = pyroomacoustics.ShoeBox(size, RATE, materials=walls, max_order=_ORDER)
    for mouth in mouths:
        room.add_source(mouth)
    room.add_microphone(microphone)
    room.compute_rir()
    found = []
    for mouth, response in zip(mouths, room.rir[0], strict=True):
        travels = float(np.linalg.norm(mouth - microphone)) / room.c
        arrives = round(travels * RATE) + _BEFORE
        kept = response[arrives:][: round(_EARLY * RATE)]
        found.append(np.pad(kept, (0, round(_EARLY * RATE) - len(kept))))
    return found


def _response(early: Floats, fades: float, ratio: float, dice: Dice) -> Floats:
    """The first echoes and the noise after them, ``ratio`` dB under the direct sound."""
    time = np.arange(round(fades * RATE)) / RATE
    tail = dice.standard_normal(len(time)) * 10 ** (-3 * time / fades)
    tail = lfilter([1.0], [1.0, -0.5], tail)  # walls and air swallow high sounds first
    direct = round(_DIRECT * RATE)
    late = len(early) // 2
    level = np.sqrt(np.mean(np.square(early[late:])) / np.mean(np.square(tail[late : len(early)])))
    tail[: len(early)] *= np.linspace(0, 1, len(early))
    tail *= level
    tail[: len(early)] += early
    tail[:direct] = early[:direct]
    tail[:direct] /= np.linalg.norm(tail[:direct])
    tail[direct:] *= 10 ** (-ratio / 20) / np.linalg.norm(tail[direct:])
    return np.asarray(tail, np.float32)


def _heard(sound: Floats, response: Floats) -> Floats:
    return np.asarray(fftconvolve(sound, response), np.float32)
