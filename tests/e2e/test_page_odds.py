"""The odds of any hand on a phone: equal to the exact odds, and hidden during a hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.files.resources import odds_table
from assistant.odds import Known, chances
from assistant.page import DashboardServer, serve
from assistant.rules.calls import Cut, ShowHand
from assistant.rules.cards import Rank, parse_hand
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile
from tests.e2e.browsing import fits, opened, to_showdown
from tests.e2e.test_page_axe import found_everywhere, page_of
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser

SIZES = [(320, 640), (390, 844), (1280, 900)]
NAMES = {"Grande": Lance.GRANDE, "Chica": Lance.CHICA, "Pares": Lance.PARES, "Juego": Lance.JUEGO}


def serving(board: FakeBoard, checkout: Path, kings: int) -> DashboardServer:
    table = odds_table(Profile(kings=kings))
    return serve(create_app(board, web_dir=checkout / "web", odds=table), "127.0.0.1", 0)


@pytest.fixture(params=[8, 4])
def kings(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def server(board: FakeBoard, checkout: Path, kings: int) -> Iterator[DashboardServer]:
    to_count(board)
    server = serving(board, checkout, kings)
    server.start()
    yield server
    server.stop()


def to_count(board: FakeBoard) -> None:
    """Play a hand without bets to its end."""
    to_showdown(board)
    for seat, hand in enumerate(("R R C 1", "7 7 6 5", "S S 4 4", "R 7 6 1"), start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))


@pytest.fixture
def phone(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    for page in opened(browser, server, SIZES[1]):
        page.goto(f"{server.url}odds")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        yield page


def tap(page: Page, hand: str) -> None:
    for rank in hand:
        page.locator(f'.rank[data-rank="{rank}"]').click()


@pytest.mark.parametrize(("hand", "mano"), [("R3C1", 0), ("7254", 3)])
def test_the_page_shows_the_exact_odds(phone: Page, kings: int, hand: str, mano: int) -> None:
    tap(phone, hand)
    phone.locator("#manos button").nth(mano).click()
    exact = chances(Known(tuple(map(Rank, hand)), 1, mano + 1), Profile(kings=kings))
    expect(phone.locator(".had li")).to_have_count(5)
    for row in phone.locator(".had li").all():
        name, told = row.locator("b").inner_text(), row.locator("span").inner_text()
        if lance := NAMES.get(name):
            pair, alone = (float(part.rstrip(" %")) for part in told.split("·"))
            assert pair == pytest.approx(100 * exact[lance].side, abs=0.6), name
            assert alone == pytest.approx(100 * exact[lance].best, abs=0.6), name


@pytest.mark.parametrize(("hand", "told"), [("R3C1", "—"), ("7254", "%")])
def test_a_hand_with_juego_has_no_odds_for_punto(
    phone: Page, kings: int, hand: str, told: str
) -> None:
    tap(phone, hand if kings == 8 else hand.replace("3", "R"))
    expect(phone.locator(".had li").last.locator("span")).to_contain_text(told)


def test_all_bars_have_one_length(phone: Page) -> None:
    tap(phone, "RRRR")
    phone.locator("#manos button").first.click()
    bars = [row.bounding_box() for row in phone.locator(".had .both").all()]
    assert len({bar["width"] for bar in bars if bar}) == 1


def test_neither_a_fifth_card_nor_a_fifth_of_a_rank_can_be_chosen(phone: Page) -> None:
    tap(phone, "RRR")
    phone.locator("#clear").click()
    expect(phone.locator("#found")).to_be_hidden()
    tap(phone, "RRRR")
    expect(phone.locator(".rank:enabled")).to_have_count(0)
    expect(phone.locator("#hand .card")).to_have_count(4)


def test_the_odds_are_hidden_while_a_hand_is_played(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    board.say("", Cut(seat=1))
    server = serving(board, checkout, 8)
    server.start()
    for page in opened(browser, server, SIZES[1]):
        page.goto(f"{server.url}odds")
        expect(page.locator("#playing")).to_be_visible()
        expect(page.locator(".rank:enabled")).to_have_count(0)
        to_count(board)
        expect(page.locator("#playing")).to_be_hidden()
        tap(page, "RRC1")
        expect(page.locator("#found")).to_be_visible()
    server.stop()


@pytest.mark.parametrize("kings", [8], indirect=True)
@pytest.mark.parametrize("code", ["es", "eu", "en"])
def test_the_page_of_the_odds_fits_every_screen_in_every_language(
    phone: Page, server: DashboardServer, code: str
) -> None:
    phone.goto(f"{server.url}odds?lang={code}")
    expect(phone.locator("main")).to_have_attribute("aria-busy", "false")
    tap(phone, "RRC1")
    for size in SIZES:
        phone.set_viewport_size({"width": size[0], "height": size[1]})
        fits(phone, size, code)


@pytest.mark.parametrize("kings", [8], indirect=True)
def test_axe_finds_nothing_serious_in_the_odds(browser: Browser, server: DashboardServer) -> None:
    page = page_of(browser, f"{server.url}odds")
    tap(page, "RRC1")
    assert found_everywhere(page) == []
    page.context.close()
