"""The deals of a match and the steps of each, for looking back.

A step is one call with all that followed from it. Its number is the seq of its last record: the
records up to there fold to the table as it stood then.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypedDict

from assistant.rules.changes import apply
from assistant.rules.events import (
    BetCorrected,
    CountReopened,
    DealStarted,
    DealVoided,
    LanceClaimed,
    PenaltyProposed,
    Retracted,
    SeatInferred,
    StonesAdjusted,
    StonesLost,
    StonesWon,
)
from assistant.rules.history import Record, effective, fold
from assistant.rules.state import State, side_letters
from assistant.table.snapshot.shape import LanceView, LogPhrases, SeatView, SideView
from assistant.table.snapshot.views import lance_views, seat_view, side_view

DISPUTED = (Retracted, BetCorrected, StonesAdjusted, LanceClaimed, PenaltyProposed)
"""Events which show that something was disputed."""


class DealView(TypedDict):
    """One deal: its first and last seq, and how it stood when the next one began.

    ``at``: Unix time of its beginning; ``disputed``: how often something was taken back, corrected
    or claimed, or an article proposed.
    """

    deal: int
    mano: str
    first: int
    last: int
    at: float
    sides: list[SideView]
    lances: list[LanceView]
    disputed: int


class StepView(TypedDict):
    """One call and what followed from it; ``undone``: it no longer counts."""

    seq: int
    at: float
    text: str
    undone: bool
    disputed: bool


class CountView(TypedDict):
    """Stones that changed hands, and how all sides stood after it."""

    text: str
    side: str
    stones: int
    lance: str | None
    why: str | None
    totals: list[int]


class DealToldView(TypedDict):
    """One deal in detail: its end, its steps, its stones one by one.

    ``seats``: the players with the hands that lay open at its end.
    """

    deal: DealView
    seats: list[SeatView]
    steps: list[StepView]
    count: list[CountView]


def deal_told(
    records: Sequence[Record], deal: int, now: State, phrases: LogPhrases
) -> DealToldView | None:
    """One deal in detail; None if there is none or it does not count. ``now`` gives the names."""
    view = next((view for view in deal_views(records) if view["deal"] == deal), None)
    if view is None:
        return None
    first, last = view["first"], view["last"]
    end = fold(records[:last]) or now
    return {
        "deal": view,
        "seats": [seat_view(end, seat, None, ()) for seat in range(1, end.players + 1)],
        "steps": step_views(records, first, last, now, phrases),
        "count": count_views(records[:last], first, phrases),
    }


def count_views(records: Sequence[Record], first: int, phrases: LogPhrases) -> list[CountView]:
    """The stones that changed hands from the record ``first`` on, and still count."""
    views: list[CountView] = []
    state: State | None = None
    counted = 0  # of the views, those from before the count
    for record in effective(records):
        before, state, event = state, apply(state, record.event), record.event
        if record.seq < first or before is None:
            continue
        if before.uncounted is None and state.uncounted is not None:
            counted = len(views)
        if isinstance(event, DealVoided):
            views = []
        elif isinstance(event, CountReopened):
            # It is counted again; what the table agreed on meanwhile stays.
            views = views[:counted] + [view for view in views[counted:] if not view["lance"]]
        elif isinstance(event, StonesWon | StonesLost | StonesAdjusted):
            totals = [state.stones_of(side) for side in side_letters(state.sides)]
            views.append(
                {
                    "text": phrases.log_line(event, before, records),
                    "side": event.side,
                    "stones": -event.stones if isinstance(event, StonesLost) else event.stones,
                    "lance": None if isinstance(event, StonesAdjusted) else event.lance,
                    "why": event.why if isinstance(event, StonesWon) else None,
                    "totals": totals,
                }
            )
    return views


def deal_views(records: Sequence[Record]) -> list[DealView]:
    """The deals that count, the first one first."""
    views: list[DealView] = []
    state: State | None = None
    for record in effective(records):
        if isinstance(record.event, DealStarted):
            if views and state:
                _end(views[-1], state, records, record.seq - 1)
            views.append(_begin(record.event, record))
        state = apply(state, record.event)
    if views and state:
        _end(views[-1], state, records, records[-1].seq)
    return views


def step_views(
    records: Sequence[Record], first: int, last: int, state: State, phrases: LogPhrases
) -> list[StepView]:
    """The steps from one seq to another. ``state``: now, which gives the names."""
    counting = {record.batch for record in effective(records)}
    some = [record for record in records if first <= record.seq <= last]
    return [
        _step(list(batch), number in counting, state, records, phrases)
        for number, batch in groupby(some, key=lambda record: record.batch)
    ]


def _begin(event: DealStarted, record: Record) -> DealView:
    return {
        "deal": event.deal,
        "mano": "",
        "first": record.batch,
        "last": record.seq,
        "at": record.at,
        "sides": [],
        "lances": [],
        "disputed": 0,
    }


def _end(view: DealView, state: State, records: Sequence[Record], last: int) -> None:
    view["last"] = last
    view["mano"] = state.seats[state.mano - 1]  # in a mus corrido it moves on within a deal
    view["sides"] = [side_view(state, side) for side in side_letters(state.sides)]
    view["lances"] = lance_views(state)
    some = (record for record in records if view["first"] <= record.seq <= last)
    view["disputed"] = sum(isinstance(record.event, DISPUTED) for record in some)


def _step(
    batch: Sequence[Record],
    counts: bool,
    state: State,
    records: Sequence[Record],
    phrases: LogPhrases,
) -> StepView:
    events = [record.event for record in batch if not isinstance(record.event, SeatInferred)]
    lines = [phrases.log_line(event, state, records) for event in events]
    taken_back = any(isinstance(event, Retracted) for event in events)
    return {
        "seq": batch[-1].seq,
        "at": batch[-1].at,
        "text": " · ".join(lines),
        "undone": not counts and not taken_back,
        "disputed": any(isinstance(event, DISPUTED) for event in events),
    }
