"""The overlay for a stream or a bar's television: nothing but the score, over any picture."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, expect

from assistant.language.phrases import Phrases
from assistant.messages import Command, Pressed
from assistant.page import DashboardServer
from assistant.rules.calls import Accept, Bet, Cut, Ordago, Pass
from assistant.rules.profile import Profile, Sides
from tests.e2e.browsing import SETTLED, resized, say_all, shows_newest
from tests.e2e.moments import CLOSING, moments
from tests.e2e.pictures import full_of_tags, painted
from tests.e2e.test_page_axe import found, found_everywhere
from tests.e2e.test_page_door import served
from tests.e2e.test_page_moment import COUNTED
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser

PICTURES = [(1920, 1080), (1280, 720)]
"""What a stream or a television is sent as, in pixels."""
PLACES = ("", "?place=top", "?scale=1.5", "?scale=1.5&place=top")
LONG = ("Bartolomé", "Maialen", "Iñaki", "Montserrat")


@contextmanager
def overlay(
    browser: Browser, server: DashboardServer, asked: str = "", scheme: str = "light"
) -> Iterator[Page]:
    """The overlay, opened. A failing script fails the test."""
    context = browser.new_context(
        viewport={"width": 1920, "height": 1080},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(f"{server.url}overlay{asked}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    yield page
    context.close()


def alphas(page: Page) -> NDArray[np.uint8]:
    """How opaque each pixel of the picture is, row by row."""
    page.evaluate(SETTLED)
    return np.asarray(Image.open(io.BytesIO(page.screenshot(omit_background=True))))[:, :, 3]


def everywhere_clear(page: Page) -> bool:
    return not alphas(page).any()


def plates(page: Page) -> list[FloatRect]:
    boxes = [node.bounding_box() for node in page.locator(".side, .plate, #moment").all()]
    return [box for box in boxes if box]  # of what is hidden there is none


SPILT = """() => [...document.querySelectorAll(".plate, .side, #moment")].flatMap((plate) =>
  [...plate.querySelectorAll("*")].filter((node) => {
    if (!node.checkVisibility() || node.closest(".told")) return false;
    const [own, its] = [node.getBoundingClientRect(), plate.getBoundingClientRect()];
    return own.width && (own.left < its.left - 1 || own.right > its.right + 1
      || own.top < its.top - 1 || own.bottom > its.bottom + 1);
  }).map((node) => `${node.className || node.tagName}: ${node.textContent}`))"""
"""What leaves its plate."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_only_its_plates_cover_the_picture(
    browser: Browser, board: FakeBoard, server: DashboardServer, scheme: str
) -> None:
    with overlay(browser, server, scheme=scheme) as page:
        say_all(board, Cut(seat=1), Bet(seat=1, stones=5))
        shows_newest(page, board)
        for width, height in PICTURES:
            resized(page, (width, height))
            seen = alphas(page)
            assert seen.shape == (height, width)
            assert seen[height // 2, width // 2] == 0
            assert not seen[: height * 2 // 3].any()
            assert not seen[:, : width // 30].any()
            assert seen.max() > 230  # and its plates are there


def test_it_follows_the_game(browser: Browser, board: FakeBoard, server: DashboardServer) -> None:
    with overlay(browser, server) as page:
        middle = page.locator(".middle")
        say_all(board, Cut(seat=1))
        expect(middle).to_have_text("GrandeHabla Norte")
        say_all(board, Bet(seat=1, stones=5))
        expect(middle.locator(".over")).to_have_text("Norte envida a la grande")
        expect(middle.locator(".main")).to_have_text("5")
        expect(middle.locator(".under")).to_have_text("Si no se quiere: 1")
        expect(middle.locator(".turn")).to_have_text("Habla Oeste")
        say_all(board, Accept(seat=2), Pass(), Pass(), Pass(), Bet(stones=2))
        expect(middle.locator(".over")).to_have_text("Este envida a la chica")
        expect(page.locator('.side[data-side="A"] .names')).to_have_text("Norte y Sur")
        expect(page.locator('.side[data-side="B"] .names')).to_have_text("Oeste y Este")


def test_stones_and_juegos_are_those_of_the_table(browser: Browser, checkout: Path) -> None:
    board = FakeBoard()
    with served(board, checkout, away=False) as server, overlay(browser, server) as page:
        for moment in moments(board):
            shows_newest(page, board)
            state = board.state
            for place, letter in enumerate("AB"):
                side = page.locator(f'.side[data-side="{letter}"]')
                expect(side.locator(".count")).to_have_text(str(state.stones[place]))
                expect(side.locator(".juegos:not(.vacas) .pip.full")).to_have_count(
                    state.juegos[place]
                )
            assert page.locator("#page").is_visible() == (state.deal > 0), moment


def test_it_is_empty_where_nothing_is_played(browser: Browser, checkout: Path) -> None:
    board = FakeBoard(mano=None)
    with served(board, checkout, away=False) as server, overlay(browser, server) as page:
        board.say("")
        shows_newest(page, board)
        assert everywhere_clear(page)
        board.reopen()
        say_all(board, Cut(seat=1))
        expect(page.locator(".strip")).to_be_visible()
        board.reopen(mano=None)
        board.say("")
        expect(page.locator(".strip")).to_be_hidden()
        assert everywhere_clear(page)


def test_the_score_of_a_match_stays_for_a_minute(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    with overlay(browser, server) as page:
        page.clock.install(time=datetime(2026, 1, 1))
        page.reload()
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        page.clock.pause_at(datetime(2026, 1, 1, 0, 0, 30))
        end_of_a_match(board)
        shows_newest(page, board)
        expect(page.locator("#moment")).to_contain_text("¡Partida!")
        page.clock.run_for(6_000)
        expect(page.locator("#moment")).to_be_hidden()
        page.clock.run_for(53_000)
        expect(page.locator(".strip")).to_be_visible()
        page.clock.run_for(1_500)
        expect(page.locator(".strip")).to_be_hidden()
    with overlay(browser, server) as page:  # it comes later
        assert everywhere_clear(page)


def end_of_a_match(board: FakeBoard) -> None:
    for moment in moments(board):
        if moment == "match":
            return


def test_it_is_empty_while_the_table_is_away(browser: Browser, checkout: Path) -> None:
    board = FakeBoard()
    with served(board, checkout, away=False) as server, overlay(browser, server) as page:
        say_all(board, Cut(seat=1))
        expect(page.locator(".strip")).to_be_visible()
        server.stop()
        expect(page.locator(".strip")).to_be_hidden()
        assert everywhere_clear(page)


def test_an_ordago_its_answer_and_a_juego_are_large_for_a_moment(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    with overlay(browser, server) as page:
        word = page.locator(".moment-word")
        say_all(board, Cut(seat=1), Ordago(seat=1))
        expect(word).to_have_text("¡Órdago!")
        expect(page.locator(".moment-who")).to_have_text("Órdago de Norte a la grande")
        box = word.bounding_box()
        assert box
        assert box["height"] >= 120
        expect(page.locator("#moment")).to_be_hidden(timeout=6000)
        expect(page.locator(".middle .main")).to_have_text("¡Órdago!")
        say_all(board, Accept(seat=2))
        expect(word).to_have_text("¡Quiero!")
        expect(page.locator("#moment")).to_be_hidden(timeout=6000)
        for moment in moments(board):
            if moment == "juego":
                break
        shows_newest(page, board)
        expect(word).to_have_text("¡Juego!")
        expect(page.locator(".moment-who")).to_have_text("Norte y Sur")
        expect(page.locator("#moment")).to_be_hidden(timeout=8000)
        board.press(Pressed(Command.UNDO, None))
        shows_newest(page, board)
        expect(page.locator("#moment")).to_be_hidden()


def test_it_has_nothing_to_tap_and_sends_nothing(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    sent: list[str] = []
    with overlay(browser, server) as page:
        page.on("request", lambda request: sent.append(request.method))
        for moment in moments(board):
            shows_newest(page, board)
            assert page.locator("button, a, input, select, dialog").count() == 0, moment
    assert set(sent) <= {"GET"}


def test_it_is_silent(browser: Browser, board: FakeBoard, server: DashboardServer) -> None:
    with overlay(browser, server) as page:
        page.add_init_script(COUNTED)
        page.reload()
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        page.evaluate("window.touched.hasBeenActive = true")
        say_all(board, Cut(seat=1), Ordago(seat=1))
        expect(page.locator("#moment")).to_contain_text("¡Órdago!")
        assert page.evaluate("window.tones") == 0


@pytest.mark.parametrize(("players", "sides"), [(4, 2), (3, 3), (6, 2), (6, 6)])
def test_everything_is_inside_the_picture(
    browser: Browser, spanish: Phrases, checkout: Path, players: int, sides: int
) -> None:
    names = (*LONG, "Joxean", "Arantza")[:players]
    each = Sides.EACH if sides == players else Sides.TWO
    board = FakeBoard(spanish, Profile(vacas=3, sides=each), names)
    with served(board, checkout, away=False) as server:
        for asked in PLACES:
            with overlay(browser, server, asked) as page:
                for moment in moments(board):
                    shows_newest(page, board)
                    for width, height in PICTURES:
                        resized(page, (width, height))
                        case = (asked, moment, width)
                        boxes = plates(page)
                        assert len(boxes) >= (sides + 1 if moment != "mano" else 0), case
                        for box in boxes:
                            assert box["x"] >= width * 0.03, case  # a television cuts its edges
                            assert box["x"] + box["width"] <= width * 0.97, case
                            assert box["y"] >= height * 0.03, case
                            assert box["y"] + box["height"] <= height * 0.97, case
                        assert apart(boxes), case
                        assert page.evaluate(SPILT) == [], case
                        if moment != "mano":
                            strip = page.locator(".strip").bounding_box()
                            assert strip
                            top, bottom = strip["y"], strip["y"] + strip["height"]
                            assert bottom < height / 2 if "top" in asked else top > height / 2, case


def apart(boxes: list[FloatRect]) -> bool:
    """Whether no plate lies over another one."""
    return not any(
        one["x"] < other["x"] + other["width"] - 1
        and other["x"] < one["x"] + one["width"] - 1
        and one["y"] < other["y"] + other["height"] - 1
        and other["y"] < one["y"] + one["height"] - 1
        for place, one in enumerate(boxes)
        for other in boxes[place + 1 :]
    )


@pytest.mark.parametrize("asked", ["?scale=no", "?scale=0", "?scale=-3", "?place=left"])
def test_an_option_that_is_none_changes_nothing(
    browser: Browser, board: FakeBoard, server: DashboardServer, asked: str
) -> None:
    say_all(board, Cut(seat=1))
    with overlay(browser, server) as page, overlay(browser, server, asked) as other:
        assert plates(other) == plates(page) != []


def test_scale_makes_all_of_it_larger(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    say_all(board, Cut(seat=1))
    sizes = []
    for asked in ("", "?scale=1.5", "?scale=2", "?scale=99"):
        with overlay(browser, server, asked) as page:
            size = page.locator(".count").first.evaluate("n => getComputedStyle(n).fontSize")
            sizes.append(float(size.removesuffix("px")))
    assert sizes[1:] == pytest.approx([sizes[0] * by for by in (1.5, 2, 2)], rel=1e-4)


SMALLEST = """() => Math.min(...[...document.querySelectorAll("main *")]
  .filter((node) => node.checkVisibility() && !node.closest(".told"))
  .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .map((node) => parseFloat(getComputedStyle(node).fontSize)))"""


def test_no_text_is_too_small_for_a_television(browser: Browser, checkout: Path) -> None:
    for players, sides in ((4, 2), (6, 6)):
        each = Sides.EACH if sides == players else Sides.TWO
        names = (*LONG, "Joxean", "Arantza")[:players]
        board = FakeBoard(None, Profile(vacas=3, sides=each), names)
        with served(board, checkout, away=False) as server, overlay(browser, server) as page:
            for moment in moments(board):
                if moment != "mano":
                    shows_newest(page, board)
                    assert page.evaluate(SMALLEST) >= 30, moment


@pytest.mark.parametrize("ground", ["white", "black", "rgb(128 128 128)"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_reads_it_over_any_picture(
    browser: Browser, board: FakeBoard, server: DashboardServer, scheme: str, ground: str
) -> None:
    with overlay(browser, server, scheme=scheme) as page:
        page.evaluate("ground => { document.documentElement.style.background = ground; }", ground)
        for moment in moments(board):
            if moment in ("bet", "ordago", *CLOSING):
                shows_newest(page, board)
                assert found(page) == [], moment


def test_axe_reads_it_on_every_screen(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    with overlay(browser, server) as page:
        page.evaluate("document.documentElement.style.background = 'grey'")
        for moment in moments(board):
            if moment in ("bet", "count"):
                shows_newest(page, board)
                assert found_everywhere(page) == [], moment


def test_axe_reads_six_sides(browser: Browser, spanish: Phrases, checkout: Path) -> None:
    with (
        painted(spanish, checkout, players=6, sides=6) as (board, server),
        overlay(browser, server) as page,
    ):
        board.paint(full_of_tags)
        expect(page.locator(".side")).to_have_count(6)
        expect(page.locator(".main")).to_have_text("¡Órdago!")
        assert found(page) == []
