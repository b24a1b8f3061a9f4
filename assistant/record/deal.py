"""What one deal came to: lances, hands, every change of the score, and what the table decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from assistant.phrases import Phrases
from assistant.record.bets import bets
from assistant.record.recount import worth
from assistant.record.sections import Section, Step
from assistant.record.shape import HandTold, LanceTold, Line, Move, Score
from assistant.record.why import CAPPED, ROWS, why_moved, why_won
from assistant.rules import events as e
from assistant.rules.cards import format_hand
from assistant.rules.hands import Pares, ParesKind, value
from assistant.rules.state import State, side_letters

Clock = Callable[[float], datetime]

DECISIONS = (
    e.DeclarationDisproved,
    e.IrregularityReported,
    e.PenaltyProposed,
    e.PenaltyApplied,
    e.PenaltyWaived,
    e.LanceClaimed,
    e.BetCorrected,
    e.StonesSet,
    e.StonesAdjusted,
    e.StonesLost,
    e.CountReopened,
    e.DealVoided,
)
"""What was irregular, and what the players settled by their own word."""
ENDINGS = (e.JuegoWon, e.VacaWon, e.MatchWon)


def score_of(state: State) -> Score:
    """The score of a table by side."""
    letters = side_letters(state.sides)
    return Score(
        dict(zip(letters, state.stones, strict=True)),
        dict(zip(letters, state.juegos, strict=True)),
    )


def lances(section: Section) -> tuple[LanceTold, ...]:
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
            LanceTold(
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


def hands(section: Section, phrases: Phrases) -> tuple[HandTold, ...]:
    """The hands that lie open, in the order of speaking."""
    state = section.last
    told = []
    for seat in state.order():
        hand = state.hands[seat - 1]
        if hand is None:
            continue
        seen = value(hand, state.profile)
        told.append(
            HandTold(
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
    """The words of the count aloud: "duples de reyes y sotas"."""
    language = phrases.language
    first, last = language.rank(pares.ranks[0]), language.rank(pares.ranks[-1])
    if pares.kind is ParesKind.DUPLES and first == last:
        return language.fill("count.duples_four", rank=first)
    return language.fill(f"count.{pares.kind.name.lower()}", rank=first, other=last)


def moves(section: Section, clock: Clock) -> tuple[Move, ...]:
    """Every change of the score after the cards were dealt, in its order."""
    return tuple(move for step in section.steps[1:] for move in _moves(section, step, clock))


def decisions(section: Section, line: Callable[[Step], Line]) -> tuple[Line, ...]:
    """Irregularities, articles and corrections, those that count."""
    return tuple(line(step) for step in section.steps if isinstance(step.record.event, DECISIONS))


def _moves(section: Section, step: Step, clock: Clock) -> Iterator[Move]:
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
        yield Move(
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


def _why(section: Section, step: Step) -> str:
    event = step.record.event
    earlier = [s.record.event for s in section.steps if s.record.seq < step.record.seq]
    if isinstance(event, e.StonesWon):
        result = step.after.result(event.lance)
        claimed = any(isinstance(ev, e.LanceClaimed) and ev.lance is event.lance for ev in earlier)
        return why_won(event, result.how if result else None, bets(earlier, event.lance), claimed)
    last = earlier[-1] if earlier else None
    return why_moved(event, isinstance(last, e.StonesWon) and last.why is e.Why.DEJE)


def _when(event: e.Event) -> str:
    if isinstance(event, e.StonesWon):
        return "at_once" if event.why is e.Why.DEJE else "count"
    return "end" if isinstance(event, ENDINGS) else "table"


def _note(section: Section, step: Step) -> str:
    """The reason that was said, or the article."""
    event = step.record.event
    if isinstance(event, e.StonesAdjusted):
        return event.reason
    if isinstance(event, e.StonesLost):
        return event.article
    if isinstance(event, e.StonesWon) and event.why is e.Why.PENALTY:
        applied = [
            s.record.event.article
            for s in section.steps
            if isinstance(s.record.event, e.PenaltyApplied) and s.record.seq < step.record.seq
        ]
        return applied[-1] if applied else ""
    return ""


def _is_capped(section: Section, step: Step, event: e.StonesWon) -> bool:
    """Whether the side got fewer stones than the bet or deje was worth: it needed no more."""
    if step.after.stones_of(event.side) < step.after.profile.target:
        return False
    return worth(section, event) > event.stones
