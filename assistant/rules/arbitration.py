"""Calls about the game rather than of it: claims, corrections, reports, verdicts, redeals.

``CHECKS`` says whether one is allowed now, ``HANDLERS`` emits its events. Sources: R08, R45, R46,
R51 and R52 of the rule table; S2 1.4-1.7, 4.7 and 8.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.cards import HAND_SIZE
from assistant.rules.changes import Draft
from assistant.rules.events import ACCEPTED, OF_ONE, ORDAGO, PASSED, REFUSED, VOID
from assistant.rules.penalties import after_applying, rule_on, void_deal
from assistant.rules.phases import (
    BEFORE_LANCES,
    BETTING,
    COUNT,
    DECLARING,
    JUEGO,
    OVER,
    PARES,
    SHOWDOWN,
    Lance,
    Phase,
)
from assistant.rules.prizes import disproved_claims, hand_values, own_stones, unclaimed
from assistant.rules.profile import Exposed, Penalty
from assistant.rules.settle import end_at_target, settle
from assistant.rules.state import Proposal, State, side_letters

Reason = str | None
OF_EACH = (e.Irregularity.CARD_COUNT, e.Irregularity.IN_DECK)
"""Irregularities that may fit one player and not another."""
MAX_CARDS = 12
"""The most cards that anybody is dealt by mistake; a larger number was misheard."""
PARES_STONES = (1, 2, 3)
JUEGO_STONES = (2, 3)
IN_PLAY = (*BEFORE_LANCES, *BETTING, *DECLARING, SHOWDOWN)


def side_claimed(state: State, call: c.ClaimLance | c.AdjustStones) -> str | None:
    """The side that a claim is for, by its letter or by who said "nosotros"; else ``None``."""
    if call.side is not None or call.whose is None or call.seat is None:
        return call.side
    mine = state.side_of(call.seat)
    if call.whose is c.Whose.US:
        return mine
    others = [letter for letter in side_letters(state.sides) if letter != mine]
    return others[0] if len(others) == 1 else None


def gives_up(state: State, call: c.ClaimLance) -> bool:
    """Whether this claim gives a lance to whom the open cards give it, against an earlier claim.

    It may, even after the count, because cards that lie open are stronger than a claim (R46).
    """
    if state.phase not in (SHOWDOWN, COUNT, OVER):
        return False
    side, values = side_claimed(state, call), hand_values(state)
    for result, won in disproved_claims(state):
        if result.lance is call.lance and won.side == side:
            stones = own_stones(state, unclaimed(result), won.side, values)
            return not call.values or sum(call.values) == stones
    return False


# --- whether it is allowed ----------------------------------------------------------------------


def _claim(state: State, call: c.ClaimLance) -> Reason:
    if gives_up(state, call):
        return None
    if state.phase is OVER:
        return "game_over"
    if state.phase is not SHOWDOWN or call.lance is None:
        return "not_now"
    result = state.result(call.lance)
    if result is None or result.how is VOID:
        return "claim_wrong"
    if any(r.how is ORDAGO and r is not result for r in state.results):
        return "claim_wrong"
    side = side_claimed(state, call)
    if side not in side_letters(state.sides):
        return "whose"
    closed_for = result.side if result.how is REFUSED else side
    hands = [seat for seat in state.rivals_in(result) if state.side_of(seat) == side]
    if side != closed_for or not hands:
        return "claim_wrong"
    if _values_fit(call.lance, result.how, call.values, len(hands)):
        return None
    brings = call.lance in (PARES, JUEGO) and not call.values
    return "claim_values" if brings else "claim_wrong"


def _values_fit(lance: Lance, how: e.How, values: tuple[int, ...], hands: int) -> bool:
    """Whether there is one value for each hand that the side holds, if the lance brings values."""
    if lance not in (PARES, JUEGO):
        return not values and how is not REFUSED
    if how is ORDAGO and not values:
        return True
    known = PARES_STONES if lance is PARES else JUEGO_STONES
    return len(values) == hands and all(value in known for value in values)


def _correct(state: State, call: c.CorrectBet) -> Reason:
    if call.lance is None or not 1 <= call.stones <= c.MAX_BET:
        return "nothing_to_correct"
    bet, result = state.pending, state.result(call.lance)
    if bet and bet.lance is call.lance:
        # A raise stays above the bet before it, because a "no quiero" pays that bet.
        above = call.stones > bet.base
        settled = bet.ordago or bet.answered or bet.stones == call.stones or not above
        return "nothing_to_correct" if settled else None
    if result is None or result.how not in (ACCEPTED, PASSED):
        early = state.phase in BEFORE_LANCES and state.deal > 1
        return "claim_closed" if early else "nothing_to_correct"
    if result.how is ACCEPTED and result.stones == call.stones:
        return "nothing_to_correct"
    if state.phase in (COUNT, OVER) and state.uncounted is None:
        return "claim_closed"
    return None


def _adjust(state: State, call: c.AdjustStones) -> Reason:
    side = side_claimed(state, call)
    if side not in side_letters(state.sides):
        return "whose"
    stones = state.stones_of(side) + call.stones
    if call.stones == 0 or state.juego_won or not 0 <= stones <= state.profile.target:
        return "score_wrong"
    by_hand = call.agreed and bool(call.reason)
    return None if by_hand or _claims_are_open(state) else "claim_closed"


def _claims_are_open(state: State) -> bool:
    """Whether stones may be claimed: before the next deal, or once it has moved some (S2 8.4)."""
    open_now = state.phase in (SHOWDOWN, COUNT) or state.stones != state.before
    return open_now or state.profile.late_claims or state.deal == 1


def _report(state: State, call: c.Report) -> Reason:
    if call.player is not None and not 1 <= call.player <= len(state.seats):
        return "seat_unknown"
    player = call.player or call.seat
    match call.kind:
        case e.Irregularity.EXPOSED_CARD:
            return None if state.phase in BEFORE_LANCES else "not_now"
        case e.Irregularity.SAME_MANO:
            return None if _mano_came_back(state) else "not_now"
        case e.Irregularity.PEEKED:
            if player is None:
                return "seat_unknown"
            return None if state.phase in BETTING else "not_now"
        case e.Irregularity.IN_DECK:
            if player is None:
                return "seat_unknown"
            return None if _bound_by(state, player) else "not_now"
        case _:
            return _card_count(state, player, call.cards)


def _bound_by(state: State, player: int) -> list[int]:
    """Who accepts an órdago when ``player`` puts his cards into the deck (S2 4.6); [] if nobody.

    It is the player himself if he may answer; else, at pares or juego that he lacks, his partner.
    """
    bet = state.pending
    if bet is None or not bet.ordago or not state.profile.show_is_accept or player in state.out:
        return []
    side = [s for s in state.answerers() if state.side_of(s) == state.side_of(player)]
    return [player] if player in side else side


def _mano_came_back(state: State) -> bool:
    """Whether the same side is mano twice running, and that deal still counts (S2 1.6)."""
    if state.last_mano is None or state.voided is not None or state.phase is OVER:
        return False
    return state.side_of(state.last_mano) == state.side_of(state.dealt_mano)


def _card_count(state: State, player: int | None, cards: int) -> Reason:
    if player is None:
        return "seat_unknown"
    held = state.cards_of(player)  # fewer than four by article 1.5, until that is corrected
    if (cards == HAND_SIZE and held == HAND_SIZE) or not 0 < cards <= MAX_CARDS:
        return "cards_wrong"
    if player in state.out or (cards > HAND_SIZE and held < HAND_SIZE):
        return "not_now"
    bet, both = state.pending, state.both
    busy = bet is not None and player in (bet.seat, *bet.accepted)
    if both and state.phase is Phase.GRANDE:
        busy = busy or player == both.seat  # raised at grande, his bet stands at chica (R55)
    return None if state.phase in IN_PLAY and not busy else "not_now"


def _redeal(state: State, _call: c.Redeal) -> Reason:
    return None if state.phase in IN_PLAY else "not_now"


def _verdict(state: State, _call: c.Verdict) -> Reason:
    return None if state.proposals else "nothing_to_decide"


CHECKS: dict[type[c.Call], Callable[[State, Any], Reason]] = {
    c.ClaimLance: _claim,
    c.CorrectBet: _correct,
    c.AdjustStones: _adjust,
    c.Report: _report,
    c.Redeal: _redeal,
    c.Verdict: _verdict,
}


def reportable(state: State, counts: Sequence[int]) -> dict[e.Irregularity, tuple[int, ...]]:
    """The irregularities that may be reported now, and of which players.

    ``counts``: the numbers of cards to look at. An irregularity that fits everybody alike has all
    seats.
    """
    found: dict[e.Irregularity, tuple[int, ...]] = {}
    everybody = tuple(range(1, len(state.seats) + 1))
    bet = state.pending
    for kind in e.Irregularity if state.phase is not OVER else ():
        if kind is e.Irregularity.IN_DECK and not (bet and bet.ordago):
            continue  # cards put into the deck answer an órdago, and nothing else
        if kind in OF_EACH:
            cards = counts if kind is e.Irregularity.CARD_COUNT else (0,)
            players = tuple([seat for seat in everybody if _may_report(state, kind, seat, cards)])
        else:
            players = everybody if _may_report(state, kind, 1, (0,)) else ()
        if players:
            found[kind] = players
    return found


def _may_report(state: State, kind: e.Irregularity, player: int, counts: Sequence[int]) -> bool:
    for cards in counts:
        if _report(state, c.Report(kind=kind, player=player, cards=cards)) is None:
            return True
    return False


# --- what it makes happen -----------------------------------------------------------------------


def _take_claim(draft: Draft, call: c.ClaimLance) -> None:
    side = side_claimed(draft.state, call)
    if call.lance is None or side is None:
        return
    by_cards = gives_up(draft.state, call)
    if draft.state.phase is not SHOWDOWN:
        draft.emit(e.CountReopened())
    draft.emit(e.LanceClaimed(call.lance, side, () if by_cards else call.values, by_cards))


def _take_correction(draft: Draft, call: c.CorrectBet) -> None:
    if draft.state.phase in (COUNT, OVER):
        draft.emit(e.CountReopened())
    if call.lance is not None:
        draft.emit(e.BetCorrected(call.lance, call.stones))


def _take_adjustment(draft: Draft, call: c.AdjustStones) -> None:
    side = side_claimed(draft.state, call)
    if side is not None:
        draft.emit(e.StonesAdjusted(side, call.stones, call.reason))
        end_at_target(draft, side)


def _take_report(draft: Draft, call: c.Report) -> None:
    state = draft.state
    player = call.player or call.seat
    named = call.kind in OF_ONE
    cards = call.cards if call.kind is e.Irregularity.CARD_COUNT else 0
    draft.emit(e.IrregularityReported(call.kind, player if named else None, cards))
    if call.kind is e.Irregularity.IN_DECK and player and state.pending:
        accepter = _bound_by(state, player)[0]
        draft.emit(e.BetAccepted(accepter, state.pending.lance, implied=True))
        settle(draft)
        return
    if state.profile.penalty is Penalty.OFF:
        return
    proposal = _article(state, call, player)
    if proposal and proposal not in state.proposals:
        rule_on(draft, proposal)


def _article(state: State, call: c.Report, player: int | None) -> Proposal | None:
    """The article that a report calls for at once; a look at the cards waits for the count."""
    match call.kind:
        case e.Irregularity.EXPOSED_CARD if state.profile.exposed is Exposed.MUS:
            return None
        case e.Irregularity.EXPOSED_CARD if state.profile.exposed is Exposed.FIRST:
            return None if state.discards else Proposal("1.7", e.Remedy.REDEAL)
        case e.Irregularity.EXPOSED_CARD:
            return Proposal("1.7", e.Remedy.REDEAL)
        case e.Irregularity.SAME_MANO:
            # A deal that won a juego stays, because that juego is over.
            return None if state.juego_won else Proposal("1.6", e.Remedy.REDEAL)
        case e.Irregularity.CARD_COUNT if state.discards == 0:
            # If the dealer's own side has too many, they are taken off, and that is all (S2 1.4).
            dealer = state.order(state.dealt_mano)[-1]
            own = state.side_of(player or dealer) == state.side_of(dealer)
            return None if own else Proposal("1.4", e.Remedy.REDEAL, player)
        case e.Irregularity.CARD_COUNT if call.cards == HAND_SIZE:
            return None  # the player has his fourth card after all
        case e.Irregularity.CARD_COUNT:
            remedy = e.Remedy.OUT if call.cards > HAND_SIZE else e.Remedy.SHORT
            return Proposal("1.5", remedy, player)
        case _:
            return None


def _take_redeal(draft: Draft, _call: c.Redeal) -> None:
    void_deal(draft)


def _take_verdict(draft: Draft, call: c.Verdict) -> None:
    proposal = draft.state.proposals[0]
    parts = (proposal.article, proposal.remedy, proposal.seat, proposal.lance)
    if call.apply:
        draft.emit(e.PenaltyApplied(*parts))
        after_applying(draft, proposal)
    else:
        draft.emit(e.PenaltyWaived(*parts))


HANDLERS: dict[type[c.Call], Callable[[Draft, Any], None]] = {
    c.ClaimLance: _take_claim,
    c.CorrectBet: _take_correction,
    c.AdjustStones: _take_adjustment,
    c.Report: _take_report,
    c.Redeal: _take_redeal,
    c.Verdict: _take_verdict,
}
