"""The door of the rules core: ``decide`` says what a call makes happen, ``apply`` makes it so.

``decide`` changes nothing. It fills in what the table left unsaid, checks the call, and returns the
events, or raises IllegalCall or AmbiguousCall. ``fold`` (in ``history``) replays a journal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.alphabet import legal_calls
from assistant.rules.changes import apply
from assistant.rules.draft import Draft
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.hands import value
from assistant.rules.infer import fill_in, next_mano, to_speak
from assistant.rules.legal import MESSAGES, declared_lance, missing_hands, refusal
from assistant.rules.phases import BEFORE_LANCES, LANCE_OF, Lance
from assistant.rules.profile import Profile
from assistant.rules.settle import settle
from assistant.rules.state import State

__all__ = [
    "apply",
    "decide",
    "legal_calls",
    "missing_hands",
    "open_game",
    "to_speak",
]

ASKED = {"bare_raise", "reenvido"}
"""Refusals that are no error but a question: the call has two readings."""


def open_game(
    profile: Profile, seats: tuple[str, ...], mano: int = 1, sides: int = 2
) -> tuple[e.Event, ...]:
    """The events that open a match and its first deal. Raises HistoryError for a wrong table."""
    opened = e.GameOpened(profile, seats, sides)
    deal = e.DealStarted(1, mano)
    apply(apply(None, opened), deal)
    return opened, deal


def decide(state: State, call: c.Call) -> tuple[e.Event, ...]:
    """What this call makes happen; the state stays as it is. Raises IllegalCall, AmbiguousCall."""
    draft = Draft(state)
    said, call = call, fill_in(draft, call)
    if reason := refusal(draft.state, call):
        if reason in ASKED:
            raise AmbiguousCall(reason, MESSAGES[reason], call, _options(draft.state, said))
        raise IllegalCall(reason, MESSAGES[reason], call, phase=str(draft.state.phase))
    _HANDLERS[type(call)](draft, call)
    settle(draft)
    return tuple(draft.events)


def _options(state: State, call: c.Call) -> tuple[c.Call, ...]:
    """The readings of an ambiguous raise: by and to (R22), twice and two more (R23).

    Where nobody knows who spoke, nor do they: the one chosen is inferred, and recorded, as usual.
    """
    bet = state.pending
    if bet is None:
        return ()
    if isinstance(call, c.Reenvido):
        return (c.Raise(seat=call.seat, stones=bet.stones), c.Raise(seat=call.seat, stones=2))
    if isinstance(call, c.Bet):
        up_to = call.stones - bet.stones
        by = c.Raise(seat=call.seat, stones=call.stones)
        return (by, c.Raise(seat=call.seat, stones=up_to)) if up_to > 0 else (by,)
    return ()


def _mus(draft: Draft, call: c.Mus) -> None:
    draft.emit(e.MusAsked(_seat(call)))


def _cut(draft: Draft, call: c.Cut) -> None:
    draft.emit(e.MusCut(_seat(call)))


def _begin_lances(draft: Draft, call: c.Call) -> Lance:
    """Whoever speaks of grande before the mus is cut has cut it (R09)."""
    if draft.state.phase in BEFORE_LANCES:
        draft.emit(e.MusCut(_seat(call), implied=True))
    return LANCE_OF[draft.state.phase]


def _pass(draft: Draft, call: c.Pass) -> None:
    if draft.state.pending:
        draft.emit(e.BetRefused(_seat(call), draft.state.pending.lance))
    else:
        lance = _begin_lances(draft, call)
        draft.emit(e.Passed(_seat(call), lance))


def _bet(draft: Draft, call: c.Bet) -> None:
    lance = _begin_lances(draft, call)
    draft.emit(e.BetMade(_seat(call), lance, call.stones, both=call.both))


def _raise(draft: Draft, call: c.Raise) -> None:
    draft.emit(e.BetRaised(_seat(call), _lance(draft), call.stones))


def _reenvido(draft: Draft, call: c.Reenvido) -> None:
    stones = draft.state.pending.stones if draft.state.pending else c.ENVIDO
    draft.emit(e.BetRaised(_seat(call), _lance(draft), stones))


def _ordago(draft: Draft, call: c.Ordago) -> None:
    lance = _begin_lances(draft, call)
    draft.emit(e.OrdagoMade(_seat(call), lance, both=call.both))


def _accept(draft: Draft, call: c.Accept) -> None:
    bet = draft.state.pending
    if bet is None:
        return
    draft.emit(e.BetAccepted(_seat(call), bet.lance))
    how = e.How.ORDAGO if bet.ordago else e.How.ACCEPTED
    draft.emit(e.LanceClosed(bet.lance, how, stones=0 if bet.ordago else bet.stones))


def _refuse(draft: Draft, call: c.Refuse) -> None:
    draft.emit(e.BetRefused(_seat(call), _lance(draft), plural=call.plural))
    if call.plural:  # binds the pair (R35)
        for seat in draft.state.answerers():
            draft.emit(e.BetRefused(seat, _lance(draft), implied=True))


def _declare(draft: Draft, call: c.Declare) -> None:
    lance = declared_lance(draft.state, call) or _lance(draft)
    draft.emit(e.Declared(_seat(call), lance, call.holds))


def _show(draft: Draft, call: c.ShowHand) -> None:
    seat = _seat(call)
    draft.emit(e.HandShown(seat, call.cards))
    hand = value(call.cards, draft.state.profile)
    for lance, holds in ((Lance.PARES, hand.pares is not None), (Lance.JUEGO, hand.juego)):
        said = draft.state.declared(lance)[seat - 1]
        if said is not None and said is not holds:
            draft.emit(e.DeclarationDisproved(seat, lance, holds))


def _next_deal(draft: Draft, call: c.NextDeal) -> None:
    state = draft.state
    draft.emit(e.DealStarted(state.deal + 1, call.mano or next_mano(state)))


def _set_stones(draft: Draft, call: c.SetStones) -> None:
    draft.emit(e.StonesSet(call.stones))


def _seat(call: c.Call) -> int:
    if call.seat is None:
        raise IllegalCall("seat_unknown", MESSAGES["seat_unknown"], call)
    return call.seat


def _lance(draft: Draft) -> Lance:
    return LANCE_OF[draft.state.phase]


_HANDLERS: dict[type[c.Call], Callable[[Draft, Any], None]] = {
    c.Mus: _mus,
    c.Cut: _cut,
    c.Pass: _pass,
    c.Bet: _bet,
    c.Raise: _raise,
    c.Reenvido: _reenvido,
    c.Ordago: _ordago,
    c.Accept: _accept,
    c.Refuse: _refuse,
    c.Declare: _declare,
    c.ShowHand: _show,
    c.NextDeal: _next_deal,
    c.SetStones: _set_stones,
}
