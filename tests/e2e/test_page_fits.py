"""Every moment of a table of any size fits every screen and can be read from the seats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from assistant.page import DashboardServer
from assistant.rules.calls import (
    Accept,
    Bet,
    Cut,
    Declare,
    Mus,
    Ordago,
    Pass,
    Raise,
    SetStones,
    ShowHand,
)
from assistant.rules.cards import parse_hand
from assistant.rules.phases import Phase
from assistant.table.snapshot import EarStatus, LogPhrases
from tests.e2e.browsing import (
    PHONE,
    SIZES,
    SMALL,
    TABLET,
    WALL,
    fits,
    opened,
    resized,
    say_all,
    settled,
)
from tests.e2e.pictures import PICTURES, PLAYERS, full_of_tags, painted
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser
NOISY = "noisy"
"""A note of the ear with one of the longest sentences."""


def moments(board: FakeBoard) -> Iterator[str]:
    """Walk the board through the moments that fill the page most."""
    say_all(board, SetStones(stones=(28, 39)), Mus(seat=1))
    yield "mus"
    say_all(board, Cut(seat=2), Pass(seat=1), Bet(seat=2), Raise(seat=3, stones=5))
    yield "bet"
    board.say("quiero", Accept(seat=4))
    while board.state.phase is not Phase.PARES:
        declaring = board.state.phase is Phase.PARES_SAY
        board.say("", Declare() if declaring else Pass())
    say_all(board, Bet(seat=1), Bet(seat=2, stones=7))
    yield "question"
    say_all(board, Ordago(seat=2))
    yield "ordago"
    board.say("quiero", Accept(seat=1))
    yield "showdown"
    for seat, hand in enumerate(("R R C 1", "4 4 5 6", "R 7 7 7", "C C S S"), start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
    yield "juego"


@pytest.mark.parametrize("path", ["", "phone"])
@pytest.mark.parametrize("size", [(320, 640), *SIZES, (3840, 2160)])
def test_every_moment_fits_the_screen(
    browser: Browser, server: DashboardServer, board: FakeBoard, size: tuple[int, int], path: str
) -> None:
    for page in opened(browser, server, size):
        page.goto(f"{server.url}{path}")
        for moment in moments(board):
            settled(page, board)
            fits(page, size, moment)


@pytest.mark.parametrize("size", SIZES)
def test_a_message_about_the_ear_moves_neither_buttons_nor_score_off_the_screen(
    browser: Browser, server: DashboardServer, board: FakeBoard, size: tuple[int, int]
) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1))
    for page in opened(browser, server, size):
        board.ear = EarStatus("listening", NOISY)
        say_all(board, Accept(seat=2))
        settled(page, board)
        fits(page, size, NOISY)
        bar = page.locator(".bar").bounding_box()
        assert bar
        assert bar["height"] < size[1] / 4


@pytest.mark.parametrize("size", [TABLET, WALL])
def test_the_score_and_the_bet_can_be_read_from_two_metres(
    browser: Browser, server: DashboardServer, board: FakeBoard, size: tuple[int, int]
) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1, stones=7))
    for page in opened(browser, server, size):
        height = f"innerHeight={size[1]}"
        for what in (".side .count", ".main.bet", "#lances .lance"):
            box = page.locator(what).first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size[1], f"{what} below the fold, {height}"
        for what in (".side .count", ".main.bet"):
            pixels = page.locator(what).first.evaluate(
                "n => parseFloat(getComputedStyle(n).fontSize)"
            )
            assert pixels >= 120  # figures of 12 mm on a tablet with 5 pixels a millimetre


def test_a_small_screen_on_its_side_shows_score_felt_and_what_was_heard_at_one_look(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1, stones=7))
    for page in opened(browser, server, SMALL):
        settled(page, board)
        for what in (".bar", ".side >> nth=0", ".side >> nth=1", ".felt", ".word"):
            box = page.locator(what).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= SMALL[1], f"{what} below the fold"


TABLES = [(2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 6)]
"""The number of players, and the rule for their sides."""


by_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}in{table[1]}")


@by_table
def test_a_table_of_any_size_fits_the_screen(
    browser: Browser, spanish: LogPhrases, checkout: Path, table: tuple[int, int]
) -> None:
    with painted(spanish, checkout, *table) as (board, server):
        for page in opened(browser, server, SIZES[0]):
            for name, picture in PICTURES.items():
                board.paint(picture)
                for size in SIZES:
                    resized(page, size)
                    settled(page, board)
                    fits(page, size, f"{name} {size}")
                    expect(page.locator(".seat")).to_have_count(table[0])
                    expect(page.locator(".side")).to_have_count(table[1])
                    if size == WALL:
                        height = page.evaluate("document.documentElement.scrollHeight")
                        assert height <= WALL[1], f"{name} scrolls on the wall"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_players_sit_anticlockwise_from_the_top_and_on_a_phone_in_a_row(
    browser: Browser, spanish: LogPhrases, checkout: Path, players: int
) -> None:
    with painted(spanish, checkout, players, players) as (_, server):
        for page in opened(browser, server, SIZES[0]):
            for size in SIZES:
                resized(page, size)
                if size == PHONE:
                    tabs = [tab.bounding_box() for tab in page.locator("#actions .tab").all()]
                    places = [(tab["y"], tab["x"]) for tab in tabs if tab]
                    assert len({top for top, _ in places}) == 1
                    assert [*PLAYERS[:players]] == page.locator("#actions .name").all_inner_texts()
                    assert places == sorted(places)
                    continue
                angles = [page.evaluate(ANGLE, seat) for seat in range(1, players + 1)]
                assert abs(angles[0]) < 0.1 or angles[0] > 6.2, (size, angles)
                assert angles[1:] == sorted(angles[1:]), (size, angles)


@by_table
def test_every_score_and_the_bet_are_visible_at_once(
    browser: Browser, spanish: LogPhrases, checkout: Path, table: tuple[int, int]
) -> None:
    # With five or six scores, figures of 9 mm on a tablet with 5 pixels a millimetre.
    wanted = 90 if table[1] > 4 else 110
    with painted(spanish, checkout, *table) as (board, server):
        board.paint(full_of_tags)
        for page in opened(browser, server, TABLET):
            for size in (TABLET, WALL):
                resized(page, size)
                settled(page, board)
                expect(page.locator(".main")).to_be_in_viewport(ratio=1)
                for figure in page.locator(".side .count").all():
                    expect(figure).to_be_in_viewport(ratio=1)
                    pixels = figure.evaluate("n => parseFloat(getComputedStyle(n).fontSize)")
                    assert pixels >= wanted, size


ANGLE = """seat => {
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [x, y] = middle(document.querySelector(".felt").getBoundingClientRect());
  const player = document.querySelector(`.seat[data-seat="${seat}"]`);
  const [a, b] = middle(player.getBoundingClientRect());
  return (Math.atan2(x - a, y - b) + 2 * Math.PI) % (2 * Math.PI);
}"""
"""The position of a player around the table: 0 at the top, growing anticlockwise."""
