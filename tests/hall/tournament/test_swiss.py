"""Swiss rounds: no rematch, equal scores first, byes from below, with any matcher."""

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.hall.tournament import (
    Format,
    PairWithdrawn,
    RoundPaired,
    TableAssigned,
    Tournament,
    TournamentError,
    apply,
    awaiting,
    draw,
    finished,
    pair_round,
    podium,
    ready,
    standings,
)
from tests.hall.tournament.playing import (
    best_matching,
    both,
    drawn,
    entered,
    greedy_matching,
    played,
    stronger,
)
from tests.tables import each_row


def swiss(pairs: int, rounds: int) -> Tournament:
    return drawn(pairs, Format.SWISS, rounds=rounds)


def paired(tournament: Tournament, *pairings: tuple[int, int | None]) -> Tournament:
    """The tournament after the next round was paired by hand."""
    return apply(tournament, RoundPaired(tournament.rounds + 1, pairings))


def with_results(tournament: Tournament, *winners: int) -> Tournament:
    """The tournament after these pairs won the matches of the round."""
    for match in ready(tournament):
        a, b = both(tournament, match.id)
        tournament = entered(tournament, match.id, a if a in winners else b)
    return tournament


@settings(max_examples=40)
@given(st.integers(2, 11), st.integers(0, 2**32))
def test_all_rounds_are_paired_without_rematches_and_byes_are_shared(
    count: int, chance: int
) -> None:
    def winner(a: int, b: int) -> int:
        return a if hash((a, b, chance)) % 2 else b

    rounds = (count + 1) // 2
    tournament = played(swiss(count, rounds), winner, best_matching)
    assert finished(tournament)
    met = [result.pairs for result in tournament.results.values()]
    assert len({frozenset(pairs) for pairs in met}) == len(met) == rounds * (count // 2)
    rows = standings(tournament)
    # Each pair played or had a bye in each round, and none had two byes.
    assert all(row.played == rounds for row in rows)
    byes = [rounds - sum(row.pair in pairs for pairs in met) for row in rows]
    assert sorted(byes)[-1] <= 1
    assert sum(byes) == rounds * (count % 2)


def test_in_the_first_round_the_top_half_meets_the_bottom_half() -> None:
    act = pair_round(swiss(9, 3), best_matching)
    assert act.pairings == ((1, 5), (2, 6), (3, 7), (4, 8), (9, None))


def test_within_a_score_group_the_upper_half_meets_the_lower_half() -> None:
    tournament = with_results(paired(swiss(8, 3), (1, 5), (2, 6), (3, 7), (4, 8)), 1, 2, 3, 4)
    act = pair_round(tournament, best_matching)
    assert act.pairings == ((1, 3), (2, 4), (5, 7), (6, 8))


def test_of_an_odd_score_group_one_moves_down_and_score_outweighs_place() -> None:
    # 1, 2 and 3 have won. 3 moves down to the best of the others.
    tournament = with_results(paired(swiss(6, 3), (1, 4), (2, 5), (3, 6)), 1, 2, 3)
    assert pair_round(tournament, best_matching).pairings == ((1, 2), (3, 4), (5, 6))


def test_the_bye_goes_to_the_lowest_pair_without_one() -> None:
    tournament = with_results(paired(swiss(5, 3), (1, 3), (2, 4), (5, None)), 1, 2)
    # 5 leads the pairs that lost, because a bye counts as a win.
    assert [row.pair for row in standings(tournament)] == [1, 2, 5, 3, 4]
    act = pair_round(tournament, best_matching)
    assert act.pairings[-1] == (4, None)


def test_a_bye_counts_as_won_by_all_juegos_and_no_stones() -> None:
    tournament = paired(swiss(3, 2), (1, 2), (3, None))
    (_, __, row) = sorted(standings(tournament), key=lambda row: row.pair)
    assert (row.won, row.played, row.juegos, row.stones) == (1, 1, (3, 0), (0, 0))
    assert row.buchholz == 0


def test_a_rematch_is_paired_only_if_withdrawals_leave_no_other_round() -> None:
    tournament = with_results(paired(swiss(4, 2), (1, 2), (3, 4)), 1, 3)
    with pytest.raises(TournamentError, match="Pairs 1 and 2 have met before"):
        paired(tournament, (1, 2), (3, 4))
    for pair in (3, 4):
        tournament = apply(tournament, PairWithdrawn(pair, "Se van", "Juez"))
    tournament = apply(tournament, pair_round(tournament, best_matching))
    assert both(tournament, "S2.1") == (1, 2)


def test_a_pair_left_alone_has_a_bye_and_wins() -> None:
    tournament = with_results(paired(swiss(2, 1), (1, 2)), 1)
    assert podium(tournament) is not None
    tournament = with_results(paired(swiss(3, 2), (1, 2), (3, None)), 1)
    for pair in (1, 2):
        tournament = apply(tournament, PairWithdrawn(pair, "Se van", "Juez"))
    tournament = apply(tournament, pair_round(tournament, best_matching))
    assert finished(tournament)
    ended = podium(tournament)
    assert ended is not None
    assert ended.first == (3,)


@each_row(
    "pairings, sentence",
    [
        (((1, 4), (2, 5)), "Pair 3 is left out"),
        (((1, 4), (2, 5), (3, 3)), "Pair 3 stands in the round twice"),
        (((1, 4), (2, 5), (3, 1), (6, None)), "Pair 1 stands in the round twice"),
        (((1, 4), (2, 5), (3, 9)), "There is no pair 9"),
        (((1, 4), (2, 5), (3, None), (6, None)), "give 0 of them a bye"),
        (((1, 2), (3, 4), (5, 6)), "Pairs 1 and 2 have met"),
    ],
)
def test_an_impossible_round_is_refused(
    pairings: tuple[tuple[int, int | None], ...], sentence: str
) -> None:
    tournament = with_results(paired(swiss(6, 3), (1, 2), (3, 5), (4, 6)), 1, 3, 4)
    with pytest.raises(TournamentError, match=sentence):
        apply(tournament, RoundPaired(2, pairings))
    assert tournament.rounds == 1


def test_a_second_bye_is_refused_while_others_have_had_none() -> None:
    tournament = with_results(paired(swiss(5, 3), (1, 3), (2, 4), (5, None)), 1, 2)
    with pytest.raises(TournamentError, match="Pair 5 has had a bye"):
        paired(tournament, (1, 4), (2, 3), (5, None))


def test_a_withdrawn_pair_is_not_paired() -> None:
    tournament = with_results(paired(swiss(6, 3), (1, 2), (3, 5), (4, 6)), 1, 3, 4)
    tournament = apply(tournament, PairWithdrawn(6, "Se van", "Juez"))
    with pytest.raises(TournamentError, match="Pair 6 has withdrawn: leave it out"):
        paired(tournament, (1, 3), (2, 6), (4, 5))
    act = pair_round(tournament, best_matching)
    assert sorted(pair for pairing in act.pairings for pair in pairing if pair) == [1, 2, 3, 4, 5]


def test_the_next_round_waits_for_all_results_and_rounds_come_to_an_end() -> None:
    tournament = paired(swiss(8, 3), (1, 5), (2, 6), (3, 7), (4, 8))
    tournament = entered(tournament, "S1.1", 1)
    with pytest.raises(TournamentError, match=r"Match S1\.2 is not decided"):
        pair_round(tournament, best_matching)
    with pytest.raises(TournamentError, match="Round 3 cannot be paired now: pair round 2"):
        apply(tournament, RoundPaired(3, ()))
    tournament = played(tournament, stronger, best_matching)
    with pytest.raises(TournamentError, match="There are 3 rounds: look at the standings"):
        pair_round(tournament, best_matching)


def test_a_round_is_paired_again_only_before_its_first_result() -> None:
    tournament = paired(swiss(4, 2), (1, 3), (2, 4))
    tournament = apply(tournament, TableAssigned("S1.1", "mesa-1"))
    again = apply(tournament, RoundPaired(1, ((1, 4), (2, 3))))
    assert both(again, "S1.1") == (1, 4)
    assert not again.tables
    tournament = entered(again, "S1.2", 3)
    with pytest.raises(TournamentError, match=r"Match S1\.2 has a result"):
        apply(tournament, RoundPaired(1, ((1, 3), (2, 4))))


def test_only_a_drawn_swiss_tournament_has_rounds() -> None:
    with pytest.raises(TournamentError, match="Only a Swiss tournament is paired round by round"):
        pair_round(drawn(4, Format.ROBIN), best_matching)


@each_row(
    "answer, sentence",
    [({(0, 1), (1, 2)}, "no matching"), ({(0, 9)}, "no matching"), (set(), "left pairs out")],
)
def test_the_answer_of_a_matcher_is_checked(answer: set[tuple[int, int]], sentence: str) -> None:
    with pytest.raises(TournamentError, match=sentence):
        pair_round(swiss(4, 2), lambda _: answer)


def test_all_weights_are_positive_and_one_more_pairing_always_weighs_more() -> None:
    seen: list[Sequence[tuple[int, int, int]]] = []

    def matcher(edges: Sequence[tuple[int, int, int]]) -> set[tuple[int, int]]:
        seen.append(edges)
        return best_matching(edges)

    tournament = with_results(paired(swiss(6, 3), (1, 4), (2, 5), (3, 6)), 1, 2, 3)
    pair_round(tournament, matcher)
    weights = sorted(weight for _, _, weight in seen[0])
    assert weights[0] > 0
    assert 3 * weights[0] > 2 * weights[-1]


def test_2539_pairs_are_drawn_in_a_second_and_paired_without_rematches() -> None:
    tournament = swiss(2_539, 9)
    began = time.process_time()
    draw(tournament.pairs.values(), 1)
    assert time.process_time() - began < 1
    chance = random.Random(1)
    met: set[frozenset[int]] = set()
    for number in range(1, 5):
        tournament = apply(tournament, pair_round(tournament, greedy_matching))
        round_ = {frozenset(both(tournament, match.id)) for match in ready(tournament)}
        assert len(round_) == 1_269
        assert not met & round_
        met |= round_
        won = {row.pair: row.won for row in standings(tournament)}
        floats = sum(won[min(pairs)] != won[max(pairs)] for pairs in round_)
        # At most one pair of each score group moves down.
        assert floats <= 2 * number
        for match in ready(tournament):
            tournament = entered(tournament, match.id, chance.choice(both(tournament, match.id)))
    assert not awaiting(tournament)
