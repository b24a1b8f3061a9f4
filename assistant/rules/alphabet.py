"""Every call that can be made now: what a page shows as buttons, and the tests take as complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.arbitration import JUEGO_STONES, PARES_STONES
from assistant.rules.legal import is_round_of, refusal
from assistant.rules.phases import BEFORE_LANCES, BETTING, DECLARING, Lance, Phase
from assistant.rules.state import LanceResult, State


def legal_calls(state: State) -> tuple[c.Call, ...]:
    """Every call that is allowed now, by seat; bets and raises stand with their smallest number.

    Showing cards, putting the score right and telling of irregularities are not listed: they are
    no talk. Claims and verdicts have no seat, and stand at the end.
    """
    alphabet = _ALPHABET[state.phase]
    talk = [
        call
        for seat in state.order()
        for call in alphabet(state, seat)
        if refusal(state, call) is None
    ]
    if state.proposals:
        talk += [c.Verdict(apply=True), c.Verdict(apply=False)]
    if state.phase is Phase.SHOWDOWN:
        talk += [call for call in _claims(state) if refusal(state, call) is None]
    return tuple(talk)


Alphabet = Callable[[State, int], tuple[c.Call, ...]]


def _before_lances(state: State, seat: int) -> tuple[c.Call, ...]:
    talk: tuple[c.Call, ...] = (c.Mus(seat=seat), c.Cut(seat=seat))
    if state.profile.pedrete:
        talk = (*talk, c.Pedrete(seat=seat))
    return (*talk, *_openings(state, seat), *_twofold(state, seat))


def _betting(state: State, seat: int) -> tuple[c.Call, ...]:
    bet = state.pending
    if bet is None:
        twofold = _twofold(state, seat) if state.phase is Phase.GRANDE else ()
        return (*_openings(state, seat), *twofold, *_corrections(state, seat))
    accepts = tuple(c.Accept(seat=seat, stones=n) for n in bet.choices) or (c.Accept(seat=seat),)
    answers = (*accepts, c.Refuse(seat=seat), c.Refuse(seat=seat, plural=True))
    raises = (
        c.Bet(seat=seat, stones=state.profile.min_bet),
        c.Raise(seat=seat, stones=state.profile.min_raise),
        c.Reenvido(seat=seat),
        c.Ordago(seat=seat),
    )
    return (c.Pass(seat=seat), *answers, *raises)


def _declaring(state: State, seat: int) -> tuple[c.Call, ...]:
    both = (c.Declare(seat=seat, holds=True), c.Declare(seat=seat, holds=False))
    return (*both, *_corrections(state, seat))


def _corrections(state: State, seat: int) -> tuple[c.Call, ...]:
    lances = (Lance.PARES, Lance.JUEGO)
    return tuple(c.Declare(seat=seat, lance=n) for n in lances if not is_round_of(state, n))


def _counted(state: State, seat: int) -> tuple[c.Call, ...]:
    if state.deal == 0:
        return (c.NextDeal(mano=seat),)  # who is mano? (R04)
    return (c.NextDeal(),) if seat == state.mano else ()


def _nothing(_state: State, _seat: int) -> tuple[c.Call, ...]:
    return ()


def _openings(state: State, seat: int) -> tuple[c.Call, ...]:
    bet = c.Bet(seat=seat, stones=state.profile.min_bet)
    return (c.Pass(seat=seat), bet, c.Ordago(seat=seat))


def _twofold(state: State, seat: int) -> tuple[c.Call, ...]:
    bet = c.Bet(seat=seat, stones=state.profile.min_bet, both=True)
    return (bet, c.Ordago(seat=seat, both=True))


def _claims(state: State) -> Iterator[c.Call]:
    """Each lance that can be claimed, for each side that plays in it, with what it may hold."""
    for result in state.results:
        if result.claimed is not None:
            continue
        seats = state.rivals_in(result)
        for side in dict.fromkeys(map(state.side_of, seats)):
            hands = sum(state.side_of(seat) == side for seat in seats)
            for values in _values(result, hands):
                yield c.ClaimLance(lance=result.lance, side=side, values=values)


def _values(result: LanceResult, hands: int) -> Iterator[tuple[int, ...]]:
    if result.how is e.How.ORDAGO or result.lance not in (Lance.PARES, Lance.JUEGO):
        yield ()
        return
    stones = PARES_STONES if result.lance is Lance.PARES else JUEGO_STONES
    yield from combinations_with_replacement(stones, hands)


_ALPHABET: dict[Phase, Alphabet] = {
    **dict.fromkeys(BEFORE_LANCES, _before_lances),
    **dict.fromkeys(BETTING, _betting),
    **dict.fromkeys(DECLARING, _declaring),
    Phase.SHOWDOWN: _corrections,
    Phase.COUNT: _counted,
    Phase.OVER: _nothing,
}
