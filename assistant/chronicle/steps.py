"""The records that count, deal by deal, without what a later count or a void deal took back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.rules import events as e
from assistant.rules.changes import apply
from assistant.rules.errors import HistoryError
from assistant.rules.history import Record, effective
from assistant.rules.state import State

COUNT = (
    e.StonesWon,
    e.StonesLost,
    e.LanceDecided,
    e.DealCounted,
    e.JuegoWon,
    e.VacaWon,
    e.MatchWon,
)
"""What a count is made of: gone, where it is made again. What the table put right stays."""
VOID = (*COUNT, e.PedreteSung)
"""What a void deal loses."""


@dataclass(frozen=True, slots=True)
class Step:
    """A record that counts, and the table before it (None before the match) and after it."""

    record: Record
    before: State | None
    after: State

    @property
    def event(self) -> e.Event:
        """What happened."""
        return self.record.event


def walk(records: Sequence[Record]) -> list[Step]:
    """Every record that counts. Raises HistoryError where they do not fold, or there are none."""
    steps: list[Step] = []
    state: State | None = None
    for record in effective(records):
        before, state = state, apply(state, record.event)
        steps.append(Step(record, before, state))
    if not steps:
        raise HistoryError("No match was begun in these records.")
    return steps


def by_deal(steps: Iterable[Step]) -> list[list[Step]]:
    """The steps cut where a deal begins; the first list is what stands before the first deal."""
    deals: list[list[Step]] = [[]]
    for step in steps:
        if isinstance(step.event, e.DealStarted):
            deals.append([])
        deals[-1].append(step)
    return deals


def standing(steps: Iterable[Step]) -> list[Step]:
    """The steps of a deal that are still so at its end."""
    kept: list[Step] = []
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


def _without(steps: Iterable[Step], kinds: tuple[type[e.Event], ...]) -> list[Step]:
    return [step for step in steps if not isinstance(step.event, kinds)]
