"""Cards of the pack that are not of Mus: none is told, and no true card is lost to them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye.check import CellCheck
from assistant.eye.deck import Deck, DeckError, load_deck, save_deck
from assistant.eye.images import Image
from assistant.eye.match import Matcher, NotMusCards
from assistant.eye.read import Reader
from assistant.eye.windows import WindowCheck
from assistant.files.paths import data_dir
from assistant.rules.cards import Card, Rank, Suit
from scripts.lab.drawing.faces import HEIGHT, WIDTH, foreign_faces
from scripts.lab.drawing.raster import pixels
from scripts.lab.eyebench import scenes
from scripts.lab.eyebench.trial import shot
from tests.eye.eyes import art, picture, table
from tests.eye.test_check import eight_like_a_seven, outline

SEVEN = Card(Rank.SIETE, Suit.OROS)
WHOLE = np.ones((88, 56), np.uint8)


def deck(*not_mus: Image) -> Deck:
    size = next(iter(art().values())).shape[:2]
    assert all(face.shape[:2] == size for face in not_mus)
    return replace(load_deck(data_dir("models") / "decks" / "mus"), not_mus=not_mus)


@cache
def drawn() -> tuple[Image, ...]:
    return tuple(np.asarray(pixels(face, WIDTH, HEIGHT, 4), np.uint8) for face in foreign_faces())


def test_a_deck_is_read_back_with_the_cards_that_are_none_of_mus(tmp_path: Path) -> None:
    save_deck(tmp_path / "mia", deck(*drawn()[:3]))
    read = load_deck(tmp_path / "mia")
    assert len(read.not_mus) == 3
    assert all(np.array_equal(*pair) for pair in zip(read.not_mus, drawn()[:3], strict=True))
    save_deck(tmp_path / "odd", deck())
    small = tmp_path / "odd" / "not_mus_01.png"
    assert cv2.imwrite(str(small), drawn()[0][::2, ::2])
    with pytest.raises(DeckError, match="differ in size"):
        load_deck(tmp_path / "odd")


def test_the_reference_that_explains_a_card_better_is_the_likelier() -> None:
    known, matcher = NotMusCards(drawn()), Matcher(deck())
    for face, foreign in ((eight_like_a_seven(), True), (art()[SEVEN], False)):
        likeness = matcher.match(face, outline(face), WHOLE)
        assert likeness.card == SEVEN
        assert known.are_as_likely(face, outline(face), WHOLE, likeness) is foreign
    assert not NotMusCards(()).are_as_likely(face, outline(face), WHOLE, likeness)


def test_a_foreign_card_that_would_be_told_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for check in (CellCheck, WindowCheck):
        monkeypatch.setattr(check, "belief", lambda _self, _value, _share: 1.0)
    foreign = sorted({placed.card for placed in table().cards}, key=str)
    frame = shot(table(), {**art(), **dict(zip(foreign, drawn(), strict=False))}, 1, 1)[0]

    def told(by: Deck) -> int:
        return sum(one.card is not None for one in Reader(by).read([frame]).sightings)

    assert told(deck()) >= 4
    assert told(deck(*drawn())) == 0


@pytest.mark.slow
def test_no_true_card_is_lost_by_the_cards_that_are_none_of_mus() -> None:
    def told(by: Deck) -> set[Card | None]:
        return {one.card for one in Reader(by).read([picture()]).sightings if one.card}

    without = told(deck())
    assert without <= {seen.card for seen in scenes.truth(table())}
    assert len(without) >= 14
    assert told(deck(*drawn())) == without
