"""Results: entered, countersigned, corrected, voided, walkovers, and refused acts."""

import copy

import pytest

from assistant.hall.tournament import (
    Act,
    CallSettled,
    Drawn,
    Format,
    MatchVoided,
    Opened,
    PairEnrolled,
    PairWithdrawn,
    Podium,
    RefereeCalled,
    ResultCorrected,
    ResultCountersigned,
    ResultEntered,
    RoundPaired,
    TableAssigned,
    Tournament,
    TournamentError,
    Walkover,
    apply,
    awaiting,
    check,
    draw,
    finished,
    fold,
    outcome,
    players,
    podium,
    ready,
    shown,
    standings,
    to_void_first,
)
from tests.hall.tournament.playing import both, drawn, enrolled, entered, played, stronger
from tests.tables import each_row


def after(tournament: Tournament, *acts: Act) -> Tournament:
    for act in acts:
        tournament = apply(tournament, act)
    return tournament


def refused(tournament: Tournament | None, act: Act, sentence: str) -> None:
    """Check that the act is refused with this sentence and that nothing changes."""
    before = copy.deepcopy(tournament)
    with pytest.raises(TournamentError, match=sentence) as found:
        check(tournament, act)
    with pytest.raises(TournamentError, match=sentence):
        apply(tournament, act)
    assert tournament == before
    said = str(found.value)
    assert said.endswith(".")
    assert ": " in said  # a sentence says what is wrong, and what to do


def four() -> Tournament:
    """Four pairs: K1.1 is 1 against 4, K1.2 is 3 against 2."""
    return drawn(4, Format.KNOCKOUT)


def test_a_result_counts_only_once_another_person_has_countersigned_it() -> None:
    tournament = after(four(), ResultEntered("K1.1", (3, 1), (0, 0), "Ana"))
    assert players(tournament, "K2.1") == (None, None)
    assert [match.id for match in awaiting(tournament)] == ["K1.1"]
    assert [match.id for match in ready(tournament)] == ["K1.2"]
    refused(tournament, ResultCountersigned("K1.1", " ANA "), "let somebody else countersign")
    tournament = after(tournament, ResultCountersigned("K1.1", "Luis"))
    assert players(tournament, "K2.1") == (1, None)
    assert not awaiting(tournament)
    refused(tournament, ResultCountersigned("K1.1", "Eva"), "counts already")


def test_a_call_stands_until_the_referee_has_seen_to_it_or_the_match_has_other_pairs() -> None:
    tournament = after(four(), RefereeCalled("K1.1", "Pareja 1", "No están de acuerdo"))
    called = {"match": "K1.1", "by": "Pareja 1", "reason": "No están de acuerdo"}
    assert shown(tournament)["calls"] == [called]
    refused(tournament, RefereeCalled("K1.1", "Pareja 4", "Otra vez"), "is called to match K1.1")
    refused(tournament, RefereeCalled("K2.1", "Pareja 1", "Aún no"), "K2.1")  # nobody plays it yet
    settled = after(tournament, CallSettled("K1.1", "Juez"))
    assert shown(settled)["calls"] == []
    refused(settled, CallSettled("K1.1", "Juez"), "Nobody calls the referee to match K1.1")
    # The call changes no result, and a result ends no call: the referee does.
    won = after(tournament, ResultEntered("K1.1", (3, 1), (0, 0), "mesa-1", "g"))
    final = after(won, ResultEntered("K1.2", (3, 1), (0, 0), "mesa-2", "g"))
    final = after(final, RefereeCalled("K2.1", "Pareja 1", "Falta una carta"))
    assert [call["match"] for call in shown(final)["calls"]] == ["K1.1", "K2.1"]
    other = after(final, MatchVoided("K1.2", "Juez", "Se repite"))
    assert [call["match"] for call in shown(other)["calls"]] == ["K1.1"]


@each_row("typed", ["paco arbitro ", "PACO  ÁRBITRO", "Paco A\u0301rbitro"])
def test_nobody_countersigns_his_own_entry_by_typing_his_name_differently(typed: str) -> None:
    tournament = after(four(), ResultEntered("K1.1", (3, 1), (0, 0), "Paco Árbitro"))
    refused(tournament, ResultCountersigned("K1.1", typed), "let somebody else countersign")
    assert after(tournament, ResultCountersigned("K1.1", "Paca Árbitro")).results["K1.1"].counts


def test_a_result_from_a_tables_own_journal_counts_at_once() -> None:
    tournament = after(four(), ResultEntered("K1.1", (2, 3), (80, 99), "Mesa 4", "mesa-4/7"))
    assert players(tournament, "K2.1") == (4, None)
    assert tournament.results["K1.1"].game == "mesa-4/7"


def test_a_pending_result_may_be_entered_again_and_then_needs_a_new_signature() -> None:
    tournament = after(
        four(),
        ResultEntered("K1.1", (3, 1), (0, 0), "Ana"),
        ResultEntered("K1.1", (1, 3), (0, 0), "Luis"),
    )
    refused(tournament, ResultCountersigned("K1.1", "Luis"), "let somebody else")
    tournament = after(tournament, ResultCountersigned("K1.1", "Ana"))
    assert players(tournament, "K2.1") == (4, None)


def test_a_correction_moves_the_other_pair_into_a_match_that_was_not_played() -> None:
    tournament = entered(entered(four(), "K1.1", 1), "K1.2", 2)
    tournament = after(tournament, TableAssigned("K2.1", "mesa-1"))
    better = ResultCorrected("K1.1", (2, 3), (0, 0), "Juez", "Escrito al revés")
    tournament = after(tournament, better)
    assert both(tournament, "K2.1") == (4, 2)
    assert "K2.1" not in tournament.tables
    result = tournament.results["K1.1"]
    assert (result.by, result.reason, result.winner) == ("Juez", "Escrito al revés", 4)


def test_a_correction_that_changes_no_winner_is_allowed_and_keeps_the_tables() -> None:
    tournament = entered(entered(four(), "K1.1", 1), "K1.2", 2)
    tournament = after(tournament, TableAssigned("K2.1", "mesa-1"))
    tournament = after(
        tournament, ResultCorrected("K1.1", (3, 2), (90, 70), "Juez", "Faltaba un juego")
    )
    assert tournament.tables["K2.1"] == "mesa-1"
    tournament = entered(tournament, "K2.1", 2)
    again = ResultCorrected("K1.1", (3, 1), (90, 70), "Juez", "Sobraba un juego")
    assert podium(after(tournament, again)) == Podium((2,), (1,), (4, 3))


def test_a_correction_below_a_played_match_needs_that_match_voided_first() -> None:
    tournament = played(drawn(8, Format.KNOCKOUT), stronger)
    other = ResultCorrected("K1.1", (0, 3), (0, 0), "Juez", "Al revés")
    assert both(tournament, "K1.1") == (1, 8)
    refused(tournament, other, r"other pairs: void K3\.1, K2\.1 first")
    assert to_void_first(tournament, other) == ("K3.1", "K2.1")
    refused(tournament, MatchVoided("K2.1", "Juez", "Otros"), r"void K3\.1 first")
    for match in ("K3.1", "K2.1"):
        tournament = after(tournament, MatchVoided(match, "Juez", "Otros jugadores"))
    tournament = after(tournament, other)
    assert players(tournament, "K2.1")[0] == 8
    assert not finished(tournament)


def test_a_match_waiting_for_its_countersignature_counts_as_played() -> None:
    tournament = entered(entered(four(), "K1.1", 1), "K1.2", 2)
    tournament = after(tournament, ResultEntered("K2.1", (3, 0), (0, 0), "Ana"))
    correction = ResultCorrected("K1.1", (0, 3), (0, 0), "Juez", "Al revés")
    refused(tournament, correction, r"void K2\.1 first")


def test_in_a_group_a_correction_is_refused_only_where_it_changes_who_qualifies() -> None:
    tournament = played(drawn(6, Format.GROUPS, groups=2, advance=1), stronger)
    assert tournament.groups[0] == (1, 4, 5)
    low = next(m for m in tournament.matches if set(players(tournament, m)) == {4, 5})
    turned = (0, 3) if players(tournament, low)[0] == 4 else (3, 0)
    tournament = after(tournament, ResultCorrected(low, turned, (0, 0), "Juez", "Al revés"))
    assert [row.pair for row in standings(tournament, 1)] == [1, 5, 4]
    top = next(m for m in tournament.matches if set(players(tournament, m)) == {1, 5})
    turned = (0, 3) if players(tournament, top)[0] == 1 else (3, 0)
    correction = ResultCorrected(top, turned, (0, 0), "Juez", "Al revés")
    refused(tournament, correction, r"void K1\.1 first")


def test_the_first_final_cannot_be_reversed_after_the_second_was_played() -> None:
    tournament = drawn(2, Format.DOUBLE)
    for match, winner in (("W1.1", 1), ("F1.1", 2), ("F2.1", 2)):
        tournament = entered(tournament, match, winner)
    a, _ = both(tournament, "F1.1")
    score = (3, 0) if a == 1 else (0, 3)
    refused(
        tournament,
        ResultCorrected("F1.1", score, (0, 0), "Juez", "Al revés"),
        r"void F2\.1 first",
    )


def test_a_swiss_result_may_be_corrected_in_later_rounds_because_pairings_stand() -> None:
    tournament = drawn(4, Format.SWISS, rounds=2)
    tournament = after(tournament, RoundPaired(1, ((1, 3), (2, 4))))
    tournament = entered(entered(tournament, "S1.1", 1), "S1.2", 2)
    tournament = after(tournament, RoundPaired(2, ((1, 2), (3, 4))))
    tournament = entered(tournament, "S2.1", 1)
    tournament = after(tournament, ResultCorrected("S1.1", (1, 3), (0, 0), "Juez", "Al revés"))
    assert both(tournament, "S2.1") == (1, 2)
    assert {row.pair: row.won for row in standings(tournament)}[3] == 1


def test_a_voided_match_is_to_be_played_again() -> None:
    tournament = after(entered(four(), "K1.1", 4), MatchVoided("K1.1", "Juez", "Faltaban cartas"))
    assert [match.id for match in ready(tournament)] == ["K1.1", "K1.2"]
    assert outcome(tournament, "K1.1") is None


def test_a_walkover_counts_at_once_and_can_be_corrected_if_they_play_after_all() -> None:
    tournament = after(four(), Walkover("K1.1", 4, "Juez", "No vinieron"))
    assert players(tournament, "K2.1") == (4, None)
    assert tournament.results["K1.1"].walkover
    tournament = after(tournament, ResultCorrected("K1.1", (3, 2), (0, 0), "Juez", "Sí vinieron"))
    assert players(tournament, "K2.1") == (1, None)
    assert not tournament.results["K1.1"].walkover


def test_before_the_draw_a_pair_that_withdraws_is_removed_and_its_number_stays_used() -> None:
    tournament = fold([*enrolled(4, Format.KNOCKOUT), PairWithdrawn(2, "Enfermo", "Juez")])
    assert list(tournament.pairs) == [1, 3, 4]
    pair = PairEnrolled(2, "Nueva", ("Ana", "Luis"))
    refused(tournament, pair, "The number 2 is taken")
    refused(tournament, PairWithdrawn(2, "Enfermo", "Juez"), "There is no pair 2")


def test_after_the_draw_a_pair_that_withdraws_loses_its_open_matches() -> None:
    tournament = entered(four(), "K1.1", 1)
    tournament = after(tournament, PairWithdrawn(1, "Enfermo", "Juez"))
    tournament = entered(tournament, "K1.2", 3)
    assert podium(tournament) == Podium((3,), (1,), (4, 2))
    refused(tournament, ResultEntered("K2.1", (3, 0), (0, 0), "Ana"), "Pair 1 has withdrawn")


def test_where_both_pairs_have_withdrawn_nobody_goes_on() -> None:
    tournament = entered(four(), "K1.2", 2)
    for pair in (1, 4):
        tournament = after(tournament, PairWithdrawn(pair, "Enfermos", "Juez"))
    assert podium(tournament) == Podium((2,), (), (3,))


def test_a_pair_cannot_withdraw_while_its_result_waits_for_a_countersignature() -> None:
    tournament = after(four(), ResultEntered("K1.1", (3, 1), (0, 0), "Ana"))
    refused(tournament, PairWithdrawn(4, "Se van", "Juez"), r"Match K1\.1 of pair 4 waits")
    assert after(tournament, PairWithdrawn(2, "Se van", "Juez")).withdrawn == {2}


NEW = PairEnrolled(9, "Nueva", ("Ana", "Luis"))
JUDGE = ("Juez", "Porque sí")


@each_row(
    "act, sentence",
    [
        (Opened("Otro", Format.ROBIN), "open already"),
        (NEW, "The draw has been made"),
        (Drawn(1, (1, 2, 3, 4)), "The draw has been made"),
        (RoundPaired(1, ((1, 2), (3, 4))), "Only a Swiss tournament"),
        (PairWithdrawn(9, "Se van", "Juez"), "There is no pair 9"),
        (TableAssigned("K9.9", "mesa-1"), r"There is no match 'K9\.9'"),
        (TableAssigned("K2.1", "mesa-1"), r"Nobody knows yet who plays match K2\.1"),
        (TableAssigned("K1.1", "mesa-1"), r"Match K1\.1 has a result that counts"),
        (ResultEntered("K1.1", (3, 1), (0, 0), "Eva"), r"Match K1\.1 has a result that counts"),
        (ResultEntered("K1.1", (3, 1), (0, 0), "Mesa", "g"), "has a result that counts"),
        (ResultEntered("K1.2", (2, 1), (0, 0), "Eva"), "3 juegos win a match, not 2"),
        (ResultEntered("K1.2", (4, 1), (0, 0), "Eva"), "3 juegos win a match, not 4"),
        (ResultEntered("K2.1", (3, 1), (0, 0), "Eva"), "enter the matches before it first"),
        (ResultEntered("B1.1", (3, 1), (0, 0), "Eva"), "There is no match"),
        (ResultCountersigned("K1.2", "Eva"), r"Match K1\.2 has no result: enter it"),
        (ResultCorrected("K1.2", (3, 0), (0, 0), *JUDGE), "has no result that counts"),
        (ResultCorrected("K1.1", (3, 0), (0, 0), *JUDGE), "there is nothing to correct"),
        (ResultCorrected("K1.1", (0, 2), (0, 0), *JUDGE), "3 juegos win a match, not 2"),
        (Walkover("K1.1", 1, *JUDGE), "has a result that counts"),
        (Walkover("K1.2", 1, *JUDGE), r"Pair 1 does not play match K1\.2: give it to pair 3 or 2"),
        (MatchVoided("K1.2", *JUDGE), "there is nothing to void"),
        (MatchVoided("", *JUDGE), "There is no match ''"),
    ],
)
def test_an_act_out_of_order_is_refused_and_changes_nothing(act: Act, sentence: str) -> None:
    refused(entered(four(), "K1.1", 1), act, sentence)


def test_no_act_comes_before_the_opening() -> None:
    refused(None, NEW, "open it first")
    with pytest.raises(TournamentError, match="open a tournament first"):
        fold([])


def test_a_bye_cannot_be_played() -> None:
    tournament = drawn(3, Format.KNOCKOUT)
    refused(tournament, ResultEntered("K1.1", (3, 0), (0, 0), "Ana"), r"Match K1\.1 has a bye")


@each_row(
    "pair, sentence",
    [
        (PairEnrolled(2, "Nueva", ("Ana", "Luis")), "The number 2 is taken"),
        (PairEnrolled(9, "Pareja 1", ("Ana", "Luis")), "Pair 1 has the name 'Pareja 1'"),
        (PairEnrolled(9, "Nueva", ("Ana", "Luis"), "", 2), "Pair 2 has the seed place 2"),
    ],
)
def test_numbers_names_and_seed_places_are_unique(pair: PairEnrolled, sentence: str) -> None:
    refused(fold(enrolled(3, Format.KNOCKOUT, 2)), pair, sentence)


def test_the_largest_tournament_has_2600_pairs() -> None:
    tournament = fold(enrolled(2_600, Format.KNOCKOUT))
    refused(tournament, PairEnrolled(9_999, "Nueva", ("Ana", "Luis")), "2600 pairs are in")
    tournament = apply(tournament, Drawn(3, draw(tournament.pairs.values(), 3)))
    assert len(tournament.matches) == 4_095
    # 1,496 have a bye. The other 1,104 meet, and pairs with a bye meet each other in round two.
    first = [match for match in ready(tournament) if match.round == 1]
    assert len(first) == 552
    assert len(ready(tournament)) == 552 + 1_024 - 552
