"""Lists of pairs as CSV, as people keep them."""

from __future__ import annotations

import pytest

from assistant.hall.tournament import (
    Format,
    Opened,
    PairEnrolled,
    PairWithdrawn,
    Tournament,
    TournamentError,
    fold,
)
from assistant.hall.tournament.lists import pairs_from_csv
from tests.tables import each_row

EMPTY = fold([Opened("Torneo", Format.KNOCKOUT)])


def test_a_list_with_all_columns_is_read() -> None:
    text = (
        "Pareja,Jugador 1,Jugador 2,Peña,Cabeza de serie\n"
        "Los de la plaza,Ana,Luis,Alta,1\n"
        'Tres reyes,Eva,"Jon, el de Ana",,\n'
    )
    assert pairs_from_csv(text, EMPTY, "Juez") == (
        PairEnrolled(1, "Los de la plaza", ("Ana", "Luis"), "Alta", 1, "Juez"),
        PairEnrolled(2, "Tres reyes", ("Eva", "Jon, el de Ana"), "", None, "Juez"),
    )


@each_row("mark", [",", ";", "\t"])
@each_row("ends", ["\n", "\r\n"])
def test_a_list_is_read_as_spreadsheets_write_it(mark: str, ends: str) -> None:
    lines = [mark.join(("JUGADOR 2", "otra cosa", " jugador  1 ")), mark.join(("b", "x", " a "))]
    assert pairs_from_csv("\ufeff" + ends.join(lines) + ends + mark * 2 + ends, EMPTY) == (
        PairEnrolled(1, "a y b", ("a", "b")),
    )


def test_numbers_continue_after_the_used_ones_and_none_is_used_twice() -> None:
    tournament = fold(
        [
            Opened("Torneo", Format.KNOCKOUT),
            PairEnrolled(4, "x", ("a", "b")),
            PairEnrolled(7, "y", ("c", "d")),
            PairWithdrawn(7, "Enfermo", "Juez"),
        ]
    )
    (pair,) = pairs_from_csv("jugador1,jugador2\ne,f", tournament)
    assert pair.pair == 8


@each_row(
    "text, sentence",
    [
        ("", "empty"),
        ("Ana,Luis\nEva,Jon", "name the columns"),
        ("jugador 1\nAna", "players' are needed"),
        ("jugador 1,jugador 2\nAna,Luis\nEva,", "Line 3: A player's name is missing"),
        ("jugador 1,jugador 2,cabeza\nAna,Luis,uno", "Line 2: 'uno' is no place"),
        ("jugador 1,jugador 2\n" + "a" * 200 + ",b", "Line 2: .* longer"),
        ("jugador 1,jugador 2\na\x00,b", "Line 2"),
        ('jugador 1,jugador 2\n"' + "a" * 200_000, "cannot be read"),
        ("jugador 1,jugador 2\n" + "a,b\n" * 3000, "no more than"),
        ("x" * 1_000_001, "too long"),
    ],
)
def test_a_wrong_list_is_refused_with_the_line(text: str, sentence: str) -> None:
    with pytest.raises(TournamentError, match=sentence):
        pairs_from_csv(text, EMPTY)


def test_reading_a_list_does_not_change_the_tournament() -> None:
    pairs_from_csv("jugador 1,jugador 2\na,b", EMPTY)
    assert isinstance(EMPTY, Tournament)
    assert not EMPTY.pairs


def test_all_wrong_lines_are_told_at_once() -> None:
    text = "jugador 1,jugador 2,cabeza\nAna,Luis,uno\nEva,Jon,2\nIker,,3\n"
    with pytest.raises(TournamentError) as wrong:
        pairs_from_csv(text, EMPTY)
    assert str(wrong.value) == (
        "Wrong lines: 2. Line 2: 'uno' is no place among the seeded pairs: write 1, 2, 3... "
        "Line 4: A player's name is missing: write it down."
    )
    assert [fault["line"] for fault in wrong.value.facts["faults"]] == [2, 4]  # type: ignore[attr-defined]
