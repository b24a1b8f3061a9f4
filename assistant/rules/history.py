"""Records: the events of a journal with their numbers; retractions, undo, redo, and ``fold``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from assistant.rules.changes import apply
from assistant.rules.errors import HistoryError
from assistant.rules.events import DealStarted, Event, GameOpened, Retracted
from assistant.rules.state import State


class Record(NamedTuple):
    """One event in the journal.

    ``seq`` counts from 1 without gaps. ``batch`` is the seq of the first event of the same call,
    because the records of a call are undone together. ``at`` is Unix time in seconds.
    """

    seq: int
    batch: int
    at: float
    event: Event


def number(events: Iterable[Event], after: int, at: float) -> tuple[Record, ...]:
    """Make one batch of records that follows seq ``after``."""
    first = after + 1
    return tuple([Record(seq, first, at, event) for seq, event in enumerate(events, first)])


def effective(records: Sequence[Record]) -> list[Record]:
    """The records that count: without the retracted ones and without the retractions.

    Retractions are read from the last back, because a retraction can itself be retracted (redo).
    """
    gone: set[int] = set()
    for record in reversed(records):
        if isinstance(record.event, Retracted) and record.batch not in gone:
            gone.add(record.event.seq)
    return [r for r in records if r.batch not in gone and not isinstance(r.event, Retracted)]


def fold(records: Sequence[Record]) -> State | None:
    """The state that the records lead to; ``None`` without records. Raises HistoryError."""
    state: State | None = None
    for record in effective(records):
        state = apply(state, record.event)
    return state


def undo_target(records: Sequence[Record]) -> int | None:
    """The batch that "deshaz" takes back: the last that counts, but never the opening of the game.

    Nor the start of a deal in which somebody has called since, because the cards of the deal
    before are in the pile (R45; S2 8.4), unless the house rules allow late claims.
    """
    for record in reversed(effective(records)):
        if record.batch == _opening(records):
            return None
        return None if _in_the_pile(records, record.batch) else record.batch
    return None


def _in_the_pile(records: Sequence[Record], batch: int) -> bool:
    """Whether a batch began a deal in which something was called since."""
    at = batch - records[0].seq  # seqs count without gaps
    starts = False
    for record in records[at:]:
        if record.batch == batch:
            starts = starts or isinstance(record.event, DealStarted)
        elif not starts:
            return False
        elif not isinstance(record.event, Retracted):
            opened = records[0].event
            return not (isinstance(opened, GameOpened) and opened.profile.late_claims)
    return False


def rewound(records: Sequence[Record], last: int, *, anew: bool = False) -> tuple[Event, ...]:
    """One batch that takes back everything after seq ``last``, and nothing up to it.

    Only complete calls can be retracted; the part of a call up to ``last`` is then made again. If a
    retracted batch had itself taken back others, those stay taken back. ``anew``: the last call up
    to ``last`` is made again, too; otherwise, if nothing follows, "corrige" would take back that
    call and not this batch. The batch is empty if nothing came after ``last``.
    """
    counting = effective(records)
    if counting[-1].seq <= last:
        return ()
    kept = [record for record in counting if record.seq <= last]
    wanted = {record.seq for record in kept}
    seqs = [kept[-1].batch] if anew and kept[-1].batch != _opening(records) else []
    while True:
        given = number(map(Retracted, seqs), records[-1].seq, at=0.0)
        alive = effective([*records, *given])
        beyond = next((r.batch for r in reversed(alive) if r.seq not in wanted), None)
        if beyond is None:
            break
        seqs.append(beyond)
    left = {record.seq for record in alive}
    again = [record.event for record in kept if record.seq not in left]
    return (*map(Retracted, seqs), *again)


def is_retraction(batch: Iterable[Event]) -> bool:
    """Whether a batch only takes back, and makes no other calls in place of the old ones."""
    kinds = [isinstance(event, Retracted) for event in batch]
    return bool(kinds) and all(kinds)


def redo_target(records: Sequence[Record]) -> int | None:
    """The retraction that "rehaz" takes back: the last in force with no new call after it."""
    gone: set[int] = set()
    for record in reversed(records):
        if not isinstance(record.event, Retracted):
            return None
        if record.batch in gone:
            continue
        if _is_retraction(records, record.event.seq):
            gone.add(record.event.seq)  # a redo: it and the undo that it took back cancel out
            continue
        return record.batch
    return None


def check_retraction(records: Sequence[Record], seq: int) -> State:
    """The state that remains without the batch ``seq``.

    Raises HistoryError if there is no such batch, or if the remaining records do not fold.
    """
    if not any(record.batch == seq for record in records):
        raise HistoryError(f"There is no record {seq} to take back.")
    last = records[-1].seq
    left = fold([*records, *number((Retracted(seq),), last, records[-1].at)])
    if left is None:
        raise HistoryError("The opening of a game cannot be taken back: open another one.")
    return left


def _opening(records: Sequence[Record]) -> int:
    return next((r.batch for r in records if isinstance(r.event, GameOpened)), 0)


def _is_retraction(records: Sequence[Record], seq: int) -> bool:
    # Seqs count from 1 without gaps, so the record's place is known.
    batch = [r.event for r in records[max(0, seq - records[0].seq) :] if r.batch == seq]
    return is_retraction(batch)
