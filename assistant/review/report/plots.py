"""The pictures of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.language.sentences import Wording
from assistant.review.chronicle import ink
from assistant.review.chronicle.ink import FAINT, GOLD, INK, PANEL, SIDES, SOFT, fitted, wide
from assistant.review.report.shape import CALLS, Decision, EveningReport, PairTold, PlayerTold
from assistant.rules.events import Why
from assistant.rules.phases import Lance

# ---- Pictures made of a few shapes, so that a page and a PDF show the same ----------------------


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
class PlotLine:
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
    """Words with their baseline at ``y``; ``x`` is their ``anchor``: start, middle or end."""

    x: float
    y: float
    text: str
    size: float = 14
    fill: str = ink.INK
    anchor: str = "start"
    bold: bool = False


Shape = Rect | PlotLine | Dot | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with its name, its title, and a description for screen readers (``told``)."""

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
            case PlotLine(x1, y1, x2, y2, stroke, width, dashed):
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


# ---- The report's pictures: sources of stones, a player's calls, and his answers to bets ---------


WIDTH = 420.0
"""The width of a telephone, which would shrink a wider picture until its letters are illegible."""
LEFT, RIGHT, TOP, EDGE = 84.0, 24.0, 62.0, 20.0
KEY_LINE = 24.0
BAR, GAP = 24.0, 12.0
SIDE_COLOURS = tuple(SIDES.values())
CALL_COLOURS = {
    "pass": ("#d9d0bd", INK),
    "bet": ("#2a6a4e", PANEL),
    "raise": ("#7fb096", INK),
    "ordago": ("#9c3328", PANEL),
    "accept": ("#1d5a86", PANEL),
    "refuse": ("#e8c77a", INK),
}
"""Each kind of call: its ground, and what is written on it."""
WHYS = (Why.DEJE, Why.PASO, Why.BET, Why.PARES, Why.JUEGO, Why.PUNTO, Why.PENALTY)
WANTED, REFUSED = SIDE_COLOURS[0], GOLD
SQUARE = 300.0
"""The side of the picture of decisions."""


def stones_plot(report: EveningReport, words: Wording) -> Drawing:
    """The sources of each pair's stones."""
    rows = [why for why in WHYS if any(pair.by_why.get(why, 0) > 0 for pair in report.pairs)]
    most = max((pair.by_why.get(why, 0) for pair in report.pairs for why in rows), default=1)
    bar = BAR * 0.8
    high = len(report.pairs) * bar + GAP
    shapes, top = _key(_named(report.pairs, words), TOP)
    left = LEFT + 12
    for at, why in enumerate(rows):
        y = top + at * high
        shapes.append(Label(left - 10, y + bar * 1.2, words(f"why.{why}"), 14, INK, "end"))
        for place, pair in enumerate(report.pairs):
            stones = max(0, pair.by_why.get(why, 0))
            width = (WIDTH - left - RIGHT - 20) * stones / max(1, most)
            colour = SIDE_COLOURS[place % len(SIDE_COLOURS)]
            shapes.append(Rect(left, y + place * bar, width, bar - 3, colour))
            shapes.append(Label(left + width + 6, y + place * bar + 14, str(stones), 13, colour))
    told = " ".join(
        words("plot.stones_told", why=words(f"why.{why}"), pair=words.names(pair.names), n=n)
        for why in rows
        for pair in report.pairs
        if (n := pair.by_why.get(why, 0))
    )
    title = words("plot.stones")
    return Drawing("stones", WIDTH, top + len(rows) * high + 8, title, told, _titled(title, shapes))


def calls_plot(player: PlayerTold, name: str, words: Wording) -> Drawing:
    """A player's calls in each lance: a bar for each lance, a piece for each kind of call."""
    calls = player.count.calls
    most = max((sum(calls[lance, kind] for kind in CALLS) for lance in Lance), default=0)
    unit = (WIDTH - LEFT - RIGHT) / max(1, most)
    kinds = [(words(f"call.{kind}"), CALL_COLOURS[kind][0]) for kind in CALLS]
    shapes, top = _key(kinds, TOP)
    for at, lance in enumerate(Lance):
        y = top + at * (BAR + GAP)
        shapes.append(Label(LEFT - 12, y + BAR - 7, words(f"lance.{lance}"), 15, INK, "end"))
        shapes.append(PlotLine(LEFT, y - 4, LEFT, y + BAR + 4))
        x = LEFT
        for kind in CALLS:
            if count := calls[lance, kind]:
                shapes += _piece(x, y, count * unit, count, *CALL_COLOURS[kind])
                x += count * unit
    title = words("plot.calls", name=player.name)
    told = " ".join(
        words("plot.calls_told", lance=words(f"lance.{lance}"), call=words(f"call.{kind}"), n=count)
        for (lance, kind), count in sorted(calls.items())
        if lance and count
    )
    height = top + len(Lance) * (BAR + GAP) + 4
    return Drawing(f"calls-{name}", WIDTH, height, title, told, _titled(title, shapes))


def odds_plot(player: PlayerTold, name: str, words: Wording) -> Drawing:
    """The bets a player answered: the chance he needed against the chance he had."""
    left = LEFT
    key, below = _key([(words("plot.wanted"), WANTED), (words("plot.refused"), REFUSED)], TOP)
    top = below + 16
    shapes: list[Shape] = [
        *key,
        Rect(left, top, SQUARE, SQUARE, PANEL, FAINT),
        PlotLine(left, top + SQUARE, left + SQUARE, top, SOFT, 1.5, dashed=True),
        *_scale(left, top),
        Label(left + SQUARE / 2, top + SQUARE + 42, words("plot.needed"), 14, SOFT, "middle"),
        # Under the dots: each names the half of the square that it stands in.
        Label(left + 10, top + 20, words("plot.above"), 14, SOFT),
        Label(left + SQUARE - 10, top + SQUARE - 10, words("plot.below"), 14, SOFT, "end"),
        Label(left, top - 8, words("plot.held"), 14, SOFT),
        *(_dot(one, left, top) for one in player.decisions),
        *_judged(player, left, top + SQUARE + 72, words),
    ]
    title = words("plot.odds", name=player.name)
    told = " ".join(
        words(
            "plot.odds_told",
            n=player.judged(accepted=accepted, above=above),
            what=words("plot.wanted" if accepted else "plot.refused"),
            where=words("plot.above" if above else "plot.below"),
        )
        for accepted in (True, False)
        for above in (True, False)
    )
    high = top + SQUARE + 72 + 4 * KEY_LINE
    return Drawing(f"odds-{name}", WIDTH, high, title, told, _titled(title, shapes))


def _judged(player: PlayerTold, x: float, y: float, words: Wording) -> Iterator[Shape]:
    """The number of decisions of each kind, in words and numbers."""
    for place, (accepted, above) in enumerate(
        ((True, True), (True, False), (False, True), (False, False))
    ):
        count = player.judged(accepted=accepted, above=above)
        what = words("plot.wanted" if accepted else "plot.refused")
        where = words("plot.above" if above else "plot.below")
        base = y + place * KEY_LINE
        yield Label(x + 22, base, f"{count}", 18, WANTED if accepted else REFUSED, "end", bold=True)
        yield Label(x + 34, base - 1, f"{what}, {where}", 14, INK)


def _dot(one: Decision, left: float, top: float) -> Dot:
    x, y = left + one.needed * SQUARE, top + (1 - one.chance) * SQUARE
    colour = WANTED if one.accepted else REFUSED
    return Dot(x, y, 7 if one.ordago else 4.5, colour if one.accepted else PANEL, colour)


def _scale(left: float, top: float) -> Iterator[Shape]:
    for part in range(5):
        at = part / 4
        x, y = left + at * SQUARE, top + (1 - at) * SQUARE
        yield PlotLine(left - 5, y, left, y)
        yield Label(left - 9, y + 5, f"{100 * at:.0f}%", 13, SOFT, "end")
        yield PlotLine(x, top + SQUARE, x, top + SQUARE + 5)
        yield Label(x, top + SQUARE + 21, f"{100 * at:.0f}%", 13, SOFT, "middle")


def _piece(
    x: float, y: float, width: float, count: int, ground: str, writing: str
) -> Iterator[Shape]:
    yield Rect(x, y, width, BAR, ground, PANEL)
    if width > wide(str(count), 13) + 4:
        yield Label(x + width / 2, y + BAR - 7, str(count), 13, writing, "middle")


def _key(entries: Sequence[tuple[str, str]], y: float) -> tuple[list[Shape], float]:
    """The key of the colours, in as many lines as it takes, and the y below them."""
    shapes: list[Shape] = []
    x = EDGE
    for words, colour in entries:
        told = fitted(words, WIDTH - 2 * EDGE - 20, 14)
        room = 20 + wide(told, 14)
        if x > EDGE and x + room > WIDTH - EDGE:
            x, y = EDGE, y + KEY_LINE
        shapes += [Rect(x, y - 11, 14, 14, colour, FAINT), Label(x + 20, y + 1, told, 14, SOFT)]
        x += room + 20
    return shapes, y + 26


def _named(pairs: Sequence[PairTold], words: Wording) -> list[tuple[str, str]]:
    return [
        (words.names(pair.names), SIDE_COLOURS[place % len(SIDE_COLOURS)])
        for place, pair in enumerate(pairs)
    ]


def _titled(title: str, shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    return (Label(EDGE, 34, fitted(title, WIDTH - 2 * EDGE, 18), 18, INK, bold=True), *shapes)
