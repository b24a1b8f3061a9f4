"""Hands that the table's camera has read, in a real Chromium: one tap corrects a card."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.eye.deck import load_deck
from assistant.eye.hand_photos import HandPhotos
from assistant.eye.page import ReadCardView, ReadHandView
from assistant.files.paths import data_dir
from assistant.page import DashboardServer, serve
from assistant.rules.calls import ShowHand
from assistant.rules.cards import parse_hand
from assistant.table.snapshot import LogPhrases, Snapshot
from tests.e2e.browsing import SIZES, fits, opened, resized, settled, to_showdown
from tests.e2e.test_page_axe import found_everywhere
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser


def read(card: str | None, *likely: str) -> ReadCardView:
    return {"card": card, "likely": list(likely)}


NORTE: ReadHandView = {
    "seat": 1,
    "cards": [read("Ro", "Rc", "Co"), read("7e", "6e", "5e"), read(None, "Sb", "Cb", "Rb"),
              read("1c", "1o")],
}  # fmt: skip
OESTE: ReadHandView = {
    "seat": 2,
    "cards": [read("4o", "5o", "3o"), read("4b"), read("5c"), read("6b", "7b")],
}
SUR: ReadHandView = {"seat": 3, "cards": [read("2o", "2c"), read("3c"), read("Ce", "Se")]}


class SeeingBoard(FakeBoard):
    """A board with what its camera has read, in the showdown alone."""

    hands: tuple[ReadHandView, ...] = (NORTE, OESTE, SUR)

    def snapshot(self) -> Snapshot:
        now = super().snapshot()
        hands = list(self.hands) if now["phase"] == "showdown" else []
        return cast(Snapshot, {**now, "read": hands})

    def reads(self, *hands: ReadHandView) -> None:
        with self.changed:
            self.hands = hands
            self._show(None)

    def hand(self, seat: int) -> list[str] | None:
        return self.snapshot()["seats"][seat - 1]["hand"]


@pytest.fixture
def board(spanish: LogPhrases) -> SeeingBoard:
    return SeeingBoard(spanish)


@pytest.fixture
def server(board: SeeingBoard, checkout: Path) -> Iterator[DashboardServer]:
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def table(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    yield from opened(browser, server, SIZES[0])


def cards(page: Page) -> list[str]:
    hand = page.locator("#showdown .hand:not(.likely) .card")
    return [text.replace("\n", "") for text in hand.all_inner_texts()]


def test_the_card_that_is_not_clear_is_tapped_once(table: Page, board: SeeingBoard) -> None:
    expect(table.locator("#showdown")).to_be_hidden()
    to_showdown(board)
    pad = table.locator("#showdown")
    expect(pad.locator(".say")).to_have_text("La cámara duda de una carta: toca cuál es.")
    settled(table, board)
    assert cards(table) == ["Roros", "7espadas", "", "1copas"]
    likely = pad.locator(".likely .card")
    expect(likely).to_have_count(3)
    expect(pad.locator(".ranks")).to_be_hidden()
    for size in SIZES:
        resized(table, size)
        fits(table, size, "one unclear")
    assert found_everywhere(table) == []
    likely.get_by_text("C").click()
    expect(pad.locator("h2")).to_contain_text("Oeste")
    assert board.hand(1) == ["Ro", "7e", "Cb", "1c"]


def test_a_card_that_was_taken_for_sure_is_exchanged(table: Page, board: SeeingBoard) -> None:
    to_showdown(board)
    board.say("", ShowHand(seat=2, cards=parse_hand("4o 4b 5c 6b")))
    pad = table.locator("#showdown")
    pad.locator(".tabs").get_by_role("button", name="Oeste").click()
    expect(pad.locator(".say")).to_contain_text("Si una no lo es, tócala")
    pad.locator(".hand:not(.likely) .card").first.click()
    expect(pad.locator(".likely .card")).to_have_count(2)
    pad.locator(".likely .card").first.click()
    expect(pad.locator("h2")).to_contain_text("Norte")
    assert board.hand(2) == ["5o", "4b", "5c", "6b"]


def test_another_card_leads_to_all_ranks(table: Page, board: SeeingBoard) -> None:
    to_showdown(board)
    pad = table.locator("#showdown")
    pad.get_by_role("button", name="Otra carta").click()
    expect(pad.locator(".likely")).to_be_hidden()
    pad.locator('.rank[data-rank="4"]').click()
    expect(pad.locator("h2")).to_contain_text("Oeste")
    assert board.hand(1) == ["Ro", "7e", "4", "1c"]


def test_a_hand_that_is_right_takes_one_tap(table: Page, board: SeeingBoard) -> None:
    to_showdown(board)
    pad = table.locator("#showdown")
    pad.locator(".tabs").get_by_role("button", name="Oeste").click()
    expect(pad.locator(".ranks")).to_be_hidden()
    pad.get_by_role("button", name="Son éstas").click()
    expect(pad.locator("h2")).to_contain_text("Norte")
    assert board.hand(2) == ["4o", "4b", "5c", "6b"]


def test_a_card_that_is_not_seen_is_tapped_by_its_rank(table: Page, board: SeeingBoard) -> None:
    to_showdown(board)
    pad = table.locator("#showdown")
    pad.locator(".tabs").get_by_role("button", name="Sur").click()
    expect(pad.locator(".say")).to_contain_text("no ve una carta")
    pad.locator('.rank[data-rank="R"]').click()
    expect(pad.locator("h2")).to_contain_text("Norte")
    assert board.hand(3) == ["2o", "3c", "Ce", "R"]


def test_a_new_reading_changes_no_hand_that_somebody_is_tapping(
    table: Page, board: SeeingBoard
) -> None:
    to_showdown(board)
    board.reads()
    expect(table.locator("#showdown .say")).to_be_hidden()
    settled(table, board)
    assert cards(table) == [""] * 4
    board.reads(NORTE)
    expect(table.locator("#showdown .likely .card")).to_have_count(3)
    table.locator("#showdown .hand:not(.likely) .card").first.click()
    board.reads({"seat": 1, "cards": [read("2o"), read("2c"), read("2b"), read("2e")]})
    settled(table, board)
    assert cards(table) == ["Roros", "7espadas", "", "1copas"]


def test_without_a_camera_cards_are_tapped_as_ever(table: Page, board: SeeingBoard) -> None:
    board.hands = ()
    to_showdown(board)
    pad = table.locator("#showdown")
    for rank in "RRC1":
        pad.locator(f'.rank[data-rank="{rank}"]').click()
    assert board.hand(1) is None
    pad.get_by_role("button", name="Poner cartas").click()
    expect(pad.locator("h2")).to_contain_text("Oeste")
    assert board.hand(1) == ["R", "R", "C", "1"]


def test_a_telephone_offers_no_photograph_of_a_hand_that_the_camera_has_read(
    browser: Browser, board: SeeingBoard, checkout: Path
) -> None:
    photos = HandPhotos(lambda: load_deck(data_dir("models") / "decks" / "mus"))
    server = serve(create_app(board, web_dir=checkout / "web", photos=photos), "127.0.0.1", 0)
    server.start()
    to_showdown(board)
    try:
        for page in opened(browser, server, SIZES[0]):
            page.goto(f"{server.url}phone")
            expect(page.locator("main")).to_have_attribute("aria-busy", "false")
            expect(page.locator("#photo")).to_be_visible()  # Este's cards are not seen
            page.locator("#photo").get_by_role("button", name="Norte").click()
            expect(page.locator("#photo")).to_be_hidden()
            expect(page.locator("#showdown .likely .card")).to_have_count(3)
            fits(page, SIZES[0], "read for a telephone")
    finally:
        server.stop()
