"""Every page checked by axe-core for accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from assistant.eye.hand_photos import Workshop
from assistant.eye.page import Zones
from assistant.language.phrases import Phrases
from assistant.page import DashboardServer, Keys, serve
from assistant.rules.calls import Bet, Cut, Ordago, ShowHand
from assistant.rules.cards import parse_hand
from assistant.telephones.seats import TelephoneSeats
from tests.e2e.browsing import ENDING, SCREENS, SETTLED, resized, settled, shows_newest, to_showdown
from tests.e2e.moments import moments
from tests.e2e.pictures import full_of_tags, painted
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.past import history_of
from tests.page.setting_up import settled_setup
from tests.telephones.stand_in import KeptLines

pytestmark = pytest.mark.browser

WORSE = ("serious", "critical")
PAGES = ("", "phone", "watch", "history", "showdown", "camera", "decks", "setup", "microphone")
SCHEMES = ("light", "dark")
RUN = "() => axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"


def found(page: Page) -> list[str]:
    """The serious findings of axe: the rule and the element."""
    # Headings stand before the last style sheet is there, and axe would see bare colours.
    page.wait_for_load_state()
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    told = page.evaluate(RUN)
    return [f"{one['id']}: {node['target']}: {node.get('failureSummary')}"
            for one in told if one["impact"] in WORSE for node in one["nodes"]]  # fmt: skip


def found_everywhere(page: Page) -> list[str]:
    """The serious findings on each of the eight screens, in light and in dark."""
    before, told = page.viewport_size, []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for size in SCREENS:
            resized(page, size)
            page.evaluate(SETTLED)
            told += [f"{size} {scheme} {one}" for one in found(page)]
    page.emulate_media(color_scheme="null")
    if before:
        resized(page, (before["width"], before["height"]))
    return told


@pytest.fixture
def server(
    board: FakeBoard, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DashboardServer]:
    """A table with an eye, open to the network, and so with all pages."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = create_app(
        board,
        web_dir=checkout / "web",
        keys=Keys(b"k" * 32, "482913"),
        camera=Zones(tmp_path, None, lambda _table: None),
        workshop=Workshop("mus", lambda _deck: None),
        history=history_of(board),
        setup=settled_setup(),
        telephones=TelephoneSeats(KeptLines(), 4),
    )
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def page_of(browser: Browser, url: str, scheme: str = "light", *, stays: bool = False) -> Page:
    """A page, loaded. ``stays``: what it shows for some seconds alone stays there."""
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
    )
    page = context.new_page()
    if stays:
        page.add_init_script(MOMENTS_STAY)
    page.goto(url)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    return page


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious_on_any_page(
    browser: Browser, board: FakeBoard, server: DashboardServer, path: str
) -> None:
    if path in ("history", "showdown"):
        to_showdown(board)
        board.say("", ShowHand(seat=1, cards=parse_hand("R R C 1")))
    else:
        board.say("", Cut(seat=1), Bet(stones=5))
    page = page_of(browser, f"{server.url}{path}")
    assert found_everywhere(page) == []
    page.context.close()


@pytest.mark.parametrize("opener", ["#menu-open", "#more", ".side .count"])
def test_axe_finds_nothing_serious_in_the_dialogs_of_the_table(
    browser: Browser, board: FakeBoard, server: DashboardServer, opener: str
) -> None:
    board.say("", Cut(seat=1), Bet(stones=5))
    page = page_of(browser, server.url)
    page.locator(opener).first.click()
    expect(page.locator("dialog[open]")).to_have_count(1)
    assert found_everywhere(page) == []
    page.context.close()


def test_axe_finds_nothing_serious_on_the_fullest_table(
    browser: Browser, spanish: Phrases, checkout: Path
) -> None:
    with painted(spanish, checkout) as (board, server):
        page = page_of(browser, server.url)
        board.paint(full_of_tags)
        expect(page.locator(".main")).to_have_text("¡Órdago!")
        assert found_everywhere(page) == []
        page.context.close()


MOMENTS_STAY = """{
  const plain = setTimeout;
  window.setTimeout = (act, after, ...more) => plain(act, after >= 1500 ? 9e5 : after, ...more);
}"""
"""What covers the felt for two or three seconds stays there."""


@pytest.mark.parametrize("path", ["", "watch"])
def test_axe_finds_nothing_serious_in_an_ordago_over_the_table(
    browser: Browser, board: FakeBoard, server: DashboardServer, path: str
) -> None:
    page = page_of(browser, f"{server.url}{path}", stays=True)
    board.say("", Cut(seat=1))
    board.say("órdago", Ordago(seat=1))
    expect(page.locator("#moment")).to_have_attribute("data-kind", "ordago")
    assert found_everywhere(page) == []
    expect(page.locator("#moment")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("path", ["", "phone", "watch"])
def test_axe_finds_nothing_serious_at_the_end_of_a_match(
    browser: Browser, board: FakeBoard, server: DashboardServer, path: str
) -> None:
    page = page_of(browser, f"{server.url}{path}", stays=True)
    for moment in moments(board):
        if moment in ("count", "match", "stones"):
            shows_newest(page, board)
            assert found(page) == [], moment
            if moment == "match" and path != "phone":
                expect(page.locator(ENDING)).to_be_visible()
                assert found_everywhere(page) == [], "the end over the screen"
            settled(page, board)
            assert found_everywhere(page) == [], moment
    page.context.close()


def test_axe_finds_a_fault_of_one_screen_in_the_dark(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    board.say("", Cut(seat=1))
    page = page_of(browser, server.url)
    page.evaluate("""document.styleSheets[0].insertRule(
      "@media (width: 390px) and (prefers-color-scheme: dark) {"
      + " .lances .lance { color: #333 !important; background: #222; } }")""")
    told = found_everywhere(page)
    assert told
    assert all(one.startswith("(390, 844) dark color-contrast") for one in told)
    page.context.close()


def test_axe_finds_a_serious_fault(browser: Browser, server: DashboardServer) -> None:
    page = page_of(browser, server.url)
    page.evaluate("document.querySelector('#menu-open').removeAttribute('aria-label')")
    assert any(one.startswith("button-name") for one in found(page))
    page.context.close()
