"""The menu: first how a telephone joins, then the pages in groups, and the language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.eye.hand_photos import Workshop
from assistant.eye.page import Zones
from assistant.language.phrases import Phrases
from assistant.page import DashboardServer, Keys, serve
from assistant.telephones.seats import TelephoneSeats
from tests.e2e.browsing import OVERFLOWING, SIZES, SMALL_TARGETS, opened, resized
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.past import history_of
from tests.page.setting_up import settled_setup
from tests.school.drills.making import drills_of
from tests.school.lessons.classrooms import classroom_of
from tests.telephones.stand_in import KeptLines

pytestmark = pytest.mark.browser

PIN = "482913"
NARROW = (360, 640)
GROUPS = {
    "La mesa": ["/", "/phone", "/microphone", "/watch", "/camera", "/decks", "/setup"],
    "Aprender": ["/lessons", "/drills", "/glossary", "/senas"],
    "Después": ["/showdown", "/history"],
}
ICONLESS = """() => [...document.querySelectorAll("#menu :is(.pages a, .asks-of button)")]
  .filter((node) => {
    const used = node.querySelector("svg[aria-hidden] use");
    const box = node.querySelector("svg")?.getBoundingClientRect();
    return !used || !document.querySelector(used.getAttribute("href")) || !box.width;
  }).map((node) => node.textContent)"""
"""The links and buttons of the menu without an icon, or with one that is not drawn."""


@pytest.fixture
def board(spanish: Phrases) -> FakeBoard:
    return FakeBoard(spanish)


def serving(
    board: FakeBoard, checkout: Path, folder: Path, keys: Keys | None
) -> Iterator[DashboardServer]:
    """A table with all pages."""
    classroom = classroom_of()
    app = create_app(
        board,
        web_dir=checkout / "web",
        keys=keys,
        camera=Zones(folder, None, lambda _table: None),
        workshop=Workshop("mus", lambda _deck: None),
        history=history_of(board),
        setup=settled_setup(),
        classroom=classroom,
        drills=drills_of(),
        telephones=TelephoneSeats(KeptLines(), 4),
    )
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()
    classroom.close()


@pytest.fixture
def server(
    board: FakeBoard, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DashboardServer]:
    """A table that other devices may join."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    yield from serving(board, checkout, tmp_path, Keys(b"k" * 32, PIN))


@pytest.fixture
def closed(
    board: FakeBoard, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DashboardServer]:
    """A table for this machine alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    yield from serving(board, checkout, tmp_path, None)


@pytest.fixture
def page(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    yield from opened(browser, server, NARROW)


def open_menu(page: Page) -> None:
    page.locator("#menu-open").click()
    expect(page.locator("#menu")).to_be_visible()


def test_how_a_telephone_joins_is_seen_at_once_on_the_smallest_screen(page: Page) -> None:
    open_menu(page)
    expect(page.locator("#menu .parts .part").first).to_have_class("part join")
    for size in (NARROW, *SIZES):
        resized(page, size)
        code, pin = page.locator(".join img"), page.locator(".join .pin")
        expect(pin).to_have_text("482 913")
        for node in (code, pin, page.locator(".join .address")):
            expect(node).to_be_in_viewport(ratio=1)
        box = code.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 120, size
        line = pin.evaluate(
            "n => n.getBoundingClientRect().height / parseFloat(getComputedStyle(n).fontSize)"
        )
        assert line < 1.5, f"the PIN breaks in two lines, {size}"


def test_where_no_telephone_may_join_the_menu_says_what_to_turn_on(
    browser: Browser, closed: DashboardServer
) -> None:
    for page in opened(browser, closed, NARROW):
        open_menu(page)
        expect(page.locator(".pin")).to_have_count(0)
        hint = page.locator("#menu .parts .part").first
        expect(hint).to_contain_text("enciende «Otros aparatos»")
        hint.click()
        expect(page.locator("#others")).to_be_in_viewport()


def test_the_pages_stand_in_groups_each_with_its_icon(page: Page) -> None:
    open_menu(page)
    for name, paths in GROUPS.items():
        group = page.get_by_role("navigation", name=name)
        links = group.get_by_role("link").evaluate_all("all => all.map((one) => one.pathname)")
        assert links == paths
    assert page.evaluate(ICONLESS) == []
    here = page.locator("#menu [aria-current]")
    expect(here).to_have_count(1)
    expect(here).to_have_text("La mesa")


@pytest.mark.parametrize("code", ["es", "eu", "en"])
def test_the_menu_fits_every_screen_in_every_language(
    page: Page, server: DashboardServer, code: str
) -> None:
    page.goto(f"{server.url}?lang={code}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    open_menu(page)
    for size in ((320, 640), NARROW, (390, 844), *SIZES, (3840, 2160)):
        resized(page, size)
        assert page.evaluate(OVERFLOWING) == [], size
        assert page.evaluate(SMALL_TARGETS) == [], size
        header = page.locator("#menu header").bounding_box()
        assert header
        assert header["height"] < size[1] / 6, f"the head of the menu breaks, {size}"


def test_a_device_chooses_its_language_in_the_menu_and_keeps_it_on_every_page(
    page: Page, server: DashboardServer
) -> None:
    open_menu(page)
    expect(page.get_by_role("button", name="Español")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Euskara").click()
    expect(page.locator("html")).to_have_attribute("lang", "eu")
    for path in ("phone", "history", "setup"):
        page.goto(f"{server.url}{path}")
        expect(page.locator("html")).to_have_attribute("lang", "eu")
    page.goto(f"{server.url}?lang=en")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    open_menu(page)
    page.get_by_role("button", name="Español").click()  # the table's: no note is left of another
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert page.context.cookies() == []


def test_the_keyboard_opens_walks_and_closes_the_menu(page: Page) -> None:
    page.locator("#menu-open").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#menu .close")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#menu").get_by_role("button", name="English")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="¿Cómo vamos?")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator("#menu-open")).to_be_focused()
