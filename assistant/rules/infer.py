"""Inference of what players leave unsaid: who spoke, passes that nobody said, implied refusals.

Each inference becomes an event of its own, marked ``implied``, so nothing is guessed silently.
Sources: "How a hand is played" of the rule table, R03, R09, R35, R36.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.arbitration import CHECKS, side_claimed
from assistant.rules.changes import Draft
from assistant.rules.errors import AmbiguousCall, IllegalCall
from assistant.rules.events import ACCEPTED, kept
from assistant.rules.legal import (
    MESSAGES,
    declared_lance,
    is_round_of,
    may_show,
    refusal,
    silent,
    to_speak,
    wrong_cards,
)
from assistant.rules.phases import (
    BETTING,
    COUNT,
    DECLARING,
    JUEGO,
    LANCE_OF,
    ORDER,
    PUNTO,
    SHOWDOWN,
    TRANSITIONS,
    Lance,
    Phase,
    Trigger,
)
from assistant.rules.prizes import missing_hands
from assistant.rules.profile import Corrido
from assistant.rules.settle import settle
from assistant.rules.state import Pending, State, side_letters

Kinds = frozenset[type[c.Call]]
TALK: Kinds = frozenset({c.Pass, c.Bet, c.Ordago})
"""Calls that open a lance or pass in it; they may already speak of the next lance."""
RAISES: Kinds = frozenset({c.Raise, c.Reenvido, c.Ordago})
"""Calls that raise a bet that stands."""
OF_THE_DEAL: Kinds = frozenset({c.Mus, c.Cut})
"""Calls that can only be about the mus."""
OF_NOBODY: Kinds = frozenset({c.NextDeal, c.SetStones})
"""Calls that need no speaker."""


Seated = tuple[c.Call, bool]
"""A call with its seat, and whether the rules have been asked already and allow it."""


def fill_in(draft: Draft, call: c.Call) -> Seated | None:
    """Add the events that the call implies to the draft; return the call with its seat.

    It returns ``None`` if nothing is left of the call: cards shown during a bet accept it, and are
    then picked up again.

    Raises AmbiguousCall if a bet is pending and the call speaks of the next lance (R36), or if a
    player who has just passed speaks again.
    """
    kind = type(call)
    if kind in CHECKS:
        return _for_whom(draft.state, call), False
    state = draft.state
    if state.phase is COUNT:
        _start_deal(draft, call)
    if state.incidents.proposals:
        _let_pass(draft)
    if state.results and kind in RAISES:
        call = _reopen(draft, call)
    took = isinstance(call, c.ShowHand) and _took_cards_for_a_quiero(draft, call)
    if took and draft.state.phase is not SHOWDOWN:
        return None
    while draft.state.phase in BETTING and _speaks_of_the_next(draft.state, call):
        _close_the_lance(draft, call)
    if kind in TALK and draft.state.phase in DECLARING:
        _declare_for_the_silent(draft, call)
    if call.seat is not None or kind in OF_NOBODY:
        return call, False
    if isinstance(call, c.ShowHand):
        return _shown_by(draft, call)
    return _seated(draft, call)


def _for_whom(state: State, call: c.Call) -> c.Call:
    """Ask for which side a claim is, if it is unknown who said "nosotros"."""
    if not isinstance(call, (c.ClaimLance, c.AdjustStones)) or side_claimed(state, call):
        return call
    options = tuple(replace(call, side=letter, whose=None) for letter in side_letters(state.sides))
    refused = [CHECKS[type(call)](state, option) for option in options]
    if all(refused):
        reason = refused[0] or ""  # whichever side it is for: so nobody is asked
        raise IllegalCall(reason, MESSAGES[reason], call)
    raise AmbiguousCall("whose", MESSAGES["whose"], call, options)


def _let_pass(draft: Draft) -> None:
    """Waive the proposed articles, because the table plays on; at the showdown they wait."""
    for p in draft.state.proposals:
        if draft.state.phase is not SHOWDOWN:
            draft.emit(e.PenaltyWaived(p.article, p.remedy, p.seat, p.lance, implied=True))


def _reopen(draft: Draft, call: c.Call) -> c.Call:
    """Let the partner of a player who has just accepted raise: the strongest call counts (R35)."""
    state = draft.state
    if state.pending:
        return call
    last = state.results[-1]
    if last.how is not ACCEPTED or last.bet is None or not _still_warm(state, last.lance):
        return call
    if isinstance(call, c.Ordago) and call.lance is not last.lance:
        return call  # it may as well open the next lance
    if call.lance not in (None, last.lance):
        return call
    partners = _partners_of_the_accepter(state, last.bet)
    if call.seat in partners:
        draft.emit(e.LanceReopened(last.lance))
    elif call.seat is None and partners:
        draft.emit(e.LanceReopened(last.lance))
        # The accepter himself raises no more after his "quiero".
        draft.emit(kept(e.SeatInferred, partners[0], "pair"))
        return replace(call, seat=partners[0])
    return call


def _partners_of_the_accepter(state: State, bet: Pending) -> list[int]:
    """The partners of the player who accepted, as far as they are still in the lance."""
    accepter = bet.accepted[-1]
    gone = (*bet.out, *bet.refused, accepter)
    side = state.side_of(accepter)
    return [
        seat
        for seat in state.holders(bet.lance)
        if state.side_of(seat) == side and seat not in gone
    ]


def _still_warm(state: State, closed: Lance) -> bool:
    """Whether nobody has spoken since a lance was closed, so that it may be opened again."""
    trigger = Trigger.RERAISED_PUNTO if closed is PUNTO else Trigger.RERAISED
    back = TRANSITIONS.get((state.phase, trigger))
    if back is None or LANCE_OF[back] is not closed:
        return False
    if state.phase in DECLARING:
        return all(said is None for said in state.declared(_lance(state)))
    return not state.spoken and not any(state.hands)


def _took_cards_for_a_quiero(draft: Draft, call: c.ShowHand) -> bool:
    """Take cards shown during a bet as a "quiero", if the house rules have it so (S2 4.6, R37).

    A player who may not speak in the lance binds his partner.
    """
    state, bet = draft.state, draft.state.pending
    if bet is None or call.seat is None:
        return False
    side = state.side_of(call.seat)
    bound = [seat for seat in state.answerers() if state.side_of(seat) == side]
    if not (state.profile.show_is_accept and bound):
        if state.phase in (Phase.JUEGO, Phase.PUNTO):
            return False  # the last lance: it is asked about, like any talk of what comes next
        raise IllegalCall("cards_shown_early", MESSAGES["cards_shown_early"], call)
    if reason := "not_now" if call.seat in state.out else wrong_cards(state, call):
        raise IllegalCall(reason, MESSAGES[reason], call)
    accepter = call.seat if call.seat in bound else bound[0]
    draft.emit(e.CardsShownEarly(call.seat, call.cards))
    draft.emit(kept(e.BetAccepted, accepter, bet.lance, implied=True))
    settle(draft)
    return True


def _declare_for_the_silent(draft: Draft, call: c.Call) -> None:
    """By the rule auto_declare the bettor holds the lance and the silent ones do not (R16)."""
    state = draft.state
    if not state.profile.auto_declare:
        return
    lance = _lance(state)
    if call.lance not in (None, lance) or isinstance(call, c.Pass):
        return
    speaker = call.seat or to_speak(state)
    rivals = [s for s in state.holders(lance) if state.side_of(s) != state.side_of(speaker or 0)]
    if not rivals:
        return  # silence would leave nobody to bet against, so the round is asked for
    for seat in silent(state):
        draft.emit(kept(e.Declared, seat, lance, holds=seat == speaker, implied=True))
    settle(draft)


def _start_deal(draft: Draft, call: c.Call) -> None:
    """Start the next deal on "mus" or "no hay mus" after the count; the first one on any call."""
    kind = type(call)
    if kind in OF_THE_DEAL or (kind in TALK and draft.state.deal == 0):
        start_deal(draft, next_mano(draft.state), implied=True)


def start_deal(draft: Draft, mano: int, implied: bool = False) -> None:
    """Start a deal; by the house rules its mus may be a mus corrido (R06)."""
    state = draft.state
    corrido = is_corrido(state)
    draft.emit(e.DealStarted(state.deal + 1, mano, implied=implied, corrido=corrido))


def is_corrido(state: State) -> bool:
    """Whether the next deal has a mus corrido (R06); after a void deal as in that one."""
    first = state.deal == 0
    if state.voided is not None:
        return state.corrido
    match state.profile.corrido:
        case Corrido.MATCH:
            return first
        case Corrido.VACA:
            return first or state.vaca_won is not None
        case Corrido.JUEGO:
            return first or state.juego_won is not None
        case _:
            return False


def next_mano(state: State) -> int:
    """Mano moves one seat to the right with each deal (R05); a void deal is dealt again."""
    if state.deal == 0:
        return 1  # nobody was named mano (R04)
    return state.voided if state.voided is not None else state.order()[1]


def _close_the_lance(draft: Draft, call: c.Call) -> None:
    """Close the lance before that of a call, by the passes or refusals that the call implies."""
    state = draft.state
    if state.pending and not state.pending.answered and not _means_no(state, call):
        options = (c.Refuse(plural=True), c.Accept())
        raise AmbiguousCall("no_quereis", MESSAGES["no_quereis"], call, options)
    if state.pending:
        for seat in state.answerers():
            draft.emit(kept(e.BetRefused, seat, state.pending.lance, implied=True))
    else:
        for seat in silent(state):
            draft.emit(kept(e.Passed, seat, _lance(state), implied=True))
    settle(draft)


def _means_no(state: State, call: c.Call) -> bool:
    """Whether a rival refuses the bet by speaking of the next lance, as in S2 4.2 (R36)."""
    return state.profile.implicit_no and call.seat in state.answerers()


def _speaks_of_the_next(state: State, call: c.Call) -> bool:
    """Whether the call names a later lance, or can only belong to one."""
    named = call.lance
    if named is None and type(call) in TALK:
        if state.pending:
            return _over_a_half_refused_bet(state, call)
        return call.seat in state.spoken and _passed_before(state, call)
    here = _lance(state)
    if named is not None and named is not here:
        return ORDER[named] > ORDER[here]
    # For the last "paso" players lay down.
    return isinstance(call, c.ShowHand) and (here is JUEGO or here is PUNTO)


def _over_a_half_refused_bet(state: State, call: c.Call) -> bool:
    """Whether one of the pair has refused, and this speaker can no longer answer the bet."""
    bet = state.pending
    if bet is None or not bet.answered:
        return False
    if call.seat is None:
        # The partner would say how much more, so a plain "envido" opens the next lance.
        return isinstance(call, c.Bet)
    gone = (*bet.refused, *bet.out, *bet.accepted)
    return state.side_of(call.seat) == bet.side or call.seat in gone


def _passed_before(state: State, call: c.Call) -> bool:
    """Whether the speaker has already passed in this lance: then he speaks of the next one.

    Raises AmbiguousCall if he was the last to pass.
    """
    if call.seat == state.spoken[-1]:
        raise AmbiguousCall("change_of_mind", MESSAGES["change_of_mind"], call)
    return True


def _seated(draft: Draft, call: c.Call) -> Seated:
    """Give a call without a speaker to the pair that can make it; if both can, go by the turn."""
    state = draft.state
    turn = to_speak(state) or state.mano
    said_by = _said_by_each(call, len(state.seats))
    bet, sides = state.pending, state.sides
    able: list[int] = []
    both = False  # whether players of more than one side can make the call
    every = isinstance(call, c.Declare) and _corrects(state, call)
    for seat in state.order(turn):
        if bet is not None and (seat - bet.seat) % sides == 0:
            continue  # a partner may name another amount only if it is known who speaks
        if refusal(state, said_by[seat - 1]) is not None:
            continue
        able.append(seat)
        both = (seat - able[0]) % sides != 0
        if both and not every:
            break
    if not able:
        return said_by[turn - 1], False
    if every:
        # It may repeat a holder's word, or take back the denial of another player: ask.
        options = tuple(said_by[seat - 1] for seat in able)
        raise AmbiguousCall("who", MESSAGES["who"], call, options)
    draft.emit(kept(e.SeatInferred, able[0], "turn" if both else "pair"))
    return said_by[able[0] - 1], True


def _shown_by(draft: Draft, call: c.ShowHand) -> Seated:
    """Give cards without a player to the next hand to be shown; the rules still check the cards."""
    state = draft.state
    for seat in missing_hands(state) or state.order():
        if may_show(state, seat):
            draft.emit(kept(e.SeatInferred, seat, "turn"))
            return replace(call, seat=seat), False
    return replace(call, seat=to_speak(state) or state.mano), False


@lru_cache(maxsize=512)
def _said_by_each(call: c.Call, players: int) -> tuple[c.Call, ...]:
    """The same call from each seat; kept, because an evening repeats a few hundred calls."""
    return tuple([replace(call, seat=seat) for seat in range(1, players + 1)])


def _corrects(state: State, call: c.Declare) -> bool:
    """Whether a call takes back what a player declared before (R50)."""
    lance = declared_lance(state, call)
    return lance is not None and not is_round_of(state, lance)


def _lance(state: State) -> Lance:
    return LANCE_OF[state.phase]
