"""Stones: the deje on the spot, the ordered count, and the stone that ends the juego (R24-R32)."""

from __future__ import annotations

from assistant.rules import events as e
from assistant.rules.draft import Draft
from assistant.rules.phases import Lance
from assistant.rules.prizes import LanceOutcome, counted, hand_values, outcome, winner
from assistant.rules.state import LanceResult, side_letters


def award(draft: Draft, side: str, stones: int, lance: Lance, why: e.Why) -> None:
    """Give stones to a side, no more than it needs; end the juego at the target (R30, R60)."""
    state = draft.state
    won = min(stones, state.profile.target - state.stones_of(side))
    if won < 1:
        return
    draft.emit(e.StonesWon(side, won, lance, why))
    end_at_target(draft, side)


def end_at_target(draft: Draft, side: str) -> None:
    """The juego is over at the very stone that reaches the target."""
    if draft.state.stones_of(side) >= draft.state.profile.target:
        win_juego(draft, side, e.WonBy.TARGET)


def win_juego(draft: Draft, side: str, by: e.WonBy) -> None:
    """End the juego; with it the vaca, and the match, where it was the last one needed (R41)."""
    draft.emit(e.JuegoWon(side, by))
    state = draft.state
    if max(state.juegos) < state.profile.juegos:
        return
    if state.profile.vacas > 1:
        draft.emit(e.VacaWon(side))
        if max(draft.state.vacas) < state.profile.vacas:
            return
    draft.emit(e.MatchWon(side))


def count(draft: Draft) -> None:
    """Count the lances in their order; stop at the stone that wins the juego (R30).

    An accepted órdago, where it stands, decides the whole juego, and nothing else counts (R32).
    """
    for side in side_letters(draft.state.sides):
        end_at_target(draft, side)  # by stones agreed on after the first count, now made again
        if draft.state.juego_won:
            return
    values = hand_values(draft.state)
    for result in counted(draft.state):
        if result.how is e.How.ORDAGO:
            _decide_ordago(draft, result)
        elif won := outcome(draft.state, result, values):
            _take(draft, result, won)
        if draft.state.juego_won:
            return


def _take(draft: Draft, result: LanceResult, won: LanceOutcome) -> None:
    if won.seat is not None:
        draft.emit(e.LanceDecided(result.lance, won.seat, won.side))
    for stones, why in won.stones:
        award(draft, won.side, stones, result.lance, why)
        if draft.state.juego_won:
            return


def _decide_ordago(draft: Draft, result: LanceResult) -> None:
    state = draft.state
    side = result.side
    if result.claimed is None:
        seat = winner(state, result, hand_values(state))
        if seat is None:
            return
        side = state.side_of(seat)
        draft.emit(e.LanceDecided(result.lance, seat, side))
    if side is not None:
        win_juego(draft, side, e.WonBy.ORDAGO)
