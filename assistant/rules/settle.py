"""What follows by itself from what was said: lances that close and open, dejes paid, the count."""

from __future__ import annotations

from assistant.rules import events as e
from assistant.rules.draft import Draft
from assistant.rules.needed import missing_hands, unclosed
from assistant.rules.penalties import close_by_the_cards, found, rule_on
from assistant.rules.phases import BETTING, DECLARING, LANCE_OF, Lance, Phase
from assistant.rules.prizes import hand_values, void_deje
from assistant.rules.scoring import award, count
from assistant.rules.state import Pending, State


def settle(draft: Draft) -> None:
    """Emit every event that follows from the present state without anybody speaking."""
    while _step(draft):
        pass


def _step(draft: Draft) -> bool:
    state = draft.state
    if state.phase in BETTING:
        return _close_if_done(draft, LANCE_OF[state.phase])
    if state.phase in DECLARING:
        return _close_declarations(draft, LANCE_OF[state.phase])
    if state.phase is Phase.MUS and _all_want_mus(state):
        _discard(draft)
        return True
    if state.phase is Phase.SHOWDOWN and not missing_hands(state):
        return _showdown(draft)
    return False


def _all_want_mus(state: State) -> bool:
    if len(state.spoken) + len(state.incidents.out) < len(state.seats):
        return False  # most often somebody has still to speak
    playing = state.in_play()
    return bool(playing) and set(state.spoken) >= set(playing)


def _discard(draft: Draft) -> None:
    """Cards are changed; in a mus corrido the next player deals them, so mano moves on (R06)."""
    draft.emit(e.DiscardBegan())
    if draft.state.corrido:
        draft.emit(e.ManoChanged(draft.state.order()[1]))


def _showdown(draft: Draft) -> bool:
    """Rule on what the cards have shown, then count. False where the table has to decide first."""
    if unclosed(draft.state):
        close_by_the_cards(draft)
    if articles := found(draft.state):
        rule_on(draft, articles[0])
        return True
    if not draft.state.proposals:
        _give_back(draft)
        count(draft)
        if draft.state.phase is Phase.SHOWDOWN:
            draft.emit(e.DealCounted())
    return False


def _give_back(draft: Draft) -> None:
    """A deje that was won by a denial is void before anything is counted (S2 5.2)."""
    if not draft.state.incidents.applied:
        return
    values = hand_values(draft.state)
    for result in draft.state.results:
        back = void_deje(draft.state, result, values)
        if back and result.side:
            draft.emit(e.StonesLost(result.side, back, result.lance, "5.2"))


def _close_if_done(draft: Draft, lance: Lance) -> bool:
    state = draft.state
    if state.pending:
        if state.answerers():
            return False
        if state.pending.accepted:
            _accepted(draft, state.pending)
        else:
            _refused(draft, state.pending)
        return True
    if state.out:
        sides = {state.side_of(seat) for seat in state.holders(lance)}
        if len(sides) < 2:
            _without_rivals(draft, lance, next(iter(sides), None))
            return True
    if state.both and lance is Lance.CHICA and state.result(Lance.CHICA) is None:
        _bet_the_second(draft)
        return True  # which a rival has still to answer
    if not set(state.spoken).issuperset(state.holders(lance)):
        return False
    draft.emit(e.LanceClosed(lance, e.How.PASSED))
    return True  # and somebody has to speak, or to show his cards


def _without_rivals(draft: Draft, lance: Lance, side: str | None) -> None:
    """A hand that went out of play (S2 1.5) leaves nobody to bet against: as in R17.

    Pares and juego are opened to two sides or more, and the hands go one by one: a side is left.
    """
    if lance is Lance.PARES or lance is Lance.JUEGO:
        draft.emit(e.LanceClosed(lance, e.How.UNCONTESTED, side))
    else:
        draft.emit(e.LanceClosed(lance, e.How.PASSED))


def _bet_the_second(draft: Draft) -> None:
    """After "a las dos" the same bet stands at chica as soon as grande is closed (R55)."""
    first = draft.state.both
    if isinstance(first, e.OrdagoMade):
        draft.emit(e.OrdagoMade(first.seat, Lance.CHICA, implied=True))
    elif first is not None:
        draft.emit(e.BetMade(first.seat, Lance.CHICA, first.stones, implied=True))


def _accepted(draft: Draft, bet: Pending) -> None:
    how = e.How.ORDAGO if bet.ordago else e.How.ACCEPTED
    draft.emit(e.LanceClosed(bet.lance, how, stones=0 if bet.ordago else bet.stones))


def _refused(draft: Draft, bet: Pending) -> None:
    """The deje is paid on the spot, to whoever spoke last (R24-R27)."""
    draft.emit(e.LanceClosed(bet.lance, e.How.REFUSED, bet.side))
    award(draft, bet.side, bet.deje, bet.lance, e.Why.DEJE)


def _close_declarations(draft: Draft, lance: Lance) -> bool:
    state = draft.state
    said = state.declared(lance)
    if None in [said[seat - 1] for seat in state.in_play()]:
        return False
    sides = {state.side_of(seat) for seat in state.holders(lance)}
    if len(sides) > 1:
        draft.emit(e.LanceOpened(lance))
    elif not sides and lance is Lance.JUEGO:
        draft.emit(e.LanceOpened(Lance.PUNTO))  # nobody has juego: all play the punto (R19)
    else:
        how = e.How.UNCONTESTED if sides else e.How.NOBODY
        draft.emit(e.LanceClosed(lance, how, next(iter(sides), None)))
    return True
