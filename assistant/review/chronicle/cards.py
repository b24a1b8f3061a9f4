"""Spanish cards as SVG symbols: those of one deal, each drawn once however often it is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.review.chronicle.cardart import (
    CLOTH,
    FIGURES,
    GAP,
    GAPS,
    HELD,
    IN_HAND,
    LAYOUTS,
    PIPS,
    SLIMMER,
)
from assistant.review.chronicle.ink import Value, element, line, text
from assistant.rules.cards import Card

WIDTH, HEIGHT = 610.0, 950.0
"""A card in its own units, tenths of a millimetre."""
FACE, EDGE, INK, BACK, LATTICE = "#fffef9", "#8d8477", "#1d1a16", "#8f1420", "#f0d9c0"
PLAIN = "#8a8073"
PLAIN_CLOTH = {
    "coat": "#b3a896",
    "lining": "#ddd3c0",
    "legs": "#8a8073",
    "hat": "#8a8073",
    "horse": "#cfc5b3",
}
"""What the figures wear where nobody said the suit."""
PRINTED = {"S": "10", "C": "11", "R": "12"}
_SIDES, _ENDS = 42.0, 56.0
_MIDDLE, _CENTRE, _STANDING, _TALL = 305.0, 475.0, 500.0, 0.95


def symbols(cards: Iterable[Card], back: bool) -> str:
    """The definitions of these cards, of the pips they show, and of the back."""
    wanted = sorted(set(cards), key=str)
    suits = sorted({card.suit or "x" for card in wanted})
    parts = [_pip(suit) for suit in suits]
    parts += [_symbol(name(card), *_face(card)) for card in wanted]
    if back:
        parts.append(_symbol("back", *_back()))
    return element("defs", *parts)


def name(card: Card | None) -> str:
    """What a card is called in the picture; None is the back."""
    return f"card-{card}" if card else "back"


def shown(card: Card | None, x: float, y: float, width: float) -> str:
    """A card, or the back, with its upper left corner there."""
    return element(
        "use", href=f"#{name(card)}", x=x, y=y, width=width, height=width * HEIGHT / WIDTH
    )


def _symbol(known: str, *inside: str) -> str:
    box = f"0 0 {WIDTH:.0f} {HEIGHT:.0f}"
    return element("symbol", *inside, id=known, viewBox=box)


def _strokes(rows: str, worn: dict[str, str]) -> Iterator[str]:
    """The shapes of a drawing of ``cardart``; a row that begins with a blank goes on with one."""
    for row in rows.strip().replace("\n ", " ").split("\n"):
        fill, stroke, width, path = row.split(" ", 3)
        yield element(
            "path", d=path, fill=worn.get(fill, fill), stroke=stroke, stroke_width=float(width)
        )


def _pip(suit: str) -> str:
    if suit == "x":
        ring = element("circle", r=62, fill="none", stroke=PLAIN, stroke_width=14)
        return element("g", ring, element("circle", r=22, fill=PLAIN), id="pip-x")
    return element("g", *_strokes(PIPS[suit], {}), id=f"pip-{suit}")


def _use_pip(suit: str, x: float, y: float, half: float) -> str:
    scale = half / 100 * SLIMMER.get(suit, 0.8)
    turn = " rotate(180)" if y > _CENTRE and suit != "o" else ""  # as on most decks
    return element("use", href=f"#pip-{suit}", transform=f"translate({x:g} {y:g}){turn} "
                   f"scale({scale:.3f})")  # fmt: skip


def _face(card: Card) -> Iterator[str]:
    suit = str(card.suit or "x")
    yield _paper(FACE)
    yield from _frame(suit)
    if card.rank in FIGURES:
        worn = CLOTH.get(suit, PLAIN_CLOTH)
        if suit in PIPS:
            yield _use_pip(suit, *IN_HAND[card.rank], HELD)
        yield element(
            "g",
            *_strokes(FIGURES[card.rank], worn),
            transform=f"translate({_MIDDLE} {_STANDING}) scale({_TALL})",
        )
    else:
        half, places = LAYOUTS[card.rank]
        for x, y in places:
            yield _use_pip(suit, x, y, half)
    yield from _corners(PRINTED.get(card.rank, card.rank.value))


def _corners(printed: str) -> Iterator[str]:
    for turn in ("", f"rotate(180 {_MIDDLE:g} {_CENTRE:g})"):
        yield text(
            _SIDES + 10, _ENDS + 74, printed, 84, fill=INK, transform=turn, font_weight="bold",
            stroke=FACE, stroke_width=14, paint_order="stroke", letter_spacing=-6,
        )  # fmt: skip


def _paper(colour: str) -> str:
    return element(
        "rect", x=4, y=4, width=WIDTH - 8, height=HEIGHT - 8, rx=36, fill=colour, stroke=EDGE,
        stroke_width=8,
    )  # fmt: skip


def _frame(suit: str) -> Iterator[str]:
    """The pinta: the frame is broken as often as the suit says."""
    look: dict[str, Value] = {"stroke": INK, "stroke_width": 4}
    for x in (_SIDES, WIDTH - _SIDES):
        yield line(x, _ENDS, x, HEIGHT - _ENDS, **look)
    across = WIDTH - 2 * _SIDES
    gaps = GAPS.get(suit, 0)
    middles = [_SIDES + across * (at + 1) / (gaps + 1) for at in range(gaps)]
    starts = [_SIDES, *(middle + GAP / 2 for middle in middles)]
    stops = [*(middle - GAP / 2 for middle in middles), WIDTH - _SIDES]
    for y in (_ENDS, HEIGHT - _ENDS):
        for start, stop in zip(starts, stops, strict=True):
            yield line(start, y, stop, y, **look)


def _back() -> Iterator[str]:
    yield _paper(FACE)
    inner = {"x": _SIDES, "y": _ENDS, "width": WIDTH - 2 * _SIDES, "height": HEIGHT - 2 * _ENDS}
    yield element("rect", **inner, rx=14, fill=BACK)
    step, ways = 105, []
    high, wide = inner["height"], inner["width"]
    for at in range(1, 13):
        along = at * step
        a = (max(0.0, along - high), min(high, along))
        b = (min(wide, along), max(0.0, along - wide))
        if a[0] >= wide or b[1] >= high:
            continue
        ways.append(f"M{_SIDES + a[0]:g} {_ENDS + a[1]:g}L{_SIDES + b[0]:g} {_ENDS + b[1]:g}")
        right = WIDTH - _SIDES
        ways.append(f"M{right - a[0]:g} {_ENDS + a[1]:g}L{right - b[0]:g} {_ENDS + b[1]:g}")
    yield element("path", d="".join(ways), stroke=LATTICE, stroke_width=7, fill="none")
