"""The page speaks the table's language, or the one in its address."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.page import DashboardServer
from assistant.table.snapshot import LogPhrases, Snapshot
from scripts.lab import make_fonts
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


STRANGE = """([letters, face]) => {
  const pen = document.createElement("canvas").getContext("2d");
  const wide = (font, letter) => { pen.font = font; return pen.measureText(letter).width; };
  return [...letters].filter((letter) => ["serif", "monospace"]
    .some((other) => wide(`${face}, ${other}`, letter) !== wide(`${face}, cursive`, letter)));
}"""
"""The letters that another font has to draw, for they are as wide as that one's."""


@pytest.mark.parametrize("face", ["text-400", "text-600", "display-700", "display-700-italic"])
def test_a_font_of_the_pages_has_every_letter_of_western_europe(
    browser: Browser, server: DashboardServer, face: str
) -> None:
    """So that "Añá" is one font, on a machine with no other, too."""
    ends = [one.removeprefix("U+").split("-") for one in make_fonts.LETTERS.split(",")]
    codes = [code for one in ends for code in range(int(one[0], 16), int(one[-1], 16) + 1)]
    letters = "".join(map(chr, codes))
    family, weight, *style = face.split("-")
    font = f'{" ".join(style)} {weight} 40px "Mus {family.title()}"'
    for page in opened(browser, server, SIZES[0]):
        page.evaluate("(font) => document.fonts.load(font, 'Mus')", font)
        assert page.evaluate(STRANGE, [letters, font]) == []
        assert page.evaluate(STRANGE, ["字Ж", font]) != []
