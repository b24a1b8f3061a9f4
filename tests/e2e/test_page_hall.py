"""The hall in a real browser: tables that join, play and are lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.files.paths import data_dir
from assistant.hall.page import create_hall_app
from assistant.page import DashboardServer, serve
from assistant.rules.history import fold
from assistant.table.snapshot.views import brief
from tests.e2e.browsing import SIZES, opened
from tests.e2e.test_page_axe import found_everywhere
from tests.hall.hub.played import played, some
from tests.page.test_hall import FakeHall

pytestmark = pytest.mark.browser

EVENING = played(3)
NASTY = "<b>Ana</b>"


def sit(hall: FakeHall, table: str, calls: int = 40, **changes: object) -> None:
    """Add a table to the hall after some calls."""
    records = some(EVENING, calls)
    state = fold(records)
    assert state
    whole = {"online": True, "since": 0.0, "clock": 0.0, "lag": 0, "fault": "", "game": "game-1"}
    hall.change(table, **{**whole, "brief": brief(state, records[-1].seq), **changes})


def retell(hall: FakeHall, table: str, **changes: object) -> None:
    """Change details of the table's game."""
    view = hall.view(table)
    assert view
    sit(hall, table, brief={**view["brief"], **changes})


@pytest.fixture
def hall() -> FakeHall:
    hall = FakeHall()
    for number in (10, 2, 1):
        sit(hall, f"mesa-{number}")
    return hall


@pytest.fixture
def server(hall: FakeHall) -> Iterator[DashboardServer]:
    app = create_hall_app(hall, web_dir=data_dir("web"), health=dict, metrics=lambda: b"")
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=SIZES, ids=str)
def page(
    browser: Browser, server: DashboardServer, request: pytest.FixtureRequest
) -> Iterator[Page]:
    yield from opened(browser, server, request.param)


def test_tables_are_listed_in_order_and_change_as_they_play(page: Page, hall: FakeHall) -> None:
    names = page.locator(".table h2")
    expect(names).to_have_text(["Mesa 1", "Mesa 2", "Mesa 10"])
    expect(page.locator("#told")).to_have_text("3 de 3 mesas conectadas")
    sit(hall, "mesa-3")
    expect(names).to_have_text(["Mesa 1", "Mesa 2", "Mesa 3", "Mesa 10"])
    sit(hall, "mesa-2", 120)
    stones = [side["stones"] for side in hall.view("mesa-2")["brief"]["sides"]]  # type: ignore[index]
    expect(page.locator('[data-table="mesa-2"] strong')).to_have_text([str(n) for n in stones])
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "the page is wider than its screen"


def test_a_table_in_trouble_shows_it_and_can_be_filtered(page: Page, hall: FakeHall) -> None:
    sit(hall, "mesa-2", online=False)
    sit(hall, "mesa-10", clock=3600.0, lag=2)
    expect(page.locator('[data-table="mesa-2"] .trouble')).to_contain_text("sin conexión")
    expect(page.locator('[data-table="mesa-10"] .trouble')).to_have_text(
        "faltan 2 jugadas · su reloj va 60 min adelantado"
    )
    page.get_by_role("button", name="Con problemas").click()
    expect(page.locator(".table h2")).to_have_text(["Mesa 2", "Mesa 10"])
    page.get_by_role("button", name="Terminadas").click()
    expect(page.locator("#none")).to_have_text("Ninguna mesa es así.")


def test_a_table_is_found_by_its_name_and_its_players(page: Page, hall: FakeHall) -> None:
    retell(hall, "mesa-2", seats=["José", "b", "c", "d"])
    both = ["Mesa 1", "Mesa 10"]
    for sought, names in (("10", ["Mesa 10"]), ("jose", ["Mesa 2"]), ("mesa 1", both)):
        page.get_by_label("Busca una mesa o un nombre").fill(sought)
        expect(page.locator(".table h2")).to_have_text(names)


def test_names_are_shown_as_text_and_not_markup(page: Page, hall: FakeHall) -> None:
    view = hall.view("mesa-1")
    assert view
    sides = [{**side, "names": [NASTY]} for side in view["brief"]["sides"]]
    retell(hall, "mesa-1", sides=sides)
    expect(page.locator('[data-table="mesa-1"] .sides b').first).to_have_text(NASTY)


def test_a_table_has_a_page_of_its_own_with_its_lances(page: Page) -> None:
    page.get_by_role("link", name="Mesa 2").click()
    expect(page.locator(".table h2")).to_have_text(["Mesa 2"])
    expect(page.locator(".lances li")).to_have_count(4)
    page.get_by_role("link", name="Toda la sala").click()
    expect(page.locator(".table h2")).to_have_count(3)


def test_the_big_screen_shows_many_tables_in_turn(
    browser: Browser, server: DashboardServer, hall: FakeHall
) -> None:
    for number in range(1, 60):
        sit(hall, f"mesa-{number}")
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.clock.install()
    page.goto(f"{server.url}screen")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    seen: set[str] = set()
    for _ in range(8):
        names = page.locator(".table h2").all_inner_texts()
        assert 4 < len(names) < 59
        seen |= set(names)
        page.clock.run_for(12_000)
    assert len(seen) == 59
    page.close()


@pytest.mark.parametrize("many", [3, 8])
def test_a_few_tables_fill_the_big_screen(
    browser: Browser, server: DashboardServer, hall: FakeHall, many: int
) -> None:
    for number in range(3, many):
        sit(hall, f"mesa-{number}")
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{server.url}screen")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    size, bottom, room = page.evaluate(
        """() => [parseFloat(getComputedStyle(document.querySelector(".phase")).fontSize),
          Math.max(...[...document.querySelectorAll(".table")]
            .map((node) => node.getBoundingClientRect().bottom)),
          document.querySelector("main").getBoundingClientRect().bottom]"""
    )
    assert size > 26, "the text is too small for the other end of a hall"
    assert bottom < room, "a card is cut off"
    assert bottom > room * 0.6, "much of the screen is left empty"
    page.close()


def test_qr_codes_can_be_printed_before_the_tables_join(
    browser: Browser, server: DashboardServer
) -> None:
    page = browser.new_page(locale="es-ES")
    page.goto(f"{server.url}qr")
    expect(page.locator(".codes h2")).to_have_text(["Mesa 1", "Mesa 2", "Mesa 10"])
    page.get_by_label("Cuántas mesas").fill("12")
    page.get_by_role("button", name="Ver los códigos").click()
    expect(page.locator(".codes h2")).to_have_text([f"Mesa {n}" for n in range(1, 13)])
    page.wait_for_function("() => [...document.images].every((code) => code.naturalWidth > 0)")
    page.close()


def test_an_unknown_page_is_reported_in_the_halls_language(
    browser: Browser, server: DashboardServer
) -> None:
    for code, said in (("es", "Aquí no hay nada"), ("eu", "Hemen ez dago ezer")):
        for path in ("t/mesa-99", "nonsense"):
            page = browser.new_page()
            answer = page.goto(f"{server.url}{path}?lang={code}")
            assert answer
            assert answer.status == 404
            expect(page.get_by_role("heading", level=1)).to_have_text(said)
            assert found_everywhere(page) == []
            page.close()


@pytest.mark.parametrize("path", ["", "t/mesa-1", "screen", "qr?tables=4"])
def test_axe_finds_nothing_serious_in_the_hall(
    browser: Browser, server: DashboardServer, hall: FakeHall, path: str
) -> None:
    sit(hall, "mesa-2", online=False)
    page = browser.new_page()
    page.goto(f"{server.url}{path}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    assert found_everywhere(page) == []
    page.close()


def test_the_hall_speaks_the_requested_language(browser: Browser, server: DashboardServer) -> None:
    for code, name in (("eu", "Aretoa"), ("en", "The hall")):
        page = browser.new_page()
        page.goto(f"{server.url}?lang={code}")
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        page.close()


def test_a_table_before_its_first_deal_is_shown_as_about_to_begin(
    page: Page, hall: FakeHall
) -> None:
    retell(hall, "mesa-1", deal=0, phase="count", pending=None, juegos_to_win=1)
    card = page.locator('[data-table="mesa-1"]')
    expect(card).to_contain_text("por empezar")
    expect(card).to_contain_text("0 de 1 juego")
    expect(card).not_to_contain_text("juegos")
