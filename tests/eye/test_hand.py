"""A hand that its own player photographs: it is read close up, or one word says why not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from assistant.eye.deck import load_deck
from assistant.eye.hand import HandReader, HandReading, HandTrouble
from assistant.eye.images import Image
from assistant.files.paths import data_dir
from assistant.rules.cards import Card, Rank
from scripts.lab.eyebench.closeups import CloseUp, photographed
from scripts.lab.eyebench.layouts import Way
from tests.eye.eyes import art
from tests.tables import each_row

FAN = CloseUp("fan", Way.FANNED)
FIVE = CloseUp("five", Way.OVERLAPPED, count=5)


@cache
def reader() -> HandReader:
    return HandReader(load_deck(data_dir("models") / "decks" / "mus"))


@cache
def shot(condition: CloseUp, seed: int = 5) -> tuple[Image, frozenset[Card]]:
    picture, cards = photographed(condition, art(), seed)
    return picture, frozenset(cards)


def told(reading: HandReading) -> set[Card]:
    return {card for card in reading.cards if card is not None}


@each_row("condition", [
    CloseUp("side by side"),
    CloseUp("overlapped", Way.OVERLAPPED),
    FAN,
])  # fmt: skip
def test_four_cards_are_read_however_they_lie(condition: CloseUp) -> None:
    picture, cards = shot(condition)
    reading = reader().read(picture)
    assert reading.trouble is None
    assert len(reading.cards) == 4
    assert told(reading) == cards


def test_under_fingers_and_a_shadow_nothing_is_told_that_is_not_there() -> None:
    picture, cards = shot(CloseUp("held", Way.FANNED, shadow=True, held=True), 3)
    assert told(reader().read(picture)) <= cards


def test_a_photograph_is_read_at_any_turn_and_size_and_in_the_order_of_the_picture() -> None:
    picture, cards = shot(CloseUp("side by side"))
    large = cv2.resize(picture, None, fx=2.2, fy=2.2, interpolation=cv2.INTER_CUBIC)
    readings = [reader().read(np.ascontiguousarray(np.rot90(large, turn))) for turn in range(4)]
    assert all(told(reading) == cards for reading in readings)
    assert readings[0].cards == readings[2].cards[::-1]


def test_three_cards_are_told_with_what_is_lacking_and_five_are_refused() -> None:
    picture, cards = shot(replace(FAN, count=3), 8)
    reading = reader().read(picture)
    assert reading.trouble is HandTrouble.FEW
    assert told(reading) == cards
    assert reader().read(picture, size=3) == HandReading(reading.cards)
    assert reader().read(shot(FIVE)[0]) == HandReading((), HandTrouble.MANY)


def test_a_card_that_the_deck_lacks_is_not_told_as_another() -> None:
    deck = load_deck(data_dir("models") / "decks" / "mus")
    some = {card: face for card, face in deck.faces.items() if card.rank is not Rank.SIETE}
    lacking = HandReader(replace(deck, faces=some))
    picture, cards = shot(CloseUp("foreign", Way.SEPARATED, holds=Rank.SIETE), 5)
    assert told(lacking.read(picture)) <= cards


def test_what_shows_no_card_is_told_by_its_reason() -> None:
    fan, _ = shot(FAN)
    empty, _ = shot(CloseUp("none", count=0))
    strange = {card: _drawn(seed, face) for seed, (card, face) in enumerate(art().items())}
    another, _ = photographed(CloseUp("another deck"), strange, 3)
    rows = {
        HandTrouble.NONE: empty,
        HandTrouble.DARK: np.asarray(fan // 12, np.uint8),
        HandTrouble.BLURRED: np.asarray(cv2.GaussianBlur(fan, (0, 0), 30), np.uint8),
    }
    assert {why: reader().read(picture).trouble for why, picture in rows.items()} == {
        why: why for why in rows
    }
    assert reader().read(another) == HandReading((), HandTrouble.NONE)


@pytest.mark.parametrize("sides", [(16, 16), (16, 256), (900, 1200)])
def test_noise_of_any_shape_is_no_hand(sides: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (*sides, 3), np.uint8)
    reading = reader().read(noise)
    assert reading.cards == ()
    assert reading.trouble is not None


def _drawn(seed: int, face: Image) -> Image:
    """A card with a rim of paper and a drawing that no Spanish deck has."""
    dice = np.random.default_rng(seed)
    drawn = np.full_like(face, 245)
    high, wide = face.shape[:2]
    for _ in range(12):
        x, y = (int(part) for part in dice.uniform((40, 60), (wide - 40, high - 60)))
        colour = [int(part) for part in dice.integers(0, 255, 3)]
        cv2.circle(drawn, (x, y), int(dice.integers(6, 30)), colour, -1)
    return drawn
