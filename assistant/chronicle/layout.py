"""One deal as a picture: the hands round the table as they were shown, and each lance beneath."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.chronicle.cards import HEIGHT as CARD_HEIGHT
from assistant.chronicle.cards import WIDTH as CARD_WIDTH
from assistant.chronicle.cards import shown, symbols
from assistant.chronicle.ink import (
    FAINT,
    FELT,
    FELT_DEEP,
    ON_FELT,
    SERIF,
    SOFT,
    element,
    fitted,
    line,
    marker,
    picture,
    text,
)
from assistant.chronicle.shape import DealTold, HandTold, LanceTold
from assistant.chronicle.words import Words
from assistant.rules.cards import HAND_SIZE

WIDTH, MARGIN, HEAD = 900.0, 24.0, 66.0
CARD, APART = 66.0, 6.0
"""A card's width, and what lies between two."""
CARD_HIGH = CARD * CARD_HEIGHT / CARD_WIDTH
ROW = CARD_HIGH + 54
"""A hand with what is written over and under it."""
HAND = HAND_SIZE * CARD + (HAND_SIZE - 1) * APART
LANCE = 34.0
PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    2: ((1, 2), (1, 0)),
    3: ((1, 2), (2, 0), (0, 0)),
    4: ((1, 2), (2, 1), (1, 0), (0, 1)),
    5: ((1, 2), (2, 1), (2, 0), (0, 0), (0, 1)),
    6: ((1, 3), (2, 2), (2, 1), (1, 0), (0, 1), (0, 2)),
}
"""Of each seat: its column (left, middle, right) and its row from above, anticlockwise."""


def deal_svg(deal: DealTold, words: Words) -> str:
    """The deal: two to six hands in their places; what was not shown lies face down."""
    seats = PLACES[len(deal.hands)]
    felt = ROW * (1 + max(row for _, row in seats)) + 24
    height = HEAD + felt + 26 + LANCE * (len(deal.lances) + 1) + 24
    title = words("deal.voided" if deal.voided else "deal.title", n=deal.number)
    cards = [card for hand in deal.hands if hand for card in hand.cards]
    parts = [
        symbols(cards, back=None in deal.hands),
        text(MARGIN, 42, title, 26, font_weight="bold", font_family=SERIF),
        text(WIDTH - MARGIN, 42, words("deal.juego", n=deal.juego), 16, fill=SOFT,
             text_anchor="end"),
        element("rect", x=MARGIN, y=HEAD, width=WIDTH - 2 * MARGIN, height=felt, rx=34, fill=FELT,
                stroke=FELT_DEEP, stroke_width=6),
    ]  # fmt: skip
    for seat, (column, row) in enumerate(seats, start=1):
        parts += _seat(deal, seat, _left(column), HEAD + 12 + row * ROW, words)
    parts += _lances(deal, HEAD + felt + 26, words)
    return picture(WIDTH, height, title, deal_told(deal, words), *parts)


def _left(column: int) -> float:
    return (MARGIN + 20, (WIDTH - HAND) / 2, WIDTH - MARGIN - 20 - HAND)[column]


def deal_told(deal: DealTold, words: Words) -> str:
    """The deal as text: a line for each hand and each lance."""
    hands = [
        _hand(name, hand, words) for name, hand in zip(deal.table.seats, deal.hands, strict=True)
    ]
    lances = [f"{words(f'lance.{one.lance}')}: {_won(deal, one, words)}" for one in deal.lances]
    return "\n".join([*hands, *lances])


def _hand(name: str, hand: HandTold | None, words: Words) -> str:
    if hand is None:
        return words("deal.hidden", name=name)
    cards = " ".join(map(str, hand.cards))
    return words("deal.hand", name=name, cards=cards, worth=_worth(hand, words))


def _seat(deal: DealTold, seat: int, x: float, y: float, words: Words) -> Iterator[str]:
    name = deal.table.seats[seat - 1]
    if seat == deal.mano:
        name = f"{name} · {words('deal.mano')}"
    hand = deal.hands[seat - 1]
    side = deal.table.side_of(seat)
    yield element("circle", cx=x + 9, cy=y + 13, r=10, fill=ON_FELT)
    yield marker(side, x + 9, y + 13)
    yield text(x + 26, y + 18, fitted(name, HAND - 26, 16), 16, fill=ON_FELT, font_weight="bold")
    for at in range(HAND_SIZE if hand is None else len(hand.cards)):
        card = hand.cards[at] if hand else None
        yield shown(card, x + at * (CARD + APART), y + 28, CARD)
    worth = _worth(hand, words) if hand else words("deal.not_shown")
    yield text(x, y + 28 + CARD_HIGH + 17, worth, 14, fill=ON_FELT)


def _worth(hand: HandTold, words: Words) -> str:
    pares = [words(f"pares.{hand.pares}")] if hand.pares else []
    points = words("deal.has_juego" if hand.juego else "deal.points", n=hand.points)
    return ", ".join([*pares, points])


def _lances(deal: DealTold, y: float, words: Words) -> Iterator[str]:
    for at, lance in enumerate(deal.lances):
        base = y + at * LANCE + 20
        yield line(MARGIN, base + 10, WIDTH - MARGIN, base + 10, stroke=FAINT)
        yield text(MARGIN, base, words(f"lance.{lance.lance}"), 16, font_weight="bold")
        yield text(MARGIN + 92, base, fitted(_bets(lance, words), 330, 15), 15, fill=SOFT)
        if lance.side:
            yield marker(lance.side, MARGIN + 452, base - 5)
        won = fitted(_won(deal, lance, words), WIDTH - 2 * MARGIN - 470, 15)
        yield text(MARGIN + 468, base, won, 15)
    base = y + len(deal.lances) * LANCE + 24
    x = MARGIN
    for side, stones in zip(deal.table.letters, deal.after, strict=True):
        yield marker(side, x + 8, base - 6, 6)
        yield text(x + 22, base, str(stones), 20, font_weight="bold")
        x += 78
    if deal.won:
        names = words.names(deal.table.names(deal.won.side))
        said = words("deal.juego_won", side=names, by=words(f"by.{deal.won.by}"))
        yield text(WIDTH - MARGIN, base, said, 16, text_anchor="end", font_weight="bold")


def _bets(lance: LanceTold, words: Words) -> str:
    """How the bidding went, and how it ended."""
    said = {"bet": "deal.bet", "raise": "deal.raise"}
    chain = [words(said[bet.kind], n=bet.stones) if bet.kind in said else words("how.ordago")
             for bet in lance.bets]  # fmt: skip
    how = words(f"how.{lance.how}")
    if lance.agreed and len(lance.bets) > 1:
        how = words("deal.agreed", how=how, n=lance.agreed)
    return " ".join([*chain, "·", how]) if chain else how


def _won(deal: DealTold, lance: LanceTold, words: Words) -> str:
    if lance.side is None:
        return words("deal.nobody" if deal.finished else "deal.open")
    names = words.names(deal.table.names(lance.side))
    whys = ", ".join(words(f"why.{why}") for why in lance.whys)
    won = words("deal.won", side=names, n=lance.stones).rstrip(".")
    return f"{won} ({whys})" if whys else won
