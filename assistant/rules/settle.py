"""Events that follow from a call by themselves: lances close and open, dejes, the count."""

from __future__ import annotations

from collections.abc import Callable

from assistant.rules import events as e
from assistant.rules.changes import Draft
from assistant.rules.events import ACCEPTED, NOBODY, ORDAGO, PASSED, REFUSED, UNCONTESTED, kept
from assistant.rules.penalties import close_by_the_cards, found, rule_on
from assistant.rules.phases import (
    BETTING,
    CHICA,
    DECLARING,
    JUEGO,
    PARES,
    PUNTO,
    SHOWDOWN,
    Lance,
    Phase,
)
from assistant.rules.prizes import (
    LanceOutcome,
    Values,
    counted,
    disproved_claims,
    hand_values,
    is_countable,
    outcome,
    own_stones,
    unclaimed,
    unclosed,
    void_deje,
    winner,
)
from assistant.rules.state import LanceResult, Pending, State, side_letters

# ---- Stones: dejes, the count in its order, the stone that ends the juego (R24-R32) -------------


def award(draft: Draft, side: str, stones: int, lance: Lance, why: e.Why) -> None:
    """Give stones to a side, no more than it needs; end the juego at the target (R30, R60)."""
    state = draft.state
    needed = state.profile.target - state.stones_of(side)
    won = min(stones, needed)
    if won < 1:
        return
    draft.emit(kept(e.StonesWon, side, won, lance, why))
    if won == needed:
        win_juego(draft, side, e.WonBy.TARGET)


def end_at_target(draft: Draft, side: str) -> None:
    """End the juego if the side has reached the target; no stone after that counts."""
    if draft.state.stones_of(side) >= draft.state.profile.target:
        win_juego(draft, side, e.WonBy.TARGET)


def win_juego(draft: Draft, side: str, by: e.WonBy) -> None:
    """End the juego; and the vaca and the match, if this juego was the last one needed (R41)."""
    draft.emit(e.JuegoWon(side, by))
    state = draft.state
    if max(state.juegos) < state.profile.juegos:
        return
    if state.profile.vacas > 1:
        draft.emit(e.VacaWon(side))
        if max(draft.state.vacas) < state.profile.vacas:
            return
    draft.emit(e.MatchWon(side))


def count(draft: Draft, values: Values) -> None:
    """Count the lances in their order; stop at the stone that wins the juego (R30).

    If an accepted órdago stands, it decides the whole juego, and nothing else counts (R32).
    """
    for side in side_letters(draft.state.sides):
        end_at_target(draft, side)  # stones may have been agreed on since the first count
        if draft.state.juego_won:
            return
    for result in counted(draft.state):
        if result.how is ORDAGO:
            _decide_ordago(draft, result, values)
        elif won := outcome(draft.state, result, values):
            _take(draft, result, won)
        if draft.state.juego_won:
            return


def _take(draft: Draft, result: LanceResult, won: LanceOutcome) -> None:
    if won.seat is not None:
        draft.emit(kept(e.LanceDecided, result.lance, won.seat, won.side))
    for stones, why in won.stones:
        award(draft, won.side, stones, result.lance, why)
        if draft.state.juego_won:
            return


def _decide_ordago(draft: Draft, result: LanceResult, values: Values) -> None:
    state = draft.state
    side = result.side
    if result.claimed is None:
        seat = winner(state, result, values)
        if seat is None:
            return
        side = state.side_of(seat)
        draft.emit(kept(e.LanceDecided, result.lance, seat, side))
    if side is not None:
        win_juego(draft, side, e.WonBy.ORDAGO)


# ---- The events that follow without anybody speaking ---------------------------------------------


def settle(draft: Draft) -> None:
    """Emit every event that follows from the present state without anybody speaking."""
    while (step := _STEPS.get(draft.state.phase)) and step(draft):
        pass


def _all_want_mus(state: State) -> bool:
    if len(state.spoken) + len(state.incidents.out) < len(state.seats):
        return False  # the usual case, found quickly: somebody has still to speak
    playing = state.in_play()
    return bool(playing) and set(state.spoken) >= set(playing)


def _discard_if_all_want(draft: Draft) -> bool:
    """Cards are changed; in a mus corrido the next player deals them, so mano moves on (R06)."""
    if not _all_want_mus(draft.state):
        return False
    draft.emit(e.DiscardBegan())
    if draft.state.corrido:
        draft.emit(e.ManoChanged(draft.state.order()[1]))
    return True


def _showdown(draft: Draft) -> bool:
    """Rule on what the cards have shown, then count. True if an article was ruled on."""
    if not is_countable(draft.state):
        return False
    if unclosed(draft.state):
        close_by_the_cards(draft)
    values = hand_values(draft.state)
    if articles := found(draft.state, values):
        rule_on(draft, articles[0])
        return True
    if not draft.state.proposals:
        _give_back(draft, values)
        count(draft, values)
        warn_of_claims(draft)
        if draft.state.phase is SHOWDOWN:
            draft.emit(kept(e.DealCounted))
    return False


def warn_of_claims(draft: Draft) -> None:
    """Warn of the claims that the open cards contradict; they count until the table decides."""
    for result, won in disproved_claims(draft.state):
        draft.emit(claim_disproved(draft.state, result, won))


def claim_disproved(state: State, result: LanceResult, won: LanceOutcome) -> e.ClaimDisproved:
    """The warning that the open cards give a claimed lance to others, or bring other stones."""
    stones = own_stones(state, unclaimed(result), won.side, hand_values(state))
    return e.ClaimDisproved(result.lance, won.side, result.side or won.side, stones)


def _give_back(draft: Draft, values: Values) -> None:
    """A deje that was won by a denial is void before anything is counted (S2 5.2)."""
    if not draft.state.incidents.applied:
        return
    for result in draft.state.results:
        back = void_deje(draft.state, result, values)
        if back and result.side:
            draft.emit(e.StonesLost(result.side, back, result.lance, "5.2"))


def _close_if_done(draft: Draft) -> bool:
    state = draft.state
    lance = BETTING[state.phase]
    if state.pending:
        if state.answerers():
            return False
        if state.pending.accepted:
            _accepted(draft, state.pending)
        else:
            _refused(draft, state.pending)
        return True
    if state.incidents.out:
        sides = {state.side_of(seat) for seat in state.holders(lance)}
        if len(sides) < 2:
            _without_rivals(draft, lance, next(iter(sides), None))
            return True
    if state.both and lance is CHICA and state.result(CHICA) is None:
        _bet_the_second(draft)
        return True  # a rival has still to answer it
    holders = state.holders(lance)
    if len(state.spoken) < len(holders) or not set(state.spoken).issuperset(holders):
        return False
    draft.emit(kept(e.LanceClosed, lance, PASSED))
    return True  # next somebody has to speak, or to show his cards


def _without_rivals(draft: Draft, lance: Lance, side: str | None) -> None:
    """Close a lance without rivals, after a hand went out of play (S2 1.5), as in R17.

    Pares and juego were opened to two sides or more, and hands go out one by one: one side is left.
    """
    if lance is PARES or lance is JUEGO:
        draft.emit(kept(e.LanceClosed, lance, UNCONTESTED, side))
    else:
        draft.emit(kept(e.LanceClosed, lance, PASSED))


def _bet_the_second(draft: Draft) -> None:
    """After "a las dos" the same bet stands at chica as soon as grande is closed (R55)."""
    first = draft.state.both
    if isinstance(first, e.OrdagoMade):
        draft.emit(e.OrdagoMade(first.seat, CHICA, implied=True))
    elif first is not None:
        draft.emit(kept(e.BetMade, first.seat, CHICA, first.stones, implied=True))


def _accepted(draft: Draft, bet: Pending) -> None:
    how = ORDAGO if bet.ordago else ACCEPTED
    draft.emit(kept(e.LanceClosed, bet.lance, how, stones=0 if bet.ordago else bet.stones))


def _refused(draft: Draft, bet: Pending) -> None:
    """Close a refused lance, and pay the deje at once to the last bettor (R24-R27)."""
    draft.emit(kept(e.LanceClosed, bet.lance, REFUSED, bet.side))
    award(draft, bet.side, bet.deje, bet.lance, e.Why.DEJE)


def _close_declarations(draft: Draft) -> bool:
    state = draft.state
    lance = DECLARING[state.phase]
    said = state.declared(lance)
    if None in ([said[seat - 1] for seat in state.in_play()] if state.incidents.out else said):
        return False
    sides = {state.side_of(seat) for seat in state.holders(lance)}
    if len(sides) > 1:
        draft.emit(kept(e.LanceOpened, lance))
    elif not sides and lance is JUEGO:
        draft.emit(kept(e.LanceOpened, PUNTO))  # nobody has juego: all play the punto (R19)
    else:
        how = UNCONTESTED if sides else NOBODY
        draft.emit(kept(e.LanceClosed, lance, how, next(iter(sides), None)))
    return True


_STEPS: dict[Phase, Callable[[Draft], bool]] = {
    Phase.MUS: _discard_if_all_want,
    **dict.fromkeys(BETTING, _close_if_done),
    **dict.fromkeys(DECLARING, _close_declarations),
    Phase.SHOWDOWN: _showdown,
}
"""Phase -> what may follow by itself; it is true if something did and more may follow."""
