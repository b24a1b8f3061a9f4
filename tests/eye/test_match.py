"""Matching: a card within a given outline is read, either way up and in any usable light."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from assistant.eye.deck import Deck, load_deck
from assistant.eye.images import Image
from assistant.eye.match import SMALL, Likeness, Matcher, Quad, straightened
from assistant.files.paths import data_dir
from assistant.rules.cards import DECK
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit

ALONE = np.array([[0.0, 0.0], [244, 0], [244, 380], [0, 380]]) - 0.5
"""The outline of a picture that contains only the card."""


@cache
def deck() -> Deck:
    return load_deck(data_dir("models") / "decks" / "mus")


@cache
def matcher() -> Matcher:
    return Matcher(deck())


def test_every_card_matches_itself_best() -> None:
    for card in DECK:
        found = matcher().match(deck().faces[card], ALONE)
        assert found.card == card
        assert found.value > 0.97  # it is scaled down in two steps
        assert found.margin > 0.05, card
        assert not found.upside_down


def test_a_likeness_can_be_taken_for_another_of_its_likeliest_cards() -> None:
    found = matcher().match(deck().faces[DECK[3]], ALONE)
    other, value = found.others[2]
    taken = found.taken_for(other)
    assert (taken.card, taken.value, taken.second) == (other, value, found.value)
    assert taken.lead < 1
    assert taken.others[0] == (other, value)
    assert sorted(taken.others, key=str) == sorted(found.others, key=str)


def test_a_card_upside_down_is_read_and_reported_as_such() -> None:
    for card in DECK:
        turned = np.ascontiguousarray(deck().faces[card][::-1, ::-1])
        found = matcher().match(turned, ALONE)
        assert (found.card, found.upside_down) == (card, True)


def test_the_colour_and_slope_of_the_light_hardly_matter() -> None:
    slope = np.linspace(0.5, 1.0, 244)[None, :, None] * np.array([0.7, 0.85, 1.0])
    for card in DECK:
        lit = np.asarray(deck().faces[card] * slope, np.uint8)
        found = matcher().match(lit, ALONE)
        assert found.card == card
        assert found.value > 0.93, card


@pytest.mark.parametrize("lit", [Lit.NORMAL, Lit.DIM])
def test_cards_on_a_rendered_table_are_read_with_slightly_wrong_outlines(lit: Lit) -> None:
    dice = np.random.default_rng(4)
    for seed in (900, 901):
        table = scenes.dealt(seed, Way.SEPARATED, lit)
        picture = scenes.painted(table, deck().faces)
        for seen in scenes.truth(table):
            found = matched(picture, seen.quad + dice.normal(0, 1.2, (4, 2)))
            assert found.card == seen.card
            assert found.margin > 0.02


def test_a_picture_that_is_no_card_of_the_deck_has_no_margin() -> None:
    dice = np.random.default_rng(5)
    for _ in range(10):
        noise = dice.integers(0, 255, (380, 244, 3), np.uint8)
        assert matched(noise, ALONE).value < 0.2
    assert matched(np.zeros((380, 244, 3), np.uint8), ALONE).margin < 0.02


def test_an_outline_that_leaves_the_picture_is_read_within_it() -> None:
    half: Quad = ALONE + np.array([0.0, 190.0])
    assert straightened(deck().faces[DECK[0]], half).shape == (SMALL[1], SMALL[0], 3)
    matched(deck().faces[DECK[0]], half)


def matched(picture: Image, quad: Quad) -> Likeness:
    return matcher().match(picture, quad)


def test_comparing_many_cards_at_once_gives_the_same_as_one_by_one() -> None:
    cards = [straightened(deck().faces[card], ALONE) for card in DECK[:7]]
    dice = np.random.default_rng(8)
    seen = [np.asarray(dice.random(card.shape[:2]) < 0.6, np.uint8) for card in cards]
    together = matcher().values(cards, seen)
    assert together.shape == (7, 2 * (len(DECK) + (deck().back is not None)))
    for at, (card, some) in enumerate(zip(cards, seen, strict=True)):
        assert matcher().values([card], [some])[0] == pytest.approx(together[at], abs=1e-4)
        alone = [matcher().value(card, one, some) for one in range(together.shape[1])]
        assert alone == pytest.approx(together[at], abs=1e-4)
        assert int(together[at].argmax()) == at
