"""Lists of pairs with any columns, recognised by their titles and contents, in every encoding."""

from __future__ import annotations

import csv
import io

import pytest

from assistant.hall.tournament import (
    Format,
    FormatSheet,
    Opened,
    PairEnrolled,
    PlayerEnrolled,
    Stage,
    StageKind,
    TournamentError,
    fold,
)
from assistant.hall.tournament.lists import (
    FIELDS,
    checked_lines,
    columns_named,
    decoded,
    field_of,
    guess_columns,
    lines_from_csv,
    pairs_from_csv,
    sheet_of,
    telephone_keys,
    telephone_of,
)
from tests.tables import each_row

EMPTY = fold([Opened("Torneo", Format.KNOCKOUT)])
ALONE = FormatSheet("solos", (("es", "Solos"),), (Stage(StageKind.INDIVIDUAL, rounds=3),))
PEOPLE = fold([Opened("Solos", Format.SHEET, sheet=ALONE)])
ANA = ("Ana Ruiz", "Luis Gómez")


@each_row(
    "head, row",
    [
        ("Jugador 1;Jugador 2;Teléfono", "Ana Ruiz;Luis Gómez;600 111 222"),
        ("1. jokalaria;2. jokalaria;Mugikorra", "Ana Ruiz;Luis Gómez;600111222"),
        ("First player;Second player;Mobile phone", "Ana Ruiz;Luis Gómez;600-111-222"),
        ("Primer jugador;Segon jugador;Telèfon", "Ana Ruiz;Luis Gómez;600.111.222"),
        ("Xogador 1;Xogador 2;Teléfono móbil", "Ana Ruiz;Luis Gómez;600111222"),
        ("Tfno. de contacto;Jugador/a A;Jugador/a B", "600111222;Ana Ruiz;Luis Gómez"),
        ("Nombre;Apellidos;Nombre;Apellidos;Tlf", "Ana;Ruiz;Luis;Gómez;600111222"),
        ("Izena 1;Abizena 1;Izena 2;Abizena 2;Tel", "Ana;Ruiz;Luis;Gómez;600111222"),
        ("Nom 1;Cognoms 1;Nom 2;Cognoms 2;mòbil", "Ana;Ruiz;Luis;Gómez;600111222"),
        ("Nombre y apellidos jugador 1;Nombre y apellidos jugador 2;Móvil",
         "Ana Ruiz;Luis Gómez;600111222"),
        ("Jugador;Compañero;Teléfono jugador", "Ana Ruiz;Luis Gómez;600111222"),
        ("Jugadores;Teléfono", "Ana Ruiz y Luis Gómez;600111222"),
        ("Jokalariak;Telefonoa", "Ana Ruiz eta Luis Gómez;600111222"),
        ("Players;Phone", "Ana Ruiz and Luis Gómez;600111222"),
        ("Pareja;Teléfono", "Ana Ruiz / Luis Gómez;600111222"),
        ("Jugador 1;Jugador 2;Teléfono", "Ruiz, Ana;Gómez, Luis;600111222"),
    ],
)  # fmt: skip
def test_columns_are_known_by_their_titles_in_each_language(head: str, row: str) -> None:
    ((line, pair),) = checked_lines(lines_from_csv(f"{head}\n{row}\n", EMPTY))
    assert isinstance(pair, PairEnrolled)
    assert pair.players == ANA
    assert pair.name in {"Ana Ruiz y Luis Gómez", row.split(";")[0]}
    assert line.telephone == "600111222"


@each_row(
    "cell, name",
    [
        ("Ruiz, Ana", "Ana Ruiz"),
        ("RUIZ PAZ, ANA MARÍA", "ANA MARÍA RUIZ PAZ"),
        ("Jon, el de Ana", "Jon, el de Ana"),
        ("Ana, Luis, Eva", "Ana, Luis, Eva"),
        ("Ruiz Paz", "Ruiz Paz"),
    ],
)
def test_a_surname_that_stands_first_is_turned(cell: str, name: str) -> None:
    ((_, pair),) = checked_lines(lines_from_csv(f"jugador 1;jugador 2\n{cell};x\n", EMPTY))
    assert pair.players[0] == name  # type: ignore[union-attr]


def test_what_else_stands_in_a_form_is_left_out() -> None:
    text = (
        "Torneo de San Blas;;;;;;;\n\n"
        "Marca temporal;Correo;Nombre jugador 1;Nombre jugador 2;Categoría;Peña;¿Pagado?;Notas\n"
        "1/2/2027 10:00;a@b.es;Ana Ruiz;Luis Gómez;Mixta;Alta;sí;llega tarde\n"
        "1/2/2027 11:00;c@d.es;Eva Gil;Jon Sáez;;;;\n"
    )
    first, second = checked_lines(lines_from_csv(text, EMPTY))
    assert first[1] == PairEnrolled(1, "Ana Ruiz y Luis Gómez", ANA, "Alta", category="Mixta")
    assert (first[0].line, first[0].paid, second[0].line, second[0].paid) == (4, True, 5, False)
    assert sheet_of(text).titles[0] == "Marca temporal"


@each_row("mark", [",", ";", "\t", "|"])
def test_what_separates_the_columns_is_found_also_among_commas_in_names(mark: str) -> None:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=mark, lineterminator="\r\n")
    writer.writerows([
        ["Jugador 1", "Jugador 2", "Peña"], ["Ruiz, Ana", 'Luis "el; Rojo"', "Alta\nde\nBilbao"],
        ["Gil, Eva", "Jon | Sáez", "Baja"]])  # fmt: skip
    sheet = sheet_of(file.getvalue())
    assert (sheet.mark, sheet.titles) == (mark, ("Jugador 1", "Jugador 2", "Peña"))
    assert [line for line, _ in sheet.rows] == [2, 5]  # the cell with lines is told by its first
    assert [pair.players for pair in pairs_from_csv(file.getvalue(), EMPTY)] == [  # type: ignore[union-attr]
        ("Ana Ruiz", 'Luis "el; Rojo"'), ("Eva Gil", "Jon | Sáez")]  # fmt: skip


def test_a_spreadsheet_may_say_what_separates_the_columns() -> None:
    (pair,) = pairs_from_csv("sep=;\r\njugador 1;jugador 2\r\nAna, la de aquí;Luis\r\n", EMPTY)
    assert isinstance(pair, PairEnrolled)
    assert pair.players == ("Ana, la de aquí", "Luis")
    with pytest.raises(TournamentError, match="Line 3"):
        pairs_from_csv("sep=;\r\njugador 1;jugador 2\r\nAna;\r\n", EMPTY)


@each_row("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_file_is_read_in_every_encoding_of_spreadsheets(encoding: str) -> None:
    text = "Peña;Jugador 1;Jugador 2\nÑandú;Begoña Núñez;Íñigo Pérez\n"
    (pair,) = pairs_from_csv(decoded(text.encode(encoding)), EMPTY)
    assert isinstance(pair, PairEnrolled)
    assert (pair.players, pair.club) == (("Begoña Núñez", "Íñigo Pérez"), "Ñandú")


@each_row(
    "text, fields",
    [
        ("Ana Ruiz;Luis Gil\nEva Mur;Jon Sáez", ["first", "second"]),
        ("Ana Ruiz;Luis Gil;600111222\nEva Mur;Jon Sáez;", ["first", "second", "telephone"]),
        ("Ana Ruiz y Luis Gil;Alta\nEva Mur y Jon Sáez;Alta", ["both", "club"]),
        ("Reyes;Ana Ruiz;Luis Gil\nDuples;Eva Mur;Jon Sáez", ["name", "first", "second"]),
        ("Ana Ruiz;Luis Gil;Alta\nEva Mur;Jon Sáez;Alta\nIker Paz;Ane Ros;Alta",
         ["first", "second", "club"]),
        ("1;Ana Ruiz;Luis Gil;sí\n2;Eva Mur;Jon Sáez;no", ["", "first", "second", "paid"]),
    ],
)  # fmt: skip
def test_columns_without_titles_are_guessed_and_nobody_is_enrolled_by_a_guess(
    text: str, fields: list[str]
) -> None:
    sheet = sheet_of(text)
    guess = guess_columns(sheet, alone=False)
    assert (list(guess.columns), guess.sure) == (fields, False)
    with pytest.raises(TournamentError) as unsure:
        lines_from_csv(text, EMPTY)
    assert unsure.value.code == "list_columns"
    lines = checked_lines(lines_from_csv(text, EMPTY, "", guess.columns))
    assert lines[0][1].players == ("Ana Ruiz", "Luis Gil")  # type: ignore[union-attr]


def test_somebody_may_choose_the_columns_against_their_titles() -> None:
    text = "Peña,Jugador 1,Jugador 2\nAna,Luis,Alta\n"
    chosen = columns_named("jugador 1, jugador 2, -")
    assert chosen == ("first", "second", "")
    ((_, pair),) = checked_lines(lines_from_csv(text, EMPTY, "Juez", chosen))
    assert pair == PairEnrolled(1, "Ana y Luis", ("Ana", "Luis"), by="Juez")
    assert columns_named("jokalaria 1;player 2;teléfono;first_surname") == (
        "first", "second", "telephone", "first_surname")  # fmt: skip
    with pytest.raises(TournamentError, match="'color' is no column"):
        columns_named("jugador 1, color")
    for wrong in (["first"], ["color", "first", "second"]):
        with pytest.raises(TournamentError):
            lines_from_csv(text, EMPTY, "", wrong)


def test_where_everybody_enrols_alone_a_name_is_enough() -> None:
    text = "Nombre;Apellidos;Categoría\nAna;Ruiz;Mixta\nLuis;Gómez;\n"
    ana = PlayerEnrolled(1, "Ana Ruiz", category="Mixta")
    assert pairs_from_csv(text, PEOPLE) == (ana, PlayerEnrolled(2, "Luis Gómez"))
    assert pairs_from_csv("jugadores\nAna y Luis\n", PEOPLE) == (
        PlayerEnrolled(1, "Ana"), PlayerEnrolled(2, "Luis"))  # fmt: skip


def test_all_wrong_lines_are_told_whatever_is_wrong_with_them() -> None:
    text = (
        "jugador 1;jugador 2;teléfono;pagado;cabeza\n"
        "Ana;Luis;6,00E+08;;\nEva;Jon;600111222;quizá;\nIker;Ane;;sí;x\nUnai;;;;\nPau;Mar;;20 €;1\n"
    )
    with pytest.raises(TournamentError) as wrong:
        pairs_from_csv(text, EMPTY)
    faults = wrong.value.facts["faults"]
    assert [(one["line"], one["because"]["code"]) for one in faults] == [  # type: ignore[attr-defined]
        (2, "no_telephone"), (3, "no_yes"), (4, "no_seed_place"), (5, "missing"),
    ]  # fmt: skip
    two = "jugadores\nAna Ruiz\n"
    with pytest.raises(TournamentError, match="'Ana Ruiz' is not two players"):
        pairs_from_csv(two, EMPTY)


@each_row(
    "text, told",
    [
        ("", ""),
        ("600 111 222", "600111222"),
        ("+34 600-111.222", "+34600111222"),
        ("0034600111222", "+34600111222"),
        ("600111222 / 944 00 11 22", "600111222 / 944001122"),
        ("600111222 y 600111222", "600111222"),
        ("(944) 001122", "944001122"),
    ],
)
def test_telephones_are_read_as_people_write_them(text: str, told: str) -> None:
    assert telephone_of(text) == told


@each_row("text", ["6,00E+08", "12345", "no tiene", "600111222x", "1" * 16, "600111222 / no"])
def test_what_is_no_telephone_is_refused(text: str) -> None:
    with pytest.raises(TournamentError) as wrong:
        telephone_of(text)
    assert wrong.value.code == "no_telephone"


def test_a_telephone_is_the_same_with_the_code_of_its_country() -> None:
    assert telephone_keys("+34600111222") & telephone_keys("944001122 / 600111222")
    assert not telephone_keys("600111222") & telephone_keys("600111223")
    assert telephone_keys("") == set()


def test_every_field_can_be_named_by_hand_and_by_a_title() -> None:
    assert columns_named(",".join(FIELDS)) == FIELDS
    titles = ["pareja", "jugador 1", "jugador 2", "jugadores", "peña", "categoría", "cabeza",
              "bar", "móvil", "ordainduta", "apellidos 1", "abizena 2"]  # fmt: skip
    assert {field_of(title) for title in titles} == set(FIELDS)
    assert field_of("una frase que no es el título de ninguna columna") == ""
