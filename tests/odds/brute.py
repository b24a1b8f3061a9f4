"""The chances by dealing out every card: slow and plain, and using only the rules.

Cards are told apart, so that every deal is equally likely. ``best_seat`` tells who wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations

from assistant.odds import Known
from assistant.odds.deck import OddsDeck
from assistant.rules.cards import HAND_SIZE, Card, Rank
from assistant.rules.hands import HandValue, best_seat, value
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

SEATS = (1, 2, 3, 4)
Ranks = tuple[Rank, ...]


@dataclass
class Counted:
    """The deals of one lance, and the stones of both pairs in those where both play."""

    best: int = 0
    side: int = 0
    contested: int = 0
    won_contested: int = 0
    uncontested: int = 0
    played: int = 0
    stones: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("ours", "ours_won", "theirs", "theirs_won"), 0)
    )


def count(known: Known, deck: OddsDeck) -> tuple[int, dict[Lance, Counted]]:
    """The number of all deals that agree with what is known, and of each kind."""
    profile = Profile(kings=deck.kings, real31=deck.real31)

    @cache
    def worth(ranks: Ranks) -> HandValue:
        return value(tuple(map(Card, ranks)), profile)

    order = [(known.mano - 1 + i) % 4 + 1 for i in range(4)]
    mine = (known.seat, (known.seat + 1) % 4 + 1)
    found = {lance: Counted() for lance in Lance}
    total = 0
    for hands, times in deals(known, deck):
        values = {seat: worth(ranks) for seat, ranks in hands.items()}
        if not all(_said(known, seat, values[seat]) for seat in SEATS):
            continue
        total += times
        for lance, counted in found.items():
            _add(counted, lance, values, order, mine, times)
    return total, found


def _said(known: Known, seat: int, held: HandValue) -> bool:
    pares, juego = known.pares[seat - 1], known.juego[seat - 1]
    return pares in (None, held.pares is not None) and juego in (None, held.juego)


def _add(
    counted: Counted,
    lance: Lance,
    values: dict[int, HandValue],
    order: list[int],
    mine: tuple[int, int],
    times: int,
) -> None:
    playing = {seat for seat in SEATS if values[seat].key(lance) is not None}
    if lance is Lance.PUNTO and len(playing) < len(SEATS):
        return
    winner = best_seat(lance, values, order)
    if winner is None:
        return
    ours, theirs = playing & set(mine), playing - set(mine)
    won = winner in mine
    counted.played += times
    counted.best += times * (winner == mine[0])
    counted.side += times * won
    counted.uncontested += times * (not theirs)
    if ours and theirs:
        counted.contested += times
        counted.won_contested += times * won
        for name, seats, is_won in (("ours", ours, won), ("theirs", theirs, not won)):
            stones = times * sum(_stones(lance, values[seat]) for seat in seats)
            counted.stones[name] += stones
            counted.stones[f"{name}_won"] += stones * is_won


def _stones(lance: Lance, held: HandValue) -> int:
    if lance is Lance.PARES:
        return held.pares.value if held.pares else 0
    return held.juego_stones if lance is Lance.JUEGO else 0


def deals(known: Known, deck: OddsDeck) -> Iterator[tuple[dict[int, Ranks], int]]:
    """All ways to deal the other hands, and the number of deals with the same ranks."""
    cards = [rank for rank, copies in deck.counts for _ in range(copies)]
    for rank in (*known.hand, *(known.partner or ())):
        cards.remove(rank)
    me, right, partner, left = ((known.seat - 1 + i) % 4 + 1 for i in range(4))
    dealt = Counter({(known.partner, tuple(cards)): 1}) if known.partner else _hands(tuple(cards))
    for (theirs, rest), n in dealt.items():
        for (first, others), k in _hands(rest).items():
            for (second, _), m in _hands(others).items():
                yield {me: known.hand, right: first, partner: theirs, left: second}, n * k * m


@cache
def _hands(cards: Ranks) -> Counter[tuple[Ranks, Ranks]]:
    """Every choice of four of these cards, with the remaining ones."""
    return Counter(
        (
            tuple(cards[i] for i in chosen),
            tuple(rank for i, rank in enumerate(cards) if i not in chosen),
        )
        for chosen in combinations(range(len(cards)), HAND_SIZE)
    )


def chance(deals_of_a_kind: int, total: int) -> float:
    """The fraction of two counts, rounded to the nearest float."""
    return float(Fraction(deals_of_a_kind, total))
