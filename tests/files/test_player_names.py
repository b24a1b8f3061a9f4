"""Names for players: which ones the table would take for a call, and which it must not refuse."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from assistant.cli.main import main
from assistant.files.player_names import check_name, chosen_seats
from assistant.files.settings import read_settings
from assistant.language.script import DEFAULT_SEATS, NameFault, SeatNameError, read_seats
from assistant.rules.errors import ProfileError
from assistant.school.practice.game import load_company
from tests.tables import each_row

GIVEN = Path(__file__).parents[2] / "scripts" / "lab" / "speechlab" / "names.toml"
CALLS_TOO = {"pedrete", "vale"}
"""Short names that are calls, too."""


@each_row(
    "name",
    ["paso", "Mus", "ENVIDO", "quiero", "órdago", "Ordago", "sí", "dos", "yo", "mano", "no-quiero",
     "bai", "ez", "hordago", "enbido"],
)  # fmt: skip
def test_a_name_that_is_a_call_is_refused_by_its_word(name: str) -> None:
    with pytest.raises(SeatNameError, match=name) as refused:
        chosen_seats(f"Ana {name} Eva Juan")
    assert (refused.value.fault, refused.value.name) == (NameFault.CALL, name)


def test_no_other_name_that_the_ear_knows_is_refused() -> None:
    names = {
        name
        for part in tomllib.loads(GIVEN.read_text("utf-8")).values()
        for text in part.values()
        for name in text.split()
    }
    assert len(names) > 2000
    refused = set()
    for name in names - CALLS_TOO:
        try:
            check_name(name)
        except SeatNameError:
            refused.add(name)
    assert refused == set()


def test_the_default_names_and_those_of_the_company_may_be_chosen() -> None:
    assert chosen_seats("4") == DEFAULT_SEATS
    for one in load_company():
        check_name(one.name)


def test_two_equal_names_are_told_by_the_name() -> None:
    with pytest.raises(SeatNameError, match="'ana'") as refused:
        read_seats("Ana Luis Eva ana")
    assert (refused.value.fault, refused.value.name) == (NameFault.TWICE, "ana")


def test_a_wrong_number_of_names_is_told_without_a_name() -> None:
    with pytest.raises(ProfileError) as refused:
        read_seats("Ana")
    assert not isinstance(refused.value, SeatNameError)


def test_a_player_who_sits_there_already_keeps_a_name_that_is_a_call() -> None:
    assert chosen_seats("Ana paso Eva Juan", ("paso", "Luis")) == ("Ana", "paso", "Eva", "Juan")


@each_row(
    "language, args, said",
    [
        ("es", ("play", "--seats", "Ana paso Eva Juan"), "'paso' es una palabra del juego"),
        ("es", ("play", "--seats", "Ana Luis Ana Juan"), "que se llaman 'Ana'"),
        ("es", ("practice", "--name", "envido"), "'envido' es una palabra del juego"),
        ("es", ("settings", "seats", "Ana bai Eva Juan"), "'bai' es una palabra del juego"),
        ("eu", ("play", "--seats", "Ana bai Eva Juan"), "'bai' jokoko hitza da"),
        ("en", ("play", "--seats", "Ana bai Eva Juan"), "'bai' is a word of the"),
    ],
)
def test_the_command_line_refuses_such_a_name_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    language: str,
    args: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", language)
    assert main(list(args)) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert read_settings() == {}
