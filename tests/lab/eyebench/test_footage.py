"""The films of eyebench/footage.py: an empty table, hands that lay cards, then only noise."""

from __future__ import annotations

import random
from functools import cache
from itertools import groupby

import numpy as np
import numpy.typing as npt
import pytest

from scripts.lab.eyebench import footage, obstacles, scenes
from scripts.lab.eyebench.footage import DRIFT, FLICKER, Moment, Phase
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit
from scripts.lab.eyebench.scenes import Scene
from tests.lab.eyebench.test_scenes import art

TINY = (480, 270)
COUNT = 40
MOST = (1 + DRIFT) * (1 + FLICKER)
"""The highest ratio of a frame's level to the scene's own."""


@cache
def table() -> Scene:
    dealt = scenes.dealt(0, Way.SEPARATED, Lit.NORMAL, 42.0, TINY)
    return obstacles.with_beside(dealt, random.Random(3))


@cache
def film(seed: int = 1) -> tuple[Moment, ...]:
    return tuple(footage.frames(table(), art(), COUNT, random.Random(seed)))


def of(phase: Phase) -> list[npt.NDArray[np.float64]]:
    return [np.asarray(each.picture, float) for each in film() if each.phase is phase]


def test_the_table_is_empty_then_cards_are_laid_and_then_nothing_moves() -> None:
    found = [(phase, len(list(group))) for phase, group in groupby(each.phase for each in film())]
    assert found == [(Phase.EMPTY, 8), (Phase.LAYING, 20), (Phase.STILL, 12)]
    assert all(each.picture.shape == (TINY[1], TINY[0], 3) for each in film())


def test_the_same_seed_makes_the_same_film_and_another_seed_another() -> None:
    again = footage.frames(table(), art(), COUNT, random.Random(1))
    for one, other in zip(film(), again, strict=True):
        np.testing.assert_array_equal(one.picture, other.picture)
    assert any((a.picture != b.picture).any() for a, b in zip(film(), film(2), strict=True))


@pytest.mark.parametrize("phase", [Phase.EMPTY, Phase.STILL])
def test_where_nothing_moves_frames_differ_only_by_noise_and_light(phase: Phase) -> None:
    bare = scenes.empty(table(), table().things)
    own = scenes.painted(bare if phase is Phase.EMPTY else table(), art())
    for picture in of(phase):
        assert 1 / MOST - 0.01 <= picture.mean() / own.mean() <= MOST + 0.01
        level = picture.mean() / own.mean()
        assert np.abs(picture / level - own).mean() < 4
    for one, other in zip(of(phase), of(phase)[1:], strict=False):
        assert 0 < np.abs(one - other).mean() < 12


def test_the_light_drifts_slowly_and_flickers_a_little() -> None:
    for seed in range(20):
        levels = np.array(footage._levels(200, random.Random(seed)))
        assert np.abs(levels - 1).max() <= MOST - 1
        assert np.abs(np.diff(levels)).max() <= 2.5 * FLICKER
        assert levels.std() > 0.01


def test_while_cards_are_laid_hands_move_and_seat_after_seat_gets_its_cards() -> None:
    still = np.mean(of(Phase.STILL), axis=0)
    shown: dict[int, list[bool]] = {seat: [] for seat in range(1, 5)}
    for picture in of(Phase.LAYING):
        for seat, there in shown.items():
            quads = [seen.quad for seen in scenes.truth(table()) if seen.seat == seat]
            inside = scenes.filled(quads, *TINY)
            there.append(bool(np.abs(picture - still)[inside].mean() < 12))
    first = [there.index(True) for there in shown.values()]
    assert first == sorted(first)
    assert first[0] > 2
    assert len(set(first)) == 4
    assert all(there[-1] for there in shown.values())


def test_hands_are_visible_while_cards_are_laid_and_gone_afterwards() -> None:
    changes = [np.abs(a - b).mean(axis=2) for a, b in zip(of(Phase.LAYING), of(Phase.LAYING)[1:],
                                                          strict=False)]  # fmt: skip
    moving = [np.count_nonzero(change > 40) for change in changes]
    assert sum(share > 150 for share in moving) >= 12
    still = [np.count_nonzero(np.abs(a - b).mean(axis=2) > 40)
             for a, b in zip(of(Phase.STILL), of(Phase.STILL)[1:], strict=False)]  # fmt: skip
    assert max(still) == 0


def test_a_hand_in_the_showdown_appears_with_it() -> None:
    scene = obstacles.with_hand(table(), 1, random.Random(2))
    moments = list(footage.frames(scene, art(), 10, random.Random(1)))
    mask = scene.things[-1].covers(scene.camera)
    bare = scenes.painted(scenes.empty(table(), table().things), art()).astype(int)
    over = scenes.painted(scene, art()).astype(int)
    assert np.abs(moments[0].picture - bare)[mask].mean() < 15
    assert np.abs(moments[-1].picture - over)[mask].mean() < 15
    assert np.abs(over - bare)[mask].mean() > 25


def test_too_few_frames_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        next(footage.frames(table(), art(), 9, random.Random(1)))
