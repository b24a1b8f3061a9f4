"""How each event changes the table: ``apply`` is the only thing that makes a new state.

It checks that the event fits (the phase table, a bet to answer, the seat at this table), so that a
journal that does not fold is noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assistant.rules import events as e
from assistant.rules.errors import HistoryError
from assistant.rules.phases import AFTER_DEAL, BETTING, LANCE_OF, TRANSITIONS, Lance, Phase, Trigger
from assistant.rules.state import SIDE_LETTERS, LanceResult, Pending, State, side_letters


def apply(state: State | None, event: e.Event) -> State:
    """The state after an event. Raises HistoryError where the event does not fit."""
    if isinstance(event, e.GameOpened):
        if state is not None:
            raise HistoryError("A game is opened once, and first.")
        return _opened(event)
    if state is None:
        raise HistoryError(f"{type(event).__name__} before any game was opened.")
    change = _CHANGES.get(type(event))
    if change is None:
        raise HistoryError(f"{type(event).__name__} changes no state.")
    return change(state, event)


def _opened(event: e.GameOpened) -> State:
    n = len(event.seats)
    if not 1 < event.sides <= n or n % event.sides or event.sides > len(SIDE_LETTERS):
        raise HistoryError(f"{n} players cannot form {event.sides} sides.")
    return State(
        profile=event.profile,
        seats=event.seats,
        sides=event.sides,
        stones=(0,) * event.sides,
        juegos=(0,) * event.sides,
        pares=(None,) * n,
        juego=(None,) * n,
        hands=(None,) * n,
    )


def _move(state: State, trigger: Trigger) -> Phase:
    try:
        return TRANSITIONS[state.phase, trigger]
    except KeyError:
        raise HistoryError(f"{trigger} cannot happen in phase {state.phase}.") from None


def _deal_started(state: State, event: e.DealStarted) -> State:
    _seat(state, event.mano)
    n = state.players
    return replace(
        state,
        phase=_move(state, Trigger.DEAL),
        deal=event.deal,
        mano=event.mano,
        spoken=(),
        pending=None,
        both=None,
        pares=(None,) * n,
        juego=(None,) * n,
        results=(),
        hands=(None,) * n,
        stones=(0,) * state.sides if state.juego_won else state.stones,
        juego_won=None,
    )


def _seat_inferred(state: State, event: e.SeatInferred) -> State:
    _seat(state, event.seat)
    return state


def _mus_asked(state: State, event: e.MusAsked) -> State:
    _seat(state, event.seat)
    said = state.spoken if state.phase is Phase.MUS else ()
    return replace(state, phase=_move(state, Trigger.MUS), spoken=(*said, event.seat))


def _discard_began(state: State, _event: e.DiscardBegan) -> State:
    return replace(state, phase=_move(state, Trigger.DISCARD), spoken=())


def _mus_cut(state: State, event: e.MusCut) -> State:
    _seat(state, event.seat)
    return replace(state, phase=_move(state, Trigger.CUT), spoken=())


def _lance_opened(state: State, event: e.LanceOpened) -> State:
    trigger = Trigger.PUNTO if event.lance is Lance.PUNTO else Trigger.OPENED
    return replace(state, phase=_move(state, trigger), spoken=())


def _passed(state: State, event: e.Passed) -> State:
    _in_lance(state, event.seat, event.lance)
    if state.pending:
        raise HistoryError("Nobody passes while a bet is pending.")
    return replace(state, spoken=(*state.spoken, event.seat))


def _bet_made(state: State, event: e.BetMade) -> State:
    _in_lance(state, event.seat, event.lance)
    if state.pending or event.stones < 1:
        raise HistoryError("A first bet needs stones and a lance without a bet.")
    bet = Pending(event.lance, event.seat, state.side_of(event.seat), event.stones)
    return replace(state, pending=bet, both=event if event.both else state.both)


def _bet_raised(state: State, event: e.BetRaised) -> State:
    _in_lance(state, event.seat, event.lance)
    old = state.pending
    if old is None or old.ordago or event.stones < 1:
        raise HistoryError("There is no bet that could be raised.")
    total = old.stones + event.stones
    bet = Pending(
        event.lance,
        event.seat,
        state.side_of(event.seat),
        total,
        deje=old.stones,
        out=(*old.out, *old.refused),
    )
    return replace(state, pending=bet)


def _ordago_made(state: State, event: e.OrdagoMade) -> State:
    _in_lance(state, event.seat, event.lance)
    old = state.pending
    if old and old.ordago:
        raise HistoryError("Nothing is more than an órdago.")
    bet = Pending(
        event.lance,
        event.seat,
        state.side_of(event.seat),
        stones=state.profile.target,
        deje=old.stones if old else 1,
        ordago=True,
        out=(*old.out, *old.refused) if old else (),
    )
    return replace(state, pending=bet, both=event if event.both else state.both)


def _bet_accepted(state: State, event: e.BetAccepted) -> State:
    _in_lance(state, event.seat, event.lance)
    if state.pending is None:
        raise HistoryError("There is no bet to accept.")
    return state  # the lance is closed by its own event


def _bet_refused(state: State, event: e.BetRefused) -> State:
    _in_lance(state, event.seat, event.lance)
    if state.pending is None:
        raise HistoryError("There is no bet to refuse.")
    refused = (*state.pending.refused, event.seat)
    return replace(state, pending=replace(state.pending, refused=refused))


def _declared(state: State, event: e.Declared) -> State:
    _seat(state, event.seat)
    if event.lance not in (Lance.PARES, Lance.JUEGO):
        raise HistoryError(f"Nobody declares {event.lance}.")
    if state.lance is not event.lance:
        state = _reopened(state, event.lance)
    said = list(state.declared(event.lance))
    said[event.seat - 1] = event.holds
    if event.lance is Lance.PARES:
        return replace(state, pares=tuple(said))
    return replace(state, juego=tuple(said))


def _reopened(state: State, lance: Lance) -> State:
    """Back to the declarations of a lance that was closed, or passed over, without a bet (R50)."""
    phase = _move(state, Trigger.REOPENED)
    result = state.result(lance)
    if LANCE_OF[phase] is not lance or (result and result.won):
        raise HistoryError(f"Nobody declares {lance} in phase {state.phase}.")
    kept = tuple(r for r in state.results if r.lance is not lance)
    return replace(state, phase=phase, spoken=(), results=kept)


def _lance_closed(state: State, event: e.LanceClosed) -> State:
    if state.lance is not event.lance:
        raise HistoryError(f"{event.lance} cannot be closed in phase {state.phase}.")
    ordago = event.how is e.How.ORDAGO
    result = LanceResult(event.lance, event.how, event.side, event.stones)
    return replace(
        state,
        phase=_move(state, Trigger.ORDAGO if ordago else Trigger.CLOSED),
        spoken=(),
        pending=None,
        results=(*state.results, result),
    )


def _hand_shown(state: State, event: e.HandShown) -> State:
    _seat(state, event.seat)
    counted = state.phase in AFTER_DEAL and state.hands[event.seat - 1] is not None
    if counted or state.phase not in (Phase.SHOWDOWN, *AFTER_DEAL):
        raise HistoryError(f"The hand of seat {event.seat} is not shown in phase {state.phase}.")
    hands = list(state.hands)
    hands[event.seat - 1] = event.cards
    return replace(state, hands=tuple(hands))


def _unchanged(state: State, _event: e.Event) -> State:
    return state


def _lance_decided(state: State, event: e.LanceDecided) -> State:
    _seat(state, event.seat)
    return _with_result(state, event.lance, seat=event.seat, side=event.side)


def _stones_won(state: State, event: e.StonesWon) -> State:
    index = _side(state, event.side)
    result = state.result(event.lance)
    if event.stones < 1 or result is None:
        raise HistoryError("Stones are won in a closed lance, one at least.")
    stones = list(state.stones)
    stones[index] += event.stones
    return _with_result(
        replace(state, stones=tuple(stones)),
        event.lance,
        side=event.side,
        won=result.won + event.stones,
        whys=(*result.whys, event.why),
    )


def _deal_counted(state: State, _event: e.DealCounted) -> State:
    return replace(state, phase=_move(state, Trigger.COUNTED), spoken=())


def _juego_won(state: State, event: e.JuegoWon) -> State:
    juegos = list(state.juegos)
    juegos[_side(state, event.side)] += 1
    return replace(
        state,
        phase=_move(state, Trigger.JUEGO),
        juegos=tuple(juegos),
        juego_won=event.side,
        pending=None,
        both=None,
    )


def _match_won(state: State, event: e.MatchWon) -> State:
    _side(state, event.side)
    return replace(state, phase=_move(state, Trigger.MATCH), winner=event.side)


def _stones_set(state: State, event: e.StonesSet) -> State:
    if len(event.stones) != state.sides or min(event.stones) < 0:
        raise HistoryError("A score has one number, 0 or more, for each side.")
    return replace(state, stones=event.stones)


def _seat(state: State, seat: int) -> None:
    if not 1 <= seat <= state.players:
        raise HistoryError(f"There is no seat {seat} at this table.")


def _side(state: State, side: str) -> int:
    letters = side_letters(state.sides)
    if side not in letters:
        raise HistoryError(f"There is no side {side!r} at this table.")
    return letters.index(side)


def _in_lance(state: State, seat: int, lance: Lance) -> None:
    _seat(state, seat)
    if state.phase not in BETTING or state.lance is not lance:
        raise HistoryError(f"Nobody speaks of {lance} in phase {state.phase}.")


def _with_result(state: State, lance: Lance, **changes: Any) -> State:
    if state.result(lance) is None:
        raise HistoryError(f"{lance} is not closed yet.")
    results = tuple(replace(r, **changes) if r.lance is lance else r for r in state.results)
    return replace(state, results=results)


_CHANGES: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.DealStarted: _deal_started,
    e.SeatInferred: _seat_inferred,
    e.MusAsked: _mus_asked,
    e.DiscardBegan: _discard_began,
    e.MusCut: _mus_cut,
    e.LanceOpened: _lance_opened,
    e.Passed: _passed,
    e.BetMade: _bet_made,
    e.BetRaised: _bet_raised,
    e.OrdagoMade: _ordago_made,
    e.BetAccepted: _bet_accepted,
    e.BetRefused: _bet_refused,
    e.Declared: _declared,
    e.LanceClosed: _lance_closed,
    e.HandShown: _hand_shown,
    e.DeclarationDisproved: _unchanged,
    e.LanceDecided: _lance_decided,
    e.StonesWon: _stones_won,
    e.DealCounted: _deal_counted,
    e.JuegoWon: _juego_won,
    e.MatchWon: _match_won,
    e.StonesSet: _stones_set,
}
