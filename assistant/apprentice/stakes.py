"""What a choice can win and lose, by playing it out with the rules themselves: nothing is guessed.

A call is decided and applied, then answered: accepted and won, accepted and lost, refused. What a
deje pays is what the engine then pays, capped by the target; what an accepted bet is worth at the
count is what ``rules.prizes`` gives for it (R13, R15, R20, R24-R29).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.apprentice.shape import StakeKind
from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.arbitration import JUEGO_STONES, PARES_STONES
from assistant.rules.changes import apply
from assistant.rules.engine import decide
from assistant.rules.errors import CallError
from assistant.rules.phases import BETTING, LANCE_OF, Lance
from assistant.rules.prizes import outcome
from assistant.rules.state import LanceResult, Pending, State, evolve

VALUES = {Lance.PARES: PARES_STONES, Lance.JUEGO: JUEGO_STONES}


@dataclass(frozen=True, slots=True)
class Stake:
    """What one end of a choice brings; see ``shape.StakeView``."""

    kind: StakeKind
    lance: Lance
    stones: int
    later: int = 0
    more: tuple[int, int] | None = None
    juego: bool = False
    sure: bool = False
    """The call alone brings it: nobody else has to answer."""


def stakes(state: State, call: c.Call) -> tuple[Stake, ...]:
    """All ends of a call of a known seat, which is legal now; none where no stones hang on it."""
    played = _played(state, call)
    if played is None or call.seat is None:
        return ()
    after, events = played
    bet, side = state.pending, state.side_of(call.seat)
    match call:
        case c.Accept() if bet:
            return _accepted(state, evolve(bet, stones=call.stones or bet.stones), side)
        case c.Refuse() | c.Pass() if bet:
            return (_unanswered(bet, after, events, "given"),)
        case c.Pass():
            return (_passed(state),)
        case c.Bet() | c.Raise() | c.Reenvido() | c.Ordago() if after.pending:
            refused = _unanswered(after.pending, after, (), "refused")
            return (*_accepted(after, after.pending, side), refused)
    return ()


def _played(state: State, call: c.Call) -> tuple[State, tuple[e.Event, ...]] | None:
    """The table after a call, and what happened; ``None`` where it is a question or not allowed."""
    try:
        events = decide(state, call)
    except CallError:
        return None
    for event in events:
        state = apply(state, event)
    return state, events


def _accepted(state: State, bet: Pending, side: str) -> tuple[Stake, Stake]:
    """The bet is accepted: what the count brings to ``side``, and to the others, if they win it."""
    lance, others = bet.lance, [s for s in _sides(state, bet.lance) if s != side]
    if bet.ordago:
        return Stake("won", lance, 0, juego=True), Stake("lost", lance, 0, juego=True)
    closed = LanceResult(lance, e.How.ACCEPTED, side, bet.stones, bet=bet, claimed=())
    stones = _counted(state, closed)
    return (
        Stake("won", lance, stones, more=_values(state, lance, [side])),
        Stake("lost", lance, stones, more=_values(state, lance, others)),
    )


def _passed(state: State) -> Stake:
    """Nobody bets: what the count brings to whoever wins the lance."""
    lance = LANCE_OF[state.phase] if state.phase in BETTING else Lance.GRANDE
    sides = _sides(state, lance)
    closed = LanceResult(lance, e.How.PASSED, sides[0], claimed=())
    return Stake("passed", lance, _counted(state, closed), more=_values(state, lance, sides))


def _unanswered(bet: Pending, state: State, events: tuple[e.Event, ...], kind: StakeKind) -> Stake:
    """Nobody will have the bet: what its side takes at once, and at the count (R24-R29)."""
    lance, happened = bet.lance, list(events)
    sure = not (state.pending and state.pending.lance is lance)
    while state.pending and state.pending.lance is lance:
        refusing = _played(state, c.Refuse(seat=state.answerers()[0], plural=True))
        if refusing is None:
            break
        state = refusing[0]
        happened += refusing[1]
    won = [x.stones for x in happened if isinstance(x, e.StonesWon) and x.side == bet.side]
    if any(isinstance(event, e.JuegoWon) for event in happened):
        return Stake(kind, lance, sum(won), juego=True)
    closed = LanceResult(lance, e.How.REFUSED, bet.side, bet=bet, claimed=())
    later = _counted(state, closed)
    return Stake(kind, lance, sum(won), later, _values(state, lance, [bet.side]), sure=sure)


def _counted(state: State, closed: LanceResult) -> int:
    """What the rules give for a closed lance beside the values of the hands."""
    taken = outcome(state, closed, {})
    return sum(stones for stones, _why in taken.stones) if taken else 0


def _values(state: State, lance: Lance, sides: Iterable[str]) -> tuple[int, int] | None:
    """The least and the most that the hands of one of these sides bring at the count."""
    stones = VALUES.get(lance)
    hands = [sum(state.side_of(s) == side for s in state.holders(lance)) for side in sides]
    if stones is None or not hands:
        return None
    return min(hands) * min(stones), max(hands) * max(stones)


def _sides(state: State, lance: Lance) -> tuple[str, ...]:
    """The sides that play for a lance, from mano."""
    return tuple(dict.fromkeys(state.side_of(seat) for seat in state.holders(lance)))
