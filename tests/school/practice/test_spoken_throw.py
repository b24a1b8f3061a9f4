"""A spoken number at the discard throws this many cards, the worst first."""

from __future__ import annotations

from assistant.school.practice.dealer import spoken_throw
from tests.school.practice.test_reasons import sight
from tests.tables import each_row


@each_row(
    "said, places",
    [
        ("una", (3,)),
        ("dos", (2, 3)),
        ("quiero tres", (0, 2, 3)),
        ("cuatro", (0, 1, 2, 3)),
        ("bi", (2, 3)),
        ("two", (2, 3)),
        ("paso", ()),
        ("", ()),
        ("dos o tres", ()),
    ],
)
def test_a_spoken_number_throws_so_many_cards(said: str, places: tuple[int, ...]) -> None:
    assert spoken_throw(said, sight("1 R 7 4", seat=1), (0, 2, 3)) == places
