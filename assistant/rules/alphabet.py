"""Every call that can be made now: what a page shows as buttons, and the tests take as complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

from assistant.rules import calls as c
from assistant.rules import events as e
from assistant.rules.arbitration import JUEGO_STONES, PARES_STONES
from assistant.rules.legal import is_round_of, refusal, still_correctable
from assistant.rules.phases import BEFORE_LANCES, BETTING, DECLARING, LANCE_OF, Lance, Phase
from assistant.rules.state import State


def legal_calls(state: State) -> tuple[c.Call, ...]:
    """Every call that is allowed now, by seat; bets and raises stand with their smallest number.

    Showing cards, putting the score right and telling of irregularities are not listed: they are
    no talk. Claims and verdicts have no seat, and stand at the end.
    """
    alphabet = _ALPHABET[state.phase]
    talk = [
        call
        for seat in state.order()
        for group in alphabet(state, seat)
        if refusal(state, group[0]) is None
        for call in group
    ]
    if state.proposals:
        talk += [c.Verdict(apply=True), c.Verdict(apply=False)]
    if state.phase is Phase.SHOWDOWN:
        talk += _claims(state)
    return tuple(talk)


Group = tuple[c.Call, ...]
"""Calls that the rules allow all or none of: the first is asked about, and speaks for the rest."""
Alphabet = Callable[[State, int], tuple[Group, ...]]


def _before_lances(state: State, seat: int) -> tuple[Group, ...]:
    least = state.profile.min_bet
    talk = _about_mus(seat)
    if state.profile.pedrete:
        talk = (*talk, (c.Pedrete(seat=seat),))
    opening = (
        (_opening(seat, least), _twofold(seat, least))
        if state.profile.both
        else (_opening(seat, least),)
    )
    return (*talk, *_pass(seat), *opening)


def _betting(state: State, seat: int) -> tuple[Group, ...]:
    bet, least = state.pending, state.profile.min_bet
    speaks = seat in state.holders(LANCE_OF[state.phase])
    if bet is None:
        openings = ((*_pass(seat)[0], *_opening(seat, least)),) if speaks else ()
        twofold = (_twofold(seat, least),) if state.phase is Phase.GRANDE else ()
        return (*openings, *twofold, *_corrections(state, seat))
    if not speaks or seat == bet.seat:
        return ()
    raises = _raises(seat, least, state.profile.min_raise)
    if state.side_of(seat) == bet.side:
        return raises  # a partner's other amount (R35)
    return (_answers(seat, bet.choices), *raises)


def _declaring(state: State, seat: int) -> tuple[Group, ...]:
    return (*_declarations(seat), *_corrections(state, seat))


def _corrections(state: State, seat: int) -> tuple[Group, ...]:
    return tuple(
        [
            (c.Declare(seat=seat, lance=lance),)
            for lance in (Lance.PARES, Lance.JUEGO)
            if still_correctable(state, lance) and not is_round_of(state, lance)
        ]
    )


def _counted(state: State, seat: int) -> tuple[Group, ...]:
    if state.deal == 0:
        return ((c.NextDeal(mano=seat),),)  # who is mano? (R04)
    return ((c.NextDeal(),),) if seat == state.mano else ()


def _nothing(_state: State, _seat: int) -> tuple[Group, ...]:
    return ()


# What a seat may say is the same at every turn, and frozen: each call is made once and kept.
@lru_cache(maxsize=64)
def _about_mus(seat: int) -> tuple[Group, ...]:
    return ((c.Mus(seat=seat),), (c.Cut(seat=seat),))


@lru_cache(maxsize=64)
def _pass(seat: int) -> tuple[Group, ...]:
    return ((c.Pass(seat=seat),),)


@lru_cache(maxsize=64)
def _opening(seat: int, least: int) -> Group:
    return (c.Bet(seat=seat, stones=least), c.Ordago(seat=seat))


@lru_cache(maxsize=64)
def _twofold(seat: int, least: int) -> Group:
    return (c.Bet(seat=seat, stones=least, both=True), c.Ordago(seat=seat, both=True))


@lru_cache(maxsize=64)
def _answers(seat: int, choices: tuple[int, ...]) -> Group:
    accepts = tuple(c.Accept(seat=seat, stones=n) for n in choices) or (c.Accept(seat=seat),)
    return (c.Pass(seat=seat), *accepts, c.Refuse(seat=seat), c.Refuse(seat=seat, plural=True))


@lru_cache(maxsize=64)
def _raises(seat: int, least: int, least_more: int) -> tuple[Group, ...]:
    bet, more = c.Bet(seat=seat, stones=least), c.Raise(seat=seat, stones=least_more)
    return ((bet,), (more,), (c.Reenvido(seat=seat),), (c.Ordago(seat=seat),))


@lru_cache(maxsize=64)
def _declarations(seat: int) -> tuple[Group, ...]:
    return ((c.Declare(seat=seat, holds=True),), (c.Declare(seat=seat, holds=False),))


def _claims(state: State) -> Iterator[c.Call]:
    """Each lance that may be claimed, for each side that plays in it, with what it may hold."""
    for result in state.results:
        if result.claimed is not None:
            continue
        seats = state.rivals_in(result)
        for side in dict.fromkeys(map(state.side_of, seats)):
            hands = sum(state.side_of(seat) == side for seat in seats)
            claims = _claims_of(result.lance, side, 0 if result.how is e.How.ORDAGO else hands)
            if refusal(state, claims[0]) is None:
                yield from claims


@lru_cache(maxsize=256)
def _claims_of(lance: Lance, side: str, hands: int) -> Group:
    """What so many hands of a side may hold in a lance; without hands, the lance alone."""
    values: Iterable[tuple[int, ...]] = ((),)
    if hands and lance in (Lance.PARES, Lance.JUEGO):
        stones = PARES_STONES if lance is Lance.PARES else JUEGO_STONES
        values = combinations_with_replacement(stones, hands)
    return tuple(c.ClaimLance(lance=lance, side=side, values=held) for held in values)


_ALPHABET: dict[Phase, Alphabet] = {
    **dict.fromkeys(BEFORE_LANCES, _before_lances),
    **dict.fromkeys(BETTING, _betting),
    **dict.fromkeys(DECLARING, _declaring),
    Phase.SHOWDOWN: _corrections,
    Phase.COUNT: _counted,
    Phase.OVER: _nothing,
}
