"""The running score as a picture: a line for each side, stone by stone, juego by juego."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from assistant.chronicle.ink import (
    DASHES,
    FAINT,
    GOLD,
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
from assistant.chronicle.shape import Chronicle, Point
from assistant.chronicle.words import Words

WIDTH, HEIGHT = 960.0, 460.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 24.0, 118.0, 52.0
BETWEEN = 22.0
"""Between two juegos."""
CROWDED = 9.0
"""Of a step, below which no markers are drawn, for they would be one smear."""
SPARSE = 26.0
"""Between two numbers of deals."""
ADENTRO = 5
"""Stones from the end at which a side is adentro."""


def score_svg(chronicle: Chronicle, words: Words) -> str:
    """The whole match; what it has no points of is an empty sheet with its title."""
    title = words("score.title")
    parts = [text(LEFT, 38, title, 24, font_weight="bold"), *_legend(chronicle, words)]
    juegos: dict[int, list[Point]] = {juego.number: [] for juego in chronicle.juegos} | {
        number: list(points)
        for number, points in groupby(chronicle.points, lambda point: point.juego)
    }  # one that an órdago won may have no points
    if juegos:
        parts += _plot(chronicle, dict(sorted(juegos.items())), words)
    else:
        parts.append(text(LEFT, HEIGHT / 2, words("score.none"), 18, fill=SOFT))
    return picture(WIDTH, HEIGHT, title, _in_words(chronicle, words), *parts)


def _in_words(chronicle: Chronicle, words: Words) -> str:
    return " ".join(
        words("score.told", side=words.names(side.names), stones=side.stones, juegos=side.juegos)
        for side in chronicle.sides
    )


def _legend(chronicle: Chronicle, words: Words) -> Iterator[str]:
    x, room = LEFT, (WIDTH - LEFT - RIGHT) / len(chronicle.sides)
    for side in chronicle.sides:
        name = fitted(words.names(side.names), room - 62, 15)
        yield line(x, 64, x + 30, 64, **_stroke(side.side))
        yield marker(side.side, x + 15, 64)
        yield text(x + 40, 69, name, 15)
        x += min(room, wide(name, 15) + 78)


def _plot(
    chronicle: Chronicle, juegos: Mapping[int, Sequence[Point]], words: Words
) -> Iterator[str]:
    most = max(chronicle.table.target, *(max(point.totals) for point in chronicle.points), 1)
    yield from _scale(chronicle, most, words)
    room = WIDTH - LEFT - RIGHT - BETWEEN * (len(juegos) - 1)
    step = room / sum(len(points) + 1 for points in juegos.values())
    x = LEFT
    for number, points in juegos.items():
        width = step * (len(points) + 1)
        yield from _banner(chronicle, number, x, width, words)
        yield from _deals(points, x, step)
        for at, letter in enumerate(chronicle.table.letters):
            yield from _way(letter, [point.totals[at] for point in points], x, step, most)
        x += width + BETWEEN
    yield text(WIDTH - RIGHT, HEIGHT - 14, words("score.deals"), 13, fill=SOFT, text_anchor="end")


def _scale(chronicle: Chronicle, most: int, words: Words) -> Iterator[str]:
    target = chronicle.table.target
    for stones in range(0, most + 1, 10 if most > 25 else 5):
        yield line(LEFT, _y(stones, most), WIDTH - RIGHT, _y(stones, most), stroke=FAINT)
        yield text(LEFT - 10, _y(stones, most) + 5, str(stones), 13, fill=SOFT, text_anchor="end")
    yield text(12, HEIGHT - 14, words("score.stones"), 13, fill=SOFT)
    goal = _y(target, most)
    yield line(LEFT, goal, WIDTH - RIGHT, goal, stroke=GOLD, stroke_width=2)
    yield text(LEFT - 10, goal + 5, str(target), 13, text_anchor="end", font_weight="bold")
    if chronicle.table.adentro and target > ADENTRO:
        near = _y(target - ADENTRO, most)
        yield line(LEFT, near, WIDTH - RIGHT, near, stroke=GOLD, stroke_dasharray="2 5")
        yield text(LEFT + 6, near - 5, words("score.adentro"), 12, fill=SOFT)


def _banner(
    chronicle: Chronicle, juego: int, x: float, width: float, words: Words
) -> Iterator[str]:
    """The juego's number over its part of the sheet, and who won it, where there is room."""
    won = next((one for one in chronicle.juegos if one.number == juego), None)
    said = words("score.running", n=juego)
    if won:
        names = words.names(chronicle.table.names(won.side))
        said = words("score.won", n=juego, side=names, by=words(f"by.{won.by}"))
    ways = (said, words("score.juego", n=juego), str(juego))
    said = next((way for way in ways if wide(way, 14) <= width), ways[-1])
    if won:
        yield marker(won.side, x + 6, TOP - 20)
    yield text(x + (18 if won else 0), TOP - 15, said, 14, font_weight="bold")
    yield line(x, TOP - 8, x, HEIGHT - BOTTOM, stroke=SOFT)


def _deals(points: Sequence[Point], x: float, step: float) -> Iterator[str]:
    """A light line where a deal ends, and its number beneath it, if it is not too crowded."""
    last = -SPARSE
    for deal, together in groupby(enumerate(points), lambda pair: pair[1].deal):
        places = [at for at, _ in together]
        middle = x + (places[0] + places[-1] + 2) / 2 * step
        end = x + (places[-1] + 1.5) * step
        yield line(end, TOP, end, HEIGHT - BOTTOM, stroke=FAINT)
        if deal and middle - last >= SPARSE:
            yield text(middle, HEIGHT - BOTTOM + 20, str(deal), 13, fill=SOFT, text_anchor="middle")
            last = middle


def _way(side: str, totals: Sequence[int], x: float, step: float, most: int) -> Iterator[str]:
    """A side's line: level until stones come, and then straight up to them."""
    places = [(x, _y(0, most)), *((x + (at + 1) * step, _y(stones, most))
              for at, stones in enumerate(totals))]  # fmt: skip
    way = f"M{places[0][0]:.1f} {places[0][1]:.1f}"
    way += "".join(f"H{right:.1f}V{high:.1f}" for right, high in places[1:])
    yield element("path", d=way, fill="none", stroke_linejoin="round", **_stroke(side))
    before = 0
    for stones, (right, high) in zip(totals, places[1:], strict=True):
        if stones != before and step >= CROWDED:
            yield marker(side, right, high, 4)
        before = stones
    yield marker(side, *places[-1])


def _stroke(side: str) -> dict[str, str | float]:
    return {"stroke": SIDES[side], "stroke_width": 2.6, "stroke_dasharray": DASHES[side]}


def _y(stones: int, most: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * stones / most
