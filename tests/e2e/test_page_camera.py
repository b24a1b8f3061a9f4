"""Marking the zones of the seats in a real Chromium: four taps each on the empty table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.eye.calibration import Calibration, load_calibration, save_calibration
from assistant.eye.images import Image
from assistant.eye.mounting import MountWatch
from assistant.eye.page import ZoneCalibration, Zones
from assistant.eye.view import FRAMES, EmptyTable
from assistant.page import DashboardServer, serve
from assistant.table.snapshot import LogPhrases
from scripts.lab.eyebench.trial import shot
from tests.e2e.browsing import SIZES, fits, opened, resized
from tests.e2e.test_page_axe import found_everywhere
from tests.eye.eyes import other_art
from tests.eye.test_mounting import finder, photo, plain, scene
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser
WIDE, HIGH = 640, 360


@pytest.fixture
def table() -> Calibration:
    green = np.full((HIGH, WIDE, 3), (60, 110, 40), np.uint8)
    return Calibration((WIDE, HIGH), {}, None, EmptyTable(green))


@pytest.fixture
def server(
    spanish: LogPhrases, checkout: Path, tmp_path: Path, table: Calibration
) -> Iterator[DashboardServer]:
    save_calibration(tmp_path, table)
    camera = Zones(tmp_path, table, lambda _table: None)
    app = create_app(FakeBoard(spanish), web_dir=checkout / "web", camera=camera)
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def camera(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    for page in opened(browser, server, (1024, 768)):
        page.goto(f"{server.url}camera")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        yield page


def tap(page: Page, *corners: tuple[float, float]) -> None:
    """Tap the picture where these of its pixels are shown."""
    image = page.locator("#photo image")
    box = image.bounding_box()
    assert box is not None
    for x, y in corners:
        page.mouse.click(box["x"] + x / WIDE * box["width"], box["y"] + y / HIGH * box["height"])


def test_four_taps_mark_a_seat_and_the_next_seat_is_asked_for(camera: Page, tmp_path: Path) -> None:
    expect(camera.locator("#state")).to_contain_text("Sin zonas")
    camera.locator('#whose [data-seat="1"]').click()
    expect(camera.locator("#step")).to_contain_text("Norte: toca la esquina 1")
    corners = [(200, 220), (440, 220), (440, 340), (200, 340)]
    tap(camera, *corners[:3])
    expect(camera.locator("#step")).to_contain_text("esquina 4")
    tap(camera, corners[3])
    expect(camera.locator("polygon")).to_have_count(1)
    expect(camera.locator("#step")).to_contain_text("Zona de Oeste")
    expect(camera.locator("#state")).to_contain_text("Falta marcar")
    found = load_calibration(tmp_path).zones[1]
    assert np.abs(found - np.array(corners)).max() < 2


def test_a_crossed_zone_is_refused_and_can_be_marked_again(camera: Page, tmp_path: Path) -> None:
    camera.locator('#whose [data-seat="4"]').click()
    tap(camera, (20, 20), (120, 320), (120, 20), (20, 320))
    expect(camera.locator("#step")).to_contain_text("se cruza")
    expect(camera.locator("polygon")).to_have_count(0)
    tap(camera, (20, 20), (120, 20), (120, 320), (20, 320))
    expect(camera.locator("polygon")).to_have_count(1)
    assert set(load_calibration(tmp_path).zones) == {4}


def test_a_zone_can_be_removed(camera: Page, tmp_path: Path) -> None:
    camera.locator('#whose [data-seat="3"]').click()
    tap(camera, (20, 20), (120, 20), (120, 320), (20, 320))
    expect(camera.locator("polygon")).to_have_count(1)
    camera.locator('#whose [data-seat="3"]').click()
    camera.locator("#unmark").click()
    expect(camera.locator("polygon")).to_have_count(0)
    assert load_calibration(tmp_path).zones == {}


def test_the_page_asks_where_the_first_player_sits_and_writes_the_names_there(
    camera: Page, tmp_path: Path
) -> None:
    first = camera.locator("#first")
    expect(first).to_contain_text("¿A qué lado de la foto se sienta Norte?")
    for name, places in (
        ("Abajo", ("below", "right", "above", "left")),
        ("Arriba", ("above", "left", "below", "right")),
        ("A la izquierda", ("left", "below", "right", "above")),
    ):
        button = first.get_by_role("button", name=name)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        for seat, place in enumerate(places, start=1):
            label = camera.locator(f'#photo text[data-seat="{seat}"]')
            x, y = float(label.get_attribute("x") or 0), float(label.get_attribute("y") or 0)
            beside = {"below": y > HIGH * 0.8, "above": y < HIGH * 0.2,
                      "left": x < WIDE * 0.2, "right": x > WIDE * 0.8}  # fmt: skip
            assert [side for side, there in beside.items() if there] == [place], (name, seat)
            points = {"below": (WIDE / 2, HIGH - 9), "above": (WIDE / 2, 9),
                      "left": (9, HIGH / 2), "right": (WIDE - 9, HIGH / 2)}  # fmt: skip
            assert load_calibration(tmp_path).seat_of(np.array(points[place])) == seat
    assert found_everywhere(camera) == []
    camera.locator('#whose [data-seat="1"]').click()
    tap(camera, (200, 220), (440, 220), (440, 340), (200, 340))
    expect(camera.locator("polygon")).to_have_count(1)
    expect(first).to_be_hidden()  # the zones say where each sits


@pytest.mark.parametrize("size", SIZES)
def test_the_camera_page_fits_every_screen(camera: Page, size: tuple[int, int]) -> None:
    resized(camera, size)
    camera.locator('#whose [data-seat="3"]').click()
    tap(camera, (100, 100), (220, 100))
    fits(camera, size, "marking")


class Eye:
    """The camera's newest picture, and whether cards are in play."""

    def __init__(self) -> None:
        self.picture: Image = plain()
        self.playing = False

    def sight(self) -> list[Image]:
        return [self.picture] * FRAMES


@pytest.fixture
def eye() -> Eye:
    return Eye()


@pytest.fixture
def mounting(
    browser: Browser, eye: Eye, spanish: LogPhrases, checkout: Path, tmp_path: Path
) -> Iterator[Page]:
    """The page of a camera that was never calibrated, with its live picture."""
    lesson = ZoneCalibration(eye.sight, finder, lambda: eye.playing)
    watch = MountWatch(eye.sight, finder, lambda: eye.playing)
    zones = Zones(tmp_path, None, lambda _table: None, lesson, watch)
    server = serve(
        create_app(FakeBoard(spanish), web_dir=checkout / "web", camera=zones), "127.0.0.1", 0
    )
    server.start()
    try:
        for page in opened(browser, server, SIZES[0]):
            page.goto(f"{server.url}camera")
            expect(page.locator("main")).to_have_attribute("aria-busy", "false")
            yield page
    finally:
        watch.close()
        server.stop()


def test_while_the_camera_is_mounted_the_page_shows_what_it_sees(mounting: Page, eye: Eye) -> None:
    said, drawn = mounting.locator("#told"), mounting.locator("#live svg")
    expect(said).to_contain_text("Se ven 4 cartas", timeout=30_000)
    expect(drawn.locator("polygon.sure")).to_have_count(4)
    expect(drawn.locator("text").filter(has_text="R oros")).to_have_count(1)
    for size in SIZES:
        resized(mounting, size)
        fits(mounting, size, "mounting")
        last = said.locator("li").last.bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= size[1]
    assert found_everywhere(mounting) == []
    eye.picture = shot(scene(), other_art(), 1, 1)[0]
    expect(said).to_contain_text("no son de la baraja mus: enséñame la tuya", timeout=30_000)
    eye.picture = photo(scene(larger=0.72))
    expect(said).to_contain_text("hacen falta 100", timeout=30_000)
    expect(said.locator('[data-kind="fault"]')).to_have_count(1)


def test_no_picture_stays_on_the_page_once_cards_are_in_play(mounting: Page, eye: Eye) -> None:
    expect(mounting.locator("#live polygon")).to_have_count(4, timeout=30_000)
    eye.playing = True
    expect(mounting.locator("#told")).to_contain_text("Hay cartas en juego", timeout=30_000)
    expect(mounting.locator("#live polygon")).to_have_count(0)
    blank = """() => document.querySelector("#live canvas").getContext("2d")
      .getImageData(0, 0, 200, 200).data.every((level) => level === 0)"""
    assert mounting.evaluate(blank)


def test_a_table_is_calibrated_beside_its_live_picture(
    mounting: Page, eye: Eye, tmp_path: Path
) -> None:
    said = mounting.locator("#told")
    expect(said).to_contain_text("Se ven 4 cartas", timeout=30_000)
    mounting.get_by_role("button", name="Seguir").click()
    expect(said).to_contain_text("Aún se ven 4 cartas")
    eye.picture = photo(replace(scene(), cards=()))
    expect(said).to_contain_text("No se ve ninguna carta: bien", timeout=30_000)
    mounting.get_by_role("button", name="Está vacía").click()
    expect(mounting.locator("#lesson .step")).to_contain_text("Ahora pon una carta")
    eye.picture = plain()
    expect(said).to_contain_text("Se ven 4 cartas", timeout=30_000)
    mounting.get_by_role("button", name="Están puestas").click()
    expect(mounting.locator("#whose button")).to_have_count(4, timeout=30_000)
    expect(mounting.locator("#live")).to_be_hidden()
    assert load_calibration(tmp_path).plane is not None
    mounting.get_by_role("button", name="Calibrar la mesa otra vez").click()
    expect(mounting.locator("#live")).to_be_visible()
    expect(mounting.locator("#whose")).to_be_hidden()
    mounting.get_by_role("button", name="Dejarlo").click()
    expect(mounting.locator("#whose")).to_be_visible()
