"""Who won what: for each lance and side, how many were won, and how."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.language.sentences import Wording
from assistant.review.chronicle.ink import (
    FAINT,
    GOLD,
    PANEL,
    SERIF,
    SIDES,
    SOFT,
    element,
    heading,
    legend,
    line,
    marker,
    picture,
    text,
    wide,
)
from assistant.review.chronicle.shape import Chronicle, SideTold
from assistant.rules.events import How
from assistant.rules.phases import Lance

WIDTH, LEFT, RIGHT = 1000.0, 164.0, 84.0
EDGE = 66.0
"""Where titles begin."""
BAR, BETWEEN, GROUP = 22.0, 5.0, 26.0
HOWS = (How.PASSED, How.UNCONTESTED, How.REFUSED, How.ACCEPTED, How.ORDAGO)
"""As a bar is built, from nothing risked to all; the other ways to close a lance have no winner."""
GROUNDS = {How.PASSED: 0.0, How.UNCONTESTED: 0.12, How.REFUSED: 0.3, How.ACCEPTED: 1.0}
"""How strong a side's colour is under the marks of each way; an órdago has gold."""
KEY = "key"
"""The colour of the key, which is nobody's."""


def lances_svg(chronicle: Chronicle, words: Wording) -> str:
    """A group of bars for each lance, a bar for each side."""
    sides = chronicle.sides
    title = words("lances.title")
    names = {side.side: words.names(side.names) for side in sides}
    signs, below = legend(names, EDGE, 90, WIDTH - EDGE - RIGHT, lines=False)
    group = len(sides) * (BAR + BETWEEN) + GROUP
    top = below + 72
    height = top + group * len(Lance) + 24
    most = max((side.lances(lance) for side in sides for lance in Lance), default=0)
    marks = [_marks(known, how) for known in (*names, KEY) for how in HOWS if how in _MARKS]
    parts = [element("defs", *marks), heading(title, EDGE, 54), signs, *_hows(below + 32, words)]
    for at, lance in enumerate(Lance):
        parts += _group(chronicle, lance, top + group * at, max(most, 1), words)
    parts.append(
        text(WIDTH - RIGHT, height - 14, words("lances.count"), 14, fill=SOFT, text_anchor="end")
    )
    return picture("lances", WIDTH, height, title, _in_words(chronicle, words), *parts)


def _in_words(chronicle: Chronicle, words: Wording) -> str:
    return " ".join(
        words(
            "lances.told",
            lance=words(f"lance.{lance}"),
            side=words.names(side.names),
            n=side.lances(lance),
        )
        for lance in Lance
        for side in chronicle.sides
    )


def _hows(y: float, words: Wording) -> Iterator[str]:
    """The key to the ways, in nobody's colour."""
    said = words("lances.legend")
    yield text(EDGE, y, said, 14, fill=SOFT, font_style="italic")
    x = EDGE + wide(said, 14) + 14
    for how in HOWS:
        yield _piece(KEY, how, x, y - 12, 26, 15)
        yield text(x + 34, y, words(f"how.{how}"), 14, fill=SOFT)
        x += wide(words(f"how.{how}"), 14) + 58


def _group(
    chronicle: Chronicle, lance: Lance, y: float, most: int, words: Wording
) -> Iterator[str]:
    high = len(chronicle.sides) * (BAR + BETWEEN) - BETWEEN
    yield text(
        LEFT - 38, y + high / 2 + 6, words(f"lance.{lance}"), 19, text_anchor="end",
        font_family=SERIF,
    )  # fmt: skip
    yield line(LEFT, y - 6, LEFT, y + high + 6, stroke=FAINT, stroke_width=2)
    for at, side in enumerate(chronicle.sides):
        yield from _bar(side, lance, y + at * (BAR + BETWEEN), most)


def _bar(side: SideTold, lance: Lance, y: float, most: int) -> Iterator[str]:
    unit = (WIDTH - LEFT - RIGHT) / most
    x = LEFT
    yield marker(side.side, LEFT - 18, y + BAR / 2)
    for how in HOWS:
        wins = side.won[lance][how]
        if wins:
            yield _piece(side.side, how, x, y, wins * unit, BAR)
            yield from _count(side.side, how, x + wins * unit / 2, y, wins, unit)
            x += wins * unit
    yield text(
        x + 10, y + BAR - 5, str(side.lances(lance)), 17, fill=SIDES[side.side], font_weight="bold"
    )


def _count(side: str, how: How, middle: float, y: float, wins: int, unit: float) -> Iterator[str]:
    """How many, on its piece, where it has room."""
    if wins * unit < wide(str(wins), 13) + 12:
        return
    full = how is How.ACCEPTED
    yield text(
        middle, y + BAR / 2 + 4.5, str(wins), 13, fill=PANEL if full else SIDES[side],
        stroke="" if full else PANEL, stroke_width="" if full else 4, paint_order="stroke",
        text_anchor="middle",
    )  # fmt: skip


def _piece(side: str, how: How, x: float, y: float, width: float, high: float) -> str:
    colour = SIDES.get(side, SOFT)
    place = {"x": x, "y": y, "width": width, "height": high}
    ground = GROUNDS.get(how)
    parts = [element("rect", **place, fill=PANEL)]
    if ground:
        parts.append(element("rect", **place, fill=colour, fill_opacity=ground))
    if how in _MARKS:
        parts.append(element("rect", **place, fill=f"url(#{how}-{side})"))
    parts.append(element("rect", **place, fill="none", stroke=colour, stroke_width=1.2))
    return "".join(parts)


_MARKS = {
    How.UNCONTESTED: (7, 0, '<circle cx="3.5" cy="3.5" r="1.3" fill="{}"/>'),
    How.REFUSED: (7, 45, '<rect width="1.6" height="7" fill="{}"/>'),
    How.ORDAGO: (10, 45, '<rect width="10" height="10" fill="{}"/>'
                         f'<rect width="4" height="10" fill="{GOLD}"/>'),
}  # fmt: skip
"""What lies on a piece, for who does not tell the strengths apart: its size, turn and shapes."""


def _marks(side: str, how: How) -> str:
    size, turn, shapes = _MARKS[how]
    return element(
        "pattern",
        shapes.format(SIDES.get(side, SOFT)),
        id=f"{how}-{side}",
        width=size,
        height=size,
        patternUnits="userSpaceOnUse",
        patternTransform=f"rotate({turn})",
    )
