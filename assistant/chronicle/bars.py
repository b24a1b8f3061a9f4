"""Who won what: for each lance and side, how many were won, and how."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.chronicle.ink import (
    FAINT,
    INK,
    PAPER,
    SIDES,
    SOFT,
    element,
    fitted,
    line,
    marker,
    picture,
    text,
    wide,
)
from assistant.chronicle.shape import Chronicle, SideTold
from assistant.chronicle.words import Words
from assistant.rules.events import How
from assistant.rules.phases import Lance

WIDTH = 960.0
LEFT, RIGHT, TOP = 128.0, 60.0, 112.0
BAR, BETWEEN, GROUP = 20.0, 5.0, 22.0
HOWS = (How.PASSED, How.ACCEPTED, How.REFUSED, How.UNCONTESTED, How.ORDAGO)
"""As a bar is built from the left; the other ways to close a lance have no winner."""
STRENGTH = {How.PASSED: 0.25, How.ACCEPTED: 1.0, How.REFUSED: 0.6, How.UNCONTESTED: 0.42}
"""How strong a side's colour is; an órdago is striped."""


def lances_svg(chronicle: Chronicle, words: Words) -> str:
    """A group of bars for each lance, a bar for each side."""
    sides = chronicle.sides
    group = len(sides) * (BAR + BETWEEN) + GROUP
    height = TOP + group * len(Lance) + 30
    most = max((side.lances(lance) for side in sides for lance in Lance), default=0)
    title = words("lances.title")
    parts = [element("defs", *(_stripes(side.side) for side in sides)),
             text(24, 38, title, 24, font_weight="bold"),
             *_sides(chronicle, words), *_hows(words)]  # fmt: skip
    for at, lance in enumerate(Lance):
        parts += _group(chronicle, lance, TOP + group * at, max(most, 1), words)
    parts.append(text(WIDTH - 24, height - 12, words("lances.count"), 13, fill=SOFT,
                      text_anchor="end"))  # fmt: skip
    return picture(WIDTH, height, title, _in_words(chronicle, words), *parts)


def _in_words(chronicle: Chronicle, words: Words) -> str:
    return " ".join(
        words("lances.told", lance=words(f"lance.{lance}"), side=words.names(side.names),
              n=side.lances(lance))
        for lance in Lance for side in chronicle.sides
    )  # fmt: skip


def _sides(chronicle: Chronicle, words: Words) -> Iterator[str]:
    x, room = 30.0, (WIDTH - 60) / len(chronicle.sides)
    for side in chronicle.sides:
        name = fitted(words.names(side.names), room - 40, 15)
        yield marker(side.side, x, 64)
        yield text(x + 14, 69, name, 15)
        x += min(room, wide(name, 15) + 48)


def _hows(words: Words) -> Iterator[str]:
    """The key to the strengths, in a side's colour."""
    x = 24.0
    yield text(x, 94, words("lances.legend"), 13, fill=SOFT)
    x += wide(words("lances.legend"), 13) + 16
    for how in HOWS:
        yield _piece("A", how, x, 83, 22, 13)
        yield text(x + 28, 94, words(f"how.{how}"), 13, fill=SOFT)
        x += wide(words(f"how.{how}"), 13) + 50


def _group(chronicle: Chronicle, lance: Lance, y: float, most: int, words: Words) -> Iterator[str]:
    high = len(chronicle.sides) * (BAR + BETWEEN)
    yield text(LEFT - 44, y + high / 2 + 4, words(f"lance.{lance}"), 17, text_anchor="end",
               font_weight="bold")  # fmt: skip
    yield line(LEFT, y - 4, LEFT, y + high, stroke=FAINT, stroke_width=2)
    for at, side in enumerate(chronicle.sides):
        yield from _bar(side, lance, y + at * (BAR + BETWEEN), most)


def _bar(side: SideTold, lance: Lance, y: float, most: int) -> Iterator[str]:
    unit = (WIDTH - LEFT - RIGHT) / most
    x = LEFT
    yield marker(side.side, LEFT - 20, y + BAR / 2)
    for how in HOWS:
        wins = side.won[lance][how]
        if wins:
            yield _piece(side.side, how, x, y, wins * unit, BAR)
            x += wins * unit
    yield text(x + 8, y + BAR - 5, str(side.lances(lance)), 15, fill=INK)


def _piece(side: str, how: How, x: float, y: float, width: float, high: float) -> str:
    look = {"fill": f"url(#stripes-{side})"} if how is How.ORDAGO else {
        "fill": SIDES[side], "fill_opacity": STRENGTH[how]}  # fmt: skip
    return element("rect", x=x, y=y, width=width, height=high, stroke=SIDES[side],
                   stroke_width=1, **look)  # fmt: skip


def _stripes(side: str) -> str:
    return element(
        "pattern",
        element("rect", width=8, height=8, fill=PAPER),
        element("rect", width=4, height=8, fill=SIDES[side]),
        id=f"stripes-{side}", width=8, height=8, patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )  # fmt: skip
