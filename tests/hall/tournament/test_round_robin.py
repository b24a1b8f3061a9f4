"""A round robin: every pair meets every other once, and plays at most once in a round."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import Format, Podium, podium, ready, standings
from assistant.hall.tournament.draw import rounds_of
from tests.hall.tournament.playing import both, drawn, entered, played, stronger


@given(st.integers(2, 40))
def test_every_pair_meets_every_other_once_in_as_few_rounds_as_possible(count: int) -> None:
    rounds = rounds_of(range(count))
    met = Counter(frozenset(pairing) for played in rounds for pairing in played)
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {1}
    assert len(rounds) == count - 1 + count % 2


@given(st.integers(2, 40))
def test_in_a_round_every_pair_plays_once_and_of_an_odd_number_one_rests(count: int) -> None:
    rested: Counter[int] = Counter()
    for met in rounds_of(range(count)):
        playing = [pair for pairing in met for pair in pairing]
        assert len(set(playing)) == len(playing) == count - count % 2
        rested.update(set(range(count)) - set(playing))
    assert rested == (dict.fromkeys(range(count), 1) if count % 2 else {})


def test_all_matches_are_ready_at_once_and_the_standings_follow_the_results() -> None:
    tournament = drawn(5, Format.ROBIN)
    assert len(ready(tournament)) == 10
    assert [row.won for row in standings(tournament)] == [0] * 5
    tournament = played(tournament, stronger)
    assert [(row.pair, row.won, row.lost) for row in standings(tournament)] == [
        (1, 4, 0),
        (2, 3, 1),
        (3, 2, 2),
        (4, 1, 3),
        (5, 0, 4),
    ]
    assert podium(tournament) == Podium((1,), (2,), (3,))


def test_a_rest_counts_nothing() -> None:
    tournament = drawn(3, Format.ROBIN)
    assert [match.round for match in ready(tournament)] == [1, 2, 3]
    a, b = both(tournament, "R1.1")
    tournament = entered(tournament, "R1.1", a)
    (resting,) = {1, 2, 3} - {a, b}
    rows = {row.pair: row for row in standings(tournament)}
    assert (rows[resting].played, rows[resting].won, rows[resting].juegos) == (0, 0, (0, 0))
    assert rows[a].played == rows[b].played == 1


def test_a_round_robin_of_two_pairs_has_no_third_place() -> None:
    assert podium(played(drawn(2, Format.ROBIN), stronger)) == Podium((1,), (2,), ())
