"""What one seat may say now: how it is said, what it means, what it can bring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assistant.apprentice.sayings import declaring, said
from assistant.apprentice.shape import ChoiceView, StakeView, WayView
from assistant.apprentice.stakes import Stake, stakes
from assistant.apprentice.words import Tongue
from assistant.rules import calls as c
from assistant.rules.engine import legal_calls
from assistant.rules.legal import refusal
from assistant.rules.phases import BEFORE_LANCES, Lance
from assistant.rules.state import State

AMOUNTS = (5, 10)
"""Bets that are explained beside the smallest one."""
MORE = (5,)
"""Raises that are."""
SPOKEN = (
    c.Mus,
    c.Cut,
    c.Pedrete,
    c.Pass,
    c.Bet,
    c.Raise,
    c.Reenvido,
    c.Ordago,
    c.Accept,
    c.Refuse,
    c.Declare,
    c.NextDeal,
)
"""Calls of the game: claims, reports and verdicts are the whole table's."""


def choices(state: State, seat: int, tongue: Tongue) -> list[ChoiceView]:
    """All that a seat may say now, one entry for each kind of call."""
    found: dict[str, ChoiceView] = {}
    for call in legal_calls(state):
        if not isinstance(call, SPOKEN) or not _his(state, call, seat):
            continue
        kind = kind_of(call, state)
        means = tongue(f"call.{kind}", **_words(state, tongue))
        choice = found.setdefault(kind, {"kind": kind, "means": means, "ways": []})
        choice["ways"] += [_way(state, one, tongue) for one in _amounts(state, call)]
    return list(found.values())


def _his(state: State, call: c.Call, seat: int) -> bool:
    """Whether it is for this seat; a new deal anybody may call for."""
    if isinstance(call, c.NextDeal):
        return call.mano is None or call.mano == seat
    alone = len(state.seats_of(state.side_of(seat))) == 1
    return call.seat == seat and not (alone and isinstance(call, c.Refuse) and call.plural)


def kind_of(call: c.Call, state: State) -> str:
    """The key of what a call means now."""
    bet, cuts = state.pending, state.phase in BEFORE_LANCES
    partners = bet is not None and call.seat is not None and state.side_of(call.seat) == bet.side
    match call:
        case c.Pass():
            return "pass_refuses" if bet else "pass_cuts" if cuts else "pass"
        case c.Bet(both=True):
            return "bet_both"
        case c.Ordago(both=True):
            return "ordago_both"
        case c.Bet() | c.Raise() if partners:
            return "partner_bet"
        case c.Ordago() if partners:
            return "partner_ordago"
        case c.Bet():
            return "bet_reply" if bet else "bet_cuts" if cuts else "bet"
        case c.Accept():
            return "accept_ordago" if bet and bet.ordago else "accept"
        case c.Refuse(plural=True):
            return "refuse_plural"
        case c.Refuse():
            return "refuse" if bet and _partner_may_answer(state, call) else "refuse_alone"
        case c.Declare():
            return declaring(call, state)
        case c.NextDeal():
            return "next_deal" if call.mano is None else "mano"
        case _:
            return type(call).__name__.lower()


def _partner_may_answer(state: State, call: c.Call) -> bool:
    side = state.side_of(call.seat or 0)
    return any(s != call.seat and state.side_of(s) == side for s in state.answerers())


def _words(state: State, tongue: Tongue) -> dict[str, str]:
    words = tongue.lance(Lance.GRANDE if state.phase in BEFORE_LANCES else state.lance)
    return {**words, "stones": tongue.stones(state.profile.pedrete)}


def _amounts(state: State, call: c.Call) -> Iterator[c.Call]:
    """The call, and the same with some larger numbers where it takes one."""
    yield call
    if isinstance(call, c.Bet | c.Raise) and not getattr(call, "both", False):
        for stones in MORE if isinstance(call, c.Raise) else AMOUNTS:
            more = replace(call, stones=stones)
            if stones > call.stones and refusal(state, more) is None:
                yield more


def _way(state: State, call: c.Call, tongue: Tongue) -> WayView:
    stones = getattr(call, "stones", None)
    return {
        "say": said(call, state, tongue),
        "stones": stones if isinstance(stones, int) else None,
        "stakes": [_stake(stake, tongue) for stake in stakes(state, call)],
    }


def _stake(stake: Stake, tongue: Tongue) -> StakeView:
    the = tongue.lance(stake.lance)["the"]
    between = tongue.between(*stake.more) if stake.more else ""
    words = {
        "stones": tongue.stones(stake.stones),
        "between": between,
        "the": the,
        "more": tongue.part("stake.more", between=between, the=the) if between else "",
        "later": tongue.part("stake.later", stones=tongue.stones(stake.later))
        if stake.later
        else "",
    }
    key = f"{stake.kind}_juego" if stake.juego else stake.kind
    if stake.kind == "given" and stake.sure and not stake.juego:
        key = "given_sure"
    if stake.kind == "passed" and not stake.stones:
        key = "passed_values"
    return {
        "kind": stake.kind,
        "stones": stake.stones,
        "later": stake.later,
        "more": list(stake.more) if stake.more else None,
        "juego": stake.juego,
        "text": tongue(f"stake.{key}", **words),
    }
