"""Whether a bet was worth wanting, by the cards of who answered it.

Wanting N stones where refusing gives d: with the chance p to win the lance, and b (b') the least
stones that our (their) hands bring at the count with it,

    p (N + b) - (1 - p) (N + b')    against    - d - b'

so it is worth it from p = (N - d) / (2 N + b + b'). An órdago is worth wanting from the chance to
win the juego that refusing leaves: between equals, of the stones that each still needs,
theirs / (ours + theirs), as in the gambler's ruin (Feller 1968, XIV.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from assistant.odds import Known, LanceChance, OddsError, chances
from assistant.rules.cards import Hand
from assistant.rules.hands import value
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Sides
from assistant.rules.state import State

FOUR = 4
LEAST = {Lance.PARES: 1, Lance.JUEGO: 2, Lance.PUNTO: 1}
"""What any hand that takes part brings at the count (R28)."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The chance that was held, the chance that was needed, and what wanting brings over refusing.

    ``gain`` is in stones; of an órdago in stones of the juego that is at stake.
    """

    chance: float
    needed: float
    gain: float


def weigh(state: State, seat: int, hand: Hand) -> Weighed | None:
    """Weigh the bet that waits, for a seat with this hand.

    None where the odds do not know such a table (four in two pairs they do), or the cards cannot be
    what was declared.
    """
    bet = state.pending
    chance = _chance(state, seat, hand)
    if bet is None or chance is None:
        return None
    if bet.ordago:
        needed = _value_of_refusing(state, seat)
        return Weighed(chance, needed, (chance - needed) * state.profile.target)
    ours, theirs = _brought(state, seat, hand)
    whole = 2 * bet.stones + ours + theirs
    needed = (bet.stones - bet.deje) / whole
    return Weighed(chance, needed, (chance - needed) * whole)


def _chance(state: State, seat: int, hand: Hand) -> float | None:
    """The chance that a seat's pair wins the lance that both pairs play."""
    profile, lance = state.profile, state.lance
    if lance is None or state.players != FOUR or profile.sides is not Sides.TWO:
        return None
    ranks = tuple(card.rank for card in hand)
    try:
        found = _asked(Known(ranks, seat, state.mano, None, state.pares, state.juego), profile)
    except OddsError:
        return None
    one = found[lance]
    return one.won_contested / one.contested if one.contested else None


@lru_cache(maxsize=1024)
def _asked(known: Known, profile: Profile) -> dict[Lance, LanceChance]:
    return chances(known, profile)


def _value_of_refusing(state: State, seat: int) -> float:
    """The chance to win the juego once the deje is given, between equals."""
    bet, us = state.pending, "AB".index(state.side_of(seat))
    assert bet is not None
    left = [max(1, state.profile.target - stones) for stones in state.stones]
    theirs = left[1 - us] - bet.deje
    return max(0.0, theirs / (left[us] + theirs))


def _brought(state: State, seat: int, hand: Hand) -> tuple[int, int]:
    """The least stones that our hands, and theirs, bring with the lance."""
    lance = state.lance
    assert lance is not None
    least = LEAST.get(lance, 0)
    if lance is Lance.PUNTO or not least:
        return least, least
    held, us = state.declared(lance), state.side_of(seat)
    others = [one for one in state.order() if held[one - 1] and one != seat]
    partners = sum(least for one in others if state.side_of(one) == us)
    return _own(hand, lance, state.profile) + partners, least * len(others) - partners


def _own(hand: Hand, lance: Lance, profile: Profile) -> int:
    """Stones that the hand itself brings at the count (R13, R28)."""
    held = value(hand, profile)
    if lance is Lance.PARES:
        return held.pares.value if held.pares else 0
    return held.juego_stones
