"""The page speaks the table's language, or the one in its address."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.page import DashboardServer, serve
from assistant.table.snapshot import LogPhrases, Snapshot
from scripts.lab import make_fonts
from tests.e2e.browsing import SIZES, fits, opened, settled
from tests.e2e.pictures import full_of_tags, painted
from tests.page.apps import create_app
from tests.page.fake_board import PaintedBoard
from tests.page.wired import Wired

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


@pytest.mark.parametrize(
    ("code", "mano", "cut", "both"),
    [
        ("", "Reparto 1, mus corrido. Es mano Norte", "Norte corta", "Órdago a las dos"),
        ("eu", "1. banaketa, mus jarraia. Eskua: Norte", "Norte: musik ez", "Biak hordago"),
        ("en", "Deal 1, mus corrido. Norte is mano", "Norte cuts", "Órdago on both"),
    ],
)
def test_the_log_and_the_calls_of_a_spanish_table_are_in_the_language_of_the_page(
    browser: Browser, checkout: Path, code: str, mano: str, cut: str, both: str
) -> None:
    wired = Wired()
    wired.runner.start()
    server = serve(create_app(wired.board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    try:
        for page in opened(browser, server, SIZES[-1]):
            page.goto(f"{server.url}?lang={code}")
            line = page.locator("#log li").first
            expect(line).to_contain_text(mano)
            wired.say("no hay mus")
            expect(line).to_contain_text(cut)
            expect(page.locator("#heard")).to_contain_text(cut)
            expect(page.get_by_role("button", name=both, exact=True)).to_be_visible()
            page.reload()  # without a change, too
            expect(line).to_contain_text(cut)
    finally:
        server.stop()
        wired.runner.stop()


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
