"""A table with cards on it as a picture, and the true place of every card."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from assistant.rules.cards import DECK, Card
from scripts.lab.eyebench import camera, layouts, light
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.grounds import GROUNDS, Image
from scripts.lab.eyebench.layouts import CARD_HEIGHT, CARD_WIDTH, Placed, Way
from scripts.lab.eyebench.light import Light, Lit, Pixels
from scripts.lab.eyebench.sprites import Thing

SIZE = (1920, 1080)
Art = Mapping[Card, Pixels]
"""A picture of each card, BGR or BGRA."""
EDGE = 0.01
"""Every card is this far from the picture's edge, as a share of its height."""
SHADOW = 0.45
SHADOW_MM = 1.6
ROUND_MM = 2.5
"""Radius of a card's corners."""
LEANING = 0.8
"""A tilted camera is mounted further away, so that all cards are in its picture."""
FINER = 1.3
"""A card's picture is made smaller to this many times its size in the scene, then warped."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is on a table, its light and its camera. ``seed``: of the ground and the noise.

    ``things`` stand or lie on the cards or beside them, from the lowest to the highest. ``before``:
    the camera as it was when the ground was first seen, if somebody has knocked it since.
    """

    cards: tuple[Placed, ...]
    ground: str
    camera: Camera
    light: Light
    seed: int
    things: tuple[Thing, ...] = ()
    before: Camera | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """The true place of one card in the picture.

    ``quad``: its corners in pixels, of shape (4, 2). ``share``: of its area, what nothing covers.
    """

    seat: int
    card: Card
    quad: npt.NDArray[np.float64]
    share: float


def dealt(
    seed: int,
    way: Way,
    lit: Lit,
    card_pixels: float = 170.0,
    size: tuple[int, int] = SIZE,
    tilt: float | None = None,
) -> Scene:
    """A showdown of four random hands. The same seed gives the same table.

    ``tilt``: of the camera in degrees; None for nearly straight above.
    """
    dice = random.Random(f"{seed} {way} {lit}")
    numbers = np.random.default_rng(dice.getrandbits(63))
    deck = list(DECK)
    dice.shuffle(deck)
    while True:  # until all cards are in the picture, as with a camera that a person mounts
        watching = camera.drawn(size, card_pixels, dice)
        if tilt is not None:
            watching = replace(watching, tilt=tilt, per_mm=watching.per_mm * LEANING)
        cards = _laid(way, deck, watching, dice)
        if all_in(watching, cards):
            break
    middles = watching.seen(np.array([(placed.x, placed.y) for placed in cards])) / size
    shining = light.drawn(lit, [(float(x), float(y)) for x, y in middles], numbers)
    ground = dice.choice(sorted(GROUNDS))
    return Scene(cards, ground, watching, shining, dice.getrandbits(31))


def knocked(scene: Scene, dice: random.Random) -> Scene:
    """The same table after somebody knocked the camera, which still sees every card."""
    while True:
        watching = camera.knocked(scene.camera, dice)
        if all_in(watching, scene.cards):
            return replace(scene, camera=watching, before=scene.camera)


def _laid(
    way: Way, deck: Sequence[Card], watching: Camera, dice: random.Random
) -> tuple[Placed, ...]:
    """Four hands at their seats, each with its own four cards of the deck."""
    return tuple(
        placed
        for seat, place in enumerate(places(watching), start=1)
        for placed in layouts.hand(way, seat, deck[4 * seat - 4 : 4 * seat], place, dice)
    )


def all_in(watching: Camera, cards: Sequence[Placed]) -> bool:
    """Whether every card is in the picture."""
    seen = np.vstack([watching.seen(layouts.corners(placed)) for placed in cards])
    edge = EDGE * min(watching.size)
    return bool((seen >= edge).all() and (seen <= np.array(watching.size) - edge).all())


def places(watching: Camera) -> list[tuple[float, float, float]]:
    """The middle of each seat's cards, seat 1 below and the others anticlockwise from it."""
    across, down = (side / watching.per_mm for side in watching.size)
    x, y = across / 2 - CARD_HEIGHT, down / 2 - CARD_HEIGHT
    return [(0.0, y, 0.0), (x, 0.0, -90.0), (0.0, -y, 180.0), (-x, 0.0, 90.0)]


def empty(scene: Scene, things: tuple[Thing, ...] = ()) -> Scene:
    """The same table before any card lay on it. ``things``: what stood there already."""
    return replace(scene, cards=(), things=things)


def painted(scene: Scene, art: Art) -> Pixels:
    """The picture that the camera sends."""
    dice = np.random.default_rng(scene.seed)
    table = laid(scene, art, dice)
    return light.shone(through_the_lens(table, scene.camera), scene.light, dice)


def laid(scene: Scene, art: Art, dice: np.random.Generator) -> Image:
    """The table with all that is on it, before the lens and the light. ``dice``: of the ground."""
    across, down = scene.camera.size
    table = GROUNDS[scene.ground](across, down, dice)
    if scene.before is not None:
        moved = scene.camera.homography() @ np.linalg.inv(scene.before.homography())
        size = scene.camera.size
        warped = cv2.warpPerspective(table, moved, size, borderMode=cv2.BORDER_REFLECT)
        table = np.asarray(warped, np.float32)
    for placed in scene.cards:
        lay(table, placed, art[placed.card], scene.camera)
    for thing in scene.things:
        thing.paint(table, scene.camera)
    return table


def truth(scene: Scene) -> tuple[Seen, ...]:
    """The place of every card, from the lowest, and what cards and things leave free of it."""
    quads = [scene.camera.seen(layouts.corners(placed)) for placed in scene.cards]
    across, down = scene.camera.size
    under = filled([], across, down)
    for thing in scene.things:
        under |= thing.covers(scene.camera)
    found = []
    for at, (placed, quad) in enumerate(zip(scene.cards, quads, strict=True)):
        alone = filled([quad], across, down)
        above = filled(quads[at + 1 :], across, down)
        area = cv2.contourArea(quad.astype(np.float32))
        free = alone & ~above
        share = min(1.0, float(np.count_nonzero(free) / max(1.0, area)))
        share *= float(np.count_nonzero(free & ~under) / max(1.0, float(np.count_nonzero(free))))
        found.append(Seen(placed.seat, placed.card, quad, share))
    return tuple(found)


def filled(
    quads: Sequence[npt.NDArray[np.float64]], across: int, down: int
) -> npt.NDArray[np.bool_]:
    """A mask of the quads in a picture of that size, of shape (down, across)."""
    mask = np.zeros((down, across), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask.astype(bool)


def lay(table: Image, placed: Placed, art: Pixels, watching: Camera) -> None:
    """Draw one card and its shadow over what is there."""
    corners = layouts.corners(placed)
    quad = cv2.perspectiveTransform(corners[None], watching.homography())[0]
    high = max(8, round(CARD_HEIGHT * watching.per_mm * FINER))
    wide = round(high * CARD_WIDTH / CARD_HEIGHT)
    small = cv2.resize(art, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    paper = _corners_cut(wide, high)
    if small.shape[2] == 4:
        paper *= small[..., 3]
    around = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(around, quad.astype(np.float32))
    margin = round(12 + SHADOW_MM * 4 * watching.per_mm)
    left, top = np.floor(quad.min(axis=0)).astype(int) - margin
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + margin
    left, top = max(0, left), max(0, top)
    right, bottom = min(table.shape[1], right), min(table.shape[0], bottom)
    if right <= left or bottom <= top:
        return
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    size = (int(right - left), int(bottom - top))
    colour = cv2.warpPerspective(
        small[..., :3], shift @ warp, size, borderMode=cv2.BORDER_REPLICATE
    )
    cover = cv2.warpPerspective(paper, shift @ warp, size)
    away = SHADOW_MM * watching.per_mm
    dark = cv2.warpAffine(cover, np.array([[1, 0, away], [0, 1, away]]), size)
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.5, away))
    part = table[top:bottom, left:right]
    part *= 1 - SHADOW * dark[..., None]
    part *= 1 - cover[..., None]
    part += colour * cover[..., None]


def _corners_cut(wide: int, high: int) -> npt.NDArray[np.float32]:
    """A mask of a card's paper, without its round corners."""
    radius = max(1, round(ROUND_MM * high / CARD_HEIGHT))
    mask = np.zeros((high, wide), np.uint8)
    cv2.rectangle(mask, (radius, 0), (wide - radius - 1, high - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (wide - 1, high - radius - 1), 255, -1)
    for x in (radius, wide - radius - 1):
        for y in (radius, high - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.asarray(mask / 255, np.float32)


def through_the_lens(table: Image, watching: Camera) -> Image:
    """The table as a lens with that bulge shows it."""
    across, down = _maps(watching)
    seen = cv2.remap(table, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.float32)


@lru_cache(maxsize=1)
def _maps(watching: Camera) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """A camera's maps. They are cached, because they cost as much as all the rest."""
    return watching.maps()
