"""Whose turn it is, and whether the rules allow a call now.

``decide`` and ``legal_calls`` share these checks. They are for explicit calls: the seat is known,
and the call is about the present lance. ``infer`` adds what players leave out: who spoke, and
the passes that nobody said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.rules import calls as c
from assistant.rules.arbitration import CHECKS
from assistant.rules.cards import check_deal
from assistant.rules.errors import CardError
from assistant.rules.phases import (
    AFTER_DEAL,
    BEFORE_LANCES,
    BETTING,
    COUNT,
    DECLARING,
    GRANDE,
    JUEGO,
    OVER,
    PARES,
    SHOWDOWN,
    Lance,
    Phase,
)
from assistant.rules.prizes import missing_hands
from assistant.rules.profile import OPTIONS, BareRaise, Order, ReenvidoIs
from assistant.rules.state import State

# ---- Whose turn it is; at most tables others may speak out of turn all the same (R03) -----------


def to_speak(state: State) -> int | None:
    """The seat whose turn it is to speak, or to show its cards."""
    phase = state.phase
    if phase is COUNT or phase is OVER:
        return None
    if phase is SHOWDOWN:
        waited_for = missing_hands(state)
    else:
        waited_for = state.answerers() if state.pending else silent(state)
    return waited_for[0] if waited_for else None


def silent(state: State) -> tuple[int, ...]:
    """The seats that have not spoken yet in this round, in the order of speaking."""
    phase = state.phase
    if asked := DECLARING.get(phase):
        said = state.declared(asked)
        return tuple([seat for seat in state.in_play() if said[seat - 1] is None])
    lance = BETTING.get(phase)
    seats = state.holders(lance) if lance else state.mus_order()
    if phase in BEFORE_LANCES and state.out:
        seats = tuple([seat for seat in seats if seat not in state.out])
    spoken = state.spoken
    return tuple([seat for seat in seats if seat not in spoken])


# ---- Whether the rules allow a call now ---------------------------------------------------------


Reason = str | None
"""The code of why a call is refused, a key of the phrase files; ``None`` where it is allowed."""

AFTER_THE_MATCH = frozenset({c.ShowHand, c.CorrectBet, c.ClaimLance})
"""Calls that are allowed after the match: showing the cards, and correcting the last count."""
FREE_OF_LANCE = frozenset({c.Declare, c.ClaimLance, c.CorrectBet})
"""Calls whose lance may be another than the one being played."""

FREE_ORDER = Order.FREE
"""A name of its own, as the lances have in ``phases``."""
TO_GRANDE = (*BEFORE_LANCES, Phase.GRANDE)
"""The phases up to grande, in which nobody has spoken of a later lance yet."""

MESSAGES: dict[str, str] = {
    "not_now": "That call does not belong to this moment of the deal.",
    "no_bet": "There is no bet to answer.",
    "mus_forced": "A card was exposed: there is mus, and who likes his cards keeps them.",
    "own_bet": "The bet is the caller's own; the other side answers.",
    "already_spoken": "This player has already spoken in this round.",
    "already_refused": "This player has refused the bet; only the partner can still answer.",
    "no_pares": "Only a player who holds pares speaks in this lance.",
    "no_juego": "Only a player who holds juego speaks in this lance.",
    "declare_first": "Every player first says whether he holds it.",
    "too_much": f"No bet is more than {c.MAX_BET} stones; say órdago for everything.",
    "raise_after_ordago": "After an órdago one only accepts or refuses.",
    "other_lance": "That lance is not the one being played.",
    "cards_wrong": "Those cards cannot lie on this table.",
    "cards_missing": "The count needs cards that nobody has shown yet.",
    "game_over": "The match is over.",
    "not_your_turn": "At this table one speaks by turn, and it is another player's.",
    "off_by_rules": "The house rules of this table do not play that.",
    "out_of_play": "This player's hand is out of play (article 1.5).",
    "pedrete_twice": "This player has sung a pedrete already.",
    "claim_wrong": "That cannot be claimed: the lance, the side or the values do not fit.",
    "claim_values": "Pares and juego are claimed with what the hands are worth.",
    "claim_closed": "The cards are in the pile: nothing of that deal is claimed any more.",
    "nothing_to_correct": "There is no such bet to put right.",
    "nothing_to_decide": "No article waits for a decision.",
    "decide_first": "An article waits: is it applied, or let pass?",
    "whose": "For whom is it?",
    "other_stones": "The bet that waits for an answer is of other stones.",
    "which_bet": "Two partners bet two amounts: which one is wanted?",
    "cards_shown_early": "A bet is pending: cards that are shown now accept nothing here.",
    "seat_unknown": "There is no such seat at this table.",
    "score_wrong": "A score has one number for each side, from 0 to below the target.",
    "bare_raise": "A number alone, in reply to a bet: that many more, or up to that many?",
    "reenvido": "Reenvido doubles the bet at some tables and adds two at others: which one?",
    "no_quereis": "A bet is pending and the talk is of the next lance: is it refused?",
    "holders": "Who has pares, or juego, was not heard: who has it?",
    "who": "That would put right what a player declared: who said it?",
    "change_of_mind": "This player has just passed: a change of mind, or the next lance?",
    **{rule.key: rule.refusal for rule in OPTIONS.values() if rule.refusal},
}
"""Code -> why a call is refused, or what is asked; the code of a house rule is its key."""


def refusal(state: State, call: c.Call) -> Reason:
    """Why an explicit call is not allowed now, or ``None``."""
    kind, seat, lance = type(call), call.seat, call.lance
    if state.phase is OVER and kind not in AFTER_THE_MATCH:
        return "game_over"
    if seat is not None and not 1 <= seat <= len(state.seats):
        return "seat_unknown"
    if lance and kind not in FREE_OF_LANCE and not _names_this_lance(state, lance):
        return "other_lance"
    if seat in state.incidents.out and kind not in CHECKS:
        return "out_of_play"
    return _CHECKS[kind](state, call)


def _names_this_lance(state: State, lance: Lance) -> bool:
    if state.phase in BEFORE_LANCES:
        return lance is GRANDE
    return state.lance is lance


def _speaker(state: State, call: c.Call) -> Reason:
    """Whether this seat takes part in the betting of the present lance."""
    lance = BETTING.get(state.phase)
    if lance is None:
        return "declare_first" if state.phase in DECLARING else "not_now"
    # In the other lances every hand in play speaks, and ``refusal`` has checked that it is.
    said = state.pares if lance is PARES else state.juego if lance is JUEGO else None
    if call.seat is None or (said and not said[call.seat - 1]):
        return "no_pares" if lance is PARES else "no_juego"
    return None


def _by_turn(state: State, call: c.Call) -> Reason:
    """With ``order=strict``, whether it is this seat's turn; answers to a bet need none."""
    if state.profile.order is FREE_ORDER or call.seat == to_speak(state):
        return None
    return "not_your_turn"


def _answer(state: State, call: c.Call) -> Reason:
    """Whether this seat may answer the pending bet."""
    if reason := _speaker(state, call):
        return reason
    if state.pending is None:
        return "no_bet"
    bet = state.pending
    if state.side_of(call.seat or 0) == bet.side:
        return "own_bet"
    if call.seat in bet.accepted:
        return "already_spoken"
    return "already_refused" if call.seat in bet.refused or call.seat in bet.out else None


def _open(state: State, call: c.Call) -> Reason:
    """Whether this seat may pass or open the betting, where no bet is pending."""
    if state.phase in BEFORE_LANCES:
        return _cuts(state, call)  # and speaks of grande at once (R09)
    if reason := _speaker(state, call):
        return reason
    return "already_spoken" if call.seat in state.spoken else _by_turn(state, call)


def _mus(state: State, call: c.Mus) -> Reason:
    if state.phase not in BEFORE_LANCES:
        return "not_now"
    return "already_spoken" if call.seat in state.spoken else _by_turn(state, call)


def _cut(state: State, call: c.Cut) -> Reason:
    return _cuts(state, call) if state.phase in BEFORE_LANCES else "not_now"


def _cuts(state: State, call: c.Call) -> Reason:
    """Whether this seat may cut the mus, in whatever words."""
    return "mus_forced" if state.incidents.forced else _by_turn(state, call)


def _pedrete(state: State, call: c.Pedrete) -> Reason:
    if not state.profile.pedrete:
        return "off_by_rules"
    if state.phase not in BEFORE_LANCES:
        return "not_now"
    return "pedrete_twice" if call.seat in state.sung else None


def _pass(state: State, call: c.Pass) -> Reason:
    if state.pending:
        return _answer(state, call)
    if state.phase in BEFORE_LANCES and not state.profile.paso_cuts:
        return "not_now"
    return _open(state, call)


def _accept(state: State, call: c.Accept) -> Reason:
    if reason := _answer(state, call):
        return reason
    choices = state.pending.choices if state.pending else ()
    if call.stones is None:
        return "which_bet" if choices else None
    return None if call.stones in choices or _is_the_bet(state, call.stones) else "other_stones"


def _is_the_bet(state: State, stones: int) -> bool:
    return state.pending is not None and not state.pending.ordago and state.pending.stones == stones


def partner_total(state: State, call: c.Bet | c.Raise) -> int | None:
    """The bet that the bettor's partner names (R35); ``None`` if he may not name an amount.

    He may do so only before a rival has answered, and only if it is known who speaks.
    """
    bet, seat = state.pending, call.seat
    if bet is None or seat is None or seat == bet.seat or bet.ordago or bet.answered:
        return None
    if state.side_of(seat) != bet.side or seat not in state.holders(bet.lance):
        return None
    if isinstance(call, c.Raise) and not bet.base:
        # Nobody raises his own pair's first bet; two partners who both raise say two amounts.
        return None
    return bet.base + call.stones


def _partner_bet(state: State, call: c.Bet | c.Raise) -> Reason:
    total = partner_total(state, call)
    if total is None or (state.pending and total == state.pending.stones):
        return "own_bet"
    if call.stones > c.MAX_BET:
        return "too_much"
    return "min_bet" if call.stones < least_stones(state, call) else None


def _is_partners(state: State, call: c.Call) -> bool:
    bet = state.pending
    return bet is not None and call.seat is not None and state.side_of(call.seat) == bet.side


def _bet(state: State, call: c.Bet) -> Reason:
    if call.both and not _both_ahead(state):
        return "not_now" if state.profile.both else "off_by_rules"
    if _is_partners(state, call):
        return _speaker(state, call) or _partner_bet(state, call)
    if state.pending:  # a raise at most; the number has two readings (R22)
        return _raise(state, c.Raise(seat=call.seat, stones=call.stones)) or _bare(state, call)
    if call.stones < least_stones(state, call):
        return "min_bet"
    return "too_much" if call.stones > c.MAX_BET else _open(state, call)


def _bare(state: State, call: c.Bet) -> Reason:
    """A bare number in reply to a bet: the house rules read it, or have it asked (R22)."""
    match state.profile.bare_raise:
        case BareRaise.BY:
            return None
        case BareRaise.TO:
            return None if call.stones >= least_stones(state, call) else "min_raise"
        case _:
            return "bare_raise"


def least_stones(state: State, call: c.Bet | c.Raise) -> int:
    """The smallest number that a bet, or a raise, may have now (R21, R22, R35)."""
    bet, profile = state.pending, state.profile
    if isinstance(call, c.Raise):
        return profile.min_raise
    if bet is None:
        return profile.min_bet
    if _is_partners(state, call):
        return profile.min_raise if bet.base else profile.min_bet
    up_to = profile.bare_raise is BareRaise.TO
    return (bet.stones if up_to else 0) + profile.min_raise


def barred_stones(state: State, call: c.Bet | c.Raise) -> int | None:
    """The one number that a partner may not say: the bet that stands already (R35)."""
    bet = state.pending
    return bet.stones - bet.base if bet and _is_partners(state, call) else None


def _raise(state: State, call: c.Raise) -> Reason:
    if call.stones < state.profile.min_raise:
        return "min_raise"
    if call.stones > c.MAX_BET:
        return "too_much"
    if _is_partners(state, call):
        return _speaker(state, call) or _partner_bet(state, call)
    return _answer(state, call) or _no_ordago(state)


def _reenvido(state: State, call: c.Reenvido) -> Reason:
    if reason := _answer(state, call) or _no_ordago(state):
        return reason
    amounts = [c.ENVIDO]
    if state.pending and state.profile.reenvido is ReenvidoIs.DOUBLE:
        amounts = [state.pending.stones, *amounts]
    refused = [_raise(state, c.Raise(seat=call.seat, stones=stones)) for stones in amounts]
    if None not in refused:
        return refused[0]
    # Doubling and adding two differ unless the bet is two; then the table is asked (R23).
    return "reenvido" if len(set(amounts)) > 1 else None


def _no_ordago(state: State) -> Reason:
    return "raise_after_ordago" if state.pending and state.pending.ordago else None


def _ordago(state: State, call: c.Ordago) -> Reason:
    if call.both and not _both_ahead(state):
        return "not_now" if state.profile.both else "off_by_rules"
    if _is_partners(state, call):
        return _speaker(state, call) or _partner_ordago(state, call)
    if state.pending:
        return _answer(state, call) or _no_ordago(state)
    return _open(state, call)


def _partner_ordago(state: State, call: c.Ordago) -> Reason:
    """The strongest call of a pair stands (R35), until a rival has answered the weaker."""
    bet = state.pending
    if bet is None or bet.ordago or bet.answered or bet.seat == call.seat or call.both:
        return "own_bet"
    return None


def _both_ahead(state: State) -> bool:
    """Whether grande and chica are both still to be opened, as "a las dos" asks (R55)."""
    if not state.profile.both:
        return False
    return state.phase in TO_GRANDE and state.pending is None


def _declare(state: State, call: c.Declare) -> Reason:
    asked = DECLARING.get(state.phase)
    lance = call.lance or asked
    if lance is not PARES and lance is not JUEGO:
        return "not_now"
    if lance is not asked:
        if not still_correctable(state, lance):
            return "other_lance" if asked else "not_now"
        if not call.holds:
            return "not_now"
    said = state.declared(lance)[(call.seat or 1) - 1]
    if said is None:
        return _by_turn(state, call)
    return "already_spoken" if said is call.holds else None


def declared_lance(state: State, call: c.Declare) -> Lance | None:
    """The lance of a declaration; a plain "sí" has one only in the rounds."""
    return call.lance or DECLARING.get(state.phase)


def is_round_of(state: State, lance: Lance) -> bool:
    """Whether pares, or juego, is being declared now."""
    return DECLARING.get(state.phase) is lance


def still_correctable(state: State, lance: Lance) -> bool:
    """Whether a declaration may still be corrected: "perdón, pares sí" (R50).

    It may before the first bet or, if nobody could bet, before the table has gone on.
    """
    if state.lance is lance:
        return state.pending is None
    if lance is JUEGO and state.phase is Phase.PUNTO:
        return state.pending is None
    result = state.result(lance)
    if result is None or result.how not in ("uncontested", "nobody"):
        return False
    if lance is PARES:
        return state.phase is Phase.JUEGO_SAY and not any(s is not None for s in state.juego)
    return state.phase is SHOWDOWN and not any(state.hands)


def _show(state: State, call: c.ShowHand) -> Reason:
    return wrong_cards(state, call) if may_show(state, call.seat or 0) else "not_now"


def wrong_cards(state: State, call: c.ShowHand) -> Reason:
    """Whether this player cannot hold such a hand: too many cards, too few, or cards of others."""
    if len(call.cards) != state.cards_of(call.seat or 0):
        return "cards_wrong"
    others = [h for s, h in enumerate(state.hands, start=1) if h and s != call.seat]
    try:
        check_deal((*others, call.cards), state.profile.kings)
    except CardError:
        return "cards_wrong"
    return None


def may_show(state: State, seat: int) -> bool:
    """Whether a player may lay down his cards: at the showdown, or after the count (R46).

    Everybody may show his cards at the end of a deal, even if the count does not need them, because
    a denial must come to light. A hand that was counted stays as it is.
    """
    if seat in state.incidents.out or state.deal == 0:
        return False
    shown = state.hands[seat - 1] is not None
    return state.phase is SHOWDOWN or (state.phase in AFTER_DEAL and not shown)


def _next_deal(state: State, call: c.NextDeal) -> Reason:
    if call.mano is not None and not 1 <= call.mano <= state.players:
        return "seat_unknown"
    if state.phase is SHOWDOWN:
        return "decide_first" if state.proposals else "cards_missing"
    return None if state.phase is COUNT else "not_now"


def _set_stones(state: State, call: c.SetStones) -> Reason:
    fits = len(call.stones) == state.sides and all(
        0 <= n < state.profile.target for n in call.stones
    )
    return None if fits and state.juego_won is None else "score_wrong"


_CHECKS: dict[type[c.Call], Callable[[State, Any], Reason]] = {
    c.Mus: _mus,
    c.Cut: _cut,
    c.Pass: _pass,
    c.Bet: _bet,
    c.Raise: _raise,
    c.Reenvido: _reenvido,
    c.Ordago: _ordago,
    c.Pedrete: _pedrete,
    c.Accept: _accept,
    c.Refuse: _answer,
    c.Declare: _declare,
    c.ShowHand: _show,
    c.NextDeal: _next_deal,
    c.SetStones: _set_stones,
    c.Place: lambda _state, _call: "not_now",  # it needs the records: see ``placing``
    **CHECKS,
}
