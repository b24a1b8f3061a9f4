"""Drawn decks: the same every time, and each print differs from the one it is compared with."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from scripts.lab.checklab import prints
from tests.tables import each_row


def test_a_deck_is_the_same_every_time_and_no_two_are_alike() -> None:
    card = prints.rank_of(3, 1, 7)
    first = prints.drawn(card).copy()
    prints.drawn.cache_clear()
    prints.style.cache_clear()
    assert np.array_equal(prints.drawn(card), first)
    assert not np.array_equal(prints.drawn(prints.rank_of(4, 1, 7)), first)


def test_every_rank_and_suit_of_a_deck_has_its_own_print() -> None:
    cards = [prints.rank_of(5, suit, rank) for suit in range(4) for rank in range(1, 13)]
    assert len({prints.drawn(card).tobytes() for card in cards}) == len(cards)


@each_row("body", range(1, 13))
def test_another_print_is_never_the_same_picture(body: int) -> None:
    dice = random.Random(body)
    card = prints.rank_of(body, body % 4, body)
    for _ in range(12):
        one = prints.other(card, dice)
        assert not np.array_equal(prints.drawn(one), prints.drawn(card)), one


def test_most_other_prints_differ_by_a_number_or_by_one_pip() -> None:
    dice, card = random.Random(1), prints.rank_of(2, 0, 7)
    some = [prints.other(card, dice) for _ in range(400)]
    number_alone = sum(replace(one, number=card.number) == card for one in some)
    one_pip = sum(one.extra != 0 for one in some)
    assert 120 < number_alone < 220
    assert 60 < one_pip < 160


def test_a_number_alone_changes_nothing_but_two_corners() -> None:
    card = prints.rank_of(2, 0, 7)
    apart = np.abs(prints.drawn(card).astype(int) - prints.drawn(replace(card, number=8)))
    rows, columns = np.nonzero(apart.max(axis=2))
    high, wide = apart.shape[:2]
    middle = (abs(rows / high - 0.5) < 0.25) | (abs(columns / wide - 0.5) < 0.15)
    assert len(rows)
    assert not middle.any()


def test_a_misread_number_is_mostly_of_the_same_shape() -> None:
    dice, card = random.Random(1), prints.rank_of(2, 0, 5)
    some = [prints.misread(card, dice) for _ in range(200)]
    alike = sum(replace(one, number=5) == card and one.number in (3, 6, 8) for one in some)
    assert alike > 90
    assert card not in some
