"""Helpers for the pages in a real Chromium: opening, tapping and checking them."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from assistant.page import DashboardServer
from assistant.rules.calls import Call, Cut, Declare, Pass
from assistant.rules.phases import Phase
from tests.page.fake_board import FakeBoard

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PHONE, TABLET, WALL, SMALL = (360, 740), (1024, 768), (1920, 1080), (800, 480)
SIZES = [PHONE, TABLET, WALL, SMALL]
"""What the page is looked at with. The small one is the display of a single-board computer."""
SCREENS = [
    (360, 640), (360, 740), (390, 844), (800, 480), (1024, 768), (1280, 800), (1920, 1080),
    (3840, 2160),
]  # fmt: skip
"""All screens that the pages are made for."""

SPARE = 8.0
"""Seconds before a test's limit of time at which its browser's driver is ended."""


class Browsing:
    """The driver of browsers and one Chromium, for all tests of a process.

    The driver is a process of its own, and rarely it dies: then all that came after it would fail.
    So it is looked at before each test, and begun anew. Once in thousands of tests on a busy
    machine a Chromium is gone and its driver waits for it for ever, where a test's limit of time
    does not end the wait. So a test that takes too long loses its driver, which ends it.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        before = children()
        self.driver: Playwright = sync_playwright().start()
        (self.pid,) = children() - before
        # Chromium's part without windows opens a page in half the time; it is not everywhere.
        found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        self.chromium: Browser = self.driver.chromium.launch(executable_path=found, args=FLAGS)

    def alive(self) -> Browsing:
        try:
            self.chromium.new_browser_cdp_session().detach()
        except Error:
            self.end()
            self._begin()
        return self

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """A driver that is still at work after so many seconds is killed, and its calls fail."""
        timer = threading.Timer(seconds, lambda: os.kill(self.pid, signal.SIGKILL))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def end(self) -> None:
        with suppress(Error):  # a dead driver closes nothing
            self.chromium.close()
        self.driver.stop()


def children() -> set[int]:
    """Return the processes that this one has begun."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for listed in lists for pid in listed.read_text("ascii").split()}


def opened(
    browser: Browser, server: DashboardServer, size: tuple[int, int], scheme: str = "light"
) -> Iterator[Page]:
    """The page, loaded. Any complaint of the browser fails the test."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        locale="es-ES",
    )
    page = context.new_page()
    complaints: list[str] = []

    def keep(message: ConsoleMessage) -> None:
        # A refused connection while the server is away is no fault of the page.
        if message.type in ("error", "warning") and "net::ERR" not in message.text:
            complaints.append(message.text)

    page.on("console", keep)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.url)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    yield page
    context.close()
    assert complaints == []


def hall_page(browser: Browser, url: str, size: tuple[int, int] = SIZES[0]) -> Page:
    """A page of the hall, loaded. A failing script fails the test."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, locale="es-ES", reduced_motion="reduce"
    )
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(url)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    return page


def score(page: Page, side: str) -> str:
    return page.locator(f'.side[data-side="{side}"] .count').inner_text()


def say_all(board: FakeBoard, *calls: Call) -> None:
    for call in calls:
        board.say("", call)


def to_showdown(board: FakeBoard) -> None:
    say_all(board, Cut(seat=1))
    while board.state.phase is not Phase.SHOWDOWN:
        declaring = board.state.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY)
        board.say("", Declare(holds=False) if declaring else Pass())


OVERFLOWING = """() => [...document.querySelectorAll("main *, .drawer *")]
  .filter((node) => node.checkVisibility() && !node.closest("svg, .unseen, .log ol"))
  .filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width && (box.right > innerWidth + 1 || box.left < -1);
  }).map((node) => node.className || node.tagName)"""


OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll(".seat, .centre > *")]
    .filter((node) => node.checkVisibility() && node.textContent)
    .map((node) => [node.className, node.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => a.left < b.right - 2 && b.left < a.right - 2
      && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${one} / ${other}`));
}"""


SMALL_TARGETS = """() => [...document.querySelectorAll("button")]
  .filter((node) => node.checkVisibility())
  .filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width < 44 || box.height < 44;
  }).map((node) => node.textContent)"""


ENDING = "#moment:is([data-kind=juego], [data-kind=match])"
"""The end of a juego or of the match, over the whole screen."""
SETTLED = """() => document.fonts.ready.then(() =>
  Promise.all(document.getAnimations().map((moving) => moving.finished)))"""


def shows_newest(page: Page, board: FakeBoard) -> None:
    """Wait until the page shows the newest snapshot, and maybe a moment over it."""
    expect(page.locator("#page")).to_have_attribute("data-version", str(board.version))


def settled(page: Page, board: FakeBoard) -> None:
    """Wait until the page shows the newest snapshot and every animation has ended.

    A juego or a match that fills the screen is tapped away.
    """
    shows_newest(page, board)
    if (ending := page.locator(ENDING)).is_visible():
        ending.click()
    page.evaluate(SETTLED)


def fits(page: Page, size: tuple[int, int], moment: str) -> None:
    """Check that nothing leaves the screen, covers a player or is too small for a finger."""
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0], moment
    assert page.evaluate(OVERFLOWING) == [], moment
    assert page.evaluate(OVERLAPPING) == [], moment
    assert page.evaluate(SMALL_TARGETS) == [], moment


def resized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def press(page: Page, button: Locator) -> None:
    """Tap a button and wait for the answer of the table."""
    with page.expect_response(lambda answer: "/api/" in answer.url and answer.ok):
        button.click()
