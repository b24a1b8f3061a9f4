"""The history page: a deal is chosen, a slider moves, and the table is shown as it stood."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.messages import Command, Pressed
from assistant.page import DashboardServer, serve
from assistant.rules.calls import Bet, Cut, Pass, Refuse, ShowHand
from assistant.rules.cards import parse_hand
from assistant.rules.phases import Phase
from tests.e2e.browsing import SIZES, TABLET, fits, to_showdown
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.past import history_of

pytestmark = pytest.mark.browser


@pytest.fixture
def server(board: FakeBoard, checkout: Path) -> Iterator[DashboardServer]:
    app = create_app(board, web_dir=checkout / "web", history=history_of(board))
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def looked_back(
    browser: Browser, server: DashboardServer, size: tuple[int, int], path: str = "history"
) -> Page:
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(f"{server.url}{path}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    return page


def some_calls(board: FakeBoard) -> None:
    board.say("", Cut(seat=1), Bet(stones=5))
    board.press(Pressed(Command.UNDO))
    board.say("", Bet(stones=2))
    board.say("", Refuse(seat=2))
    board.say("", Refuse(seat=4))
    board.say("", Pass())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_a_slider_moves_through_a_deal_and_the_table_follows(
    browser: Browser, board: FakeBoard, server: DashboardServer, size: tuple[int, int]
) -> None:
    some_calls(board)
    page = looked_back(browser, server, size)
    page.locator("#slider").fill("2")
    expect(page.locator(".main")).to_have_text("5")
    expect(page.locator("#step")).to_have_class("undone")
    page.get_by_role("button", name="Paso siguiente").click()
    expect(page.locator(".main")).to_have_text("Grande")
    expect(page.locator("#step")).not_to_have_class("undone")
    page.get_by_role("button", name="Paso siguiente").click()
    expect(page.locator(".main")).to_have_text("2")
    fits(page, size, "history")
    page.context.close()


def test_a_deal_plays_by_itself_to_its_end(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    board.say("", Cut(seat=1), Bet(stones=5))
    page = looked_back(browser, server, TABLET)
    page.get_by_role("button", name="Ver").click()
    expect(page.locator(".main")).to_have_text("5")
    expect(page.get_by_role("button", name="Ver")).to_be_visible()
    page.context.close()


HANDS = ("R R C 1", "7 7 4 4", "S 6 5 1", "R 7 6 2")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_count_is_shown_stone_by_stone_beside_the_cards(
    browser: Browser, board: FakeBoard, server: DashboardServer, size: tuple[int, int]
) -> None:
    page = looked_back(browser, server, size, "showdown")
    expect(page.locator("#none")).to_be_visible()
    to_showdown(board)
    for seat in (1, 2, 3, 4):
        board.say("", ShowHand(seat=seat, cards=parse_hand(HANDS[seat - 1])))
    assert board.state.phase is Phase.COUNT
    expect(page.locator(".open-hand")).to_have_count(4)
    expect(page.locator("#none")).to_be_hidden()
    won = [int(text.replace("+", "")) for text in page.locator("#stones strong").all_inner_texts()]
    assert sum(won) == sum(board.state.stones)
    expect(page.locator("#stones .totals").last).to_have_text(
        " · ".join(f"{side} {n}" for side, n in zip("AB", board.state.stones, strict=True))
    )
    expect(page.locator("figure")).to_be_hidden()  # no camera saw them
    fits(page, size, "showdown")
    page.context.close()
