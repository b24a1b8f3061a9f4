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


def _before_lances(state: State, seat: int) -> tuple[c.Call, ...]:
    talk = (c.Mus(seat=seat), c.Cut(seat=seat))
    return (*talk, *_openings(state, seat), *_twofold(state, seat))


def _betting(state: State, seat: int) -> tuple[c.Call, ...]:
    if state.pending:
        answers = (c.Accept(seat=seat), c.Refuse(seat=seat), c.Refuse(seat=seat, plural=True))
        raises = (
            c.Raise(seat=seat, stones=state.profile.min_raise),
            c.Reenvido(seat=seat),
            c.Ordago(seat=seat),
        )
        return (c.Pass(seat=seat), *answers, *raises)
    twofold = _twofold(state, seat) if state.phase is Phase.GRANDE else ()
    return (*_openings(state, seat), *twofold, *_corrections(state, seat))


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


def _openings(state: State, seat: int) -> tuple[c.Call, ...]:
    bet = c.Bet(seat=seat, stones=state.profile.min_bet)
    return (c.Pass(seat=seat), bet, c.Ordago(seat=seat))


def _twofold(state: State, seat: int) -> tuple[c.Call, ...]:
    bet = c.Bet(seat=seat, stones=state.profile.min_bet, both=True)
    return (bet, c.Ordago(seat=seat, both=True))


_ALPHABET: dict[Phase, Alphabet] = {
    **dict.fromkeys(BEFORE_LANCES, _before_lances),
    **dict.fromkeys(BETTING, _betting),
    **dict.fromkeys(DECLARING, _declaring),
    Phase.SHOWDOWN: _corrections,
    Phase.COUNT: _counted,
    Phase.OVER: _nothing,
}
