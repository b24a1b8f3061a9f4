"""Figures of a whole match, out of its deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from assistant.chronicle.points import WHYS
from assistant.chronicle.shape import DealTold, JuegoTold, Ordago, Point, SideTold, Table, Wager
from assistant.rules.events import How
from assistant.rules.phases import Lance

ORDAGO = "ordago"
"""The kind of a bet that is one."""


def side_told(
    table: Table,
    side: str,
    deals: Iterable[DealTold],
    points: Iterable[Point],
    juegos: Iterable[JuegoTold],
    vacas: int,
) -> SideTold:
    """One side's evening. ``vacas`` is what it has of them."""
    won = [lance for deal in deals for lance in deal.lances if lance.side == side]
    closed = Counter((lance.lance, lance.how) for lance in won)
    by_why: Counter[str] = Counter()
    for point in points:
        if point.side == side:
            by_why[point.why] += point.stones
    return SideTold(
        side=side,
        names=table.names(side),
        stones=by_why.total(),
        juegos=sum(juego.side == side for juego in juegos),
        vacas=vacas,
        won={str(lance): {str(how): closed[lance, how] for how in How} for lance in Lance},
        by_why={why: by_why[why] for why in WHYS},
        highest=max((lance.agreed for lance in won if lance.how == How.ACCEPTED), default=0),
    )


def ordagos(deals: Iterable[DealTold]) -> Iterator[Ordago]:
    """Every órdago that was answered, in its order."""
    for deal in deals:
        for lance in deal.lances:
            for bet in lance.bets:
                if bet.kind == ORDAGO:
                    yield Ordago(
                        deal=deal.number,
                        lance=lance.lance,
                        seat=bet.seat,
                        side=deal.table.side_of(bet.seat),
                        accepted=lance.how != How.REFUSED,
                        winner=lance.side,
                    )


def highest(deals: Sequence[DealTold]) -> Wager | None:
    """The largest bet that was accepted, the first of equals; an órdago is none."""
    accepted = [wager for how, wager in _wagers(deals) if how == How.ACCEPTED]
    return max(accepted, key=lambda wager: wager.stones, default=None)


def longest(deals: Sequence[DealTold]) -> Wager | None:
    """The lance with most raises, the first of equals; None where nobody raised."""
    raised = [wager for _, wager in _wagers(deals) if wager.raises]
    return max(raised, key=lambda wager: wager.raises, default=None)


def _wagers(deals: Iterable[DealTold]) -> Iterator[tuple[str, Wager]]:
    for deal in deals:
        for told in deal.lances:
            raises = max(len(told.bets) - 1, 0)
            yield told.how, Wager(deal.number, told.lance, told.agreed, raises, told.side)
