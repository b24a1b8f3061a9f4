"""Stones: the deje on the spot, the ordered count, and the stone that ends the juego (R24-R32)."""

from __future__ import annotations

from assistant.rules import events as e
from assistant.rules.draft import Draft
from assistant.rules.hands import HandValue, best_seat, value
from assistant.rules.phases import Lance
from assistant.rules.state import LanceResult, State


def award(draft: Draft, side: str, stones: int, lance: Lance, why: e.Why) -> None:
    """Give stones to a side, no more than it needs; end the juego at the target (R30, R60)."""
    state = draft.state
    won = min(stones, state.profile.target - state.stones_of(side))
    if won < 1:
        return
    draft.emit(e.StonesWon(side, won, lance, why))
    if draft.state.stones_of(side) >= state.profile.target:
        win_juego(draft, side, e.WonBy.TARGET)


def win_juego(draft: Draft, side: str, by: e.WonBy) -> None:
    """End the juego, and the match where it was the last one needed (R41)."""
    draft.emit(e.JuegoWon(side, by))
    if max(draft.state.juegos) >= draft.state.profile.juegos:
        draft.emit(e.MatchWon(side))


def count(draft: Draft) -> None:
    """Count the lances in their order; stop at the stone that wins the juego (R30)."""
    values = hand_values(draft.state)
    for result in draft.state.results:
        _count_lance(draft, result, values)
        if draft.state.juego_won:
            return


def decide_ordago(draft: Draft) -> None:
    """The lance of an accepted órdago decides the whole juego; nothing else counts (R32)."""
    state = draft.state
    result = next(r for r in state.results if r.how is e.How.ORDAGO)
    seat = _winner(state, result.lance, hand_values(state))
    if seat is not None:
        side = state.side_of(seat)
        draft.emit(e.LanceDecided(result.lance, seat, side))
        win_juego(draft, side, e.WonBy.ORDAGO)


def hand_values(state: State) -> dict[int, HandValue]:
    """The shown hands by seat, valued under the house rules."""
    return {
        seat: value(hand, state.profile)
        for seat, hand in enumerate(state.hands, start=1)
        if hand is not None
    }


def _count_lance(draft: Draft, result: LanceResult, values: dict[int, HandValue]) -> None:
    state = draft.state
    lance, side = result.lance, result.side
    if result.how in (e.How.PASSED, e.How.ACCEPTED):
        seat = _winner(state, lance, values)
        if seat is None:
            return  # every declared hand proved empty: nothing to win
        side = state.side_of(seat)
        draft.emit(e.LanceDecided(lance, seat, side))
    if side is None:
        return
    for stones, why in _prizes(state, result, side, values):
        award(draft, side, stones, lance, why)
        if draft.state.juego_won:
            return


def _winner(state: State, lance: Lance, values: dict[int, HandValue]) -> int | None:
    """The best hand of those who declared (a denied one does not count, R47); mano first (R39)."""
    return best_seat(lance, values, state.holders(lance))


def _prizes(
    state: State, result: LanceResult, side: str, values: dict[int, HandValue]
) -> list[tuple[int, e.Why]]:
    """What the count of one lance brings: bet, then value of the hands (R13, R15, R20, R29)."""
    lance = result.lance
    prizes: list[tuple[int, e.Why]] = []
    if result.how is e.How.ACCEPTED:
        prizes.append((result.stones, e.Why.BET))
    elif result.how is e.How.PASSED and lance in (Lance.GRANDE, Lance.CHICA):
        prizes.append((1, e.Why.PASO))
    if lance is Lance.PUNTO:
        prizes.append((1, e.Why.PUNTO))
    mine = [values[s] for s in state.holders(lance) if state.side_of(s) == side and s in values]
    if lance is Lance.PARES:
        prizes.append((sum(v.pares.value for v in mine if v.pares), e.Why.PARES))
    if lance is Lance.JUEGO:
        prizes.append((sum(v.juego_stones for v in mine), e.Why.JUEGO))
    return [(stones, why) for stones, why in prizes if stones]
