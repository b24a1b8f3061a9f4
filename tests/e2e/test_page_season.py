"""The season in a browser: one tap from the table, readable on every screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from assistant.page import DashboardServer, serve
from tests.e2e.browsing import OVERFLOWING, opened
from tests.e2e.test_page_axe import found_everywhere
from tests.e2e.test_page_report import SIZES
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.review.test_season import AUTUMN, page_of, played, write

pytestmark = pytest.mark.browser


@pytest.fixture
def server(board: FakeBoard, checkout: Path, tmp_path: Path) -> Iterator[DashboardServer]:
    journal = tmp_path / "table.sqlite3"
    write(journal, "game-1", played(("Bartolomé", "Luis", "Maialen", "Montserrat")))
    write(journal, "game-2", played(at=AUTUMN + 100_000))
    app = create_app(board, web_dir=checkout / "web", seasons=page_of(journal))
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def test_the_menu_leads_to_players_pairs_and_the_next_pairs(
    browser: Browser, server: DashboardServer
) -> None:
    for page in opened(browser, server, SIZES[2]):
        page.locator("#menu-open").click()
        page.get_by_role("link", name="La temporada").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("La temporada")
        for title in ("Jugadores", "Parejas", "Las próximas parejas"):
            expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        ana = page.get_by_role("row").filter(has_text="1. Ana").first
        expect(ana).to_contain_text("100 % (1 de 1)")
        assert found_everywhere(page) == []


def test_the_season_fits_every_screen(browser: Browser, server: DashboardServer) -> None:
    for page in opened(browser, server, SIZES[0]):
        page.goto(f"{server.url}season")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(OVERFLOWING) == []
