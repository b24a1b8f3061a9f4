"""The obstacles of eyebench/obstacles.py: they hide what the truth says, and nothing else."""

from __future__ import annotations

import hashlib
import platform
import random
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from assistant.rules.cards import DECK
from scripts.lab.eyebench import obstacles, scenes
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Light, Lit
from scripts.lab.eyebench.obstacles import Hand, Phone
from scripts.lab.eyebench.scenes import Scene
from tests.lab.eyebench.test_scenes import SMALL, art, scene

PLAIN = Light(0.9, 0.0, 0.0, 0.0, (), 0.0, (0.0, 0.0), 100)
WHITE = {card: np.full((190, 122, 3), 255, np.uint8) for card in DECK}
Made = Callable[[Scene, random.Random], Scene]

KINDS: dict[str, Made] = {
    "hand": lambda table, dice: obstacles.with_hand(table, 2, dice),
    "glass on cards": lambda table, dice: obstacles.with_glass(table, dice, over_cards=True),
    "glass": lambda table, dice: obstacles.with_glass(table, dice, over_cards=False),
    "beside": obstacles.with_beside,
}


def shares(table: Scene) -> list[float]:
    return [seen.share for seen in scenes.truth(table)]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors round otherwise")
@pytest.mark.parametrize(
    ("seed", "way", "lit", "digest"),
    [
        (0, Way.SEPARATED, Lit.NORMAL, "b04d711233174610"),
        (5, Way.OVERLAPPED, Lit.DIM, "bceca75ed0d72807"),
        (3, Way.FANNED, Lit.GLARE, "1bc7805944ad74f4"),
    ],
)
def test_a_table_without_obstacles_is_drawn_as_before(
    seed: int, way: Way, lit: Lit, digest: str
) -> None:
    picture = scenes.painted(scenes.dealt(seed, way, lit, 42.0, (480, 270)), art())
    assert hashlib.sha256(picture.tobytes()).hexdigest()[:16] == digest


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_draws_the_same_obstacles_and_another_seed_others(kind: str) -> None:
    made, table = KINDS[kind], scene(4)
    one, same, other = (made(table, random.Random(seed)) for seed in (1, 1, 2))
    assert one == same != other
    np.testing.assert_array_equal(scenes.painted(one, art()), scenes.painted(same, art()))


@pytest.mark.parametrize("seed", range(4))
def test_a_card_loses_the_share_that_lies_under_a_telephone(seed: int) -> None:
    table = scene(seed)
    card = table.cards[seed * 3]
    phone = Phone(card.x + 25, card.y - 20, 40.0 * seed, 70, 150, (0.2, 0.2, 0.2))
    angle = np.radians(phone.turn)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    outline = signs * np.array([35.0, 75.0]) @ turn.T + np.array([phone.x, phone.y])
    above = table.camera.seen(outline, phone.pose().height).astype(np.float32)
    for before, after in zip(
        scenes.truth(table), scenes.truth(replace(table, things=(phone,))), strict=True
    ):
        quad = before.quad.astype(np.float32)
        hidden = cv2.intersectConvexConvex(above, quad)[0] / cv2.contourArea(quad)
        assert before.share - after.share == pytest.approx(hidden, abs=0.03)


@pytest.mark.parametrize("seed", range(5))
def test_a_card_loses_the_share_that_a_hand_covers(seed: int) -> None:
    """The hand is dark on white cards: every pixel darker than a shadow belongs to it."""
    table, dice = replace(scene(seed), light=PLAIN), random.Random(seed)
    spot = scenes.places(table.camera)[seed % 4]
    own = replace(
        obstacles.look(dice), skin=(0.05, 0.05, 0.05), sleeve=(0.05, 0.05, 0.05), curls=(1.0,) * 5
    )
    hand = obstacles.reaching(own, spot, (20.0, -30.0), 12.0, 20.0)
    covered = replace(table, things=(hand,))
    before, after = (scenes.painted(each, WHITE).astype(int) for each in (table, covered))
    dark = after.max(axis=2) < 0.4 * before.max(axis=2)
    lost = 0.0
    for bare, left in zip(scenes.truth(table), scenes.truth(covered), strict=True):
        inside = scenes.filled([bare.quad], *SMALL)
        assert bare.share - left.share == pytest.approx(dark[inside].mean(), abs=0.04)
        lost += bare.share - left.share
    assert lost > 0.2


def test_a_hand_comes_from_its_seat_and_hides_only_that_seats_cards() -> None:
    hidden = 0
    for seed in range(12):
        table, seat = scene(seed), seed % 4 + 1
        covered = obstacles.with_hand(table, seat, random.Random(seed))
        mask = covered.things[0].covers(table.camera)
        edges = {1: mask[-1], 2: mask[:, -1], 3: mask[0], 4: mask[:, 0]}
        assert edges[seat].any()
        assert not any(edge.any() for other, edge in edges.items() if abs(other - seat) == 2)
        for at, (before, after) in enumerate(zip(shares(table), shares(covered), strict=True)):
            assert after == before or table.cards[at].seat == seat
            hidden += after < before - 0.1
    assert hidden >= 8


def test_a_glass_on_the_cards_hides_part_of_some_and_one_beside_them_none() -> None:
    for seed in range(8):
        table = scene(seed, list(Way)[seed % 3])
        over = obstacles.with_glass(table, random.Random(seed), over_cards=True)
        lost = np.subtract(shares(table), shares(over))
        assert 0.1 <= lost.max() <= 0.9
        beside = obstacles.with_glass(table, random.Random(seed), over_cards=False)
        assert shares(beside) == shares(table)


def test_obstacles_beside_the_cards_cover_none() -> None:
    for seed in range(8):
        table = obstacles.with_glass(scene(seed), random.Random(seed), over_cards=False)
        more = obstacles.with_beside(table, random.Random(seed))
        assert len(more.things) > len(table.things)
        assert shares(more) == shares(table)
        masks = [thing.covers(table.camera) for thing in more.things]
        assert all(mask.any() for mask in masks)
        assert np.sum(masks, axis=0).max() == 1


def test_obstacles_lie_on_cards_on_request() -> None:
    table = scene(2)
    over = obstacles.with_beside(table, random.Random(5), over_cards=True)
    assert np.subtract(shares(table), shares(over)).max() >= 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_away_from_an_obstacle_and_its_shadow_nothing_changes(kind: str) -> None:
    table = replace(scene(6), light=PLAIN)
    covered = KINDS[kind](table, random.Random(3))
    before, after = (scenes.painted(each, art()).astype(int) for each in (table, covered))
    mask = np.zeros(SMALL[::-1], np.uint8)
    for thing in covered.things:
        mask |= thing.covers(table.camera)
    changed = np.abs(after - before).max(axis=2)
    assert changed[mask == 1].mean() > 12
    reach = 2 * round(150 * table.camera.per_mm) + 1
    near = cv2.dilate(mask, np.ones((reach, reach), np.uint8))
    assert changed[near == 0].max(initial=0) <= 3


def test_the_table_before_the_cards_has_only_the_obstacles_that_stood_there() -> None:
    table = obstacles.with_beside(scene(1), random.Random(1))
    laid = obstacles.with_hand(table, 1, random.Random(1))
    assert isinstance(laid.things[-1], Hand)
    assert scenes.empty(laid).things == ()
    assert scenes.empty(laid, table.things) == replace(laid, cards=(), things=table.things)


def test_a_table_without_room_for_an_obstacle_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obstacles, "TRIES", 3)
    table = scene(1)
    crowd = Phone(0, 0, 0, 1400, 1400, (0.2, 0.2, 0.2))
    with pytest.raises(ValueError, match="no room"):
        obstacles.with_glass(replace(table, things=(crowd,)), random.Random(1), over_cards=False)
    with pytest.raises(ValueError, match="no room"):
        obstacles.with_beside(replace(table, things=(crowd,)), random.Random(1))
