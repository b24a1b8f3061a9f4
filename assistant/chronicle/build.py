"""Records put together as the chronicle of a match."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.chronicle.disputes import disputes
from assistant.chronicle.figures import highest, longest, ordagos, side_told
from assistant.chronicle.points import juego_won, points
from assistant.chronicle.shape import (
    Chronicle,
    DealTold,
    HandTold,
    LanceTold,
    Point,
    Table,
)
from assistant.chronicle.steps import Step, by_deal, standing, walk
from assistant.record.bets import bets
from assistant.rules import events as e
from assistant.rules.cards import HAND_SIZE, Hand
from assistant.rules.hands import STRENGTH, value
from assistant.rules.history import Record
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.profile import Profile
from assistant.rules.state import LanceResult, State


def chronicle(records: Sequence[Record]) -> Chronicle:
    """The chronicle of a match, finished or not. Raises HistoryError where records do not fold."""
    steps = walk(records)
    opening, *rest = by_deal(steps)
    state = steps[-1].after
    table = _table(state)
    early = points(standing(opening), 0, 1, (0,) * table.sides)
    deals = _deals(rest, table)
    moved = (*early, *(point for deal in deals for point in deal.points))
    juegos = tuple(deal.won for deal in deals if deal.won)
    return Chronicle(
        table=table,
        began=steps[0].record.at,
        ended=records[-1].at,
        deals=deals,
        points=moved,
        juegos=juegos,
        sides=tuple(
            side_told(table, side, deals, moved, juegos, vacas)
            for side, vacas in zip(table.letters, state.vacas, strict=True)
        ),
        ordagos=tuple(ordagos(deals)),
        highest=highest(deals),
        longest=longest(deals),
        disputes=disputes(records),
        totals=deals[-1].after if deals else _after(early, (0,) * table.sides),
        winner=state.winner,
    )


def _table(state: State) -> Table:
    return Table(state.seats, state.sides, state.profile.target, state.profile.adentro)


def _deals(parts: Sequence[Sequence[Step]], table: Table) -> tuple[DealTold, ...]:
    found: list[DealTold] = []
    for steps in parts:
        over = bool(found and found[-1].won)
        juego = found[-1].juego + over if found else 1
        found.append(_deal(steps, table, juego))
    return tuple(found)


def _deal(steps: Sequence[Step], table: Table, juego: int) -> DealTold:
    kept = standing(steps)
    first, state = steps[0].after, steps[-1].after
    moved = points(kept, first.deal, juego, first.stones)
    after = _after(moved, first.stones)
    events = [step.event for step in steps]
    return DealTold(
        number=first.deal,
        juego=juego,
        mano=state.mano,
        table=table,
        began=steps[0].record.at,
        ended=steps[-1].record.at,
        finished=state.phase in AFTER_DEAL,
        voided=state.voided is not None,
        before=first.stones,
        after=after,
        points=moved,
        lances=tuple(_lance(result, events) for result in state.results),
        hands=tuple(_hand(state, seat) for seat in range(1, state.players + 1)),
        won=juego_won(kept, first.deal, juego, after),
    )


def _after(moved: Sequence[Point], start: tuple[int, ...]) -> tuple[int, ...]:
    return moved[-1].totals if moved else start


def _lance(result: LanceResult, events: Sequence[e.Event]) -> LanceTold:
    won = result.won or result.how is e.How.ORDAGO
    return LanceTold(
        lance=str(result.lance),
        how=str(result.how),
        bets=bets(events, result.lance),
        agreed=result.stones,
        side=result.side if won else None,
        seat=result.seat,
        stones=result.won,
        whys=tuple(map(str, result.whys)),
    )


def _hand(state: State, seat: int) -> HandTold | None:
    hand = state.hands[seat - 1]
    if hand is None:
        return None
    seen = value(hand, state.profile)
    pares = seen.pares.kind.name.lower() if seen.pares else None
    return HandTold(seat, _laid(hand, state.profile), pares, seen.points, seen.juego)


def _laid(hand: Hand, profile: Profile) -> Hand:
    """The cards as players lay them, the best at grande first: a tres that is a rey with them."""
    return tuple(
        sorted(
            hand,
            key=lambda card: (value((card,) * HAND_SIZE, profile).grande, STRENGTH[card.rank]),
            reverse=True,
        )
    )
