"""Other devices at the table: a phone with the PIN may touch, all others look on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.cli.setup import Setup
from assistant.page import DashboardServer, Keys, serve
from assistant.rules.calls import Bet, Cut
from tests.e2e.browsing import fits, opened, settled, to_showdown
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.setting_up import setup_of

pytestmark = pytest.mark.browser

PIN = "482913"
PHONE = (360, 740)
AWAY = "192.168.1.30"


def from_afar(inner: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The app as a device of the network sees it."""

    def app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        return inner({**environ, "REMOTE_ADDR": AWAY}, start)

    return app


@contextmanager
def served(
    board: FakeBoard, checkout: Path, *, away: bool, setup: Setup | None = None
) -> Iterator[DashboardServer]:
    app = create_app(board, web_dir=checkout / "web", keys=Keys(b"k" * 32, PIN), setup=setup)
    if away:
        app.wsgi_app = from_afar(app.wsgi_app)  # type: ignore[method-assign]
    server = serve(app, "127.0.0.1", 0)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def visitor(browser: Browser, board: FakeBoard, checkout: Path) -> Iterator[Page]:
    """A phone without the PIN."""
    with served(board, checkout, away=True) as server:
        yield from opened(browser, server, PHONE)


@pytest.fixture
def arriving(browser: Browser, board: FakeBoard, checkout: Path) -> Iterator[Page]:
    """A phone without the PIN, at a table that can be set up."""
    with served(board, checkout, away=True, setup=setup_of("--voice", "off")) as server:
        yield from opened(browser, server, PHONE)


@pytest.fixture
def host(browser: Browser, board: FakeBoard, checkout: Path) -> Iterator[Page]:
    """The table's own screen, as small as a phone's."""
    with served(board, checkout, away=False) as server:
        yield from opened(browser, server, PHONE)


def go(page: Page, path: str) -> None:
    page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + path)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def within_reach(page: Page, board: FakeBoard) -> None:
    """Check that nothing leaves the screen and a thumb reaches every button."""
    settled(page, board)
    fits(page, PHONE, "phone")
    small = "all => all.filter(b => Math.min(b.offsetWidth, b.offsetHeight) < 44).length"
    assert page.locator("button:visible").evaluate_all(small) == 0


def test_a_device_without_the_pin_sees_the_table_and_no_buttons(
    visitor: Page, board: FakeBoard
) -> None:
    board.say("", Cut(seat=1), Bet(stones=5))
    for path in ("/", "/phone", "/watch"):
        go(visitor, path)
        expect(visitor.locator(".main")).to_have_text("5")
        for part in ("#tools", "#actions", "#showdown", ".centre .options"):
            expect(visitor.locator(part)).to_be_hidden()


def test_after_the_pin_calls_can_be_tapped(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    with served(board, checkout, away=True) as server:
        # Not ``opened``, because the browser complains of each refusal.
        context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
        page = context.new_page()
        page.goto(f"{server.url}phone")
        for told, answer in (("000000", "Ése no es el PIN de la mesa."), (PIN, None)):
            page.locator("#enter input").fill(told)
            page.get_by_role("button", name="Entrar").click()
            if answer:
                expect(page.locator("#enter-say")).to_have_text(answer)
        page.get_by_role("button", name="No hay mus").first.click()
        expect(page.locator(".main")).to_have_text("Grande")
        assert board.state.lance == "grande"
        context.close()


def test_the_setup_asks_a_device_for_the_pin_and_then_opens(arriving: Page) -> None:
    go(arriving, "/setup")
    expect(arriving.locator("#form")).to_be_hidden()
    arriving.locator("#enter input").fill(PIN)
    arriving.get_by_role("button", name="Entrar").click()
    expect(arriving.locator("#form")).to_be_visible()
    expect(arriving.locator("#enter")).to_be_hidden()


def test_the_tables_screen_shows_how_a_phone_can_join(host: Page) -> None:
    host.locator("#menu-open").click()
    expect(host.locator(".pin")).to_have_text("482 913")
    expect(host.locator(".address")).to_contain_text("http://")
    code = host.locator(".join img")
    code.scroll_into_view_if_needed()
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")


def test_a_whole_deal_can_be_played_on_a_phone_within_reach_of_the_thumb(
    host: Page, board: FakeBoard
) -> None:
    go(host, "/phone")
    board.say("", Cut(seat=1), Bet(stones=2))
    within_reach(host, board)
    to_showdown(board)
    within_reach(host, board)
    expect(host.locator("#showdown")).to_be_visible()
    for rank in "RRC1":
        host.locator(f'.rank[data-rank="{rank}"]').click()
    host.get_by_role("button", name="Poner cartas").click()
    expect(host.locator("#showdown h2")).not_to_contain_text("Norte")


def test_commands_to_the_assistant_can_be_tapped(host: Page) -> None:
    host.locator("#menu-open").click()
    host.get_by_role("button", name="¿Cómo vamos?").click()
    expect(host.locator(".heard-say")).to_contain_text("a cero")
    expect(host.locator("#menu")).to_be_hidden()


def test_the_page_opens_while_the_table_is_away_and_waits_for_it(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    with served(board, checkout, away=False) as server:
        context = browser.new_context(viewport={"width": 360, "height": 740})
        page = context.new_page()
        page.goto(server.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()  # its files are cached now
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        port = server.port
    page.goto(f"http://127.0.0.1:{port}/")
    expect(page.locator("#lost")).to_be_visible()
    # no outdated score is shown
    expect(page.locator("main")).to_have_attribute("aria-busy", "true")
    app = create_app(board, web_dir=checkout / "web", keys=Keys(b"k" * 32, PIN))
    again = serve(app, "127.0.0.1", port)
    again.start()
    try:
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        expect(page.locator("#lost")).to_be_hidden()
    finally:
        context.close()
        again.stop()


def test_a_browser_finds_everything_to_install_the_page(host: Page) -> None:
    found = host.evaluate("""async () => {
      const link = document.querySelector("link[rel=manifest]");
      const manifest = await (await fetch(link.href)).json();
      const sizes = await Promise.all(manifest.icons.map(async ({ src, sizes }) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
      }));
      return { manifest, sizes };
    }""")
    assert found["manifest"]["start_url"] == found["manifest"]["scope"] == "/"
    assert found["manifest"]["display"] == "standalone"
    told = [pair for pair in found["sizes"] if pair[0] != "any"]
    assert {size for size, _ in told} >= {"192x192", "512x512"}
    assert all(size == real for size, real in told)


def test_of_two_simultaneous_taps_one_wins_and_the_other_is_reported(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    with served(board, checkout, away=False) as server:
        board.say("", Cut(seat=1))
        pages = [browser.new_page() for _ in range(3)]  # two phones and the tablet
        for page, path in zip(pages, ("phone", "phone", ""), strict=True):
            page.goto(f"{server.url}{path}")
            expect(page.locator(".main")).to_have_text("Grande")
        before = len(board.records)
        late = pages[1]
        # The second tap comes from a page that has not seen the first one.
        late.route("**/events", lambda route: route.abort())
        late.evaluate("dispatchEvent(new Event('online'))")
        pages[0].get_by_role("button", name="Paso", exact=True).click()
        expect(pages[2].locator('[data-seat="1"] .tags')).to_contain_text("paso")
        with late.expect_response("**/api/press") as pressed:
            late.get_by_role("button", name="Envido 2", exact=True).click()
        [told] = pressed.value.json()["outcomes"]
        assert told == {"outcome": "refused", "text": "La mesa ha cambiado: mira otra vez."}
        assert len(board.records) == before + 1
        expect(late.locator("#notice")).to_have_text(told["text"])
        for page in pages:
            page.close()
