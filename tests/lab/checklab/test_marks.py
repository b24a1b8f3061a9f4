"""Marks on drawn cards: they change the card, no two are alike, and most lie over a number."""

from __future__ import annotations

import random

import numpy as np

from scripts.lab.checklab import marks, prints


def test_marks_are_the_same_for_the_same_dice_and_leave_most_of_a_card_as_it_is() -> None:
    face = prints.drawn(prints.rank_of(2, 0, 5))
    made = [marks.marked(face, random.Random(seed)) for seed in range(12)]
    assert np.array_equal(made[3], marks.marked(face, random.Random(3)))
    assert len({one.tobytes() for one in made}) > 8
    for one in made:
        assert one.shape == face.shape
        assert np.median(np.abs(one.astype(int) - face)) < 30


def test_most_stains_lie_over_a_number() -> None:
    white = np.full((285, 183, 3), 255, np.uint8)
    at_number = 0
    for seed in range(40):
        rows, columns = np.nonzero(marks._spot(183, 285, random.Random(seed)) > 0.1)
        if len(rows):
            x, y = columns.mean() / white.shape[1], rows.mean() / white.shape[0]
            at_number += min(x, 1 - x) < 0.3 and min(y, 1 - y) < 0.25
    assert at_number > 18
