"""How each event changes the table: ``apply`` is the only thing that makes a new state.

It checks that the event fits (the phase table, a bet to answer, the seat at this table), so that a
journal that does not fold is noticed. A ``Draft`` collects the events of one call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from assistant.rules import events as e
from assistant.rules.errors import HistoryError
from assistant.rules.events import ACCEPTED, ORDAGO, Event
from assistant.rules.ledger import LEDGER, check_seat, moved
from assistant.rules.phases import (
    AFTER_DEAL,
    BETTING,
    JUEGO,
    LANCE_OF,
    MUS,
    PARES,
    PUNTO,
    SHOWDOWN,
    Lance,
    Trigger,
)
from assistant.rules.profile import Exposed, PartnerConflict
from assistant.rules.state import (
    BLANK_RESULT,
    MAX_SEATS,
    NO_INCIDENTS,
    SIDE_LETTERS,
    Incidents,
    Pending,
    State,
    evolve,
)


def apply(state: State | None, event: e.Event) -> State:
    """The state after an event. Raises HistoryError where the event does not fit."""
    change = CHANGES.get(type(event))
    if state is not None and change is not None:
        return change(state, event)
    if isinstance(event, e.GameOpened):
        if state is not None:
            raise HistoryError("A game is opened once, and first.")
        return _opened(event)
    if state is None:
        raise HistoryError(f"{type(event).__name__} before any game was opened.")
    raise HistoryError(f"{type(event).__name__} changes no state.")


def _opened(event: e.GameOpened) -> State:
    n = len(event.seats)
    if not 1 < event.sides <= n <= MAX_SEATS or n % event.sides or event.sides > len(SIDE_LETTERS):
        raise HistoryError(f"{n} players cannot form {event.sides} sides.")
    juegos, vacas = _given(event)
    return State(
        profile=event.profile,
        seats=event.seats,
        sides=event.sides,
        stones=(0,) * event.sides,
        juegos=juegos,
        vacas=vacas,
        given=event.given,
        pares=(None,) * n,
        juego=(None,) * n,
        hands=(None,) * n,
    )


def _given(event: e.GameOpened) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The juegos and vacas that each side has before the first deal."""
    given, profile = event.given or (0,) * event.sides, event.profile
    if len(given) != event.sides or min(given) < 0:
        raise HistoryError("The juegos given are one number for each side.")
    if max(given) >= profile.juegos * profile.vacas:
        raise HistoryError("So many juegos would win the match before its first deal.")
    juegos = tuple([juegos % profile.juegos for juegos in given])
    return juegos, tuple([juegos // profile.juegos for juegos in given])


def _deal_started(state: State, event: e.DealStarted) -> State:
    check_seat(state, event.mano)
    n = state.players
    return evolve(
        state,
        phase=moved(state, Trigger.DEAL),
        deal=event.deal,
        mano=event.mano,
        spoken=(),
        pending=None,
        both=None,
        pares=(None,) * n,
        juego=(None,) * n,
        results=(),
        hands=(None,) * n,
        stones=(stones := (0,) * state.sides if state.juego_won else state.stones),
        past=state.whole if state.juego_won else state.past,
        juegos=(0,) * state.sides if state.vaca_won else state.juegos,
        juego_won=None,
        vaca_won=None,
        corrido=event.corrido,
        discards=0,
        cutter=None,
        sung=(),
        dealt_mano=event.mano,
        last_mano=_mano_before(state),
        before=stones,
        voided=None,
        incidents=NO_INCIDENTS,
        uncounted=None,
    )


def _mano_before(state: State) -> int | None:
    """The mano of the deal before; a void deal does not count as one (S2 1.6)."""
    if state.voided is not None:
        return state.last_mano
    return state.mano if state.deal else None


def _mano_changed(state: State, event: e.ManoChanged) -> State:
    check_seat(state, event.mano)
    return evolve(state, mano=event.mano)


def _seat_inferred(state: State, event: e.SeatInferred) -> State:
    check_seat(state, event.seat)
    return state


def _mus_asked(state: State, event: e.MusAsked) -> State:
    check_seat(state, event.seat)
    said = state.spoken if state.phase is MUS else ()
    return evolve(state, phase=moved(state, Trigger.MUS), spoken=(*said, event.seat))


def _discard_began(state: State, _event: e.DiscardBegan) -> State:
    return evolve(
        state,
        phase=moved(state, Trigger.DISCARD),
        spoken=(),
        sung=(),
        discards=state.discards + 1,
        incidents=evolve(state.incidents, forced=False),
    )


def _mus_cut(state: State, event: e.MusCut) -> State:
    check_seat(state, event.seat)
    return evolve(state, phase=moved(state, Trigger.CUT), spoken=(), cutter=event.seat)


def _lance_opened(state: State, event: e.LanceOpened) -> State:
    trigger = Trigger.PUNTO if event.lance is PUNTO else Trigger.OPENED
    return evolve(state, phase=moved(state, trigger), spoken=())


def _passed(state: State, event: e.Passed) -> State:
    _in_lance(state, event.seat, event.lance)
    if state.pending:
        raise HistoryError("Nobody passes while a bet is pending.")
    return evolve(state, spoken=(*state.spoken, event.seat))


def _bet_made(state: State, event: e.BetMade) -> State:
    _in_lance(state, event.seat, event.lance)
    if state.pending or event.stones < 1:
        raise HistoryError("A first bet needs stones and a lance without a bet.")
    bet = Pending(event.lance, event.seat, state.side_of(event.seat), event.stones)
    return evolve(state, pending=bet, both=event if event.both else state.both)


def _bet_raised(state: State, event: e.BetRaised) -> State:
    _in_lance(state, event.seat, event.lance)
    old = state.pending
    if old is None or old.ordago or event.stones < 1:
        raise HistoryError("There is no bet that could be raised.")
    bet = Pending(
        event.lance,
        event.seat,
        state.side_of(event.seat),
        old.stones + event.stones,
        base=old.stones,
        out=(*old.out, *old.refused),
    )
    return evolve(state, pending=bet)


def _ordago_made(state: State, event: e.OrdagoMade) -> State:
    _in_lance(state, event.seat, event.lance)
    old, side = state.pending, state.side_of(event.seat)
    if old and old.ordago:
        raise HistoryError("Nothing is more than an órdago.")
    bet = Pending(
        event.lance,
        event.seat,
        side,
        stones=state.profile.target,
        # Over a partner's bet it takes that bet's place (R35).
        base=0 if old is None else old.base if old.side == side else old.stones,
        ordago=True,
        out=(*old.out, *old.refused) if old else (),
    )
    return evolve(state, pending=bet, both=event if event.both else state.both)


def _partner_bet(state: State, event: e.PartnerBet) -> State:
    _in_lance(state, event.seat, event.lance)
    bet = state.pending
    if bet is None or bet.side != state.side_of(event.seat) or bet.answered:
        raise HistoryError("There is no bet of a partner to change.")
    choices = bet.choices
    if state.profile.partner_conflict is PartnerConflict.RIVALS_CHOOSE:
        choices = tuple(sorted({*(choices or (bet.stones,)), event.stones}))
    stones = max(bet.stones, event.stones)
    return evolve(state, pending=evolve(bet, stones=stones, choices=choices))


def _bet_accepted(state: State, event: e.BetAccepted) -> State:
    _in_lance(state, event.seat, event.lance)
    bet = state.pending
    if bet is None:
        raise HistoryError("There is no bet to accept.")
    stones = bet.stones if event.stones is None else event.stones
    return evolve(state, pending=evolve(bet, stones=stones, accepted=(*bet.accepted, event.seat)))


def _bet_refused(state: State, event: e.BetRefused) -> State:
    _in_lance(state, event.seat, event.lance)
    if state.pending is None:
        raise HistoryError("There is no bet to refuse.")
    refused = (*state.pending.refused, event.seat)
    return evolve(state, pending=evolve(state.pending, refused=refused))


def _lance_reopened(state: State, event: e.LanceReopened) -> State:
    result = state.result(event.lance)
    if result is None or result.bet is None or result.how is not ACCEPTED:
        raise HistoryError(f"{event.lance} was not accepted.")
    punto = event.lance is PUNTO
    phase = moved(state, Trigger.RERAISED_PUNTO if punto else Trigger.RERAISED)
    if LANCE_OF[phase] is not event.lance:
        raise HistoryError(f"{event.lance} cannot be reopened in phase {state.phase}.")
    return evolve(
        state,
        phase=phase,
        spoken=(),
        pending=evolve(result.bet, accepted=result.bet.accepted[:-1]),
        results=tuple(r for r in state.results if r is not result),
    )


def _declared(state: State, event: e.Declared) -> State:
    check_seat(state, event.seat)
    lance, index = event.lance, event.seat - 1
    if lance is not PARES and lance is not JUEGO:
        raise HistoryError(f"Nobody declares {lance}.")
    by_the_cards = state.phase is SHOWDOWN and event.implied
    if LANCE_OF.get(state.phase) is not lance and not by_the_cards:
        state = _reopened(state, lance)
    said = list(state.declared(lance))
    if said[index] is not None and said[index] is not event.holds:
        state = _noting_correction(state, event)
    said[index] = event.holds
    if lance is PARES:
        return evolve(state, pares=tuple(said))
    return evolve(state, juego=tuple(said))


def _noting_correction(state: State, event: e.Declared) -> State:
    put_right = (*state.incidents.corrected, (event.seat, event.lance))
    return evolve(state, incidents=evolve(state.incidents, corrected=put_right))


def _reopened(state: State, lance: Lance) -> State:
    """Back to the declarations of a lance that was closed, or passed over, without a bet (R50)."""
    phase = moved(state, Trigger.REOPENED)
    result = state.result(lance)
    if LANCE_OF[phase] is not lance or (result and result.won):
        raise HistoryError(f"Nobody declares {lance} in phase {state.phase}.")
    kept = tuple(r for r in state.results if r.lance is not lance)
    return evolve(state, phase=phase, spoken=(), results=kept)


def _lance_closed(state: State, event: e.LanceClosed) -> State:
    result = evolve(
        BLANK_RESULT,
        lance=event.lance,
        how=event.how,
        side=event.side,
        stones=event.stones,
        bet=state.pending,
    )
    if state.phase is SHOWDOWN and state.result(event.lance) is None:
        # After an article undid an órdago, the cards close the lances that were never played.
        return evolve(state, results=(*state.results, result))
    if LANCE_OF.get(state.phase) is not event.lance:
        raise HistoryError(f"{event.lance} cannot be closed in phase {state.phase}.")
    return evolve(
        state,
        phase=moved(state, Trigger.ORDAGO if event.how is ORDAGO else Trigger.CLOSED),
        spoken=(),
        pending=None,
        results=(*state.results, result),
    )


def _hand_shown(state: State, event: e.HandShown) -> State:
    check_seat(state, event.seat)
    counted = state.phase in AFTER_DEAL and state.hands[event.seat - 1] is not None
    if counted or state.phase not in (SHOWDOWN, *AFTER_DEAL):
        raise HistoryError(f"The hand of seat {event.seat} is not shown in phase {state.phase}.")
    hands = list(state.hands)
    hands[event.seat - 1] = event.cards
    return evolve(state, hands=tuple(hands))


def _pedrete_sung(state: State, event: e.PedreteSung) -> State:
    check_seat(state, event.seat)
    stones = list(state.stones)
    stones[SIDE_LETTERS.index(state.side_of(event.seat))] += event.stones
    return evolve(state, stones=tuple(stones), sung=(*state.sung, event.seat))


def _reported(state: State, event: e.IrregularityReported) -> State:
    if event.seat is not None:
        check_seat(state, event.seat)
    if event.kind is e.Irregularity.EXPOSED_CARD and state.profile.exposed is Exposed.MUS:
        return evolve(state, incidents=evolve(state.incidents, forced=True))
    if event.kind is e.Irregularity.PEEKED and event.seat and state.lance:
        peeked = (*state.incidents.peeked, (event.seat, state.lance))
        return evolve(state, incidents=evolve(state.incidents, peeked=peeked))
    if event.kind is e.Irregularity.CARD_COUNT and event.seat:
        # An article decides what follows; the number of cards that he holds is a fact.
        short = {**dict(state.incidents.short), event.seat: event.cards}
        return evolve(state, incidents=_with_short(state.incidents, short))
    return state


def _with_short(incidents: Incidents, short: dict[int, int]) -> Incidents:
    return evolve(incidents, short=tuple(sorted(short.items())))


def _unchanged(state: State, _event: e.Event) -> State:
    return state


def _in_lance(state: State, seat: int, lance: Lance) -> None:
    check_seat(state, seat)
    if BETTING.get(state.phase) is not lance:
        raise HistoryError(f"Nobody speaks of {lance} in phase {state.phase}.")


CHANGES: dict[type[e.Event], Callable[[State, Any], State]] = {
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
    e.CardsShownEarly: _unchanged,
    e.HandShown: _hand_shown,
    e.DeclarationDisproved: _unchanged,
    e.ClaimDisproved: _unchanged,
    e.PedreteSung: _pedrete_sung,
    e.ManoChanged: _mano_changed,
    e.PartnerBet: _partner_bet,
    e.LanceReopened: _lance_reopened,
    e.IrregularityReported: _reported,
    **LEDGER,
}
"""Event -> how it changes a table that has been opened."""


# ---- Events as they are being decided, with the state they lead to ------------------------------


class Decided(NamedTuple):
    """The effect of a call: its events, in order, and the state that they lead to."""

    events: tuple[Event, ...]
    state: State


class Draft:
    """Collects the events of one call. Nothing outside changes until the caller commits them."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Add an event and move on to the state after it."""
        self.state = CHANGES[type(event)](self.state, event)  # a draft's table is open
        self.events.append(event)

    def take(self, decision: Decided) -> None:
        """Go on from what was decided on the present state."""
        self.events += decision.events
        self.state = decision.state
