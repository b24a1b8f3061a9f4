"""``mus odds``: a table for people, JSON for programs, one sentence for impossible input."""

from __future__ import annotations

import json

import pytest

from assistant.cli.main import main
from assistant.odds import Known, chances
from assistant.rules.cards import Rank
from assistant.rules.profile import Profile
from tests.tables import each_row

ASKED = ("R R C 1", "--mano", "2", "--partner", "7 7 4 4", "--declared", "2:pares 4:no-juego")


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(["odds", *args])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return status, captured.out, captured.err


@pytest.mark.usefixtures("in_spanish")
def test_the_table_shows_what_is_known_each_lance_and_each_call(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(capsys, *ASKED)
    assert status == 0
    assert "Tus cartas: R R C 1 (asiento 1); es mano el 2." in out
    assert "Tu compañero: 7 7 4 4 (asiento 3)." in out
    assert "Se ha dicho: 2 tiene pares, 4 no tiene juego." in out
    for name in ("grande", "chica", "pares", "juego", "punto", "envido 5 querido", "Supuestos"):
        assert name in out
    assert "." not in out.split("grande")[1].split("chica")[0]  # numbers have a decimal comma


def test_json_has_the_chances_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, *ASKED, "--json")
    told = json.loads(out)
    assert status == 0
    known = Known(
        tuple(map(Rank, "RRC1")),
        mano=2,
        partner=tuple(map(Rank, "7744")),
        pares=(None, True, None, None),
        juego=(None, None, None, False),
    )
    for lance, chance in chances(known, Profile()).items():
        assert told["chances"][lance]["side"] == chance.side
    assert told["known"]["mano"] == 2
    assert told["assumptions"]["accepted"] == 0.5
    assert told["expected"]["grande"][0]["said"] == "paso"


@pytest.mark.usefixtures("in_spanish")
def test_what_is_best_to_say_comes_from_the_juego_and_not_from_a_praise_of_ordagos(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "7 6 5 4", "--score", "30", "10")
    assert "Qué es lo mejor, a 30 contra 10, si pasan los que hablan antes:" in out
    grande = next(line for line in out.splitlines() if line.startswith("grande: "))
    assert "% de ganar el juego" in grande
    assert "órdago" not in grande
    _, told, _ = run(capsys, "7 6 5 4", "--json")
    assert set(json.loads(told)["advice"]) == {"grande", "chica"}
    said = ("--declared", "2:pares 3:no-pares 4:no-pares 2:no-juego 3:no-juego 4:no-juego")
    _, told, _ = run(capsys, "R R 5 4", "--mano", "2", *said, "--json")
    assert set(json.loads(told)["advice"]) == {"grande", "chica", "pares", "punto"}


@pytest.mark.usefixtures("in_spanish")
def test_rules_that_nobody_learnt_are_advised_by_the_cards_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "R R C 1", "--kings", "4")
    grande = next(line for line in out.splitlines() if line.startswith("grande: "))
    assert grande.startswith("grande: Por las cartas solas, mejor envidar 2:")


def test_bets_and_their_acceptance_rate_can_be_chosen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "RRC1", "--bets", "9", "--accepted", "1", "--json")
    grande = {(c["said"], c["bet"]): c["stones"] for c in json.loads(out)["expected"]["grande"]}
    assert grande["envido", 9] == grande["envido querido", 9]


def test_r01_four_kings_are_chosen_by_option_or_by_profile(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, option, _ = run(capsys, "3", "3", "2", "1", "--kings", "4", "--json")
    _, profile, _ = run(capsys, "3321", "--profile", "vasco", "--json")
    _, eight, _ = run(capsys, "3321", "--json")
    assert json.loads(option)["chances"] == json.loads(profile)["chances"]
    assert json.loads(option)["chances"] != json.loads(eight)["chances"]


@each_row(
    "args, says",
    [
        ((), "arguments are required: HAND"),
        (("R R C",), "4 cards"),
        (("RRCX",), "X"),
        (("RRC1", "--partner", "CCCC"), "One deck cannot deal"),
        (("RRC1", "--seat", "5"), "seats are 1 to 4"),
        (("RRC1", "--declared", "2:nada"), "2:pares"),
        (("RRC1", "--declared", "7:pares"), "2:pares"),
        (("RRC1", "--declared", "2:pares 2:no-pares"), "leave one out"),
        (("RRC1", "--declared", "1:no-juego"), "did not declare"),
        (("RRC1", "--accepted", "nan"), "0 to 1"),
        (("RRC1", "--score", "40", "0"), "0 to 39"),
        (("RRC1", "--bets", "0"), "1 to 200"),
        (("RRC1", "--profile", "nowhere"), "There is no profile"),
    ],
)
def test_impossible_input_gives_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], says: str
) -> None:
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert says in err
