"""The forty cards and their back, in millimetres from the upper left corner of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from assistant.rules.cards import Card, Rank, Suit
from scripts.lab.drawing.digits import number
from scripts.lab.drawing.figures import CLOTH, FIGURES
from scripts.lab.drawing.pips import PIPS
from scripts.lab.drawing.shapes import Picture, Shape, moved, polygon, stroke

WIDTH, HEIGHT = 61.0, 95.0
PAPER = "#fffef9"
FRAME = (4.2, 5.6)
"""Distance from the edge of the paper to the frame: at the sides, and above and below."""
GAPS: dict[Suit, int] = {Suit.OROS: 0, Suit.COPAS: 1, Suit.ESPADAS: 2, Suit.BASTOS: 3}
"""The pinta: how often the frame is broken above and below."""
GAP = 3.4
DIGIT = 5.6
"""Height of the number in the corners."""
PRINTED: dict[Rank, str] = {Rank.SOTA: "10", Rank.CABALLO: "11", Rank.REY: "12"}
MIDDLE, CENTRE, TOP, BOTTOM = 30.5, 47.5, 25.0, 70.0
ROWS = (21.5, CENTRE, 73.5)
NEAR, WIDE = (18.5, 42.5), (16.5, 44.5)
"""Two columns, which are farther apart if a sign stands between them."""
LAYOUTS: dict[Rank, tuple[float, tuple[tuple[float, float], ...]]] = {
    Rank.AS: (24.0, ((MIDDLE, CENTRE),)),
    Rank.DOS: (17.0, ((MIDDLE, 27.0), (MIDDLE, 68.0))),
    Rank.TRES: (12.5, ((MIDDLE, 20.5), (MIDDLE, CENTRE), (MIDDLE, 74.5))),
    Rank.CUATRO: (13.0, tuple(product(NEAR, (TOP, BOTTOM)))),
    Rank.CINCO: (11.5, (*product(WIDE, (TOP, BOTTOM)), (MIDDLE, CENTRE))),
    Rank.SEIS: (11.0, tuple(product(NEAR, ROWS))),
    Rank.SIETE: (9.8, (*product(WIDE, ROWS), (MIDDLE, 34.5))),
}
"""Half the height of a pip, and the middle of each pip, by rank."""
COLUMNS, LINES = (14.0, MIDDLE, 47.0), (18.0, 37.7, 57.3, 77.0)
FOREIGN_LAYOUTS: dict[str, tuple[float, tuple[tuple[float, float], ...]]] = {
    "8": (9.2, tuple(product(WIDE, LINES))),
    "8 like a 7": (9.8, (*product(WIDE, ROWS), (MIDDLE, 34.5), (MIDDLE, 60.5))),
    "9": (9.6, tuple(product(COLUMNS, ROWS))),
    "9 like a 7": (9.0, (*product(WIDE, LINES), (MIDDLE, 27.8))),
}
"""The eights and nines of a pack of 48, in two designs each."""
JOKERS: tuple[tuple[Rank, Suit], ...] = tuple(product(FIGURES, Suit))
"""Each joker: the figure that stands on it, and the suit whose clothes it wears."""
SLIMMER: dict[Suit, float] = {
    Suit.OROS: 0.74,
    Suit.COPAS: 0.93,
    Suit.ESPADAS: 1.02,
    Suit.BASTOS: 1.02,
}
"""Scale of each suit's sign, because a coin is as wide as it is high and a sword is not."""
IN_HAND: dict[Rank, tuple[float, float]] = {
    Rank.SOTA: (14.9, 25.0),
    Rank.CABALLO: (46.2, 21.5),
    Rank.REY: (13.9, 24.6),
}
HELD = 7.6
STANDING, TALL = 50.0, 0.95
"""The height at which the middle of a figure is, from above, and its scale."""


def deck() -> tuple[Card, ...]:
    """The forty cards, suit by suit, from the as to the rey."""
    return tuple(Card(rank, suit) for suit in Suit for rank in reversed(Rank))


def face(card: Card) -> Picture:
    """A card's face. Raises ValueError for a card of no suit."""
    if card.suit is None:
        raise ValueError(f"{card} has no suit")
    return (*_paper(), *_frame(card.suit), *_corners(card.rank), *_body(card.rank, card.suit))


def foreign_faces() -> tuple[Picture, ...]:
    """Cards that a deck of forty lacks: eights, nines, and jokers without a sign of a suit."""
    numbers = [
        (*_paper(), *_frame(suit), *_numbered(name[0]), *_pips(suit, *layout))
        for suit in Suit
        for name, layout in FOREIGN_LAYOUTS.items()
    ]
    jokers = [
        (*_paper(), *_frame(suit), *moved(FIGURES[rank](CLOTH[suit]), MIDDLE, STANDING, TALL))
        for rank, suit in JOKERS
    ]
    return (*numbers, *jokers)


def back() -> Picture:
    """The back of all cards: a lattice with the four signs."""
    sides, ends = FRAME
    inner = [(sides, ends), (WIDTH - sides, ends), (WIDTH - sides, HEIGHT - ends),
             (sides, HEIGHT - ends)]  # fmt: skip
    lines: list[Shape] = []
    for at in range(-80, 81, 8):
        for way in (1, -1):
            if line := _clipped(MIDDLE + at, way):
                lines.append(stroke(line, "#f0d9c0", 0.7))
    signs = [
        shape
        for (x, y), pip in zip(product((20.5, 40.5), (33.0, 62.0)), PIPS.values(), strict=True)
        for shape in moved(pip(), x, y, 7.0)
    ]
    return (*_paper(), polygon(inner, "#8f1420"), *lines, *signs)


def _clipped(middle: float, way: int) -> list[tuple[float, float]]:
    """A slanting line, cut at the frame, that passes the middle's height at this x."""
    sides, ends = FRAME
    reach = (HEIGHT - 2 * ends) / 2
    points = []
    for step in range(-100, 101):
        along = reach * step / 100
        x = middle + way * along
        if sides <= x <= WIDTH - sides:
            points.append((x, CENTRE + along))
    return [points[0], points[-1]] if len(points) > 1 else []


def _paper() -> Picture:
    around = [(0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT)]
    return (polygon(around, PAPER, None),)


def _frame(suit: Suit) -> Picture:
    sides, ends = FRAME
    width = WIDTH - 2 * sides
    lines = [stroke([(x, ends), (x, HEIGHT - ends)]) for x in (sides, WIDTH - sides)]
    gaps = GAPS[suit]
    middles = [sides + width * (at + 1) / (gaps + 1) for at in range(gaps)]
    starts = [sides, *(middle + GAP / 2 for middle in middles)]
    stops = [*(middle - GAP / 2 for middle in middles), WIDTH - sides]
    for y in (ends, HEIGHT - ends):
        lines += [stroke([(a, y), (b, y)]) for a, b in zip(starts, stops, strict=True)]
    return tuple(lines)


def _corners(rank: Rank) -> Picture:
    return _numbered(PRINTED.get(rank, rank.value))


def _numbered(text: str) -> Picture:
    printed = number(text, DIGIT)
    sides, ends = FRAME
    upper = moved(printed, sides + 1.6, ends + 1.6)
    return (*upper, *moved(upper, WIDTH, HEIGHT, turn=180))


def _body(rank: Rank, suit: Suit) -> Picture:
    pip = PIPS[suit]()
    if rank in FIGURES:
        x, y = IN_HAND[rank]
        people = moved(FIGURES[rank](CLOTH[suit]), MIDDLE, STANDING, TALL)
        return (*moved(pip, x, y, HELD * SLIMMER[suit] ** 0.5), *people)
    return _pips(suit, *LAYOUTS[rank])


def _pips(suit: Suit, size: float, places: Sequence[tuple[float, float]]) -> Picture:
    """Pips at these places. ``size`` is half their height."""
    pip = PIPS[suit]()
    found: list[Shape] = []
    for x, y in places:
        # Below the middle a sign is upside down, as on most decks.
        found += moved(
            pip, x, y, size * SLIMMER[suit], 180 if y > CENTRE and suit is not Suit.OROS else 0
        )
    return tuple(found)
