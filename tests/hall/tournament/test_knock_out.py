"""A knock-out: who is out, who has a bye, and that the best meet as late as possible."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import (
    BYE,
    Drawn,
    Format,
    Podium,
    apply,
    draw,
    finished,
    fold,
    players,
    podium,
    ready,
)
from assistant.hall.tournament.trees import lines, meets, places, size_for
from tests.hall.tournament.playing import both, drawn, enrolled, entered, played, stronger
from tests.tables import each_row


@given(st.integers(2, 70), st.integers(0, 2**32))
def test_one_match_fewer_than_pairs_is_played_and_each_pair_loses_at_most_once(
    count: int, chance: int
) -> None:
    def winner(a: int, b: int) -> int:
        return a if hash((a, b, chance)) % 2 else b

    tournament = played(drawn(count, Format.KNOCKOUT), winner)
    losers = [result.loser for result in tournament.results.values()]
    assert len(losers) == count - 1
    assert len(set(losers)) == count - 1
    ended = podium(tournament)
    assert ended is not None
    assert {*ended.first, *losers} == set(range(1, count + 1))


@given(st.integers(2, 70), st.integers(0, 1000))
def test_the_strongest_pair_wins_from_any_place(count: int, seed: int) -> None:
    tournament = fold(enrolled(count, Format.KNOCKOUT))
    order = draw(tournament.pairs.values(), seed)
    ended = podium(played(apply(tournament, Drawn(seed, order)), stronger))
    assert ended is not None
    assert ended.first == (1,)


@given(st.integers(2, 300))
def test_the_best_pairs_meet_as_late_as_possible(count: int) -> None:
    size = size_for(count)
    at = places(size)
    rounds = size.bit_length() - 1
    best = 2
    while best <= count:
        among = range(1, best + 1)
        last = rounds - best.bit_length() + 2
        assert all(meets(at[a], at[b]) >= last for a in among for b in among if a < b)
        best *= 2


def test_the_tree_of_eight_is_the_usual_one() -> None:
    assert lines(8) == [1, 8, 5, 4, 3, 6, 7, 2]


@each_row("count", [3, 5, 6, 11, 17, 100])
def test_byes_go_to_the_best_and_no_match_has_two(count: int) -> None:
    tournament = drawn(count, Format.KNOCKOUT)
    byes = [
        players(tournament, match.id)
        for match in tournament.matches.values()
        if match.round == 1 and BYE in players(tournament, match.id)
    ]
    with_bye = sorted(a for a, b in (sorted(p, key=str) for p in byes) if isinstance(a, int))
    assert with_bye == list(range(1, size_for(count) - count + 1))
    assert len(byes) == len(with_bye)


def test_a_bye_is_won_without_a_match() -> None:
    tournament = drawn(3, Format.KNOCKOUT)
    assert [both(tournament, match.id) for match in ready(tournament)] == [(3, 2)]
    tournament = entered(tournament, "K1.2", 3)
    assert both(tournament, "K2.1") == (1, 3)


def test_the_losers_of_the_semifinals_play_for_bronze() -> None:
    tournament = drawn(4, Format.KNOCKOUT, bronze=True)
    tournament = entered(entered(tournament, "K1.1", 4), "K1.2", 2)
    assert both(tournament, "B1.1") == (1, 3)
    tournament = entered(tournament, "K2.1", 4)
    assert not finished(tournament)
    assert podium(tournament) is None
    assert podium(entered(tournament, "B1.1", 3)) == Podium((4,), (2,), (3,))


def test_without_bronze_both_share_the_third_place() -> None:
    ended = podium(played(drawn(8, Format.KNOCKOUT), stronger))
    assert ended == Podium((1,), (2,), (4, 3))


def test_two_pairs_play_a_final_and_no_bronze() -> None:
    tournament = drawn(2, Format.KNOCKOUT, bronze=True)
    assert list(tournament.matches) == ["K1.1"]
    assert podium(entered(tournament, "K1.1", 2)) == Podium((2,), (1,), ())
