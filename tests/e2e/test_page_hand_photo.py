"""A hand photographed by its own player in a real Chromium: read, confirmed, corrected, refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.eye.deck import load_deck
from assistant.eye.hand_photos import HandPhotos
from assistant.files.paths import data_dir
from assistant.page import DashboardServer, serve
from assistant.table.snapshot import LogPhrases
from scripts.lab.eyebench.closeups import CloseUp, photographed
from scripts.lab.eyebench.layouts import Way
from tests.e2e.browsing import fits, opened, to_showdown
from tests.eye.eyes import art, saved
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser
SIZE = (360, 740)


@pytest.fixture
def board(spanish: LogPhrases) -> FakeBoard:
    return FakeBoard(spanish)


@pytest.fixture
def server(board: FakeBoard, checkout: Path) -> Iterator[DashboardServer]:
    photos = HandPhotos(lambda: load_deck(data_dir("models") / "decks" / "mus"))
    server = serve(create_app(board, web_dir=checkout / "web", photos=photos), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def phone(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    """Norte's telephone, on which a camera in the page is not to be had."""
    for page in opened(browser, server, SIZE):
        page.add_init_script("delete Navigator.prototype.mediaDevices")
        page.goto(f"{server.url}phone")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        yield page


def photograph(page: Page, folder: Path, name: str, condition: CloseUp, seed: int) -> list[str]:
    """Give the page the photograph of a hand; its cards, as the page shows them."""
    picture, cards = photographed(condition, art(), seed)
    page.locator("#photo-file").set_input_files(saved(folder, name, picture))
    return sorted(str(card)[0] for card in cards)


def shown(page: Page) -> list[str]:
    ranks = page.locator("#showdown .hand .card > span").all_inner_texts()
    return sorted(text.strip() for text in ranks)


def test_a_hand_is_photographed_and_confirmed_by_one_tap(
    phone: Page, board: FakeBoard, tmp_path: Path
) -> None:
    panel = phone.locator("#photo")
    expect(panel).to_be_hidden()
    to_showdown(board)
    expect(panel.locator(".tab")).to_have_count(4)
    expect(panel.locator("label.shoot")).to_be_hidden()
    panel.get_by_role("button", name="Sur").click()
    expect(panel.locator("label.shoot")).to_be_visible()
    fits(phone, SIZE, "photo")
    cards = photograph(phone, tmp_path, "hand", CloseUp("a", Way.OVERLAPPED), 5)
    expect(panel.locator(".say")).to_have_text("¿Son éstas? Si una no lo es, tócala y elige otra.")
    assert shown(phone) == cards
    fits(phone, SIZE, "read")
    assert board.snapshot()["seats"][2]["hand"] is None
    phone.get_by_role("button", name="Son éstas").click()
    expect(panel).to_be_hidden()
    hand = board.snapshot()["seats"][2]["hand"]
    assert hand is not None
    assert sorted(card[0] for card in hand) == cards
    phone.reload()
    expect(phone.locator("main")).to_have_attribute("aria-busy", "false")
    expect(panel).to_be_hidden()  # it is still Sur's, who has shown his hand


def test_a_card_is_tapped_and_another_one_chosen(
    phone: Page, board: FakeBoard, tmp_path: Path
) -> None:
    to_showdown(board)
    phone.locator("#photo").get_by_role("button", name="Norte").click()
    photograph(phone, tmp_path, "hand", CloseUp("a", Way.OVERLAPPED), 5)
    expect(phone.get_by_role("button", name="Son éstas")).to_be_enabled()
    phone.locator("#showdown .hand .card").first.click()
    expect(phone.locator("#showdown .hand .card").first).to_have_attribute("aria-pressed", "true")
    phone.locator('#showdown .rank[data-rank="4"]').click()
    assert phone.locator("#showdown .hand .card > span").first.inner_text() == "4"
    phone.get_by_role("button", name="Son éstas").click()
    expect(phone.locator("#photo")).to_be_hidden()
    hand = board.snapshot()["seats"][0]["hand"]
    assert hand is not None
    assert hand[0] == "4"


def test_a_photograph_without_a_hand_gets_one_sentence(
    phone: Page, board: FakeBoard, tmp_path: Path
) -> None:
    to_showdown(board)
    panel, say = phone.locator("#photo"), phone.locator("#photo .say")
    panel.get_by_role("button", name="Oeste").click()
    photograph(phone, tmp_path, "three", CloseUp("b", Way.FANNED, count=3), 8)
    expect(say).to_contain_text("Solo se ven 3 cartas de 4")
    expect(phone.locator("#showdown .hand .card.none")).to_have_count(1)
    empty = saved(tmp_path, "empty", np.full((600, 400, 3), 90, np.uint8))
    phone.locator("#photo-file").set_input_files(empty)
    expect(say).to_contain_text("No se ve ninguna carta de la baraja mus")
    expect(panel.get_by_role("link", name="Enseñar la baraja")).to_have_attribute("href", "/decks")
    (tmp_path / "notes.txt").write_text("R R C 1")
    phone.locator("#photo-file").set_input_files(tmp_path / "notes.txt")
    expect(say).to_contain_text("Eso no es una foto")
    fits(phone, SIZE, "a sentence")
    panel.get_by_role("button", name="No soy Oeste").click()
    expect(panel.locator(".tab")).to_have_count(4)


def test_where_the_page_may_see_a_live_picture_has_a_shutter(
    browser: Browser, board: FakeBoard, server: DashboardServer
) -> None:
    for page in opened(browser, server, SIZE):
        page.add_init_script(
            "navigator.mediaDevices.getUserMedia = async () => {"
            " const felt = document.createElement('canvas');"
            " felt.width = 640; felt.height = 480;"
            " setInterval(() => felt.getContext('2d').fillRect(0, 0, 640, 480), 50);"
            " return felt.captureStream(20); }"
        )
        page.goto(f"{server.url}phone")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        to_showdown(board)
        page.locator("#photo").get_by_role("button", name="Norte").click()
        page.get_by_role("button", name="Foto de mis cartas").click()
        expect(page.locator("#photo video")).to_be_visible()
        page.wait_for_function("() => document.querySelector('#photo video').videoWidth > 0")
        fits(page, SIZE, "live")
        page.get_by_role("button", name="Hacer la foto").click()
        expect(page.locator("#photo video")).to_be_hidden()
        expect(page.locator("#photo .say")).to_contain_text("La foto está oscura")
