"""The record of a table's game in a real browser: opened from its match, chosen from a list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import Engine

from assistant.files.paths import data_dir
from assistant.hall.hub.database import migrate, open_database
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.hub.store import JournalReader, Store
from assistant.hall.hub.wire import Batch, EventRow
from assistant.hall.page import Records, create_hall_app
from assistant.hall.tournament import (
    Drawn,
    Format,
    Opened,
    Options,
    PairEnrolled,
    ResultEntered,
    TableAssigned,
    draw,
)
from assistant.messages.codec import event_to_json
from assistant.page import DashboardServer, Keys, serve
from tests.e2e.browsing import SIZES, hall_page
from tests.e2e.test_page_axe import found_everywhere
from tests.hall.hub.played import played
from tests.page.test_hall import FakeHall

pytestmark = pytest.mark.browser

EMPTY = {
    "es": "En esta partida todavía no se ha repartido: aún no hay acta.",
    "eu": "Partida honetan oraindik ez da kartarik banatu: ez dago aktarik oraindik.",
    "en": "Nothing was dealt in this game yet: there is no record yet.",
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(str(tmp_path / "hub.sqlite3"))
    migrate(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def server(engine: Engine) -> Iterator[DashboardServer]:
    app = create_hall_app(
        FakeHall(),
        web_dir=data_dir("web"),
        keys=Keys(b"k" * 32, "123456"),
        desk=Desk(Ledger(engine), list, b"k" * 32),
        records=Records(JournalReader(engine)),
        health=dict,
        metrics=lambda: b"",
    )
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def evening(engine: Engine) -> None:
    """A match that was played at a table, and the next match, which was called to it."""
    for game, calls, seed in (("game-1", None, 7), ("game-2", 1, 8)):
        records = played(2, seed)[:calls]
        rows = tuple([EventRow(r.seq, r.batch, r.at, event_to_json(r.event)) for r in records])
        Store(engine).take([Batch("mesa-1", game, 0.0, rows)])
    ledger = Ledger(engine)
    number = ledger.open(Opened("San Blas", Format.KNOCKOUT, Options()))
    pairs = [PairEnrolled(n, f"Pareja {n}", (f"Ana {n}", f"Luis {n}")) for n in range(1, 5)]
    ledger.do(number, lambda _t: pairs)
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7))])
    ledger.do(number, lambda _t: [TableAssigned("K1.1", "mesa-1")])
    ledger.do(number, lambda _t: [ResultEntered("K1.1", (3, 1), (90, 60), "mesa-1", "game-1")])


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_match_leads_to_the_record_of_its_game(
    browser: Browser, server: DashboardServer, size: tuple[int, int]
) -> None:
    page = hall_page(browser, f"{server.url}tournaments/1", size)
    expect(page.locator('[data-match="K1.1"] .state')).to_have_text("del diario de Mesa 1")
    expect(page.locator('[data-match="K1.2"] .acta')).to_be_hidden()
    page.locator('[data-match="K1.1"]').get_by_role("link", name="El acta de la partida").click()
    expect(page.locator("pre.record")).to_contain_text("mesa-1 game-1")
    chosen = page.locator(".games [aria-current]")
    expect(chosen).to_have_count(1)
    expect(page.locator(".games li")).to_have_count(2)
    expect(page.locator(".games li").last).to_contain_text("juegos")
    if size == SIZES[0]:
        assert found_everywhere(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".games a").first.click()
    expect(page.locator("p.none", has_text=EMPTY["es"])).to_be_visible()
    page.close()


@pytest.mark.usefixtures("evening")
def test_the_newest_game_that_has_a_deal_is_shown_first(
    browser: Browser, server: DashboardServer
) -> None:
    page = hall_page(browser, f"{server.url}t/mesa-1/record")
    expect(page.locator("pre.record")).to_contain_text("mesa-1 game-1")
    expect(page.locator(".games li").first).to_contain_text("por empezar")
    page.close()


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("language", EMPTY)
def test_a_game_without_a_deal_is_reported_in_the_language_of_the_page(
    browser: Browser, server: DashboardServer, language: str
) -> None:
    page = hall_page(browser, f"{server.url}t/mesa-1/record?lang={language}&game=game-2")
    expect(page.get_by_text(EMPTY[language])).to_be_visible()
    page.locator(".games a").last.click()
    expect(page.locator("pre.record")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.close()
