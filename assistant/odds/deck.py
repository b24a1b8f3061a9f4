"""A deck as counts of ranks, all hands that it deals, and how each lance orders them.

The odds ignore suits: a hand is a multiset of ranks, of which there are 330 with eight kings and
715 with four (R01). `assistant.rules.hands` tells what a hand is worth; here its keys only become
numbers that compare as they do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from assistant.rules.cards import CALLED_ALIKE, HAND_SIZE, SUITS, Card, Rank
from assistant.rules.errors import MusError
from assistant.rules.hands import HandValue, value
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Real31, Sides

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MANY_KINGS = 8
PLAYED_AS = {called: rank for rank, called in CALLED_ALIKE.items()}
"""With eight kings: the ranks that a tres and a dos are played as."""
NO_KEY = -1
"""The class of a hand that takes no part in a lance."""


class OddsError(MusError):
    """A question without odds; the text says why, and what to do instead."""


@dataclass(frozen=True, slots=True)
class OddsDeck:
    """How often each rank is in the deck, as it is played, and the rules that order its hands."""

    counts: tuple[tuple[Rank, int], ...]
    kings: int = MANY_KINGS
    real31: Real31 = Real31.OFF

    @property
    def copies(self) -> Ints:
        """Cards of each rank, highest first. Shape (ranks,)."""
        return np.array([copies for _, copies in self.counts], dtype=np.int64)

    def counted(self, hand: Iterable[Rank]) -> tuple[int, ...]:
        """A hand as the number of cards of each rank of this deck. Raises OddsError."""
        ranks = [self.played(rank) for rank in hand]
        counts = tuple(ranks.count(rank) for rank, _ in self.counts)
        if len(ranks) != HAND_SIZE or sum(counts) != HAND_SIZE:
            raise OddsError(
                "A hand has four cards of this deck, not {ranks!r}.", ranks=" ".join(ranks)
            )
        return counts

    def played(self, rank: Rank) -> Rank:
        """The rank that a card counts as: with eight kings a tres is a rey (R01)."""
        return PLAYED_AS.get(rank, rank) if self.kings == MANY_KINGS else rank


def deck_of(profile: Profile) -> OddsDeck:
    """The forty cards under the house rules. Raises OddsError where suits or camps forbid it."""
    if profile.real31 is Real31.SUITS:
        raise OddsError(
            "The odds know ranks and no suits: choose real31=sota or real31=figura for them."
        )
    if profile.sides is not Sides.TWO:
        raise OddsError("The odds are for two pairs: choose sides=two for them.")
    many = profile.kings == MANY_KINGS
    copies = dict.fromkeys(Rank, SUITS)
    for called, rank in PLAYED_AS.items() if many else ():
        copies[rank] += copies.pop(called)
    return OddsDeck(tuple(copies.items()), profile.kings, profile.real31)


@dataclass(frozen=True)
class HandTable:
    """All hands of a deck, by number, the best at grande first."""

    deck: OddsDeck
    ranks: tuple[tuple[Rank, ...], ...]
    counts: Ints
    """Cards of each rank in each hand. Shape (hands, ranks)."""
    index: dict[tuple[int, ...], int]
    """Counts -> the number of the hand."""
    values: tuple[HandValue, ...]

    @cached_property
    def classes(self) -> dict[Lance, Ints]:
        """Lance -> the class of each hand: 0 for the worst that plays, NO_KEY for the others."""
        return {lance: _classes([v.key(lance) for v in self.values]) for lance in Lance}

    @cached_property
    def pares(self) -> Bools:
        """Which hands have pares."""
        return np.array([v.pares is not None for v in self.values])

    @cached_property
    def juego(self) -> Bools:
        """Which hands have juego."""
        return np.array([v.juego for v in self.values])

    @cached_property
    def stones(self) -> dict[Lance, Ints]:
        """The stones that each hand brings by itself at the count of a lance (R13, R15)."""
        none = np.zeros(len(self.values), dtype=np.int64)
        return {
            **dict.fromkeys(Lance, none),
            Lance.PARES: np.array([v.pares.value if v.pares else 0 for v in self.values]),
            Lance.JUEGO: np.array([v.juego_stones for v in self.values]),
        }

    def number(self, hand: Iterable[Rank]) -> int:
        """The number of a hand. Raises OddsError for cards that this deck does not hold."""
        counts = self.deck.counted(hand)
        if counts not in self.index:
            raise OddsError("This deck has not so many cards of one rank.")
        return self.index[counts]


@lru_cache(maxsize=4)
def hands_of(deck: OddsDeck) -> HandTable:
    """All hands that a deck can deal, valued."""
    kinds = [rank for rank, _ in deck.counts]
    most = dict(deck.counts)
    ranks = tuple(
        hand
        for hand in combinations_with_replacement(kinds, HAND_SIZE)
        if all(hand.count(rank) <= most[rank] for rank in hand)
    )
    counted = [tuple(hand.count(rank) for rank in kinds) for hand in ranks]
    profile = Profile(kings=deck.kings, real31=deck.real31)
    return HandTable(
        deck,
        ranks,
        np.array(counted, dtype=np.int64),
        {counts: i for i, counts in enumerate(counted)},
        tuple(value(tuple(map(Card, hand)), profile) for hand in ranks),
    )


def _classes(keys: list[tuple[int, ...] | None]) -> Ints:
    place = {key: i for i, key in enumerate(sorted({key for key in keys if key is not None}))}
    return np.array([NO_KEY if key is None else place[key] for key in keys], dtype=np.int64)
