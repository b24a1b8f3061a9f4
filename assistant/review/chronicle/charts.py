"""The charts of a match: the running score, and who won which lances and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from assistant.language.sentences import Wording
from assistant.review.chronicle.ink import (
    DASHES,
    FAINT,
    GOLD,
    PANEL,
    SERIF,
    SIDES,
    SOFT,
    WON,
    element,
    fitted,
    heading,
    legend,
    line,
    marker,
    picture,
    text,
    wide,
)
from assistant.review.chronicle.shape import Chronicle, DealTold, JuegoTold, Point, SideTold
from assistant.rules.events import How
from assistant.rules.phases import Lance

# ---- The running score as a picture: a line for each side, a panel for each juego ---------------


WIDTH = 1000.0
LEFT, RIGHT, HIGH = 66.0, 52.0, 400.0
GAP, NARROW_GAP, MANY = 40.0, 10.0, 7
"""Gaps between panels: GAP has room for stones; NARROW_GAP is for more than MANY juegos."""
NEEDS = 5
"""A side that needs at most so many stones is "adentro"."""
HEAD = 14.0
"""The letter size of a panel's heading."""
APART, MARKED, NUMBERED = 15.0, 26.0, 24.0
"""Least distances between numbers below each other, markers on a line, deals on the axis."""


@dataclass(frozen=True, slots=True)
class Column:
    """A deal on the axis, or what came before the first one (``number`` 0)."""

    number: int
    juego: int
    before: tuple[int, ...]
    points: tuple[Point, ...]
    won: JuegoTold | None

    @property
    def after(self) -> tuple[int, ...]:
        """The stones at its end."""
        return self.points[-1].totals if self.points else self.before


@dataclass(frozen=True, slots=True)
class Panel:
    """The columns of one juego and where they stand, each ``step`` wide."""

    columns: tuple[Column, ...]
    left: float
    step: float

    @property
    def width(self) -> float:
        """Its width."""
        return self.step * len(self.columns)

    @property
    def right(self) -> float:
        """The x of its right edge."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """The vertical scale of the panels: ``most`` stones reach up to their ``top``."""

    top: float
    most: int

    @property
    def bottom(self) -> float:
        """The y of no stones."""
        return self.top + HIGH

    def y(self, stones: float) -> float:
        """The y of a number of stones."""
        return self.bottom - HIGH * stones / self.most

    def steps(self) -> range:
        """The numbers of stones at which a line is drawn."""
        step = ceil(self.most / 8 / 5) * 5 if self.most > 5 else 1
        return range(0, self.most + 1, step)


def score_svg(chronicle: Chronicle, words: Wording) -> str:
    """The running score of a match as an SVG picture."""
    table = chronicle.table
    title = words("score.title")
    signs, below = legend(_entries(chronicle, words), LEFT, 90, WIDTH - LEFT - RIGHT)
    frame = PlotFrame(below + 46, _most(chronicle))
    panels = _panels(_columns(chronicle))
    near = max(table.target - NEEDS, 0) if table.adentro else 0
    inside = [heading(title, LEFT, 54), signs, *_scale(frame, words)]
    if not chronicle.deals:
        middle = (LEFT + WIDTH - RIGHT) / 2
        inside.append(
            text(middle, frame.y(frame.most / 2), words("score.none"), 18, text_anchor="middle")
        )
    for panel in panels:
        inside += _ground(panel, frame, near)
        inside += _head(panel, frame, chronicle, words)
    if near and panels:
        inside.append(_adentro(panels[0], frame, near, words))
    for panel in panels:
        inside += _lines(panel, frame, table.letters)
        inside += _numbers(panel, frame)
        if len(panels) <= MANY:
            inside += _ends(panel, frame, table.letters)
    inside.append(
        text(
            (LEFT + WIDTH - RIGHT) / 2, frame.bottom + 48, words("score.deals"), 14, fill=SOFT,
            text_anchor="middle",
        )
    )  # fmt: skip
    return picture(
        "score", WIDTH, frame.bottom + 66, title, _score_in_words(chronicle, words), *inside
    )


def _entries(chronicle: Chronicle, words: Wording) -> dict[str, str]:
    return {
        side.side: words("score.side", side=words.names(side.names), juegos=side.juegos)
        for side in chronicle.sides
    }


def _score_in_words(chronicle: Chronicle, words: Wording) -> str:
    return " ".join(
        words("score.told", side=words.names(side.names), stones=side.stones, juegos=side.juegos)
        for side in chronicle.sides
    )


def _most(chronicle: Chronicle) -> int:
    seen = (max(point.totals) for point in chronicle.points)
    return max(chronicle.table.target, *seen) if chronicle.points else chronicle.table.target


def _columns(chronicle: Chronicle) -> list[Column]:
    early = tuple(point for point in chronicle.points if point.deal == 0)
    columns = [_column(deal) for deal in chronicle.deals]
    if early:
        columns.insert(0, Column(0, 1, (0,) * chronicle.table.sides, early, None))
    return columns


def _column(deal: DealTold) -> Column:
    return Column(deal.number, deal.juego, deal.before, deal.points, deal.won)


def _panels(columns: Sequence[Column]) -> list[Panel]:
    """The columns juego by juego, all equally wide."""
    juegos = [tuple(found) for _, found in groupby(columns, key=lambda column: column.juego)]
    gap = GAP if len(juegos) <= MANY else NARROW_GAP
    room = WIDTH - LEFT - RIGHT - gap * (len(juegos) - 1)
    step = room / max(len(columns), 1)
    panels: list[Panel] = []
    left = LEFT
    for juego in juegos:
        panels.append(Panel(juego, left, step))
        left = panels[-1].right + gap
    return panels


def _scale(frame: PlotFrame, words: Wording) -> Iterator[str]:
    """The stones beside the panels."""
    for stones in frame.steps():
        yield text(LEFT - 12, frame.y(stones) + 5, str(stones), 14, fill=SOFT, text_anchor="end")
    x, y = 22, (frame.top + frame.bottom) / 2
    turn = f"rotate(-90 {x} {y:g})"
    yield text(x, y, words("score.stones"), 14, fill=SOFT, text_anchor="middle", transform=turn)


def _ground(panel: Panel, frame: PlotFrame, near: int) -> Iterator[str]:
    """The background of a panel. A side is adentro from ``near`` stones on; 0 if it never is."""
    width = panel.width
    yield element(
        "rect", x=panel.left, y=frame.top, width=width, height=HIGH, rx=6, fill=PANEL, stroke=FAINT
    )
    if near:
        y, top = frame.y(near), frame.y(near + NEEDS)
        yield element(
            "rect", x=panel.left, y=top, width=width, height=y - top, fill=WON, fill_opacity=0.3
        )
        yield line(
            panel.left, y, panel.right, y, stroke=GOLD, stroke_width=1.4, stroke_dasharray="5 4"
        )
    for stones in frame.steps():
        y = frame.y(stones)
        yield line(panel.left, y, panel.right, y, stroke=FAINT, stroke_width=0.8)


def _adentro(panel: Panel, frame: PlotFrame, near: int, words: Wording) -> str:
    y = frame.y(near) - 7
    shown = fitted(words("score.adentro"), panel.width - 16, 14)
    return text(panel.left + 8, y, shown, 14, fill=GOLD, font_style="italic")


def _head(panel: Panel, frame: PlotFrame, chronicle: Chronicle, words: Wording) -> Iterator[str]:
    """The heading of a panel: which juego it is and who won it, in the longest form that fits."""
    last = panel.columns[-1]
    middle, y = (panel.left + panel.right) / 2, frame.top - 16
    room = panel.width + GAP / 2
    if last.won is None:
        forms = [words("score.running", n=last.juego), words("score.juego", n=last.juego)]
    else:
        side = words.names(chronicle.table.names(last.won.side))
        by = words(f"by.{last.won.by}")
        forms = [words("score.won", n=last.juego, side=side, by=by)]
        forms += [words("score.juego", n=last.juego)]
    shown = next((form for form in forms if wide(form, HEAD) + 24 <= room), str(last.juego))
    start = middle - wide(shown, HEAD) / 2 + (10 if last.won else 0)
    if last.won:
        yield marker(last.won.side, start - 14, y - 5, 6)
    yield text(start, y, shown, HEAD, font_family=SERIF)


def _lines(panel: Panel, frame: PlotFrame, letters: Sequence[str]) -> Iterator[str]:
    """A stepped line for each side's stones through the deals."""
    every = ceil(MARKED / panel.step)
    count = len(panel.columns)
    for at, side in enumerate(letters):
        path = [f"M{panel.left:.1f} {frame.y(panel.columns[0].before[at]):.1f}"]
        signs = []
        for place, column in enumerate(panel.columns):
            start = panel.left + place * panel.step
            path += _moves(column, side, at, start, panel.step, frame)
            if (count - 1 - place) % every == 0:
                signs.append(marker(side, start + panel.step, frame.y(column.after[at]), 4.6))
        yield element(
            "path", d="".join(path), fill="none", stroke=SIDES[side], stroke_width=2.6,
            stroke_dasharray=DASHES[side], stroke_linejoin="round",
        )  # fmt: skip
        yield from signs
    yield from _taken_whole(panel, frame, letters)


def _moves(
    column: Column, side: str, at: int, start: float, step: float, frame: PlotFrame
) -> Iterator[str]:
    for place, point in enumerate(column.points, start=1):
        if point.side == side:
            x = start + step * place / (len(column.points) + 1)
            yield f"H{x:.1f}V{frame.y(point.totals[at]):.1f}"
    yield f"H{start + step:.1f}"


def _taken_whole(panel: Panel, frame: PlotFrame, letters: Sequence[str]) -> Iterator[str]:
    """An órdago wins the juego from any score: draw dots from there to the top, and a ring."""
    last = panel.columns[-1]
    if last.won is None or last.won.by != "ordago":
        return
    side, x = last.won.side, panel.right
    y = frame.y(last.after[letters.index(side)])
    colour = SIDES[side]
    yield line(
        x, y, x, frame.top, stroke=colour, stroke_width=2.6, stroke_dasharray="0.1 7",
        stroke_linecap="round",
    )  # fmt: skip
    yield element("circle", cx=x, cy=frame.top, r=9, fill=PANEL, stroke=GOLD, stroke_width=2.4)
    yield marker(side, x, frame.top, 4.6)


def _numbers(panel: Panel, frame: PlotFrame) -> Iterator[str]:
    """The numbers of the deals under their ends."""
    every = ceil(NUMBERED / panel.step)
    count = len(panel.columns)
    for place, column in enumerate(panel.columns, start=1):
        x = panel.left + place * panel.step
        if column.number and (count - place) % every == 0:
            yield line(x, frame.bottom, x, frame.bottom + 5, stroke=SOFT, stroke_width=1)
            yield text(
                x, frame.bottom + 22, str(column.number), 13, fill=SOFT, text_anchor="middle"
            )


def _ends(panel: Panel, frame: PlotFrame, letters: Sequence[str]) -> Iterator[str]:
    """Each side's stones at the right edge of a panel, placed so that no two overlap."""
    after = panel.columns[-1].after
    wanted = {side: frame.y(after[at]) for at, side in enumerate(letters)}
    for side, y in _spread(wanted).items():
        stones = str(after[letters.index(side)])
        yield text(panel.right + 12, y + 5, stones, 14, fill=SIDES[side], font_weight="bold")


def _spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights close to the wanted ones, at least APART from each other, from the bottom up."""
    placed: dict[str, float] = {}
    lowest = float("inf")
    for side in sorted(wanted, key=lambda side: -wanted[side]):
        placed[side] = min(wanted[side], lowest)
        lowest = placed[side] - APART
    return placed


# ---- The lances won: for each lance and side, how many, and how ----------------------------------


BARS_LEFT, BARS_RIGHT = 164.0, 84.0
EDGE = 66.0
"""The x of the titles."""
BAR, BETWEEN, GROUP = 22.0, 5.0, 26.0
HOWS = (How.PASSED, How.UNCONTESTED, How.REFUSED, How.ACCEPTED, How.ORDAGO)
"""The order of a bar's pieces, from nothing risked to all; other closings have no winner."""
GROUNDS = {How.PASSED: 0.0, How.UNCONTESTED: 0.12, How.REFUSED: 0.3, How.ACCEPTED: 1.0}
"""The opacity of a side's colour for each way to close a lance; an órdago has gold stripes."""
KEY = "key"
"""The id used in place of a side in the chart's key, whose colour is no side's."""


def lances_svg(chronicle: Chronicle, words: Wording) -> str:
    """The lances won as an SVG picture: a group of bars for each lance, a bar for each side."""
    sides = chronicle.sides
    title = words("lances.title")
    names = {side.side: words.names(side.names) for side in sides}
    signs, below = legend(names, EDGE, 90, WIDTH - EDGE - BARS_RIGHT, lines=False)
    group = len(sides) * (BAR + BETWEEN) + GROUP
    top = below + 72
    height = top + group * len(Lance) + 24
    most = max((side.lances(lance) for side in sides for lance in Lance), default=0)
    marks = [_marks(known, how) for known in (*names, KEY) for how in HOWS if how in _MARKS]
    parts = [element("defs", *marks), heading(title, EDGE, 54), signs, *_hows(below + 32, words)]
    for at, lance in enumerate(Lance):
        parts += _group(chronicle, lance, top + group * at, max(most, 1), words)
    parts.append(
        text(
            WIDTH - BARS_RIGHT, height - 14, words("lances.count"), 14, fill=SOFT, text_anchor="end"
        )
    )
    return picture("lances", WIDTH, height, title, _lances_in_words(chronicle, words), *parts)


def _lances_in_words(chronicle: Chronicle, words: Wording) -> str:
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
    """The key of the ways to close a lance, in a colour that is no side's."""
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
        BARS_LEFT - 38, y + high / 2 + 6, words(f"lance.{lance}"), 19, text_anchor="end",
        font_family=SERIF,
    )  # fmt: skip
    yield line(BARS_LEFT, y - 6, BARS_LEFT, y + high + 6, stroke=FAINT, stroke_width=2)
    for at, side in enumerate(chronicle.sides):
        yield from _bar(side, lance, y + at * (BAR + BETWEEN), most)


def _bar(side: SideTold, lance: Lance, y: float, most: int) -> Iterator[str]:
    unit = (WIDTH - BARS_LEFT - BARS_RIGHT) / most
    x = BARS_LEFT
    yield marker(side.side, BARS_LEFT - 18, y + BAR / 2)
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
    """The number of lances, written on its piece if there is room."""
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
"""The pattern on a piece, for readers who cannot tell the shades apart: size, rotation, shapes."""


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
