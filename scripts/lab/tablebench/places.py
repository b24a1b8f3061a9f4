"""Rooms with a table at which a telephone lies before each player, by the image method.

Microphone 0 is in the middle of the table, and 1 to 4 are the telephones of the seats. Around the
one in the middle there may be four more, which are an array. Each response is a room's whole answer
(pyroomacoustics), so that distances, echoes and delays agree between the microphones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pyroomacoustics
from pyroomacoustics.directivities import CardioidFamily, DirectionVector
from scipy.signal import fftconvolve

from scripts.lab.rendering.voices import Floats
from scripts.lab.speechlab.audio import RATE
from scripts.lab.tablebench.room import FAR, Dice, Point
from scripts.lab.tablebench.said import cache_folder

PLACES, SEATS, WALLS = 6, 4, 8
"""Number of rooms; seats of a table; places at the walls for other talkers and televisions."""
REVERBERATION = (0.3, 0.4), (0.4, 0.6)
"""Seconds in which the room's answer falls by 60 dB: in the smallest room, and in the largest."""
SIZES = (4.5, 3.8, 2.5), (12.0, 9.0, 3.5)
"""Metres: a kitchen at home and a large bar."""
MOUTH, TELEPHONE = (0.8, 1.0), (0.35, 0.6)
"""Metres from a mouth to the middle of the table, and to its player's telephone."""
LOUDSPEAKER = 0.3
"""Metres from the middle to the assistant's loudspeaker."""
ARRAY, RING = 4, 0.032
"""Microphones of the array, and metres from its middle to each, as of one that is sold for four
channels by USB."""
CUP = 0.15
"""Metres from a telephone to a cup that somebody sets down."""
_TABLE, _ABOVE, _STANDING = 0.75, (0.28, 0.38), (1.0, 1.7)
"""Metres above the floor; of mouths above the table; of others' mouths and televisions."""
_ORDER = 30
_DIRECT = 0.0025
_FORWARD, _DOWN = 0.75, 110.0
"""Of a cardioid pattern, the part that goes everywhere: a mouth is 6 dB louder in front than behind
(directivity index 2.3 dB). Degrees from upright in which players speak."""
_VERSION = 2


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A room's responses, each of shape (samples, 5), or (samples, 9) with an array.

    They are scaled so that a player's direct sound has energy 1 in the middle of the table, on
    average.
    """

    seats: tuple[Floats, ...]
    walls: tuple[Floats, ...]
    loudspeaker: Floats
    cups: tuple[Floats, ...]


def heard(sound: Floats, response: Floats) -> Floats:
    """A dry sound as all microphones have it: shape (samples, microphones)."""
    return np.asarray(fftconvolve(sound[:, None], response, axes=0), np.float32)


@cache
def place(number: int, array: bool = False) -> Place:
    """The room of that number, made once and kept on disk; with or without an array."""
    named = f"place-{_VERSION}-{number % PLACES}{'-array' if array else ''}"
    kept = cache_folder() / f"{named}.npy"
    try:
        responses = np.asarray(np.load(kept), np.float32)
    except (OSError, ValueError, EOFError):
        responses = _responses(number % PLACES, array)
        np.save(kept, responses)
    ends = np.cumsum([SEATS, WALLS, 1])
    seats, walls, loudspeaker, cups = np.split(responses, ends)
    return Place(tuple(seats), tuple(walls), loudspeaker[0], tuple(cups))


def _responses(number: int, array: bool) -> Floats:
    """All responses of a room: (sources, samples, microphones)."""
    dice = np.random.default_rng(8200 + number)
    share = number / (PLACES - 1)
    least, most = np.array(SIZES)
    size = least + (most - least) * share * dice.uniform(0.9, 1.0)
    short, long = (1 - share) * np.array(REVERBERATION[0]) + share * np.array(REVERBERATION[1])
    fades = float(dice.uniform(short, long))
    middle = np.array([size[0] * dice.uniform(0.4, 0.6), size[1] * dice.uniform(0.4, 0.6), _TABLE])
    turned = dice.uniform(0, 2 * np.pi)
    mouths, telephones, ways = [], [], []
    for seat in range(SEATS):
        angle = turned + seat * np.pi / 2 + dice.uniform(-0.15, 0.15)
        above = dice.uniform(*_ABOVE)
        away = np.sqrt(dice.uniform(*MOUTH) ** 2 - above**2)
        near = np.sqrt(dice.uniform(max(TELEPHONE[0], above + 0.02), TELEPHONE[1]) ** 2 - above**2)
        towards = np.array([np.cos(angle), np.sin(angle), 0.0])
        mouths.append(middle + away * towards + np.array([0.0, 0.0, above]))
        telephones.append(middle + (away - near) * towards)
        ways.append((float(np.degrees(angle)) + 180, _DOWN))
    ways += [(float(degrees), 90.0) for degrees in dice.uniform(0, 360, WALLS)]
    walls = [_at_wall(middle, size, dice) for _ in range(WALLS)]
    beside = dice.uniform(0, 2 * np.pi, SEATS + 1)
    aside = np.stack([np.cos(beside), np.sin(beside), np.full(SEATS + 1, 0.05)], axis=1)
    cups = [at + CUP * way for at, way in zip(telephones, aside, strict=False)]
    sources = [*mouths, *walls, middle + LOUDSPEAKER * aside[-1], *cups]
    around = float(np.random.default_rng(8300 + number).uniform(0, 2 * np.pi))
    turns = around + np.arange(ARRAY if array else 0) * 2 * np.pi / ARRAY
    ring = [middle + RING * np.array([np.cos(turn), np.sin(turn), 0.0]) for turn in turns]
    return _rendered(sources, ways, [middle, *telephones, *ring], size, fades)


def _at_wall(middle: Point, size: Point, dice: Dice) -> Point:
    """A place within a metre of a wall, and no nearer to the table than the next table is."""
    while True:
        at: Point = dice.uniform(0.3, 1.0, 3) * 1.0
        side = dice.integers(4)
        at[side % 2] = at[side % 2] if side < 2 else size[side % 2] - at[side % 2]
        along = 1 - side % 2
        at[along] = dice.uniform(0.4, size[along] - 0.4)
        at[2] = dice.uniform(*_STANDING)
        if float(np.linalg.norm(at - middle)) >= FAR[0]:
            return at


def _rendered(
    sources: list[Point],
    ways: list[tuple[float, float]],
    microphones: list[Point],
    size: Point,
    fades: float,
) -> Floats:
    """Render a room. ``ways``: degrees around and from upright in which sources speak."""
    absorption, _ = pyroomacoustics.inverse_sabine(fades, size)
    walls = pyroomacoustics.Material(absorption)
    room = pyroomacoustics.ShoeBox(size, RATE, materials=walls, max_order=_ORDER)
    for at, origin in enumerate(sources):
        mouth = CardioidFamily(DirectionVector(*ways[at]), _FORWARD) if at < len(ways) else None
        room.add_source(origin, directivity=mouth)
    for microphone in microphones:
        room.add_microphone(microphone)
    room.compute_rir()
    length = round(fades * RATE)
    made = np.zeros((len(sources), length, len(microphones)), np.float32)
    for number, responses in enumerate(room.rir):
        for source, response in enumerate(responses):
            kept = response[:length]
            made[source, : len(kept), number] = kept
    direct = []
    for response in made[:SEATS, :, 0]:
        arrives = int(np.argmax(np.abs(response)))
        direct.append(np.sum(np.square(response[: arrives + round(_DIRECT * RATE)])))
    return np.asarray(made / np.float32(np.sqrt(np.mean(direct))), np.float32)
