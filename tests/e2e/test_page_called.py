"""What the hall's referee decides about a match, on the table's page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Browser, expect

from assistant.files.resources import load_phrases
from assistant.hall.uplinked import MatchView
from assistant.rules.calls import Cut
from assistant.table.snapshot import LogPhrases, Snapshot
from tests.e2e.browsing import SCREENS, SMALL_TARGETS, opened, resized, settled
from tests.e2e.moments import ENDING, moments, on_the_wall, wanted
from tests.e2e.test_page_door import served
from tests.e2e.test_page_layouts import on_one_screen
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser


class NotedBoard(FakeBoard):
    """A board of a table in a hall."""

    def __init__(self, phrases: LogPhrases) -> None:
        super().__init__(phrases)
        self.note: MatchView = {"text": "", "more": [0, 0], "seq": None, "next": False}
        self.begun_with = 0
        """The juegos with which the game began, of side A."""

    def snapshot(self) -> Snapshot:
        shown = super().snapshot()
        shown["sides"][0]["juegos"] += self.begun_with
        return cast(Snapshot, {**shown, "match": self.note})


GIVEN = ".side .pip.given"


@pytest.mark.parametrize("path", ["", "watch"])
def test_what_the_referee_decides_is_read_beside_whatever_matters(
    browser: Browser, checkout: Path, path: str
) -> None:
    spanish = load_phrases("es")
    board = NotedBoard(spanish)
    text = spanish.of_the_match(board.state, (2, 0))
    with served(board, checkout, away=False) as server:
        for page in opened(browser, server, SCREENS[0]):
            page.goto(f"{server.url}{path}")
            expect(page.locator(GIVEN)).to_have_count(0)
            board.note = {"text": text, "more": [2, 0], "seq": None, "next": False}
            for moment in moments(board):
                if moment in ENDING:
                    continue  # then nothing of it is left to be told
                parts = on_the_wall(moment) if path else wanted(moment)
                for size in SCREENS:
                    resized(page, size)
                    settled(page, board)
                    if folder := os.environ.get("MUS_SHOTS"):
                        page.screenshot(path=f"{folder}/{path}-{moment}-{size[0]}x{size[1]}.png")
                    on_one_screen(page, [*parts, GIVEN], size, moment)
                    expect(page.locator(GIVEN)).to_have_count(2)
                    if not page.locator("#question").is_visible():
                        expect(page.locator(".heard-say")).to_have_text(text)


def test_a_juego_given_is_told_until_the_next_call_and_counted_from_then_on(
    browser: Browser, checkout: Path
) -> None:
    spanish = load_phrases("es")
    board = NotedBoard(spanish)
    text = spanish.of_the_match(board.state, (1, 0))
    with served(board, checkout, away=False) as server:
        for page in opened(browser, server, SCREENS[3]):
            board.note = {"text": text, "more": [1, 0], "seq": board.records[-1].seq, "next": False}
            board.say("")
            expect(page.locator(".heard-say")).to_have_text(text)
            board.say("corto", Cut(seat=1))
            expect(page.locator(".heard-say")).not_to_have_text(text)
            expect(page.locator(".side[data-side=A] .juegos .told").first).to_have_text(
                "1 de 3 juegos"
            )
            expect(page.locator(".side[data-side=B] .pip.full")).to_have_count(0)
            expect(page.locator(GIVEN)).to_have_count(1)
            # The game begins anew with it: as many juegos, and none beside those of the game.
            board.note["more"], board.begun_with = [0, 0], 1
            board.say("")
            expect(page.locator(GIVEN)).to_have_count(0)
            expect(page.locator(".side[data-side=A] .pip.full")).to_have_count(1)


def test_the_match_that_is_called_to_a_table_begins_by_a_tap_in_the_menu(
    browser: Browser, checkout: Path
) -> None:
    spanish = load_phrases("es")
    board = NotedBoard(spanish)
    text = spanish.next_match(("Ana", "Eva", "Luis", "Jon"))
    with served(board, checkout, away=False) as server:
        for page in opened(browser, server, SCREENS[0]):
            board.say("corto", Cut(seat=1))
            page.locator("#menu-open").click()
            expect(page.locator("#menu-next")).to_have_count(0)
            page.keyboard.press("Escape")
            seq = board.records[-1].seq
            board.note = {"text": text, "more": [0, 0], "seq": seq, "next": True}
            board.say("")
            expect(page.locator(".heard-say")).to_have_text(text)
            page.locator("#menu-open").click()
            assert page.evaluate(SMALL_TARGETS) == []
            page.locator("#menu-next").click()
            expect(page.locator("#page")).to_have_attribute("data-phase", "mus")
            assert board.state.cutter is None  # another game
