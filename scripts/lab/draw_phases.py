#!/usr/bin/env python3
"""Draw the phases of a deal from the table in ``assistant/rules/phases.py``.

It writes docs/phases.svg (the picture) and docs/phases.md (the same as text, which GitHub draws).
With --dot, it prints the graph for Graphviz instead and writes nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from assistant.rules.phases import BETTING, DECLARING, TRANSITIONS, Phase, Trigger

DOCS = Path(__file__).resolve().parents[2] / "docs"

Point = tuple[float, float]

# Column and row of each phase. The deal runs from left to right; side branches are above and below.
PLACES: dict[Phase, Point] = {
    Phase.MUS: (0, 0),
    Phase.DISCARD: (0, -1),
    Phase.GRANDE: (1, 0),
    Phase.CHICA: (2, 0),
    Phase.PARES_SAY: (3, 0),
    Phase.PARES: (4, -0.75),
    Phase.JUEGO_SAY: (5, 0),
    Phase.JUEGO: (6, -0.75),
    Phase.PUNTO: (6, 0.95),
    Phase.SHOWDOWN: (7, 0),
    Phase.COUNT: (8, 0),
    Phase.OVER: (9, 0),
}
COLUMN, ROW = 140, 110
LEFT, MIDDLE = 110, 260
WIDTH, HEIGHT = 1_440, 590
BOX_WIDTH, BOX_HEIGHT = 84, 40
ASIDE = 9
"""Pixels between a transition and the middle line, if there is a reverse one, too."""

ABOVE, BELOW = -1, 1
# Transitions drawn as a bow, with its least depth in rows; a longer one is deeper. Every other
# transition is a straight line.
BOWS: dict[Trigger, tuple[int, float]] = {
    Trigger.ORDAGO: (ABOVE, 1.1),
    Trigger.JUEGO: (BELOW, 1.5),
    Trigger.DEAL: (BELOW, 2.1),
}
DEEPER = 0.18
COLOURS: dict[Trigger, str] = {
    Trigger.ORDAGO: "#b3261e",
    Trigger.JUEGO: "#1b6e3c",
    Trigger.DEAL: "#1f4e8c",
}
PLAIN = "#444444"


@dataclass(frozen=True, slots=True)
class Edge:
    """One transition."""

    source: Phase
    trigger: Trigger
    target: Phase


def edges() -> Iterator[Edge]:
    """The transitions, in the order of the table."""
    for (source, trigger), target in TRANSITIONS.items():
        yield Edge(source, trigger, target)


def mermaid() -> str:
    """The graph as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", "    direction LR"]
    lines += [f'    state "{phase.value}" as {phase.name}' for phase in Phase]
    lines.append(f"    [*] --> {Phase.COUNT.name}")
    lines += [f"    {e.source.name} --> {e.target.name}: {e.trigger.value}" for e in edges()]
    lines.append(f"    {Phase.OVER.name} --> [*]")
    return "\n".join(lines) + "\n"


def dot() -> str:
    """The graph in Graphviz's language."""
    lines = ["digraph phases {", "    rankdir=LR;", "    node [shape=box, style=rounded];"]
    lines += [f'    {phase.name} [label="{phase.value}"];' for phase in Phase]
    for e in edges():
        colour = COLOURS.get(e.trigger, PLAIN)
        lines.append(
            f"    {e.source.name} -> {e.target.name} "
            f'[label="{e.trigger.value}", color="{colour}", fontcolor="{colour}"];'
        )
    return "\n".join([*lines, "}"]) + "\n"


def page() -> str:
    """docs/phases.md."""
    return PAGE.format(mermaid=mermaid())


PAGE = """\
# The phases of a deal

`scripts/lab/draw_phases.py` draws this page from the table `TRANSITIONS` in
`assistant/rules/phases.py`: change the table, run the command, commit both. A test fails if they
differ.

![The phases of a deal](phases.svg)

In the rounds `pares?` and `juego?` everybody says whether he holds it. `closed` ends a lance that
was passed, accepted or refused. An accepted `ordago` goes to the showdown of its lance from
whatever phase it was called in, and `juego` ends the deal at the very stone that reaches the
target. A round is `reopened` if somebody corrects a denial in time ("perdón, pares sí").

```mermaid
{mermaid}```
"""


def svg() -> str:
    """docs/phases.svg."""
    boxes = [_box(phase) for phase in Phase]
    ways = [_way(edge) for edge in edges()]
    markers = [_marker(colour) for colour in (PLAIN, *COLOURS.values())]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
            ' font-family="sans-serif" font-size="13" role="img">',
            "<title>The phases of a deal of Mus</title>",
            "<defs>",
            *markers,
            "</defs>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            *ways,
            *boxes,
            "</svg>",
            "",
        ]
    )


def _at(phase: Phase) -> Point:
    column, row = PLACES[phase]
    return LEFT + COLUMN * column, MIDDLE + ROW * row


def _box(phase: Phase) -> str:
    x, y = _at(phase)
    fill = "#fdebc8" if phase in BETTING else "#e3eefb" if phase in DECLARING else "#f1f1f1"
    return (
        f'<rect x="{x - BOX_WIDTH / 2:g}" y="{y - BOX_HEIGHT / 2:g}" width="{BOX_WIDTH}"'
        f' height="{BOX_HEIGHT}" rx="8" fill="{fill}" stroke="#444444"/>'
        f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle">{escape(phase.value)}</text>'
    )


def _marker(colour: str) -> str:
    return (
        f'<marker id="{_marker_id(colour)}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"'
        f' markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="{colour}"/></marker>'
    )


def _marker_id(colour: str) -> str:
    return f"to{colour.removeprefix('#')}"


def _way(edge: Edge) -> str:
    if edge.source is edge.target:
        path, label = _loop(edge.source)
    elif edge.trigger in BOWS:
        path, label = _bow(edge, *BOWS[edge.trigger])
    else:
        path, label = _line(edge)
    colour = COLOURS.get(edge.trigger, PLAIN)
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4"'
        f' marker-end="url(#{_marker_id(colour)})"/>'
        f'<text x="{label[0]:.1f}" y="{label[1]:.1f}" text-anchor="middle" fill="{colour}"'
        f' stroke="white" stroke-width="4" paint-order="stroke">{escape(edge.trigger.value)}</text>'
    )


def _loop(phase: Phase) -> tuple[str, Point]:
    x, y = _at(phase)
    left = x - BOX_WIDTH / 2
    far = left - 52
    path = f"M{left:g} {y + 12:g}C{far:g} {y + 32:g} {far:g} {y - 32:g} {left:g} {y - 12:g}"
    return path, (far + 6, y + 5)


def _bow(edge: Edge, side: int, depth: float) -> tuple[str, Point]:
    """A bow from the right half of one box to the left half of another, past all boxes between."""
    (x0, y0), (x1, y1) = _at(edge.source), _at(edge.target)
    if (y0 - MIDDLE) * side < 0:
        # From a box on the other side of the deal's line: round the corner.
        path = f"M{x0 + BOX_WIDTH / 2:g} {y0:g}Q{x1 - ASIDE:g} {y0:g} {x1 - ASIDE:g} {y1 + 20:g}"
        return path, (x1 - 2 * ASIDE, y0 - 2)
    depth += DEEPER * abs(x1 - x0) / COLUMN
    bottom = MIDDLE + side * ROW * depth
    half = BOX_HEIGHT / 2 * side
    x0, y0, x1, y1 = x0 + ASIDE, y0 + half, x1 - ASIDE, y1 + half
    path = f"M{x0:g} {y0:g}C{x0:g} {bottom:.1f} {x1:g} {bottom:.1f} {x1:g} {y1:g}"
    # The middle of a cubic curve: one eighth of each end and three of each handle.
    return path, ((x0 + x1) / 2, (y0 + y1) / 8 + 0.75 * bottom + 4)


def _line(edge: Edge) -> tuple[str, Point]:
    start, end = _at(edge.source), _at(edge.target)
    dx, dy = end[0] - start[0], end[1] - start[1]
    back = any(e.source is edge.target and e.target is edge.source for e in edges())
    length = (dx * dx + dy * dy) ** 0.5
    # A transition and its reverse: each keeps to its right.
    right = (-dy / length * ASIDE, dx / length * ASIDE) if back else (0.0, 0.0)
    start, end = _border(start, right, (dx, dy)), _border(end, right, (-dx, -dy))
    path = f"M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if not back:
        return path, (x, y - 5)
    return path, (x + 2.8 * right[0], y + 1.3 * right[1] + 4)


def _border(centre: Point, aside: Point, way: Point) -> Point:
    """Where a line in direction ``way``, ``aside`` of a box's centre, leaves the box."""
    steps = []
    for half, offset, step in zip((BOX_WIDTH / 2, BOX_HEIGHT / 2), aside, way, strict=True):
        if step:
            steps.append(((half if step > 0 else -half) - offset) / step)
    reach = min(steps)
    return centre[0] + aside[0] + way[0] * reach, centre[1] + aside[1] + way[1] * reach


def main(arguments: list[str] | None = None) -> None:
    """Write the files, or print the graph."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument(
        "--dot", action="store_true", help="print the graph for Graphviz, and write nothing"
    )
    if parser.parse_args(arguments).dot:
        print(dot(), end="")
        return
    for name, text in (("phases.svg", svg()), ("phases.md", page())):
        (DOCS / name).write_text(text, "utf-8")
        print(f"wrote docs/{name}")


if __name__ == "__main__":
    main()
