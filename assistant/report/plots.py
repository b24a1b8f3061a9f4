"""The report's pictures: what stones came from, what a player called, and what he wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.chronicle import Words
from assistant.chronicle.ink import FAINT, GOLD, INK, PANEL, SIDES, SOFT, fitted, wide
from assistant.report.drawing import Dot, Drawing, Label, Line, Rect, Shape
from assistant.report.shape import CALLS, Decision, PairTold, PlayerTold, Report
from assistant.rules.events import Why
from assistant.rules.phases import Lance

WIDTH = 640.0
LEFT, RIGHT, TOP = 92.0, 56.0, 62.0
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


def stones_plot(report: Report, words: Words) -> Drawing:
    """What each pair's stones came from."""
    rows = [why for why in WHYS if any(pair.by_why.get(why, 0) > 0 for pair in report.pairs)]
    most = max((pair.by_why.get(why, 0) for pair in report.pairs for why in rows), default=1)
    bar = BAR * 0.8
    high = len(report.pairs) * bar + GAP
    shapes: list[Shape] = [*_key(_named(report.pairs, words), TOP)]
    left, top = LEFT + 24, TOP + 26.0
    for at, why in enumerate(rows):
        y = top + at * high
        shapes.append(Label(left - 10, y + bar * 1.2, words(f"why.{why}"), 14, INK, "end"))
        for place, pair in enumerate(report.pairs):
            stones = max(0, pair.by_why.get(why, 0))
            width = (WIDTH - left - RIGHT) * stones / max(1, most)
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


def calls_plot(player: PlayerTold, name: str, words: Words) -> Drawing:
    """What a player called in each lance; one bar a lance, a piece a kind of call."""
    calls = player.count.calls
    most = max((sum(calls[lance, kind] for kind in CALLS) for lance in Lance), default=0)
    unit = (WIDTH - LEFT - RIGHT) / max(1, most)
    kinds = [(words(f"call.{kind}"), CALL_COLOURS[kind][0]) for kind in CALLS]
    shapes: list[Shape] = [*_key(kinds, TOP)]
    top = TOP + 26.0
    for at, lance in enumerate(Lance):
        y = top + at * (BAR + GAP)
        shapes.append(Label(LEFT - 12, y + BAR - 7, words(f"lance.{lance}"), 15, INK, "end"))
        shapes.append(Line(LEFT, y - 4, LEFT, y + BAR + 4))
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


def odds_plot(player: PlayerTold, name: str, words: Words) -> Drawing:
    """The bets a player answered: what he needed, and what his cards were worth."""
    left, top = 84.0, TOP + 42.0
    shapes: list[Shape] = [
        *_key([(words("plot.wanted"), WANTED), (words("plot.refused"), REFUSED)], TOP),
        Rect(left, top, SQUARE, SQUARE, PANEL, FAINT),
        Line(left, top + SQUARE, left + SQUARE, top, SOFT, 1.5, dashed=True),
        *_scale(left, top),
        Label(left + SQUARE / 2, top + SQUARE + 42, words("plot.needed"), 14, SOFT, "middle"),
        Label(left + SQUARE + 16, top + 18, words("plot.above"), 14, SOFT),
        Label(left + SQUARE + 16, top + SQUARE - 8, words("plot.below"), 14, SOFT),
        Label(left, top - 8, words("plot.held"), 14, SOFT),
        *(_dot(one, left, top) for one in player.decisions),
        *_judged(player, left + SQUARE + 16, top + 60, words),
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
    return Drawing(f"odds-{name}", WIDTH, top + SQUARE + 58, title, told, _titled(title, shapes))


def _judged(player: PlayerTold, x: float, y: float, words: Words) -> Iterator[Shape]:
    """How many of each, in words and numbers."""
    for place, (accepted, above) in enumerate(
        ((True, True), (True, False), (False, True), (False, False))
    ):
        count = player.judged(accepted=accepted, above=above)
        what = words("plot.wanted" if accepted else "plot.refused")
        where = words("plot.above" if above else "plot.below")
        base = y + place * 44
        yield Label(x, base, f"{count}", 20, WANTED if accepted else REFUSED, bold=True)
        yield Label(x + 42, base - 2, f"{what}, {where}", 13, INK)


def _dot(one: Decision, left: float, top: float) -> Dot:
    x, y = left + one.needed * SQUARE, top + (1 - one.chance) * SQUARE
    colour = WANTED if one.accepted else REFUSED
    return Dot(x, y, 7 if one.ordago else 4.5, colour if one.accepted else PANEL, colour)


def _scale(left: float, top: float) -> Iterator[Shape]:
    for part in range(5):
        at = part / 4
        x, y = left + at * SQUARE, top + (1 - at) * SQUARE
        yield Line(left - 5, y, left, y)
        yield Label(left - 9, y + 5, f"{100 * at:.0f}%", 13, SOFT, "end")
        yield Line(x, top + SQUARE, x, top + SQUARE + 5)
        yield Label(x, top + SQUARE + 21, f"{100 * at:.0f}%", 13, SOFT, "middle")


def _piece(
    x: float, y: float, width: float, count: int, ground: str, writing: str
) -> Iterator[Shape]:
    yield Rect(x, y, width, BAR, ground, PANEL)
    if width > wide(str(count), 13) + 4:
        yield Label(x + width / 2, y + BAR - 7, str(count), 13, writing, "middle")


def _key(entries: Sequence[tuple[str, str]], y: float) -> Iterator[Shape]:
    """What each colour stands for, in one line."""
    x, room = 24.0, (WIDTH - 48) / max(1, len(entries))
    for words, colour in entries:
        yield Rect(x, y - 11, 14, 14, colour, FAINT)
        yield Label(x + 20, y + 1, fitted(words, room - 24, 14), 14, SOFT)
        x += min(room, wide(words, 14) + 44)


def _named(pairs: Sequence[PairTold], words: Words) -> list[tuple[str, str]]:
    return [
        (words.names(pair.names), SIDE_COLOURS[place % len(SIDE_COLOURS)])
        for place, pair in enumerate(pairs)
    ]


def _titled(title: str, shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    return (Label(24, 34, fitted(title, WIDTH - 48, 20), 20, INK, bold=True), *shapes)
