"""The four signs of the Spanish suits, each about two high around its origin."""

from __future__ import annotations

from collections.abc import Callable

from assistant.rules.cards import Suit
from scripts.lab.drawing.shapes import Picture, ellipse, moved, polygon, smooth, stroke

GOLD, LIGHT_GOLD, AMBER = "#f2b824", "#ffe07a", "#c47f0e"
RED, DARK_RED = "#cf2430", "#8f1420"
STEEL, LIGHT_STEEL, BLUE = "#7fb0d9", "#d3e6f5", "#1f5fa8"
GREEN, DARK_GREEN, BROWN = "#3f9440", "#256329", "#8a5a2b"


def oro() -> Picture:
    """A coin with a sun of eight petals."""
    petals = [
        shape
        for turn in range(0, 360, 45)
        for shape in moved(
            [smooth([(0, -0.16), (0.13, -0.38), (0, -0.6), (-0.13, -0.38)], AMBER, AMBER)],
            turn=turn,
        )
    ]
    return (
        ellipse(0, 0, 1, fill=GOLD),
        ellipse(0, 0, 0.8, fill=LIGHT_GOLD, line=AMBER),
        *petals,
        ellipse(0, 0, 0.18, fill=RED, line=DARK_RED),
    )


def copa() -> Picture:
    """A goblet: its bowl with a band, its stem with a knot, its foot."""
    return (
        smooth([(-0.5, 1), (-0.42, 0.78), (0, 0.66), (0.42, 0.78), (0.5, 1), (0, 1.02)], RED),
        polygon([(-0.12, 0.72), (-0.1, 0.1), (0.1, 0.1), (0.12, 0.72)], GOLD),
        ellipse(0, 0.42, 0.22, 0.13, fill=RED),
        smooth(
            [(-0.72, -0.86), (-0.7, -0.3), (-0.42, 0.16), (0, 0.28), (0.42, 0.16), (0.7, -0.3),
             (0.72, -0.86), (0, -0.76)],
            RED,
        ),
        polygon([(-0.71, -0.5), (0.71, -0.5), (0.69, -0.24), (-0.69, -0.24)], GOLD),
        *(ellipse(x, -0.37, 0.09, fill=BLUE, line=None) for x in (-0.45, -0.15, 0.15, 0.45)),
        ellipse(0, -0.86, 0.72, 0.16, fill=DARK_RED),
    )  # fmt: skip


def espada() -> Picture:
    """A sword with its point up."""
    return (
        polygon([(-0.13, 0.42), (-0.13, -0.72), (0, -1), (0.13, -0.72), (0.13, 0.42)], STEEL),
        polygon([(0, 0.4), (0, -0.94), (0.09, -0.7), (0.09, 0.4)], LIGHT_STEEL, None),
        smooth(
            [(-0.42, 0.4), (-0.3, 0.5), (0, 0.46), (0.3, 0.5), (0.42, 0.4), (0.3, 0.34), (0, 0.38),
             (-0.3, 0.34)],
            GOLD,
        ),
        polygon([(-0.09, 0.48), (0.09, 0.48), (0.08, 0.86), (-0.08, 0.86)], RED),
        stroke([(-0.09, 0.58), (0.09, 0.66)], GOLD),
        stroke([(-0.09, 0.72), (0.09, 0.8)], GOLD),
        ellipse(0, 0.92, 0.12, fill=GOLD),
    )  # fmt: skip


def basto() -> Picture:
    """A cudgel with its thick end up and three cut twigs."""
    return (
        smooth([(0.2, -0.2), (0.42, -0.42), (0.5, -0.34), (0.26, -0.04)], DARK_GREEN),
        smooth([(-0.2, 0.1), (-0.42, -0.12), (-0.48, -0.02), (-0.2, 0.28)], DARK_GREEN),
        smooth([(0.12, 0.36), (0.34, 0.18), (0.4, 0.28), (0.12, 0.52)], DARK_GREEN),
        smooth(
            [(-0.1, 0.96), (-0.16, 0.4), (-0.27, -0.2), (-0.28, -0.72), (0, -0.98), (0.28, -0.72),
             (0.27, -0.2), (0.16, 0.4), (0.1, 0.96)],
            GREEN,
        ),
        ellipse(0, -0.84, 0.17, 0.1, fill=BROWN),
        smooth([(-0.1, -0.5), (-0.05, 0), (-0.02, 0.6)], None, DARK_GREEN, closed=False),
        smooth([(0.12, -0.56), (0.1, -0.1), (0.06, 0.3)], None, DARK_GREEN, closed=False),
        ellipse(0, 0.94, 0.11, 0.07, fill=BROWN),
    )  # fmt: skip


PIPS: dict[Suit, Callable[[], Picture]] = {
    Suit.OROS: oro,
    Suit.COPAS: copa,
    Suit.ESPADAS: espada,
    Suit.BASTOS: basto,
}
