"""A match cut into its deals, what was taken back included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.review.record.notes import NotedBatch, NoteEntry
from assistant.rules.changes import apply
from assistant.rules.errors import HistoryError, MusError
from assistant.rules.events import DealStarted, Retracted
from assistant.rules.history import Record, effective
from assistant.rules.state import State


@dataclass(frozen=True, slots=True)
class RecordStep:
    """A record that counts, and the table before (``None`` before the match) and after it."""

    record: Record
    before: State | None
    after: State


@dataclass(frozen=True, slots=True)
class Section:
    """One deal that counts: its records, and all that was said while it lasted.

    ``steps`` begins with DealStarted. ``entries`` holds messages with batches of this deal alone.
    """

    steps: tuple[RecordStep, ...]
    entries: tuple[NoteEntry, ...] = ()

    @property
    def start(self) -> DealStarted:
        """The event that began it."""
        event = self.steps[0].record.event
        assert isinstance(event, DealStarted)  # _steps cuts there
        return event

    @property
    def first(self) -> State:
        """The table once the cards were dealt."""
        return self.steps[0].after

    @property
    def last(self) -> State:
        """The table at the end of the deal, or now."""
        return self.steps[-1].after


def sections(
    records: Sequence[Record], batches: Sequence[NotedBatch], entries: Sequence[NoteEntry]
) -> list[Section]:
    """The deals of a match. Raises HistoryError where the records do not fold."""
    deals = _steps(records)
    if not deals:
        raise HistoryError("No deal was begun in these records.")
    starts = [steps[0].record for steps in deals]
    homes = [_home(start or starts[0], starts) for start in _deal_of_each(batches)]
    parted: list[list[NoteEntry]] = [[] for _ in deals]
    for entry in entries:
        for home, part in _parts(entry, homes):
            parted[home].append(part)
    return [Section(tuple(s), tuple(part)) for s, part in zip(deals, parted, strict=True)]


def _steps(records: Sequence[Record]) -> list[list[RecordStep]]:
    """The records that count, by deal, with the tables they lead to."""
    deals: list[list[RecordStep]] = []
    state: State | None = None
    for record in effective(records):
        before = state
        try:
            state = apply(state, record.event)
        except HistoryError:
            raise
        except MusError as error:
            raise HistoryError(f"Record {record.seq} does not fit: {error}") from error
        if isinstance(record.event, DealStarted):
            deals.append([])
        if deals:  # the opening of the match stands before the first deal
            deals[-1].append(RecordStep(record, before, state))
    return deals


def _deal_of_each(batches: Sequence[NotedBatch]) -> list[Record | None]:
    """For each batch the start of the deal that was on, also where it was taken back later.

    A retraction that takes back, or brings back, the start of a deal is that deal's. ``None`` where
    no deal was on: a match opens, and stones may be put right, before anybody says who is mano.
    """
    told: list[Record] = []  # deals and retractions are all that decides which deal is on
    current: Record | None = None
    found: list[Record | None] = []
    for batch in batches:
        new = [r for r in batch.records if isinstance(r.event, DealStarted | Retracted)]
        before = current
        if new:
            told += new
            current = next(iter(reversed(effective(told))), None)
        on = [deal for deal in (before if batch.retracts else None, current) if deal]
        found.append(max(on, key=lambda record: record.seq, default=None))
    return found


def _home(start: Record, starts: Sequence[Record]) -> int:
    """The deal under which a batch is told; one begun in vain goes to the same one begun again."""
    seqs = [record.seq for record in starts]
    if start.seq in seqs:
        return seqs.index(start.seq)
    again = (
        place
        for place, record in enumerate(starts)
        if record.seq > start.seq and _number(record) == _number(start)
    )
    earlier = max((place for place, seq in enumerate(seqs) if seq < start.seq), default=0)
    return next(again, earlier)


def _number(start: Record) -> int:
    return start.event.deal if isinstance(start.event, DealStarted) else 0


def _parts(entry: NoteEntry, homes: Sequence[int]) -> list[tuple[int, NoteEntry]]:
    """A message by the deals it speaks of: one breath may end one and begin another."""
    if not entry.batches:
        return [(homes[max(entry.after - 1, 0)], entry)]
    parts: dict[int, list[int]] = {}
    for place in entry.batches:
        parts.setdefault(homes[place], []).append(place)
    last = homes[entry.batches[-1]]
    return [
        (
            home,
            NoteEntry(
                entry.at,
                entry.seat,
                entry.text,
                tuple(places),
                entry.notes if home == last else (),
                entry.after,
            ),
        )
        for home, places in parts.items()
    ]
