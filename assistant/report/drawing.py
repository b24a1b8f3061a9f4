"""Pictures out of a few shapes, so that a page and a PDF show the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.chronicle import ink


@dataclass(frozen=True, slots=True)
class Rect:
    """A box from its upper left corner; "" is no colour."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; ``dashed`` where it only helps to read."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str = ink.FAINT
    width: float = 1.5
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle around its middle."""

    x: float
    y: float
    radius: float
    fill: str
    stroke: str
    width: float = 2.5


@dataclass(frozen=True, slots=True)
class Label:
    """Words whose line stands on ``y``; ``anchor`` tells where of them ``x`` is."""

    x: float
    y: float
    text: str
    size: float = 14
    fill: str = ink.INK
    anchor: str = "start"
    bold: bool = False


Shape = Rect | Line | Dot | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with its name, its title, and what it shows for who cannot see it."""

    name: str
    width: float
    height: float
    title: str
    told: str
    shapes: tuple[Shape, ...]


def to_svg(drawing: Drawing) -> str:
    """The picture as SVG."""
    return ink.picture(
        drawing.name,
        drawing.width,
        drawing.height,
        drawing.title,
        drawing.told,
        *_elements(drawing.shapes),
    )


def _elements(shapes: tuple[Shape, ...]) -> Iterator[str]:
    for shape in shapes:
        match shape:
            case Rect(x, y, width, height, fill, stroke):
                yield ink.element(
                    "rect", x=x, y=y, width=width, height=height, fill=fill or "none", stroke=stroke
                )
            case Line(x1, y1, x2, y2, stroke, width, dashed):
                dash = "6 5" if dashed else ""
                yield ink.line(
                    x1, y1, x2, y2, stroke=stroke, stroke_width=width, stroke_dasharray=dash
                )
            case Dot(x, y, radius, fill, stroke, width):
                yield ink.element(
                    "circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, stroke_width=width
                )
            case Label(x, y, text, size, fill, anchor, bold):
                yield ink.text(
                    x,
                    y,
                    text,
                    size,
                    fill=fill,
                    text_anchor="" if anchor == "start" else anchor,
                    font_weight="bold" if bold else "",
                )
