"""The rendered scenes of scripts/lab/eyebench: cards lie where the truth says, reproducibly."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.files.paths import data_dir
from assistant.rules.cards import DECK, Card
from scripts.lab.eyebench import camera, scenes
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit, Pixels

SMALL = (960, 540)
CARD = 85.0
"""The height of a card in pixels: half of the bench's usual one, in a quarter of the time."""


@cache
def art() -> dict[Card, Pixels]:
    folder = data_dir("models") / "decks" / "mus"
    found = {}
    for card in DECK:
        image = cv2.imread(str(folder / f"{card}.png"))
        assert image is not None
        found[card] = np.asarray(image, np.uint8)
    return found


def scene(seed: int, way: Way = Way.SEPARATED, lit: Lit = Lit.NORMAL) -> scenes.Scene:
    return scenes.dealt(seed, way, lit, CARD, SMALL)


def straightened(picture: Pixels, quad: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    # The numbers of a pixel are its centre, so a picture begins at -0.5.
    flat = np.array([[0, 0], [60, 0], [60, 94], [0, 94]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), flat)
    return np.asarray(cv2.warpPerspective(picture, warp, (60, 94)), np.float64)


def likeness(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


@pytest.mark.parametrize("seed", range(2))
def test_the_card_at_each_place_is_the_one_that_the_truth_names(seed: int) -> None:
    table = scenes.dealt(seed, Way.SEPARATED, Lit.NORMAL)
    picture = scenes.painted(table, art())
    small = {card: np.asarray(cv2.resize(image, (60, 94), interpolation=cv2.INTER_AREA), np.float64)
             for card, image in art().items()}  # fmt: skip
    for seen in scenes.truth(table):
        found = straightened(picture, seen.quad)
        alike = {card: likeness(found, drawn) for card, drawn in small.items()}
        assert max(alike, key=alike.__getitem__) == seen.card
        assert alike[seen.card] > 0.6


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("lit", Lit)
def test_four_cards_lie_at_each_seat_and_none_twice(way: Way, lit: Lit) -> None:
    placed = scene(7, way, lit).cards
    assert Counter(each.seat for each in placed) == {1: 4, 2: 4, 3: 4, 4: 4}
    assert len({each.card for each in placed}) == 16


def test_seat_1_is_at_the_bottom_and_the_others_follow_anticlockwise() -> None:
    seen = scenes.truth(scene(3))
    middle = {seat: np.mean([s.quad.mean(axis=0) for s in seen if s.seat == seat], axis=0)
              for seat in range(1, 5)}  # fmt: skip
    assert max(middle, key=lambda seat: middle[seat][1]) == 1
    assert max(middle, key=lambda seat: middle[seat][0]) == 2
    assert min(middle, key=lambda seat: middle[seat][1]) == 3
    assert min(middle, key=lambda seat: middle[seat][0]) == 4


@pytest.mark.parametrize(
    ("way", "least", "most"),
    [(Way.SEPARATED, 0.95, 1.0), (Way.OVERLAPPED, 0.35, 0.8), (Way.FANNED, 0.15, 0.6)],
)
def test_the_visible_share_of_the_lower_cards_is_within_its_range(
    way: Way, least: float, most: float
) -> None:
    for seed in range(6):
        seen = scenes.truth(scene(seed, way))
        lower = [each.share for at, each in enumerate(seen) if at % 4 < 3]
        assert all(least <= share <= most for share in lower), (seed, lower)
        assert all(each.share > 0.95 for each in seen[3::4])


def test_all_cards_are_in_the_picture() -> None:
    for seed in range(12):
        for way in Way:
            for seen in scenes.truth(scene(seed, way)):
                assert (seen.quad >= 0).all(), (seed, way)
                assert (seen.quad <= SMALL).all(), (seed, way)


def test_the_same_seed_draws_the_same_scene_and_another_seed_another() -> None:
    one, same, other = (scenes.painted(scene(seed), art()) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


def test_the_empty_table_differs_only_where_cards_lie() -> None:
    table = scene(11)
    light = replace(table.light, noise=0.0, quality=100)
    table = replace(table, light=light)
    laid, bare = (scenes.painted(each, art()).astype(int) for each in (table, scenes.empty(table)))
    near = np.zeros(laid.shape[:2], np.uint8)
    for seen in scenes.truth(table):
        cv2.fillConvexPoly(near, np.round(seen.quad).astype(np.int32), 1)
    near = np.asarray(cv2.dilate(near, np.ones((25, 25), np.uint8)), np.uint8)
    assert np.abs(laid - bare).max(axis=2)[near == 0].max() <= 8
    assert np.abs(laid - bare).max(axis=2)[near == 1].mean() > 30


def test_dim_light_is_dark_and_glare_burns_out_part_of_the_cards() -> None:
    dark = scenes.painted(scene(5, lit=Lit.DIM), art())
    assert np.percentile(dark, 99) < 140
    burnt = 0
    for seed in range(6):
        table = scene(seed, lit=Lit.GLARE)
        picture = scenes.painted(table, art())
        cards = [straightened(picture, seen.quad) for seen in scenes.truth(table)]
        burnt += sum((card.min(axis=2) >= 254).mean() > 0.1 for card in cards)
    assert burnt >= 6


def test_a_point_through_the_lens_is_where_the_picture_shows_it() -> None:
    watching = replace(camera.drawn(SMALL, CARD, random.Random(2)), bulge=-0.08)
    spot = np.array([[180.0, -120.0]])
    flat = cv2.perspectiveTransform(spot[None], watching.homography())[0, 0]
    board = np.zeros((SMALL[1], SMALL[0]), np.float32)
    cv2.circle(board, tuple(np.round(flat).astype(int)), 4, 1.0, -1)
    across, down = watching.maps()
    rows, columns = np.nonzero(cv2.remap(board, across, down, cv2.INTER_LINEAR) > 0.5)
    np.testing.assert_allclose([columns.mean(), rows.mean()], watching.seen(spot)[0], atol=0.8)
