"""What a closed lance is worth, and to whom: bet, paso, values of the hands, what articles change.

Pure: it reads the state and the shown hands, and moves nothing. Sources: R13, R15, R17, R20 and
R24-R29 of the rule table; S2 5.2, 5.3 and 5.5 for what a false declaration costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.rules import events as e
from assistant.rules.hands import JUEGO_FROM, HandValue, best_seat, value
from assistant.rules.phases import ORDER, Lance
from assistant.rules.state import LanceResult, Proposal, State

Values = Mapping[int, HandValue]
"""The shown hands by seat."""

BEST_PUNTO = 30


@dataclass(frozen=True, slots=True)
class LanceOutcome:
    """Who takes a lance and what it brings; ``seat`` where cards decided it."""

    side: str
    seat: int | None
    stones: tuple[tuple[int, e.Why], ...]


def hand_values(state: State) -> dict[int, HandValue]:
    """The shown hands in play by seat, valued under the house rules."""
    profile, out = state.profile, state.out
    return {
        seat: value(hand, profile)
        for seat, hand in enumerate(state.hands, start=1)
        if hand is not None and seat not in out
    }


def counted(state: State) -> list[LanceResult]:
    """The lances that count, in their order; of an órdago that stands, that one alone (R32)."""
    for result in state.results:
        if result.how is e.How.ORDAGO:
            return [result]
    return sorted(state.results, key=lambda result: ORDER[result.lance])


def outcome(state: State, result: LanceResult, values: Values) -> LanceOutcome | None:
    """What a closed lance brings at the count; ``None`` where it brings nobody anything."""
    if result.how is e.How.NOBODY or result.how is e.How.VOID:
        return None
    if state.incidents.applied:
        if denied := punished(state, result):
            return _after_denial(state, result, values, denied)
        if void := _voided_pares(state, result):
            return _after_void(state, result, values, state.side_of(void.seat or 0))
    return _plain(state, result, values)


def winner(state: State, result: LanceResult, values: Values) -> int | None:
    """The best hand of those who play for it (a denied one does not, R47); mano first (R39)."""
    return best_seat(result.lance, values, state.rivals_in(result))


def _plain(state: State, result: LanceResult, values: Values) -> LanceOutcome | None:
    side, seat = result.side, None
    if result.claimed is None and result.how not in (e.How.REFUSED, e.How.UNCONTESTED):
        seat = winner(state, result, values)
        if seat is None:
            return None  # every declared hand proved empty: nothing to win
        side = state.side_of(seat)
    if side is None:
        return None  # never: what is claimed, refused or uncontested has its side
    return LanceOutcome(side, seat, _stones(state, result, side, values))


def _stones(
    state: State, result: LanceResult, side: str, values: Values
) -> tuple[tuple[int, e.Why], ...]:
    """Bet, then the value of the hands (R13, R15, R20, R29)."""
    lance, prizes = result.lance, []
    if result.owed:
        prizes.append((result.owed, e.Why.DEJE))
    if result.how is e.How.ACCEPTED:
        prizes.append((1, e.Why.PENALTY) if result.limited else (result.stones, e.Why.BET))
    elif result.how is e.How.PASSED and lance in (Lance.GRANDE, Lance.CHICA):
        prizes.append((1, e.Why.PASO))
    if lance is Lance.PUNTO:
        prizes.append((1, e.Why.PUNTO))
    prizes.append(_worth(state, result, side, values))
    return tuple([prize for prize in prizes if prize[0]])


def _worth(state: State, result: LanceResult, side: str, values: Values) -> tuple[int, e.Why]:
    """What a side's own hands bring at pares or juego."""
    lance = result.lance
    why = e.Why.PARES if lance is Lance.PARES else e.Why.JUEGO
    if lance is not Lance.PARES and lance is not Lance.JUEGO:
        return 0, why
    if result.claimed is not None and result.side == side:
        return sum(result.claimed), why
    mine = [
        values[seat]
        for seat in state.rivals_in(result)
        if seat in values and state.side_of(seat) == side
    ]
    if lance is Lance.PARES:
        return sum(hand.pares.value for hand in mine if hand.pares), why
    return sum(hand.juego_stones for hand in mine), why


def rivals_of(state: State, denials: tuple[Proposal, ...]) -> tuple[int, ...]:
    """Who holds what the offenders denied, on the other sides, from mano."""
    offender, lance = state.side_of(denials[0].seat or 0), denials[0].lance
    if lance is None:
        return ()
    return tuple(seat for seat in state.holders(lance) if state.side_of(seat) != offender)


def punished(state: State, result: LanceResult) -> tuple[Proposal, ...]:
    """The denials at this lance that are punished; two sides that both lied are quits."""
    denials = tuple(
        p
        for p in state.incidents.applied
        if p.remedy is e.Remedy.DENIED and p.lance is result.lance and p.seat
    )
    return denials if len({state.side_of(p.seat or 0) for p in denials}) == 1 else ()


def _after_denial(
    state: State, result: LanceResult, values: Values, denials: tuple[Proposal, ...]
) -> LanceOutcome | None:
    """S2 5.2, 5.3: the rivals take their pares and the negada, be they the lower ones.

    What the offenders' side lost stays lost. Where no rival holds any, nothing was taken from them:
    the denied ones do not count, and that is all.
    """
    offender = state.side_of(denials[0].seat or 0)
    best = best_seat(result.lance, values, rivals_of(state, denials))
    plain = _plain(state, result, values)
    played_for = result.how is e.How.ACCEPTED or result.how is e.How.REFUSED
    if best is None or (plain and plain.side != offender and played_for):
        return plain  # the bet, or the deje that they have already, is a negada or more
    side = state.side_of(best)
    prizes = ((1, e.Why.PENALTY), _worth(state, result, side, values))
    return LanceOutcome(side, best, tuple(prize for prize in prizes if prize[0]))


def void_deje(state: State, result: LanceResult, values: Values) -> int:
    """The stones of a deje that was won by a denial: they go back (S2 5.2). 0 for any other."""
    if result.how is not e.How.REFUSED or result.side is None:
        return 0
    won = outcome(state, result, values)
    if won is None or won.side == result.side:
        return 0
    # The score may have been put right since, to less than the deje.
    return min(result.won, state.stones_of(result.side))


def _voided_pares(state: State, result: LanceResult) -> Proposal | None:
    """The article 5.5 that made pares void, where it bears on this lance."""
    if result.lance not in (Lance.JUEGO, Lance.PUNTO):
        return None
    applied = state.incidents.applied
    return next((p for p in applied if p.remedy is e.Remedy.VOID and p.seat), None)


def _after_void(
    state: State, result: LanceResult, values: Values, offender: str
) -> LanceOutcome | None:
    """S2 5.5: with 31 (30 at punto) as mano they have negada and value; as postre, the rivals.

    As mano, that is, on mano's side, and no rival with as much sits nearer to mano.
    """
    best = JUEGO_FROM if result.lance is Lance.JUEGO else BEST_PUNTO
    mine = [seat for seat in values if state.side_of(seat) == offender]
    plain = _plain(state, result, values)
    if not any(values[seat].points == best for seat in mine):
        return plain
    leads = best_seat(result.lance, values, state.holders(result.lance))
    if leads is not None and leads in mine and state.side_of(state.mano) == offender:
        seat, side = leads, offender
    else:
        others = [s for s in state.holders(result.lance) if state.side_of(s) != offender]
        seat = best_seat(result.lance, values, others) or _nearest_rival(state, offender)
        side = state.side_of(seat)
    stones = [(1, e.Why.PENALTY), _worth(state, result, side, values)]
    if result.lance is Lance.PUNTO:
        stones.append((1, e.Why.PUNTO))
    return LanceOutcome(side, seat, tuple(prize for prize in stones if prize[0]))


def _nearest_rival(state: State, offender: str) -> int:
    return next(seat for seat in state.order() if state.side_of(seat) != offender)
