"""What is offered beside the talk of the game: claims, corrections, reports, a decision.

None of it is listed with the calls, for it would bury them. Each offer carries the call as the page
sends it back, and what may be filled in.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.codec import call_to_dict
from assistant.rules.calls import (
    AdjustStones,
    Call,
    ClaimLance,
    CorrectBet,
    Redeal,
    Report,
    Verdict,
)
from assistant.rules.cards import HAND_SIZE
from assistant.rules.events import How, Irregularity, PenaltyProposed
from assistant.rules.legal import refusal
from assistant.rules.phases import Lance
from assistant.rules.reasons import OF_ONE
from assistant.rules.state import State, side_letters
from assistant.snapshot.shape import (
    BetOfferView,
    ClaimView,
    IncidentsView,
    Phrases,
    ProposalView,
    ReportView,
    StonesOfferView,
)

APART = (ClaimLance, Verdict)
"""Calls that are legal but stand in places of their own, not among the buttons."""
COUNTS = (2, 3, 5, 6)
"""Cards that somebody may hold instead of four; any other number is said aloud."""
MENDED = (HAND_SIZE,)
"""Whoever was said to hold fewer holds four after all."""


def proposal_view(state: State, phrases: Phrases) -> ProposalView | None:
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
    views: list[ReportView] = []
    for kind in Irregularity:
        cards = _counts(state) if kind is Irregularity.CARD_COUNT else ()
        players = [
            seat
            for seat in range(1, state.players + 1)
            if any(_allowed(state, Report(kind=kind, player=seat, cards=n)) for n in cards or (0,))
        ]
        if not players:
            continue
        views.append(
            {
                "kind": kind,
                "players": [] if kind is Irregularity.SAME_MANO else players,
                "needs_player": kind in OF_ONE,
                "cards": list(cards),
                "call": call_to_dict(Report(kind=kind)),
            }
        )
    return views


def _counts(state: State) -> tuple[int, ...]:
    """The numbers of cards that may be told of, in order."""
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
    return [
        {
            "side": side,
            "least": -state.stones_of(side),
            "most": state.profile.target - state.stones_of(side),
            "call": call_to_dict(AdjustStones(side=side)),
        }
        for side in side_letters(state.sides)
        # One stone more is always within the target, unless the juego is over.
        if _allowed(state, AdjustStones(side=side, stones=1))
    ]
