"""The bench of hands by photograph: one small run, its refusals, and its groups held apart."""

from __future__ import annotations

import json

import pytest

from assistant.rules.cards import HAND_SIZE, Rank
from scripts.lab import bench_hands
from scripts.lab.bench_hands import Read
from scripts.lab.eyebench.closeups import CloseUp, photographed
from scripts.lab.eyebench.decks import own
from scripts.lab.eyebench.layouts import Way


def test_hands_are_measured_and_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--hands", "1", "--only", "overlapped", "--develop", "--jobs", "1", "--json"]
    assert bench_hands.main(few) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["hands"], told["decks"]) == (1, 1)
    [(name, found)] = told["conditions"].items()
    assert name == "overlapped"
    assert found["right"] + found["asked"] + found["wrong"] == 1
    assert found["seconds"][0] > 0


def test_a_wrong_card_makes_a_hand_wrong_whatever_else_is_right() -> None:
    read = [Read(True, 4, 0, 1.0), Read(False, 3, 0, 2.0), Read(False, 4, 1, 3.0)]
    sums = bench_hands._summed(read)
    assert (sums.right, sums.asked, sums.wrong) == (1, 1, 1)
    assert (sums.cards_told, sums.cards_wrong) == (11, 1)


@pytest.mark.parametrize("asked", [["--only", "nowhere"], ["--hands", "0"]])
def test_an_impossible_request_is_refused(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench_hands.main(asked) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_no_photograph_is_used_for_development_and_measuring() -> None:
    most = 20 * bench_hands.HANDS
    assert bench_hands.DEVELOP_SEED + most < bench_hands.FIRST_SEED
    assert bench_hands.DEVELOP_DECK_SEED + 20 < bench_hands.DECK_SEED


def test_the_same_seed_gives_the_same_photograph_with_the_cards_that_are_asked_for() -> None:
    condition = CloseUp("sevens", Way.FANNED, holds=Rank.SIETE)
    one, cards = photographed(condition, own().faces, 4)
    other, again = photographed(condition, own().faces, 4)
    assert cards == again
    assert (one == other).all()
    assert len(set(cards)) == HAND_SIZE
    assert sum(card.rank is Rank.SIETE for card in cards) == 1
