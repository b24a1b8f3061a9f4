"""Advice by the cards alone, for house rules that maestro never learnt.

It uses the player's hand, the declarations and the pending bet, but neither what a rival's bet says
about his cards nor the score. So every sentence from it says that it is by the cards alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rules import calls as c
from assistant.rules.calls import Call
from assistant.rules.phases import BEFORE_LANCES, Lance
from assistant.school.players.beginners import Sight, least
from assistant.school.players.strength import OtherHands, Strength

WORTH_A_BET = 0.6
"""The least chance to win a lance for which it opens the betting."""
WORTH_CUTTING = 0.65
"""The share of all hands that a hand has to beat for it to cut the mus."""
SURE = 0.75
"""The least chance for which it accepts an órdago, whatever the score."""


@dataclass(frozen=True, slots=True)
class CardsAlone:
    """A call by the cards alone.

    share   the chance to win the lance, 0 to 1; before the lances: the share of worse hands
    needed  of a bet that waits: the chance from which it is worth accepting; else None
    """

    call: Call
    share: float
    needed: float | None = None


def by_cards(sight: Sight, strength: Strength) -> CardsAlone:
    """The call to advise by the cards alone."""
    bet = sight.state.pending
    if sight.state.phase in BEFORE_LANCES:
        worth = strength.worth()
        share = float((worth < worth[strength.number(sight.hand)]).mean())
        wanted: type[Call] = c.Cut if share >= WORTH_CUTTING else c.Mus
        return CardsAlone(sight.can(wanted) or least(sight), share)
    share = wins(sight, strength)
    if bet is None:
        call = sight.can(c.Bet) if share >= WORTH_A_BET else None
        return CardsAlone(call or least(sight), share)
    # Accepting N stones is worth p N - (1 - p) N, and refusing -d: so p = (N - d) / 2 N.
    needed = SURE if bet.ordago else (bet.stones - bet.deje) / (2 * bet.stones)
    call = sight.can(c.Accept if share >= needed else c.Refuse)
    return CardsAlone(call or least(sight), share, needed)


def wins(sight: Sight, strength: Strength) -> float:
    """The chance, 0 to 1, that the pair wins the lance, by the own cards and what was declared."""
    state, lance = sight.state, sight.state.lance
    if lance is None:
        return 0.0
    order = state.order()
    declared = state.declared(lance) if lance in (Lance.PARES, Lance.JUEGO) else ()
    others = tuple(
        OtherHands(
            ours=seat in sight.partners,
            place=order.index(seat),
            holds=declared[seat - 1] if declared else None,
        )
        for seat in order
        if seat != sight.seat
    )
    mine = strength.number(sight.hand)
    return strength.wins(mine, order.index(sight.seat), lance, others)
