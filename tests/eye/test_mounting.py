"""Mounting the camera: what is wrong with a picture, and what is visible while nobody plays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye.deck import load_deck, own_dir, save_deck
from assistant.eye.find import Finder
from assistant.eye.images import Image, flipped
from assistant.eye.mounting import (
    LEAST_CARD,
    FaultParams,
    MountFault,
    Mounting,
    MountWatch,
    judged,
)
from assistant.files.paths import data_dir
from assistant.rules.cards import Card
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.layouts import Placed
from scripts.lab.eyebench.light import Light
from scripts.lab.eyebench.scenes import Scene
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import art, other_art, table

EVEN = Light(0.85, 0.1, 30.0, 0.05, (), 0.008, (0.0, 0.0), 90)
PER_MM = 113.0 / 95.0


@cache
def finder() -> Finder:
    return Finder(load_deck(data_dir("models") / "decks" / "mus"))


def scene(tilt: float = 4.0, larger: float = 1.0, nearer: float = 0.75) -> Scene:
    """A plain cloth with one card before each seat, as a person lays them to mount a camera."""
    watching = replace(table().camera, tilt=tilt, per_mm=PER_MM * larger)
    names = ("Ro", "7e", "Sc", "2b")
    laid = tuple(
        Placed(seat, card, x * nearer, y * nearer, turn + 7 * seat)
        for seat, (card, (x, y, turn)) in enumerate(
            zip(cards(*names), scenes.places(watching), strict=True), start=1
        )
    )
    return Scene(laid, "cloth", watching, EVEN, 3)


def cards(*names: str) -> list[Card]:
    return [card for name in names for card in art() if str(card) == name]


def photo(one: Scene) -> Image:
    return shot(one, art(), 1, 1)[0]


@cache
def plain() -> Image:
    return photo(scene())


def judge(picture: Image) -> Mounting:
    return judged(picture, finder())


def codes(mounting: Mounting) -> list[str]:
    return [str(code) for code in mounting.faults]


def test_a_good_picture_has_no_fault_and_names_its_cards() -> None:
    seen = judge(plain())
    assert codes(seen) == []
    assert seen.praise == "fair"
    assert sorted(str(card.card) for card in seen.cards) == ["2b", "7e", "Ro", "Sc"]
    assert abs(seen.least_high - 113) < 6
    assert seen.tilt is not None
    assert seen.tilt < 12
    wide, high = seen.table_cm or (0, 0)
    assert abs(wide - 1280 / PER_MM / 10) < 4
    assert abs(high - 720 / PER_MM / 10) < 4
    truth = scenes.truth(scene())
    for card in seen.cards:
        near = min(truth, key=lambda one: float(np.abs(one.quad.mean(0) - card.quad.mean(0)).max()))
        assert np.abs(near.quad.mean(axis=0) - card.quad.mean(axis=0)).max() < 3


def test_an_empty_table_shows_no_card_and_is_not_called_blurred() -> None:
    assert codes(judge(photo(replace(scene(), cards=())))) == ["none"]


def test_large_cards_are_praised_and_two_of_four_are_few() -> None:
    cards = scene(larger=1.4, nearer=0.6).cards
    large = scene(larger=1.4, nearer=0.6)
    assert judge(photo(large)).praise == "good"
    few = judge(photo(replace(large, cards=cards[:2])))
    assert (few.praise, codes(few)) == ("few", [])


def test_small_cards_are_told_with_their_pixels() -> None:
    seen = judge(photo(scene(larger=0.72)))
    assert codes(seen) == ["small"]
    told = seen.faults[MountFault.SMALL]
    assert told["wanted"] == LEAST_CARD
    assert 72 < int(told["pixels"]) < 86


def test_a_dark_picture_is_told_first() -> None:
    dark = replace(scene(), light=replace(EVEN, level=0.08))
    assert codes(judge(photo(dark)))[0] == "dark"


@pytest.mark.parametrize("blur", [3.0, 5.0])
def test_a_lens_out_of_focus_is_told(blur: float) -> None:
    soft = np.asarray(cv2.GaussianBlur(plain(), (0, 0), blur), np.uint8)
    assert "blurred" in codes(judge(soft))


def test_a_mirror_image_is_no_fault_but_is_told() -> None:
    seen = judge(flipped(plain()))
    assert seen.mirrored
    assert codes(seen) == []
    assert {str(card.card) for card in seen.cards} == {"2b", "7e", "Ro", "Sc"}


def test_a_card_at_the_edge_of_the_picture_is_told() -> None:
    quad = scenes.truth(scene())[0].quad  # the seat below
    seen = judge(np.ascontiguousarray(plain()[: int(quad[:, 1].mean()) + 12]))
    assert codes(seen) == ["cut"]
    assert seen.faults[MountFault.CUT] == {"n": 1}


def test_a_camera_that_looks_from_the_side_is_told_by_its_degrees() -> None:
    seen = judge(photo(scene(tilt=42.0, larger=1.25, nearer=0.6)))
    assert "tilted" in codes(seen)
    told = seen.faults[MountFault.TILTED]
    assert abs(int(told["degrees"]) - 42) <= 3


def test_a_lamp_mirrored_in_a_card_is_told() -> None:
    middle = scenes.truth(scene())[0].quad.mean(axis=0) / (1280, 720)
    lamp = (float(middle[0]), float(middle[1]), 0.05, 0.9)
    seen = judge(photo(replace(scene(), light=replace(EVEN, lamps=(lamp,)))))
    assert "glare" in codes(seen)
    assert len(seen.glares) == 1


def test_cards_of_another_deck_are_told_and_the_known_deck_that_has_them(
    own_folder: Path,  # noqa: ARG001 - where decks are looked for
) -> None:
    strange = shot(scene(), other_art(), 1, 1)[0]
    assert judge(strange).faults == {MountFault.OTHER_DECK: {"deck": "mus"}}
    deck = load_deck(data_dir("models") / "decks" / "mus")
    save_deck(own_dir() / "mia", replace(deck, faces=other_art()))
    told = {MountFault.BETTER_DECK: {"deck": "mus", "better": "mia"}}
    assert judge(strange).faults == told
    assert judge(plain()).faults == {}


class Watched:
    """A watch over given pictures."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pictures: list[Image] = []
        self.playing = False
        self.judged = 0
        monkeypatch.setattr("assistant.eye.mounting.EVERY_S", 0.02)
        monkeypatch.setattr("assistant.eye.mounting.judged", self.judge)
        self.watch = MountWatch(lambda: self.pictures, finder, lambda: self.playing)

    def judge(self, picture: Image, _finder: Finder, _knows: object) -> Mounting:
        self.judged += 1
        high, wide = picture.shape[:2]
        faults: Mapping[MountFault, FaultParams] = {MountFault.NONE: {}}
        return Mounting((wide, high), (), faults)

    def until(self, what: Callable[[], object]) -> bool:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if what():
                return True
            time.sleep(0.01)
        return False


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


def picture(level: int) -> Image:
    return np.full((90, 2000, 3), level, np.uint8)


def test_the_newest_picture_is_judged_once_and_shown_small(watched: Watched) -> None:
    assert watched.watch.newest() is None
    watched.pictures = [picture(40), picture(90)]
    assert watched.until(watched.watch.newest)
    newest = watched.watch.newest()
    assert newest is not None
    assert (newest.number, newest.mounting.size) == (1, (2000, 90))
    shown = cv2.imdecode(np.frombuffer(newest.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[1] == 960
    assert abs(float(shown.mean()) - 90) < 3
    time.sleep(0.2)
    assert watched.judged == 1
    watched.pictures = [picture(60)]
    assert watched.until(lambda: watched.judged == 2)
    watched.watch.close()


def test_nothing_is_taken_or_given_while_cards_are_in_play(watched: Watched) -> None:
    watched.pictures = [picture(90)]
    assert watched.until(watched.watch.newest)
    watched.playing = True
    assert watched.watch.jpeg(1) is None
    assert watched.watch.newest() is None
    watched.pictures = [picture(70)]
    count = watched.judged
    time.sleep(0.2)
    assert watched.judged == count
    watched.playing = False
    assert watched.watch.newest() is None  # what was kept before the hand is gone
    watched.watch.close()


def test_cards_that_are_dealt_while_a_picture_is_judged_are_not_shown(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dealt(picture: Image, finder: Finder, knows: object) -> Mounting:
        watched.playing = True
        return watched.judge(picture, finder, knows)

    monkeypatch.setattr("assistant.eye.mounting.judged", dealt)
    watched.pictures = [picture(90)]
    watched.watch.newest()
    assert watched.until(lambda: watched.playing)
    watched.watch.close()
    watched.playing = False
    assert watched.watch.jpeg(1) is None


def test_the_thread_ends_when_nobody_looks(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.eye.mounting.LOOKED_AT_S", 0.1)
    watched.pictures = [picture(90)]
    watched.watch.newest()
    assert watched.until(lambda: watched.watch._thread is None)
    assert watched.watch.jpeg(1) is None


def test_a_camera_that_sends_nothing_new_is_silent(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.eye.mounting.SILENT_S", 0.3)
    watched.pictures = [picture(90)]
    watched.watch.newest()
    assert not watched.watch.silent()
    assert watched.until(watched.watch.silent)
    watched.pictures = [picture(80)]
    assert watched.until(lambda: not watched.watch.silent())
    watched.watch.close()


def test_the_known_deck_of_strange_cards_is_looked_for_once(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def better(_picture: Image, than: str) -> None:
        asked.append(than)

    monkeypatch.setattr("assistant.eye.mounting.better_deck", better)
    monkeypatch.setattr("assistant.eye.mounting.judged", judged)
    for number in (1, 2):
        watched.pictures = [shot(scene(), other_art(), 1, 1)[0]]
        assert watched.until(partial(_has_number, watched.watch, number))
    newest = watched.watch.newest()
    assert newest is not None
    assert newest.mounting.faults == {MountFault.OTHER_DECK: {"deck": "mus"}}
    assert asked == ["mus"]
    watched.watch.close()


def _has_number(watch: MountWatch, number: int) -> bool:
    newest = watch.newest()
    return newest is not None and newest.number == number
