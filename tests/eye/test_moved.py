"""A camera that was moved after its calibration sees the table as it hangs now."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from assistant.eye.calibration import Calibration
from assistant.eye.images import Image, flipped
from assistant.eye.moved import hangs_as_before, recalibrated
from assistant.eye.plane import fit_plane, lying
from assistant.eye.view import EmptyTable
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.layouts import corners
from scripts.lab.eyebench.scenes import Scene
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import SIZE, art, table
from tests.eye.test_at_table import reader

CARD_MM = (61.0, 95.0)
MARGIN = 12.0
"""Millimetres by which a hand's zone is larger than its cards."""


@cache
def knocked() -> Scene:
    """The table after somebody turned the camera by as much as a hand turns a cup."""
    hung = table().camera
    return replace(
        table(), camera=replace(hung, roll=hung.roll + 12, aside=(30.0, -20.0)), before=hung
    )


@cache
def frame(scene: str) -> Image:
    """A picture of the table before the knock, after it, and of both without cards."""
    shown = {"before": table(), "after": knocked()}[scene.split()[0]]
    return shot(scenes.empty(shown) if scene.endswith("empty") else shown, art(), 1, 1)[0]


@cache
def calibration() -> Calibration:
    """As it was before the knock, with a zone around each hand."""
    truth = scenes.truth(table())
    plane, _ = fit_plane(SIZE, [seen.quad for seen in truth], CARD_MM)
    return Calibration(SIZE, _zones(table()), plane, EmptyTable(frame("before empty")))


def _zones(scene: Scene) -> dict[int, npt.NDArray[np.float64]]:
    zones: dict[int, npt.NDArray[np.float64]] = {}
    for seat in (1, 2, 3, 4):
        mm = np.vstack([corners(placed) for placed in table().cards if placed.seat == seat])
        (left, top), (right, bottom) = mm.min(axis=0) - MARGIN, mm.max(axis=0) + MARGIN
        box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        zones[seat] = scene.camera.seen(box)
    return zones


def test_the_ground_tells_how_a_knocked_camera_hangs_now() -> None:
    (now,) = recalibrated(reader().finder, frame("after"), calibration(), upset=False)
    assert now.plane is not None
    assert now.empty is not None
    errors = [lying(seen.quad, now.plane, CARD_MM)[1] for seen in scenes.truth(knocked())]
    assert max(errors) < 1.5  # millimetres
    for seat, zone in _zones(knocked()).items():
        assert np.abs(now.zones[seat] - zone).max() < 6  # pixels
    # The empty table is shown as this camera would see it; the old picture is far from that.
    new, old = (np.abs(picture.astype(int) - frame("after empty").astype(int)).mean()
                for picture in (now.empty.picture, frame("before empty")))  # fmt: skip
    assert new < 0.7 * old


@pytest.mark.slow
def test_cards_under_a_knocked_camera_are_read_for_their_own_seats() -> None:
    frames = [frame("after")]
    assert not reader().read(frames, calibration()).settled.complete
    reading, now = reader().followed(frames, calibration())
    assert {seat: set(hand) for seat, hand in reading.settled.hands.items()} == _hands()
    assert now is not None
    # The next showdown is read by it at once.
    assert reader().read(frames, now).settled.complete


@pytest.mark.slow
def test_a_knocked_camera_that_shows_a_mirror_image_is_followed_too() -> None:
    frames = [flipped(frame("after"))]
    reading, now = reader().followed(frames, replace(calibration(), mirrored=True))
    assert {seat: set(hand) for seat, hand in reading.settled.hands.items()} == _hands()
    assert now is not None
    assert now.mirrored


def test_a_camera_that_hangs_as_it_did_is_not_calibrated_again() -> None:
    assert not list(recalibrated(reader().finder, frame("before"), calibration(), upset=False))
    reading, now = reader().followed([frame("before")], calibration())
    assert reading.settled.complete
    assert now is calibration()


def test_pieces_of_the_ground_tell_that_a_camera_hangs_as_it_did() -> None:
    empty = frame("before empty")
    assert hangs_as_before(empty, frame("before"))
    assert hangs_as_before(empty, np.asarray(frame("before") * 0.6, np.uint8))
    assert not hangs_as_before(empty, frame("after"))
    for shift in ((4, 0), (0, -4), (40, 0), (0, 120)):
        assert not hangs_as_before(empty, np.roll(frame("before"), shift, axis=(0, 1))), shift
    # A ground without features shows nothing either way.
    plain = np.full_like(empty, 90)
    assert not hangs_as_before(plain, plain)


def test_features_of_the_ground_are_not_looked_for_where_its_pieces_lie_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def looked(*_: object, **__: object) -> None:
        raise AssertionError("features of the whole table were looked for")

    monkeypatch.setattr("assistant.eye.moved.found_move", looked)
    finder = reader().finder
    assert not list(recalibrated(finder, frame("before"), calibration(), upset=False))


def test_where_only_the_light_has_changed_the_empty_table_is_left_out() -> None:
    (now,) = recalibrated(reader().finder, frame("before"), calibration(), upset=True)
    assert now == replace(calibration(), empty=None)


def test_on_a_ground_without_features_the_cards_tell_the_plane() -> None:
    plain = replace(calibration(), empty=EmptyTable(np.full_like(frame("before"), 90)))
    (now,) = recalibrated(reader().finder, frame("after"), plain, upset=False)
    assert now.plane is not None
    errors = [lying(seen.quad, now.plane, CARD_MM)[1] for seen in scenes.truth(knocked())]
    assert max(errors) < 2.5
    assert now.empty is None


def test_a_table_that_was_not_calibrated_is_not_followed() -> None:
    assert not list(recalibrated(reader().finder, frame("after"), Calibration(SIZE), upset=True))


def _hands() -> dict[int, set[object]]:
    hands: dict[int, set[object]] = {}
    for placed in table().cards:
        hands.setdefault(placed.seat, set()).add(placed.card)
    return hands


def test_while_hands_are_still_being_laid_nobody_looks_for_a_knock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def looked(*_: object, **__: object) -> None:
        raise AssertionError("a reading that leaves nothing unread was done again")

    monkeypatch.setattr("assistant.eye.read.recalibrated", looked)
    two = replace(table(), cards=tuple(card for card in table().cards if card.seat in (1, 2)))
    reading, now = reader().followed([shot(two, art(), 1, 1)[0]], calibration())
    assert set(reading.settled.hands) == {1, 2}
    assert now is calibration()
