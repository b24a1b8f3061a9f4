"""Corrected pairs: a misspelt name or another player, in the same place."""

from dataclasses import replace

import pytest

from assistant.hall.tournament import (
    Drawn,
    Format,
    PairCorrected,
    PairWithdrawn,
    ResultCountersigned,
    ResultEntered,
    TournamentError,
    apply,
    draw,
    fold,
    players,
)
from tests.hall.tournament.playing import drawn, enrolled, entered
from tests.tables import each_row

TO = PairCorrected(2, "Los de la plaza", ("Ane", "Iñaki"), "Peña Alta", "Juez", "Ane sustituye")


def test_a_corrected_pair_keeps_its_number_seed_matches_and_results() -> None:
    before = entered(drawn(4, Format.KNOCKOUT), "K1.1", 1)
    after = apply(before, TO)
    assert after.pairs[2] == replace(
        before.pairs[2], name=TO.name, players=TO.players, club=TO.club
    )
    assert replace(after, pairs=before.pairs) == before
    assert {2, 3} == {*players(after, "K1.2")}


def test_a_pair_may_be_corrected_before_the_draw_without_changing_it() -> None:
    tournament = apply(fold(enrolled(5, Format.ROBIN)), TO)
    assert draw(tournament.pairs.values(), 3) == draw(
        fold(enrolled(5, Format.ROBIN)).pairs.values(), 3
    )


def test_a_club_corrected_after_the_draw_leaves_the_draw_unchanged() -> None:
    acts = enrolled(4, Format.KNOCKOUT, clubs_apart=True)
    order = draw(fold(acts).pairs.values(), 9)
    acts += [Drawn(9, order)]
    for pair in order[::3]:  # the first and the last, who meet
        names = (f"Ana {pair}", f"Luis {pair}")
        acts.append(PairCorrected(pair, f"Pareja {pair}", names, "Peña Alta", "Juez", "Faltaba"))
    assert fold(acts).order == order


@each_row(
    "act, sentence",
    [
        (replace(TO, pair=9), "There is no pair 9"),
        (replace(TO, name="Pareja 3"), "Pair 3 has the name 'Pareja 3'"),
        (
            replace(TO, name="Pareja 2", players=("Ana 2", "Luis 2"), club=""),
            "Pair 2 is called so already: there is nothing to correct",
        ),
    ],
)
def test_an_impossible_correction_is_refused(act: PairCorrected, sentence: str) -> None:
    with pytest.raises(TournamentError, match=sentence):
        apply(drawn(4, Format.KNOCKOUT), act)


def test_a_correction_may_change_the_players_alone() -> None:
    act = replace(TO, name="Pareja 2", club="")
    assert apply(drawn(4, Format.KNOCKOUT), act).pairs[2].players == ("Ane", "Iñaki")


def test_a_renamed_pair_cannot_sign_what_it_entered_under_its_old_name() -> None:
    tournament = drawn(4, Format.KNOCKOUT)
    tournament = apply(tournament, ResultEntered("K1.2", (3, 1), (0, 0), "Pareja 2"))
    with pytest.raises(TournamentError, match=r"K1\.2 of pair 2 waits to be countersigned"):
        apply(tournament, TO)
    signed = apply(tournament, ResultCountersigned("K1.2", "Pareja 3"))
    assert apply(signed, TO).results["K1.2"].by == "Pareja 2"


def test_a_pair_that_withdrew_after_the_draw_can_still_be_corrected() -> None:
    tournament = apply(drawn(4, Format.KNOCKOUT), PairWithdrawn(2, "Enferma", "Juez"))
    after = apply(tournament, TO)
    assert after.withdrawn == {2}
    gone = apply(fold(enrolled(4, Format.KNOCKOUT)), PairWithdrawn(2, "Enferma", "Juez"))
    with pytest.raises(TournamentError, match="There is no pair 2"):
        apply(gone, TO)
