"""The photographs of eyebench/enrolment.py: forty cards where the truth says they are."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from assistant.eye.images import Image
from assistant.files.paths import data_dir
from assistant.rules.cards import DECK, Card, Suit, parse_card
from scripts.lab.eyebench import enrolment, layouts, scenes
from scripts.lab.eyebench.enrolment import Sheet
from scripts.lab.eyebench.light import Lit
from tests.lab.eyebench.test_scenes import art, likeness, straightened

SCALE = 0.3
"""Cards are about 90 pixels high, which tells them apart in a tenth of the time."""


@cache
def sheets(pictures: int, seed: int = 1, lit: Lit = Lit.NORMAL) -> tuple[Sheet, ...]:
    return enrolment.sheets(art(), seed, pictures, lit, scale=SCALE)


def back() -> Image:
    image = cv2.imread(str(data_dir("models") / "decks" / "mus" / "back.png"))
    assert image is not None
    return np.asarray(image, np.uint8)


@cache
def small() -> dict[Card, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    return {card: np.asarray(cv2.resize(image, (60, 94), interpolation=cv2.INTER_AREA), float)
            for card, image in art().items()}  # fmt: skip


def best(sheet: Sheet, at: int) -> Card:
    found = straightened(sheet.picture, sheet.quads[at])
    return max(DECK, key=lambda card: likeness(found, small()[card]))


@pytest.mark.parametrize("pictures", [1, 2, 4])
def test_the_card_at_each_place_is_the_one_that_the_truth_names(pictures: int) -> None:
    for sheet in sheets(pictures):
        assert len(sheet.quads) == len(sheet.cards)
        for at, card in enumerate(sheet.cards):
            assert sheet.quads[at].shape == (4, 2)
            assert best(sheet, at) == card


@pytest.mark.parametrize("pictures", [1, 2, 4])
def test_the_rows_are_the_suits_in_order_from_as_to_rey(
    pictures: int,
) -> None:
    taken = sheets(pictures)
    assert len(taken) == pictures
    assert [suit for sheet in taken for suit in sheet.suits] == list(Suit)
    order = [str(card) for sheet in taken for card in sheet.cards]
    assert order == [rank + suit for suit in "oceb" for rank in "1234567SCR"]
    for sheet in taken:
        middles = np.array([quad.mean(axis=0) for quad in sheet.quads]).reshape(-1, 10, 2)
        assert (np.diff(middles[..., 0], axis=1) > 0).all()
        assert (np.diff(middles[..., 1].mean(axis=1)) > 0).all()


def test_cards_lie_apart_slightly_turned_and_inside_the_picture() -> None:
    for seed in (1, 2):
        for sheet in sheets(2, seed):
            assert all(seen.share > 0.97 for seen in scenes.truth(sheet.scene))
            assert all(abs(placed.turn) <= 4 for placed in sheet.scene.cards)
            assert len({placed.turn for placed in sheet.scene.cards}) == 20
            down, across = sheet.picture.shape[:2]
            assert all((quad > 0).all() and (quad < (across, down)).all() for quad in sheet.quads)
            assert 3.5 < min(gaps(sheet)) < max(gaps(sheet)) < 16


def gaps(sheet: Sheet) -> list[float]:
    """The gaps in millimetres between the nearest edges of neighbours in a row."""
    found = []
    for one, other in zip(sheet.scene.cards, sheet.scene.cards[1:], strict=False):
        if one.seat == other.seat:
            edge = layouts.corners(other)[[0, 3]].astype(np.float32)
            side = layouts.corners(one).astype(np.float32)
            found.append(min(-cv2.pointPolygonTest(side, (float(x), float(y)), True)
                             for x, y in np.linspace(edge[0], edge[1], 12)))  # fmt: skip
    return found


@pytest.mark.parametrize("pictures", [1, 4])
def test_a_photograph_is_large_and_its_cards_are_two_to_four_hundred_pixels_high(
    pictures: int,
) -> None:
    for seed in (1, 2):
        for sheet in sheets(pictures, seed):
            across, down = sheet.scene.camera.size
            large = (4000, 3000) if pictures == 1 else (3000, 2000)
            assert (across, down) == tuple(round(side * SCALE) for side in large)
            high = [np.linalg.norm(quad[3] - quad[0]) / SCALE for quad in sheet.quads]
            assert 199 < min(high) < max(high) < 401


def test_the_same_seed_draws_the_same_pictures_and_another_seed_others() -> None:
    one, same = sheets(4), enrolment.sheets(art(), 1, 4, scale=SCALE)
    for a, b in zip(one, same, strict=True):
        np.testing.assert_array_equal(a.picture, b.picture)
    assert any((a.picture != b.picture).any() for a, b in zip(one, sheets(4, 2), strict=True))


def test_dim_light_is_darker_and_glare_burns_out_part_of_a_card() -> None:
    levels = {lit: np.percentile(sheets(2, 2, lit)[0].picture, 95) for lit in Lit}
    assert levels[Lit.DIM] < 130 < levels[Lit.NORMAL]
    cards = [straightened(sheet.picture, quad) for sheet in sheets(2, 2, Lit.GLARE)
             for quad in sheet.quads]  # fmt: skip
    assert any((card.min(axis=2) >= 254).mean() > 0.1 for card in cards)


def test_the_picture_of_the_back_has_one_card_face_down() -> None:
    sheet = enrolment.back_sheet(back(), 1, scale=SCALE)
    assert (sheet.suits, sheet.cards, len(sheet.quads)) == ((), (None,), 1)
    found = straightened(sheet.picture, sheet.quads[0])
    drawn = np.asarray(cv2.resize(back(), (60, 94), interpolation=cv2.INTER_AREA), float)
    assert likeness(found, drawn) > 0.6
    assert likeness(found, drawn) > max(likeness(found, image) for image in small().values())


def test_spoiled_pictures_are_blurred_or_dark_with_the_same_truth() -> None:
    sheet = sheets(4)[1]
    soft, dark = enrolment.blurred(sheet), enrolment.darkened(sheet)
    assert sharpness(soft) < 0.05 * sharpness(sheet)
    assert np.percentile(dark.picture, 99) < 40
    for spoiled in (soft, dark):
        assert spoiled.quads is sheet.quads
        assert spoiled.cards == sheet.cards
    np.testing.assert_array_equal(dark.picture, enrolment.darkened(sheet).picture)


def sharpness(sheet: Sheet) -> float:
    return float(cv2.Laplacian(sheet.picture, cv2.CV_64F).var())


def test_the_place_of_a_left_out_card_is_bare() -> None:
    sheet, card = sheets(4)[1], parse_card("5c")
    left = enrolment.without(sheet, card)
    assert left.cards == tuple(each for each in sheet.cards if each != card)
    bare = straightened(left.picture, sheet.quads[sheet.cards.index(card)])
    assert likeness(bare, small()[card]) < 0.4
    assert all(best(left, at) == each for at, each in enumerate(left.cards))


def test_a_repeated_card_lies_in_another_cards_place() -> None:
    sheet, card, other = sheets(4)[2], parse_card("Re"), parse_card("3e")
    doubled = enrolment.twice(sheet, card, instead_of=other)
    assert doubled.cards.count(card) == 2
    assert other not in doubled.cards
    np.testing.assert_array_equal(doubled.quads, sheet.quads)
    assert best(doubled, sheet.cards.index(other)) == card


def test_other_numbers_of_pictures_are_refused() -> None:
    with pytest.raises(ValueError, match="1, 2 or 4"):
        enrolment.sheets(art(), 1, pictures=3)
