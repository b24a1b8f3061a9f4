#!/usr/bin/env python3
"""Write the deck's own drawing as SVG paths, for the pictures of ``mus chronicle``.

It writes assistant/review/chronicle/cardart.py. It turns the curves of ``drawing`` into as few
straight lines as the eye does not notice at the size of a screen.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from textwrap import fill

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.rules.cards import Rank, Suit
from scripts.lab.drawing.faces import GAP, GAPS, HELD, IN_HAND, LAYOUTS, SLIMMER
from scripts.lab.drawing.figures import CLOTH, FIGURES, Cloth
from scripts.lab.drawing.pips import PIPS
from scripts.lab.drawing.shapes import Picture, Points, Shape

WRITTEN = Path(__file__).resolve().parents[2] / "assistant" / "review" / "chronicle" / "cardart.py"
FIGURE, PIP = 10.0, 100.0
"""Units of a millimetre of a figure, and of half the height of a pip, in the written paths."""
PIP_LINE = 4.0
"""Units of a pip's outline. A pip is drawn at many sizes."""
UNSEEN = 1.4
"""Units by which a line may leave its curve."""
ROW = 98
"""Characters in a line of the file."""
HEADER = '''\
"""The deck's figures, pips and layouts as SVG paths. Made by draw_symbols.py: do not edit.

Figures are in tenths of a millimetre around their middle, and their fills name what a suit wears
(``CLOTH``) or are a colour; pips are 100 high each way around theirs; places are in tenths of a
millimetre from the card's upper left corner. A shape is its fill, its line ("none", a colour, or
what is worn), the line's width and the path.
"""

from __future__ import annotations

'''


def main(argv: list[str] | None = None) -> int:
    """Write the module. With --check, only say whether it is up to date."""
    args = _parser().parse_args(argv)
    text = module()
    if args.check:
        same = WRITTEN.read_text("utf-8") == text
        print("as drawn" if same else f"{WRITTEN.name} is not as it would be drawn")
        return 0 if same else 1
    WRITTEN.write_text(text, "utf-8")
    print(WRITTEN)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit status 1 if the file differs"
    )
    return parser


def module() -> str:
    """The whole file."""
    worn = Cloth(*(field.name for field in fields(Cloth)))
    figures = {rank: draw(worn) for rank, draw in FIGURES.items()}
    pips = {suit: draw() for suit, draw in PIPS.items()}
    cloth = {
        suit: {field.name: getattr(clothes, field.name) for field in fields(Cloth)}
        for suit, clothes in CLOTH.items()
    }
    parts = [
        HEADER,
        _drawn("FIGURES", figures, FIGURE, None),
        _drawn("PIPS", pips, PIP, PIP_LINE),
        _table("CLOTH", "dict[str, str]", {suit: _mapping(worn) for suit, worn in cloth.items()}),
        _table(
            "LAYOUTS",
            "tuple[float, tuple[tuple[float, float], ...]]",
            {rank: _layout(size, places) for rank, (size, places) in LAYOUTS.items()},
        ),
        _table("IN_HAND", "tuple[float, float]", {r: _place(*at) for r, at in IN_HAND.items()}),
        _table("SLIMMER", "float", {suit: str(by) for suit, by in SLIMMER.items()}),
        _table("GAPS", "int", {suit: str(n) for suit, n in GAPS.items()}),
        f"GAP = {GAP * FIGURE:g}\nHELD = {HELD * FIGURE:g}\n",
    ]
    return "".join(parts)


def _drawn(
    name: str,
    pictures: Mapping[Rank, Picture] | Mapping[Suit, Picture],
    scale: float,
    line: float | None,
) -> str:
    """A table of pictures: a row for each shape, with further lines indented below it."""
    parts = [f"{name}: dict[str, str] = {{\n"]
    for key, picture in pictures.items():
        rows = "\n".join(_stroke(shape, scale, line) for shape in picture)
        parts.append(f'    "{key}": """\n{rows}\n""",\n')
    return "".join([*parts, "}\n"])


def _stroke(shape: Shape, scale: float, line: float | None) -> str:
    width = line or shape.width * FIGURE
    text = f"{shape.fill or 'none'} {shape.line or 'none'} {width:g} {path(shape, scale)}"
    return fill(text, ROW, subsequent_indent=" ", break_long_words=False, break_on_hyphens=False)


def path(shape: Shape, scale: float) -> str:
    """One shape as path data: whole numbers, each point relative to the one before it."""
    points = np.round(_simpler(shape.points * scale, shape.closed)).astype(int)
    first, *steps = [points[0], *np.diff(points, axis=0)]
    moves = " ".join(f"{x} {y}" for x, y in steps if x or y)
    return f"M{first[0]} {first[1]}l{moves}{'z' if shape.closed else ''}"


def _simpler(points: Points, closed: bool) -> Points:
    """The points without those that hardly bend the line (Douglas and Peucker)."""
    line = np.vstack([points, points[:1]]) if closed else points
    middle = int(np.argmax(np.linalg.norm(line - line[0], axis=1)))
    kept = [*_kept(line, 0, middle), *_kept(line, middle, len(line) - 1), len(line) - 1]
    return line[kept[:-1] if closed else kept]


def _kept(line: Points, first: int, last: int) -> list[int]:
    """The points of a stretch that are kept: its first one and some others, but not the last."""
    if last - first < 2:
        return [first] if last > first else []
    start, along = line[first], line[last] - line[first]
    away = line[first + 1 : last] - start
    off = np.abs(along[0] * away[:, 1] - along[1] * away[:, 0]) / max(np.hypot(*along), 1e-9)
    far = int(np.argmax(off))
    if off[far] <= UNSEEN:
        return [first]
    middle = first + 1 + far
    return [*_kept(line, first, middle), *_kept(line, middle, last)]


def _table(name: str, kind: str, rows: Mapping[str, str]) -> str:
    body = "".join(f'    "{key}": {value},\n' for key, value in rows.items())
    return f"{name}: dict[str, {kind}] = {{\n{body}}}\n"


def _mapping(values: Mapping[str, str]) -> str:
    body = "".join(f'        "{key}": "{value}",\n' for key, value in values.items())
    return f"{{\n{body}    }}"


def _layout(size: float, places: tuple[tuple[float, float], ...]) -> str:
    body = ", ".join(_place(x, y) for x, y in places)
    line = f"({size * FIGURE}, ({body}{',' * (len(places) == 1)}))"
    if len(line) < ROW - 10:
        return line
    rows = "".join(f"            {_place(x, y)},\n" for x, y in places)
    return f"(\n        {size * FIGURE},\n        (\n{rows}        ),\n    )"


def _place(x: float, y: float) -> str:
    return f"({x * FIGURE}, {y * FIGURE})"


if __name__ == "__main__":
    sys.exit(main())
