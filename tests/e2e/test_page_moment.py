"""An órdago and its answer appear large over the felt, and disappear again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from assistant.files.resources import load_phrases
from assistant.messages import Command, Pressed
from assistant.page import DashboardServer, serve
from assistant.rules.calls import Accept, Bet, Cut, Ordago, Refuse
from assistant.table.snapshot import Snapshot
from tests.e2e.browsing import opened, resized, say_all, settled
from tests.e2e.moments import moments, on_the_wall
from tests.e2e.test_page_door import served
from tests.e2e.test_page_layouts import (
    INK,
    LANGUAGES,
    LONG_NAMES,
    SIZES,
    TELEVISION,
    is_telephone,
    on_one_screen,
)
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser

PATHS = ("", "phone", "watch")
ANSWERS = ("Quiero", "No quiero")
ACCEPTED, REFUSED = (Accept(seat=2),), (Refuse(seat=2), Refuse(seat=4))
COUNTED = """
  window.tones = 0;
  window.touched = { hasBeenActive: false };  // the driver's own scripts count as taps
  Object.defineProperty(navigator, "userActivation", { value: window.touched });
  const plain = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { window.tones += 1; plain.call(this, at); };
"""
"""A script that counts the tones a page plays."""
BARRED = "HTMLMediaElement.prototype.play = () => Promise.reject(new Error('barred'));"
"""What a browser does with sound before a tap; the driver's allows it now and then."""


def moment(page: Page) -> Locator:
    return page.locator("#moment")


def loaded(page: Page, server: DashboardServer, path: str) -> None:
    page.goto(f"{server.url}{path}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def held(page: Page, server: DashboardServer, path: str) -> None:
    """Load the page, and stop its clock."""
    page.clock.install(time=datetime(2026, 1, 1))
    loaded(page, server, path)
    page.clock.pause_at(datetime(2026, 1, 1, 0, 0, 30))


def call_ordago(page: Page, board: FakeBoard) -> None:
    board.reopen()
    say_all(board, Cut(seat=1))
    settled(page, board)
    board.say("órdago", Ordago(seat=1))


@pytest.mark.parametrize("path", PATHS)
def test_an_ordago_and_its_answer_are_shown_and_go_again(
    browser: Browser, server: DashboardServer, board: FakeBoard, path: str
) -> None:
    for page in opened(browser, server, TELEVISION):
        loaded(page, server, path)
        for answer, words in ((ACCEPTED, "¡Quiero!"), (REFUSED, "No quiero")):
            call_ordago(page, board)
            expect(moment(page)).to_be_visible()
            expect(moment(page)).to_contain_text("¡Órdago!")
            expect(moment(page)).to_contain_text("Órdago de Norte a la grande")
            expect(page.locator(".felt.at-stake")).to_be_visible()
            expect(moment(page)).to_be_hidden(timeout=6000)
            expect(page.locator(".felt.at-stake .main.ordago")).to_be_visible()
            say_all(board, *answer)
            expect(moment(page).locator(".moment-word")).to_have_text(words)
            expect(moment(page)).to_be_visible()
            expect(page.locator(".felt.at-stake")).to_have_count(0)
            expect(moment(page)).to_be_hidden(timeout=5000)


def test_the_answer_stays_for_two_seconds(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        held(page, server, "")
        call_ordago(page, board)
        settled(page, board)
        page.clock.run_for(2900)
        expect(moment(page)).to_be_visible()
        page.clock.run_for(200)
        expect(moment(page)).to_be_hidden()
        say_all(board, Accept(seat=2))
        settled(page, board)
        page.clock.run_for(1900)
        expect(moment(page)).to_be_visible()
        page.clock.run_for(200)
        expect(moment(page)).to_be_hidden()


def test_another_bet_an_undo_and_a_page_that_comes_later_show_no_moment(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        loaded(page, server, "")
        board.reopen()
        say_all(board, Cut(seat=1), Bet(seat=1, stones=7))
        settled(page, board)
        expect(moment(page)).to_be_hidden()
        say_all(board, Accept(seat=2))
        settled(page, board)
        expect(moment(page)).to_be_hidden()
        call_ordago(page, board)
        expect(moment(page)).to_be_visible()
        board.press(Pressed(Command.UNDO, None))
        settled(page, board)
        expect(moment(page)).to_be_hidden()
        expect(page.locator(".felt.at-stake")).to_have_count(0)
        call_ordago(page, board)
        loaded(page, server, "")
        expect(moment(page)).to_be_hidden()
        expect(page.locator(".felt.at-stake")).to_be_visible()


REACHED = """(node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  const moment = document.querySelector("#moment").getBoundingClientRect();
  const covered = moment.width && left < moment.right - 1 && moment.left < right - 1
    && top < moment.bottom - 1 && moment.top < bottom - 1;
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return !covered && node.contains(hit) && top >= 0 && bottom <= innerHeight;
}"""
"""Whether a button is on the screen, and nothing lies over it."""


@pytest.mark.parametrize("path", ["", "phone"])
def test_the_answers_stay_in_reach_while_the_ordago_is_shown(
    browser: Browser, server: DashboardServer, board: FakeBoard, path: str
) -> None:
    for page in opened(browser, server, SIZES[0]):
        held(page, server, path)
        call_ordago(page, board)
        settled(page, board)
        for size in SIZES:
            resized(page, size)
            expect(moment(page)).to_be_visible()
            for answer in ANSWERS:
                button = page.locator("#actions button", has_text=answer).first
                assert button.evaluate(REACHED), f"{answer} {size}"
        page.locator("#actions").get_by_text("Quiero", exact=True).click()
        expect(moment(page)).to_contain_text("¡Quiero!")


def test_on_the_wall_it_fills_the_screen_at_every_size(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    for language in ("es", "eu", "en"):
        board = FakeBoard(load_phrases(language), names=("Bartolomé", "Ane", "Jon", "Miren"))
        with served(board, checkout, away=False) as server:
            for page in opened(browser, server, TELEVISION):
                held(page, server, "watch")
                for word in words(page, board):
                    for size in SIZES:
                        resized(page, size)
                        box = moment(page).bounding_box()
                        assert box == {"x": 0, "y": 0, "width": size[0], "height": size[1]}
                        for text in (word, page.locator(".moment-who")):
                            part = text.bounding_box()
                            assert part
                            assert part["x"] >= 0, (language, size)
                            assert part["x"] + part["width"] <= size[0], (language, size)
                            assert text.evaluate("n => n.scrollWidth <= n.clientWidth")
                        if not is_telephone(size):
                            scale = min(size[0] / TELEVISION[0], size[1] / TELEVISION[1])
                            assert word.evaluate(INK) >= 180 * scale, (language, size)


def words(page: Page, board: FakeBoard) -> Iterator[Locator]:
    for answer in ((), ACCEPTED, REFUSED):
        call_ordago(page, board)
        settled(page, board)
        say_all(board, *answer)
        settled(page, board)
        expect(moment(page)).to_be_visible()
        yield page.locator(".moment-word")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_only_whoever_allows_motion_sees_it_move(
    browser: Browser, server: DashboardServer, board: FakeBoard, motion: str
) -> None:
    for page in opened(browser, server, TELEVISION):
        page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
        loaded(page, server, "")
        call_ordago(page, board)
        expect(moment(page)).to_be_visible()
        expect(moment(page)).to_contain_text("¡Órdago!")
        name = page.locator(".moment-word").evaluate("n => getComputedStyle(n).animationName")
        assert name == ("none" if motion == "reduce" else "call")


def test_a_screen_reader_says_it_once(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        for path in PATHS:
            board.reopen()
            say_all(board, Cut(seat=1))
            loaded(page, server, path)
            board.say("órdago", Ordago(seat=1))
            expect(moment(page)).to_be_visible()
            expect(moment(page)).to_have_attribute("aria-hidden", "true")
            expect(page.locator("#live")).to_have_text("Norte echa órdago a grande")
            assert page.locator("[aria-live], [role=status], [role=alert]").filter(
                has_text="rdago", visible=True
            ).all_inner_texts() == ["Norte echa órdago a grande"]


def test_it_sounds_only_on_a_page_that_somebody_has_touched(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        page.add_init_script(COUNTED + BARRED)
        loaded(page, server, "watch")
        call_ordago(page, board)
        settled(page, board)
        assert page.evaluate("window.tones") == 0
        page.evaluate("window.touched.hasBeenActive = true")
        call_ordago(page, board)
        expect(moment(page)).to_be_visible()
        settled(page, board)
        assert page.evaluate("window.tones") == 3
        say_all(board, Accept(seat=2))
        settled(page, board)
        assert page.evaluate("window.tones") == 5


class QuietBoard(FakeBoard):
    """A table whose tones are turned off."""

    def snapshot(self) -> Snapshot:
        quiet = {**super().snapshot(), "sounds": False}
        return cast(Snapshot, quiet)


def test_it_has_no_tones_where_the_table_has_turned_them_off(
    browser: Browser, checkout: Path
) -> None:
    board = QuietBoard()
    with served(board, checkout, away=False) as server:
        for page in opened(browser, server, TELEVISION):
            page.add_init_script(COUNTED)
            loaded(page, server, "watch")
            page.evaluate("window.touched.hasBeenActive = true")
            call_ordago(page, board)
            expect(moment(page)).to_be_visible()
            settled(page, board)
            assert page.evaluate("window.tones") == 0


class LoudBoard(FakeBoard):
    """A table whose loudspeaker has the tones."""

    def snapshot(self) -> Snapshot:
        loud = {**super().snapshot(), "sounds": True, "voice_tones": True}
        return cast(Snapshot, loud)


def tones(page: Page, board: FakeBoard) -> int:
    """The tones of an órdago, its answer and the juego that it wins."""
    page.evaluate("window.touched.hasBeenActive = true; window.tones = 0")
    call_ordago(page, board)
    expect(moment(page)).to_be_visible()
    settled(page, board)
    say_all(board, Accept(seat=2))
    settled(page, board)
    count = page.evaluate("window.tones")
    assert isinstance(count, int)
    return count


def test_an_ordago_is_not_heard_twice_in_a_room_whose_loudspeaker_has_its_tones(
    browser: Browser, checkout: Path
) -> None:
    board = LoudBoard()
    with served(board, checkout, away=False) as server:
        for page in opened(browser, server, TELEVISION):
            page.add_init_script(COUNTED + BARRED)
            for path in PATHS:
                loaded(page, server, path)
                assert tones(page, board) == 0, path
                expect(page.locator(HINT)).to_have_count(0)  # nor is there any to be let sound
            loaded(page, server, "watch?sounds=on")  # a screen in another room
            expect(page.locator(HINT)).to_be_visible()
            assert tones(page, board) == 5


def test_a_device_chooses_in_the_menu_whether_it_plays_tones_and_keeps_that(
    browser: Browser, checkout: Path
) -> None:
    chosen = "Tonos en este aparato"
    for board, first in ((LoudBoard(), 0), (FakeBoard(), 5)):
        with served(board, checkout, away=False) as server:
            for page in opened(browser, server, (360, 740)):
                page.add_init_script(COUNTED)
                loaded(page, server, "phone")
                assert tones(page, board) == first
                page.locator("#menu-open").click()
                box = page.locator("#menu").get_by_label(chosen)
                expect(box).to_be_checked(checked=first > 0)
                twice = page.get_by_text("El altavoz de la mesa ya los da")
                expect(twice).to_be_visible(visible=first == 0)
                box.click()
                page.locator("#menu .close").click()
                assert tones(page, board) == 5 - first
                for path in PATHS:
                    loaded(page, server, path)
                    assert tones(page, board) == 5 - first, path


def test_where_the_tones_are_turned_off_no_device_can_choose_them(
    browser: Browser, checkout: Path
) -> None:
    board = QuietBoard()
    with served(board, checkout, away=False) as server:
        for page in opened(browser, server, (360, 740)):
            page.add_init_script(COUNTED)
            loaded(page, server, "phone?sounds=on")
            page.locator("#menu-open").click()
            expect(page.locator("#menu .tones")).to_be_hidden()
            page.locator("#menu .close").click()
            assert tones(page, board) == 0


HINT = ".sound-hint"
ALLOWED = "HTMLMediaElement.prototype.play = () => Promise.resolve();"


@pytest.mark.parametrize("size", [TELEVISION, (800, 480), (1080, 1920)])
def test_an_untouched_wall_says_that_it_is_silent_and_soon_stops_saying_so(
    browser: Browser, server: DashboardServer, board: FakeBoard, size: tuple[int, int]
) -> None:
    """The hint covers nothing, and goes by a key (the OK of a remote) or by itself."""
    for page in opened(browser, server, size):
        page.clock.install()
        page.add_init_script(COUNTED + BARRED)
        say_all(board, Cut(seat=1))
        for by_key in (True, False):
            loaded(page, server, "watch")
            hint = page.locator(HINT)
            expect(hint).to_have_text("Sonido: tocad u OK")
            box = hint.bounding_box()
            assert box
            assert hint.evaluate("node => node.scrollWidth <= node.clientWidth"), "it is cut short"
            for part in page.locator(".seat, .centre > :visible, .lance, .side, #deal, #ear").all():
                other = part.bounding_box()
                assert other
                apart = (
                    box["x"] >= other["x"] + other["width"]
                    or other["x"] >= box["x"] + box["width"]
                    or box["y"] >= other["y"] + other["height"]
                    or other["y"] >= box["y"] + box["height"]
                )
                assert apart, part.get_attribute("class")
            below = page.locator("main > *").evaluate_all(
                "parts => parts.map(part => part.getBoundingClientRect().bottom)"
            )
            assert max(below) <= size[1], "the bar's second line pushed something out"
            if by_key:
                page.keyboard.press("Enter")
            else:
                page.clock.run_for(21_000)
            expect(hint).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hint_that_the_wall_is_silent_leaves_the_bar_one_line(
    browser: Browser, checkout: Path, language: str
) -> None:
    """It stands there for twenty seconds, on a screen that nobody has touched."""
    board = FakeBoard(load_phrases(language), names=LONG_NAMES)
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    try:
        for page in opened(browser, server, TELEVISION):
            for moment in moments(board):
                if moment == "bet":
                    break
            page.add_init_script(COUNTED + BARRED)
            loaded(page, server, "watch")
            expect(page.locator(HINT)).to_be_visible()
            settled(page, board)
            for size in ((800, 480), TELEVISION):
                resized(page, size)
                whole = page.locator(HINT).evaluate("node => node.scrollWidth <= node.clientWidth")
                assert whole, f"it is cut short at {size}"
            on_one_screen(page, on_the_wall("bet"), TELEVISION, f"{language} bet")
            tall, line = page.locator(".bar").evaluate(
                "(bar) => [bar, bar.querySelector('h1')].map((one) => one.offsetHeight)"
            )
            assert tall < 1.5 * line
    finally:
        server.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bar_of_an_upright_wall_has_two_lines_at_most(
    browser: Browser, checkout: Path, language: str
) -> None:
    """In a mus corrido its words are the longest; the hint that the wall is silent stands there."""
    board = FakeBoard(load_phrases(language), names=LONG_NAMES)
    say_all(board, Cut(seat=1), Bet(seat=1))
    assert board.state.corrido
    with served(board, checkout, away=False) as server:
        for page in opened(browser, server, (360, 740)):
            page.add_init_script(COUNTED + BARRED)
            loaded(page, server, "watch")
            expect(page.locator(HINT)).to_be_visible()
            settled(page, board)
            for _ in range(2):  # with the hint, and without it
                on_one_screen(page, on_the_wall("bet"), (360, 740), language)
                for part in ("h1", "#deal", "#ear"):
                    expect(page.locator(f".bar {part}")).to_be_visible()
                tall, line = page.locator(".bar").evaluate(
                    "(bar) => [bar, bar.querySelector('h1')].map((one) => one.offsetHeight)"
                )
                assert tall < 2.6 * line
                page.keyboard.press("Enter")
                expect(page.locator(HINT)).to_have_count(0)


def test_a_kiosk_that_may_sound_does_so_untouched_and_says_nothing(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        page.add_init_script(COUNTED + ALLOWED)
        loaded(page, server, "watch")
        expect(page.locator(HINT)).to_have_count(0)
        page.wait_for_load_state("networkidle")
        call_ordago(page, board)
        expect(moment(page)).to_be_visible()
        settled(page, board)
        assert page.evaluate("window.tones") == 3


def test_a_wall_says_nothing_of_tones_that_are_turned_off(browser: Browser, checkout: Path) -> None:
    with served(QuietBoard(), checkout, away=False) as server:
        for page in opened(browser, server, TELEVISION):
            page.add_init_script(COUNTED + BARRED)
            loaded(page, server, "watch")
            page.wait_for_load_state("networkidle")
            expect(page.locator(HINT)).to_have_count(0)
