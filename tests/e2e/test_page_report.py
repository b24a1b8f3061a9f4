"""The report of a running table in a browser: readable on every screen and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from assistant.page import DashboardServer, serve
from assistant.review.history import LiveReport
from assistant.rules.history import Record
from tests.e2e.browsing import OVERFLOWING, opened
from tests.e2e.test_page_axe import found_everywhere
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.review.report.evenings import juego
from tests.review.test_report import Table

pytestmark = pytest.mark.browser

SIZES = [(320, 640), (390, 844), (1280, 900)]


def serving(board: FakeBoard, checkout: Path, records: tuple[Record, ...]) -> DashboardServer:
    reports = LiveReport(Table(records))  # type: ignore[arg-type]
    return serve(create_app(board, web_dir=checkout / "web", reports=reports), "127.0.0.1", 0)


@pytest.fixture
def server(board: FakeBoard, checkout: Path) -> Iterator[DashboardServer]:
    server = serving(board, checkout, juego(1))
    server.start()
    yield server
    server.stop()


def test_each_player_has_text_and_pictures_and_axe_finds_nothing(
    browser: Browser, server: DashboardServer
) -> None:
    for page in opened(browser, server, SIZES[2]):
        page.locator("#menu-open").click()
        page.get_by_role("link", name="Jugador a jugador").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Jugador a jugador")
        for name in ("Ana", "Luis", "Eva", "Iñaki"):
            expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
            expect(page.get_by_role("img", name=f"{name}: lo dicho en cada lance")).to_be_visible()
        assert found_everywhere(page) == []


def test_the_report_fits_every_screen(browser: Browser, server: DashboardServer) -> None:
    for page in opened(browser, server, SIZES[0]):
        page.goto(f"{server.url}report")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(OVERFLOWING) == []


def test_the_paper_version_is_one_link_away(browser: Browser, server: DashboardServer) -> None:
    for page in opened(browser, server, SIZES[1]):
        page.goto(f"{server.url}report")
        link = page.get_by_role("link", name="En papel (PDF)").get_attribute("href")
        answer = page.request.get(f"{server.url}{link}".replace("//report", "/report"))
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body().startswith(b"%PDF-")


def test_before_the_first_deal_the_page_says_so(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    server = serving(board, checkout, juego(1)[:1])
    server.start()
    for page in opened(browser, server, SIZES[1]):
        page.goto(f"{server.url}report")
        expect(page.locator("main")).to_have_text("Todavía no se ha repartido.")
        assert page.request.get(f"{server.url}report.pdf").status == 404
    server.stop()
