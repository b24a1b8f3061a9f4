"""Reading a table: every clear card and no other, in mirrored and rotated pictures too."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from assistant.eye.calibration import Calibration, CalibrationError, calibrated
from assistant.eye.deck import load_deck
from assistant.eye.images import Image, flipped
from assistant.eye.read import Reader, Reading, Unread, Upset
from assistant.files.paths import data_dir
from assistant.messages.showdown import Trouble
from assistant.rules.cards import Card
from scripts.lab.eyebench import obstacles, scenes
from scripts.lab.eyebench.layouts import Way
from scripts.lab.eyebench.light import Lit
from scripts.lab.eyebench.scenes import Scene
from scripts.lab.eyebench.trial import calibrated as laid_out
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import art, four, picture, table


@cache
def reader() -> Reader:
    return Reader(load_deck(data_dir("models") / "decks" / "mus"))


@cache
def calibration() -> Calibration:
    return calibrated(reader().finder, [picture(())], four())[0]


def cards(scene: Scene) -> dict[int, set[Card]]:
    """The hands that lie on the table."""
    found: dict[int, set[Card]] = {}
    for seen in scenes.truth(scene):
        found.setdefault(seen.seat, set()).add(seen.card)
    return found


def hands_read(reading: Reading) -> dict[int, set[Card]]:
    return {seat: set(hand) for seat, hand in reading.settled.hands.items()}


def test_all_four_hands_are_read_and_the_same_each_time() -> None:
    first = reader().read([picture()], calibration())
    assert hands_read(first) == cards(table())
    assert first.settled.complete
    again = reader().read([picture()], calibration())
    assert hands_read(again) == hands_read(first)


@pytest.mark.parametrize("turned", [False, True])
def test_a_mirrored_camera_is_recognised_by_the_cards(turned: bool) -> None:
    def seen(image: Image) -> Image:
        return flipped(image) if turned else image

    found, count = calibrated(reader().finder, [seen(picture(()))], seen(four()))
    assert (count, found.mirrored) == (4, turned)
    reading = reader().read([seen(picture())], found)
    assert hands_read(reading) == cards(table())
    for sighting in reading.sightings:
        assert (sighting.quad >= -5).all()
        assert (sighting.quad <= np.array([1285, 725])).all()


def test_without_calibration_separate_cards_are_read_mirrored_or_upside_down() -> None:
    real = set().union(*cards(table()).values())
    for seen in (picture(), flipped(picture()), cv2.rotate(picture(), cv2.ROTATE_180)):
        reading = reader().read([np.asarray(seen, np.uint8)])
        found = [sighting.card for sighting in reading.sightings if sighting.card]
        assert len(found) >= 14
        assert set(found) <= real


def test_a_picture_upside_down_is_read_from_the_other_side() -> None:
    turned = np.asarray(cv2.rotate(picture(), cv2.ROTATE_180), np.uint8)
    reading = reader().read([turned])
    opposite = {1: 3, 2: 4, 3: 1, 4: 2}
    assert hands_read(reading) == {opposite[seat]: hand for seat, hand in cards(table()).items()
                             if opposite[seat] in reading.settled.hands}  # fmt: skip


@pytest.mark.parametrize("way", [Way.OVERLAPPED, Way.FANNED])
def test_overlapping_cards_are_read_or_asked_for_and_the_uppermost_are_read(way: Way) -> None:
    scene = scenes.dealt(8, way, Lit.NORMAL)
    bare = shot(scenes.empty(scene), art(), 1, 1)
    apart = scenes.dealt(8, Way.SEPARATED, Lit.NORMAL)
    laid = shot(replace(scene, cards=tuple(apart.cards[::4])), art(), 1, 2)[0]
    known = calibrated(reader().finder, bare, laid)[0]
    reading = reader().read(shot(scene, art(), 3, 3), known)
    real = cards(scene)
    found = {sighting.card for sighting in reading.sightings if sighting.card}
    assert found <= set().union(*real.values())
    assert {scene.cards[at].card for at in (3, 7, 11, 15)} <= found
    assert all(hands_read(reading)[seat] == real[seat] for seat in hands_read(reading))


@pytest.mark.slow
def test_a_camera_that_leans_by_45_degrees_is_calibrated_and_reads_all() -> None:
    leaning = scenes.dealt(5, Way.SEPARATED, Lit.NORMAL, 113.0, (1280, 720), tilt=45.0)
    reader = Reader(load_deck(data_dir("models") / "decks" / "mus"))
    calibration = laid_out(scenes.empty(leaning), art(), reader, seed=7)
    reading = reader.read([shot(leaning, art(), 1, 1)[0]], calibration)
    told = {sighting.card for sighting in reading.sightings if sighting.card}
    real = {seen.card for seen in scenes.truth(leaning)}
    assert told <= real
    assert len(told) >= 14


def test_cards_under_a_hand_are_waited_for() -> None:
    scene = obstacles.with_hand(table(), 2, random.Random(1))
    reading = reader().read(shot(scene, art(), 1, 1), calibration())
    assert reading.settled.troubles[2] is Trouble.HAND
    assert 2 not in reading.settled.hands
    assert Unread.HAND in [sighting.unread for sighting in reading.sightings]


def test_a_seat_without_cards_is_reported_and_the_others_are_read() -> None:
    reading = reader().read([picture((1, 3))], calibration())
    assert reading.settled.troubles == {2: Trouble.NONE, 4: Trouble.NONE}
    assert hands_read(reading) == {seat: cards(table())[seat] for seat in (1, 3)}


def test_a_card_face_down_is_reported() -> None:
    deck = load_deck(data_dir("models") / "decks" / "mus")
    assert deck.back is not None
    hidden = table().cards[0].card
    faces = {**deck.faces, hidden: deck.back}
    reading = reader().read(shot(table(), faces, 1, 1), calibration())
    assert reading.settled.troubles == {1: Trouble.BACK}


def test_one_frame_with_a_finger_in_it_changes_nothing() -> None:
    spoilt = picture().copy()
    quad = scenes.truth(table())[5].quad
    cv2.fillConvexPoly(spoilt, np.round(quad[:, None]).astype(np.int32), (90, 120, 170))
    frames = [*shot(table(), art(), 5, 6), spoilt]
    assert hands_read(reader().read(frames, calibration())) == cards(table())


def test_another_table_or_a_moved_camera_gives_no_cards() -> None:
    other = np.full_like(picture(), 230)
    assert reader().read([other], calibration()).upset is Upset.MOVED


def test_an_empty_picture_without_calibration_gives_nothing() -> None:
    reading = reader().read([np.zeros((480, 640, 3), np.uint8)])
    assert reading.upset is Upset.NO_PLANE
    assert not reading.settled.complete


def test_pictures_of_another_size_than_the_calibration_give_one_sentence() -> None:
    with pytest.raises(CalibrationError, match="calibrate it again"):
        reader().read([picture()[:-2]], calibration())
