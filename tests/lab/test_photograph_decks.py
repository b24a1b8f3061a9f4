"""The picture of the page on which a deck is enrolled: a command takes it, and the docs show it."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from scripts.lab import photograph_decks
from scripts.lab.photograph_decks import CARDS, SIZE, main

YELLOW = np.array((77, 189, 236))
"""The ring of the tapped card, in BGR."""


def looks(path: Path) -> None:
    """Check that a picture shows forty cards in the frames of the page, one of them tapped."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[1] == SIZE[0]
    dark = (picture.max(axis=2) < 40).astype(np.uint8)
    found, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [cv2.boundingRect(one) for one in found]
    cards = [(x, y) for x, y, wide, high in boxes if 60 < wide < 100 and 100 < high < 140]
    assert len(cards) == CARDS
    ring = np.abs(picture.astype(int) - YELLOW).max(axis=2) < 30
    top = min(y for _, y in cards)
    row = sorted(x for x, y in cards if y < top + 10)
    yellow = [int(ring[top - 9 : top, x : x + 70].sum()) for x in row]
    assert [at for at, pixels in enumerate(yellow) if pixels > 100] == [5]  # the six of oros


def test_the_committed_picture_is_of_that_page_and_the_docs_show_it(checkout: Path) -> None:
    looks(checkout / "docs" / "deck-page.jpg")
    assert "](deck-page.jpg)" in (checkout / "docs" / "eye.md").read_text("utf-8")


def test_a_missing_browser_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    assert main(["--out", str(tmp_path / "page.jpg")]) == 2
    told = "photograph_decks: There is no Chromium: apt install chromium.\n"
    assert capsys.readouterr().err == told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no Chromium")
def test_the_page_of_a_real_table_is_photographed(tmp_path: Path) -> None:
    photograph_decks.photograph(tmp_path / "page.jpg")
    looks(tmp_path / "page.jpg")
