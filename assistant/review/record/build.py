"""Builds the record of a match, for a dispute, from its journal and its heard log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from assistant.language.phrases import Phrases
from assistant.language.script import write_script
from assistant.review.record.recount import recount, worth
from assistant.review.record.sections import (
    ACCEPTED,
    Note,
    NotedBatch,
    NoteEntry,
    RecordStep,
    Section,
    align,
    batches_of,
    sections,
)
from assistant.review.record.shape import (
    CAPPED,
    ROWS,
    CallTold,
    DealRecord,
    HandRecord,
    LanceRecord,
    MatchTold,
    Message,
    RecordedMove,
    RecordedScore,
    RecordedVerdict,
    RecordLine,
    TakenBack,
    bets,
    why_moved,
    why_won,
)
from assistant.rules import events as e
from assistant.rules.cards import format_hand
from assistant.rules.errors import HistoryError
from assistant.rules.events import DealStarted, Event, GameOpened, SeatInferred, StonesSet
from assistant.rules.hands import Pares, ParesKind, value
from assistant.rules.history import Record, effective, number
from assistant.rules.penalties import number_cited
from assistant.rules.phases import AFTER_DEAL
from assistant.rules.profile import Corrido, differences
from assistant.rules.state import State, side_letters

# ---- The results of one deal: lances, hands, every change of the score, the table's decisions


Clock = Callable[[float], datetime]

DECISIONS = (
    e.DeclarationDisproved,
    e.IrregularityReported,
    e.PenaltyProposed,
    e.PenaltyApplied,
    e.PenaltyWaived,
    e.LanceClaimed,
    e.ClaimDisproved,
    e.BetCorrected,
    e.StonesSet,
    e.StonesAdjusted,
    e.StonesLost,
    e.CountReopened,
    e.DealVoided,
)
"""Irregularities, and what the players settled themselves."""
ENDINGS = (e.JuegoWon, e.VacaWon, e.MatchWon)


def score_of(state: State) -> RecordedScore:
    """The score of a table by side."""
    letters = side_letters(state.sides)
    return RecordedScore(
        dict(zip(letters, state.stones, strict=True)),
        dict(zip(letters, state.juegos, strict=True)),
    )


def lances(section: Section) -> tuple[LanceRecord, ...]:
    """The closed lances, as the table keeps them."""
    state = section.last
    events = [step.record.event for step in section.steps]
    told = []
    for result in state.results:
        ordago = result.how is e.How.ORDAGO
        seat = result.seat
        hand = state.hands[seat - 1] if seat else None
        won = result.won or ordago
        told.append(
            LanceRecord(
                lance=str(result.lance),
                how=str(result.how),
                bets=bets(events, result.lance),
                agreed=result.stones,
                side=result.side if won else None,
                seat=seat,
                cards=format_hand(hand) if hand else None,
                won=result.won,
            )
        )
    return tuple(told)


def hands(section: Section, phrases: Phrases) -> tuple[HandRecord, ...]:
    """The hands that lie open, in the order of speaking."""
    state = section.last
    told = []
    for seat in state.order():
        hand = state.hands[seat - 1]
        if hand is None:
            continue
        seen = value(hand, state.profile)
        told.append(
            HandRecord(
                seat=seat,
                cards=format_hand(hand),
                pares=_pares(phrases, seen.pares) if seen.pares else None,
                pares_stones=seen.pares.value if seen.pares else 0,
                points=seen.points,
                juego_stones=seen.juego_stones,
                said_pares=state.pares[seat - 1],
                said_juego=state.juego[seat - 1],
            )
        )
    return tuple(told)


def _pares(phrases: Phrases, pares: Pares) -> str:
    """A hand's pares in the words of the spoken count: "duples de reyes y sotas"."""
    language = phrases.language
    first, last = language.rank(pares.ranks[0]), language.rank(pares.ranks[-1])
    if pares.kind is ParesKind.DUPLES and first == last:
        return language.fill("count.duples_four", rank=first)
    return language.fill(f"count.{pares.kind.name.lower()}", rank=first, other=last)


def moves(section: Section, clock: Clock) -> tuple[RecordedMove, ...]:
    """Every change of the score after the cards were dealt, in its order."""
    return tuple(move for step in section.steps[1:] for move in _moves(section, step, clock))


def decisions(section: Section, line: Callable[[RecordStep], RecordLine]) -> tuple[RecordLine, ...]:
    """Irregularities, articles and corrections, those that count."""
    return tuple(line(step) for step in section.steps if isinstance(step.record.event, DECISIONS))


def _moves(section: Section, step: RecordStep, clock: Clock) -> Iterator[RecordedMove]:
    event, before, after = step.record.event, step.before, step.after
    if before is None:
        return
    changes = {
        side: after.stones_of(side) - before.stones_of(side)
        for side in side_letters(after.sides)
        if after.stones_of(side) != before.stones_of(side)
    }
    if isinstance(event, ENDINGS):
        changes = {event.side: changes.get(event.side, 0)}
    lance = getattr(event, "lance", None)
    why = _why(section, step)
    for side, stones in changes.items():
        capped = isinstance(event, e.StonesWon) and _is_capped(section, step, event)
        yield RecordedMove(
            seq=step.record.seq,
            at=clock(step.record.at),
            when=_when(event),
            side=side,
            stones=stones,
            lance=str(lance) if lance else None,
            why=why,
            rows=_rows(why, capped=capped),
            note=_note(section, step),
            capped=capped,
            score=score_of(after),
        )


def _rows(why: str, *, capped: bool) -> tuple[str, ...]:
    rows = ROWS[why]
    return (*rows, CAPPED) if capped and CAPPED not in rows else rows


def _why(section: Section, step: RecordStep) -> str:
    event = step.record.event
    earlier = [s.record.event for s in section.steps if s.record.seq < step.record.seq]
    if isinstance(event, e.StonesWon):
        result = step.after.result(event.lance)
        claims = [ev for ev in earlier if isinstance(ev, e.LanceClaimed)]
        last_claim = next((ev for ev in reversed(claims) if ev.lance is event.lance), None)
        claimed = last_claim is not None and not last_claim.by_cards
        return why_won(event, result.how if result else None, bets(earlier, event.lance), claimed)
    last = earlier[-1] if earlier else None
    return why_moved(event, isinstance(last, e.StonesWon) and last.why is e.Why.DEJE)


def _when(event: e.Event) -> str:
    if isinstance(event, e.StonesWon):
        return "at_once" if event.why is e.Why.DEJE else "count"
    return "end" if isinstance(event, ENDINGS) else "table"


def _note(section: Section, step: RecordStep) -> str:
    """The reason that was said, or the article."""
    event = step.record.event
    if isinstance(event, e.StonesAdjusted):
        return event.reason
    if isinstance(event, e.StonesLost):
        return number_cited(step.after.profile, event.article)
    if isinstance(event, e.StonesWon) and event.why is e.Why.PENALTY:
        applied = [
            s.record.event.article
            for s in section.steps
            if isinstance(s.record.event, e.PenaltyApplied) and s.record.seq < step.record.seq
        ]
        return number_cited(step.after.profile, applied[-1]) if applied else ""
    return ""


def _is_capped(section: Section, step: RecordStep, event: e.StonesWon) -> bool:
    """Whether the side got fewer stones than the bet or deje was worth, as it needed no more."""
    if step.after.stones_of(event.side) < step.after.profile.target:
        return False
    return worth(section, event) > event.stones


# ---- The record of a match ----------------------------------------------------------------------


MOST_DEALS = 200
"""The most deals of a record, the last ones; an evening has about a hundred."""


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

    notes      the heard log, oldest first
    forgotten  whether that log once had older entries
    zone       the time zone of all times; None for the local one

    Raises HistoryError if the records do not fold, NoSuchDealError.
    """
    teller = _Teller(records, notes, phrases, forgotten, zone)
    found = sections(records, teller.batches, teller.entries)
    told = [s for s in found if deal is None or s.start.deal == deal]
    if not told:
        raise NoSuchDealError(
            "Deal {deal} was not played at this table: choose 1 to {last}.",
            deal=deal,
            last=found[-1].start.deal,
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
    """Puts the deals of one match into words."""

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

    def deal(self, section: Section) -> DealRecord:
        """One deal."""
        first, last = section.steps[0].record, section.steps[-1].record
        state = section.last
        return DealRecord(
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

    def message(self, entry: NoteEntry, state: State) -> Message:
        """One utterance with the calls that it was taken for, or a batch without an utterance."""
        return Message(
            at=self.clock(entry.at),
            seat=entry.seat,
            words=entry.text,
            calls=tuple(self.call(self.batches[place], state) for place in entry.batches),
            verdicts=tuple(self.verdict(note) for note in entry.notes),
        )

    def call(self, batch: NotedBatch, state: State) -> CallTold:
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
        """The retraction of a call."""
        return TakenBack(gone.seq, self.clock(gone.at), self._words.get(gone.batch))

    def step_line(self, step: RecordStep) -> RecordLine:
        """A record that counts in the words of the log."""
        return self.line(step.record.seq, step.record.event, step.after)

    def line(self, seq: int, event: Event, state: State) -> RecordLine:
        """An event in the words of the log."""
        text = self.phrases.log_line(event, state, self.records)
        return RecordLine(seq, event, text, bool(getattr(event, "implied", False)))

    def verdict(self, note: Note) -> RecordedVerdict:
        """The outcome of words that moved nothing."""
        if note.outcome == ACCEPTED:  # its batch was not found: the clock was set at that moment
            return RecordedVerdict("lost", note.detail, "")
        known = note.outcome in ("ask", "refused", "ignored")
        return RecordedVerdict(
            note.outcome, note.detail, self.phrases.reason(note.detail) if known else note.detail
        )


# ---- A match, or one deal of it, as a ``.mus`` script that plays to the same stones -------------


def match_script(records: Sequence[Record]) -> str:
    """The complete match, without the calls that were taken back."""
    return write_script(records)


def deal_script(records: Sequence[Record], deal: int) -> str:
    """One deal alone: rules, seats, the score before it, mano, and what was said.

    Juegos won before it cannot be written in a script, so they are in a comment. Raises
    NoSuchDealError.
    """
    found = [s for s in sections(records, batches_of(records), ()) if s.start.deal == deal]
    if not found:
        raise NoSuchDealError("Deal {deal} was not played at this table.", deal=deal)
    section = found[-1]  # one that was dealt again counts
    opened = next(r.event for r in effective(records) if isinstance(r.event, GameOpened))
    header = number(_header(opened, section), 0, section.steps[0].record.at)
    shift = len(header) - section.steps[0].record.seq
    body = [
        Record(s.record.seq + shift, s.record.batch + shift, s.record.at, s.record.event)
        for s in section.steps[1:]
    ]
    return _comment(section) + write_script([*header, *body])


def _header(opened: GameOpened, section: Section) -> tuple[GameOpened, DealStarted, StonesSet]:
    # A script begins a match, whose first mus may be corrido (R06): here only if this deal's was.
    corrido = Corrido.MATCH if section.start.corrido else Corrido.OFF
    opened = replace(opened, profile=replace(opened.profile, corrido=corrido), given=())
    start = replace(section.start, deal=1, implied=False)
    return opened, start, StonesSet(section.first.stones)


def _comment(section: Section) -> str:
    juegos = " ".join(map(str, section.first.juegos))
    return f"# Mano {section.start.deal}. Juegos antes: {juegos}\n"
