"""Samples for the network of the second check: cards on small tables, beside references."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from assistant.eye.compare import CELL, CELLS, SIZE, in_light_of, judged_cells, seen_parts
from assistant.eye.images import Image
from assistant.eye.match import Quad, resized, straightened, warped
from assistant.rules.cards import DECK
from scripts.lab.checklab import marks, prints
from scripts.lab.checklab.prints import Dice, Print
from scripts.lab.eyebench import grounds, layouts, light, obstacles, scenes, sprites, wear
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.grounds import GROUNDS
from scripts.lab.eyebench.layouts import Placed, Way
from scripts.lab.eyebench.light import Lit
from scripts.lab.eyebench.sprites import Laid, Pose, Sprite, Thing

DESIGNS = 400
HELD_OUT = 40
"""This many of the last designs are only for measuring."""
TABLE_MM = (270.0, 210.0)
ALIKE, DIFFERS, COVERED, UNTOLD = 0, 1, 2, 3
"""The kinds of cells. UNTOLD is a cell of unknown kind, from which nothing is learnt."""
SAME_LEVELS, OTHER_LEVELS = 5.0, 14.0
"""Prints that differ by no more than the first in a cell are alike; from the second on they
differ."""
OTHERS = 2
"""How many references of other prints each card is compared with, beside its own."""
WAYS = (Way.FANNED, Way.FANNED, Way.OVERLAPPED, Way.SEPARATED)
EVENING_WAYS = (Way.FANNED, Way.FANNED, Way.FANNED, Way.OVERLAPPED)
LIGHTS = (Lit.NORMAL, Lit.NORMAL, Lit.DIM, Lit.GLARE)
EVENING_LIGHTS = (Lit.NORMAL, Lit.DIM)
BARE = 0.5
"""The share of evening tables on whose cards nothing lies."""
LEAST_CELLS = 40
"""A card is left out if fewer of its cells are seen."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Some samples: ``pictures`` (n, 7, height, width) and ``cells`` (n, rows, columns), as bytes.

    The channels are a card in its reference's light, the reference, and the mask of what is seen.
    """

    pictures: npt.NDArray[np.uint8]
    cells: npt.NDArray[np.uint8]


def samples(seed: int, *, evening: bool = False) -> Samples:
    """The samples of one small table. The same seed gives the same samples.

    ``evening``: a table late in a bar. Its cards are worn, stained and creased, most lie in a fan,
    every second table is dim, and most references differ by the number alone.
    """
    dice = random.Random(f"{'evening' if evening else 'check'} {seed}")
    made = list(_of_table(dice, seed, evening))
    if not made:
        empty = np.zeros((0, 7, SIZE[1], SIZE[0]), np.uint8)
        return Samples(empty, np.zeros((0, *CELLS), np.uint8))
    return Samples(np.stack([one for one, _ in made]), np.stack([cells for _, cells in made]))


def held_out(seed: int) -> bool:
    """Whether a table's design is one that the network never learns from."""
    return _design(seed) >= DESIGNS - HELD_OUT


def _design(seed: int) -> int:
    return random.Random(f"which {seed}").randrange(DESIGNS)


def _of_table(
    dice: Dice, seed: int, evening: bool
) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]]:
    design = _design(seed)
    on_it = [_a_card(design, dice) for _ in range(4)]
    numbers = np.random.default_rng(dice.getrandbits(63))
    watching, cards = _laid(dice, evening)
    things = [] if evening and dice.random() < BARE else _things(cards, dice)
    picture = _taken(watching, cards, on_it, things, dice, numbers, evening=evening)
    across, down = watching.size
    under = scenes.filled([], across, down)
    for thing in things:
        under |= thing.covers(watching)
    quads = [watching.seen(layouts.corners(placed)) for placed in cards]
    another = prints.misread if evening else prints.other
    for at, own in enumerate(on_it):
        if not ((quads[at] > 1) & (quads[at] < np.array(watching.size) - 2)).all():
            continue
        above = [quad for quad in quads[at + 1 :] if dice.random() < 0.92]
        near = [_askew(quad, watching.per_mm * 0.6, dice) for quad in above]
        free = ~scenes.filled(near, across, down)
        hidden = scenes.filled(quads[at + 1 :], across, down) | under
        quad = _askew(quads[at], watching.per_mm * dice.choice((0.25, 0.5, 0.9)), dice)
        shown = straightened(picture, quad, SIZE)
        seen = _warped(free, quad) > 200
        small = cv2.erode(seen.astype(np.uint8), np.ones((5, 5)))
        covered = _warped(hidden, quad)
        for one in (own, *(another(own, dice) for _ in range(OTHERS))):
            reference = _enrolled(prints.drawn(one), dice)
            mask = seen_parts(shown, reference, np.asarray(small, np.uint8))
            judged = judged_cells(mask)
            if judged.sum() < LEAST_CELLS:
                continue
            lit = in_light_of(shown, reference, mask)
            cells = _cells(prints.drawn(own), prints.drawn(one), covered)
            cells[~judged] = UNTOLD
            channels = np.concatenate([lit, reference, mask[..., None]], axis=2)
            yield channels.transpose(2, 0, 1), cells


def _a_card(design: int, dice: Dice) -> Print:
    """A card as decks have it, or one that differs only by a number, a pip or a spot."""
    card = prints.rank_of(design, dice.randrange(prints.SUITS), dice.randint(1, prints.RANKS))
    return card if dice.random() < 0.8 else prints.other(card, dice)


def _laid(dice: Dice, evening: bool) -> tuple[Camera, list[Placed]]:
    per_mm = dice.choice((dice.uniform(1.15, 1.7), dice.uniform(1.6, 2.0), dice.uniform(1.8, 2.8)))
    if evening:
        per_mm = dice.uniform(1.4, 2.1)
    size = round(TABLE_MM[0] * per_mm), round(TABLE_MM[1] * per_mm)
    watching = Camera(
        size,
        per_mm,
        tilt=dice.uniform(0, 30),
        yaw=dice.uniform(0, 360),
        roll=dice.uniform(-6, 6),
        distance=dice.uniform(900, 1400),
        bulge=0.0,
    )
    way = dice.choice(EVENING_WAYS if evening else WAYS)
    place = (0.0, 0.0, dice.uniform(0, 360))
    return watching, layouts.hand(way, 1, DECK[:4], place, dice)


def _taken(
    watching: Camera,
    cards: list[Placed],
    on_it: list[Print],
    things: list[Thing],
    dice: Dice,
    numbers: np.random.Generator,
    *,
    evening: bool,
) -> Image:
    """The picture of the table."""
    across, down = watching.size
    table = GROUNDS[dice.choice(sorted(GROUNDS))](across, down, numbers)
    faces = {placed.card: prints.drawn(own) for placed, own in zip(cards, on_it, strict=True)}
    if evening or dice.random() < 0.5:
        faces = dict(wear.worn(faces, dice.getrandbits(30)))
    if evening:
        faces = {card: marks.marked(face, dice) for card, face in faces.items()}
    for placed in cards:
        scenes.lay(table, placed, faces[placed.card], watching)
    for thing in things:
        thing.paint(table, watching)
    middles = watching.seen(np.array([(one.x, one.y) for one in cards])) / watching.size
    mirrors = [(float(x), float(y)) for x, y in middles]
    lit = dice.choice(EVENING_LIGHTS if evening else LIGHTS)
    shining = light.drawn(lit, mirrors, numbers)
    # The eye reads three frames together, which have less noise than one.
    shining = replace(shining, noise=shining.noise * dice.choice((0.58, 0.58, 1.0)))
    return light.shone(table, shining, numbers)


def _askew(quad: Quad, pixels: float, dice: Dice) -> Quad:
    """An outline as the eye would find it: shifted, turned and bent by about this many pixels."""
    numbers = np.random.default_rng(dice.getrandbits(63))
    return quad + numbers.normal(0, 0.8 * pixels, 2) + numbers.normal(0, 0.6 * pixels, (4, 2))


def _warped(mask: npt.NDArray[np.bool_], quad: Quad) -> npt.NDArray[np.uint8]:
    return warped(np.asarray(mask * np.uint8(255), np.uint8), quad, SIZE)


def _enrolled(face: Image, dice: Dice) -> Image:
    """A card as a photograph taken at home shows it: a little soft, dyed and shifted."""
    wide, high = SIZE
    finer = resized(face, (wide * 3 // 2, high * 3 // 2))
    if dice.random() < 0.7:
        finer = np.asarray(cv2.GaussianBlur(finer, (0, 0), dice.uniform(0.3, 1.2)), np.uint8)
    shift = np.array([[1, 0, dice.gauss(0, 0.5)], [0, 1, dice.gauss(0, 0.5)]])
    moved = cv2.warpAffine(finer, shift, finer.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    lamp = np.array([dice.uniform(0.86, 1.0) for _ in range(3)])
    noise = np.random.default_rng(dice.getrandbits(63)).normal(0, dice.uniform(0, 3), moved.shape)
    return resized(np.clip(moved * lamp + noise, 0, 255), SIZE)


def _cells(own: Image, other: Image, covered: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The kind of each cell: the print that lies there, compared with that of the reference."""
    first, second = (
        cv2.GaussianBlur(resized(one, SIZE), (0, 0), 0.8).astype(np.float32) for one in (own, other)
    )
    apart = _by_cell(np.asarray(np.abs(first - second).max(axis=2), np.float32)).max(axis=2)
    cells = np.full(CELLS, UNTOLD, np.uint8)
    near = cv2.dilate(np.asarray(apart >= OTHER_LEVELS, np.uint8), np.ones((3, 3)))
    cells[(apart <= SAME_LEVELS) & (near == 0)] = ALIKE
    cells[apart >= OTHER_LEVELS] = DIFFERS
    share = _by_cell(covered.astype(np.float32) / 255).mean(axis=2)
    cells[share > 0.02] = UNTOLD
    cells[share > 0.6] = COVERED
    return cells


def _by_cell(values: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """The pixels of each cell: (rows, columns, pixels)."""
    parts = values.reshape(CELLS[0], CELL, CELLS[1], CELL)
    return np.asarray(parts.transpose(0, 2, 1, 3).reshape(*CELLS, CELL * CELL), np.float32)


# ---- What lies on the cards ---------------------------------------------------------------------


def _things(cards: list[Placed], dice: Dice) -> list[Thing]:
    """What lies on the cards: nothing, fingers, things of players, or patches of no known thing."""
    way = dice.random()
    if way < 0.22:
        return []
    if way < 0.5:
        turn = cards[0].turn + dice.uniform(-40, 40) + dice.choice((0, 0, 0, 90, 180))
        tip = dice.uniform(-70, 70), dice.uniform(-10, 50)
        return [obstacles.reaching(obstacles.look(dice), (0.0, 0.0, turn), tip,
                                   dice.uniform(-25, 25), dice.uniform(2, 25))]  # fmt: skip
    found: list[Thing] = []
    for _ in range(dice.choice((1, 1, 2, 3))):
        card = dice.choice(cards)
        x, y = card.x + dice.uniform(-60, 60), card.y + dice.uniform(-60, 60)
        found.append(obstacles.anything(x, y, dice) if way < 0.78 else _patch(x, y, dice))
    return found


@dataclass(frozen=True, slots=True)
class Patch(Laid):
    """A flat thing of any shape, colour and grain. ``reach``: millimetres from its middle."""

    x: float
    y: float
    reach: float
    seed: int

    def pose(self) -> Pose:
        """The place of its sprite on the table."""
        return Pose(self.x, self.y, 0.0, 2.0)

    def sprite(self, per_mm: float) -> Sprite:
        """Its picture, drawn with this many pixels to a millimetre."""
        dice, numbers = random.Random(self.seed), np.random.default_rng(self.seed)
        side = 2 * round(self.reach * per_mm) + 5
        turns = np.sort(numbers.uniform(0, 2 * np.pi, dice.randint(3, 10)))
        far = self.reach * per_mm * numbers.uniform(0.4, 1.0, len(turns))
        ring = np.column_stack([np.cos(turns) * far, np.sin(turns) * far]) + (side - 1) / 2
        cover = sprites.filled([ring], (side, side)) if dice.random() < 0.6 else _round(side, dice)
        colour = numbers.uniform(0.03, 0.97, 3)
        grain = grounds.noise(side, side, dice.uniform(0.8, 9), numbers) * dice.uniform(0, 0.2)
        two = numbers.uniform(0.03, 0.97, 3)
        share = (grounds.noise(side, side, 0.15 * side, numbers) > dice.uniform(0, 3))[..., None]
        painted = (colour * (1 - share) + two * share) * (1 + grain[..., None])
        middle = ((side - 1) / 2, (side - 1) / 2)
        return Sprite(np.asarray(np.clip(painted, 0, 1), np.float32), cover, middle, per_mm)


def _round(side: int, dice: Dice) -> npt.NDArray[np.float32]:
    mask = np.zeros((side, side), np.uint8)
    axes = round(side * dice.uniform(0.2, 0.46)), round(side * dice.uniform(0.2, 0.46))
    middle = side // 2, side // 2
    cv2.ellipse(mask, middle, axes, dice.uniform(0, 180), 0, 360, 255, cv2.FILLED, cv2.LINE_AA)
    return np.asarray(mask / np.float32(255), np.float32)


def _patch(x: float, y: float, dice: Dice) -> Patch:
    return Patch(
        x, y, dice.choice((dice.uniform(5, 15), dice.uniform(12, 60))), dice.getrandbits(30)
    )
