"""Random things on a table with cards: hands, glasses, mats, stones and telephones."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from scripts.lab.eyebench import layouts, scenes
from scripts.lab.eyebench.glasses import Glass
from scripts.lab.eyebench.hands import TIP, Hand, Look
from scripts.lab.eyebench.lying import Coaster, Phone, Stones
from scripts.lab.eyebench.scenes import Scene
from scripts.lab.eyebench.sprites import Colour, Covered, Thing

__all__ = [
    "Coaster",
    "Glass",
    "Hand",
    "Look",
    "Phone",
    "Stones",
    "Thing",
    "anything",
    "look",
    "reaching",
    "with_beside",
    "with_fingers",
    "with_glass",
    "with_hand",
]

SKINS: tuple[Colour, ...] = (
    (0.78, 0.85, 0.96), (0.65, 0.75, 0.92), (0.52, 0.66, 0.87), (0.42, 0.57, 0.79),
    (0.31, 0.45, 0.66), (0.21, 0.32, 0.51), (0.14, 0.22, 0.36), (0.1, 0.15, 0.25),
)  # fmt: skip
"""From the palest to the darkest. The colour of a hand is between two neighbours."""
SLEEVES: tuple[Colour, ...] = (
    (0.35, 0.22, 0.15), (0.85, 0.85, 0.84), (0.15, 0.15, 0.16), (0.2, 0.18, 0.5),
    (0.3, 0.42, 0.28), (0.55, 0.48, 0.4), (0.62, 0.55, 0.75), (0.3, 0.5, 0.65),
)  # fmt: skip
CLEAR: Colour = (0.95, 0.97, 0.94)
DRINKS: tuple[tuple[Colour, float, float], ...] = (
    ((0.12, 0.03, 0.35), 0.8, 0), ((0.1, 0.55, 0.92), 0.45, 12), ((0.97, 0.97, 0.95), 0.05, 0),
    ((0.04, 0.07, 0.16), 0.85, 0), ((0.1, 0.08, 0.62), 0.6, 0), ((0.35, 0.8, 0.9), 0.35, 3),
)  # fmt: skip
"""Wine, beer, water, cola, patxaran, cider: colour, how dense, and its foam in mm."""
TRIES = 120
ROOM = 3
"""Pixels that stay free between the cards and the things beside them."""


def with_hand(scene: Scene, seat: int, dice: random.Random) -> Scene:
    """A scene with a player's hand that reaches over that seat's cards or ends just before them."""
    own, x, y = look(dice), dice.uniform(-90, 90), dice.uniform(-55, 42)
    spot = scenes.places(scene.camera)[seat - 1]
    return _with(scene, reaching(own, spot, (x, y), dice.uniform(-22, 22), dice.uniform(12, 35)))


def with_fingers(scene: Scene, dice: random.Random) -> Scene:
    """A scene with fingers on the lower half of each hand, as players hold down a fan."""
    for spot in scenes.places(scene.camera):
        tip = dice.uniform(-25, 25), dice.uniform(18, 45)
        turn, high = dice.uniform(-20, 20), dice.uniform(3, 8)
        scene = _with(scene, reaching(look(dice), spot, tip, turn, high))
    return scene


def with_glass(scene: Scene, dice: random.Random, over_cards: bool) -> Scene:
    """A scene with a glass or a bottle that hides a part of some card.

    With ``over_cards`` False it hides none. Raises ValueError if there is no room for it.
    """
    taken = _taken(replace(scene, cards=()) if over_cards else scene)
    for _ in range(TRIES):
        if over_cards:
            card = dice.choice(scene.cards)
            x, y = _near(card, dice)
        else:
            x, y = _anywhere(scene, dice)
        found = _glass(x, y, dice)
        fits = _apart(found.covers(scene.camera), taken)
        if fits and (not over_cards or _hides_a_part(scene, found)):
            return _with(scene, found)
    raise ValueError("there is no room for a glass on this table")


def with_beside(scene: Scene, dice: random.Random, over_cards: bool = False) -> Scene:
    """A scene with one to three mats, saucers, stones and telephones beside the cards.

    With ``over_cards`` each lies on a part of a card instead. Raises ValueError if there is no
    room.
    """
    before = scene
    for make in dice.choices([_coaster, _stones, _stones, _phone], k=dice.randint(1, 3)):
        scene = _beside(scene, make, dice, over_cards)
    if scene is before:
        raise ValueError("there is no room for anything beside these cards")
    return scene


def anything(x: float, y: float, dice: random.Random) -> Thing:
    """A mat, stones, a telephone or a glass at that place."""
    makers: tuple[Make, ...] = (_coaster, _stones, _stones, _phone, _glass)
    return dice.choice(makers)(x, y, dice)


def look(dice: random.Random) -> Look:
    """The look of somebody's hand, and how it is held."""
    at, share = dice.randrange(len(SKINS) - 1), dice.random()
    skin = _between(SKINS[at], SKINS[at + 1], share)
    bright, curl = dice.uniform(0.8, 1.15), dice.uniform(0, 0.7)
    sleeve = dice.choice(SLEEVES)
    return Look(
        skin,
        (sleeve[0] * bright, sleeve[1] * bright, sleeve[2] * bright),
        stripes=dice.choice([0.0, 0.0, dice.uniform(0.3, 1)]),
        cuff=dice.choice([dice.uniform(62, 110), dice.uniform(62, 160), 500.0]),
        left=dice.random() < 0.4,
        size=dice.uniform(0.86, 1.06),
        spread=dice.uniform(0, 9),
        bent=dice.uniform(-13, 13),
        curls=_curls(curl, dice),
        seed=dice.getrandbits(31),
    )


def _curls(curl: float, dice: random.Random) -> tuple[float, float, float, float, float]:
    """The curls of the five fingers, which are about alike."""
    one, two, three, four, five = (
        min(1.0, max(0.0, curl + dice.uniform(-0.25, 0.25))) for _ in range(5)
    )
    return one, two, three, four, five


def reaching(
    own: Look, spot: tuple[float, float, float], tip: tuple[float, float], turn: float, high: float
) -> Hand:
    """A hand that comes from a seat. Its place is the tip of the stretched middle finger.

    spot   the middle of the seat's cards and its turn, as from ``scenes.places``
    tip    in millimetres from there as the player sees it: x right, y towards him
    turn   degrees off straight ahead; ``high``: mm above the table
    """
    x0, y0, turned = spot
    seat, hand = np.radians(turned), np.radians(turned + turn)
    x = x0 + np.cos(seat) * tip[0] - np.sin(seat) * tip[1] - np.sin(hand) * TIP * own.size
    y = y0 + np.sin(seat) * tip[0] + np.cos(seat) * tip[1] + np.cos(hand) * TIP * own.size
    return Hand(float(x), float(y), turned + turn, high, own)


def _between(one: Colour, other: Colour, share: float) -> Colour:
    blue, green, red = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return blue, green, red


def _glass(x: float, y: float, dice: random.Random) -> Glass:
    """A tumbler, a tall glass, a glass with a stem or a bottle."""
    colour, dense, foam = dice.choice(DRINKS)
    rings: tuple[tuple[float, float], ...]
    kind, r, full = dice.choice(["tumbler", "tall", "stem", "bottle"]), dice.uniform(0.9, 1.1), 0.0
    if dice.random() < 0.7:
        full = dice.uniform(0.25, 0.8)
    if kind == "bottle":
        wall = dice.choice([(0.2, 0.4, 0.15), (0.08, 0.2, 0.35), (0.85, 0.88, 0.84)])
        high, neck = dice.uniform(210, 300), dice.uniform(13, 15)
        rings = ((0.0, 37 * r), (0.62 * high, 37 * r), (0.78 * high, neck), (high, neck))
        return Glass(x, y, rings, colour, 4.0, full * 0.6 * high, dense, 0, wall, True)
    if kind == "stem":
        rings = ((0.0, 35 * r), (2.0, 33 * r), (4.0, 5.0), (70.0, 4.0), (95.0, 33 * r),
                 (130.0, 38 * r), (175.0, 31 * r))  # fmt: skip
        level = 72 + 70 * full if full else 0.0
        return Glass(x, y, rings, colour, 72.0, level, dense, foam, CLEAR, False)
    high = dice.uniform(70, 100) if kind == "tumbler" else dice.uniform(120, 150)
    rings = ((0.0, 27 * r), (6.0, 28 * r), (high, 36 * r))
    return Glass(x, y, rings, colour, 8.0, full * high, dense, foam, CLEAR, False)


def _coaster(x: float, y: float, dice: random.Random) -> Coaster:
    paper = dice.choice([(0.85, 0.9, 0.92), (0.92, 0.92, 0.92), (0.6, 0.72, 0.8)])
    ink = dice.choice([(0.15, 0.1, 0.6), (0.2, 0.4, 0.1), (0.45, 0.2, 0.1), (0.1, 0.1, 0.1)])
    return Coaster(x, y, dice.uniform(0, 360), dice.uniform(84, 105), dice.random() < 0.5, paper,
                   ink, dice.getrandbits(31))  # fmt: skip


def _stones(x: float, y: float, dice: random.Random) -> Stones:
    """Up to a dozen stones, in a saucer or loose, none on another."""
    saucer = dice.choice([0.0, dice.uniform(105, 145)])
    size, reach = dice.uniform(4, 6.5), 0.27 * saucer or dice.uniform(25, 45)
    found: list[tuple[float, float, float, float]] = []
    for _ in range(dice.randint(2, 14)):
        at = dice.uniform(-reach, reach), dice.uniform(-reach, reach)
        if all(np.hypot(at[0] - other[0], at[1] - other[1]) > 2.2 * size for other in found):
            found.append((*at, size * dice.uniform(0.8, 1.1), dice.uniform(1, 1.3)))
    colour = dice.choice([(0.86, 0.9, 0.92), (0.5, 0.72, 0.84), (0.62, 0.66, 0.68)])
    return Stones(x, y, dice.uniform(0, 360), saucer, colour, tuple(found), dice.getrandbits(31))


def _phone(x: float, y: float, dice: random.Random) -> Phone:
    grey = dice.uniform(0.1, 0.6)
    return Phone(x, y, dice.uniform(0, 360), dice.uniform(68, 78), dice.uniform(140, 164),
                 (grey, grey, grey))  # fmt: skip


Make = Callable[[float, float, random.Random], Thing]


def _beside(scene: Scene, make: Make, dice: random.Random, over_cards: bool) -> Scene:
    """The scene with one thing more, or unchanged if there is no room."""
    taken = _taken(replace(scene, cards=()) if over_cards else scene)
    for _ in range(TRIES):
        card = dice.choice(scene.cards) if over_cards else None
        x, y = _near(card, dice) if card else _anywhere(scene, dice)
        thing = make(x, y, dice)
        fits = _apart(thing.covers(scene.camera), taken)
        if fits and (card is None or _hides_a_part(scene, thing)):
            return _with(scene, thing)
    return scene


def _near(card: layouts.Placed, dice: random.Random) -> tuple[float, float]:
    return card.x + dice.uniform(-80, 80), card.y + dice.uniform(-80, 80)


def _anywhere(scene: Scene, dice: random.Random) -> tuple[float, float]:
    across, down = (side / scene.camera.per_mm / 2 for side in scene.camera.size)
    return dice.uniform(-across, across), dice.uniform(-down, down)


def _taken(scene: Scene) -> Covered:
    """The places of the cards and things already there, and a little around them."""
    across, down = scene.camera.size
    quads = [seen.quad for seen in scenes.truth(scene)]
    mask = scenes.filled(quads, across, down)
    for thing in scene.things:
        mask |= thing.covers(scene.camera)
    side = 2 * ROOM + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)), np.bool_)


def _apart(covered: Covered, taken: Covered) -> bool:
    """Whether a thing is in the picture and on nothing that lies there."""
    return bool(covered.any()) and not (covered & taken).any()


def _hides_a_part(scene: Scene, thing: Thing) -> bool:
    """Whether it hides at least a tenth of some card, and no more than nine tenths of any."""
    before, after = scenes.truth(scene), scenes.truth(_with(scene, thing))
    lost = [a.share - b.share for a, b in zip(before, after, strict=True)]
    return max(lost) >= 0.1 and max(lost) <= 0.9


def _with(scene: Scene, thing: Thing) -> Scene:
    return replace(scene, things=(*scene.things, thing))
