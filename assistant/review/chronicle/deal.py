"""One deal as a picture: the hands round the table, and each lance beneath them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.language.sentences import Wording
from assistant.review.chronicle.build import ORDAGO
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
from assistant.review.chronicle.ink import (
    FAINT,
    FELT,
    FELT_DEEP,
    ON_FELT,
    ON_FELT_SOFT,
    SERIF,
    SOFT,
    WON,
    Value,
    element,
    fitted,
    heading,
    line,
    marker,
    picture,
    text,
    wide,
)
from assistant.review.chronicle.shape import DealTold, HandTold, LanceTold
from assistant.review.record.shape import RecordedBet
from assistant.rules.cards import HAND_SIZE, Card
from assistant.rules.events import How

# ---- Spanish cards as SVG symbols: those of one deal, each drawn once however often it is used


CARD_WIDTH, CARD_HEIGHT = 610.0, 950.0
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
"""What the figures wear if the suit is unknown."""
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
    """The id of a card's symbol; None is the back."""
    return f"card-{card}" if card else "back"


def shown(card: Card | None, x: float, y: float, width: float) -> str:
    """Draw a card, or the back for None, with its upper left corner at ``x``, ``y``."""
    return element(
        "use", href=f"#{name(card)}", x=x, y=y, width=width, height=width * CARD_HEIGHT / CARD_WIDTH
    )


def _symbol(known: str, *inside: str) -> str:
    box = f"0 0 {CARD_WIDTH:.0f} {CARD_HEIGHT:.0f}"
    return element("symbol", *inside, id=known, viewBox=box)


def _strokes(rows: str, worn: dict[str, str]) -> Iterator[str]:
    """The shapes of a drawing in ``cardart``. A row that begins with a blank continues the last."""
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
        "rect", x=4, y=4, width=CARD_WIDTH - 8, height=CARD_HEIGHT - 8, rx=36, fill=colour,
        stroke=EDGE, stroke_width=8,
    )  # fmt: skip


def _frame(suit: str) -> Iterator[str]:
    """The pinta: the number of gaps in the frame tells the suit."""
    look: dict[str, Value] = {"stroke": INK, "stroke_width": 4}
    for x in (_SIDES, CARD_WIDTH - _SIDES):
        yield line(x, _ENDS, x, CARD_HEIGHT - _ENDS, **look)
    across = CARD_WIDTH - 2 * _SIDES
    gaps = GAPS.get(suit, 0)
    middles = [_SIDES + across * (at + 1) / (gaps + 1) for at in range(gaps)]
    starts = [_SIDES, *(middle + GAP / 2 for middle in middles)]
    stops = [*(middle - GAP / 2 for middle in middles), CARD_WIDTH - _SIDES]
    for y in (_ENDS, CARD_HEIGHT - _ENDS):
        for start, stop in zip(starts, stops, strict=True):
            yield line(start, y, stop, y, **look)


def _back() -> Iterator[str]:
    yield _paper(FACE)
    inner = {
        "x": _SIDES,
        "y": _ENDS,
        "width": CARD_WIDTH - 2 * _SIDES,
        "height": CARD_HEIGHT - 2 * _ENDS,
    }
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
        right = CARD_WIDTH - _SIDES
        ways.append(f"M{right - a[0]:g} {_ENDS + a[1]:g}L{right - b[0]:g} {_ENDS + b[1]:g}")
    yield element("path", d="".join(ways), stroke=LATTICE, stroke_width=7, fill="none")


# ---- One deal as a picture: the hands round the table as they were shown, and each lance beneath


WIDTH, MARGIN, HEAD = 940.0, 28.0, 78.0
CARD, APART = 66.0, 6.0
"""The width of a card, and the gap between two."""
CARD_HIGH = CARD * CARD_HEIGHT / CARD_WIDTH
ROW = CARD_HIGH + 54
"""The height of a hand with the text above and below it."""
HAND = HAND_SIZE * CARD + (HAND_SIZE - 1) * APART
NAME, BOLD = 16.0, 1.22
"""The size of a name, and how much wider bold letters are."""
LANCE, LETTER, BIDDING = 36.0, 15.0, 410.0
"""A line of a lance: its height, the size of its letters, the room for the bidding."""
PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    2: ((1, 2), (1, 0)),
    3: ((1, 2), (2, 0), (0, 0)),
    4: ((1, 2), (2, 1), (1, 0), (0, 1)),
    5: ((1, 2), (2, 1), (2, 0), (0, 0), (0, 1)),
    6: ((1, 3), (2, 2), (2, 1), (1, 0), (0, 1), (0, 2)),
}
"""Of each seat: its column (left, middle, right) and its row from above, anticlockwise."""


def deal_svg(deal: DealTold, words: Wording) -> str:
    """The deal as an SVG picture: two to six hands in their places, face down if not shown."""
    seats = PLACES[len(deal.hands)]
    felt = ROW * (1 + max(row for _, row in seats)) + 24
    height = HEAD + felt + 26 + LANCE * (len(deal.lances) + bool(deal.won)) + 22
    title = words("deal.voided" if deal.voided else "deal.title", n=deal.number)
    cards = [card for hand in deal.hands if hand for card in hand.cards]
    parts = [
        symbols(cards, back=None in deal.hands),
        heading(title, MARGIN, 52),
        text(WIDTH - MARGIN, 52, words("deal.juego", n=deal.juego), 18, fill=SOFT,
             font_family=SERIF, text_anchor="end"),
        element("rect", x=MARGIN, y=HEAD, width=WIDTH - 2 * MARGIN, height=felt, rx=34, fill=FELT,
                stroke=FELT_DEEP, stroke_width=6),
    ]  # fmt: skip
    for seat, (column, row) in enumerate(seats, start=1):
        parts += _seat(deal, seat, _left(column), HEAD + 12 + row * ROW, words)
    parts += _stones(deal, HEAD + 12 + _middle(seats) * ROW)
    parts += _lances(deal, HEAD + felt + 26, words)
    return picture("deal", WIDTH, height, title, deal_told(deal, words), *parts)


def _left(column: int) -> float:
    return (MARGIN + 20, (WIDTH - HAND) / 2, WIDTH - MARGIN - 20 - HAND)[column]


def deal_told(deal: DealTold, words: Wording) -> str:
    """The deal as text: a line for each hand and each lance, and the juego if it was won."""
    hands = [
        _hand(name, hand, words) for name, hand in zip(deal.table.seats, deal.hands, strict=True)
    ]
    lances = [f"{words(f'lance.{one.lance}')}: {_won(deal, one, words)}" for one in deal.lances]
    return "\n".join([*hands, *lances, *_juego_won(deal, words)])


def _juego_won(deal: DealTold, words: Wording) -> list[str]:
    """The juego that the deal ended, if it did."""
    if deal.won is None:
        return []
    names = words.names(deal.table.names(deal.won.side))
    return [words("deal.juego_won", side=names, by=words(f"by.{deal.won.by}"))]


def _hand(name: str, hand: HandTold | None, words: Wording) -> str:
    if hand is None:
        return words("deal.hidden", name=name)
    cards = " ".join(map(str, hand.cards))
    return words("deal.hand", name=name, cards=cards, worth=_worth(hand, words))


def _seat(deal: DealTold, seat: int, x: float, y: float, words: Wording) -> Iterator[str]:
    hand = deal.hands[seat - 1]
    side = deal.table.side_of(seat)
    room = HAND - 26
    if seat == deal.mano:
        said = words("deal.mano")
        badge = wide(said, 13) + 20
        room -= badge + 6
        left = x + HAND - badge
        yield element("rect", x=left, y=y + 3, width=badge, height=20, rx=10, fill=WON)
        yield text(left + badge / 2, y + 17.5, said, 13, text_anchor="middle", font_weight="bold")
    name = fitted(deal.table.seats[seat - 1], room, NAME * BOLD)
    yield element("circle", cx=x + 9, cy=y + 13, r=10, fill=ON_FELT)
    yield marker(side, x + 9, y + 13)
    yield text(x + 26, y + 18, name, NAME, fill=ON_FELT, font_weight="bold")
    for at in range(HAND_SIZE if hand is None else len(hand.cards)):
        card = hand.cards[at] if hand else None
        yield shown(card, x + at * (CARD + APART), y + 28, CARD)
    yield from _under(deal, seat, x, y + 28 + CARD_HIGH + 17, words)


def _under(deal: DealTold, seat: int, x: float, y: float, words: Wording) -> Iterator[str]:
    """What a hand is worth, and the lances that it won by its cards."""
    hand = deal.hands[seat - 1]
    best = " · ".join(words(f"lance.{one.lance}") for one in deal.lances if one.seat == seat)
    worth = _worth(hand, words) if hand else words("deal.not_shown")
    room = HAND - (wide(best, 13) + 8 if best else 0)
    yield text(x, y, fitted(worth, room, 13), 13, fill=ON_FELT)
    if best:
        yield text(x + HAND, y, best, 13, fill=WON, text_anchor="end", font_weight="bold")


def _worth(hand: HandTold, words: Wording) -> str:
    pares = [words(f"pares.{hand.pares}")] if hand.pares else []
    points = words("deal.has_juego" if hand.juego else "deal.points", n=hand.points)
    return ", ".join([*pares, points])


def _middle(seats: tuple[tuple[int, int], ...]) -> float:
    """The middle of the free felt between the players, in rows from the top."""
    taken = {row for column, row in seats if column == 1}
    bare = [row for row in range(max(row for _, row in seats)) if row not in taken]
    return (bare[0] + bare[-1] + 1) / 2


def _stones(deal: DealTold, middle: float) -> Iterator[str]:
    """In the middle of the table: the stones of each side before the deal and after it."""
    high = 36.0
    y = middle - high * len(deal.after) / 2 + 18
    x = WIDTH / 2
    for at, side in enumerate(deal.table.letters):
        base = y + high * at
        yield element("circle", cx=x - 74, cy=base, r=12, fill=ON_FELT)
        yield marker(side, x - 74, base, 6)
        yield text(
            x - 6, base + 9, str(deal.before[at]), 24, fill=ON_FELT_SOFT, font_family=SERIF,
            text_anchor="end",
        )  # fmt: skip
        yield element(
            "path", d=f"M{x + 8:g} {base:g}h20m-6 -5l6 5l-6 5", fill="none", stroke=ON_FELT_SOFT,
            stroke_width=2, stroke_linecap="round", stroke_linejoin="round",
        )  # fmt: skip
        yield text(x + 42, base + 9, str(deal.after[at]), 28, fill=ON_FELT, font_family=SERIF)


def _lances(deal: DealTold, y: float, words: Wording) -> Iterator[str]:
    for at, lance in enumerate(deal.lances):
        base = y + at * LANCE + 20
        yield line(MARGIN, base + 11, WIDTH - MARGIN, base + 11, stroke=FAINT)
        yield text(MARGIN, base, words(f"lance.{lance.lance}"), 18, font_family=SERIF)
        yield text(MARGIN + 92, base, _bidding(deal, lance, words), LETTER, fill=SOFT)
        if lance.side:
            yield marker(lance.side, MARGIN + 514, base - 5)
        won = fitted(_won(deal, lance, words), WIDTH - 2 * MARGIN - 530, LETTER)
        yield text(MARGIN + 530, base, won, LETTER)
    if deal.won:
        base = y + len(deal.lances) * LANCE + 26
        (said,) = _juego_won(deal, words)
        start = (WIDTH - wide(said, 20)) / 2
        yield marker(deal.won.side, start - 6, base - 7, 7)
        yield text(WIDTH / 2 + 8, base, said, 20, text_anchor="middle", font_family=SERIF)


def _bidding(deal: DealTold, lance: LanceTold, words: Wording) -> str:
    """How the bidding went, with the players' names if there is room for them."""
    forms = (_bets(deal, lance, words, names=True), _bets(deal, lance, words, names=False))
    return next(
        (form for form in forms if wide(form, LETTER) <= BIDDING),
        fitted(forms[-1], BIDDING, LETTER),
    )


def _bets(deal: DealTold, lance: LanceTold, words: Wording, *, names: bool) -> str:
    """The bets in their order, and how the lance was closed."""
    chain = [
        f"{deal.table.seats[bet.seat - 1]} {_bet(bet, words)}" if names else _bet(bet, words)
        for bet in lance.bets
    ]
    ordago = chain and lance.how == How.ORDAGO
    how = words(f"how.{How.ACCEPTED if ordago else lance.how}")
    if lance.agreed and len(lance.bets) > 1:
        how = words("deal.agreed", how=how, n=lance.agreed)
    return " · ".join([*chain, how])


def _bet(bet: RecordedBet, words: Wording) -> str:
    if bet.kind == ORDAGO:
        return words("how.ordago")
    return words("deal.raise" if bet.kind == "raise" else "deal.bet", n=bet.stones)


def _won(deal: DealTold, lance: LanceTold, words: Wording) -> str:
    if lance.side is None:
        return _to_nobody(deal, lance, words)
    names = words.names(deal.table.names(lance.side))
    if lance.how == How.ORDAGO and deal.won:
        return words("deal.won_juego", side=names)
    whys = ", ".join(words(f"why.{why}") for why in lance.whys)
    won = words("deal.won", side=names, n=lance.stones).rstrip(".")
    return f"{won} ({whys})" if whys else won


def _to_nobody(deal: DealTold, lance: LanceTold, words: Wording) -> str:
    if not deal.finished:
        return words("deal.open")
    if deal.won and lance.how != How.NOBODY:
        return words("deal.uncounted")  # the juego was over before its turn came
    return words("deal.nobody")
