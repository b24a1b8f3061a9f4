"""Drawn pictures as SVG, and sheets of cards to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from scripts.lab.drawing.shapes import Picture, Shape

PAGE = (210.0, 297.0)
"""A4, in millimetres."""
ACROSS, DOWN = 3, 3
CUT = "#9a948a"
STYLE = """
@page { size: A4; margin: 0 }
body { margin: 0 }
svg { display: block; width: 210mm; height: 297mm; break-after: page }
"""


def path(shape: Shape) -> str:
    """One shape as an SVG element."""
    points = "L".join(f"{x:.2f} {y:.2f}" for x, y in shape.points)
    end = "Z" if shape.closed else ""
    line = f' stroke="{shape.line}" stroke-width="{shape.width:.2f}"' if shape.line else ""
    return f'<path d="M{points}{end}" fill="{shape.fill or "none"}"{line}/>'


def sheets(title: str, fronts: Sequence[Picture], back: Picture, card: tuple[float, float]) -> str:
    """An HTML page that prints on A4: nine cards on a sheet, and a sheet of backs to repeat."""
    full = ACROSS * DOWN
    pages = [_sheet(fronts[at : at + full], card) for at in range(0, len(fronts), full)]
    pages.append(_sheet([back] * full, card))
    return (
        '<!doctype html>\n<html lang="es">\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        + "\n".join(pages)
        + "\n</html>\n"
    )


def _sheet(cards: Sequence[Picture], size: tuple[float, float]) -> str:
    left = (PAGE[0] - ACROSS * size[0]) / 2
    top = (PAGE[1] - DOWN * size[1]) / 2
    parts = [
        f'<g transform="translate({left + at % ACROSS * size[0]:.2f} '
        f'{top + at // ACROSS * size[1]:.2f})">{"".join(map(path, card))}</g>'
        for at, card in enumerate(cards)
    ]
    marks = "".join(_marks(left, top, size))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE[0]:.0f} {PAGE[1]:.0f}" '
        f'stroke-linejoin="round" stroke-linecap="round">{"".join(parts)}{marks}</svg>'
    )


def _marks(left: float, top: float, size: tuple[float, float]) -> Iterator[str]:
    """The lines to cut along: a hairline around every card."""
    for column in range(ACROSS + 1):
        x = left + column * size[0]
        yield _hair(x, top, x, top + DOWN * size[1])
    for row in range(DOWN + 1):
        y = top + row * size[1]
        yield _hair(left, y, left + ACROSS * size[0], y)


def _hair(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" '
        f'stroke="{CUT}" stroke-width="0.1"/>'
    )
