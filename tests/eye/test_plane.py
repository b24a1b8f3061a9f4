"""The plane of the table: fitted from cards, and its maps between millimetres and pixels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.eye.plane import Plane, fit_plane, lying
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit

SIZE, CARD = (1920, 1080), (61.0, 95.0)
small = st.floats(-0.1, 0.1)
planes = st.builds(
    lambda scale, along, across, right, down, bulge: Plane(
        SIZE, scale, (along / 4, across / 4), (right, down), bulge
    ),
    st.floats(0, 1), small, small, small, small, st.floats(-0.08, 0.03),
)  # fmt: skip


@given(planes, st.floats(0, 1919), st.floats(0, 1079))
def test_pixels_map_to_millimetres_and_back(plane: Plane, x: float, y: float) -> None:
    pixel = np.array([x, y])
    assert plane.to_pixels(plane.to_mm(pixel)) == pytest.approx(pixel, abs=0.05)


@given(planes)
def test_a_plane_is_restored_from_its_numbers(plane: Plane) -> None:
    assert Plane.of(SIZE, plane.numbers()) == plane


@pytest.mark.parametrize("seed", range(4))
def test_the_outlines_of_cards_fit_the_plane_to_a_millimetre(seed: int) -> None:
    table = scenes.dealt(seed, Way.SEPARATED, Lit.NORMAL)
    dice = np.random.default_rng(seed)
    quads = [seen.quad for seen in scenes.truth(table)]
    plane, usual = fit_plane(SIZE, [quad + dice.normal(0, 1, (4, 2)) for quad in quads], CARD)
    assert usual < 0.7
    assert max(lying(quad, plane, CARD)[1] for quad in quads) < 1


def test_one_absurd_outline_does_not_spoil_the_plane() -> None:
    table = scenes.dealt(9, Way.SEPARATED, Lit.NORMAL)
    quads = [seen.quad for seen in scenes.truth(table)]
    plane, _ = fit_plane(SIZE, [*quads, quads[0] * 0.7 + 200], CARD)
    assert max(lying(quad, plane, CARD)[1] for quad in quads) < 2


def test_the_position_of_a_card_gives_back_its_outline() -> None:
    plane = Plane(SIZE, 0.58, lean=(0.05, -0.1), bulge=-0.03)
    pose = np.array([120.0, -60.0, 0.7])
    found, off = lying(plane.quad(pose, CARD), plane, CARD)
    assert found == pytest.approx(pose, abs=0.01)
    assert off < 0.01


def test_many_outlines_at_once_equal_those_of_each_card() -> None:
    plane = Plane((1920, 1080), 0.5, (0.02, -0.01), (1e-4, -2e-4), 0.03)
    poses = np.array([[-300.0, 120, 0.4], [10, -30, -2.5], [250, 200, 3.1]])
    alone = [plane.quad(pose, (61.0, 95.0)) for pose in poses]
    assert plane.quads(poses, (61.0, 95.0)) == pytest.approx(np.array(alone))


def test_without_an_outline_there_is_no_plane() -> None:
    with pytest.raises(ValueError, match="no outline"):
        fit_plane(SIZE, [], CARD)
