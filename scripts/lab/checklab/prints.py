"""Cards of randomly drawn decks that nobody sells, so that a network learns no deck by heart."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from scripts.lab.drawing.digits import number
from scripts.lab.drawing.raster import Image, pixels
from scripts.lab.drawing.shapes import (
    INK,
    Picture,
    Shape,
    ellipse,
    moved,
    polygon,
    smooth,
    stroke,
)

WIDTH, HEIGHT = 61.0, 95.0
PER_MM = 3.0
"""Pixels of a millimetre. A card is 285 pixels high."""
SUITS, RANKS = 4, 12
"""Ranks up to nine have pips, the others figures."""
FIGURES = 10
"""The first rank that has a figure."""
NUMBERS_ALIKE = {
    1: (4, 7, 11), 2: (3, 7, 12), 3: (2, 5, 8), 4: (1, 6, 9), 5: (3, 6, 8), 6: (5, 8, 9),
    7: (1, 2, 4), 8: (3, 6, 9), 9: (4, 6, 8), 10: (11, 12), 11: (1, 10, 12), 12: (2, 10, 11),
}  # fmt: skip
"""The numbers whose figures are shaped like those of each number."""
MISREAD = 0.5
Dice = random.Random


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed on a card.

    design, suit   whose pips and figures it has: the number of a drawn deck, and 0 to 3
    number         the number in its corners
    body           the rank whose pips or figure it has
    extra          how many pips it has more than its rank's layout; -1 means one less
    spoilt         0, or the seed of a spot that another print has and this one lacks
    """

    design: int
    suit: int
    number: int
    body: int
    extra: int = 0
    spoilt: int = 0


def rank_of(design: int, suit: int, rank: int) -> Print:
    """The rank of a deck's card, whose number and body agree."""
    return Print(design, suit, rank, rank)


def other(card: Print, dice: Dice) -> Print:
    """Another print that is hard to tell from a card. Most differ in the number alone.

    Some are cards of one deck that nobody confuses.
    """
    numbered = card.number
    while numbered == card.number:
        numbered = dice.randint(1, RANKS)
    near = min(RANKS, max(1, card.number + dice.choice((-1, 1))))
    way = dice.random()
    if way < 0.4:
        return replace(card, number=numbered)
    if way < 0.6 and card.body < FIGURES:  # an eight is a seven with one pip more
        return replace(card, number=near, extra=dice.choice((1, 1, -1)))
    if way < 0.68 and card.body < FIGURES:
        return replace(card, extra=dice.choice((1, -1)))
    if way < 0.68:  # figures of two suits may wear other colours alone
        suit = (card.suit + dice.randint(1, 3)) % SUITS
        return replace(card, suit=suit, number=dice.choice((card.number, numbered)))
    if way < 0.78:
        return rank_of(card.design, card.suit, near if near != card.number else numbered)
    if way < 0.88:
        return rank_of(card.design, (card.suit + dice.randint(1, 3)) % SUITS, card.number)
    if way < 0.94:
        return replace(card, spoilt=dice.getrandbits(30) + 1)
    return rank_of(card.design, dice.randrange(SUITS), numbered)


def misread(card: Print, dice: Dice) -> Print:
    """Another print that is hard to tell from a worn card: mostly a number of its shape."""
    if dice.random() < MISREAD:
        return replace(card, number=dice.choice(NUMBERS_ALIKE[card.number]))
    return other(card, dice)


@lru_cache(maxsize=400)
def drawn(card: Print) -> Image:
    """A card's picture."""
    return pixels(_picture(card), WIDTH, HEIGHT, PER_MM)


# ---- A deck's style -----------------------------------------------------------------------------


Maker = Callable[[], Picture]


@dataclass(frozen=True, slots=True)
class Style:
    """How one deck is drawn. Lengths are in millimetres.

    inset    distance of the frame from the edge, at the sides and the ends; ``lines``: their number
    digit    height of the numbers; ``pen``: their line, relative to the usual one; ``at``: distance
             from the card's corner
    turned   whether the pips of the lower half are upside down
    """

    paper: str
    frame: str
    inset: tuple[float, float]
    lines: int
    thick: float
    gap: float
    digit: float
    pen: float
    ink: str
    at: tuple[float, float]
    turned: bool
    pips: tuple[Picture, ...]
    figures: tuple[Picture, ...]
    size: float
    spread: tuple[float, float]


@lru_cache(maxsize=64)
def style(design: int) -> Style:
    """The style of a deck."""
    dice = random.Random(f"design {design}")
    palette = [_colour(dice) for _ in range(7)]
    inset = dice.uniform(2.8, 6.5), dice.uniform(3.0, 8.0)
    lines = dice.choice((0, 1, 1, 1, 2))
    close = dice.uniform(0.6, 2.4)
    at = (inset[0] + close, inset[1] + close) if lines else (dice.uniform(3, 6), dice.uniform(3, 7))
    return Style(
        paper=_hex(dice.uniform(0.93, 1), dice.uniform(0.94, 1), dice.uniform(0.88, 1)),
        frame=dice.choice((INK, INK, palette[0])),
        inset=inset,
        lines=lines,
        thick=dice.uniform(0.2, 0.7),
        gap=dice.uniform(2.0, 5.0),
        digit=dice.uniform(4.2, 8.5),
        pen=dice.uniform(0.6, 2.2),
        ink=dice.choice((INK, INK, INK, palette[1])),
        at=at,
        turned=dice.random() < 0.6,
        pips=tuple(_pip(dice, palette) for _ in range(SUITS)),
        figures=_figures(design, dice.random() < 0.7, palette),
        size=dice.uniform(0.8, 1.12),
        spread=(dice.uniform(11, 15.5), dice.uniform(21, 29)),
    )


def _hex(red: float, green: float, blue: float) -> str:
    return "#" + "".join(
        f"{round(255 * min(1.0, max(0.0, one))):02x}" for one in (red, green, blue)
    )


def _colour(dice: Dice) -> str:
    """A printed colour. Such colours are strong: one channel is much weaker than another."""
    levels = [dice.uniform(0.0, 0.35), dice.uniform(0.1, 0.8), dice.uniform(0.55, 1.0)]
    dice.shuffle(levels)
    dark = dice.uniform(0.45, 1.0)
    return _hex(*(level * dark for level in levels))


def _ring(
    dice: Dice, wide: float, high: float, rough: float, count: int
) -> list[tuple[float, float]]:
    turns = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return [
        (
            float(wide * np.cos(turn) * dice.uniform(1 - rough, 1)),
            float(high * np.sin(turn) * dice.uniform(1 - rough, 1)),
        )
        for turn in turns
    ]


def _pip(dice: Dice, palette: list[str]) -> Picture:
    """A sign about two high around its origin: a coin, a thing with a stem, or a slim thing."""
    kind = dice.choice(("coin", "stem", "slim", "slim", "blob"))
    one, two, three = dice.sample(palette, 3)
    if kind == "coin":
        wide = dice.uniform(0.7, 0.95)
        inner = [ellipse(0, 0, wide * share, fill=colour)
                 for share, colour in ((1.0, one), (dice.uniform(0.6, 0.85), two))]  # fmt: skip
        count = dice.randint(4, 9)
        petals = [ellipse(float(0.42 * np.cos(turn)), float(0.42 * np.sin(turn)),
                          dice.uniform(0.1, 0.16), fill=three)
                  for turn in np.linspace(0, 2 * np.pi, count, endpoint=False)]  # fmt: skip
        return (*inner, *petals, ellipse(0, 0, dice.uniform(0.1, 0.3), fill=one))
    if kind == "blob":
        body = smooth(_ring(dice, dice.uniform(0.45, 0.8), 0.95, 0.45, dice.randint(5, 9)), one)
        spots = [
            ellipse(
                dice.uniform(-0.3, 0.3),
                dice.uniform(-0.5, 0.5),
                dice.uniform(0.06, 0.2),
                fill=dice.choice((two, three)),
            )
            for _ in range(dice.randint(0, 5))
        ]
        return (body, *spots)
    if kind == "stem":
        wide, low = dice.uniform(0.5, 0.8), dice.uniform(0.0, 0.35)
        bowl = smooth([(-wide, -0.9), (-wide * 0.8, low - 0.2), (0, low), (wide * 0.8, low - 0.2),
                       (wide, -0.9)], one)  # fmt: skip
        stem = polygon([(-0.1, low - 0.05), (0.1, low - 0.05), (0.14, 0.8), (-0.14, 0.8)], two)
        foot = ellipse(0, 0.85, wide * dice.uniform(0.5, 0.9), 0.14, fill=three)
        band = polygon([(-wide * 0.9, -0.6), (wide * 0.9, -0.6), (wide * 0.85, -0.35),
                        (-wide * 0.85, -0.35)], two)  # fmt: skip
        return (stem, foot, bowl, band)
    wide = dice.uniform(0.1, 0.28)
    blade = polygon([(-wide, 0.5), (-wide, -0.7), (0, -1), (wide, -0.7), (wide, 0.5)], one)
    hilt = smooth([(-0.45, 0.4), (0, 0.52), (0.45, 0.4), (0, 0.34)], two)
    grip = polygon([(-0.1, 0.5), (0.1, 0.5), (0.09, 0.92), (-0.09, 0.92)], three)
    twigs = [smooth([(0, y), (side * dice.uniform(0.3, 0.5), y - 0.25), (0, y - 0.12)], one)
             for y, side in ((-0.3, 1), (0.1, -1))] if dice.random() < 0.5 else []  # fmt: skip
    return (blade, *twigs, hilt, grip)


def _figures(design: int, alike: bool, palette: list[str]) -> tuple[Picture, ...]:
    """The figures of each rank, suit by suit. With ``alike``, only their colours differ."""
    found = []
    for rank in range(FIGURES, RANKS + 1):
        for suit in range(SUITS):
            wears = palette.copy()
            random.Random(f"colours {design} {suit}").shuffle(wears)
            name = f"figure {design} {rank}" if alike else f"figure {design} {rank} {suit}"
            found.append(_figure(random.Random(name), wears))
    return tuple(found)


def _figure(dice: Dice, palette: list[str]) -> Picture:
    """The rough picture of a person: a robe, limbs, a head and a hat, as soft patches of colour."""
    robe = _ring(dice, dice.uniform(9, 15), dice.uniform(20, 28), 0.45, dice.randint(6, 10))
    parts: list[Shape] = [*moved([smooth(robe, dice.choice(palette))], 0, 4)]
    for _ in range(dice.randint(6, 14)):
        x, y = dice.uniform(-11, 11), dice.uniform(-20, 26)
        ring = _ring(dice, dice.uniform(2, 9), dice.uniform(3, 13), 0.5, dice.randint(4, 8))
        parts += moved([smooth(ring, dice.choice(palette))], x, y, turn=dice.uniform(0, 360))
    head = dice.uniform(-6, 6), dice.uniform(-26, -20)
    parts.append(ellipse(*head, 4.2, 4.9, fill="#f0c8a0"))
    parts.append(smooth([(head[0] - 6, head[1] - 3), (head[0], head[1] - dice.uniform(7, 12)),
                         (head[0] + 6, head[1] - 3)], dice.choice(palette)))  # fmt: skip
    for _ in range(dice.randint(3, 14)):
        x, y = dice.uniform(-12, 12), dice.uniform(-22, 28)
        along = dice.uniform(-6, 6), dice.uniform(-6, 6)
        parts.append(stroke([(x, y), (x + along[0], y + along[1])], dice.choice((INK, *palette)),
                            dice.uniform(0.3, 0.9)))  # fmt: skip
    return tuple(parts)


# ---- One card -----------------------------------------------------------------------------------


def _picture(card: Print) -> Picture:
    own = style(card.design)
    edge = [(0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT)]
    return (
        polygon(edge, own.paper, None),
        *_frame(own, card.suit),
        *_body(own, card),
        *_corners(own, card.number),
        *_spot(card.spoilt),
    )


def _frame(own: Style, suit: int) -> Picture:
    found: list[Shape] = []
    for at in range(own.lines):
        sides, ends = (inset - 1.1 * at for inset in own.inset)
        found += [stroke([(x, ends), (x, HEIGHT - ends)], own.frame, own.thick)
                  for x in (sides, WIDTH - sides)]  # fmt: skip
        wide = WIDTH - 2 * sides
        middles = [sides + wide * (gap + 1) / (suit + 1) for gap in range(suit)]
        starts = [sides, *(middle + own.gap / 2 for middle in middles)]
        stops = [*(middle - own.gap / 2 for middle in middles), WIDTH - sides]
        found += [stroke([(start, y), (stop, y)], own.frame, own.thick)
                  for y in (ends, HEIGHT - ends)
                  for start, stop in zip(starts, stops, strict=True)]  # fmt: skip
    return tuple(found)


def _corners(own: Style, shown: int) -> Picture:
    digits = [replace(shape, width=shape.width * own.pen, line=own.ink)
              for shape in number(str(shown), own.digit)]  # fmt: skip
    upper = moved(digits, *own.at)
    return (*upper, *moved(upper, WIDTH, HEIGHT, turn=180))


def _body(own: Style, card: Print) -> Picture:
    if card.body >= FIGURES:
        figure = own.figures[(card.body - FIGURES) * SUITS + card.suit]
        held = moved(own.pips[card.suit], 14.5, 25.0, 6.5)
        return (*moved(figure, WIDTH / 2, HEIGHT / 2 + 2, 0.95), *held)
    places = _places(own, card.body)
    size = own.size * (22, 15, 12, 12, 10.5, 10.5, 9.2, 9.0, 8.6)[card.body - 1]
    if card.extra:
        dice = random.Random(f"extra {card}")
        places = _with_extra(places, card.extra, size, dice)
    found: list[Shape] = []
    for x, y in places:
        turn = 180 if own.turned and y > HEIGHT / 2 + 1 else 0
        found += moved(own.pips[card.suit], x, y, size, turn)
    return tuple(found)


def _places(own: Style, count: int) -> list[tuple[float, float]]:
    """The middles of this many pips, in columns about the card's middle."""
    x, y = own.spread
    middle = [(0.0, 0.0)] if count in (1, 3, 5) else []
    if count in (2, 3):
        return [*_about([(0.0, -y), (0.0, y)]), *_about(middle)]
    if count == 9:
        return _about([(a * x * 1.05, b * y) for a in (-1, 0, 1) for b in (-1, 0, 1)])
    rows = {1: (), 4: (-1.0, 1.0), 5: (-1.0, 1.0), 6: (-1.0, 0.0, 1.0), 7: (-1.0, 0.0, 1.0),
            8: (-1.0, 0.0, 1.0)}[count]  # fmt: skip
    pairs = [(side * x, row * y) for row in rows for side in (-1, 1)]
    between = {7: [(0.0, -y / 2)], 8: [(0.0, -y / 2), (0.0, y / 2)]}.get(count, [])
    return _about([*pairs, *between, *middle])


def _about(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(WIDTH / 2 + x, HEIGHT / 2 + y) for x, y in places]


def _with_extra(
    places: list[tuple[float, float]], extra: int, size: float, dice: Dice
) -> list[tuple[float, float]]:
    """Take one pip away, or add one where there is the most room, or nearly the most."""
    if extra < 0:
        lost = dice.randrange(len(places))
        return [place for at, place in enumerate(places) if at != lost]
    grid = [(x, y) for x in np.linspace(14, 47, 7) for y in np.linspace(18, 77, 13)]
    room = [min(float(np.hypot(x - a, y - b)) for a, b in places) for x, y in grid]
    best = max(room)
    wide = [
        place for place, free in zip(grid, room, strict=True) if free > min(best, 1.3 * size) * 0.9
    ]
    x, y = dice.choice(wide)
    return [*places, (float(x), float(y))]


def _spot(seed: int) -> Picture:
    """A patch of print at a random place."""
    if not seed:
        return ()
    dice = random.Random(seed)
    x, y = dice.uniform(9, WIDTH - 9), dice.uniform(10, HEIGHT - 10)
    ring = _ring(dice, dice.uniform(2, 7), dice.uniform(2, 9), 0.4, dice.randint(4, 8))
    return moved([smooth(ring, _colour(dice))], x, y)
