"""The entry point of the rules: ``decide`` turns a call into events, ``apply`` changes the state.

``decide`` changes nothing. It fills in what the table left unsaid, checks the call, and returns the
events with the state that they lead to, or raises IllegalCall or AmbiguousCall. ``fold`` (in
``history``) replays a journal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assistant.rules import arbitration
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.alphabet import LegalCall, legal_calls
from assistant.rules.changes import Decided, Draft, apply
from assistant.rules.errors import AmbiguousCall, IllegalCall, ProfileError, Translatable
from assistant.rules.events import kept
from assistant.rules.hands import value
from assistant.rules.infer import fill_in, next_mano, start_deal
from assistant.rules.legal import MESSAGES, declared_lance, partner_total, refusal, to_speak
from assistant.rules.penalties import found
from assistant.rules.phases import AFTER_DEAL, BEFORE_LANCES, JUEGO, LANCE_OF, PARES, Lance
from assistant.rules.prizes import hand_values, missing_hands
from assistant.rules.profile import Answer, BareRaise, Penalty, Profile, Sides
from assistant.rules.settle import end_at_target, settle, warn_of_claims
from assistant.rules.state import MAX_SEATS, Pending, State

__all__ = [
    "ASKED",
    "Decided",
    "LegalCall",
    "apply",
    "begin_lances",
    "decide",
    "legal_calls",
    "missing_hands",
    "open_game",
    "sides_of",
    "to_speak",
]

ASKED = {"bare_raise", "reenvido", "which_bet"}
"""Codes of refusals that are questions rather than errors: the call has two readings."""


def open_game(
    profile: Profile,
    seats: tuple[str, ...],
    mano: int | None = 1,
    given: tuple[int, ...] = (),
) -> tuple[e.Event, ...]:
    """The events that open a match and its first deal.

    Without ``mano`` the table is asked for it (R04). The first deal begins when a mano is named, or
    when somebody speaks; then the first seat is mano. ``given``: juegos that each side has before
    it. Raises ProfileError if so many players cannot play by these rules, HistoryError for a wrong
    mano, or for juegos that would win the match.
    """
    opened = e.GameOpened(profile, seats, sides_of(profile, len(seats)), given)
    draft = Draft(apply(None, opened))
    if mano is not None:
        start_deal(draft, mano)
    return opened, *draft.events


def sides_of(profile: Profile, players: int) -> int:
    """How many sides so many players form (R56). Raises ProfileError."""
    if profile.sides is Sides.EACH and 2 <= players <= MAX_SEATS:
        return players
    if profile.sides is Sides.TWO and players in (2, 4, 6):
        return 2
    if profile.sides is Sides.EACH:
        why = Translatable(
            "sides=each: 2 to {most} play so, not {players}.", most=MAX_SEATS, players=players
        )
    elif players in (3, 5):
        why = Translatable(
            "sides=two: 2, 4 or 6 play so, not {players}; with sides=each they can.",
            players=players,
        )
    else:
        why = Translatable("sides=two: 2, 4 or 6 play so, not {players}.", players=players)
    raise ProfileError(why, "sides")


def decide(state: State, call: c.Call) -> Decided:
    """The events of a call and the state after it. Raises IllegalCall, AmbiguousCall."""
    draft = Draft(state)
    seated = fill_in(draft, call)
    if seated is None:
        return Decided(tuple(draft.events), draft.state)
    said, checked = seated
    if not checked and (reason := refusal(draft.state, said)):
        if reason in ASKED:
            options = _options(draft.state, call, said.seat)
            raise AmbiguousCall(reason, MESSAGES[reason], said, options)
        raise IllegalCall(reason, MESSAGES[reason], said, phase=str(draft.state.phase))
    _HANDLERS[type(said)](draft, said)
    settle(draft)
    return Decided(tuple(draft.events), draft.state)


def _options(state: State, said: c.Call, seat: int | None) -> tuple[c.Call, ...]:
    """The readings of an ambiguous call that the rules allow its speaker.

    If nobody knows who spoke, the readings have no seat either: the seat of the chosen one is
    inferred and recorded as usual.
    """
    readings = _readings(state.pending, said)
    return tuple(x for x in readings if refusal(state, replace(x, seat=seat)) is None)


def _readings(bet: Pending | None, call: c.Call) -> tuple[c.Call, ...]:
    """The two readings of an ambiguous call.

    A raise by a number or up to it (R22), reenvido as twice the bet or as two more (R23), or the
    amounts of two partners.
    """
    if bet is None:
        return ()
    if isinstance(call, c.Accept):
        return tuple(c.Accept(seat=call.seat, stones=stones) for stones in bet.choices)
    if isinstance(call, c.Reenvido):
        return (c.Raise(seat=call.seat, stones=bet.stones), c.Raise(seat=call.seat, stones=2))
    if isinstance(call, c.Bet):
        amounts = (call.stones, call.stones - bet.stones)
        return tuple(c.Raise(seat=call.seat, stones=stones) for stones in amounts)
    return ()


def _mus(draft: Draft, call: c.Mus) -> None:
    draft.emit(kept(e.MusAsked, _seat(call)))


def _cut(draft: Draft, call: c.Cut) -> None:
    draft.emit(kept(e.MusCut, _seat(call)))
    _make_mano(draft, _seat(call))


def _make_mano(draft: Draft, seat: int) -> None:
    """Make the player who cuts a mus corrido mano (R06)."""
    if draft.state.corrido and draft.state.mano != seat:
        draft.emit(e.ManoChanged(seat))


def begin_lances(draft: Draft, seat: int) -> Lance:
    """Cut the mus if a player speaks of grande before it is cut (R09); returns the lance played."""
    if draft.state.phase in BEFORE_LANCES:
        draft.emit(kept(e.MusCut, seat, implied=True))
        _make_mano(draft, seat)
    return LANCE_OF[draft.state.phase]


def _pass(draft: Draft, call: c.Pass) -> None:
    seat = _seat(call)
    if draft.state.pending:
        _refuse_bet(draft, seat)
    else:
        draft.emit(kept(e.Passed, seat, begin_lances(draft, seat)))


def _bet(draft: Draft, call: c.Bet) -> None:
    if draft.state.pending:
        _number_in_reply(draft, call)
        return
    seat = _seat(call)
    lance = begin_lances(draft, seat)
    draft.emit(kept(e.BetMade, seat, lance, call.stones, both=call.both))


def _number_in_reply(draft: Draft, call: c.Bet) -> None:
    """A number over a bet: a partner's other amount (R35), else what the profile says (R22)."""
    total = partner_total(draft.state, call)
    if total is not None:
        draft.emit(e.PartnerBet(_seat(call), _lance(draft), total))
        return
    stands = draft.state.pending.stones if draft.state.pending else 0
    up_to = draft.state.profile.bare_raise is BareRaise.TO
    more = call.stones - stands if up_to else call.stones
    draft.emit(kept(e.BetRaised, _seat(call), _lance(draft), more))


def _raise(draft: Draft, call: c.Raise) -> None:
    total = partner_total(draft.state, call)
    if total is not None:
        draft.emit(e.PartnerBet(_seat(call), _lance(draft), total))
    else:
        draft.emit(kept(e.BetRaised, _seat(call), _lance(draft), call.stones))


def _reenvido(draft: Draft, call: c.Reenvido) -> None:
    # Two more by the house rule, or twice a bet of two; over other bets the table is asked (R23).
    draft.emit(kept(e.BetRaised, _seat(call), _lance(draft), c.ENVIDO))


def _pedrete(draft: Draft, call: c.Pedrete) -> None:
    seat = _seat(call)
    draft.emit(e.PedreteSung(seat, draft.state.profile.pedrete))  # one stone: nobody needs fewer
    end_at_target(draft, draft.state.side_of(seat))


def _ordago(draft: Draft, call: c.Ordago) -> None:
    seat = _seat(call)
    lance = begin_lances(draft, seat)
    draft.emit(e.OrdagoMade(seat, lance, both=call.both))


def _accept(draft: Draft, call: c.Accept) -> None:
    draft.emit(kept(e.BetAccepted, _seat(call), _lance(draft), call.stones))


def _refuse(draft: Draft, call: c.Refuse) -> None:
    _refuse_bet(draft, _seat(call), call.plural)


def _refuse_bet(draft: Draft, seat: int, plural: bool = False) -> None:
    draft.emit(kept(e.BetRefused, seat, _lance(draft), plural=plural))
    if plural or draft.state.profile.answer is Answer.ANY:  # binds the pair (R35)
        _bind_partners(draft, seat)


def _bind_partners(draft: Draft, seat: int) -> None:
    state = draft.state
    for partner in state.answerers():
        if state.side_of(partner) == state.side_of(seat):
            draft.emit(kept(e.BetRefused, partner, _lance(draft), implied=True))


def _declare(draft: Draft, call: c.Declare) -> None:
    lance = declared_lance(draft.state, call) or _lance(draft)
    seat = _seat(call)
    put_right = lance is PARES and draft.state.pares[seat - 1] is False
    draft.emit(kept(e.Declared, seat, lance, call.holds))
    if put_right and draft.state.profile.penalty is Penalty.INTERPENAS:
        # Both partners must now sing what they hold (S2 5.1).
        draft.emit(e.PenaltyApplied("5.1", e.Remedy.SING, seat, lance))


def _show(draft: Draft, call: c.ShowHand) -> None:
    """Lay four cards open; if a late hand proves something, count again (R46, R47)."""
    late = draft.state.phase in AFTER_DEAL
    if late and _proves_something(draft.state, call):
        draft.emit(e.CountReopened())
        late = False  # it warns of claims as it counts again
    seat = _seat(call)
    draft.emit(e.HandShown(seat, call.cards))
    hand = value(call.cards, draft.state.profile)
    for lance, holds in ((PARES, hand.pares is not None), (JUEGO, hand.juego)):
        said = draft.state.declared(lance)[seat - 1]
        if said is not None and said is not holds:
            draft.emit(e.DeclarationDisproved(seat, lance, holds))
    if late:
        warn_of_claims(draft)


def _proves_something(state: State, call: c.ShowHand) -> bool:
    """Whether an article would have fitted the count if this hand had been seen before it."""
    if state.uncounted is None:
        return False
    again = Draft(state)
    again.emit(e.CountReopened())
    again.emit(e.HandShown(_seat(call), call.cards))
    return bool(found(again.state, hand_values(again.state)))


def _next_deal(draft: Draft, call: c.NextDeal) -> None:
    start_deal(draft, call.mano or next_mano(draft.state))


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
    c.Pedrete: _pedrete,
    c.Accept: _accept,
    c.Refuse: _refuse,
    c.Declare: _declare,
    c.ShowHand: _show,
    c.NextDeal: _next_deal,
    c.SetStones: _set_stones,
    **arbitration.HANDLERS,
}
