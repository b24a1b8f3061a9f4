"""Records and heard notes put together as the record of a match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo

from assistant.phrases import Phrases
from assistant.record.deal import decisions, hands, lances, moves, score_of
from assistant.record.notes import ACCEPTED, Batch, Entry, Note, align, batches_of
from assistant.record.recount import recount
from assistant.record.sections import Section, Step, sections
from assistant.record.shape import (
    CallTold,
    DealTold,
    Line,
    MatchTold,
    Message,
    TakenBack,
    Verdict,
)
from assistant.rules.errors import HistoryError
from assistant.rules.events import Event, SeatInferred
from assistant.rules.history import Record
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.profile import differences
from assistant.rules.state import State, side_letters

MOST_DEALS = 200
"""Deals that one record tells, the last ones; an evening has about a hundred."""


class NoSuchDealError(HistoryError):
    """A deal that this match does not have."""


def build(
    table: str,
    records: Sequence[Record],
    notes: Sequence[Note],
    phrases: Phrases,
    *,
    deal: int | None = None,
    forgotten: bool = False,
    zone: tzinfo | None = None,
) -> MatchTold:
    """The record of a match, or of its deals with one number.

    ``notes`` is the heard log, oldest first, and ``forgotten`` whether it had more before them;
    ``zone`` is that of the times (else the local one).
    Raises HistoryError where the records do not fold, NoSuchDealError.
    """
    teller = _Teller(records, notes, phrases, forgotten, zone)
    found = sections(records, teller.batches, teller.entries)
    told = [s for s in found if deal is None or s.start.deal == deal]
    if not told:
        raise NoSuchDealError(
            f"Deal {deal} was not played at this table: choose 1 to {found[-1].start.deal}."
        )
    state = found[-1].last
    kept = told[-MOST_DEALS:]
    return MatchTold(
        table=table,
        seats=state.seats,
        sides=_sides(state),
        rules=differences(state.profile),
        began=teller.clock(records[0].at),
        score=score_of(state),
        winner=state.winner,
        left_out=len(told) - len(kept),
        deals=tuple(teller.deal(section) for section in kept),
    )


def _sides(state: State) -> dict[str, tuple[str, ...]]:
    return {
        side: tuple(state.seats[seat - 1] for seat in sorted(state.seats_of(side)))
        for side in side_letters(state.sides)
    }


class _Teller:
    """What all deals of a match are told with."""

    def __init__(
        self,
        records: Sequence[Record],
        notes: Sequence[Note],
        phrases: Phrases,
        forgotten: bool,
        zone: tzinfo | None,
    ) -> None:
        self.records = records
        self.phrases = phrases
        self.zone = zone
        self.batches = batches_of(records)
        self.entries = align(self.batches, notes)
        self.heard_from = notes[0].at if notes and forgotten else float("-inf")
        self._words = {
            self.batches[place].seq: entry.text for entry in self.entries for place in entry.batches
        }

    def clock(self, at: float) -> datetime:
        """A time of the journal; one that no calendar has is the beginning of Unix time."""
        try:
            return datetime.fromtimestamp(at, UTC).astimezone(self.zone)
        except (OverflowError, ValueError, OSError):
            return datetime.fromtimestamp(0, UTC).astimezone(self.zone)

    def deal(self, section: Section) -> DealTold:
        """One deal."""
        first, last = section.steps[0].record, section.steps[-1].record
        state = section.last
        return DealTold(
            deal=section.start.deal,
            mano=state.mano,
            began=self.clock(first.at),
            ended=self.clock(last.at),
            finished=state.phase in AFTER_DEAL,
            before=score_of(section.first),
            after=score_of(state),
            heard_is_kept=self.heard_from <= first.at,
            messages=tuple(self.message(entry, state) for entry in section.entries),
            lances=lances(section),
            hands=hands(section, self.phrases),
            moves=moves(section, self.clock),
            decisions=decisions(section, self.step_line),
            checks=recount(section),
        )

    def message(self, entry: Entry, state: State) -> Message:
        """One utterance with what it was taken for, or a batch that nobody was heard to say."""
        return Message(
            at=self.clock(entry.at),
            seat=entry.seat,
            words=entry.text,
            calls=tuple(self.call(self.batches[place], state) for place in entry.batches),
            verdicts=tuple(self.verdict(note) for note in entry.notes),
        )

    def call(self, batch: Batch, state: State) -> CallTold:
        """One call in the words of the log."""
        guess = next((r.event for r in batch.records if isinstance(r.event, SeatInferred)), None)
        gone = batch.gone
        return CallTold(
            seq=batch.seq,
            lines=tuple(
                self.line(record.seq, record.event, state)
                for record in batch.records
                if not isinstance(record.event, SeatInferred)
            ),
            inferred=guess.seat if guess else None,
            why=guess.why if guess else "",
            taken_back=self.taken_back(gone) if gone else None,
        )

    def taken_back(self, gone: Record) -> TakenBack:
        """What took a call back."""
        return TakenBack(gone.seq, self.clock(gone.at), self._words.get(gone.batch))

    def step_line(self, step: Step) -> Line:
        """A record that counts in the words of the log."""
        return self.line(step.record.seq, step.record.event, step.after)

    def line(self, seq: int, event: Event, state: State) -> Line:
        """An event in the words of the log."""
        text = self.phrases.log_line(event, state, self.records)
        return Line(seq, event, text, bool(getattr(event, "implied", False)))

    def verdict(self, note: Note) -> Verdict:
        """What became of words that moved nothing."""
        if note.outcome == ACCEPTED:  # its batch was not found: the clock was set at that moment
            return Verdict("lost", note.detail, "")
        known = note.outcome in ("ask", "refused", "ignored")
        return Verdict(
            note.outcome, note.detail, self.phrases.reason(note.detail) if known else note.detail
        )
