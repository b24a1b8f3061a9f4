"""Tables of two to six players, in two sides or each for himself: boxes measured in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.page import DashboardServer, serve
from assistant.rules.profile import Profile, Sides
from assistant.table.snapshot import LogPhrases
from assistant.telephones.seats import TelephoneSeats
from tests.e2e.browsing import OVERFLOWING, SMALL_TARGETS, opened, resized, settled
from tests.e2e.moments import moments, on_the_wall, wanted
from tests.e2e.pictures import PICTURES, PLAYERS, painted
from tests.e2e.test_page_door import served
from tests.e2e.test_page_fits import by_table
from tests.e2e.test_page_layouts import SMALL_WORDS, TELEVISION, UNSEEN
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.learning import LearningBoard
from tests.telephones.stand_in import KeptLines

pytestmark = pytest.mark.browser

TELEPHONE, SMALL_SCREEN = (360, 640), (800, 480)
WALLS = [(1280, 800), TELEVISION, (3840, 2160)]

CROWDED = """() => {
  const things = `.felt, .side, .seat, .lances li, .heard, #question, .centre > *, .lances li > *,
    .heard > *, #question > h2, .side :is(.names, .letter, .count, .adentro, .prizes, .stones),
    .seat :is(.name, .telephone, .tag, .card)`;
  const called = (node) => `${node.getAttribute("class")} "${node.textContent.trim()}"`;
  const boxes = [...document.querySelectorAll(things)]
    .filter((node) => node.checkVisibility() && getComputedStyle(node).clipPath === "none")
    .filter((node) => node.textContent || node.matches("svg, .telephone"))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.width > 2 && box.height > 2);
  const over = boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([other, b]) => !one.contains(other) && a.left < b.right - 2 && b.left < a.right - 2
      && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${called(one)} / ${called(other)}`));
  const outside = boxes.filter(([node, box]) => {
    const part = node.closest("section, ol").getBoundingClientRect();
    return box.left < part.left - 2 || box.right > part.right + 2
      || box.top < part.top - 2 || box.bottom > part.bottom + 2;
  }).map(([node]) => `${called(node)} leaves its part`);
  return [...over, ...outside];
}"""
"""The parts of the table that overlap, or that stick out of the section or list they are in."""


LONG = ("Maximiliano", "José-Luis", "Guadalupe", "Maritxu", "Encarnación", "Bartolomé")
SPLIT = """() => {
  const found = [];
  const names = [...document.querySelectorAll(".name, .names")];
  for (const node of names.filter((one) => one.firstChild && one.checkVisibility())) {
    for (const { 0: word, index } of node.textContent.matchAll(/[\\p{L}]+/gu)) {
      const range = document.createRange();
      range.setStart(node.firstChild, index);
      range.setEnd(node.firstChild, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  }
  return found;
}"""
"""The names that are split inside a word."""


@pytest.mark.parametrize("sides", [6, 2])
def test_a_long_name_is_never_split_inside_a_word_and_is_whole_for_a_screen_reader(
    browser: Browser, server: DashboardServer, spanish: LogPhrases, checkout: Path, sides: int
) -> None:
    each = Sides.EACH if sides == 6 else Sides.TWO
    board = FakeBoard(spanish, Profile(vacas=3, sides=each), LONG)
    with served(board, checkout, away=False) as table:
        for page in opened(browser, server, (360, 740)):
            page.goto(table.url)
            expect(page.locator("main")).to_have_attribute("aria-busy", "false")
            for moment in moments(board):
                for size in ((360, 740), TELEPHONE, SMALL_SCREEN):
                    resized(page, size)
                    settled(page, board)
                    assert page.evaluate(SPLIT) == [], f"{moment} {size}"
                if moment == "bet":
                    for name in LONG:
                        tab = page.locator(".actions").get_by_role("button", name=name)
                        expect(tab.locator(".name")).to_have_attribute("title", name)


@pytest.mark.parametrize("path", ["apprentice", "microphone"])
def test_a_long_name_is_whole_where_a_player_is_chosen(
    browser: Browser, checkout: Path, path: str
) -> None:
    board = LearningBoard(names=LONG[:4])
    app = create_app(
        board,
        learner=board.apprentice,
        web_dir=checkout / "web",
        telephones=TelephoneSeats(KeptLines(), 4),
    )
    server = serve(app, "127.0.0.1", 0)
    server.start()
    try:
        for page in opened(browser, server, (360, 740)):
            page.goto(f"{server.url}{path}")
            names = page.locator(":is(.places, .chairs) .name")
            expect(names).to_have_text(list(LONG[:4]))
            for size in (TELEPHONE, (360, 740), SMALL_SCREEN):
                resized(page, size)
                assert page.evaluate(SPLIT) == [], size
                assert page.evaluate(OVERFLOWING) == [], size
                for name in names.all():  # none of these needs the ellipsis
                    assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), size
    finally:
        server.stop()


def states(
    spanish: LogPhrases, checkout: Path, players: int, sides: int
) -> Iterator[tuple[DashboardServer, FakeBoard, str]]:
    """Show the moments of a game and the fullest pictures, one after the other."""
    with painted(spanish, checkout, players, sides) as (picture, server):
        for name, touch in PICTURES.items():
            picture.paint(touch)
            yield server, picture, name
    each = Sides.EACH if sides == players else Sides.TWO
    board = FakeBoard(spanish, Profile(vacas=3, sides=each), PLAYERS[:players])
    with served(board, checkout, away=False) as server:
        for moment in moments(board):
            yield server, board, moment


def shown(
    page: Page, path: str, spanish: LogPhrases, checkout: Path, table: tuple[int, int]
) -> Iterator[tuple[FakeBoard, str]]:
    """Open the page of each server of ``states`` once."""
    address = ""
    for server, board, name in states(spanish, checkout, *table):
        if server.url != address:
            address = server.url
            page.goto(f"{address}{path}")
            expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        yield board, name


@by_table
def test_nothing_overlaps_on_the_wall_and_its_words_are_large(
    browser: Browser,
    server: DashboardServer,
    spanish: LogPhrases,
    checkout: Path,
    table: tuple[int, int],
) -> None:
    least = 48 if table == (4, 2) else 36
    for page in opened(browser, server, TELEVISION):
        for board, name in shown(page, "watch", spanish, checkout, table):
            for size in WALLS:
                resized(page, size)
                settled(page, board)
                scale = min(size[0] / TELEVISION[0], size[1] / TELEVISION[1])
                assert page.evaluate(CROWDED) == [], f"{name} {size}"
                assert page.evaluate(OVERFLOWING) == [], f"{name} {size}"
                assert page.evaluate(SMALL_WORDS, least * scale) == [], f"{name} {size}"
                height = page.evaluate("document.documentElement.scrollHeight")
                assert height <= size[1], f"{name} {size} scrolls"
                if name not in PICTURES:
                    assert page.evaluate(UNSEEN, on_the_wall(name)) == [], f"{name} {size}"


@by_table
def test_nothing_overlaps_on_the_smallest_screens(
    browser: Browser,
    server: DashboardServer,
    spanish: LogPhrases,
    checkout: Path,
    table: tuple[int, int],
) -> None:
    for page in opened(browser, server, TELEPHONE):
        for board, name in shown(page, "", spanish, checkout, table):
            for size in (TELEPHONE, SMALL_SCREEN):
                resized(page, size)
                settled(page, board)
                assert page.evaluate(CROWDED) == [], f"{name} {size}"
                assert page.evaluate(OVERFLOWING) == [], f"{name} {size}"
                assert page.evaluate(SMALL_TARGETS) == [], f"{name} {size}"
                if name in PICTURES:
                    continue
                parts = set(wanted(name))
                if size == TELEPHONE and name == "showdown" and table[1] > 3:
                    # The place for cards leaves no room for them: they are further down.
                    parts -= {".heard-say", "#lances .how"}
                assert page.evaluate(UNSEEN, sorted(parts)) == [], f"{name} {size}"
                if size == SMALL_SCREEN:
                    height = page.evaluate("document.documentElement.scrollHeight")
                    assert height <= size[1], f"{name} {size} scrolls"
