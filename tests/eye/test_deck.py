"""A deck in its folder: it is complete, or one sentence says what it lacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.eye.deck import DeckError, load_deck
from assistant.eye.images import ImageError
from assistant.files.paths import data_dir
from assistant.rules.cards import DECK

SHIPPED = data_dir("models") / "decks" / "mus"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped deck, for a test to damage."""
    return Path(shutil.copytree(SHIPPED, tmp_path / "copy"))


def test_the_shipped_deck_is_complete() -> None:
    deck = load_deck(SHIPPED)
    assert deck.name == "mus"
    assert set(deck.faces) == set(DECK)
    assert len(deck.faces) == 40
    assert deck.size_px == (244, 380)
    assert deck.size_mm == (61.0, 95.0)
    assert deck.back is not None


def test_a_deck_may_lack_its_back(folder: Path) -> None:
    (folder / "back.png").unlink()
    assert load_deck(folder).back is None


def test_a_missing_card_is_named(folder: Path) -> None:
    (folder / "7e.png").unlink()
    with pytest.raises(DeckError, match=r"lacks 1 of 40 cards \(7e\): enrol it again"):
        load_deck(folder)


def test_of_many_missing_cards_only_some_are_named(folder: Path) -> None:
    for path in folder.glob("*o.png"):
        path.unlink()
    with pytest.raises(DeckError, match=r"lacks 10 of 40 cards \(Ro, Co, So, 7o \.\.\.\)"):
        load_deck(folder)


def test_a_card_file_that_is_no_picture_is_named(folder: Path) -> None:
    (folder / "Ro.png").write_text("hola", encoding="utf-8")
    with pytest.raises(ImageError, match=r"Ro\.png is no picture"):
        load_deck(folder)


def test_all_pictures_have_one_size(folder: Path) -> None:
    assert cv2.imwrite(str(folder / "Ro.png"), np.zeros((300, 200, 3), np.uint8))
    with pytest.raises(DeckError, match="differ in size"):
        load_deck(folder)


@pytest.mark.parametrize("shape", [(200, 300), (40, 20), (3000, 2000)])
def test_cards_are_upright_and_neither_tiny_nor_huge(folder: Path, shape: tuple[int, int]) -> None:
    for path in folder.glob("*.png"):
        assert cv2.imwrite(str(path), np.zeros((*shape, 3), np.uint8))
    with pytest.raises(DeckError, match="cards are upright"):
        load_deck(folder)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "write title"),
        ("title = 3\nsize_mm = [61, 95]", "write title"),
        ('title = " "\nsize_mm = [61, 95]', "write title"),
        ('title = "x"', "write size_mm"),
        ('title = "x"\nsize_mm = [95, 61]', "write size_mm"),
        ('title = "x"\nsize_mm = [61]', "write size_mm"),
        ('title = "x"\nsize_mm = [true, 95]', "write size_mm"),
        ('title = "x"\nsize_mm = ["61", "95"]', "write size_mm"),
        ('title = "x"\nsize_mm = [61, nan]', "write size_mm"),
        ('title = "x"\nsize_mm = [6, 9]', "write size_mm"),
        ("title = ", "is no TOML"),
        ("x" * 20_000, "is no TOML"),
    ],
)
def test_an_incomplete_description_is_refused_with_what_it_lacks(
    folder: Path, text: str, told: str
) -> None:
    (folder / "deck.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DeckError, match=told):
        load_deck(folder)


def test_a_description_that_is_no_text_is_refused_in_one_sentence(folder: Path) -> None:
    (folder / "deck.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DeckError, match="is no TOML"):
        load_deck(folder)


def test_a_folder_without_a_deck_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"holds no deck: there is no deck\.toml"):
        load_deck(tmp_path)
