"""The table of all hands, which the page of the odds loads."""

import json
from itertools import combinations_with_replacement
from typing import Any

import pytest

from assistant.files.paths import data_dir
from assistant.odds.deck import deck_of, hands_of
from assistant.odds.rivals import CHOOSE
from assistant.rules.cards import Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from scripts.lab.tabulate_odds import numbers
from tests.tables import each_row

FOLDER = data_dir("models") / "odds"
PATH = FOLDER / "kings8.json"
DECK = deck_of(Profile())


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return dict(json.loads(PATH.read_text("utf-8")))


def test_the_table_is_small_enough_for_a_telephone() -> None:
    assert PATH.stat().st_size < 60_000


def test_the_table_has_every_hand_with_forty_numbers_in_thousandths(table: dict[str, Any]) -> None:
    hands = ["".join(hand) for hand in combinations_with_replacement("RCS76541", 4)]
    assert list(table["hands"]) == hands
    assert len(hands) == 330
    for row in table["hands"].values():
        assert len(row) == len(table["manos"]) * len(table["lances"]) * len(table["fields"])
        assert all(0 <= number <= table["unit"] for number in row)


def test_there_is_a_table_for_four_kings() -> None:
    four = json.loads((FOLDER / "kings4.json").read_text("utf-8"))
    assert len(four["hands"]) == 715
    assert four["same"] == {}
    hand = tuple(map(Rank, "R3C1"))
    assert four["hands"]["RC31"] == numbers(hand, deck_of(Profile(kings=4)))


def test_the_table_lists_the_ranks_that_count_as_another(table: dict[str, Any]) -> None:
    assert table["same"] == {"3": "R", "2": "1"}


@each_row("hand", ["RRRR", "RRC1", "7771", "7754", "C764", "1111"])
def test_the_rows_of_the_table_equal_the_odds(table: dict[str, Any], hand: str) -> None:
    assert table["hands"][hand] == numbers(tuple(map(Rank, hand)), DECK)


@each_row("lance", [Lance.GRANDE, Lance.CHICA])
def test_over_all_hands_one_seat_has_the_best_hand_and_one_pair_wins(
    table: dict[str, Any], lance: Lance
) -> None:
    hands = hands_of(DECK)
    ways = CHOOSE[DECK.copies, hands.counts].prod(axis=1)
    shares = (ways / ways.sum()).tolist()
    rows = list(table["hands"].values())
    lances, fields = table["lances"], table["fields"]

    def mean(mano: int, field: str) -> float:
        column = (mano * len(lances) + lances.index(lance)) * len(fields) + fields.index(field)
        return float(sum(share * row[column] for share, row in zip(shares, rows, strict=True)))

    # I see the four seats in turn: the means of their chances are those of one deal.
    assert sum(mean(mano, "best") for mano in range(4)) == pytest.approx(table["unit"], abs=0.5)
    for mano in range(2):  # what my pair does not win as mano's, the others win
        both = mean(mano, "side") + mean(mano + 1, "side")
        assert both == pytest.approx(table["unit"], abs=0.5)
