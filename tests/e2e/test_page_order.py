"""Time and order on the pages: absent pairs, the clock, the calls, the sanctions."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from assistant.files.paths import data_dir
from assistant.files.profile_files import house_rules
from assistant.hall.hub.database import migrate, open_database
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.page import create_hall_app
from assistant.hall.tournament import (
    Act,
    CallingSet,
    Drawn,
    Format,
    Opened,
    Options,
    PairEnrolled,
    PairLate,
    RoundClockSet,
    RoundEnded,
    Times,
    TimesSet,
    Tournament,
    draw,
    shown,
)
from assistant.page import DashboardServer, Keys, serve
from tests.e2e.browsing import SCREENS, SMALL_TARGETS, hall_page
from tests.e2e.test_page_axe import found_everywhere
from tests.page.test_hall import FakeHall

pytestmark = pytest.mark.browser


class HallClock:
    """The hub's clock, which a test may turn on."""

    def __init__(self) -> None:
        self.later = 0.0

    def __call__(self) -> float:
        return time.time() + self.later


@pytest.fixture
def clock() -> HallClock:
    return HallClock()


@pytest.fixture
def ledger(tmp_path: Path, clock: HallClock) -> Iterator[Ledger]:
    engine = open_database(str(tmp_path / "hub.sqlite3"))
    migrate(engine)
    yield Ledger(engine, clock)
    engine.dispose()


@pytest.fixture
def hall() -> FakeHall:
    return FakeHall()


@pytest.fixture
def server(ledger: Ledger, hall: FakeHall) -> Iterator[DashboardServer]:
    app = create_hall_app(
        hall,
        web_dir=data_dir("web"),
        keys=Keys(b"k" * 32, "123456"),
        desk=Desk(ledger, lambda: ["mesa-1", "mesa-2"], b"k" * 32, house=house_rules),
        health=dict,
        metrics=lambda: b"",
    )
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def begun(ledger: Ledger, pairs: int = 8, tables: int = 4, form: Format = Format.KNOCKOUT) -> int:
    """A drawn tournament, whose first matches were called by themselves."""
    number = ledger.open(Opened("San Blas", form, Options(), by="Juez"))
    enrolled: list[Act] = [
        PairEnrolled(n, f"Los del bar {n}", (f"Ana {n}", f"Luis {n}")) for n in range(1, pairs + 1)
    ]
    ledger.do(number, lambda _t: enrolled)
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7), "Juez")])
    ledger.do(number, lambda _t: [CallingSet(True, tables, "Juez")])
    Desk(ledger, list).call()
    return number


def now(ledger: Ledger, number: int) -> Tournament:
    return ledger.standing(number).tournament


def referees(browser: Browser, server: DashboardServer, number: int, size: tuple[int, int]) -> Page:
    page = hall_page(browser, f"{server.url}tournaments/{number}", size)
    page.locator("#referee").get_by_role("textbox").first.fill("Juez")
    return page


def done(page: Page) -> None:
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(page.locator("dialog")).to_be_hidden()


def order(page: Page) -> Locator:
    return page.locator("#order")


def test_the_times_are_set_once_and_one_tap_says_who_has_not_come(
    browser: Browser, server: DashboardServer, ledger: Ledger, clock: HallClock
) -> None:
    clock.later = -12 * 60  # called twelve minutes ago
    number = begun(ledger, pairs=4, tables=2)
    clock.later = 0
    page = referees(browser, server, number, (390, 844))
    order(page).locator("summary").click()
    rows = order(page).locator(".called li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Mesa 1 · hace 12 min")
    expect(rows.first.get_by_role("button").first).to_be_disabled()
    order(page).get_by_role("button", name="Tiempos").click()
    assert page.get_by_label("Minutos de cortesía").input_value() == "10"
    done(page)
    tap = rows.first.get_by_role("button").first
    expect(tap).to_contain_text("pierde 1 juego")
    tap.click()
    penalties = order(page).locator(".penalties li")
    expect(penalties).to_have_count(1)
    expect(penalties).to_contain_text("12 min tarde, 1 juego")
    expect(tap).to_be_disabled()  # until the next juego is lost
    (match,) = [m for m in now(ledger, number).matches if m == "K1.1"]
    whole = shown(now(ledger, number))["matches"]
    assert next(m for m in whole if m["match"] == match)["given"] == [0, 1]
    penalties.get_by_role("button", name="Deshacer").click()
    expect(penalties).to_contain_text("fue un error")
    expect(tap).to_be_enabled()
    page.close()


def test_the_times_may_be_set_where_a_tournament_is_opened(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    page = hall_page(browser, f"{server.url}tournaments", (390, 844))
    page.get_by_label("Quién eres").fill("Juez")
    page.get_by_label("Nombre del torneo").fill("San Blas")
    page.locator(".times summary").click()
    page.get_by_label("Minutos de cortesía").fill("15")
    page.get_by_label("Minutos que dura una ronda").fill("60")
    page.get_by_role("button", name="Abrir el torneo").click()
    expect(page.locator("#order")).to_be_visible()
    assert now(ledger, 1).times == Times(15, 0, True, 60)
    page.close()


def test_a_table_that_plays_is_not_waited_for(
    browser: Browser, server: DashboardServer, ledger: Ledger, hall: FakeHall
) -> None:
    number = begun(ledger, pairs=4, tables=2)
    hall.change("mesa-1", online=True, brief={"deal": 2, "over": False, "sides": []})
    page = referees(browser, server, number, (1280, 800))
    order(page).locator("summary").click()
    expect(order(page).locator(".called li")).to_have_count(1)
    expect(order(page).locator(".called li")).to_contain_text("Mesa 2")
    page.close()


def test_the_round_ends_with_what_the_tables_show(
    browser: Browser, server: DashboardServer, ledger: Ledger, hall: FakeHall
) -> None:
    number = begun(ledger, pairs=4, tables=2)
    match = next(m for m in shown(now(ledger, number))["matches"] if m["match"] == "K1.1")
    sides = [
        {"names": match["seated"][0], "juegos": 2, "stones": 12},
        {"names": match["seated"][1], "juegos": 2, "stones": 31},
    ]
    hall.change("mesa-1", online=True, brief={"deal": 9, "over": False, "sides": sides})
    page = referees(browser, server, number, (390, 844))
    order(page).get_by_role("button", name="Se acabó el tiempo").click()
    parts = page.locator("dialog fieldset")
    expect(parts).to_have_count(2)
    first, second = parts.first, parts.last
    assert [box.input_value() for box in first.locator("input").all()] == ["2", "2"]
    # The one that is ahead in the juego that is played is proposed.
    ahead = match["slots"][1]["pair"]
    assert first.locator("select").input_value() == str(ahead)
    second.locator("input").first.fill("1")
    second.locator("input").last.fill("0")
    assert found_everywhere(page) == []
    done(page)
    results = now(ledger, number).results
    assert (results["K1.1"].juegos, results["K1.1"].winner) == ((2, 2), ahead)
    assert (results["K1.2"].juegos, results["K1.2"].how) == ((1, 0), "time")
    expect(page.locator('[data-match="K1.1"] .state')).to_contain_text("acabó el tiempo")
    page.close()


@pytest.mark.parametrize("known", [True, False])
def test_a_stopped_match_keeps_its_tables_stones_and_counts_a_juego_given_once(
    browser: Browser, server: DashboardServer, ledger: Ledger, hall: FakeHall, known: bool
) -> None:
    """The game may have begun with the juego, or not know of it."""
    number = begun(ledger, pairs=4, tables=1)
    match = next(m for m in shown(now(ledger, number))["matches"] if m["match"] == "K1.1")
    first, second = (slot["pair"] for slot in match["slots"])
    assert second is not None
    ledger.do(number, lambda _t: [
        TimesSet(Times(10, 10), "Juez"), PairLate("K1.1", second, 10, "Juez"),
    ])  # fmt: skip
    sides = [
        {"names": match["seated"][1], "juegos": 0, "stones": 12},
        {"names": match["seated"][0], "juegos": 2 if known else 1, "stones": 31},
    ]
    brief = {"deal": 9, "over": False, "sides": sides, "whole": [52, 71]}
    brief["given"] = [0, 1] if known else [0, 0]
    hall.change("mesa-1", online=True, brief=brief)
    page = referees(browser, server, number, (1280, 800))
    order(page).get_by_role("button", name="Se acabó el tiempo").click()
    expect(page.locator("dialog fieldset")).to_have_count(1)
    boxes = page.locator("dialog fieldset input").all()
    assert [box.input_value() for box in boxes] == ["2", "0"]
    done(page)
    result = now(ledger, number).results["K1.1"]
    assert (result.juegos, result.stones, result.winner) == ((2, 0), (71, 52), first)
    page.close()


def test_a_sanction_has_its_article_its_player_and_what_takes_it_back(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = begun(ledger, pairs=4, tables=2)
    page = referees(browser, server, number, (1280, 800))
    proposed = []
    for _ in range(3):
        order(page).get_by_role("button", name="Sanción").click()
        dialog = page.locator("dialog")
        dialog.get_by_label("Pareja").select_option("2")
        proposed.append(dialog.get_by_label("Qué pierde").input_value())
        dialog.get_by_label("Quién").select_option("Ana 2")
        dialog.get_by_label("Artículo").fill("Interpeñas 1996, 9.1: pensar para envidar o revocar")
        dialog.get_by_label("Por qué").fill("Tres veces")
        done(page)
    assert proposed == ["warning", "juego", "match"]
    penalties = order(page).locator(".penalties li")
    expect(penalties).to_have_count(3)
    expect(penalties.first).to_contain_text("partida · Los del bar 2 (Ana 2)")
    (match,) = now(ledger, number).results
    expect(page.locator(f'[data-match="{match}"] .state')).to_contain_text("por sanción")
    penalties.first.get_by_role("button", name="Retirar").click()
    page.get_by_label("Por qué").fill("Recurso")
    done(page)
    expect(penalties.first).to_contain_text("✗ Recurso")
    assert not now(ledger, number).results
    page.locator("#acts summary").click()
    expect(page.locator("#acts li").last).to_contain_text("retirada la sanción 3 (partida)")
    page.close()


def test_calls_are_paused_and_go_on(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = begun(ledger, tables=2)
    page = referees(browser, server, number, (390, 844))
    order(page).get_by_role("button", name="Pausa de las llamadas").click()
    expect(order(page).locator(".calling")).to_have_text("Las mesas las llama el árbitro.")
    order(page).get_by_role("button", name="Llamar solas las mesas").click()
    box = page.get_by_label("Mesas numeradas de la sala")
    assert box.input_value() == "2"
    box.fill("32")
    done(page)
    expect(order(page).locator(".calling")).to_have_text("Las mesas libres se llaman solas.")
    assert (now(ledger, number).calling, now(ledger, number).numbered) == (True, 32)
    page.close()


def test_the_round_is_timed_by_one_tap_and_prolonged(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = begun(ledger)
    ledger.do(number, lambda _t: [TimesSet(Times(10, 10, playing=60), "Juez")])
    page = referees(browser, server, number, (390, 844))
    order(page).get_by_role("button", name="Empieza la ronda: 60 min").click()
    expect(order(page).get_by_role("button", name="5 min más")).to_be_visible()
    ends = now(ledger, number).ends
    assert abs(ends - time.time() - 3_600) < 60
    order(page).get_by_role("button", name="5 min más").click()
    expect(order(page).locator(".hour strong")).to_have_text(re.compile("^1:0[45]:"))
    assert now(ledger, number).ends == ends + 300
    order(page).get_by_role("button", name="Quitar el final").click()
    expect(order(page).locator(".hour span")).to_have_text("La ronda no tiene hora.")
    page.close()


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_a_round_that_ends_by_itself_is_chosen_warned_of_and_taken_back(
    browser: Browser, server: DashboardServer, ledger: Ledger, size: tuple[int, int]
) -> None:
    number = begun(ledger, pairs=16, tables=8)
    page = referees(browser, server, number, size)
    order(page).get_by_role("button", name="Tiempos").click()
    page.get_by_label("La ronda acaba sola a su hora").check()
    done(page)
    times = now(ledger, number).times
    assert times is not None
    assert times.stops
    ends = int(time.time()) + 500
    ledger.do(number, lambda _t: [RoundClockSet(ends, "Juez")])
    at = time.strftime("%H:%M", time.localtime(ends))
    expect(order(page).locator(".hour span")).to_have_text(f"hasta las {at}; entonces acaba sola")
    expect(order(page).locator(".hour")).to_have_class("hour warns")
    screen = hall_page(browser, f"{server.url}tournaments/{number}/screen", size)
    expect(screen.locator("#hall-clock span")).to_have_text(f"a las {at} acaba sola")
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight")
    if folder := os.environ.get("MUS_SHOTS"):
        screen.screenshot(path=f"{folder}/alone-screen-{size[0]}x{size[1]}.png")
        page.screenshot(path=f"{folder}/alone-{size[0]}x{size[1]}.png", full_page=True)
    screen.close()
    ledger.do(number, lambda t: [RoundEnded(t.ends, (("K1.1", (2, 1), (9, 9)),))])
    order(page).get_by_role("button", name="Deshacer el final de la ronda").click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("Estas partidas siguen donde estaban: K1.1")
    dialog.get_by_label("Por qué").fill("El reloj iba mal")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    done(page)
    assert now(ledger, number).results == {}
    acts = page.locator("#acts li")
    page.locator("#acts summary").click()
    expect(acts.nth(-2)).to_contain_text("acaba la ronda a su hora, con lo que marcan las mesas: 1")
    expect(acts.last).to_contain_text("se deshace el final de la ronda: 1 partida")
    page.close()


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_the_big_screen_has_the_clock_and_the_new_calls(
    browser: Browser, server: DashboardServer, ledger: Ledger, size: tuple[int, int]
) -> None:
    number = begun(ledger, pairs=32, tables=16)
    ends = int(time.time()) + 545
    ledger.do(number, lambda _t: [RoundClockSet(ends, "Juez")])
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", size)
    left = page.locator("#hall-clock b").inner_text()
    minutes, seconds = left.split(":")
    assert abs(int(minutes) * 60 + int(seconds) - (ends - time.time())) < 5
    expect(page.locator("#hall-clock")).to_have_class("warns")
    expect(page.locator("#calls li")).not_to_have_count(0)
    expect(page.locator("#calls li b").first).to_contain_text("Mesa")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lowest = """Math.min(...[...document.querySelectorAll("#rows li")]
      .map((node) => node.getBoundingClientRect().height))"""
    assert page.evaluate(lowest) > 12, "the tables keep room under the calls"
    if size == (1920, 1080):
        assert found_everywhere(page) == []
    ledger.do(number, lambda _t: [CallingSet(False, 16, "Juez")])
    expect(page.locator("#calls")).to_be_hidden()
    page.close()


def test_time_that_is_up_is_told_on_the_big_screen(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = begun(ledger, pairs=4, tables=1)
    ledger.do(number, lambda _t: [RoundClockSet(int(time.time()) - 1, "Juez")])
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", (1920, 1080))
    expect(page.locator("#hall-clock b")).to_have_text("Se acabó el tiempo")
    page.close()


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_the_referees_time_and_order_fits_every_screen(
    browser: Browser, server: DashboardServer, ledger: Ledger, size: tuple[int, int]
) -> None:
    number = begun(ledger, pairs=16, tables=8)
    ledger.do(number, lambda _t: [TimesSet(Times(0, 10), "Juez")])
    desk = Desk(ledger, list)
    desk.do(number, "late", {"match": "K1.2", "pair": _pair(ledger, number), "by": "Juez"})
    page = referees(browser, server, number, size)
    order(page).locator("summary").click()
    expect(order(page).locator(".called li")).to_have_count(8)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(SMALL_TARGETS) == []
    if size == (390, 844):
        assert found_everywhere(page) == []
    page.close()


def _pair(ledger: Ledger, number: int) -> int:
    whole = shown(now(ledger, number))
    pair = next(m for m in whole["matches"] if m["match"] == "K1.2")["slots"][0]["pair"]
    assert pair is not None
    return pair
