"""The chances of the whole deck equal those of weighing all triples of 330 hands one by one."""

import numpy as np
import pytest

from assistant.odds import Known, chances
from assistant.odds.deck import NO_KEY, Floats, HandTable, Ints, deck_of, hands_of
from assistant.odds.rivals import CHOOSE
from assistant.rules.cards import Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from tests.tables import each_row

TABLE = Profile()
DECK = deck_of(TABLE)


def weights(left: Ints, hands: HandTable) -> Floats:
    """The number of ways in which each hand comes from each of these rests. Shape (n, hands)."""
    ways = np.ones((len(left), len(hands.counts)))
    for rank in range(left.shape[1]):
        ways *= CHOOSE[left[:, rank]][:, hands.counts[:, rank]]
    return ways


@pytest.mark.slow
@each_row("hand, mano", [("7754", 2), ("R764", 4)])
def test_every_triple_of_unknown_hands_is_counted(hand: str, mano: int) -> None:
    hands = hands_of(DECK)
    mine = hands.number(tuple(map(Rank, hand)))
    left = DECK.copies - hands.counts[mine]
    partner = np.flatnonzero(weights(left[None], hands)[0])
    total, side, contested = 0.0, dict.fromkeys(Lance, 0.0), dict.fromkeys(Lance, 0.0)
    turns = [(seat - mano) % 4 for seat in (1, 2, 3, 4)]
    for z in partner:
        after = left - hands.counts[z]
        right = np.flatnonzero(weights(after[None], hands)[0])
        deals = weights(after[None], hands)[0][right, None]
        deals = deals * weights(after - hands.counts[right], hands)
        deals *= weights(left[None], hands)[0][z]
        total += deals.sum()
        for lance in Lance:
            classes = hands.classes[lance]
            me, x, p, y = (np.where(classes == NO_KEY, -4, classes * 4 - turn) for turn in turns)
            ours, theirs = max(me[mine], p[z]), np.maximum(x[right][:, None], y[None, :])
            both = (theirs >= -3) & bool(ours >= -3)
            won = (ours > theirs) & bool(ours >= -3)
            if lance is Lance.PUNTO:
                nobody = ~hands.juego[right][:, None] & ~hands.juego[None, :]
                nobody &= not (hands.juego[mine] or hands.juego[z])
                both, won = both & nobody, won & nobody
            side[lance] += deals[won].sum()
            contested[lance] += deals[both].sum()
    told = chances(Known(tuple(map(Rank, hand)), mano=mano), TABLE)
    assert total == 43_370_632_305_000  # C(36, 4) * C(32, 4) * C(28, 4)
    for lance in Lance:
        assert told[lance].side == side[lance] / total
        assert told[lance].contested == contested[lance] / total
