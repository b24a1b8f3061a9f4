"""Enrolling a deck in a real Chromium: photographs, a check of the cards, a name."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.eye.deck import find_deck
from assistant.eye.hand_photos import Workshop
from assistant.page import DashboardServer, serve
from assistant.table.snapshot import LogPhrases
from scripts.lab.eyebench.enrolment import spread_sheets
from tests.e2e.browsing import SIZES, fits, opened, resized
from tests.e2e.test_page_axe import found_everywhere
from tests.eye.eyes import art, photographs, picture, saved
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser


@pytest.fixture
def server(
    spanish: LogPhrases, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DashboardServer]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    workshop = Workshop("mus", lambda _deck: None)
    app = create_app(FakeBoard(spanish), web_dir=checkout / "web", workshop=workshop)
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def decks(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    for page in opened(browser, server, (1024, 768)):
        page.goto(f"{server.url}decks")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        yield page


def photograph(page: Page, shot: str, path: str, said: str) -> None:
    page.locator(f'#photos [data-key="{shot}"] input').set_input_files(path)
    expect(page.locator("#step")).to_contain_text(said)


def test_a_deck_is_enrolled_suit_by_suit(decks: Page, tmp_path: Path) -> None:
    expect(decks.locator("#decks .playing")).to_have_text("mus · en juego")
    empty = saved(tmp_path, "empty", picture(()))
    photograph(decks, "o", empty, "No se ve ninguna carta")
    said = ["Faltan: Copas, Espadas y Bastos", "Faltan: Espadas y Bastos", "Falta: Bastos", "Mira"]
    for suit, image, told in zip("oceb", photographs(), said, strict=True):
        photograph(decks, suit, saved(tmp_path, suit, image), told)
        expect(decks.locator(f'#photos [data-key="{suit}"]')).to_have_class("there")
    expect(decks.locator("#cards button")).to_have_count(40)
    for name in ("Seis de espadas", "Siete de espadas"):
        decks.get_by_role("button", name=name).click()
    expect(decks.locator("#step")).to_have_text("Cambiadas: Seis de espadas y Siete de espadas.")
    for size in SIZES:
        resized(decks, size)
        fits(decks, size, "all cards")
    decks.locator("#name").fill("la vieja")
    decks.locator("#keep button").click()
    expect(decks.locator("#step")).to_contain_text("El nombre lleva letras")
    decks.locator("#name").fill("vieja")
    decks.locator("#keep button").click()
    expect(decks.locator("#step")).to_contain_text("Se lee ya con la baraja vieja")
    expect(decks.locator("#decks .playing")).to_have_text("vieja · en juego")
    assert len(find_deck("vieja").faces) == 40
    decks.get_by_role("button", name="mus", exact=True).click()
    expect(decks.locator("#step")).to_contain_text("Se lee ya con la baraja mus")
    expect(decks.locator("#decks .playing")).to_have_text("mus · en juego")


def test_cards_in_any_order_are_given_at_once_and_what_is_missing_is_named(
    decks: Page, tmp_path: Path
) -> None:
    first, second = (
        saved(tmp_path, f"spread{at}", sheet.picture)
        for at, sheet in enumerate(spread_sheets(art(), 8, 2, scale=0.5))
    )
    photograph(decks, "any", first, "20 de 40. Faltan:")
    expect(decks.locator("#cards button")).to_have_count(20)
    decks.locator('#photos [data-key="any"] input').set_input_files([first, second])
    expect(decks.locator("#step")).to_contain_text("Mira si cada carta", timeout=30_000)
    expect(decks.locator("#cards button")).to_have_count(40)
    expect(decks.locator('#photos [data-key="any"]')).to_have_class("there")
    decks.reload()
    expect(decks.locator("#step")).to_contain_text("Mira si cada carta")
    expect(decks.locator("#cards button")).to_have_count(40)


def test_a_card_that_is_none_of_mus_is_put_aside_by_one_tap(decks: Page, tmp_path: Path) -> None:
    oros = saved(tmp_path, "oros", photographs()[0])
    photograph(decks, "o", oros, "Faltan: Copas, Espadas y Bastos")
    decks.get_by_role("button", name="Siete de oros").click()
    decks.get_by_role("button", name="No es de Mus", exact=True).click()
    expect(decks.locator("#step")).to_contain_text("Se ha apartado 1 carta que no es de Mus.")
    expect(decks.locator("#cards button")).to_have_count(9)
    aside = decks.locator("#aside button")
    expect(aside).to_have_count(1)
    for size in SIZES:
        resized(decks, size)
        fits(decks, size, "a card put aside")
    aside.click()
    expect(aside).to_have_count(0)
    expect(decks.locator("#cards button")).to_have_count(10)
    decks.get_by_role("button", name="Empezar de nuevo").click()
    expect(decks.locator("#step")).to_have_text("Empezamos de nuevo.")
    expect(decks.locator("#cards button")).to_have_count(0)


def test_a_camera_is_swept_over_the_cards_with_a_live_count(
    browser: Browser, server: DashboardServer
) -> None:
    sheet = spread_sheets(art(), 8, 2, scale=0.5)[0]
    data = b64encode(cv2.imencode(".jpg", sheet.picture)[1].tobytes()).decode()
    for page in opened(browser, server, (360, 740)):
        page.add_init_script(
            "navigator.mediaDevices.getUserMedia = async () => {"
            f" const data = Uint8Array.from(atob('{data}'), (one) => one.charCodeAt(0));"
            " const picture = await createImageBitmap(new Blob([data], { type: 'image/jpeg' }));"
            " const felt = document.createElement('canvas');"
            " felt.width = picture.width; felt.height = picture.height;"
            " setInterval(() => felt.getContext('2d').drawImage(picture, 0, 0), 50);"
            " return felt.captureStream(20); }"
        )
        page.goto(f"{server.url}decks")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        page.get_by_role("button", name="Pasar la cámara por encima").click()
        expect(page.locator("#step")).to_contain_text("20 de 40. Faltan:", timeout=60_000)
        expect(page.locator("#sweep polygon.sure")).to_have_count(20, timeout=30_000)
        expect(page.locator("#sweep [role=status]")).to_contain_text("Enséñame:")
        fits(page, (360, 740), "a sweep")
        page.get_by_role("button", name="Ya está").click()
        expect(page.locator("#sweep video")).to_be_hidden()
        expect(page.locator("#cards button")).to_have_count(20)
        assert found_everywhere(page) == []
