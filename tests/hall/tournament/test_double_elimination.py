"""Double elimination: out after two losses, late rematches, a second final where needed."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import BYE, Format, Podium, finished, players, podium
from assistant.hall.tournament.model import LoserOf, PairSlot, Slot
from assistant.hall.tournament.trees import double_elimination
from tests.hall.tournament.playing import both, drawn, entered, played, stronger
from tests.tables import each_row


@given(st.integers(2, 40), st.integers(0, 2**32))
def test_a_pair_that_loses_twice_is_out_and_only_the_champion_has_not(
    count: int, chance: int
) -> None:
    def winner(a: int, b: int) -> int:
        return a if hash((a, b, chance)) % 2 else b

    tournament = played(drawn(count, Format.DOUBLE), winner)
    lost = Counter(result.loser for result in tournament.results.values())
    ended = podium(tournament)
    assert ended is not None
    (champion,) = ended.first
    assert lost[champion] < 2
    assert all(lost[pair] == 2 for pair in range(1, count + 1) if pair != champion)


@given(st.integers(2, 40), st.booleans())
def test_the_strongest_pair_wins_from_any_place(count: int, seeded: bool) -> None:
    ended = podium(played(drawn(count, Format.DOUBLE, seeds=count * seeded), stronger))
    assert ended is not None
    assert (ended.first, ended.second) == ((1,), (2,))


def test_a_second_final_is_played_only_if_the_unbeaten_pair_lost_the_first() -> None:
    tournament = drawn(4, Format.DOUBLE)
    for match, winner in (("W1.1", 1), ("W1.2", 2), ("W2.1", 1), ("L1.1", 3), ("L2.1", 2)):
        tournament = entered(tournament, match, winner)
    assert both(tournament, "F1.1") == (1, 2)

    done = entered(tournament, "F1.1", 1)
    assert players(done, "F2.1") == (1, BYE)
    assert podium(done) == Podium((1,), (2,), (3,))

    again = entered(tournament, "F1.1", 2)
    assert not finished(again)
    assert both(again, "F2.1") == (2, 1)
    assert podium(entered(again, "F2.1", 1)) == Podium((1,), (2,), (3,))
    assert podium(entered(again, "F2.1", 2)) == Podium((2,), (1,), (3,))


def rematches(size: int, coins: Iterator[bool]) -> list[int]:
    """The rounds of the losers' bracket in which two pairs meet again."""
    matches = double_elimination([PairSlot(pair) for pair in range(1, size + 1)])
    ended: dict[str, tuple[int, int]] = {}

    def who(slot: Slot) -> int:
        if isinstance(slot, PairSlot):
            return slot.pair
        assert hasattr(slot, "match")
        return ended[slot.match][isinstance(slot, LoserOf)]

    met = set()
    found = []
    for match in matches[:-2]:
        a, b = who(match.a), who(match.b)
        if {a, b} in met:
            found.append(match.round)
        met.add(frozenset((a, b)))
        ended[match.id] = (a, b) if next(coins) else (b, a)
    return found


def test_among_eight_no_rematch_comes_before_the_third_losers_round() -> None:
    rounds = {r for coins in product((True, False), repeat=13) for r in rematches(8, iter(coins))}
    assert min(rounds) == 3


@each_row("size, earliest", [(16, 4), (32, 5), (64, 6)])
def test_rematches_come_late(size: int, earliest: int) -> None:
    chance = random.Random(size)
    coins = iter(lambda: chance.random() < 0.5, None)
    rounds = {r for _ in range(400) for r in rematches(size, coins)}
    assert min(rounds) >= earliest
