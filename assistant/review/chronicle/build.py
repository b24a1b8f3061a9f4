"""Builds the chronicle of a match from its records: who won what, when, and by which bet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from assistant.review.chronicle.shape import (
    KINDS,
    LOST,
    PEDRETE,
    RETRACTED,
    TABLE,
    WHYS,
    Chronicle,
    DealTold,
    Dispute,
    HandTold,
    JuegoTold,
    LanceTold,
    OrdagoTold,
    Point,
    SideTold,
    TableTold,
    Wager,
)
from assistant.review.record.shape import bets
from assistant.rules import events as e
from assistant.rules.cards import HAND_SIZE, Hand
from assistant.rules.changes import apply
from assistant.rules.errors import HistoryError
from assistant.rules.events import How
from assistant.rules.hands import STRENGTH, value
from assistant.rules.history import Record, effective, is_retraction
from assistant.rules.penalties import number_cited
from assistant.rules.phases import AFTER_DEAL, Lance
from assistant.rules.profile import Profile
from assistant.rules.state import LanceResult, State, side_letters

# ---- The records that count, deal by deal; a new count or a void deal takes some back -----------


COUNT = (
    e.StonesWon,
    e.StonesLost,
    e.LanceDecided,
    e.DealCounted,
    e.JuegoWon,
    e.VacaWon,
    e.MatchWon,
)
"""The events of a count. Counting again removes them; the table's own corrections stay."""
VOID = (*COUNT, e.PedreteSung)
"""The events that a void deal removes."""


@dataclass(frozen=True, slots=True)
class ChronicleStep:
    """A record that counts, and the table before it (None before the match) and after it."""

    record: Record
    before: State | None
    after: State

    @property
    def event(self) -> e.Event:
        """What happened."""
        return self.record.event


def walk(records: Sequence[Record]) -> list[ChronicleStep]:
    """Every record that counts. Raises HistoryError if they do not fold, or if there are none."""
    steps: list[ChronicleStep] = []
    state: State | None = None
    for record in effective(records):
        before, state = state, apply(state, record.event)
        steps.append(ChronicleStep(record, before, state))
    if not steps:
        raise HistoryError("No match was begun in these records.")
    return steps


def by_deal(steps: Iterable[ChronicleStep]) -> list[list[ChronicleStep]]:
    """Cut the steps where deals begin. The first list is what comes before the first deal."""
    deals: list[list[ChronicleStep]] = [[]]
    for step in steps:
        if isinstance(step.event, e.DealStarted):
            deals.append([])
        deals[-1].append(step)
    return deals


def standing(steps: Iterable[ChronicleStep]) -> list[ChronicleStep]:
    """The steps of a deal that still count at its end."""
    kept: list[ChronicleStep] = []
    counted = 0
    for step in steps:
        if isinstance(step.event, e.CountReopened):
            kept = kept[:counted] + _without(kept[counted:], COUNT)
        elif isinstance(step.event, e.DealVoided):
            kept = _without(kept, VOID)
        elif step.before and step.before.uncounted is None and step.after.uncounted:
            counted = len(kept)
        kept.append(step)
    return kept


def _without(
    steps: Iterable[ChronicleStep], kinds: tuple[type[e.Event], ...]
) -> list[ChronicleStep]:
    return [step for step in steps if not isinstance(step.event, kinds)]


# ---- The running score: every change of stones --------------------------------------------------


Move = tuple[str, int, str, str | None]
"""Side, stones, why, lance."""


def points(
    steps: Iterable[ChronicleStep], deal: int, juego: int, start: tuple[int, ...]
) -> tuple[Point, ...]:
    """Every change of the score in a deal.

    ``steps`` are its ``standing`` ones, ``start`` the stones that it began with. No side has fewer
    than 0 stones, so a correction may take fewer than it says.
    """
    found: list[Point] = []
    totals = start
    for step in steps:
        for side, stones, why, lance in _moves(step):
            at = side_letters(len(totals)).index(side)
            now = max(0, totals[at] + stones)
            moved = now - totals[at]
            totals = (*totals[:at], now, *totals[at + 1 :])
            if moved:
                found.append(Point(deal, juego, side, moved, why, lance, totals))
    return tuple(found)


def juego_won(
    steps: Iterable[ChronicleStep], deal: int, juego: int, totals: tuple[int, ...]
) -> JuegoTold | None:
    """The juego that a deal ended, if any; ``totals`` are the stones at its end."""
    won = next((step.event for step in steps if isinstance(step.event, e.JuegoWon)), None)
    return JuegoTold(juego, deal, won.side, str(won.by), totals) if won else None


def _moves(step: ChronicleStep) -> Iterator[Move]:
    match step.event:
        case e.StonesWon(side=side, stones=stones, lance=lance, why=why):
            yield side, stones, str(why), str(lance)
        case e.StonesLost(side=side, stones=stones, lance=lance):
            yield side, -stones, LOST, str(lance)
        case e.PedreteSung(seat=seat, stones=stones):
            yield step.after.side_of(seat), stones, PEDRETE, None
        case e.StonesSet() | e.StonesAdjusted() if step.before:
            before, after = step.before.stones, step.after.stones
            for side, old, new in zip(side_letters(len(after)), before, after, strict=True):
                yield side, new - old, TABLE, None


# ---- Disputes: calls taken back, corrections and decisions of the table, and their deals ---------


def disputes(records: Sequence[Record]) -> tuple[Dispute, ...]:
    """All disputes in order of time. An undo that was itself taken back is not one."""
    counting = {record.seq for record in effective(records)}
    found: list[Dispute] = []
    deal, profile = 0, Profile()
    for record in records:
        if isinstance(record.event, e.GameOpened):
            profile = record.event.profile
        if isinstance(record.event, e.DealStarted):
            deal = record.event.deal
        kind = KINDS.get(type(record.event))
        if kind and record.seq in counting:
            reason = _reason(record.event, profile)
            found.append(Dispute(deal, record.at, kind, reason, (record.event,)))
    return tuple(sorted([*found, *_retracted(records)], key=lambda dispute: dispute.at))


def _reason(event: e.Event, profile: Profile) -> str:
    match event:
        case e.StonesAdjusted(reason=reason):
            return reason
        case e.PenaltyApplied(article=article) | e.PenaltyWaived(article=article):
            return number_cited(profile, article)
        case _:
            return ""


def _retracted(records: Sequence[Record]) -> Iterator[Dispute]:
    batches = {
        number: list(batch) for number, batch in groupby(records, key=lambda record: record.batch)
    }
    gone: set[int] = set()
    for record in reversed(records):
        if not isinstance(record.event, e.Retracted) or record.batch in gone:
            continue
        gone.add(record.event.seq)
        taken = batches[record.event.seq]
        if not is_retraction(r.event for r in taken):
            unsaid = (e.SeatInferred, e.Retracted)
            again = [
                r.event for r in batches[record.batch]
            ]  # calls that the same batch made again are no dispute
            events = tuple(
                r.event for r in taken if not isinstance(r.event, unsaid) and r.event not in again
            )
            if not events:
                continue
            yield Dispute(_deal_at(records, taken[-1].seq), record.at, RETRACTED, "", events)


def _deal_at(records: Sequence[Record], seq: int) -> int:
    """The deal that was being played when a record was made, even if it no longer counts."""
    return next(
        (
            record.event.deal
            for record in reversed(records)
            if record.seq <= seq and isinstance(record.event, e.DealStarted)
        ),
        0,
    )


# ---- Figures of a whole match, out of its deals -------------------------------------------------


ORDAGO = "ordago"
"""The ``kind`` of a bet that is an órdago."""


def side_told(
    table: TableTold,
    side: str,
    deals: Iterable[DealTold],
    points: Iterable[Point],
    juegos: Iterable[JuegoTold],
    vacas: int,
    given: int = 0,
) -> SideTold:
    """One side's evening; ``vacas`` is how many it has won, ``given`` its juegos before it."""
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
        juegos=given + sum(juego.side == side for juego in juegos),
        vacas=vacas,
        won={str(lance): {str(how): closed[lance, how] for how in How} for lance in Lance},
        by_why={why: by_why[why] for why in WHYS},
        highest=max((lance.agreed for lance in won if lance.how == How.ACCEPTED), default=0),
    )


def ordagos(deals: Iterable[DealTold]) -> Iterator[OrdagoTold]:
    """Every órdago that was answered, in order."""
    for deal in deals:
        for lance in deal.lances:
            for bet in lance.bets:
                if bet.kind == ORDAGO:
                    yield OrdagoTold(
                        deal=deal.number,
                        lance=lance.lance,
                        seat=bet.seat,
                        side=deal.table.side_of(bet.seat),
                        accepted=lance.how != How.REFUSED,
                        winner=lance.side,
                    )


def highest(deals: Sequence[DealTold]) -> Wager | None:
    """The largest accepted bet, the first if several are equal. An órdago does not count."""
    accepted = [wager for how, wager in _wagers(deals) if how == How.ACCEPTED]
    return max(accepted, key=lambda wager: wager.stones, default=None)


def longest(deals: Sequence[DealTold]) -> Wager | None:
    """The lance with most raises, the first if several are equal; None if nobody raised."""
    raised = [wager for _, wager in _wagers(deals) if wager.raises]
    return max(raised, key=lambda wager: wager.raises, default=None)


def _wagers(deals: Iterable[DealTold]) -> Iterator[tuple[str, Wager]]:
    for deal in deals:
        for told in deal.lances:
            raises = max(len(told.bets) - 1, 0)
            yield told.how, Wager(deal.number, told.lance, told.agreed, raises, told.side)


# ---- The chronicle of a match -------------------------------------------------------------------


def chronicle(records: Sequence[Record]) -> Chronicle:
    """The chronicle of a match, finished or not. Raises HistoryError if records do not fold."""
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
            side_told(table, side, deals, moved, juegos, vacas, given)
            for side, vacas, given in zip(
                table.letters, state.vacas, state.given or (0,) * table.sides, strict=True
            )
        ),
        ordagos=tuple(ordagos(deals)),
        highest=highest(deals),
        longest=longest(deals),
        disputes=disputes(records),
        totals=deals[-1].after if deals else _after(early, (0,) * table.sides),
        winner=state.winner,
    )


def _table(state: State) -> TableTold:
    return TableTold(state.seats, state.sides, state.profile.target, state.profile.adentro)


def _deals(parts: Sequence[Sequence[ChronicleStep]], table: TableTold) -> tuple[DealTold, ...]:
    found: list[DealTold] = []
    for steps in parts:
        over = bool(found and found[-1].won)
        juego = found[-1].juego + over if found else 1
        found.append(_deal(steps, table, juego))
    return tuple(found)


def _deal(steps: Sequence[ChronicleStep], table: TableTold, juego: int) -> DealTold:
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
    """The cards as players lay them, best at grande first; a tres that is a rey lies with reyes."""
    return tuple(
        sorted(
            hand,
            key=lambda card: (value((card,) * HAND_SIZE, profile).grande, STRENGTH[card.rank]),
            reverse=True,
        )
    )
