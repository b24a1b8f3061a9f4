"""How stones, juegos, claims and penalties change the table: the second half of ``changes``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.rules import events as e
from assistant.rules.errors import HistoryError
from assistant.rules.events import ACCEPTED, ORDAGO, PASSED, REFUSED, VOID
from assistant.rules.phases import SHOWDOWN, TRANSITIONS, Lance, Phase, Trigger
from assistant.rules.prizes import unclaimed
from assistant.rules.state import Incidents, LanceResult, Proposal, State, evolve, side_letters


def moved(state: State, trigger: Trigger) -> Phase:
    """The phase that a trigger leads to. Raises HistoryError where the table has none."""
    try:
        return TRANSITIONS[state.phase, trigger]
    except KeyError:
        raise HistoryError(f"{trigger} cannot happen in phase {state.phase}.") from None


def check_seat(state: State, seat: int) -> None:
    """Raise HistoryError unless there is such a seat."""
    if not 1 <= seat <= len(state.seats):
        raise HistoryError(f"There is no seat {seat} at this table.")


def with_result(state: State, lance: Lance, **changes: Any) -> State:
    """The state with a closed lance changed. Raises HistoryError where it is not closed."""
    result = _closed(state, lance)
    return evolve(state, results=_results(state, result, evolve(result, **changes)))


def _closed(state: State, lance: Lance) -> LanceResult:
    result = state.result(lance)
    if result is None:
        raise HistoryError(f"{lance} is not closed yet.")
    return result


def _results(state: State, old: LanceResult, new: LanceResult) -> tuple[LanceResult, ...]:
    """The results of a state, with a new one in the place of an old one."""
    return tuple([new if result is old else result for result in state.results])


def _side(state: State, side: str) -> int:
    try:
        return side_letters(state.sides).index(side)
    except ValueError:
        raise HistoryError(f"There is no side {side!r} at this table.") from None


def _plus(stones: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    changed = list(stones)
    changed[index] += more
    if changed[index] < 0:
        raise HistoryError("Nobody has fewer than no stones.")
    return tuple(changed)


def _uncounted(state: State) -> State | None:
    """The state from before the first stone of the count, which may have to be made again."""
    if state.phase is SHOWDOWN and state.uncounted is None:
        return state
    return state.uncounted


def _lance_claimed(state: State, event: e.LanceClaimed) -> State:
    _side(state, event.side)
    if event.by_cards:
        before = unclaimed(_closed(state, event.lance))
        return with_result(state, event.lance, side=before.side, claimed=None)
    return with_result(state, event.lance, side=event.side, claimed=event.values)


def _lance_decided(state: State, event: e.LanceDecided) -> State:
    check_seat(state, event.seat)
    result = _closed(state, event.lance)
    decided = evolve(result, seat=event.seat, side=event.side)
    results = _results(state, result, decided)
    return evolve(state, results=results, uncounted=_uncounted(state))


def _stones_won(state: State, event: e.StonesWon) -> State:
    index = _side(state, event.side)
    result = state.result(event.lance)
    if event.stones < 1 or result is None:
        raise HistoryError("Stones are won in a closed lance, one at least.")
    # A deje is no stone of the count: it is paid on the spot, even that of the last lance.
    of_the_count = event.why is not e.Why.DEJE or result.owed
    paid = evolve(
        result,
        side=event.side,
        won=result.won + event.stones,
        whys=(*result.whys, event.why),
    )
    return evolve(
        state,
        stones=_plus(state.stones, index, event.stones),
        results=_results(state, result, paid),
        uncounted=_uncounted(state) if of_the_count else state.uncounted,
    )


def _stones_lost(state: State, event: e.StonesLost) -> State:
    index = _side(state, event.side)
    result = state.result(event.lance)
    if event.stones < 1 or result is None:
        raise HistoryError("Stones are lost in a closed lance, one at least.")
    given_back = evolve(result, won=result.won - event.stones, whys=result.whys[:-1])
    return evolve(
        state,
        stones=_plus(state.stones, index, -event.stones),
        results=_results(state, result, given_back),
        uncounted=_uncounted(state),
    )


def _deal_counted(state: State, _event: e.DealCounted) -> State:
    phase = moved(state, Trigger.COUNTED)
    return evolve(state, phase=phase, uncounted=_uncounted(state))


def _juego_won(state: State, event: e.JuegoWon) -> State:
    # Any other juego of the count was won by stones, and those have kept the state already.
    ordago = event.by is e.WonBy.ORDAGO
    return evolve(
        state,
        uncounted=_uncounted(state) if ordago else state.uncounted,
        phase=moved(state, Trigger.JUEGO),
        juegos=_plus(state.juegos, _side(state, event.side), 1),
        juego_won=event.side,
        pending=None,
        both=None,
        spoken=(),
        incidents=evolve(state.incidents, proposals=()),  # nothing is left to decide
    )


def _vaca_won(state: State, event: e.VacaWon) -> State:
    vacas = _plus(state.vacas, _side(state, event.side), 1)
    return evolve(state, vacas=vacas, vaca_won=event.side)


def _match_won(state: State, event: e.MatchWon) -> State:
    _side(state, event.side)
    return evolve(state, phase=moved(state, Trigger.MATCH), winner=event.side)


def _stones_set(state: State, event: e.StonesSet) -> State:
    if len(event.stones) != state.sides:
        raise HistoryError("A score has one number for each side.")
    for side, stones in enumerate(event.stones):
        state = _put_right(state, side, stones - state.stones[side])
    return state


def _stones_adjusted(state: State, event: e.StonesAdjusted) -> State:
    return _put_right(state, _side(state, event.side), event.stones)


def _put_right(state: State, side: int, more: int) -> State:
    """Change a side's stones for good: a void deal or a second count keeps the change."""
    uncounted = state.uncounted
    if uncounted:
        uncounted = evolve(uncounted, stones=_shifted(uncounted.stones, side, more))
        uncounted = evolve(uncounted, before=_shifted(uncounted.before, side, more))
    return evolve(
        state,
        stones=_plus(state.stones, side, more),
        before=_shifted(state.before, side, more),
        uncounted=uncounted,
    )


def _shifted(earlier: tuple[int, ...], side: int, more: int) -> tuple[int, ...]:
    """Stones as they were earlier in the deal, changed by the same number, but never below 0."""
    if not earlier:
        return earlier
    changed = list(earlier)
    changed[side] = max(0, changed[side] + more)
    return tuple(changed)


def _bet_corrected(state: State, event: e.BetCorrected) -> State:
    if event.stones < 1:
        raise HistoryError("A bet has one stone at least.")
    bet = state.pending
    if bet and bet.lance is event.lance and not bet.ordago:
        return evolve(state, pending=evolve(bet, stones=event.stones, choices=()))
    result = state.result(event.lance)
    if result is None or result.how not in (ACCEPTED, PASSED):
        raise HistoryError(f"There is no bet at {event.lance} to correct.")
    # A lance that was taken for passed had a bet that nobody heard, and that was accepted.
    return with_result(state, event.lance, how=ACCEPTED, stones=event.stones)


def _count_reopened(state: State, _event: e.CountReopened) -> State:
    if state.uncounted is None:
        raise HistoryError("Nothing was counted that could be counted again.")
    moved(state, Trigger.RECOUNT)
    return evolve(state.uncounted, hands=state.hands)


def _deal_voided(state: State, event: e.DealVoided) -> State:
    check_seat(state, event.mano)
    if state.juego_won:
        raise HistoryError("A deal that won a juego stays as it is.")
    return evolve(
        state,
        phase=moved(state, Trigger.VOID),
        stones=state.before,
        spoken=(),
        pending=None,
        both=None,
        results=(),
        incidents=evolve(state.incidents, proposals=()),
        uncounted=None,
        voided=event.mano,
    )


def _proposed(state: State, event: e.PenaltyProposed) -> State:
    proposals = (*state.incidents.proposals, _proposal(event))
    return evolve(state, incidents=evolve(state.incidents, proposals=proposals))


def _waived(state: State, event: e.PenaltyWaived) -> State:
    decided = _proposal(event)
    incidents = _decided(state.incidents, decided)
    return evolve(state, incidents=evolve(incidents, waived=(*incidents.waived, decided)))


def _applied(state: State, event: e.PenaltyApplied) -> State:
    decided = _proposal(event)
    incidents = _decided(state.incidents, decided)
    incidents = evolve(incidents, applied=(*incidents.applied, decided))
    if event.remedy is e.Remedy.OUT and event.seat:
        incidents = evolve(incidents, out=(*incidents.out, event.seat))
    state = evolve(state, incidents=incidents)
    change = _REMEDIES.get(event.remedy)
    result = state.result(event.lance) if event.lance else None
    return with_result(state, result.lance, **change(result)) if change and result else state


def _proposal(event: e.PenaltyProposed | e.PenaltyApplied | e.PenaltyWaived) -> Proposal:
    return Proposal(event.article, event.remedy, event.seat, event.lance)


def _decided(incidents: Incidents, decided: Proposal) -> Incidents:
    return evolve(incidents, proposals=tuple(p for p in incidents.proposals if p != decided))


def _void(_result: LanceResult) -> dict[str, Any]:
    return {"how": VOID, "side": None, "stones": 0}


def _no_quiero(result: LanceResult) -> dict[str, Any]:
    """A "quiero" that could not win does not count: the bet is refused, and its deje is owed."""
    bet = result.bet
    return {
        "how": REFUSED,
        "side": bet.side if bet else None,
        "owed": bet.deje if bet else 0,
    }


def _limit(result: LanceResult) -> dict[str, Any]:
    how = ACCEPTED if result.how is ORDAGO else result.how
    return {"how": how, "limited": True}


_REMEDIES: dict[e.Remedy, Callable[[LanceResult], dict[str, Any]]] = {
    e.Remedy.VOID: _void,
    e.Remedy.NO_QUIERO: _no_quiero,
    e.Remedy.LIMIT: _limit,
}
"""Remedy -> how it changes the result of its lance; the count itself reads the other remedies."""

LEDGER: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.LanceClaimed: _lance_claimed,
    e.LanceDecided: _lance_decided,
    e.StonesWon: _stones_won,
    e.StonesLost: _stones_lost,
    e.DealCounted: _deal_counted,
    e.JuegoWon: _juego_won,
    e.VacaWon: _vaca_won,
    e.MatchWon: _match_won,
    e.StonesSet: _stones_set,
    e.StonesAdjusted: _stones_adjusted,
    e.BetCorrected: _bet_corrected,
    e.CountReopened: _count_reopened,
    e.DealVoided: _deal_voided,
    e.PenaltyProposed: _proposed,
    e.PenaltyWaived: _waived,
    e.PenaltyApplied: _applied,
}
"""Event -> how it changes the table."""
