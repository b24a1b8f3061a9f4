"""The strength of a hand in a lance against three unseen hands: a fast approximation.

It takes the other hands to be independent of each other given one's own, which is close enough to
decide by; `assistant.odds` is exact. What a player said shifts the chances of its hands:
each is multiplied by a power of the hand's rank, so that a rival who bet holds a better one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from assistant.odds.deck import NO_KEY, HandTable, deck_of, hands_of
from assistant.rules.cards import HAND_SIZE, Hand, Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile, Real31
from assistant.school.players.senas import FITS

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
SEATS = 4
FLOOR = 0.03
"""The rank of the worst hand, so that no hand is impossible by what was said."""
CHOOSE = np.array([[1, 0, 0, 0, 0]] + [[0] * 5 for _ in range(8)], dtype=np.float64)
for _of in range(1, 9):
    for _some in range(5):
        CHOOSE[_of, _some] = CHOOSE[_of - 1, _some] + (CHOOSE[_of - 1, _some - 1] if _some else 0)


@dataclass(frozen=True, slots=True)
class OtherHands:
    """What is known about another player.

    ours    whether it is the partner
    place   0 for mano, 3 for postre
    lean    how much better its hand is than a random one: the power of its rank; 0 at random
    holds   what it declared of pares or juego, in those lances; None if it said nothing
    signs   the señas that it was seen to make, by their keys
    """

    ours: bool
    place: int
    lean: float = 0.0
    holds: bool | None = None
    signs: tuple[str, ...] = ()


class Strength:
    """Chances with one deck, from tables that are made once and kept."""

    def __init__(self, profile: Profile) -> None:
        self.hands: HandTable = hands_of(deck_of(_in_ranks(profile)))
        self._copies = self.hands.deck.copies
        self._kind = {rank: self._place_of(rank) for rank in Rank}
        self._ranked = {lance: self._ranks(lance) for lance in Lance}
        self._row = lru_cache(maxsize=1024)(self._others_of)
        self._telling = lru_cache(maxsize=32)(self._told_by)
        self.thrown = lru_cache(maxsize=1024)(self._thrown)
        self._worth: Floats | None = None

    def number(self, hand: Hand) -> int:
        """The number of a hand among all hands."""
        return self.hands.number(card.rank for card in hand)

    def wins(self, mine: int, place: int, lance: Lance, others: tuple[OtherHands, ...]) -> float:
        """The chance that our pair wins a lance with my hand and what is known of the others."""
        classes = self.hands.classes[lance]
        rivals = np.ones(0)
        for other in others:
            if not other.ours:
                below = self._below(mine, lance, other)
                rivals = rivals * below if len(rivals) else below
        me = _code(int(classes[mine]), place)
        plays = classes[mine] != NO_KEY
        partners = [self._law(mine, lance, other) for other in others if other.ours]
        if not partners:
            return float(rivals[me]) if plays else 0.0
        partner = partners[0]
        partner[:SEATS] = 0.0  # a hand that takes no part wins nothing
        first = me + 1 if plays else 0
        alone = (1.0 - partner[first:].sum()) * rivals[me] if plays else 0.0
        return float(alone + partner[first:] @ rivals[first:])

    def lacks(self, mine: int, lance: Lance) -> float:
        """The chance that another player takes no part in a lance."""
        return float(self._row(mine)[self.hands.classes[lance] == NO_KEY].sum())

    def worth(self) -> Floats:
        """What each hand is worth before the lances, in stones of a quiet deal. Shape (hands,)."""
        if self._worth is None:
            count = len(self.hands.values)
            self._worth = np.array([self._quiet(mine) for mine in range(count)])
        return self._worth

    def _quiet(self, mine: int) -> float:
        """A stone or two for each lance that is likely won, and what the hand itself brings."""
        others = (OtherHands(False, 0), OtherHands(True, 2), OtherHands(False, 3))
        chance = {lance: self.wins(mine, 1, lance, others) for lance in Lance}
        held = self.hands.stones
        punto = self.lacks(mine, Lance.PUNTO) if not self.hands.juego[mine] else 1.0
        return float(
            1.5 * (chance[Lance.GRANDE] + chance[Lance.CHICA])
            + chance[Lance.PARES] * (2.0 + held[Lance.PARES][mine])
            + chance[Lance.JUEGO] * (2.0 + held[Lance.JUEGO][mine])
            + 1.5 * chance[Lance.PUNTO] * (1.0 - punto) ** 3
        )

    def _thrown(self, hand: Hand) -> tuple[int, ...]:
        """The places of the cards whose exchange leaves the best hand on average."""
        left = self._copies - self.hands.counts[self.number(hand)]
        ways = [
            places for size in range(1, HAND_SIZE + 1) for places in combinations(range(4), size)
        ]
        return max(ways, key=lambda places: self._after(hand, places, left))

    def _after(self, hand: Hand, places: tuple[int, ...], left: npt.NDArray[np.int64]) -> float:
        """The average worth of the hand once the cards in these places are exchanged."""
        kept = [self._kind[card.rank] for place, card in enumerate(hand) if place not in places]
        drawn = self.hands.counts - np.bincount(kept, minlength=len(self._copies))
        able = (drawn >= 0).all(axis=1)
        ways = np.where(able, CHOOSE[left, np.maximum(drawn, 0)].prod(axis=1), 0.0)
        return float(ways @ self.worth() / ways.sum())

    def _place_of(self, rank: Rank) -> int:
        """Where a rank stands among the deck's, as it is played."""
        return self.hands.deck.counted([rank] * HAND_SIZE).index(HAND_SIZE)

    def _others_of(self, mine: int) -> Floats:
        """By hand: the chance that another player holds it, given mine."""
        left = self._copies - self.hands.counts[mine]
        ways = CHOOSE[left, self.hands.counts].prod(axis=1)
        return np.asarray(ways / ways.sum())

    def _ranks(self, lance: Lance) -> Floats:
        """By hand: the share of hands in the lance that are no better; FLOOR at least."""
        classes = self.hands.classes[lance]
        ways = CHOOSE[self._copies, self.hands.counts].prod(axis=1)
        plays = classes != NO_KEY
        by_class = np.bincount(classes[plays], ways[plays])
        share = np.cumsum(by_class) / by_class.sum()
        return np.where(plays, FLOOR + (1 - FLOOR) * share[classes], FLOOR)

    def _law(self, mine: int, lance: Lance, other: OtherHands) -> Floats:
        """The chance of each code, which orders hands and, where they are alike, places."""
        classes = self.hands.classes[lance]
        chance = self._row(mine)
        if other.lean:
            chance = chance * self._ranked[lance] ** other.lean
        if other.holds is not None:
            chance = chance * ((classes != NO_KEY) == other.holds)
        for sign in other.signs:
            chance = chance * self._telling(sign)
        law = np.bincount(_codes(classes, other.place), chance, SEATS * (len(classes) + 1))
        return np.asarray(law / (law.sum() or 1.0))

    def _told_by(self, sign: str) -> Bools:
        """By hand: whether a sign may be made with it. One that says nothing leaves all."""
        fits = FITS.get(sign)
        return np.array([fits is None or fits(held) for held in self.hands.values])

    def _below(self, mine: int, lance: Lance, other: OtherHands) -> Floats:
        """By code: the chance that the other's is less."""
        return np.asarray(np.concatenate([[0.0], np.cumsum(self._law(mine, lance, other))[:-1]]))


def _in_ranks(profile: Profile) -> Profile:
    """The house rules that order hands, for two pairs and without suits.

    A real 31 of named suits is one hand in 91,390: a player takes it for any other 31.
    """
    suits = profile.real31 is Real31.SUITS
    return Profile(kings=profile.kings, real31=Real31.OFF if suits else profile.real31)


def _code(held: int, place: int) -> int:
    """A number that is larger for the better hand; of equal hands, for the earlier seat (R39)."""
    return SEATS * (held + 1) + SEATS - 1 - place


def _codes(held: npt.NDArray[np.int64], place: int) -> npt.NDArray[np.int64]:
    return np.asarray(SEATS * (held + 1) + SEATS - 1 - place)
