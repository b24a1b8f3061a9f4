"""Samples for the network of the second check: the kind of each cell is what lies there."""

from __future__ import annotations

import numpy as np

from assistant.eye.compare import CELLS, SIZE, judged_cells
from scripts.lab.checklab.samples import (
    ALIKE,
    COVERED,
    DIFFERS,
    OTHERS,
    UNTOLD,
    Samples,
    held_out,
    samples,
)

SEEDS = range(12)


def made() -> list[Samples]:
    return [samples(seed) for seed in SEEDS]


def test_the_same_table_gives_the_same_samples() -> None:
    first, again = samples(1), samples(1)
    assert len(first.cells)
    assert np.array_equal(first.pictures, again.pictures)
    assert np.array_equal(first.cells, again.cells)
    assert first.pictures.shape[1:] == (7, SIZE[1], SIZE[0])
    assert first.cells.shape[1:] == CELLS


def test_a_card_beside_its_own_reference_differs_nowhere_and_beside_most_others_somewhere() -> None:
    differing = [(one.cells == DIFFERS).any(axis=(1, 2)) for one in made()]
    own = np.concatenate([one[:: OTHERS + 1] for one in differing if len(one) % (OTHERS + 1) == 0])
    other = np.concatenate([one for one in differing if len(one) % (OTHERS + 1) == 0])
    assert len(own) > 10
    assert not own.any()
    assert other.sum() > 0.6 * (len(other) - len(own))


def test_cells_of_which_little_is_seen_are_not_told_and_things_lie_on_some() -> None:
    for one in made():
        for picture, cells in zip(one.pictures, one.cells, strict=True):
            assert (cells[~judged_cells(picture[6])] == UNTOLD).all()
    every = np.concatenate([one.cells.ravel() for one in made()])
    assert (every == COVERED).sum() > 500
    assert (every == ALIKE).sum() > 10_000


def test_about_a_tenth_of_the_designs_is_learnt_from_by_nobody() -> None:
    share = np.mean([held_out(seed) for seed in range(2000)])
    assert 0.06 < share < 0.14


def test_evening_tables_are_others_and_show_more_strips() -> None:
    usual, evening = samples(1), samples(1, evening=True)
    assert not np.array_equal(usual.pictures, evening.pictures)
    shares = [
        np.mean([one.pictures[:, 6].mean() for one in some])
        for some in (made(), [samples(seed, evening=True) for seed in SEEDS])
    ]
    assert shares[1] < shares[0]
