"""The demo on the table's page: captions while it plays, and the invitation at its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.page import DashboardServer, serve
from assistant.rules.calls import Bet, Cut, Pass, ShowHand
from assistant.rules.cards import parse_hand
from assistant.table.snapshot import LogPhrases, Snapshot
from tests.e2e.browsing import SIZES, fits, opened, say_all, settled, to_showdown
from tests.e2e.table_process import TIMEOUT, command
from tests.e2e.test_page_axe import found_everywhere
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser

COVERED = """() => {
  const demo = document.querySelector("#demo").getBoundingClientRect();
  return [...document.querySelectorAll(".tally li, .felt, .side")].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.left < demo.right - 1 && demo.left < box.right - 1
      && box.top < demo.bottom - 1 && demo.top < box.bottom - 1;
  }).map((node) => node.textContent);
}"""
"""What the demo's place covers."""
HANDS = ("R R C 1", "4 4 5 6", "R 7 7 7", "C C S S")


class CaptionedBoard(FakeBoard):
    """A board that plays the demo from its first caption on."""

    caption: dict[str, Any] | None = None
    partial = ""

    def snapshot(self) -> Snapshot:
        shown = {**super().snapshot(), "partial": self.partial}
        return cast(Snapshot, shown if self.caption is None else {**shown, "demo": self.caption})

    def captioned(
        self, words: str = "", seat: int | None = None, *, over: bool = False, partial: str = ""
    ) -> None:
        with self.changed:
            self.caption, self.partial = {"over": over, "words": words, "seat": seat}, partial
            self._show(self.heard)


def until(comes: Callable[[], bool]) -> None:
    """Wait until it comes."""
    end = time.monotonic() + TIMEOUT
    while not comes():
        assert time.monotonic() < end
        time.sleep(0.1)


@contextmanager
def playing(
    spanish: LogPhrases, checkout: Path
) -> Iterator[tuple[CaptionedBoard, DashboardServer]]:
    board = CaptionedBoard(spanish)
    app = create_app(board, web_dir=checkout / "web", leave=lambda: None)
    server = serve(app, "127.0.0.1", 0)
    server.start()
    try:
        yield board, server
    finally:
        server.stop()


@pytest.fixture
def demo(
    spanish: LogPhrases, checkout: Path, browser: Browser
) -> Iterator[tuple[CaptionedBoard, Page]]:
    with playing(spanish, checkout) as (board, server):
        for page in opened(browser, server, (1024, 768)):
            yield board, page


def test_a_caption_says_what_is_being_said_and_then_who_says_it(
    demo: tuple[CaptionedBoard, Page],
) -> None:
    board, page = demo
    caption = page.locator(".demo-caption")
    expect(page.locator("#demo")).to_be_hidden()
    board.captioned()
    expect(page.locator(".demo-title")).to_have_text("Demostración: dos repartos grabados")
    board.captioned("envido", 2, partial="cinco")
    expect(caption).to_have_text("«cinco…»")
    board.captioned("cinco más", 4)
    expect(caption).to_have_text("Este: «cinco más»")
    assert found_everywhere(page) == []
    board.captioned("qué calor", None)
    expect(caption).to_have_text("«qué calor»")
    expect(page.locator("#demo button")).to_be_hidden()


def test_nobody_taps_the_calls_of_a_demo(demo: tuple[CaptionedBoard, Page]) -> None:
    board, page = demo
    say_all(board, Cut(seat=1))
    expect(page.locator("#actions")).to_be_visible()
    board.captioned("no hay mus", 1)
    expect(page.locator("#demo")).to_be_visible()
    expect(page.locator("#actions")).to_be_hidden()


def test_the_demo_fits_on_every_screen(
    spanish: LogPhrases, checkout: Path, browser: Browser
) -> None:
    """A bet with its caption, and the count with the invitation; on the wall, too."""
    for size in (*SIZES, (360, 640)):
        for path in ("", "watch"):
            with playing(spanish, checkout) as (board, server):
                for page in opened(browser, server, size):
                    page.goto(server.url + path)
                    say_all(board, Cut(seat=1), Pass(seat=1), Bet(seat=2, stones=2))
                    board.captioned("envido", 2)
                    settled(page, board)
                    fits(page, size, f"bet {size} {path}")
                    for part in (".demo-title", ".demo-caption", ".main", ".heard-say"):
                        expect(page.locator(part)).to_be_in_viewport(ratio=1)
                    board.reopen()
                    to_showdown(board)
                    for seat, hand in enumerate(HANDS, start=1):
                        say_all(board, ShowHand(seat=seat, cards=parse_hand(hand)))
                    board.captioned("quiero", 1, over=True)
                    settled(page, board)
                    fits(page, size, f"count {size} {path}")
                    expect(page.locator("#demo h2")).to_have_text("Ahora vosotros")
                    expect(page.locator("#demo h2")).to_be_in_viewport(ratio=1)
                    last = page.locator(".tally li").last
                    expect(last).to_be_in_viewport(ratio=1)
                    assert page.evaluate(COVERED) == [], (size, path)
                    if path:
                        expect(page.locator("#demo button")).to_be_hidden()
                    else:
                        expect(page.locator("#demo button")).to_be_in_viewport(ratio=1)


def test_the_shipped_demo_ends_with_an_invitation_that_leads_to_a_table_of_people(
    browser: Browser, tmp_path: Path
) -> None:
    """It plays as fast as it goes. The voice says the invitation last, in the set language."""
    home, voice = tmp_path / "config", tmp_path / "said.wav"
    own = {**os.environ, "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(tmp_path / "data")}
    subprocess.run(command("settings", "language", "en"), env=own, check=True, timeout=TIMEOUT)
    words = ("--demo", "--fast", "--no-open", "--port", "0", "--voice", voice, "--mic", "nobody's")
    process = subprocess.Popen(
        command("play", *words), env=own, stdout=subprocess.PIPE, stderr=sys.stderr, text=True
    )
    try:
        assert process.stdout
        url = process.stdout.readline().split()[-1]
        wall, page = (browser.new_context(locale="en-GB").new_page() for _ in range(2))
        wall.goto(f"{url}watch")
        page.goto(url)
        for one in (page, wall):
            expect(one.locator("#demo h2")).to_have_text("Now you play", timeout=TIMEOUT * 1000)
        expect(wall.locator("#demo button")).to_be_hidden()
        assert page.locator(".side .count").all_inner_texts() == ["9", "18"]
        # The table that opens anew says its sentences into the same file.
        until(lambda: "Now you play." in voice.with_suffix(".log").read_text("utf-8"))
        page.locator("#demo button").click()
        page.wait_for_url("**/setup")
        expect(page.locator("#form")).to_be_visible()
        expect(wall.locator("#demo")).to_be_hidden()
        expect(wall.locator("#page")).to_have_attribute("aria-busy", "false")
        assert wall.locator(".side .count").all_inner_texts() == ["0", "0"]
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT)
