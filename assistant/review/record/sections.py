"""A match cut into its deals, each with what was heard while it was played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assistant.rules.changes import apply
from assistant.rules.errors import HistoryError, MusError
from assistant.rules.events import DealStarted, Retracted
from assistant.rules.history import Record, effective, is_retraction
from assistant.rules.state import State

# ---- The alignment of the ``heard`` log with the batches: each utterance with its calls ---------
# The table commits a message's batches at one time and notes its outcomes right after, in the same
# order, before it looks at the next message. So a noted call belongs to the latest batch that is
# not younger than the note; a batch without a note came from the screen, a camera or a script.


LATE = 60.0
"""Seconds after its batch that a note may be written: a disk can hang for half a minute."""
AHEAD = 500
"""The most batches that are searched for one note; nobody makes so many taps in a row."""
ONE_BREATH = 0.5
"""Seconds within which notes with the same words belong to the same message."""
ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Note:
    """An entry of the ``heard`` log; ``at`` is Unix time in seconds."""

    at: float
    text: str
    seat: int | None
    outcome: str
    detail: str


@dataclass(frozen=True, slots=True)
class NotedBatch:
    """One call as it was committed; ``gone`` is the retraction in force that takes it back."""

    records: tuple[Record, ...]
    gone: Record | None = None

    @property
    def seq(self) -> int:
        """The seq of its first record."""
        return self.records[0].seq

    @property
    def at(self) -> float:
        """When it was committed, in Unix seconds."""
        return self.records[0].at

    @property
    def retracts(self) -> bool:
        """Whether it takes something back, or brings back what was taken back."""
        return any(isinstance(record.event, Retracted) for record in self.records)

    @property
    def undoes(self) -> bool:
        """Whether it does nothing else; a correction also makes calls in place of the old ones."""
        return is_retraction(record.event for record in self.records)


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """One message: its words (``None`` where nobody was heard), its batches, its other outcomes.

    ``batches`` are places in the list of all batches. ``after`` is how many batches stood when it
    was said.
    """

    at: float
    seat: int | None
    text: str | None
    batches: tuple[int, ...]
    notes: tuple[Note, ...]
    after: int


def batches_of(records: Sequence[Record]) -> list[NotedBatch]:
    """The records grouped by call, in the order in which they were committed."""
    gone: dict[int, Record] = {}
    for record in reversed(records):
        if isinstance(record.event, Retracted) and record.batch not in gone:
            gone.setdefault(record.event.seq, record)
    found: dict[int, list[Record]] = {}
    for record in records:
        found.setdefault(record.batch, []).append(record)
    return [NotedBatch(tuple(batch), gone.get(seq)) for seq, batch in found.items()]


def align(batches: Sequence[NotedBatch], notes: Iterable[Note]) -> list[NoteEntry]:
    """Every message in its order: the heard ones with their batches, then those without words."""
    entries: list[NoteEntry] = []
    done = 0  # batches that stand before whatever comes next
    for note in notes:
        place = _batch_of(batches, note, done) if note.outcome == ACCEPTED else None
        upto = _standing(batches, note, done) if place is None else place
        entries.extend(_silent(batches, done, upto))
        done = upto if place is None else place + 1
        _add(entries, batches, note, place, done)
    entries.extend(_silent(batches, done, len(batches)))
    return entries


def _batch_of(batches: Sequence[NotedBatch], note: Note, first: int) -> int | None:
    """The batch that a noted call made: the latest one that existed when the note was written."""
    best: int | None = None
    command = note.detail.startswith("<Command")
    for place in range(first, min(first + AHEAD, len(batches))):
        batch = batches[place]
        if note.at < batch.at <= note.at + LATE:
            break  # said later
        if not note.at - LATE <= batch.at <= note.at or batch.undoes is not command:
            continue  # of another day, or the clock was set in between
        if best is None or batch.at > batches[best].at:
            best = place
    return best


def _standing(batches: Sequence[NotedBatch], note: Note, first: int) -> int:
    """How many batches had been committed when a note that moved nothing was written."""
    place = first
    while place < len(batches) and note.at - LATE <= batches[place].at <= note.at:
        place += 1
    return place


def _silent(batches: Sequence[NotedBatch], first: int, upto: int) -> list[NoteEntry]:
    return [
        NoteEntry(batches[place].at, None, None, (place,), (), place)
        for place in range(first, upto)
    ]


def _add(
    entries: list[NoteEntry],
    batches: Sequence[NotedBatch],
    note: Note,
    place: int | None,
    done: int,
) -> None:
    """Add a note to the message that it belongs to, or begin another message."""
    last = entries[-1] if entries else None
    moves = () if place is None else (place,)
    others = (note,) if place is None else ()
    if last and _same(last, batches, note, place):
        entries[-1] = replace(
            last, batches=(*last.batches, *moves), notes=(*last.notes, *others), after=done
        )
        return
    at = note.at if place is None else batches[place].at
    entries.append(NoteEntry(at, note.seat, note.text, moves, others, done))


def _same(last: NoteEntry, batches: Sequence[NotedBatch], note: Note, place: int | None) -> bool:
    if (last.text, last.seat) != (note.text, note.seat) or abs(note.at - last.at) > LATE:
        return False
    if place is not None and last.batches:  # a message's batches are committed at one moment
        return batches[place].at == batches[last.batches[-1]].at
    return abs(note.at - last.at) < ONE_BREATH


# ---- A match cut into its deals, together with what was taken back ------------------------------


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
            raise HistoryError(
                "Record {seq} does not fit: {error}", seq=record.seq, error=error
            ) from error
        if isinstance(record.event, DealStarted):
            deals.append([])
        if deals:  # the opening of the match stands before the first deal
            deals[-1].append(RecordStep(record, before, state))
    return deals


def _deal_of_each(batches: Sequence[NotedBatch]) -> list[Record | None]:
    """For each batch the start of the deal then played, even if it was taken back later.

    A retraction that takes back, or brings back, the start of a deal is that deal's. ``None`` if
    there was none: a match opens, and stones may be set, before anybody says who is mano.
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
    """The place of the deal that a batch belongs to; a deal begun again is the new one."""
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
    """Split a message by the deals it speaks of: one utterance may end one and begin the next."""
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
