"""What was taken back, put right or decided by the table, and in which deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from assistant.chronicle.shape import Dispute
from assistant.rules import events as e
from assistant.rules.history import Record, effective, is_retraction

KINDS: dict[type[e.Event], str] = {
    e.StonesSet: "set",
    e.StonesAdjusted: "adjusted",
    e.BetCorrected: "bet",
    e.PenaltyApplied: "penalty",
    e.PenaltyWaived: "waived",
    e.DealVoided: "voided",
    e.CountReopened: "reopened",
}
RETRACTED = "retracted"


def disputes(records: Sequence[Record]) -> tuple[Dispute, ...]:
    """All disputes in the order of time; an undo that was taken back itself is none."""
    counting = {record.seq for record in effective(records)}
    found: list[Dispute] = []
    deal = 0
    for record in records:
        if isinstance(record.event, e.DealStarted):
            deal = record.event.deal
        kind = KINDS.get(type(record.event))
        if kind and record.seq in counting:
            reason = _reason(record.event)
            found.append(Dispute(deal, record.at, kind, reason, (record.event,)))
    return tuple(sorted([*found, *_retracted(records)], key=lambda dispute: dispute.at))


def _reason(event: e.Event) -> str:
    match event:
        case e.StonesAdjusted(reason=reason):
            return reason
        case e.PenaltyApplied(article=article) | e.PenaltyWaived(article=article):
            return article
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
            again = [r.event for r in batches[record.batch]]  # made anew at once: no dispute
            events = tuple(
                r.event for r in taken if not isinstance(r.event, unsaid) and r.event not in again
            )
            if not events:
                continue
            yield Dispute(_deal_at(records, taken[-1].seq), record.at, RETRACTED, "", events)


def _deal_at(records: Sequence[Record], seq: int) -> int:
    """The deal that was on when a record was made, whether it counts today or not."""
    return next(
        (
            record.event.deal
            for record in reversed(records)
            if record.seq <= seq and isinstance(record.event, e.DealStarted)
        ),
        0,
    )
