"""Assigning tables: a pair plays one match at a time, and a table holds one match."""

import pytest

from assistant.hall.tournament import (
    Format,
    ResultEntered,
    TableAssigned,
    Tournament,
    TournamentError,
    apply,
    assign,
)
from tests.hall.tournament.playing import both, drawn, entered, played, stronger
from tests.tables import each_row

HALL = [f"mesa-{number}" for number in range(1, 9)]


def assigned(tournament: Tournament, *tables: str) -> Tournament:
    for act in assign(tournament, tables):
        tournament = apply(tournament, act)
    return tournament


def test_matches_get_free_tables_in_the_order_of_play() -> None:
    tournament = drawn(8, Format.KNOCKOUT)
    assert assign(tournament, ["mesa-5", "mesa-2", "mesa-5", "mesa-9"]) == (
        TableAssigned("K1.1", "mesa-5"),
        TableAssigned("K1.2", "mesa-2"),
        TableAssigned("K1.3", "mesa-9"),
    )


def test_in_a_round_robin_no_pair_is_called_to_two_tables() -> None:
    tournament = assigned(drawn(5, Format.ROBIN), *HALL)
    assert len(tournament.tables) == 2
    playing = [pair for match in tournament.tables for pair in both(tournament, match)]
    assert len(set(playing)) == 4
    assert not assign(tournament, HALL)


def test_an_entered_result_frees_the_table_and_its_pairs() -> None:
    tournament = assigned(drawn(4, Format.ROBIN), "mesa-1", "mesa-2")
    assert tournament.tables == {"R1.1": "mesa-1", "R1.2": "mesa-2"}
    assert not assign(tournament, ["mesa-1", "mesa-2"])
    tournament = apply(tournament, ResultEntered("R1.1", (3, 0), (0, 0), "Ana"))
    assert not assign(tournament, ["mesa-1", "mesa-2"])  # all other matches need a pair of R1.2
    tournament = entered(tournament, "R1.2", both(tournament, "R1.2")[0])
    assert assign(tournament, ["mesa-2", "mesa-1"]) == (
        TableAssigned("R2.1", "mesa-2"),
        TableAssigned("R2.2", "mesa-1"),
    )


@each_row(
    "act, sentence",
    [
        (TableAssigned("R1.2", "mesa-1"), r"Match R1\.1 is at table mesa-1: choose a free table"),
        (TableAssigned("R2.1", "mesa-2"), r"Pair 1 plays match R1\.1 at table mesa-1: wait"),
    ],
)
def test_a_busy_table_or_pair_is_refused(act: TableAssigned, sentence: str) -> None:
    tournament = apply(drawn(4, Format.ROBIN), TableAssigned("R1.1", "mesa-1"))
    with pytest.raises(TournamentError, match=sentence):
        apply(tournament, act)


def test_a_match_may_be_moved_to_another_table() -> None:
    tournament = apply(drawn(4, Format.ROBIN), TableAssigned("R1.1", "mesa-1"))
    assert apply(tournament, TableAssigned("R1.1", "mesa-3")).tables == {"R1.1": "mesa-3"}


def test_a_match_with_an_entered_result_gets_no_table() -> None:
    tournament = apply(drawn(4, Format.ROBIN), ResultEntered("R1.1", (3, 0), (0, 0), "Ana"))
    with pytest.raises(TournamentError, match=r"Match R1\.1 has been played"):
        apply(tournament, TableAssigned("R1.1", "mesa-1"))


def test_a_finished_tournament_needs_no_table() -> None:
    assert not assign(played(drawn(4, Format.DOUBLE), stronger), HALL)
