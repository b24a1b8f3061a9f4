"""The pages of a tournament of 128 pairs: what a referee needs of them, and the big screen."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from assistant.files.paths import data_dir
from assistant.files.profile_files import house_rules
from assistant.hall.format_files import all_formats
from assistant.hall.hub.database import migrate, open_database
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.page import create_hall_app
from assistant.hall.tournament import (
    Act,
    Format,
    Opened,
    Options,
    RefereeCalled,
    ResultEntered,
    TableAssigned,
    assign,
    ready,
)
from assistant.page import DashboardServer, Keys, serve
from scripts.lab.run_tournament import results
from tests.e2e.browsing import SCREENS, SMALL_TARGETS, hall_page
from tests.e2e.test_page_axe import found
from tests.page.test_hall import FakeHall

pytestmark = pytest.mark.browser

PAIRS = 128
PHONE, LAPTOP, WALL = (390, 844), (1280, 800), (1920, 1080)
TABLES = [f"mesa-{number}" for number in range(1, 41)]
FORMS: dict[str, Options] = {
    "knockout": Options(bronze=True),
    "swiss": Options(rounds=7),
    "double": Options(),
    "groups": Options(groups=32, advance=2),
    "tres-ceros": Options(),
}
LETTERS = 36
"""Least size of a usual name on a screen 1080 px high: on a picture two metres wide its capitals
are 27 mm high, which is 19 minutes of arc from five metres."""
LONG = "Los que siempre llegan tarde a todas las partidas del barrio y alguno más"
KIND = "(all) => all.map((row) => row.dataset.kind)"
KINDS = ["called", "doubt", "left", "fault", "lost", "silent", "waiting", "ready"]


class Tables:
    """What the hub has found out about the tables' games."""

    def __init__(self) -> None:
        self.doubts: set[str] = set()
        self.left: dict[str, str] = {}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    engine = open_database(str(tmp_path / "hub.sqlite3"))
    migrate(engine)
    yield Ledger(engine)
    engine.dispose()


@pytest.fixture
def hall() -> FakeHall:
    hall = FakeHall()
    for table in TABLES:
        table_is(hall, table)
    return hall


@pytest.fixture
def games() -> Tables:
    return Tables()


@pytest.fixture
def desk(ledger: Ledger, games: Tables) -> Desk:
    doubts, left = lambda _number: games.doubts, lambda _number: games.left
    return Desk(ledger, lambda: TABLES, b"k" * 32, doubts, left, house_rules, all_formats)


@pytest.fixture
def server(desk: Desk, hall: FakeHall) -> Iterator[DashboardServer]:
    app = create_hall_app(
        hall,
        web_dir=data_dir("web"),
        keys=Keys(b"k" * 32, "123456"),
        desk=desk,
        health=dict,
        metrics=lambda: b"",
    )
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def table_is(hall: FakeHall, table: str, **what: object) -> None:
    """Change a table of the hall; by default it is online, and somebody just said something."""
    now = time.time()
    usual = {"online": True, "since": now, "moved": now, "clock": 0, "lag": 0, "fault": ""}
    hall.change(table, **{**usual, "brief": {"over": False, "sides": [], "seats": []}, **what})


def begun(desk: Desk, ledger: Ledger, form: str, pairs: int = PAIRS) -> int:
    """A tournament whose first round is over, and the second is played at the forty tables."""
    if form in all_formats():
        opened = {"type": "Opened", "v": 1, "name": "San Blas", "format": "sheet", "by": "Juez"}
        number = desk.open({"act": opened, "sheet": form})
    else:
        number = ledger.open(Opened("San Blas", Format(form), FORMS[form], by="Juez"))
    lines = [f"Pareja {n},Ana {n} Etxeberria,Luis {n} Ruiz,Peña {n % 7}" for n in range(1, pairs)]
    last = f"{LONG},Nerea Zubizarreta,Koldo Otegi,Peña Alta"
    text = "\n".join(["pareja,jugador 1,jugador 2,peña", *lines, last])
    desk.do(number, "enrol", {"csv": text, "by": "Juez"})
    desk.do(number, "draw", {"seed": 20261224, "by": "Juez"})
    if not ready(ledger.standing(number).tournament):
        desk.do(number, "pair", {"by": "Juez"})
    play(ledger, number)
    if desk.show(number)["to_pair"]:
        desk.do(number, "pair", {"by": "Juez"})
    ledger.do(number, lambda now: list(assign(now, TABLES)))
    return number


def play(ledger: Ledger, number: int) -> None:
    entered = results(ledger.standing(number).tournament, random.Random(3))
    ledger.do(number, lambda _now: entered)


def troubled(desk: Desk, ledger: Ledger, hall: FakeHall, games: Tables, number: int) -> list[str]:
    """Give the referee something of each kind to do; returns the matches at the tables."""
    tournament = ledger.standing(number).tournament
    playing = [match for match in tournament.tables if match not in tournament.results]
    over = next(iter(tournament.results))
    for at, act in {
        playing[0]: ResultEntered(playing[0], (3, 1), (0, 0), "Pareja 1"),
        playing[1]: RefereeCalled(playing[1], "Pareja 1", "Una seña que no es"),
    }.items():
        assert at in tournament.matches
        ledger.do(number, lambda _now, act=act: [act])  # type: ignore[misc]
    games.doubts.add(over)
    games.left[playing[2]] = "names"
    tables, now = tournament.tables, time.time()
    table_is(hall, tables[playing[3]], fault="no cuadra")
    table_is(hall, tables[playing[4]], online=False, since=now - 300)
    table_is(hall, tables[playing[5]], moved=now - 1200)
    if not any(match["state"] == "ready" for match in desk.show(number)["matches"]):
        kept = playing[6]
        ledger.do(number, lambda _now: [ResultEntered(kept, (3, 0), (0, 0), "mesa-9", "g")])
    return playing


def high(page: Page) -> float:
    """How many screens high the page is."""
    return float(page.evaluate("document.documentElement.scrollHeight / innerHeight"))


@pytest.mark.parametrize("form", FORMS)
def test_128_pairs_are_under_two_screens_high_whatever_is_looked_at(
    browser: Browser,
    server: DashboardServer,
    desk: Desk,
    ledger: Ledger,
    hall: FakeHall,
    games: Tables,
    form: str,
) -> None:
    number = begun(desk, ledger, form)
    troubled(desk, ledger, hall, games, number)
    for size in SCREENS:
        page = hall_page(browser, f"{server.url}tournaments/{number}", size)
        expect(page.locator(".need").first).to_be_visible()
        if folder := os.environ.get("MUS_SHOTS"):
            page.screenshot(path=f"{folder}/referee-{form}-{size[0]}x{size[1]}.png", full_page=True)
        # What needs him is not scrolled to, and no less of it is there on a small screen.
        foot = page.locator(".need").last.bounding_box()
        assert foot is not None
        assert foot["y"] + foot["height"] <= size[1], (form, size)
        assert {*page.locator(".need").evaluate_all(KIND)} | {"ready"} == {*KINDS}, (form, size)
        assert page.evaluate(SMALL_TARGETS) == [], (form, size)
        seen = []
        for tab in page.locator("#tabs button").all():
            tab.click()
            expect(tab).to_have_attribute("aria-pressed", "true")
            if tab.inner_text() == "Lo hecho":
                expect(page.locator("#acts li").first).to_be_visible()
            seen.append((tab.inner_text(), high(page)))
        assert {"Partidas", "Parejas", "Lo hecho"} <= {name for name, _ in seen}
        page.locator("#search").fill("etxeberria")
        expect(page.locator(".pairs li").first).to_be_visible()
        seen.append(("search", high(page)))
        page.get_by_role("button", name="Partidas", exact=True).click()
        expect(page.locator("#search")).to_have_value("")
        page.locator("#chapter select").select_option("playing")
        expect(page.locator(".match").first).to_be_visible()
        seen.append(("playing", high(page)))
        assert [(what, much) for what, much in seen if much >= 2] == [], (form, size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        page.close()


def test_what_needs_the_referee_is_first_the_most_urgent_on_top_and_opens_its_match(
    browser: Browser,
    server: DashboardServer,
    desk: Desk,
    ledger: Ledger,
    hall: FakeHall,
    games: Tables,
) -> None:
    number = begun(desk, ledger, "groups")
    playing = troubled(desk, ledger, hall, games, number)
    page = hall_page(browser, f"{server.url}tournaments/{number}", PHONE)
    expect(page.locator(".need")).to_have_count(len(KINDS))
    rows = page.locator(".need").evaluate_all(KIND)
    assert rows == KINDS
    first = page.evaluate("[...document.querySelector('main').children].find((n) => !n.hidden).id")
    assert first == "needs"
    assert page.locator(".need").last.bounding_box()["y"] < PHONE[1]  # type: ignore[index]
    page.locator(".need .what").first.click()
    sheet = page.locator("dialog .sheet")
    expect(sheet.locator("h2")).to_contain_text(playing[1])
    expect(sheet.locator(".why")).to_have_text("Al árbitro: Una seña que no es")
    assert found(page) == []
    # Who he is has to be known first: the field is shown to him.
    sheet.get_by_role("button", name="Ya está atendida").click()
    expect(page.locator("dialog")).to_be_hidden()
    expect(page.get_by_label("Quién eres")).to_be_focused()
    page.keyboard.type("Juez")
    page.locator(".need .what").first.click()
    sheet.get_by_role("button", name="Ya está atendida").click()
    expect(sheet.locator(".why")).to_have_text("")
    expect(sheet.get_by_role("button", name="Ya está atendida")).to_have_count(0)
    sheet.get_by_role("button", name="Cerrar").click()
    expect(page.locator('.need[data-kind="called"]')).to_have_count(0)
    # All that wait for a table are looked at together, and get their tables with one button.
    many = page.locator('.need[data-kind="ready"]')
    many.locator(".what").click()
    expect(page.locator("#chapter select")).to_have_value("need ready")
    for card in page.locator(".match").all():
        expect(card).to_have_attribute("data-state", "ready")
    assert found(page) == []
    page.close()


def test_a_search_finds_a_pair_by_its_player_its_number_and_its_table(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger
) -> None:
    number = begun(desk, ledger, "knockout")
    names = {pair["pair"]: pair["name"] for pair in desk.show(number)["pairs"]}
    page = hall_page(browser, f"{server.url}tournaments/{number}", PHONE)
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("ZUBIZARRETA")
    expect(page.locator(".pairs li")).to_have_count(1)
    expect(page.locator(".pairs li")).to_contain_text(LONG)
    for card in page.locator("#matches .match").all():
        expect(card).to_contain_text(LONG)
    page.keyboard.press("Enter")
    expect(page.locator("#matches .match button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("dialog .sheet")).to_contain_text("Nerea Zubizarreta")
    page.keyboard.press("Escape")
    page.locator("#search").fill("77")
    expect(page.locator("#matches .match").first).to_contain_text(names[77])
    table = next(one for one in desk.show(number)["matches"] if one["table"] == "mesa-5")
    page.locator("#search").fill("mesa 5")
    expect(page.locator("#matches .match .which").first).to_have_text(f"{table['match']} · Mesa 5")
    page.locator("#search").press("Escape")
    expect(page.locator("#search")).to_have_value("")
    expect(page.locator("#chapter")).to_be_visible()
    page.close()


def test_one_round_is_shown_at_a_time_turned_by_buttons_and_keys_and_all_of_it_is_printed(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger
) -> None:
    number = begun(desk, ledger, "knockout")
    page = hall_page(browser, f"{server.url}tournaments/{number}", LAPTOP)
    pick, cards = page.locator("#chapter select"), page.locator("#matches .match")
    expect(pick).to_have_value("Eliminatoria, ronda 2")  # it is played now
    expect(cards).to_have_count(24)
    assert {card.split(".")[0] for card in shown_in(cards)} == {"K2"}
    page.keyboard.press("ArrowRight")
    expect(pick).to_have_value("Dieciseisavos de final")
    assert {card.split(".")[0] for card in shown_in(cards)} == {"K3"}
    page.get_by_role("button", name="La ronda anterior").click()
    page.get_by_role("button", name="La ronda anterior").click()
    expect(pick).to_have_value("Eliminatoria, ronda 1")
    seen: list[str] = []
    while True:
        seen += shown_in(cards)
        turned = page.locator("#matches .turn button").last
        if turned.get_attribute("aria-disabled") == "true":
            break
        turned.click()
    assert sorted(seen) == sorted(f"K1.{match}" for match in range(1, 65))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(cards).to_have_count(PAIRS)
    expect(page.locator(".pairs li")).to_have_count(PAIRS)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".pairs li")).not_to_have_count(PAIRS)
    page.close()


def shown_in(cards: Locator) -> list[str]:
    return [str(one) for one in cards.evaluate_all("(all) => all.map((n) => n.dataset.match)")]


def test_nothing_that_the_referee_touches_moves_or_is_lost_while_news_come_in(
    browser: Browser,
    server: DashboardServer,
    desk: Desk,
    ledger: Ledger,
    hall: FakeHall,
    games: Tables,
) -> None:
    number = begun(desk, ledger, "knockout")
    page = hall_page(browser, f"{server.url}tournaments/{number}", LAPTOP)
    page.get_by_label("Quién eres").fill("Juez de la sala")
    card = page.locator("#matches .match").nth(5)
    match = str(card.get_attribute("data-match"))
    card.click()
    page.locator("dialog").get_by_role("button", name="Poner el resultado").click()
    page.locator("dialog").get_by_label("Juegos").first.fill("3")
    before = page.locator("dialog").bounding_box(), card.bounding_box()
    troubled(desk, ledger, hall, games, number)
    ledger.do(number, lambda _now: [ResultEntered(match, (1, 3), (0, 0), "Pareja 2")])
    # What stands on the page is renewed, and nothing else; a whole poll goes by.
    expect(card).to_have_attribute("data-state", "waiting", timeout=15_000)
    assert (page.locator("dialog").bounding_box(), card.bounding_box()) == before
    expect(page.locator("dialog").get_by_label("Juegos").first).to_have_value("3")
    page.keyboard.press("Escape")
    expect(page.locator(".need")).to_have_count(0)  # not under his finger
    expect(page.locator("#needs h2")).to_have_text(re.compile(r"Te esperan \d+"))
    page.locator("#search").press_sequentially("ana 7")
    expect(page.locator(".need")).to_have_count(0)
    # He lets go, and what waits for him comes.
    expect(page.locator('.need[data-kind="called"]')).to_have_count(1, timeout=20_000)
    expect(page.locator("#search")).to_have_value("ana 7")
    expect(page.locator("#search")).to_be_focused()
    expect(page.get_by_label("Quién eres")).to_have_value("Juez de la sala")
    page.close()


def test_a_pair_calls_the_referee_from_its_telephone_and_he_reads_why(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger
) -> None:
    number = begun(desk, ledger, "knockout", 6)
    codes = desk.codes(number)
    match = next(one for one in desk.show(number)["matches"] if one["state"] == "playing")
    pair = match["slots"][0]["pair"]
    phone = hall_page(browser, f"{server.url}tournaments/{number}/sign?pair={pair}", PHONE)
    phone.get_by_label("Código").fill(codes[pair])
    phone.get_by_role("button", name="Hecho").click()
    card = phone.locator(f'[data-match="{match["match"]}"]')
    card.get_by_role("button", name="Llamar al árbitro").click()
    phone.locator("dialog").get_by_label("Por qué").fill("Faltan piedras")
    phone.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(card.locator(".state")).to_contain_text("llama al árbitro: Faltan piedras")
    expect(card.get_by_role("button", name="Llamar al árbitro")).to_have_count(0)
    page = hall_page(browser, f"{server.url}tournaments/{number}", LAPTOP)
    need = page.locator(".need").first
    expect(need).to_contain_text("Al árbitro: Faltan piedras")
    page.get_by_label("Quién eres").fill("Juez")
    need.locator(".what").click()
    page.locator("dialog").get_by_role("button", name="Ya está atendida").click()
    expect(page.locator("dialog").get_by_role("button", name="Ya está atendida")).to_have_count(0)
    expect(card.get_by_role("button", name="Llamar al árbitro")).to_be_visible(timeout=15_000)
    phone.close()
    page.close()


LAID = """() => [...document.querySelectorAll("#bracket li")].map((box) => {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  const names = [...box.querySelectorAll("span")].filter((name) => name.textContent);
  return {
    match: box.dataset.box, left, right, top, bottom,
    names: names.map((name) => ({
      text: name.textContent,
      size: parseFloat(getComputedStyle(name).fontSize),
      whole: name.scrollWidth <= name.clientWidth + 1 && name.scrollHeight <= name.clientHeight + 3,
      inside: name.getBoundingClientRect().bottom <= bottom + 1,
    })),
  };
})"""


@pytest.mark.parametrize("form", ["knockout", "double"])
def test_the_bracket_on_the_big_screen_has_no_box_on_another_and_every_pair_is_legible(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger, form: str
) -> None:
    number = begun(desk, ledger, form)
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", WALL)
    seen: dict[str, list[str]] = {}
    titles: list[str] = []
    while (title := page.locator("#title").inner_text()) not in titles:
        titles.append(title)
        if page.locator("#bracket").is_visible():
            boxes = page.evaluate(LAID)
            assert len(boxes) >= 12
            for at, box in enumerate(boxes):
                assert 0 <= box["left"] < box["right"] <= WALL[0]
                assert 0 <= box["top"] < box["bottom"] <= WALL[1]
                for other in boxes[at + 1 :]:
                    apart = box["right"] <= other["left"] or other["right"] <= box["left"]
                    over = box["bottom"] <= other["top"] or other["bottom"] <= box["top"]
                    assert apart or over, (title, box["match"], other["match"])
                for name in box["names"]:
                    assert name["whole"], (title, name)
                    assert name["inside"], (title, name)
                    assert name["size"] >= (LETTERS if len(name["text"]) < 20 else 18), name
                seen[box["match"]] = [name["text"] for name in box["names"]]
            assert found(page) == []
        page.keyboard.press("ArrowRight")
    now = desk.show(number)
    names = {pair["pair"]: pair["name"] for pair in now["pairs"]}
    played = [one for one in now["matches"] if one["state"] == "playing" and one["round"] == 2]
    assert len(played) >= 16
    for match in played:
        assert seen[match["match"]] == [names[slot["pair"]] for slot in match["slots"]]
    page.close()


NAMES = [
    "Los de la plaza", "Mikel Etxeberria eta Jon Aranburu", "Iñaki Goikoetxea y Begoña Urrutia",
    "Asociación Cultural Gure Txokoa B", "María Jesús Etxeberria e Ignacio Zubizarreta",
]  # fmt: skip


@pytest.mark.parametrize("pairs", [16, 64])
def test_the_full_names_of_both_players_are_as_large_in_the_bracket_as_short_names(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger, pairs: int
) -> None:
    number = ledger.open(Opened("San Blas", Format.KNOCKOUT, FORMS["knockout"], by="Juez"))
    lines = [f"{NAMES[n % 5]} {n},Ana {n} Ruiz,Luis {n} Gil" for n in range(1, pairs + 1)]
    text = "\n".join(["pareja,jugador 1,jugador 2", *lines])
    desk.do(number, "enrol", {"csv": text, "by": "Juez"})
    desk.do(number, "draw", {"seed": 20261224, "by": "Juez"})
    ledger.do(number, lambda now: list(assign(now, TABLES)))
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", WALL)
    seen: list[str] = []
    titles: list[str] = []
    while (title := page.locator("#title").inner_text()) not in titles:
        titles.append(title)
        for box in page.evaluate(LAID) if page.locator("#bracket").is_visible() else []:
            for name in box["names"]:
                assert name["whole"], name
                assert name["size"] >= (LETTERS if len(name["text"]) < 38 else 28), name
                seen.append(name["text"])
        page.keyboard.press("ArrowRight")
    assert {name for pair in desk.show(number)["pairs"] for name in [pair["name"]]} <= {*seen}
    page.close()


def test_a_format_drawn_round_by_round_shows_its_meetings_and_who_is_still_in(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger
) -> None:
    number = begun(desk, ledger, "tres-ceros", 24)
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", WALL)
    titles: dict[str, list[str]] = {}
    while (title := page.locator("#title").inner_text()) not in titles:
        titles[title] = page.locator("#rows li span").all_inner_texts()
        page.keyboard.press("ArrowRight")
    assert page.locator("#bracket").is_hidden()
    meetings = [name for title, names in titles.items() if "Ronda 2" in title for name in names]
    enrolled = sorted(pair["name"] for pair in desk.show(number)["pairs"])
    assert sorted(meetings) == enrolled
    assert sorted(titles["Siguen 24 parejas"]) == enrolled
    page.close()


def test_the_acts_of_a_call_are_written_for_everybody(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger
) -> None:
    number = begun(desk, ledger, "knockout", 4)
    acts: list[Act] = [
        TableAssigned("K2.1", "mesa-9", "Juez"),
        RefereeCalled("K2.1", "Pareja 1", "Faltan piedras"),
    ]
    ledger.do(number, lambda _now: acts)
    page = hall_page(browser, f"{server.url}tournaments/{number}", PHONE)
    page.locator("#acts summary").click()
    expect(page.locator("#acts li").last).to_contain_text(
        "llaman al árbitro · Pareja 1 · Faltan piedras"
    )
    page.close()
