"""Names at a table: one word for each player, and no two alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import seating
from assistant.hall.tournament.model import Pair
from assistant.language.script import read_seats
from tests.tables import each_row


def pair(number: int, *players: str) -> Pair:
    return Pair(number, f"Pareja {number}", (players[0], players[1]), "", None)


@each_row(
    "players, seats",
    [
        (("Ana", "Luis", "Eva", "Jon"), ("Ana", "Eva", "Luis", "Jon")),
        (("Ana Gil", "Luis", "Eva", "Jon"), ("Ana", "Eva", "Luis", "Jon")),
        (("Ana Gil", "Luis Paz", "Ana Ruiz", "Jon"), ("AnaG", "AnaR", "LuisP", "Jon")),
        (("Ana Gil", "Luis", "Ana Gómez", "Jon"), ("AnaGil", "AnaGómez", "Luis", "Jon")),
        (("Ana", "Luis", "ana", "Jon"), ("Ana1", "ana2", "Luis3", "Jon4")),
        (("#1", "Luis", "Eva", "Jon"), ("Jugador", "Eva", "Luis", "Jon")),
    ],
)
def test_players_are_called_by_their_first_names_where_these_differ(
    players: tuple[str, ...], seats: tuple[str, ...]
) -> None:
    assert seating(pair(1, *players[:2]), pair(2, *players[2:])) == seats


@given(st.lists(st.text(min_size=1, max_size=40), min_size=4, max_size=4))
def test_every_table_accepts_the_names(players: list[str]) -> None:
    seats = seating(pair(1, *players[:2]), pair(2, *players[2:]))
    assert read_seats(" ".join(seats)) == seats
