"""All that matters fits one screen: boxes measured in Chromium at eight sizes, at each moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.cli.app import PracticeSession
from assistant.files.resources import load_phrases
from assistant.page import DashboardServer, serve
from tests.e2e.browsing import (
    OVERLAPPING,
    SCREENS,
    SMALL_TARGETS,
    opened,
    resized,
    settled,
)
from tests.e2e.moments import CALLING, moments, on_the_wall, wanted
from tests.e2e.test_page_door import served
from tests.e2e.test_page_practice import answer, begin, session, waits
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser

SIZES = SCREENS
SMALLEST = [(360, 640), (800, 480)]
TELEVISION = (1920, 1080)
LANGUAGES = ("es", "eu", "en")
LONG_NAMES = ("Maritxu", "Bartolomé", "José Luis", "Ane Miren")
PRACTICE_MOMENTS = ("mus", "throw", "declare", "open", "reply", "count")

UNSEEN = """(wanted) => wanted.flatMap((query) => {
  const nodes = [...document.querySelectorAll(query)].filter((node) => node.checkVisibility());
  if (nodes.length === 0) return [`${query}: not there`];
  return nodes.filter((node) => node.textContent || node.matches("button, img")).flatMap((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const what = `${query} "${node.textContent.trim()}"`;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
      return [`${what}: off the screen, ${[left, top, right, bottom].map(Math.round)}`];
    for (const x of [.3, .5, .7]) for (const y of [.15, .5, .85]) {
      const hit = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
      if (!node.contains(hit)) return [`${what}: under ${hit?.className || hit?.tagName}`];
    }
    return [];
  });
})"""
"""The parts that are not there, that leave the screen, or that something else covers."""

SMALL_WORDS = """(least) => [...document.querySelectorAll(".bar *, main *")]
  .filter((node) => node.checkVisibility() && !node.closest(".unseen"))
  .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((node) => getComputedStyle(node).clipPath === "none")
  .map((node) => [parseFloat(getComputedStyle(node).fontSize), node.className, node.textContent])
  .filter(([size]) => size < least - .01)"""
"""The texts on a page with a font smaller than this, in pixels."""

INK = """(node) => {
  const style = getComputedStyle(node);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return pen.measureText(node.textContent.replace(/[^\\p{L}\\p{N}]/gu, "")).actualBoundingBoxAscent;
}"""
"""How high the letters or figures of a node are, from their foot to their top."""

ROWS = """(query) => new Set([...document.querySelectorAll(query)]
  .filter((node) => node.checkVisibility())
  .map((node) => Math.round(node.getBoundingClientRect().top))).size"""
"""In how many rows the elements stand that are seen."""


def on_one_screen(page: Page, parts: list[str], size: tuple[int, int], moment: str) -> None:
    assert page.evaluate(UNSEEN, parts) == [], f"{moment} {size}"
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0], f"{moment} {size}"
    assert page.evaluate(OVERLAPPING) == [], f"{moment} {size}"
    assert page.evaluate(SMALL_TARGETS) == [], f"{moment} {size}"


def is_telephone(size: tuple[int, int]) -> bool:
    return size[0] < size[1]


@pytest.mark.parametrize("path", ["", "phone"])
def test_whatever_matters_at_the_table_is_on_one_screen(
    browser: Browser, server: DashboardServer, board: FakeBoard, path: str
) -> None:
    for page in opened(browser, server, SIZES[0]):
        page.goto(f"{server.url}{path}")
        for moment in moments(board):
            for size in SIZES:
                resized(page, size)
                settled(page, board)
                on_one_screen(page, wanted(moment), size, moment)
                if not is_telephone(size):
                    height = page.evaluate("document.documentElement.scrollHeight")
                    assert height <= size[1], f"{moment} {size} scrolls"


@pytest.mark.parametrize(
    ("language", "names"), [("eu", LONG_NAMES), ("en", LONG_NAMES), ("es", LONG_NAMES)]
)
def test_long_names_and_other_languages_fit_the_smallest_screens(
    browser: Browser, checkout: Path, language: str, names: tuple[str, ...]
) -> None:
    board = FakeBoard(load_phrases(language), names=names)
    rules = board.state.profile
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    try:
        for page in opened(browser, server, SIZES[0]):
            for path in ("", "watch"):
                board.reopen(rules)  # the moments end with a match of one juego
                page.goto(f"{server.url}{path}")
                for moment in moments(board):
                    parts = on_the_wall(moment) if path else wanted(moment)
                    for size in [*SMALLEST, *([TELEVISION] if path else [])]:
                        resized(page, size)
                        settled(page, board)
                        on_one_screen(page, parts, size, f"{language} {path} {moment}")
    finally:
        server.stop()


def test_on_a_telephone_the_calls_are_pinned_to_the_bottom_below_one_row_of_names(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, SIZES[0]):
        for path in ("", "phone"):
            page.goto(f"{server.url}{path}")
            for moment in moments(board):
                for size in filter(is_telephone, SIZES):
                    resized(page, size)
                    settled(page, board)
                    assert page.evaluate(ROWS, ".seat, .tab") == 1, f"{moment} {size}"
                    if moment not in CALLING:
                        continue
                    actions = page.locator("#actions").bounding_box()
                    tools = page.locator("#tools").bounding_box()
                    assert actions
                    assert tools
                    assert abs(actions["y"] + actions["height"] - tools["y"]) < 4, moment
                    assert tools["y"] + tools["height"] == size[1], moment


ALARM = """(node) => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.setProperty("color", "var(--alarm)");
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  return getComputedStyle(node).backgroundColor === wanted;
}"""


def test_ordago_is_red_and_no_other_call_is(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, SIZES[0]):
        for moment in moments(board):
            if moment not in CALLING:
                continue
            settled(page, board)
            for call in page.locator("#actions .call > button").all():
                assert call.evaluate(ALARM) == ("rdago" in call.inner_text()), call.inner_text()


def test_the_wall_shows_the_whole_game_without_log_and_buttons(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        page.goto(f"{server.url}watch")
        for moment in moments(board):
            for size in SIZES:
                resized(page, size)
                settled(page, board)
                on_one_screen(page, on_the_wall(moment), size, moment)
                height = page.evaluate("document.documentElement.scrollHeight")
                assert height <= size[1], f"{moment} {size} scrolls"
            assert page.locator("button:visible, #log").count() == 0


def test_the_wall_can_be_read_from_three_metres(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        page.goto(f"{server.url}watch")
        for moment in moments(board):
            for size in SIZES:
                resized(page, size)
                settled(page, board)
                scale = min(size[0] / TELEVISION[0], size[1] / TELEVISION[1])
                # A telephone is held in the hand.
                least = 15 if is_telephone(size) else 48 * scale
                assert page.evaluate(SMALL_WORDS, least) == [], f"{moment} {size}"
                if moment in CALLING and not is_telephone(size):
                    height = page.locator(".main").evaluate(INK)
                    assert height >= 120 * scale - 0.5, f"{moment} {size}"
                    for count in page.locator(".side .count").all():
                        assert count.evaluate(INK) >= 120 * scale - 0.5, f"{moment} {size}"


def test_the_middle_of_the_felt_is_used_on_the_wall(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    """From the first word in the middle to the last is half of what the players leave free."""
    for page in opened(browser, server, TELEVISION):
        page.goto(f"{server.url}watch")
        for moment in moments(board):
            if moment not in CALLING:
                continue
            settled(page, board)
            above, below = (page.locator(f".seat[data-seat='{n}']").bounding_box() for n in (1, 3))
            words = page.locator("#centre").bounding_box()
            assert above
            assert below
            assert words
            free = below["y"] - above["y"] - above["height"]
            assert words["height"] >= free / 2, moment


def test_a_table_that_only_looks_on_is_the_wall_and_its_menu(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    with served(board, checkout, away=True) as server:
        for page in opened(browser, server, TELEVISION):
            for moment in moments(board):
                settled(page, board)
                on_one_screen(page, on_the_wall(moment), TELEVISION, moment)
                assert page.evaluate(SMALL_WORDS, 48) == [], moment
                expect(page.locator("button:visible")).to_have_attribute("id", "menu-open")
                expect(page.locator("#log")).to_be_hidden()


def test_a_screen_without_any_pointer_is_the_wall_until_a_key_is_pressed(
    browser: Browser, server: DashboardServer
) -> None:
    for page in opened(browser, server, TELEVISION):
        page.add_init_script("""{
          const plain = window.matchMedia.bind(window);
          window.matchMedia = (asked) =>
            asked === "(any-pointer: none)" ? { matches: true } : plain(asked);
        }""")
        page.reload()
        expect(page.locator("main.wall")).to_be_visible()
        expect(page.locator("#actions")).to_be_hidden()
        page.keyboard.press("Tab")
        expect(page.locator("#actions")).to_be_visible()


def practice_parts(moment: str) -> list[str]:
    parts = [".score-of strong", ".score-of .who"]
    if moment == "count":
        return [*parts, "#count .won", "#count .next", ".stones-won li", ".all-hands .drawn"]
    parts += [".player .name", ".middle .main", "#prompt", ".own-card"]
    if moment == "throw":
        return [*parts, ".throwing"]
    parts += [".offer"]
    return [*parts, ".amount"] if moment in ("mus", "open", "reply") else parts


def practice_moment(game: PracticeSession, waited: str) -> str:
    if waited != "call":
        return waited
    now = cast(dict[str, Any], game.board.snapshot())
    kinds = {offer["kind"] for offer in now["practice"]["offers"]}
    if "mus" in kinds:
        return "mus"
    if {"holds", "lacks"} & kinds:
        return "declare"
    return "reply" if "accept" in kinds else "open"


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_practice_cards_and_calls_are_on_one_screen(browser: Browser, language: str) -> None:
    with session(language) as game:
        for page in opened(browser, game.server, SIZES[0]):
            begin(page, "paciente")
            seen: set[str] = set()
            while not set(PRACTICE_MOMENTS) <= seen:
                waited = waits(page)
                moment = practice_moment(game, waited)
                if moment not in seen:
                    seen.add(moment)
                    for size in practice_sizes(page):
                        on_one_screen(page, practice_parts(moment), size, f"{language} {moment}")
                        pinned(page, moment, size)
                    assert "undefined" not in page.locator("main").inner_text()
                answer(page, game, waited)


def practice_sizes(page: Page) -> Iterator[tuple[int, int]]:
    for size in SIZES:
        resized(page, size)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_function("() => [...document.images].every((image) => image.complete)")
        yield size


def pinned(page: Page, moment: str, size: tuple[int, int]) -> None:
    """Check that a telephone has the calls at its bottom, and the three others in one row."""
    if not is_telephone(size) or moment == "count":
        return
    assert page.evaluate(ROWS, ".player") == 1, f"{moment} {size}"
    box = page.locator(".throwing" if moment == "throw" else "#calls").bounding_box()
    assert box
    assert abs(box["y"] + box["height"] - size[1]) < 12, f"{moment} {size}"
