"""The sota, the caballo and the rey, about 62 high and 36 wide around their middle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.rules.cards import Rank, Suit
from scripts.lab.drawing.pips import (
    BLUE,
    BROWN,
    DARK_GREEN,
    DARK_RED,
    GOLD,
    GREEN,
    LIGHT_GOLD,
    LIGHT_STEEL,
    RED,
    STEEL,
)
from scripts.lab.drawing.shapes import Colour, Picture, ellipse, polygon, smooth, stroke

SKIN, HAIR, WHITE, GREY = "#f4cfa4", "#5b3413", "#fffdf6", "#b9b2a6"


@dataclass(frozen=True, slots=True)
class Cloth:
    """The colours that the people of a suit wear."""

    coat: Colour
    lining: Colour
    legs: Colour
    hat: Colour
    horse: Colour


CLOTH: dict[Suit, Cloth] = {
    Suit.OROS: Cloth(GOLD, RED, BLUE, RED, WHITE),
    Suit.COPAS: Cloth(RED, GOLD, DARK_GREEN, BLUE, BROWN),
    Suit.ESPADAS: Cloth(BLUE, LIGHT_STEEL, RED, GOLD, GREY),
    Suit.BASTOS: Cloth(GREEN, LIGHT_GOLD, BROWN, DARK_RED, "#3a332c"),
}


def sota(wears: Cloth) -> Picture:
    """A standing page with a cape behind him and a feather on his cap."""
    return (
        smooth(
            [(-9, -14), (-13, 6), (-12, 20), (0, 17), (12, 20), (13, 4), (8, -14)], wears.lining
        ),
        smooth([(-6, 10), (-7, 22), (-6, 30), (-1.5, 30), (-1, 20), (-0.5, 10)], wears.legs),
        smooth([(0.5, 10), (1.5, 20), (2.5, 30), (7, 30), (7, 20), (6, 10)], wears.legs),
        smooth([(-6.5, 29), (-11, 31.5), (-1, 31.5), (-1.5, 29)], DARK_RED),
        smooth([(2.5, 29), (2, 31.5), (12, 31.5), (7, 29)], DARK_RED),
        polygon([(-7, -14), (-5, -1), (-9.5, 13), (9.5, 13), (5, -1), (7, -14)], wears.coat),
        polygon([(-5.2, -2), (5.2, -2), (5.6, 1), (-5.6, 1)], wears.hat),
        *(stroke([(x, 1.5), (1.6 * x, 12.5)]) for x in (-4.0, -1.3, 1.3, 4.0)),
        smooth(
            [(-7, -13), (-12, -8), (-15, -15), (-12.5, -17), (-10.5, -12), (-6, -17)], wears.coat
        ),
        ellipse(-14, -17, 2, fill=SKIN),
        smooth([(7, -13), (11, -5), (6, 2), (4.5, -0.5), (7.5, -5), (5, -11)], wears.coat),
        ellipse(5, 1.2, 1.8, fill=SKIN),
        polygon([(-2, -19), (2, -19), (2.4, -13.5), (0, -11.5), (-2.4, -13.5)], SKIN),
        smooth([(-5.5, -25), (-6.5, -18), (-3.5, -17), (3.5, -17), (6.5, -18), (5.5, -25)], HAIR),
        ellipse(0, -22, 4.2, 5, fill=SKIN),
        *_face(0, -22),
        smooth([(-7, -25), (-5, -30), (1, -31), (6, -29), (7, -25), (0, -26.5)], wears.hat),
        smooth([(4, -28), (10, -34), (14, -31), (9, -28.5), (5, -26.5)], WHITE),
    )


def caballo(wears: Cloth) -> Picture:
    """A horseman who rides to the left."""
    horse = wears.horse
    return (
        smooth([(13, 2), (18, 6), (17, 18), (15, 22), (14, 14), (11, 7)], HAIR),
        smooth([(-9, 10), (-15, 14), (-17, 20), (-13, 23), (-13, 20), (-11, 17), (-5, 14)], horse),
        smooth([(-6, 12), (-7, 20), (-6, 30), (-2, 30), (-3, 20), (0, 12)], horse),
        smooth([(6, 11), (5, 19), (7, 24), (5, 30), (9, 30), (11, 23), (10, 17), (12, 10)], horse),
        smooth([(10, 9), (13, 17), (12, 22), (13, 30), (17, 30), (16, 21), (17, 15), (15, 7)],
               horse),
        *(polygon([(x, 29), (x + 4.6, 29), (x + 5, 31.5), (x - 0.8, 31.5)], HAIR)
          for x in (-6.6, 4.6, 12.6)),
        smooth([(-10, 2), (-11, 10), (-4, 15), (8, 14), (15, 11), (16, 3), (10, 0), (0, 2)], horse),
        smooth([(-10, 8), (-13, -2), (-12, -10), (-6, -12), (-3, -6), (-2, 4)], horse),
        smooth([(-8, -12), (-13, -11), (-19, -3), (-18, 0), (-14, -1), (-9, -5), (-6, -10)], horse),
        smooth([(-6, -13), (-2.5, -8), (-1, 0), (-4, -4), (-7, -9)], HAIR),
        polygon([(-8.5, -12), (-8, -15.5), (-6, -12.4)], horse),
        ellipse(-11.5, -7.6, 0.8, fill=HAIR),
        stroke([(-17, -1.5), (-8, 0), (3, -4)], DARK_RED, 0.8),
        polygon([(-1, 1), (12, 0), (13, 8), (-1, 8)], wears.lining),
        smooth([(2, 0), (-1, 8), (-3, 16), (0, 17.5), (3, 11), (8, 2)], wears.legs),
        smooth([(-3.5, 15.5), (-7, 18), (-5, 19), (0.5, 18)], DARK_RED),
        polygon([(0, -15), (0.5, 2), (10.5, 2), (10, -15)], wears.coat),
        polygon([(0.4, -2.5), (10.2, -2.5), (10.3, 0), (0.4, 0)], wears.hat),
        smooth([(2, -14), (-2, -8), (-4, -5), (-2.5, -3), (2, -6), (4.5, -10)], wears.coat),
        ellipse(-4, -4.2, 1.6, fill=SKIN),
        smooth([(8, -14), (13, -15), (15, -20), (12.6, -21), (11, -17), (8, -17)], wears.coat),
        ellipse(14, -21.5, 1.8, fill=SKIN),
        polygon([(3, -19), (7, -19), (7.4, -14.5), (5, -12.5), (2.6, -14.5)], SKIN),
        ellipse(5, -21.5, 3.9, 4.6, fill=SKIN),
        *_face(5, -21.5),
        smooth([(-2, -24.5), (1, -26), (2, -30), (8, -30.5), (9, -26), (12, -24.5), (5, -24)],
               wears.hat),
    )  # fmt: skip


def rey(wears: Cloth) -> Picture:
    """A king in a robe to the ground, crowned and bearded."""
    ermine = [(-4.0, -9.0), (0.0, -7.5), (4.0, -9.0), (-7.0, -11.0), (7.0, -11.0)]
    return (
        smooth([(-9, -13), (-14, 10), (-17, 31), (0, 31.6), (17, 31), (14, 10), (9, -13)],
               wears.coat),
        polygon([(-3.5, -8), (-7, 31), (7, 31), (3.5, -8)], wears.lining),
        *(polygon([(0, y), (2.2, y + 3), (0, y + 6), (-2.2, y + 3)], wears.legs)
          for y in (-2, 6, 14, 22)),
        polygon([(-16.6, 28), (-6.8, 28.4), (-7, 31.5), (-17, 31)], WHITE),
        polygon([(16.6, 28), (6.8, 28.4), (7, 31.5), (17, 31)], WHITE),
        smooth([(-9, -12), (-14, -7), (-16, -15), (-13, -17), (-11, -12), (-7, -16)], wears.coat),
        ellipse(-15, -17, 2, fill=SKIN),
        smooth([(9, -12), (14, -2), (8, 5), (6, 2.5), (9, -3), (6, -9)], wears.coat),
        ellipse(6.6, 4, 1.9, fill=SKIN),
        smooth([(-10, -14), (-8, -8), (0, -5), (8, -8), (10, -14), (0, -16)], WHITE),
        *(ellipse(x, y, 0.5, 0.8, fill=HAIR, line=None) for x, y in ermine),
        smooth([(-6, -25), (-7, -15), (0, -11), (7, -15), (6, -25)], GREY),
        ellipse(0, -21.5, 4.4, 4.8, fill=SKIN),
        smooth([(-4.4, -20), (-4, -14), (0, -10.5), (4, -14), (4.4, -20), (0, -17.6)], GREY),
        *_face(0, -22),
        polygon([(-7, -25), (-8, -33), (-4, -29), (0, -34), (4, -29), (8, -33), (7, -25)], GOLD),
        polygon([(-7, -25), (-7.2, -27), (7.2, -27), (7, -25)], wears.hat),
        *(ellipse(x, y, 0.9, fill=STEEL) for x, y in [(-8, -33.2), (0, -34.2), (8, -33.2)]),
    )  # fmt: skip


def _face(x: float, y: float) -> Picture:
    return (
        *(ellipse(x + side, y - 0.6, 0.5, 0.6, fill=HAIR, line=None) for side in (-1.7, 1.7)),
        stroke([(x, y - 0.3), (x - 0.5, y + 1.2), (x + 0.3, y + 1.3)]),
        stroke([(x - 1.1, y + 2.6), (x + 1.1, y + 2.6)], DARK_RED, 0.5),
    )


FIGURES: dict[Rank, Callable[[Cloth], Picture]] = {
    Rank.SOTA: sota,
    Rank.CABALLO: caballo,
    Rank.REY: rey,
}
