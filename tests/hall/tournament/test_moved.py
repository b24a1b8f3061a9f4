"""A match of a league that is played on another day than its round."""

from __future__ import annotations

import pytest

from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    FormatSheet,
    MatchMoved,
    Opened,
    PairEnrolled,
    Stage,
    StageKind,
    TableAssigned,
    Tournament,
    TournamentError,
    apply,
    assign,
    check,
    draw,
    fold,
    shown,
)
from tests.hall.tournament.playing import result_acts

DAYS = ("2027-01-11", "2027-01-18", "2027-01-25")


def league() -> Tournament:
    """Four pairs: a round a week, two matches a round."""
    sheet = FormatSheet("liga", (), (Stage(StageKind.ROBIN, dates=DAYS),))
    acts: list[Act] = [Opened("Liga", Format.SHEET, sheet=sheet)]
    acts += [PairEnrolled(n, f"P{n}", (f"Ana {n}", f"Luis {n}")) for n in range(1, 5)]
    tournament = fold(acts)
    return apply(tournament, Drawn(7, draw(tournament.pairs.values(), 7)))


def moved(match: str, day: str) -> MatchMoved:
    return MatchMoved(match, day, "Juez", "Trabajan")


def called(tournament: Tournament, today: str) -> set[str]:
    return {act.match for act in assign(tournament, ["a", "b", "c", "d"], today)}


def refused(tournament: Tournament, act: Act) -> str:
    try:
        check(tournament, act)
    except TournamentError as error:
        return error.code
    return ""


def test_a_match_is_called_from_its_own_day_on_and_not_with_its_round() -> None:
    later = apply(league(), moved("R1.1", "2027-01-14"))
    assert called(later, "2027-01-11") == {"R1.2"}
    assert called(later, "2027-01-14") == {"R1.1", "R1.2"}
    sooner = apply(league(), moved("R2.1", "2027-01-04"))
    assert called(sooner, "2027-01-04") == {"R2.1"}
    assert called(apply(later, moved("R1.1", "")), "2027-01-11") == {"R1.1", "R1.2"}


def test_the_round_keeps_its_day_and_the_match_shows_its_own() -> None:
    whole = shown(apply(league(), moved("R1.1", "2027-01-14")))
    first, second = whole["matches"][:2]
    assert (first["date"], first["moved"]) == (DAYS[0], "2027-01-14")
    assert (second["date"], second["moved"]) == (DAYS[0], "")


def test_a_match_that_is_moved_loses_its_table() -> None:
    at_table = apply(league(), TableAssigned("R1.1", "mesa-1"))
    assert apply(at_table, moved("R1.1", "2027-01-14")).tables == {}


def test_what_cannot_be_moved_is_refused_with_the_reason() -> None:
    tournament = league()
    assert refused(tournament, moved("R9.9", DAYS[1])) == "no_match"
    assert refused(tournament, moved("R1.1", "")) == "moved_already"
    assert refused(apply(tournament, moved("R1.1", DAYS[1])), moved("R1.1", DAYS[1])) == (
        "moved_already"
    )
    winner = min(shown(tournament)["matches"][0]["slots"][at]["pair"] or 0 for at in (0, 1))
    for act in result_acts(tournament, "R1.1", winner):
        tournament = apply(tournament, act)
        assert refused(tournament, moved("R1.1", DAYS[1])) == "moved_over"
    for day in ("14.2.2027", "2027-02-30", "mañana"):
        with pytest.raises(TournamentError) as found:
            moved("R1.2", day)
        assert found.value.code == "no_date"
