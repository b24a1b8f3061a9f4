"""What a table leaves unsaid: who spoke, the passes nobody said, the refusal that silence means.

Each inference becomes an event of its own, marked ``implied``, so nothing is guessed silently.
Sources: "How a hand is played" of the rule table, R03, R09, R35, R36.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.draft import Draft
from assistant.rules.errors import AmbiguousCall
from assistant.rules.legal import (
    MESSAGES,
    declared_lance,
    is_round_of,
    may_show,
    missing_hands,
    refusal,
)
from assistant.rules.phases import BETTING, DECLARING, LANCE_OF, ORDER, Lance, Phase
from assistant.rules.settle import settle
from assistant.rules.state import State

TALK = (c.Pass, c.Bet, c.Ordago)
"""Calls that open a lance, or pass in it: those that may already speak of the next one."""


def fill_in(draft: Draft, call: c.Call) -> c.Call:
    """Put into the draft what the call takes for granted; return the call with its seat.

    Raises AmbiguousCall where a bet is pending and the call speaks of the next lance (R36), or
    where a player who has just passed speaks again.
    """
    _start_deal(draft, call)
    _close_what_the_call_leaves_behind(draft, call)
    return _seated(draft, call)


def to_speak(state: State) -> int | None:
    """Whose turn it is; others may speak out of turn all the same (R03)."""
    if state.phase is Phase.SHOWDOWN:
        return next(iter(missing_hands(state)), None)
    if state.phase in (Phase.COUNT, Phase.OVER):
        return None
    if state.pending:
        return next(iter(state.answerers()), None)
    return next(iter(_silent(state)), None)


def _silent(state: State) -> tuple[int, ...]:
    """Who has not spoken yet in this round, from mano."""
    lance = LANCE_OF.get(state.phase)
    if state.phase in DECLARING and lance:
        said = state.declared(lance)
        return tuple(seat for seat in state.order() if said[seat - 1] is None)
    seats = state.holders(lance) if lance else state.order()
    return tuple(seat for seat in seats if seat not in state.spoken)


def _start_deal(draft: Draft, call: c.Call) -> None:
    """After the count, "mus" or "no hay mus" can only be the next deal's."""
    state = draft.state
    if state.phase is Phase.COUNT and isinstance(call, c.Mus | c.Cut):
        draft.emit(e.DealStarted(state.deal + 1, next_mano(state), implied=True))


def next_mano(state: State) -> int:
    """Mano moves one seat to the right with each deal (R05)."""
    return state.order()[1]


def _close_what_the_call_leaves_behind(draft: Draft, call: c.Call) -> None:
    """Close the present lance, once or more, while the call speaks of a later one."""
    for _ in Lance:
        state = draft.state
        if state.phase not in BETTING or not _speaks_of_the_next(state, call):
            return
        if state.pending and not state.pending.refused:
            raise AmbiguousCall(
                "no_quereis",
                MESSAGES["no_quereis"],
                call,
                options=(c.Refuse(plural=True), c.Accept()),
            )
        if state.pending:
            for seat in state.answerers():
                draft.emit(e.BetRefused(seat, state.pending.lance, implied=True))
        else:
            for seat in _silent(state):
                draft.emit(e.Passed(seat, _lance(state), implied=True))
        settle(draft)


def _speaks_of_the_next(state: State, call: c.Call) -> bool:
    """Whether the call names a later lance, or can only belong to one."""
    here = _lance(state)
    named = call.lance
    if named is not None and named is not here:
        return ORDER[named] > ORDER[here]
    if isinstance(call, c.ShowHand):
        return here in (Lance.JUEGO, Lance.PUNTO)  # nobody says the last "paso": they lay down
    if not isinstance(call, TALK) or named is here:
        return False
    if state.pending:
        return _over_a_half_refused_bet(state, call)
    return _passed_before(state, call)


def _over_a_half_refused_bet(state: State, call: c.Call) -> bool:
    """One of the pair has refused: whoever cannot answer the bet now speaks of the next lance."""
    bet = state.pending
    if bet is None or not bet.refused:
        return False
    if call.seat is None:
        # The partner would say how much more; a plain "envido" opens the next lance.
        return isinstance(call, c.Bet)
    return state.side_of(call.seat) == bet.side or call.seat in (*bet.refused, *bet.out)


def _passed_before(state: State, call: c.Call) -> bool:
    """A player who has passed speaks again: of the next lance, unless it was a moment ago."""
    if call.seat is None or call.seat not in state.spoken:
        return False
    if call.seat == state.spoken[-1]:
        raise AmbiguousCall("change_of_mind", MESSAGES["change_of_mind"], call)
    return True


def _seated(draft: Draft, call: c.Call) -> c.Call:
    """Give a call of an unknown speaker to the pair that can make it; if both can, to the turn."""
    state = draft.state
    if call.seat is not None or isinstance(call, c.NextDeal | c.SetStones):
        return call
    turn = to_speak(state) or state.mano
    able = _able(state, call, turn)
    if not able:
        return replace(call, seat=turn)
    if _corrects(state, call):
        # May be said again by one who holds pares, or take back the denial of another: ask.
        options = tuple(replace(call, seat=seat) for seat in able)
        raise AmbiguousCall("who", MESSAGES["who"], call, options)
    by_turn = isinstance(call, c.ShowHand) or len({state.side_of(seat) for seat in able}) > 1
    why = "turn" if by_turn else "pair"
    draft.emit(e.SeatInferred(able[0], why))
    return replace(call, seat=able[0])


def _able(state: State, call: c.Call, turn: int) -> list[int]:
    """The seats that can make a call, from the one whose turn it is."""
    if isinstance(call, c.ShowHand):
        waiting = missing_hands(state) or state.order()
        return [seat for seat in waiting if may_show(state, seat)][:1]
    seats = state.order(turn)
    return [seat for seat in seats if refusal(state, replace(call, seat=seat)) is None]


def _corrects(state: State, call: c.Call) -> bool:
    """Whether a call takes back what a player declared before (R50)."""
    if not isinstance(call, c.Declare):
        return False
    lance = declared_lance(state, call)
    return lance is not None and not is_round_of(state, lance)


def _lance(state: State) -> Lance:
    return LANCE_OF[state.phase]
