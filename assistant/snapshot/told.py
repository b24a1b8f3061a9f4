"""The parts of a snapshot that are told in sentences: the log, what was heard, the question."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.codec import call_to_dict
from assistant.messages import Accepted, Ask, Ignored, Outcome, Refused, Told
from assistant.rules.calls import Place
from assistant.rules.events import Event, ManoChanged, Retracted, SeatInferred
from assistant.rules.history import Record, effective
from assistant.rules.state import State
from assistant.snapshot.shape import (
    HeardView,
    LastHeard,
    LogView,
    Made,
    OptionView,
    Phrases,
    QuestionView,
)

LOG_LINES = 30


def log_views(state: State, records: Sequence[Record], phrases: Phrases) -> list[LogView]:
    """The newest lines, oldest of them first."""
    # An event takes one record, or two with its SeatInferred, which is a mark and no line.
    recent = records[-2 * LOG_LINES :]
    counting = {record.seq for record in effective(records)}
    lines: list[LogView] = []
    seat_inferred = False
    for record in recent:
        if isinstance(record.event, SeatInferred):
            seat_inferred = True
            continue
        undone = record.seq not in counting and not isinstance(record.event, Retracted)
        lines.append(
            {
                "seq": record.seq,
                "at": record.at,
                "text": phrases.log_line(record.event, state, records),
                "implied": bool(getattr(record.event, "implied", False)),
                "seat_inferred": seat_inferred,
                "undone": undone,
            }
        )
        seat_inferred = False
    return lines[-LOG_LINES:]


def heard_view(
    state: State, heard: LastHeard, phrases: Phrases, records: Sequence[Record] = ()
) -> HeardView:
    """What was heard and what became of it. Nothing more is said of a call after one that failed.

    With the ``records`` so far, an undo tells what it took back.

    Raises ValueError where there are no outcomes to tell of.
    """
    if not heard.outcomes:
        raise ValueError("Nothing is known of what became of these words.")
    told = [_told(state, outcome, phrases, records) for outcome in heard.outcomes]
    return {
        "text": heard.text,
        "confidence": round(heard.confidence, 2),
        "outcome": _MADE[type(heard.outcomes[-1])],
        "say": " · ".join(sentence for sentence in told if sentence),
    }


_MADE: dict[type[Outcome], Made] = {
    Accepted: "accepted",
    Ask: "ask",
    Refused: "refused",
    Ignored: "ignored",
    Told: "told",
}


def _told(state: State, outcome: Outcome, phrases: Phrases, records: Sequence[Record]) -> str:
    match outcome:
        case Accepted():
            if outcome.understood or isinstance(outcome.call, Place):
                return phrases.answer(outcome, state) or ""
            events = [e for e in outcome.events if not isinstance(e, SeatInferred)]
            # The call itself; what it took for granted stands before it, what follows after it.
            said = [e for e in events if not _follows(e)] or events
            return phrases.log_line(said[0], state, records) if said else ""
        case Ignored():
            return phrases.reason(outcome.code, ())
        case _:
            return phrases.answer(outcome, state) or ""


def _follows(event: Event) -> bool:
    """Whether nobody said this, but the game, or a mus corrido, made it so."""
    return bool(getattr(event, "implied", False)) or isinstance(event, ManoChanged)


def question_view(state: State, heard: LastHeard | None, phrases: Phrases) -> QuestionView | None:
    """What the table is asked now; any later outcome takes the question away."""
    ask = heard.outcomes[-1] if heard and heard.outcomes else None
    if not isinstance(ask, Ask):
        return None
    labels = phrases.options(ask, state)
    options: list[OptionView] = [
        {"label": label, "call": call_to_dict(call)}
        for label, call in zip(labels, ask.options, strict=True)
    ]
    return {"code": ask.code, "text": phrases.answer(ask, state) or "", "options": options}
