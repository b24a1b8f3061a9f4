"""Every call that can be made now: what a page shows as buttons, and the tests take as complete."""

from __future__ import annotations

from collections.abc import Callable

from assistant.rules import calls as c
from assistant.rules.legal import is_round_of, refusal
from assistant.rules.phases import BEFORE_LANCES, BETTING, DECLARING, Lance, Phase
from assistant.rules.state import State


def legal_calls(state: State) -> tuple[c.Call, ...]:
    """Every call that is allowed now, by seat; bets and raises stand with their smallest number.

    Showing cards and putting the score right are not listed: they are no talk.
    """
    return tuple(
        call
        for seat in state.order()
        for call in _ALPHABET[state.phase](state, seat)
        if refusal(state, call) is None
    )


Alphabet = Callable[[State, int], tuple[c.Call, ...]]


def _before_lances(_state: State, seat: int) -> tuple[c.Call, ...]:
    return (c.Mus(seat=seat), c.Cut(seat=seat), *_openings(seat), *_twofold(seat))


def _betting(state: State, seat: int) -> tuple[c.Call, ...]:
    if state.pending:
        answers = (c.Accept(seat=seat), c.Refuse(seat=seat), c.Refuse(seat=seat, plural=True))
        raises = (
            c.Raise(seat=seat, stones=c.MIN_RAISE),
            c.Reenvido(seat=seat),
            c.Ordago(seat=seat),
        )
        return (c.Pass(seat=seat), *answers, *raises)
    twofold = _twofold(seat) if state.phase is Phase.GRANDE else ()
    return (*_openings(seat), *twofold, *_corrections(state, seat))


def _declaring(state: State, seat: int) -> tuple[c.Call, ...]:
    both = (c.Declare(seat=seat, holds=True), c.Declare(seat=seat, holds=False))
    return (*both, *_corrections(state, seat))


def _corrections(state: State, seat: int) -> tuple[c.Call, ...]:
    lances = (Lance.PARES, Lance.JUEGO)
    return tuple(c.Declare(seat=seat, lance=n) for n in lances if not is_round_of(state, n))


def _counted(state: State, seat: int) -> tuple[c.Call, ...]:
    return (c.NextDeal(),) if seat == state.mano else ()


def _nothing(_state: State, _seat: int) -> tuple[c.Call, ...]:
    return ()


def _openings(seat: int) -> tuple[c.Call, ...]:
    return (c.Pass(seat=seat), c.Bet(seat=seat), c.Ordago(seat=seat))


def _twofold(seat: int) -> tuple[c.Call, ...]:
    return (c.Bet(seat=seat, both=True), c.Ordago(seat=seat, both=True))


_ALPHABET: dict[Phase, Alphabet] = {
    **dict.fromkeys(BEFORE_LANCES, _before_lances),
    **dict.fromkeys(BETTING, _betting),
    **dict.fromkeys(DECLARING, _declaring),
    Phase.SHOWDOWN: _corrections,
    Phase.COUNT: _counted,
    Phase.OVER: _nothing,
}
