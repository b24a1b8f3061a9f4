"""Sorting of cards in no order by a known deck: right, or a question, and never an eight."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from assistant.eye.deck import load_deck
from assistant.eye.images import Image
from assistant.eye.sorting import Pattern, frame_breaks, sort_cards
from assistant.files.paths import data_dir
from assistant.messages.showdown import cheapest
from assistant.rules.cards import DECK, Suit
from scripts.lab.drawing.faces import HEIGHT, WIDTH, foreign_faces
from scripts.lab.drawing.raster import pixels
from tests.eye.eyes import art


@cache
def pattern() -> Pattern:
    return Pattern(load_deck(data_dir("models") / "decks" / "mus"))


def foreign() -> list[Image]:
    return [np.asarray(pixels(face, WIDTH, HEIGHT, 4.0), np.uint8) for face in foreign_faces()]


def test_the_frame_is_broken_as_often_as_the_suit_says() -> None:
    for card, face in art().items():
        assert card.suit is not None
        assert frame_breaks(face) == (tuple(Suit).index(card.suit),) * 2


def test_cards_of_a_known_deck_are_told_either_way_up() -> None:
    order = np.random.default_rng(3).permutation(len(DECK))
    faces = [art()[DECK[at]][:: -1 if at % 2 else 1, :: -1 if at % 2 else 1] for at in order]
    found = sort_cards([np.ascontiguousarray(face) for face in faces], [pattern()])
    assert [one.card for one in found] == [DECK[at] for at in order]
    assert all(one.sure for one in found)


def test_no_eight_no_nine_and_no_joker_is_surely_a_card_of_mus() -> None:
    assert not any(one.sure for one in sort_cards(foreign(), [pattern()]))


def test_a_card_that_is_there_already_is_given_to_no_picture() -> None:
    found = sort_cards([art()[DECK[0]]], [pattern()], taken=[DECK[0]])[0]
    assert found.card != DECK[0]
    assert not found.sure


def test_nothing_is_sorted_where_nothing_is() -> None:
    assert sort_cards([], [pattern()]) == []


@pytest.mark.parametrize("seed", range(5))
def test_the_cheapest_assignment_is_no_dearer_than_any_other(seed: int) -> None:
    dice = np.random.default_rng(seed)
    costs = dice.normal(size=(4, 6))
    costs[0, :3] = np.inf
    total, columns = cheapest(costs.tolist())
    assert len(set(columns)) == 4
    for _ in range(500):
        other = dice.permutation(6)[:4]
        assert total <= costs[range(4), other].sum() + 1e-9
