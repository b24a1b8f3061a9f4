"""Marking the zones of the seats in a real Chromium: four taps each on the empty table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.eye.calibration import Calibration, load_calibration, save_calibration
from assistant.eye.page import Zones
from assistant.eye.view import EmptyTable
from assistant.page import DashboardServer, serve
from assistant.table.snapshot import LogPhrases
from tests.e2e.browsing import SIZES, fits, opened, resized
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


@pytest.mark.parametrize("size", SIZES)
def test_the_camera_page_fits_every_screen(camera: Page, size: tuple[int, int]) -> None:
    resized(camera, size)
    camera.locator('#whose [data-seat="3"]').click()
    tap(camera, (100, 100), (220, 100))
    fits(camera, size, "marking")
