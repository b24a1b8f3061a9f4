"""The digits in the corners of cards, drawn with a pen, so that no font is needed."""

from __future__ import annotations

from scripts.lab.drawing.shapes import INK, Picture, Shape, ellipse, moved, smooth, stroke

PEN = 0.62
"""Width of the pen in millimetres."""
ADVANCE = 0.78
"""Distance from one digit to the next. A digit is one high and some 0.55 wide."""


def _pen(*points: tuple[float, float]) -> Shape:
    return stroke(points, INK, PEN)


def _bow(*points: tuple[float, float]) -> Shape:
    return smooth(points, None, INK, PEN, closed=False)


DIGITS: dict[str, Picture] = {
    "0": (ellipse(0.28, 0.5, 0.28, 0.5, width=PEN),),
    "1": (_pen((0.08, 0.24), (0.32, 0), (0.32, 1)), _pen((0.1, 1), (0.54, 1))),
    "2": (
        _bow((0.02, 0.26), (0.12, 0.05), (0.36, 0), (0.54, 0.2), (0.46, 0.48), (0.02, 1)),
        _pen((0.02, 1), (0.56, 1)),
    ),
    "3": (
        _bow((0.03, 0.14), (0.28, 0), (0.52, 0.2), (0.42, 0.42), (0.22, 0.47)),
        _bow((0.22, 0.47), (0.46, 0.53), (0.56, 0.76), (0.32, 1), (0.02, 0.88)),
    ),
    "4": (_pen((0.42, 1), (0.42, 0), (0, 0.68), (0.58, 0.68)),),
    "5": (
        _pen((0.5, 0), (0.1, 0), (0.06, 0.44)),
        _bow((0.06, 0.44), (0.3, 0.38), (0.55, 0.62), (0.4, 0.96), (0.02, 0.9)),
    ),
    "6": (
        _bow((0.46, 0.02), (0.18, 0.26), (0.04, 0.66)),
        ellipse(0.3, 0.71, 0.26, 0.29, width=PEN),
    ),
    "7": (_pen((0, 0), (0.56, 0), (0.2, 1)), _pen((0.16, 0.5), (0.5, 0.5))),
    "8": (ellipse(0.28, 0.24, 0.22, 0.24, width=PEN), ellipse(0.28, 0.74, 0.27, 0.26, width=PEN)),
    "9": (
        ellipse(0.28, 0.29, 0.26, 0.29, width=PEN),
        _bow((0.54, 0.3), (0.42, 0.74), (0.12, 0.98)),
    ),
}


def number(text: str, height: float) -> Picture:
    """A number, with its upper left corner at the origin."""
    found: list[Shape] = []
    for at, digit in enumerate(text):
        found += moved(DIGITS[digit], at * ADVANCE * height, 0, height)
    return tuple(found)
