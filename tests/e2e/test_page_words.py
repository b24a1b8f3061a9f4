"""The page speaks the table's language, or the one in its address."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.table.snapshot import LogPhrases, Snapshot
from tests.e2e.browsing import SIZES, fits, opened, settled
from tests.e2e.pictures import full_of_tags, painted
from tests.page.fake_board import PaintedBoard

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("code", "undo", "seats"),
    [("eu", "Desegin", "Jokalariak"), ("en", "Undo", "Players")],
)
def test_the_page_speaks_the_tables_language(
    rare: tuple[PaintedBoard, Page], code: str, undo: str, seats: str
) -> None:
    board, page = rare

    def in_another_language(picture: Snapshot) -> None:
        picture["language"] = code

    expect(page.locator("#undo")).to_have_text("Deshacer")
    board.paint(in_another_language)
    expect(page.locator("#undo")).to_have_text(undo)
    expect(page.locator("html")).to_have_attribute("lang", code)
    expect(page.locator("#seats")).to_have_attribute("aria-label", seats)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
@pytest.mark.parametrize(("code", "ordago"), [("eu", "Hordago!"), ("en", "Órdago!")])
def test_the_address_chooses_the_language(
    browser: Browser,
    spanish: LogPhrases,
    checkout: Path,
    size: tuple[int, int],
    code: str,
    ordago: str,
) -> None:
    with painted(spanish, checkout) as (board, server):
        for page in opened(browser, server, size):
            page.goto(f"{server.url}?lang={code}")
            board.paint(full_of_tags)
            expect(page.locator(".main")).to_have_text(ordago)
            settled(page, board)
            fits(page, size, code)
