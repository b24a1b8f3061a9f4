"""The page that looks back: a deal is chosen, a slider moves, the table stands as it stood."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.app.replay import Replay
from assistant.app.runner import Runner
from assistant.dashboard import DashboardServer, create_app, serve
from assistant.messages import Command, Pressed
from assistant.rules.calls import Bet, Cut, Pass, Refuse
from tests.dashboard.fake_board import FakeBoard
from tests.e2e.browsing import SIZES, fits

pytestmark = pytest.mark.browser


class OneTable:
    """A runner as far as looking back needs one."""

    def __init__(self, board: FakeBoard) -> None:
        self.table = board


@pytest.fixture
def server(board: FakeBoard, checkout: Path) -> Iterator[DashboardServer]:
    replay = Replay(cast(Runner, OneTable(board)), board.phrases)
    app = create_app(board, web_dir=checkout / "web", history=replay)
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def looked_back(browser: Browser, server: DashboardServer, size: tuple[int, int]) -> Page:
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(f"{server.url}history")
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
def test_a_slider_leads_through_a_deal_and_the_table_follows(
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
    page = looked_back(browser, server, SIZES[1])
    page.get_by_role("button", name="Ver").click()
    expect(page.locator(".main")).to_have_text("5")
    expect(page.get_by_role("button", name="Ver")).to_be_visible()
    page.context.close()


def test_what_is_not_there_is_told_in_a_sentence(board: FakeBoard, server: DashboardServer) -> None:
    client = server._server.app.test_client()  # type: ignore[attr-defined]
    for path in ("/api/history/9", "/api/replay/0", "/api/replay/9999"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.get_json()["error"].endswith(".")
    assert client.get(f"/api/replay/{board.records[-1].seq}").status_code == 200
