"""One person in two pairs: the organiser is asked, however the name is written."""

from __future__ import annotations

import time

import pytest

from assistant.hall.tournament import (
    Drawn,
    Format,
    Opened,
    PairCorrected,
    PairEnrolled,
    People,
    TournamentError,
    apply,
    check_people,
    draw,
    fold,
)
from assistant.hall.tournament.people import may_be_one
from tests.tables import each_row

HERE = fold([Opened("Torneo", Format.KNOCKOUT), PairEnrolled(1, "P1", ("Ana Ruiz", "Luis Gil"))])


@each_row(
    "name, other",
    [
        ("Ruiz, Ana", "Ana Ruiz"),
        ("ANA RUIZ", "Ana Ruíz"),
        ("Ana Ruiz López", "Ana Ruiz"),
        ("Anita Ruiz", "Ana Ruiz"),
        ("Patxi Etxeberria", "Francisco Echeverría"),
        ("Paco Gil", "Francisco Gil Mora"),
        ('José "Pepe" Mur', "Pepe Mur"),
        ("Pepe Mur (el Rojo)", "José Mur"),
        ("Iñaki de la Cruz", "Ignacio Cruz"),
        ("Xabier Agirre", "Javier Aguirre"),
        ("Miren Vizcaya", "María Bizkaia"),
        ("Jon Sáez", "Juan Saez"),
    ],
)
def test_two_ways_to_write_a_name_may_be_one_person(name: str, other: str) -> None:
    assert may_be_one(name, other)
    assert may_be_one(other, name)


@each_row(
    "name, other",
    [
        ("Ana Ruiz", "Ana Gil"),
        ("Ana Ruiz", "Eva Ruiz"),
        ("Ana", "Ana Ruiz"),
        ("Ana Ruiz Gil", "Ana Ruiz Mur"),
        ("Luis 1", "Luis 2"),
        ("Ane Ruiz", "Ana Ruiz"),
        ("", ""),
    ],
)
def test_other_names_are_other_people(name: str, other: str) -> None:
    assert not may_be_one(name, other)


def test_who_may_be_in_another_pair_is_refused_until_somebody_says_they_are_two() -> None:
    pair = PairEnrolled(2, "P2", ("Eva Mur", "Ruiz, Anita"))
    with pytest.raises(TournamentError) as asked:
        check_people(HERE, pair)
    assert asked.value.code == "person_perhaps"
    assert asked.value.facts == {"name": "Ruiz, Anita", "other": "Ana Ruiz", "pair": 1}
    check_people(HERE, PairEnrolled(2, "P2", pair.players, namesakes=True))
    corrected = PairCorrected(1, "P1", ("Ana Ruiz López", "Luis Gil"), "", "Juez", "Falta")
    check_people(HERE, corrected)  # it is her own pair


def test_who_was_taken_for_two_people_is_not_asked_about_at_the_draw() -> None:
    both = apply(HERE, PairEnrolled(2, "P2", ("Eva Mur", "Ruiz, Anita"), namesakes=True))
    check_people(both, Drawn(7, draw(both.pairs.values(), 7)))
    old = apply(
        HERE, PairEnrolled(2, "P2", ("Eva Mur", "Ruiz, Anita"))
    )  # from before there was this
    check_people(old, Drawn(7, draw(old.pairs.values(), 7)))


def test_thousands_of_people_are_compared_in_a_moment() -> None:
    given = ["Ana", "Luis", "Jon", "Eva", "José", "María"]
    surnames = ["García", "Ruiz", "Etxeberria", "Gil", "López", "Pérez", "Mur"]
    people = People()
    began = time.perf_counter()
    for n in range(2_600):
        names = [
            f"{given[(n + at) % 6]} {surnames[n % 7]} {surnames[(n // 7 + at) % 7]} {n}{at}x"
            for at in range(2)
        ]
        pair = PairEnrolled(n + 1, f"P{n}", (names[0], names[1]))
        people.check(pair)
        people.add(pair)
    assert time.perf_counter() - began < 10
