"""What may be pressed now, and what was told last, as a snapshot shows it."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.messages import Accepted, Ask, Ignored, Outcome, Refused, Told
from assistant.messages.codec import call_to_dict
from assistant.rules.arbitration import reportable
from assistant.rules.calls import (
    AdjustStones,
    Call,
    ClaimLance,
    CorrectBet,
    Place,
    Redeal,
    Report,
    Verdict,
)
from assistant.rules.cards import HAND_SIZE
from assistant.rules.events import (
    OF_ONE,
    Event,
    How,
    Irregularity,
    ManoChanged,
    PenaltyProposed,
    Retracted,
    SeatInferred,
)
from assistant.rules.history import Record, effective
from assistant.rules.legal import refusal
from assistant.rules.phases import Lance
from assistant.rules.state import State, side_letters
from assistant.table.snapshot.shape import (
    BetOfferView,
    ClaimView,
    HeardView,
    IncidentsView,
    LastHeard,
    LogPhrases,
    LogView,
    Made,
    OptionView,
    ProposalView,
    QuestionView,
    ReportView,
    ShownBefore,
    StonesOfferView,
)

# ---- What is offered beside the talk of the game: claims, corrections, reports, a decision ------
# None of it is listed with the calls, for it would bury them. Each offer carries the call as the
# page sends it back, and what may be filled in.


APART = (ClaimLance, Verdict)
"""Calls that are legal but stand in places of their own, not among the buttons."""
COUNTS = (2, 3, 5, 6)
"""Cards that somebody may hold instead of four; any other number is said aloud."""
MENDED = (HAND_SIZE,)
"""Whoever was said to hold fewer holds four after all."""


def proposal_view(state: State, phrases: LogPhrases) -> ProposalView | None:
    """The article that the table is to decide on now, if one waits."""
    if not state.proposals:
        return None
    first = state.proposals[0]
    event = PenaltyProposed(first.article, first.remedy, first.seat, first.lance)
    verdicts = (Verdict(apply=True), Verdict(apply=False))
    return {
        "article": first.article,
        "remedy": first.remedy,
        "seat": first.seat,
        "lance": first.lance,
        "text": phrases.log_line(event, state, ()),
        "options": [{"label": phrases.label(v, state), "call": call_to_dict(v)} for v in verdicts],
    }


def incidents_view(state: State, calls: Sequence[Call]) -> IncidentsView:
    """Everything that may be told, claimed or put right now; ``calls`` are all that is legal."""
    return {
        "claims": _claims(calls),
        "reports": _reports(state),
        "bets": _bets(state),
        "stones": _stones(state),
        "redeal": _allowed(state, Redeal()),
    }


def _allowed(state: State, call: Call) -> bool:
    return refusal(state, call) is None


def _claims(calls: Sequence[Call]) -> list[ClaimView]:
    """One for each lance and side, with all the values that its hands may have."""
    views: dict[tuple[Lance | None, str | None], ClaimView] = {}
    for call in calls:
        if isinstance(call, ClaimLance) and call.lance and call.side:
            view = views.setdefault(
                (call.lance, call.side),
                {
                    "lance": call.lance,
                    "side": call.side,
                    "values": [],
                    "call": call_to_dict(ClaimLance(lance=call.lance, side=call.side)),
                },
            )
            view["values"].append(list(call.values))
    return list(views.values())


def _reports(state: State) -> list[ReportView]:
    counts = _counts(state)
    return [
        {
            "kind": kind,
            "players": [] if kind is Irregularity.SAME_MANO else list(players),
            "needs_player": kind in OF_ONE,
            "cards": list(counts) if kind is Irregularity.CARD_COUNT else [],
            "call": call_to_dict(Report(kind=kind)),
        }
        for kind, players in reportable(state, counts).items()
    ]


def _counts(state: State) -> tuple[int, ...]:
    """The numbers of cards that may be told of, in order."""
    if not state.incidents.short:
        return COUNTS
    short = any(state.cards_of(seat) != HAND_SIZE for seat in state.order())
    return tuple(sorted(COUNTS + MENDED)) if short else COUNTS


def _bets(state: State) -> list[BetOfferView]:
    """The bets of this deal that can be put right ("la grande eran cinco")."""
    bets: dict[Lance, int] = {r.lance: r.stones for r in state.results if r.how is How.ACCEPTED}
    if state.pending and not state.pending.ordago:
        bets[state.pending.lance] = state.pending.stones
    return [
        {"lance": lance, "stones": stones, "call": call_to_dict(call)}
        for lance, stones in bets.items()
        # Any other amount: the one that is on the table needs no correction.
        if _allowed(state, call := CorrectBet(lance=lance, stones=stones + 1))
    ]


def _stones(state: State) -> list[StonesOfferView]:
    """How many stones each side can be given, or have taken away (``least`` is negative)."""
    sides, target = side_letters(state.sides), state.profile.target
    # One stone more is always within the target, unless the juego is over: for all sides alike.
    if not _allowed(state, AdjustStones(side=sides[0], stones=1)):
        return []
    return [
        {
            "side": side,
            "least": -stones,
            "most": target - stones,
            "call": call_to_dict(AdjustStones(side=side)),
        }
        for side, stones in zip(sides, state.stones, strict=True)
    ]


# ---- The parts of a snapshot that are told in sentences: the log, what was heard, the question


LOG_LINES = 30


def log_views(
    state: State, records: Sequence[Record], phrases: LogPhrases, shown: ShownBefore
) -> list[LogView]:
    """The newest lines, oldest of them first; those that were ``shown`` before are as they were."""
    # An event takes one record, or two with its SeatInferred, which is a mark and no line.
    recent = records[-2 * LOG_LINES :]
    told = [record for record in recent if not isinstance(record.event, SeatInferred)]
    texts = iter(shown.lines([record.event for record in told], state, records, phrases))
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
                "text": next(texts),
                "implied": bool(getattr(record.event, "implied", False)),
                "seat_inferred": seat_inferred,
                "undone": undone,
            }
        )
        seat_inferred = False
    return lines[-LOG_LINES:]


def heard_view(
    state: State, heard: LastHeard, phrases: LogPhrases, records: Sequence[Record] = ()
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


def _told(state: State, outcome: Outcome, phrases: LogPhrases, records: Sequence[Record]) -> str:
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


def question_view(
    state: State, heard: LastHeard | None, phrases: LogPhrases
) -> QuestionView | None:
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
