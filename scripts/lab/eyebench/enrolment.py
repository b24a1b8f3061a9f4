"""The photographs of a deck for enrolment: its cards in four rows by suit, and its back."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from assistant.rules.cards import DECK, Card, Rank, Suit
from scripts.lab.eyebench import layouts, light, scenes
from scripts.lab.eyebench.camera import Camera
from scripts.lab.eyebench.grounds import GROUNDS, Image
from scripts.lab.eyebench.layouts import CARD_HEIGHT, CARD_WIDTH, Placed
from scripts.lab.eyebench.light import Light, Lit, Pixels
from scripts.lab.eyebench.scenes import Art, Scene

ROW = tuple(reversed(Rank))
"""The ranks of a row from left to right: as, dos, tres ... siete, sota, caballo, rey."""
ROWS = tuple(Suit)
"""The suits of the rows from the top: oros, copas, espadas, bastos."""
LARGE, SMALL = (4000, 3000), (3000, 2000)
"""Pixels of a picture that holds all cards, and of one of several pictures."""
HIGH = (200, 400)
"""The range of every card's height in pixels."""
GAP = (4.0, 11.0)
"""Millimetres between two cards where they are nearest; turned, they are up to 15 mm apart."""
TURN = 4.0
UNEVEN = 3.0
"""Millimetres by which a card is above or below its row's line; ``SLOPE`` is the line's slope."""
SLOPE = 0.5
COARSE = 1.8
"""Grounds are made with this many pixels a millimetre, and enlarged to what a telephone has."""
DARK, DARK_NOISE = 0.09, 3.0


class Fall(StrEnum):
    """The way in which light falls on the cards, beside the plane slope that every picture has."""

    PLANE = "plane"
    SMOOTH = "smooth"
    """Several lamps or windows: two slow waves of 20 to 30% from the mean to the brightest."""
    SHADOW = "shadow"
    """A telephone's own shadow: a turned rectangle with a soft edge, 55 to 75% as bright."""
    CORNERS = "corners"
    """One near lamp: the corners get 45% less than the middle."""


CORNERS_LOSE = 0.45


@dataclass(frozen=True, slots=True)
class Shade:
    """The light on one picture. ``seed``: of the waves, or of the shadow's place."""

    fall: Fall = Fall.PLANE
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A picture for enrolling, and the truth about it.

    suits   the rows that it holds, from the top; none for a back
    cards   row by row from the left; None is a card face down, or one foreign to Mus
    quads   the corners of each card in pixels, of shape (4, 2), from its own upper left on
    scene, art   how it was taken: seat 1 is the upper row
    shade   the light on it
    """

    picture: Pixels
    suits: tuple[Suit, ...]
    cards: tuple[Card | None, ...]
    quads: tuple[npt.NDArray[np.float64], ...]
    scene: Scene
    art: Art
    shade: Shade = Shade()


def sheets(
    art: Art,
    seed: int,
    pictures: int = 4,
    lit: Lit = Lit.NORMAL,
    scale: float = 1.0,
    fall: Fall = Fall.PLANE,
) -> tuple[Sheet, ...]:
    """The forty cards on 1, 2 or 4 random pictures. The same seed gives the same pictures.

    ``scale``: of the pictures' sides. With 1, as a telephone sends them, cards are 200 to 400
    pixels high. Raises ValueError for another number of pictures.
    """
    if pictures not in (1, 2, 4):
        raise ValueError(f"forty cards lie on 1, 2 or 4 pictures, not on {pictures}")
    dice = random.Random(f"enrolment {seed} {pictures} {lit}")
    sitting = dice.getrandbits(31), dice.choice(sorted(GROUNDS))
    rows = len(ROWS) // pictures
    size, high = (LARGE, (250, 380)) if pictures == 1 else (SMALL, (230, 330))
    taken = []
    for first in range(0, len(ROWS), rows):
        suits = ROWS[first : first + rows]
        scene = _taken(partial(_rows, suits, dice), size, high, lit, sitting, dice)
        taken.append(_sheet(_scaled(scene, scale), art, suits, Shade(fall, seed + first)))
    return tuple(taken)


def spread_sheets(
    art: Art,
    seed: int,
    pictures: int,
    foreign: Sequence[Pixels] = (),
    lit: Lit = Lit.NORMAL,
    scale: float = 1.0,
    fall: Fall = Fall.PLANE,
) -> tuple[Sheet, ...]:
    """The forty cards on 1 to 8 pictures in no order, with cards ``foreign`` to Mus.

    On every second seed cards lie at any turn, on the others about upright or upside down.
    """
    dice = random.Random(f"spread {seed} {pictures} {lit}")
    sitting = dice.getrandbits(31), dice.choice(sorted(GROUNDS))
    deck = list(DECK)
    dice.shuffle(deck)
    each = -(-len(deck) // pictures)
    taken = []
    for at in range(pictures):
        cards: list[Card] = deck[at * each : (at + 1) * each]
        # A scene knows no foreign cards, so such a card gets the name of one that lies elsewhere.
        elsewhere = [card for card in DECK if card not in cards]
        odd = dict(zip(elsewhere, foreign[at::pictures], strict=False))
        laid = dice.sample([*cards, *odd], len(cards) + len(odd))
        size, high = (LARGE, (250, 380)) if len(laid) > 15 else (SMALL, (230, 330))
        lay = partial(_anyhow, laid, dice, any_turn=bool(seed % 2))
        scene = _taken(lay, size, high, lit, sitting, dice)
        sheet = _sheet(_scaled(scene, scale), {**art, **odd}, (), Shade(fall, seed + at))
        true = tuple(None if card in odd else card for card in sheet.cards)
        taken.append(replace(sheet, cards=true))
    return tuple(taken)


SWEEP_SIZE = (1600, 1200)
"""Size of the frames of a camera that is swept over the cards, as the page sends them."""
SWEEP_STEP = 0.4
"""Distance from one frame to the next, as a share of a frame."""


def swept_frames(
    sheet: Sheet, seed: int
) -> Iterator[tuple[Pixels, tuple[npt.NDArray[np.float64], ...]]]:
    """Frames of a camera that sweeps over a sheet, and the corners of its cards there.

    The hand randomly leans, turns and comes nearer. Most frames are blurred by its movement.
    """
    dice = np.random.default_rng((seed, 77))
    high, wide = sheet.picture.shape[:2]
    size = np.array(SWEEP_SIZE, np.float64)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
    across = np.arange(0, wide - 0.5 * size[0], SWEEP_STEP * size[0])
    down = np.arange(0, high - 0.5 * size[1], SWEEP_STEP * size[1])
    for row, y in enumerate(down):
        for x in across if row % 2 == 0 else across[::-1]:
            angle, nearer = np.radians(dice.uniform(-12, 12)), dice.uniform(0.85, 1.1)
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            around = (corners - size / 2) @ turn.T / nearer + size / 2 + (x, y)
            around += dice.uniform(-0.03, 0.03, (4, 2)) * size
            warp = cv2.getPerspectiveTransform(
                around.astype(np.float32), corners.astype(np.float32)
            )
            seen = cv2.warpPerspective(sheet.picture, warp, SWEEP_SIZE)
            moved = _shaken(
                np.asarray(seen, np.uint8), int(dice.integers(1, 8)), int(dice.integers(3))
            )
            noisy = moved + dice.normal(0, 3, moved.shape)
            _, data = cv2.imencode(".jpg", np.clip(noisy, 0, 255), [cv2.IMWRITE_JPEG_QUALITY, 85])
            frame = cv2.imdecode(data, cv2.IMREAD_COLOR)
            assert frame is not None
            quads = tuple(cv2.perspectiveTransform(quad[None], warp)[0] for quad in sheet.quads)
            yield np.asarray(frame, np.uint8), quads


def _shaken(picture: Pixels, far: int, way: int) -> Pixels:
    """A picture blurred by a movement of this many pixels: slanting, across or down."""
    kernel = np.eye(far, dtype=np.float32)
    if way:
        kernel = np.zeros((far, far), np.float32)
        kernel[(slice(None), far // 2) if way == 2 else far // 2] = 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def back_sheet(back: Pixels, seed: int, scale: float = 1.0) -> Sheet:
    """One card face down, alone on a table."""
    dice = random.Random(f"enrolment {seed} back")
    sitting = dice.getrandbits(31), dice.choice(sorted(GROUNDS))
    card = DECK[0]  # a scene knows no backs, so the face of this card is the back
    scene = _taken(
        lambda: (Placed(1, card, dice.uniform(-30, 30), dice.uniform(-30, 30), _turn(dice)),),
        SMALL, (250, 380), Lit.NORMAL, sitting, dice,
    )  # fmt: skip
    return replace(_sheet(_scaled(scene, scale), {card: back}, ()), cards=(None,))


def without(sheet: Sheet, card: Card) -> Sheet:
    """The same picture taken without that card."""
    left = tuple(placed for placed in sheet.scene.cards if placed.card != card)
    return _sheet(replace(sheet.scene, cards=left), sheet.art, sheet.suits, sheet.shade)


def twice(sheet: Sheet, card: Card, instead_of: Card) -> Sheet:
    """The same picture with one card laid in another's place as well as in its own."""
    laid = tuple(
        replace(placed, card=card) if placed.card == instead_of else placed
        for placed in sheet.scene.cards
    )
    return _sheet(replace(sheet.scene, cards=laid), sheet.art, sheet.suits, sheet.shade)


def blurred(sheet: Sheet) -> Sheet:
    """The picture out of focus by a twentieth of a card's height, so that no figure can be told."""
    high = np.median([np.linalg.norm(quad[3] - quad[0]) for quad in sheet.quads])
    soft = cv2.GaussianBlur(sheet.picture, (0, 0), float(high) / 20)
    return replace(sheet, picture=np.asarray(soft, np.uint8))


def darkened(sheet: Sheet) -> Sheet:
    """The picture with nearly no light: a tenth of the levels, and noise among them."""
    dice = np.random.default_rng(sheet.scene.seed + 1)
    noise = dice.standard_normal(sheet.picture.shape, np.float32) * np.float32(DARK_NOISE)
    dark = sheet.picture * np.float32(DARK) + noise
    return replace(sheet, picture=np.asarray(np.clip(dark, 0, 255), np.uint8))


def _rows(suits: Sequence[Suit], dice: random.Random) -> tuple[Placed, ...]:
    """The cards of some suits about the table's middle, one row below the other, none touching."""
    lean = float(np.sin(np.radians(TURN))) * CARD_WIDTH + CARD_HEIGHT + 2 * UNEVEN
    slack = 11 * CARD_WIDTH * float(np.sin(np.radians(SLOPE)))
    found: list[Placed] = []
    y = 0.0
    for row, suit in enumerate(suits, start=1):
        found += _row(row, suit, y, dice)
        y += lean + slack + dice.uniform(*GAP)
    down = float(np.mean([placed.y for placed in found]))
    return tuple(replace(placed, y=placed.y - down) for placed in found)


def _row(row: int, suit: Suit, y: float, dice: random.Random) -> list[Placed]:
    """Ten cards from the left, about the table's middle, on a slanting and uneven line."""
    lean = float(np.tan(np.radians(dice.uniform(-SLOPE, SLOPE))))
    line, x = [], 0.0
    for rank in ROW:
        turn = _turn(dice)
        angle = np.radians(turn)
        half = float(CARD_WIDTH * np.cos(angle) + CARD_HEIGHT * abs(np.sin(angle))) / 2
        line.append((Card(rank, suit), x + half, dice.uniform(-UNEVEN, UNEVEN), turn))
        x += 2 * half + dice.uniform(*GAP)
    aside = dice.uniform(-8, 8) - x / 2
    return [
        Placed(row, card, at + aside, y + off + lean * (at + aside), turn)
        for card, at, off, turn in line
    ]


def _anyhow(cards: Sequence[Card], dice: random.Random, any_turn: bool) -> tuple[Placed, ...]:
    """Cards on a loose grid about the table's middle, none touching another."""
    across = CARD_WIDTH + (CARD_HEIGHT - CARD_WIDTH + 20 if any_turn else 22)
    down = CARD_HEIGHT + 22
    columns = max(1, round((len(cards) * 1.4 * down / across) ** 0.5))
    found = []
    for at, card in enumerate(cards):
        if any_turn:
            turn = dice.choice((0, 90, 180, 270)) + dice.uniform(-8, 8)
        else:
            turn = dice.choice((0, 180)) + dice.uniform(-7, 7)
        x = (at % columns) * across + dice.uniform(-3, 3)
        y = (at // columns) * down + dice.uniform(-3, 3)
        found.append(Placed(1, card, x, y, turn))
    x0, y0 = (np.mean([(one.x, one.y) for one in found], axis=0)).tolist()
    return tuple(replace(one, x=one.x - x0, y=one.y - y0) for one in found)


def _turn(dice: random.Random) -> float:
    return dice.uniform(-TURN, TURN)


def _taken(
    lay: Callable[[], tuple[Placed, ...]],
    size: tuple[int, int],
    high: tuple[float, float],
    lit: Lit,
    sitting: tuple[int, str],
    dice: random.Random,
) -> Scene:
    """A picture that shows all the cards, because somebody with a telephone takes care of that.

    ``sitting``: seed of the light and the ground, the same for all pictures of one deck.
    """
    while True:
        watching = _telephone(size, dice.uniform(*high), dice)
        cards = lay()
        if scenes.all_in(watching, cards) and _near_enough(watching, cards):
            break
    middles = watching.seen(np.array([(placed.x, placed.y) for placed in cards])) / size
    mirrors = [(float(x), float(y)) for x, y in middles]
    shining = _light(lit, mirrors, np.random.default_rng(sitting[0]), dice)
    return Scene(cards, sitting[1], watching, shining, sitting[0])


def _near_enough(watching: Camera, cards: Sequence[Placed]) -> bool:
    """Whether every card is as high as on such pictures, those at the far end included."""
    quads = [watching.seen(layouts.corners(placed)) for placed in cards]
    highs = [np.linalg.norm(quad[3] - quad[0]) for quad in quads]
    return bool(HIGH[0] <= min(highs) and max(highs) <= HIGH[1])


def _telephone(size: tuple[int, int], card_pixels: float, dice: random.Random) -> Camera:
    """A telephone held above the table, nearer than a camera that is mounted there."""
    return Camera(
        size,
        card_pixels / CARD_HEIGHT,
        tilt=dice.uniform(0, 15),
        yaw=dice.uniform(0, 360),
        roll=dice.uniform(-5, 5),
        distance=dice.uniform(600, 950),
        bulge=dice.uniform(-0.03, 0.03),
    )


def _light(
    lit: Lit, mirrors: Sequence[light.Place], numbers: np.random.Generator, dice: random.Random
) -> Light:
    """The light of another hour. ``numbers`` are the sitting's dice, ``dice`` the picture's."""
    dim = lit is Lit.DIM
    lamps = []
    for _ in range(dice.randint(1, 2) if lit is Lit.GLARE else 0):
        x, y = dice.choice(mirrors)
        lamps.append((x, y, dice.uniform(0.02, 0.06), dice.uniform(0.3, 0.8)))
    return Light(
        level=float(numbers.uniform(0.26, 0.44) if dim else numbers.uniform(0.6, 0.92)),
        slope=float(numbers.uniform(0.05, 0.6)),
        towards=dice.uniform(0, 360),
        warmth=float(numbers.uniform(-0.18, 0.1)),
        lamps=tuple(lamps),
        noise=float(numbers.uniform(0.015, 0.03) if dim else numbers.uniform(0.003, 0.014)),
        blur=(float(numbers.uniform(0, 3 if dim else 1.8)), dice.uniform(0, 180)),
        quality=int(numbers.integers(82, 97)),
    )


def _scaled(scene: Scene, scale: float) -> Scene:
    """The same picture from a telephone with fewer pixels."""
    watching = scene.camera
    size = round(watching.size[0] * scale), round(watching.size[1] * scale)
    return replace(scene, camera=replace(watching, size=size, per_mm=watching.per_mm * scale))


def _sheet(scene: Scene, art: Art, suits: tuple[Suit, ...], shade: Shade = Shade()) -> Sheet:
    dice = np.random.default_rng(scene.seed)
    table = _ground(scene, dice)
    for placed in scene.cards:
        scenes.lay(table, placed, art[placed.card], scene.camera)
    table = scenes.through_the_lens(table, scene.camera)
    if shade.fall is not Fall.PLANE:
        table *= _falling(shade, scene.camera.size)[..., None]
    picture = light.shone(table, scene.light, dice)
    seen = scenes.truth(scene)
    return Sheet(picture, suits, tuple(each.card for each in seen),
                 tuple(each.quad for each in seen), scene, art, shade)  # fmt: skip


def _falling(shade: Shade, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """The light in each pixel as a share of the brightest, of shape (down, across)."""
    dice = random.Random(f"shade {shade.seed} {shade.fall}")
    across, down = size
    wide = 400  # it is smooth, so it is made small and then enlarged
    high = round(wide * down / across)
    x, y = np.meshgrid(np.arange(wide) / wide - 0.5, (np.arange(high) - high / 2) / wide)
    if shade.fall is Fall.SMOOTH:
        small = np.ones((high, wide))
        for _ in range(2):
            angle, waves = dice.uniform(0, 2 * np.pi), dice.uniform(0.6, 1.4)
            along = x * np.cos(angle) + y * np.sin(angle)
            phase = dice.uniform(0, 2 * np.pi)
            small += dice.uniform(0.1, 0.15) * np.sin(2 * np.pi * waves * along + phase)
    elif shade.fall is Fall.SHADOW:
        angle = dice.uniform(0, np.pi)
        across_it = x * np.cos(angle) + y * np.sin(angle) - dice.uniform(-0.2, 0.2)
        along_it = y * np.cos(angle) - x * np.sin(angle) - dice.uniform(-0.15, 0.15)
        half = dice.uniform(0.1, 0.22), dice.uniform(0.18, 0.35)
        inside = (np.abs(across_it) < half[0]) & (np.abs(along_it) < half[1])
        soft = cv2.GaussianBlur(inside.astype(np.float64), (0, 0), wide * dice.uniform(0.006, 0.03))
        small = 1 - (1 - dice.uniform(0.55, 0.75)) * soft
    else:
        reach = 0.25 + 0.25 * (high / wide) ** 2
        small = 1 - CORNERS_LOSE * (x**2 + y**2) / reach
    small /= small.max()
    return np.asarray(cv2.resize(small.astype(np.float32), (across, down)), np.float32)


def _ground(scene: Scene, dice: np.random.Generator) -> Image:
    """A ground of the same kinds as the test's, but always another: other dye, and nearer."""
    across, down = scene.camera.size
    nearer = max(1.0, scene.camera.per_mm / COARSE)
    small = GROUNDS[scene.ground](round(across / nearer), round(down / nearer), dice)
    dyed = small * dice.uniform(0.85, 1.1, 3).astype(np.float32)
    table = cv2.resize(dyed, (across, down), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(table, 0, 1), np.float32)
