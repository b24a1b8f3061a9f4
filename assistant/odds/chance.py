"""The exact chances of each lance (R10-R19, R39)."""

from __future__ import annotations

from assistant.odds.deck import Deck, deck_of
from assistant.odds.known import Known, LanceChance
from assistant.odds.tally import Tally, tally
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile


def chances(known: Known, profile: Profile) -> dict[Lance, LanceChance]:
    """What each lance promises, under the house rules. Raises OddsError.

    All deals that agree with the cards and the declarations are equally likely: what players say
    and how they discard tells nothing here.
    """
    return chances_of(known, deck_of(profile))


def chances_of(known: Known, deck: Deck) -> dict[Lance, LanceChance]:
    """The same for any deck, as the tests have smaller ones. Raises OddsError."""
    counted = tally(known, deck)
    return {lance: lance_chance(counted, lance) for lance in Lance}


def lance_chance(counted: Tally, lance: Lance) -> LanceChance:
    """One lance, from deals that were counted."""
    won, alone = counted.won[lance], counted.uncontested(lance)
    deals = (
        won * ~counted.above[lance],
        won,
        counted.contested(lance),
        won - alone,
        alone,
        counted.deals - counted.nobody(lance),
    )
    return LanceChance(*(counted.sum(some) / counted.total for some in deals))
