"""All calls that are legal now: the buttons of a page, and the reference list of the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from assistant.rules import calls as c
from assistant.rules.arbitration import JUEGO_STONES, PARES_STONES
from assistant.rules.events import ORDAGO, REFUSED
from assistant.rules.legal import (
    barred_stones,
    is_round_of,
    least_stones,
    refusal,
    still_correctable,
)
from assistant.rules.phases import (
    BEFORE_LANCES,
    BETTING,
    DECLARING,
    JUEGO,
    LANCE_OF,
    PARES,
    SHOWDOWN,
    Lance,
    Phase,
)
from assistant.rules.profile import BareRaise
from assistant.rules.state import State, once_a_state


@dataclass(frozen=True, slots=True)
class LegalCall:
    """A call that is allowed now, with the stones that it may have.

    A bet or a raise may have any number from ``least`` to ``most``, except ``barred``, the number
    that the partner has bet; ``call`` has the smallest of them. All three are None for any other
    call, because there are no stones to choose.
    """

    call: c.Call
    least: int | None = None
    most: int | None = None
    barred: int | None = None

    def among(self, amounts: Iterable[int]) -> list[int]:
        """Those of some amounts with which the call may be made."""
        least, most, barred = self.least, self.most, self.barred
        if least is None or most is None:
            return []
        return [stones for stones in amounts if least <= stones <= most and stones != barred]


@once_a_state
def legal_calls(state: State) -> tuple[LegalCall, ...]:
    """Every call that is allowed now, by seat; bets and raises have their smallest number.

    Showing cards, correcting the score and reporting irregularities are not listed, because they
    are no part of the betting. Claims and verdicts have no seat, and come last.
    """
    alphabet, put_right = _ALPHABET[state.phase], _correctable(state)
    talk = [
        call
        for seat in state.order()
        for group in (*alphabet(state, seat), *_corrections(seat, put_right))
        if refusal(state, group[0]) is None
        for call in group
    ]
    if state.incidents.proposals:
        talk += [c.Verdict(apply=True), c.Verdict(apply=False)]
    if state.phase is SHOWDOWN:
        talk += _claims(state)
    return tuple(
        [
            _with_stones(state, call) if isinstance(call, c.Bet | c.Raise) else LegalCall(call)
            for call in talk
        ]
    )


def _with_stones(state: State, call: c.Bet | c.Raise) -> LegalCall:
    return LegalCall(call, least_stones(state, call), c.MAX_BET, barred_stones(state, call))


AFTER_A_ROUND = (Phase.PARES, Phase.JUEGO_SAY, Phase.JUEGO, Phase.PUNTO, Phase.SHOWDOWN)
"""Phases that follow a round of declarations."""
Group = tuple[c.Call, ...]
"""Calls that the rules allow together or not at all: only the first one is checked."""
Alphabet = Callable[[State, int], tuple[Group, ...]]


def _before_lances(state: State, seat: int) -> tuple[Group, ...]:
    profile = state.profile
    cuts = _cuts(seat, profile.min_bet, profile.paso_cuts, profile.both)
    groups = (_mus(seat), cuts)
    return (*groups, (c.Pedrete(seat=seat),)) if profile.pedrete else groups


def _betting(state: State, seat: int) -> tuple[Group, ...]:
    bet, profile = state.pending, state.profile
    speaks = seat in state.holders(LANCE_OF[state.phase])
    if bet is None:
        twofold = profile.both and state.phase is Phase.GRANDE
        return (_openings(seat, profile.min_bet, twofold),) if speaks else ()
    if not speaks or seat == bet.seat:
        return ()
    number = _smallest(state, c.Bet(seat=seat, stones=profile.min_bet))
    more = _smallest(state, c.Raise(seat=seat, stones=profile.min_raise))
    if state.side_of(seat) == bet.side:
        return _of_a_partner(seat, number, more)
    asked = profile.bare_raise is BareRaise.ASK
    return (_answers(seat, bet.choices), *_raises(seat, number, more, asked))


def _smallest(state: State, call: c.Bet | c.Raise) -> int:
    """The smallest number with which the rules may allow a call now."""
    least = least_stones(state, call)
    return least + 1 if least == barred_stones(state, call) else least


def _declaring(_state: State, seat: int) -> tuple[Group, ...]:
    return _declarations(seat)


def _correctable(state: State) -> tuple[Lance, ...]:
    """The declarations that may still be corrected although their round is over (R50)."""
    if state.phase not in AFTER_A_ROUND:
        return ()
    return tuple(
        [
            lance
            for lance in (PARES, JUEGO)
            if still_correctable(state, lance) and not is_round_of(state, lance)
        ]
    )


def _counted(state: State, seat: int) -> tuple[Group, ...]:
    if state.deal == 0:
        return ((c.NextDeal(mano=seat),),)  # who is mano? (R04)
    return ((c.NextDeal(),),) if seat == state.mano else ()


def _nothing(_state: State, _seat: int) -> tuple[Group, ...]:
    return ()


# A seat may say the same calls at every turn, and they are frozen: each is made once and kept.
@lru_cache(maxsize=64)
def _mus(seat: int) -> Group:
    return (c.Mus(seat=seat),)


@lru_cache(maxsize=64)
def _cuts(seat: int, least: int, by_paso: bool, twofold: bool) -> Group:
    """A cut, and the calls about grande, which also cut the mus (R09)."""
    passes, *openings = _openings(seat, least, twofold)
    return (c.Cut(seat=seat), *((passes,) if by_paso else ()), *openings)


@lru_cache(maxsize=64)
def _openings(seat: int, least: int, twofold: bool) -> Group:
    plain = (c.Pass(seat=seat), c.Bet(seat=seat, stones=least), c.Ordago(seat=seat))
    if not twofold:
        return plain
    return (*plain, c.Bet(seat=seat, stones=least, both=True), c.Ordago(seat=seat, both=True))


@lru_cache(maxsize=64)
def _answers(seat: int, choices: tuple[int, ...]) -> Group:
    accepts = tuple(c.Accept(seat=seat, stones=n) for n in choices) or (c.Accept(seat=seat),)
    return (c.Pass(seat=seat), *accepts, c.Refuse(seat=seat), c.Refuse(seat=seat, plural=True))


@lru_cache(maxsize=64)
def _raises(seat: int, least: int, least_more: int, asked: bool) -> tuple[Group, ...]:
    """A rival's raises; a bare number is one of them unless the table is asked about it (R22)."""
    more = (c.Raise(seat=seat, stones=least_more), c.Ordago(seat=seat))
    number = () if asked else ((c.Bet(seat=seat, stones=least),),)
    return (*number, more, (c.Reenvido(seat=seat),))


@lru_cache(maxsize=64)
def _of_a_partner(seat: int, least: int, least_more: int) -> tuple[Group, ...]:
    """Another amount than the partner's, or an órdago (R35)."""
    bet, more = c.Bet(seat=seat, stones=least), c.Raise(seat=seat, stones=least_more)
    return ((bet,), (more,), (c.Ordago(seat=seat),))


@lru_cache(maxsize=64)
def _corrections(seat: int, lances: tuple[Lance, ...]) -> tuple[Group, ...]:
    return tuple((c.Declare(seat=seat, lance=lance),) for lance in lances)


@lru_cache(maxsize=64)
def _declarations(seat: int) -> tuple[Group, ...]:
    return ((c.Declare(seat=seat, holds=True),), (c.Declare(seat=seat, holds=False),))


def claims_again(state: State) -> list[c.ClaimLance]:
    """The claims that would replace one that was made; ``legal_calls`` does not list them.

    Whoever plays through all legal calls would otherwise claim a lance for one side and the other
    for ever.
    """
    if state.phase is not SHOWDOWN:
        return []
    made = {(one.lance, one.side, one.claimed) for one in state.results}
    found = [call for call in _claims(state, again=True) if isinstance(call, c.ClaimLance)]
    return [call for call in found if (call.lance, call.side, call.values) not in made]


def _claims(state: State, *, again: bool = False) -> Iterator[c.Call]:
    """Each lance that may be claimed, for each side that plays in it, with the values it may have.

    Either all sides that may still win a lance may claim it, or none: only the first is checked.
    ``again``: the lances that were claimed already, and not the others.
    """
    for result in state.results:
        if (result.claimed is not None) is not again:
            continue
        playing = [state.side_of(seat) for seat in state.rivals_in(result)]
        closed_for = result.side if result.how is REFUSED else None
        sides = [closed_for] if closed_for else list(dict.fromkeys(playing))
        groups = [
            _claims_of(result.lance, side, 0 if result.how is ORDAGO else playing.count(side))
            for side in sides
        ]
        if groups and refusal(state, groups[0][0]) is None:
            for group in groups:
                yield from group


@lru_cache(maxsize=256)
def _claims_of(lance: Lance, side: str, hands: int) -> Group:
    """The claims of a side with so many hands in a lance; without hands, of the lance alone."""
    values: Iterable[tuple[int, ...]] = ((),)
    if hands and lance in (PARES, JUEGO):
        stones = PARES_STONES if lance is PARES else JUEGO_STONES
        values = combinations_with_replacement(stones, hands)
    return tuple(c.ClaimLance(lance=lance, side=side, values=held) for held in values)


_ALPHABET: dict[Phase, Alphabet] = {
    **dict.fromkeys(BEFORE_LANCES, _before_lances),
    **dict.fromkeys(BETTING, _betting),
    **dict.fromkeys(DECLARING, _declaring),
    Phase.SHOWDOWN: _nothing,
    Phase.COUNT: _counted,
    Phase.OVER: _nothing,
}
