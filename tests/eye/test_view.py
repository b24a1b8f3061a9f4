"""Changes on a table: new objects are found; shadows, lamps and noise are not."""

from __future__ import annotations

import numpy as np
import pytest

from assistant.eye.images import Image
from assistant.eye.view import EmptyTable, changed
from tests.tables import each_row

PER_MM = 0.9
PAPER = (232, 236, 238)


def cloth(seed: int = 1) -> Image:
    """A green cloth with a weave and sensor noise."""
    dice = np.random.default_rng(seed)
    weave = 8 * (np.indices((240, 320)).sum(axis=0) % 4)
    noisy = np.array((60, 110, 50)) + weave[..., None] + dice.normal(0, 2, (240, 320, 3))
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def with_card(table: Image) -> Image:
    found = table.copy()
    found[80:166, 100:155] = PAPER
    return found


def test_only_a_card_is_new() -> None:
    new = changed(with_card(cloth(2)), cloth(1), PER_MM)
    assert new[82:164, 102:153].all()
    assert int(new.sum(dtype=np.int64)) == pytest.approx(86 * 55, rel=0.1)


@each_row("light", [0.6, 0.8, 1.25])
def test_a_change_of_light_is_nothing_new(light: float) -> None:
    now = np.clip(cloth(2) * light, 0, 255).astype(np.uint8)
    assert not changed(now, cloth(1), PER_MM).any()


def test_a_shadow_is_nothing_new_and_a_card_within_it_is() -> None:
    shaded = with_card(cloth(2)).astype(np.float64)
    shaded[60:200, 60:200] *= 0.7
    new = changed(shaded.astype(np.uint8), cloth(1), PER_MM)
    assert new[82:164, 102:153].mean() > 0.98
    assert int(new.sum(dtype=np.int64)) == pytest.approx(86 * 55, rel=0.15)


def test_crumbs_are_nothing_new() -> None:
    crumbs = cloth(2)
    for x, y in ((50, 40), (200, 120), (280, 200)):
        crumbs[y : y + 5, x : x + 5] = 230
    assert not changed(crumbs, cloth(1), PER_MM).any()


def test_the_empty_table_is_learnt_from_frames_of_one_size() -> None:
    frames = [cloth(seed) for seed in range(9)]
    mean = np.mean(frames, axis=0)
    learned = EmptyTable.learned(frames).picture.astype(np.float64)
    assert np.abs(learned - mean).max() <= 0.5
    for wrong in ([], [frames[0], frames[1][:100]]):
        with pytest.raises(ValueError, match="frames of one size"):
            EmptyTable.learned(wrong)
