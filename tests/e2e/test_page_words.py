"""The page speaks the table's language, or the one that its address asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.snapshot import Phrases, Snapshot
from tests.dashboard.fake_board import PaintedBoard
from tests.e2e.browsing import SIZES, fits, opened, settled
from tests.e2e.pictures import full_of_tags, painted

pytestmark = pytest.mark.browser


def test_the_page_speaks_the_tables_language(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare

    def basque(picture: Snapshot) -> None:
        picture["language"] = "eu"

    expect(page.locator("#undo")).to_have_text("Deshacer")
    board.paint(basque)
    expect(page.locator("#undo")).to_have_text("Desegin")
    expect(page.locator("html")).to_have_attribute("lang", "eu")
    expect(page.locator("#seats")).to_have_attribute("aria-label", "Jokalariak")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_address_asks_for_a_language(
    browser: Browser, spanish: Phrases, checkout: Path, size: tuple[int, int]
) -> None:
    with painted(spanish, checkout) as (board, server):
        for page in opened(browser, server, size):
            page.goto(f"{server.url}?lang=eu")
            board.paint(full_of_tags)
            expect(page.locator(".main")).to_have_text("Hordago!")
            settled(page, board)
            fits(page, size, "eu")


def test_both_languages_have_the_same_words(page: Page) -> None:
    spanish, basque = page.evaluate(WORDS)
    assert len(spanish) > 100
    assert spanish == basque
    used = page.evaluate(
        "[...document.querySelectorAll('[data-word], [data-label]')]"
        ".map(n => `page.${n.dataset.word ?? n.dataset.label}:string`)"
    )
    assert set(used) <= set(spanish)


WORDS = """async () => {
  const [{ ES }, { EU }] = await Promise.all(
    [import("/static/js/words.es.js"), import("/static/js/words.eu.js")]);
  const keys = (table, before) => Object.entries(table).flatMap(([key, value]) =>
    typeof value === "object" ? keys(value, `${before}${key}.`)
      : [`${before}${key}:${typeof value}`]);
  return [keys(ES, "").sort(), keys(EU, "").sort()];
}"""
