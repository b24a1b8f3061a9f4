"""Lateness, rounds that end at an hour, double defeats and sanctions; all can be taken back."""

import copy
from dataclasses import replace

import pytest

from assistant.hall.tournament import (
    Act,
    BothLost,
    CallingSet,
    Degree,
    DrawAnnulled,
    Drawn,
    Format,
    FormatSheet,
    MatchStopped,
    MatchVoided,
    Opened,
    PairEnrolled,
    PairLate,
    PenaltyLifted,
    ResultCorrected,
    ResultCountersigned,
    ResultEntered,
    RoundClockSet,
    RoundEnded,
    RoundResumed,
    Sanctioned,
    Stage,
    StageKind,
    TableAssigned,
    Times,
    TimesSet,
    Tournament,
    TournamentError,
    Walkover,
    act_from_json,
    act_to_json,
    apply,
    check,
    fold,
    order_of,
    outcome,
    pair_rounds,
    players,
    podium,
    ready,
    shown,
    standings,
    to_void_first,
)
from tests.hall.tournament.playing import best_matching, both, drawn, entered
from tests.tables import each_row

BARCELONA = Times(courtesy=10, each=10)
"""The first juego is lost after ten minutes, as in article 1.7 of the Barcelona Mus Club."""
RULE_TWO = Times(courtesy=10, each=15, at_once=False)
"""Ten minutes of courtesy, and a juego every 15 minutes after it, as many regulations have it."""


def after(tournament: Tournament, *acts: Act) -> Tournament:
    for act in acts:
        tournament = apply(tournament, act_from_json(act_to_json(act)))
    return tournament


def refused(tournament: Tournament, act: Act, code: str) -> None:
    before = copy.deepcopy(tournament)
    with pytest.raises(TournamentError) as found:
        check(tournament, act)
    assert found.value.code == code
    assert tournament == before


def four(times: Times | None = BARCELONA) -> Tournament:
    """Four pairs in a knock-out to three juegos: 1 meets 4 in K1.1, and 3 meets 2 in K1.2."""
    tournament = drawn(4, Format.KNOCKOUT)
    assert [players(tournament, match) for match in ("K1.1", "K1.2")] == [(1, 4), (3, 2)]
    return after(tournament, TimesSet(times, "Juez")) if times else tournament


def given(tournament: Tournament, match: str) -> tuple[int, int]:
    return tournament.given(match, players(tournament, match))


def sanction(pair: int, degree: Degree, match: str = "", player: str = "") -> Sanctioned:
    return Sanctioned(pair, degree, "Interpeñas 9.1", "Juez", "Pensar con seña", match, player)


# ---- Lateness ------------------------------------------------------------------------------------


@each_row(
    "times, minutes, lost",
    [
        (BARCELONA, 9, 0),
        (BARCELONA, 10, 1),
        (BARCELONA, 19, 1),
        (BARCELONA, 20, 2),
        (RULE_TWO, 10, 0),
        (RULE_TWO, 24, 0),
        (RULE_TWO, 25, 1),
        (RULE_TWO, 40, 2),
        (Times(courtesy=15), 14, 0),
        (Times(courtesy=15), 15, None),
        (Times(courtesy=0, each=5), 0, 1),
    ],
)
def test_a_late_pair_loses_juegos_by_the_minute(
    times: Times, minutes: int, lost: int | None
) -> None:
    assert times.lost(minutes) == lost


def test_the_juegos_lost_by_lateness_are_the_other_pairs_and_count_in_the_result() -> None:
    tournament = after(four(), PairLate("K1.1", 4, 12, "Juez"))
    assert given(tournament, "K1.1") == (1, 0)
    refused(tournament, ResultEntered("K1.1", (0, 3), (0, 0), "Ana"), "given_left_out")
    signed = [ResultEntered("K1.1", (1, 3), (0, 0), "Ana"), ResultCountersigned("K1.1", "Luis")]
    assert after(tournament, *signed).results["K1.1"].winner == 4


def test_a_lateness_told_again_costs_only_what_it_costs_more() -> None:
    tournament = after(four(), PairLate("K1.1", 4, 12, "Juez"))
    refused(tournament, PairLate("K1.1", 4, 19, "Juez"), "late_already")
    tournament = after(tournament, PairLate("K1.1", 4, 20, "Juez"))
    assert given(tournament, "K1.1") == (2, 0)
    tournament = after(tournament, PairLate("K1.1", 4, 30, "Juez"))
    assert tournament.results["K1.1"].juegos == (3, 0)
    assert players(tournament, "K2.1")[0] == 1


def test_where_no_juegos_are_lost_by_the_minute_the_match_is() -> None:
    tournament = four(Times(courtesy=15))
    refused(tournament, PairLate("K1.2", 2, 14, "Juez"), "in_courtesy")
    tournament = after(tournament, PairLate("K1.2", 2, 15, "Juez"))
    assert (tournament.results["K1.2"].winner, tournament.results["K1.2"].how) == (3, "late")


def test_both_pairs_may_be_late() -> None:
    tournament = after(four(), PairLate("K1.1", 4, 12, "Juez"), PairLate("K1.1", 1, 21, "Juez"))
    assert given(tournament, "K1.1") == (1, 2)
    assert after(tournament, PairLate("K1.1", 1, 30, "Juez")).results["K1.1"].juegos == (1, 3)


def test_no_lateness_before_the_times_are_set_after_a_result_or_of_others() -> None:
    refused(four(None), PairLate("K1.1", 4, 60, "Juez"), "no_times")
    refused(four(), PairLate("K1.1", 2, 60, "Juez"), "not_its_match")
    signed = after(four(), ResultEntered("K1.1", (3, 1), (0, 0), "Ana"))
    refused(signed, PairLate("K1.1", 4, 60, "Juez"), "played")


def test_a_lateness_taken_back_costs_nothing_and_opens_the_match_again() -> None:
    tournament = after(
        four(), TableAssigned("K1.1", "mesa-1"), PairLate("K1.1", 4, 10, "Juez"),
        PairLate("K1.1", 4, 45, "Juez"),
    )  # fmt: skip
    assert "K1.1" in tournament.results
    tournament = after(tournament, PenaltyLifted(2, "Juez", "Estaban en la barra"))
    assert "K1.1" not in tournament.results
    assert "K1.1" not in tournament.tables  # another match may be at that table by now
    assert given(tournament, "K1.1") == (1, 0)
    tournament = after(tournament, PenaltyLifted(1, "Juez", "Estaban en la barra"))
    assert given(tournament, "K1.1") == (0, 0)
    refused(tournament, PenaltyLifted(1, "Juez", "Otra vez"), "lifted_already")
    refused(tournament, PenaltyLifted(3, "Juez", "No la hay"), "no_penalty")


def test_a_match_lost_by_lateness_is_opened_by_voiding_it_too() -> None:
    tournament = after(four(), PairLate("K1.1", 4, 45, "Juez"))
    tournament = after(tournament, MatchVoided("K1.1", "Juez", "Han venido"))
    assert given(tournament, "K1.1") == (0, 0)
    assert tournament.penalties[0].lifted == "Han venido"
    assert after(tournament, PairLate("K1.1", 4, 45, "Juez")).results["K1.1"].winner == 1


# ---- Time is up ----------------------------------------------------------------------------------


def test_what_the_table_shows_when_time_is_up_is_the_result() -> None:
    tournament = after(four(), MatchStopped("K1.1", (2, 1), (95, 80), "Juez"))
    result = tournament.results["K1.1"]
    assert (result.juegos, result.winner, result.counts, result.how) == ((2, 1), 1, True, "time")
    refused(four(), MatchStopped("K1.1", (2, 1), (0, 0), "Juez", winner=4), "stopped_ahead")
    refused(four(), MatchStopped("K1.1", (3, 1), (0, 0), "Juez"), "not_stopped")
    refused(four(), MatchStopped("K1.1", (2, 1), (0, 0), "Juez", winner=3), "no_winner_of")


def test_level_juegos_need_a_winner_in_a_knock_out() -> None:
    refused(four(), MatchStopped("K1.2", (2, 2), (0, 0), "Juez"), "stopped_level")
    tournament = after(four(), MatchStopped("K1.2", (2, 2), (0, 0), "Juez", winner=3))
    assert tournament.results["K1.2"].winner == 3
    assert players(tournament, "K2.1")[1] == 3


def test_level_juegos_are_half_a_match_won_where_pairs_play_for_points() -> None:
    tournament = drawn(4, Format.ROBIN)
    first, other = (match.id for match in ready(tournament)[:2])
    a, b = both(tournament, first)
    tournament = after(tournament, MatchStopped(first, (2, 2), (90, 70), "Juez"))
    assert outcome(tournament, first) is not None
    rows = {row.pair: row for row in standings(tournament)}
    for pair in (a, b):
        assert (rows[pair].played, rows[pair].won, rows[pair].lost) == (1, 0, 0)
        assert rows[pair].juegos == (2, 2)
    winner, loser = both(tournament, other)
    order = [row.pair for row in standings(entered(tournament, other, winner))]
    assert order[0] == winner
    assert order[-1] == loser


def test_juegos_given_by_a_penalty_count_when_time_is_up() -> None:
    tournament = after(four(), PairLate("K1.1", 1, 12, "Juez"))
    refused(tournament, MatchStopped("K1.1", (1, 0), (0, 0), "Juez"), "given_left_out")
    stopped = after(tournament, MatchStopped("K1.1", (1, 1), (0, 0), "Juez", winner=1))
    assert stopped.results["K1.1"].winner == 1


HOUR = 1_800_000_000


def at_tables() -> Tournament:
    """Two semifinals at their tables, with the end of their round on the clock."""
    return after(
        four(), TableAssigned("K1.1", "mesa-1"), TableAssigned("K1.2", "mesa-2"),
        TimesSet(Times(10, stops=True), "Juez"), RoundClockSet(HOUR, "Juez"),
    )  # fmt: skip


def test_a_round_ends_at_its_hour_in_one_act_that_is_taken_back_in_one() -> None:
    before = at_tables()
    act = RoundEnded(HOUR, (("K1.1", (2, 1), (95, 80)), ("K1.2", (0, 1), (30, 41))))
    ended = after(before, act)
    assert [(r.juegos, r.winner, r.how) for r in ended.results.values()] == [
        ((2, 1), players(before, "K1.1")[0], "time"),
        ((0, 1), players(before, "K1.2")[1], "time"),
    ]
    assert (ended.ended, ended.stopped) == (HOUR, ("K1.1", "K1.2"))
    refused(ended, act, "round_over")
    back = after(ended, RoundResumed("Juez", "El reloj iba mal"))
    assert back.results == {}
    assert back.tables == before.tables  # they play on where they sit
    assert back.stopped == ()
    refused(back, act, "round_over")  # nobody ends it again at the same hour
    refused(back, RoundResumed("Juez", "Otra vez"), "none_ended")
    later = after(back, RoundClockSet(HOUR + 300, "Juez"))
    assert after(later, replace(act, ends=HOUR + 300)).results.keys() == {"K1.1", "K1.2"}


def test_only_what_can_be_decided_so_ends_with_the_round() -> None:
    now = at_tables()
    for wrong, code in (
        ((("K1.1", (1, 1), (9, 9)),), "stopped_level"),
        ((("K1.1", (3, 1), (0, 0)),), "not_stopped"),
        ((("K2.1", (2, 1), (0, 0)),), "nobody_yet"),
        ((("K1.1", (2, 1), (0, 0)), ("K1.1", (2, 0), (0, 0))), "played"),
    ):
        refused(now, RoundEnded(HOUR, wrong), code)
    refused(now, RoundEnded(HOUR + 1, ()), "other_hour")
    refused(four(), RoundEnded(0, ()), "other_hour")
    refused(entered(now, "K1.1", 1), RoundEnded(HOUR, (("K1.1", (2, 1), (0, 0)),)), "played")
    alone = after(now, RoundEnded(HOUR, (("K1.2", (2, 1), (0, 0)),)))
    assert alone.results.keys() == {"K1.2"}  # the other one is the referee's


def test_a_level_match_ends_level_with_its_round_where_pairs_play_for_points() -> None:
    now = drawn(4, Format.ROBIN)
    match = ready(now)[0].id
    now = after(now, TableAssigned(match, "mesa-1"), RoundClockSet(HOUR, "Juez"))
    now = after(now, RoundEnded(HOUR, ((match, (1, 1), (30, 20)),)))
    assert now.results[match].winner is None
    assert outcome(now, match) is not None


def test_what_was_played_after_the_end_is_voided_before_it_is_taken_back() -> None:
    end = RoundEnded(HOUR, (("K1.1", (2, 1), (95, 80)), ("K1.2", (0, 1), (30, 41))))
    now = after(at_tables(), end)
    now = entered(now, "K2.1", both(now, "K2.1")[0])
    resume = RoundResumed("Juez", "El reloj iba mal")
    refused(now, resume, "resume_first")
    assert to_void_first(now, resume) == ("K2.1",)
    now = after(now, MatchVoided("K2.1", "Juez", "Se sigue"), resume)
    assert now.results == {}


def test_what_the_referee_corrected_and_a_table_that_was_called_again_stay() -> None:
    end = RoundEnded(HOUR, (("K1.1", (2, 1), (95, 80)), ("K1.2", (0, 1), (30, 41))))
    corrected = ResultCorrected("K1.2", (3, 1), (0, 0), "Juez", "Habían acabado")
    now = after(at_tables(), end, corrected, TableAssigned("K2.1", "mesa-1"))
    now = after(now, RoundResumed("Juez", "El reloj iba mal"))
    assert now.results.keys() == {"K1.2"}
    # Nobody is called to mesa-1 any more: the final has no pairs yet. So they play on there.
    assert now.tables["K1.1"] == "mesa-1"
    assert "K2.1" not in now.tables
    robin = drawn(6, Format.ROBIN)
    first, other = (match.id for match in ready(robin)[:2])
    robin = after(robin, TableAssigned(first, "mesa-1"), RoundClockSet(HOUR, "Juez"))
    robin = after(robin, RoundEnded(HOUR, ((first, (2, 1), (9, 9)),)))
    robin = after(robin, TableAssigned(other, "mesa-1"), RoundResumed("Juez", "Se sigue"))
    assert robin.tables == {other: "mesa-1"}


# ---- Both lose -----------------------------------------------------------------------------------


def test_a_double_defeat_sends_a_bye_on_and_places_both_as_losers() -> None:
    tournament = after(four(), BothLost("K1.2", "Juez", "No vino nadie"))
    tournament = entered(tournament, "K1.1", 1)
    ended = podium(tournament)
    assert ended is not None
    assert (ended.first, ended.second) == ((1,), ())
    assert set(ended.third) == {2, 3, 4}


def lives(pairs: int) -> Tournament:
    """Pairs that are out after two defeats, with their first round drawn."""
    sheet = FormatSheet("vidas", (), (Stage(StageKind.LIVES, defeats=2),))
    tournament = fold([
        Opened("Torneo", Format.SHEET, sheet=sheet),
        *[PairEnrolled(n, f"P{n}", (f"Ana {n}", f"Luis {n}")) for n in range(1, pairs + 1)],
    ])  # fmt: skip
    tournament = apply(tournament, Drawn(7, order_of(tournament, 7)))
    return after(tournament, *pair_rounds(tournament, best_matching))


def test_a_double_defeat_counts_as_one_for_each_where_several_put_a_pair_out() -> None:
    tournament = lives(4)
    match = ready(tournament)[0].id
    two = both(tournament, match)
    tournament = after(tournament, BothLost(match, "Juez", "No vino nadie"))
    defeats = {pair["pair"]: pair["defeats"] for pair in shown(tournament)["pairs"]}
    assert [defeats[pair] for pair in two] == [1, 1]
    assert sum(defeats.values()) == 2


def test_a_double_defeat_counts_as_lost_by_both_where_pairs_play_for_points() -> None:
    tournament = drawn(4, Format.ROBIN)
    match = ready(tournament)[0].id
    tournament = after(tournament, BothLost(match, "Juez", "No vino nadie"))
    rows = {row.pair: row for row in standings(tournament)}
    assert [rows[pair].lost for pair in both(tournament, match)] == [1, 1]


def test_no_double_defeat_where_the_loser_plays_on() -> None:
    tournament = drawn(4, Format.DOUBLE)
    match = ready(tournament)[0].id
    refused(tournament, BothLost(match, "Juez", "No vino nadie"), "not_both")


# ---- Sanctions -----------------------------------------------------------------------------------


def test_a_warning_costs_nothing_and_stands_by_the_pair() -> None:
    tournament = after(four(), sanction(4, Degree.WARNING, player="Ana 4"))
    (penalty,) = shown(tournament)["penalties"]
    assert (penalty["pair"], penalty["kind"], penalty["article"], penalty["player"]) == (
        4, "warning", "Interpeñas 9.1", "Ana 4",
    )  # fmt: skip
    assert given(tournament, "K1.1") == (0, 0)
    refused(four(), sanction(4, Degree.WARNING, player="Otro"), "no_player")
    refused(four(), sanction(9, Degree.WARNING), "no_pair")
    refused(four(), sanction(4, Degree.WARNING, "K1.2"), "not_its_match")


def test_a_juego_and_then_the_match_are_lost_by_sanction() -> None:
    refused(four(), sanction(4, Degree.JUEGO), "sanction_match")
    tournament = after(four(), sanction(4, Degree.JUEGO, "K1.1"))
    assert given(tournament, "K1.1") == (1, 0)
    tournament = after(tournament, sanction(4, Degree.MATCH, "K1.1"))
    result = tournament.results["K1.1"]
    assert (result.winner, result.how) == (1, "sanction")
    assert result.reason == "Interpeñas 9.1: Pensar con seña"
    # The match stays lost if the first of the two is taken back, and opens with the second.
    tournament = after(tournament, PenaltyLifted(1, "Juez", "No era seña"))
    assert tournament.results["K1.1"].winner == 1
    tournament = after(tournament, PenaltyLifted(2, "Juez", "No era seña"))
    assert "K1.1" not in tournament.results


def test_juegos_of_sanctions_and_lateness_add_up() -> None:
    tournament = after(four(), PairLate("K1.1", 4, 25, "Juez"), sanction(4, Degree.JUEGO, "K1.1"))
    assert tournament.results["K1.1"].juegos == (3, 0)


def test_an_expelled_pair_is_out_and_comes_back_if_that_is_taken_back() -> None:
    tournament = after(four(), sanction(4, Degree.EXPULSION))
    assert players(tournament, "K2.1")[0] == 1
    refused(tournament, sanction(4, Degree.EXPULSION), "withdrawn_already")
    back = after(tournament, PenaltyLifted(1, "Juez", "Recurso"))
    assert {match.id for match in ready(back)} == {"K1.1", "K1.2"}
    # Once the next match was played by it, that has to be voided first.
    later = entered(entered(tournament, "K1.2", 2), "K2.1", 1)
    refused(later, PenaltyLifted(1, "Juez", "Recurso"), "lift_first")
    later = after(
        later, MatchVoided("K2.1", "Juez", "Recurso"), PenaltyLifted(1, "Juez", "Recurso")
    )
    assert {match.id for match in ready(later)} == {"K1.1"}


def test_a_round_that_was_drawn_without_an_expelled_pair_is_drawn_anew_with_it() -> None:
    tournament = lives(6)
    for match in ready(tournament):
        tournament = entered(tournament, match.id, both(tournament, match.id)[0])
    tournament = after(tournament, sanction(1, Degree.EXPULSION))
    tournament = after(tournament, *pair_rounds(tournament, best_matching))
    assert all(1 not in players(tournament, match.id) for match in ready(tournament))
    played = entered(
        tournament, ready(tournament)[0].id, both(tournament, ready(tournament)[0].id)[0]
    )
    refused(played, PenaltyLifted(1, "Juez", "Recurso"), "lift_first")
    tournament = after(tournament, PenaltyLifted(1, "Juez", "Recurso"))
    assert not ready(tournament)  # the round is dropped
    tournament = after(tournament, *pair_rounds(tournament, best_matching))
    assert any(1 in players(tournament, match.id) for match in ready(tournament))


def test_a_sanction_is_not_taken_back_under_a_result_that_has_it() -> None:
    tournament = entered(after(four(), sanction(4, Degree.JUEGO, "K1.1")), "K1.1", 1)
    refused(tournament, PenaltyLifted(1, "Juez", "No era seña"), "lift_result")
    tournament = after(
        tournament, MatchVoided("K1.1", "Juez", "Mal"), PenaltyLifted(1, "Juez", "No era seña")
    )
    assert given(tournament, "K1.1") == (0, 0)


def test_a_repeated_draw_forgets_what_was_lost_in_its_matches() -> None:
    tournament = after(
        four(), PairLate("K1.1", 4, 12, "Juez"), sanction(4, Degree.WARNING),
        DrawAnnulled("Juez", "Falta una pareja"),
    )  # fmt: skip
    assert [penalty.lifted for penalty in tournament.penalties] == ["Falta una pareja", ""]
    assert tournament.times == BARCELONA


# ---- The clock, the calls, and acts from before --------------------------------------------------


def test_the_clock_and_the_calls_are_what_was_said_last() -> None:
    tournament = after(four(), RoundClockSet(1_796_000_000, "Juez"), CallingSet(True, 32, "Juez"))
    whole = shown(tournament)
    assert (whole["ends"], whole["calling"], whole["numbered"]) == (1_796_000_000, True, 32)
    tournament = after(tournament, RoundClockSet(0, "Juez"), CallingSet(False, 32, "Juez"))
    assert (tournament.ends, tournament.calling, tournament.numbered) == (0, False, 32)


def test_a_tournament_from_before_there_were_times_has_none() -> None:
    whole = shown(drawn(4, Format.KNOCKOUT))
    assert (whole["times"], whole["ends"], whole["calling"], whole["penalties"]) == (
        None, 0, False, [],
    )  # fmt: skip
    assert all(match["given"] == [0, 0] for match in whole["matches"])


def test_a_walkover_leaves_what_was_lost_before_it() -> None:
    tournament = after(
        four(), PairLate("K1.1", 4, 12, "Juez"), Walkover("K1.1", 4, "Juez", "Se fueron")
    )
    assert tournament.results["K1.1"].juegos == (0, 3)
