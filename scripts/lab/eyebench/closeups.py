"""A hand of cards as its player photographs it: close up, at any turn, in any light."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import cv2
import numpy as np

from assistant.rules.cards import DECK, HAND_SIZE, Card, Rank, Suit
from scripts.lab.eyebench import layouts, light, obstacles, scenes
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.grounds import GROUNDS, Image
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit, Pixels
from scripts.lab.eyebench.scenes import Art, Scene

SIZE = (1200, 1600)
"""Width and height of the photograph, which browsers make smaller before they send it."""
WIDE = 1.05
"""Millimetres that such a picture is wide for each millimetre of distance."""
NEAR, FAR = 200.0, 420.0
"""Millimetres from the lens to the cards."""
STEEPEST = 35.0
"""The most degrees by which the telephone leans from straight above."""
TRIES = 400
SHADE = (0.35, 0.7)
"""How much light remains in the shadow of the telephone and its player."""


@dataclass(frozen=True, slots=True)
class CloseUp:
    """A kind of photograph: how the cards lie, in what light, and what else is there.

    count    cards in the picture
    shake    the most pixels that the telephone moves while it takes the picture
    shadow   whether the telephone's own shadow falls on a part of the cards
    held     whether fingers hold the cards, and hide a part of them
    holds    a rank of which the hand has at least one card
    """

    name: str
    way: Way = Way.SEPARATED
    lit: Lit = Lit.NORMAL
    count: int = HAND_SIZE
    shake: float = 3.0
    shadow: bool = False
    held: bool = False
    holds: Rank | None = None


def photographed(condition: CloseUp, art: Art, seed: int) -> tuple[Pixels, tuple[Card, ...]]:
    """A random photograph of a hand, and its cards, the lowest first."""
    dice = random.Random(f"close up {seed} {condition.way} {condition.lit} {condition.count}")
    scene = _scene(condition, seed, dice)
    numbers = np.random.default_rng(scene.seed)
    seen = scenes.through_the_lens(scenes.laid(scene, art, numbers), scene.camera)
    if condition.shadow:
        seen *= _shadow(scene.camera, dice)[..., None]
    return light.shone(seen, scene.light, numbers), tuple(one.card for one in scene.cards)


def _scene(condition: CloseUp, seed: int, dice: random.Random) -> Scene:
    """Cards, a telephone above them that has all of them in its picture, and the light."""
    cards = _hand(condition, dice)
    turned = dice.uniform(0, 360)
    placed = layouts.hand(condition.way, 1, cards, (0.0, 0.0, turned), dice)
    for attempt in range(TRIES):
        least = NEAR + (FAR - NEAR) * attempt / TRIES  # else one goes further away
        distance = dice.uniform(least, FAR)
        watching = Camera(
            SIZE,
            SIZE[0] / (WIDE * distance),
            tilt=dice.uniform(0, STEEPEST) * (1 - attempt / TRIES),
            yaw=dice.uniform(0, 360),
            roll=dice.uniform(0, 360),
            distance=distance,
            bulge=dice.uniform(-0.06, 0.03),
        )
        if not placed or scenes.all_in(watching, placed):
            break
    else:
        raise AssertionError("the cards are in no picture")
    numbers = np.random.default_rng(seed)
    places = [(one.x, one.y) for one in placed] or [(0.0, 0.0)]
    mirrors = watching.seen(np.array(places)) / SIZE
    shining = light.drawn(condition.lit, [(float(x), float(y)) for x, y in mirrors], numbers)
    shaken = dice.uniform(0, condition.shake), dice.uniform(0, 180)
    shining = replace(shining, blur=shaken, warmth=dice.uniform(0, 0.4))
    ground = dice.choice(sorted(GROUNDS))
    scene = Scene(tuple(placed), ground, watching, shining, dice.getrandbits(31))
    if not condition.held:
        return scene
    # The hand comes from below the fan, and its fingers end on the cards' lower halves.
    tip = dice.uniform(-25, 25), dice.uniform(18, 45)
    hand = obstacles.reaching(obstacles.look(dice), (0.0, 0.0, turned), tip,
                              dice.uniform(-20, 20), dice.uniform(3, 8))  # fmt: skip
    return replace(scene, things=(hand,))


def _hand(condition: CloseUp, dice: random.Random) -> list[Card]:
    if condition.holds is None:
        return dice.sample(list(DECK), condition.count)
    own = Card(condition.holds, dice.choice(list(Suit)))
    others = [card for card in DECK if card.rank is not condition.holds]
    cards = [own, *dice.sample(others, condition.count - 1)]
    dice.shuffle(cards)
    return cards


def _shadow(watching: Camera, dice: random.Random) -> Image:
    """The light that a shadow with one soft edge leaves in each pixel of the picture."""
    across, down = watching.size
    x, y = np.meshgrid(np.arange(across) - across / 2, np.arange(down) - down / 2)
    angle, soft = dice.uniform(0, 2 * np.pi), dice.uniform(8, 60)
    far = x * np.cos(angle) + y * np.sin(angle) - dice.uniform(-250, 250)
    left = dice.uniform(*SHADE)
    edge = cv2.GaussianBlur((far > 0).astype(np.float32), (0, 0), soft)
    return np.asarray(left + (1 - left) * edge, np.float32)
