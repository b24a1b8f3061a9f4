"""Enrolment of a deck: references look like their cards, and bad photographs are refused."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.eye.deck import load_deck
from assistant.eye.draft import DeckDraft
from assistant.eye.enrol import (
    CardFault,
    CardRow,
    EnrolError,
    card_place,
    deck_of,
    enrolled_back,
    enrolled_rows,
    look_at,
)
from assistant.eye.images import Image
from assistant.files.paths import data_dir
from assistant.rules.cards import DECK, Card, Rank, Suit
from scripts.lab.eyebench.enrolling import unevenness
from scripts.lab.eyebench.enrolment import Fall, back_sheet, sheets
from tests.eye.eyes import art

SIZE_MM = (61.0, 95.0)


@cache
def photographs() -> tuple[Image, ...]:
    return tuple(sheet.picture for sheet in sheets(art(), 5, 4, scale=0.5))


@cache
def rows() -> tuple[CardRow, ...]:
    return tuple(
        enrolled_rows(picture, [suit], SIZE_MM)[0]
        for suit, picture in zip(Suit, photographs(), strict=True)
    )


def alike(one: Image, other: Image) -> float:
    return float(_small(one) @ _small(other))


def _small(face: Image) -> npt.NDArray[np.float64]:
    little = cv2.resize(face, (56, 88), interpolation=cv2.INTER_AREA)
    levels = np.asarray(cv2.GaussianBlur(little, (0, 0), 1), np.float64).ravel()
    levels -= levels.mean()
    return levels / np.linalg.norm(levels)


def test_each_reference_is_most_like_its_own_card() -> None:
    deck = deck_of("mia", "Mía", SIZE_MM, rows())
    assert list(deck.faces) == list(DECK)
    for card in random_cards():
        likeness = {other: alike(deck.faces[card], face) for other, face in art().items()}
        assert max(likeness, key=likeness.__getitem__) == card
        assert likeness[card] > 0.9


def random_cards() -> list[Card]:
    dice = np.random.default_rng(2)
    return [DECK[at] for at in dice.choice(len(DECK), 8, replace=False)]


def test_paper_is_white_under_any_lamp() -> None:
    for row in rows():
        for face in row.faces.values():
            rim = face[6:10, 60:-60].reshape(-1, 3).mean(axis=0)
            assert np.abs(rim - 240).max() < 14


@pytest.mark.parametrize("fall", [Fall.SMOOTH, Fall.SHADOW, Fall.CORNERS])
def test_references_are_evenly_white_in_uneven_light(fall: Fall) -> None:
    sheet = sheets(art(), 5, 4, scale=0.5, fall=fall)[1]
    row = enrolled_rows(sheet.picture, sheet.suits, SIZE_MM)[0]
    for card, face in row.faces.items():
        assert alike(face, art()[card]) > 0.9
        assert unevenness(face, art()[card]) < 0.03


def refused(code: str, picture: Image, suits: list[Suit]) -> EnrolError:
    with pytest.raises(EnrolError) as raised:
        enrolled_rows(picture, suits, SIZE_MM, "oros.jpg")
    assert raised.value.code == code
    assert "oros.jpg" in str(raised.value)
    return raised.value


def test_bad_photographs_are_refused_with_advice() -> None:
    good = photographs()[0]
    refused("dark", (good * 0.15).astype(np.uint8), [Suit.OROS])
    refused("blurred", cv2.GaussianBlur(good, (0, 0), 9).astype(np.uint8), [Suit.OROS])
    refused("none", photographs()[0][:40], [Suit.OROS])
    fault = refused("rows", good, [Suit.OROS, Suit.COPAS])
    assert fault.params == {"found": 1, "wanted": 2}


def test_a_row_that_lacks_a_card_is_refused_with_the_number_of_its_cards() -> None:
    quads = list(rows()[0].quads.values())
    cut = int(quads[-1][:, 0].min() + quads[-2][:, 0].max()) // 2
    fault = refused("cards", np.ascontiguousarray(photographs()[0][:, :cut]), [Suit.OROS])
    assert fault.params == {"suit": "o", "found": 9}


def test_a_deck_with_a_missing_or_repeated_suit_is_refused() -> None:
    with pytest.raises(EnrolError, match="clubs is missing") as raised:
        deck_of("mia", "Mía", SIZE_MM, rows()[:3])
    assert raised.value.code == "missing"
    with pytest.raises(EnrolError, match="suit is there twice"):
        deck_of("mia", "Mía", SIZE_MM, [*rows(), rows()[0]])


def test_a_card_that_was_laid_down_twice_is_named() -> None:
    six, seven = Card(Rank("6"), Suit.OROS), Card(Rank("7"), Suit.OROS)
    twice = {**rows()[0].faces, seven: rows()[0].faces[six]}
    with pytest.raises(EnrolError, match="look like the same card") as raised:
        deck_of("mia", "Mía", SIZE_MM, [CardRow(twice, {}), *rows()[1:]])
    assert {raised.value.params["one"], raised.value.params["other"]} == {"6o", "7o"}


def test_the_back_is_enrolled_from_a_single_card() -> None:
    printed = load_deck(data_dir("models") / "decks" / "mus").back
    assert printed is not None
    for seed in (4, 5, 6):
        learnt = enrolled_back(back_sheet(printed, seed, 0.5).picture, SIZE_MM)
        assert max(alike(learnt, printed), alike(learnt[::-1, ::-1], printed)) > 0.97
    with pytest.raises(EnrolError, match="10 cards can be made out") as raised:
        enrolled_back(photographs()[0], SIZE_MM)
    assert raised.value.params == {"found": 10}


def test_the_shape_of_the_cards_is_learnt_and_a_leaning_camera_changes_none() -> None:
    usual, wider = DeckDraft(), DeckDraft()
    usual.add(photographs()[0], [Suit.OROS], "oros.jpg")
    assert usual.size_mm == SIZE_MM
    across = cv2.resize(photographs()[0], None, fx=1.11, fy=1.0, interpolation=cv2.INTER_AREA)
    wider.add(np.asarray(across, np.uint8), [Suit.OROS], "oros.jpg")
    assert wider.size_mm == pytest.approx((61 * 1.11, 95), abs=2.5)


@pytest.mark.usefixtures("in_spanish")
def test_a_card_that_is_partly_covered_is_told_by_row_and_column_with_the_reason() -> None:
    quad = list(rows()[0].quads.values())[3]
    picture = photographs()[0].copy()
    paper = np.array([quad[0], quad[1], quad.mean(axis=0)]).astype(np.int32)
    cv2.fillConvexPoly(picture, paper, (250, 250, 250))
    shown = look_at(picture, SIZE_MM)
    assert len(shown) == 10
    faults = [card for card in shown if card.fault is not None]
    assert [card_place(card) for card in faults] == ["la 4ª carta de la 1ª fila"]
    assert faults[0].fault is CardFault.RIM
    assert faults[0].face is None
