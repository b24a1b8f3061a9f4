"""What follows by itself from what was said: lances that close and open, dejes paid, the count."""

from __future__ import annotations

from assistant.rules import events as e
from assistant.rules.draft import Draft
from assistant.rules.legal import missing_hands
from assistant.rules.phases import BETTING, DECLARING, LANCE_OF, Lance, Phase
from assistant.rules.scoring import award, count, decide_ordago
from assistant.rules.state import Pending


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
    if state.phase is Phase.MUS and len(state.spoken) == state.players:
        draft.emit(e.DiscardBegan())
        return True
    if state.phase is Phase.SHOWDOWN and not missing_hands(state):
        _count(draft)
        return True
    return False


def _close_if_done(draft: Draft, lance: Lance) -> bool:
    state = draft.state
    if state.pending:
        if state.answerers():
            return False
        _refused(draft, state.pending)
        return True
    if state.both and lance is Lance.CHICA and state.result(Lance.CHICA) is None:
        _bet_the_second(draft)
        return False
    if set(state.spoken) >= set(state.holders(lance)):
        draft.emit(e.LanceClosed(lance, e.How.PASSED))
        return True
    return False


def _bet_the_second(draft: Draft) -> None:
    """After "a las dos" the same bet stands at chica as soon as grande is closed (R55)."""
    first = draft.state.both
    if isinstance(first, e.OrdagoMade):
        draft.emit(e.OrdagoMade(first.seat, Lance.CHICA, implied=True))
    elif first is not None:
        draft.emit(e.BetMade(first.seat, Lance.CHICA, first.stones, implied=True))


def _refused(draft: Draft, bet: Pending) -> None:
    """The deje is paid on the spot, to whoever spoke last (R24-R27)."""
    draft.emit(e.LanceClosed(bet.lance, e.How.REFUSED, bet.side))
    award(draft, bet.side, bet.deje, bet.lance, e.Why.DEJE)


def _close_declarations(draft: Draft, lance: Lance) -> bool:
    state = draft.state
    if None in state.declared(lance):
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


def _count(draft: Draft) -> None:
    if any(result.how is e.How.ORDAGO for result in draft.state.results):
        decide_ordago(draft)
    else:
        count(draft)
    if draft.state.phase is Phase.SHOWDOWN:
        draft.emit(e.DealCounted())
