"""Whose turn it is; at most tables others may speak out of turn all the same (R03)."""

from __future__ import annotations

from assistant.rules.needed import missing_hands
from assistant.rules.phases import BEFORE_LANCES, DECLARING, LANCE_OF, Phase
from assistant.rules.state import State


def to_speak(state: State) -> int | None:
    """Whose turn it is to speak, or to show his cards."""
    phase = state.phase
    if phase is Phase.SHOWDOWN:
        return next(iter(missing_hands(state)), None)
    if phase is Phase.COUNT or phase is Phase.OVER:
        return None
    if state.pending:
        return next(iter(state.answerers()), None)
    return next(iter(silent(state)), None)


def silent(state: State) -> tuple[int, ...]:
    """Who has not spoken yet in this round, in the order of speaking."""
    lance = LANCE_OF.get(state.phase)
    if state.phase in DECLARING and lance:
        said = state.declared(lance)
        return tuple([seat for seat in state.in_play() if said[seat - 1] is None])
    seats = state.holders(lance) if lance else state.mus_order()
    if state.phase in BEFORE_LANCES and state.out:
        seats = tuple([seat for seat in seats if seat not in state.out])
    spoken = state.spoken
    return tuple([seat for seat in seats if seat not in spoken])
