"""draw_deck: the shipped deck is the drawn one, and no two cards look alike."""

from __future__ import annotations

import json
import re
import tomllib
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.files.paths import data_dir
from assistant.rules.cards import Card, Rank, Suit
from scripts.lab import draw_deck
from scripts.lab.drawing.faces import GAPS, HEIGHT, WIDTH, back, deck, face
from scripts.lab.drawing.raster import Image, pixels

SHIPPED = data_dir("models") / "decks" / "mus"
SAME = 1.0
"""The largest mean difference in levels of 255, because each OpenCV rounds differently."""
APART = 3.0
"""The smallest difference in levels between two cards."""


def read_picture(name: str) -> Image:
    image = cv2.imread(str(SHIPPED / f"{name}.png"))
    assert image is not None, name
    return np.asarray(image, np.uint8)


def difference(one: Image, other: Image) -> float:
    return float(np.abs(one.astype(int) - other.astype(int)).mean())


def test_the_shipped_deck_has_forty_cards_and_a_back() -> None:
    names = {path.stem for path in SHIPPED.glob("*.png")}
    assert names == {f"{rank}{suit}" for rank in Rank for suit in Suit} | {"back"}
    told = tomllib.loads((SHIPPED / "deck.toml").read_text(encoding="utf-8"))
    assert told["size_mm"] == [WIDTH, HEIGHT]


@pytest.mark.parametrize("card", [*deck(), None], ids=str)
def test_the_shipped_card_equals_the_drawn_one(card: Card | None) -> None:
    drawn = pixels(face(card) if card else back(), WIDTH, HEIGHT, draw_deck.PER_MM)
    assert difference(drawn, read_picture(str(card) if card else "back")) < SAME


def test_no_two_cards_look_alike() -> None:
    seen = {str(card): read_picture(str(card)) for card in deck()}
    for one, other in combinations(seen, 2):
        assert difference(seen[one], seen[other]) > APART, (one, other)


@pytest.mark.parametrize("suit", Suit)
@pytest.mark.parametrize("rank", Rank)
def test_the_pinta_breaks_the_frame_as_often_as_the_suit_requires(rank: Rank, suit: Suit) -> None:
    row = read_picture(f"{rank}{suit}")[round(5.6 * draw_deck.PER_MM)].max(axis=1) < 200
    edges = np.count_nonzero(np.diff(row.astype(int)) == 1)
    assert edges == GAPS[suit] + 1


def test_the_number_stands_in_one_corner_and_upside_down_in_the_other() -> None:
    image = read_picture("4o")
    corner = image[26:54, 20:42]
    opposite = image[::-1, ::-1][26:54, 20:42]
    assert corner.min() < 80
    assert difference(np.asarray(corner, np.uint8), np.asarray(opposite, np.uint8)) < 12


def test_a_card_of_no_suit_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="no suit"):
        face(Card(Rank.REY))


def test_the_sheets_have_every_card_once_and_are_a4(tmp_path: Path) -> None:
    page = tmp_path / "cards.html"
    assert draw_deck.main(["--print", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 6
    assert [each.count("<g ") for each in text.split("<svg")[1:]] == [9, 9, 9, 9, 4, 9]
    assert set(re.findall(r'viewBox="([^"]+)"', text)) == {"0 0 210 297"}


def test_an_overview_has_all_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "deck.png"
    assert draw_deck.main(["--picture", str(picture), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"written": [str(picture)]}
    image = cv2.imread(str(picture))
    assert image is not None
    assert image.shape == (4 * 285, 10 * 183, 3)


def test_a_missing_folder_gives_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert draw_deck.main(["--picture", str(tmp_path / "no" / "deck.png")]) == 2
    told = capsys.readouterr().err
    assert "cannot be written" in told
    assert told.count("\n") == 1
