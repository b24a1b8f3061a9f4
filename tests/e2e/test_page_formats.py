"""Formats from files on the pages of a hall, in a real browser: chosen, drawn and played."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.files.paths import data_dir
from assistant.files.profile_files import house_rules
from assistant.hall.format_files import all_formats
from assistant.hall.hub.database import migrate, open_database
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.page import create_hall_app
from assistant.hall.tournament import players
from assistant.page import DashboardServer, Keys, serve
from scripts.lab.run_tournament import list_of, results
from tests.e2e.browsing import SIZES, SMALL_TARGETS, hall_page
from tests.e2e.test_page_axe import found
from tests.e2e.test_page_tournament import enrolled
from tests.page.test_hall import FakeHall

pytestmark = pytest.mark.browser


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    engine = open_database(str(tmp_path / "hub.sqlite3"))
    migrate(engine)
    yield Ledger(engine)
    engine.dispose()


@pytest.fixture
def desk(ledger: Ledger) -> Desk:
    tables = ["mesa-1", "mesa-2"]
    return Desk(ledger, lambda: tables, b"k" * 32, house=house_rules, sheets=all_formats)


@pytest.fixture
def server(desk: Desk) -> Iterator[DashboardServer]:
    app = create_hall_app(
        FakeHall(),
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


def begun(desk: Desk, name: str, pairs: int) -> int:
    sheet = all_formats()[name]
    act = {"type": "Opened", "v": 1, "name": "San Blas", "format": "sheet", "by": "Juez"}
    number = desk.open({"act": act, "sheet": name, "starts": "2027-01-11"})
    desk.do(number, "enrol", {"csv": list_of(pairs, sheet), "by": "Juez"})
    desk.do(number, "draw", {"seed": 20261224, "by": "Juez"})
    return number


def play(desk: Desk, ledger: Ledger, number: int, steps: int) -> None:
    chance = random.Random(3)
    while steps and desk.show(number)["stage"] != "over":
        steps -= 1
        entered = results(ledger.standing(number).tournament, chance)
        if entered:
            ledger.do(number, lambda _now, acts=entered: acts)  # type: ignore[misc]
        else:
            desk.do(number, "pair", {"by": "Juez"})


def chosen(page: Page, title: str) -> None:
    page.get_by_label("Quién eres").fill("Juez")
    page.get_by_label("Nombre del torneo").fill("San Blas")
    page.get_by_label("Cómo se juega").select_option(label=title)


def test_a_format_from_a_file_is_chosen_in_players_words_and_paired_round_by_round(
    browser: Browser, server: DashboardServer
) -> None:
    page = hall_page(browser, f"{server.url}tournaments")
    chosen(page, "A tres ceros")
    expect(page.locator(".explains")).to_contain_text("a la tercera derrota se va")
    page.get_by_role("button", name="Abrir el torneo").click()
    expect(page.locator("#facts")).to_contain_text("A tres ceros")
    tournament = page.url
    page.get_by_role("button", name="Apuntar parejas").click()
    # All lines that are wrong are told at once, in the language of the page.
    paste = page.get_by_label("O pégala aquí")
    paste.fill("jugador 1,jugador 2\nAna,\nEva,Jon\nEva,Luis\n")
    faults = page.locator(".faults li")
    expect(faults).to_have_count(2)
    expect(faults.first).to_contain_text("Línea 2: Falta el nombre")
    expect(faults.last).to_contain_text("Línea 4: Eva ya juega en la pareja")
    expect(faults.last.get_by_label("Son personas distintas")).to_be_visible()
    paste.fill(list_of(5, all_formats()["tres-ceros"]))
    page.get_by_role("button", name="Apuntar 5").click()
    expect(page.locator(".enrolled li")).to_have_count(5)
    page.goto(tournament)
    expect(page.locator(".pairs li")).to_have_count(5)
    page.get_by_role("button", name="Sortear").click()
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    page.get_by_role("button", name="Emparejar la ronda").click()
    expect(page.get_by_role("heading", name="Ronda 1")).to_be_visible()
    expect(page.locator(".match")).to_have_count(3)
    expect(page.locator('.match[data-state="void"]')).to_contain_text("libre")
    # The next round waits for the results of this one, and says so.
    page.get_by_role("button", name="Emparejar la ronda").click()
    expect(page.locator("#notice")).to_contain_text("V1.1 no está decidida")
    page.close()


def test_a_league_is_asked_for_its_first_day_and_shows_the_date_of_each_round(
    browser: Browser, server: DashboardServer, desk: Desk
) -> None:
    page = hall_page(browser, f"{server.url}tournaments")
    expect(page.get_by_label("Primer día")).to_be_hidden()
    chosen(page, "Liga por semanas")
    page.get_by_label("Primer día").fill("2027-01-11")
    page.get_by_role("button", name="Abrir el torneo").click()
    expect(page.locator("#facts")).to_contain_text("Liga por semanas")
    desk.do(1, "enrol", {"csv": list_of(4, all_formats()["liga"]), "by": "Juez"})
    desk.do(1, "draw", {"seed": 7, "by": "Juez"})
    expect(page.get_by_role("heading", name="Ronda 2 · lun, 18 ene")).to_be_visible(timeout=15_000)
    page.close()


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_the_draw_and_a_round_are_drawn_from_a_bag_by_tapping_the_numbers(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger, size: tuple[int, int]
) -> None:
    sheet = all_formats()["sorteo-cada-ronda"]
    act = {"type": "Opened", "v": 1, "name": "San Blas", "format": "sheet", "by": "Juez"}
    number = desk.open({"act": act, "sheet": "sorteo-cada-ronda"})
    desk.do(number, "enrol", {"csv": list_of(4, sheet), "by": "Juez"})
    page = hall_page(browser, f"{server.url}tournaments/{number}", size)
    page.locator("#referee").get_by_role("textbox").first.fill("Juez")
    page.get_by_role("button", name="Sortear").click()
    dialog = page.locator("dialog")
    dialog.locator("summary").click()
    numbers = dialog.get_by_label("Números, en el orden en que salen")
    for ball in ("3", "1", "4"):
        dialog.get_by_role("button", name=ball, exact=True).click()
    expect(numbers).to_have_value("3 1 4")
    expect(dialog.get_by_role("button", name="4", exact=True)).to_be_disabled()
    expect(dialog.locator(".left")).to_have_text("Por salir: 1")
    assert found(page) == []
    assert page.evaluate(SMALL_TARGETS) == []
    if folder := os.environ.get("MUS_SHOTS"):
        page.screenshot(path=f"{folder}/bag-{size[0]}.png")
    dialog.get_by_role("button", name="Hecho").click()
    expect(dialog.locator(".refusal")).to_contain_text("El número 2 no ha salido")
    numbers.fill("3 1 4 2")  # typed, too
    dialog.get_by_role("button", name="Hecho").click()
    expect(page.locator("#facts")).to_contain_text("sorteo con bolas")
    assert ledger.standing(number).tournament.order == (3, 1, 4, 2)
    page.get_by_role("button", name="Emparejar con bolas").click()
    for ball in ("2", "3", "1", "4"):
        dialog.get_by_role("button", name=ball, exact=True).click()
    dialog.get_by_role("button", name="Hecho").click()
    expect(page.locator(".match")).to_have_count(2)
    now = ledger.standing(number).tournament
    assert [players(now, match) for match in now.matches] == [(2, 3), (1, 4)]
    page.locator("#acts summary").click()
    expect(page.locator("#acts li").last).to_contain_text("con bolas: 2, 3, 1, 4")
    page.close()


def test_a_match_of_a_league_is_given_another_day_and_says_it(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger
) -> None:
    number = begun(desk, "liga", 4)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_role("textbox").first.fill("Juez")
    match = page.locator('[data-match="R2.1"]')
    match.get_by_role("button", name="Cambiar el día").click()
    dialog = page.locator("dialog")
    expect(dialog.get_by_label("Día")).to_have_value("2027-01-18")
    expect(dialog).to_contain_text("lun, 18 ene")
    dialog.get_by_label("Día").fill("2027-01-21")
    dialog.get_by_label("Por qué").fill("Trabajan")
    assert found(page) == []
    dialog.get_by_role("button", name="Hecho").click()
    expect(dialog).to_be_hidden()
    expect(match.locator(".state")).to_contain_text("se juega el jue, 21 ene")
    assert ledger.standing(number).tournament.moved == {"R2.1": "2027-01-21"}
    # The round keeps its own day.
    expect(page.get_by_role("heading", name="Ronda 2 · lun, 18 ene")).to_have_count(1)
    page.locator("#acts summary").click()
    expect(page.locator("#acts li").last).to_contain_text("pasa al jue, 21 ene")
    match.get_by_role("button", name="Cambiar el día").click()
    dialog.get_by_label("Día").fill("")
    dialog.get_by_label("Por qué").fill("Pueden")
    dialog.get_by_role("button", name="Hecho").click()
    expect(match.locator(".state")).not_to_contain_text("se juega el")
    assert ledger.standing(number).tournament.moved == {}
    page.close()


def test_players_of_an_individual_tournament_sign_what_they_won_with_their_partners(
    browser: Browser, server: DashboardServer, desk: Desk
) -> None:
    number = begun(desk, "individual-parejas", 2)
    desk.do(number, "pair", {"by": "Juez"})
    whole = desk.show(number)
    partners = next(pair for pair in whole["pairs"] if pair["of"])
    first, second = partners["of"]
    codes = desk.codes(number)
    assert partners["pair"] not in codes
    page = hall_page(browser, f"{server.url}tournaments/{number}/sign?pair={first}")
    page.get_by_label("Código").fill(codes[first])
    page.get_by_role("button", name="Hecho").click()
    page.get_by_role("button", name="Poner el resultado").click()
    for at, juegos in enumerate(("3", "1")):
        page.locator("dialog fieldset").nth(at).get_by_label("Juegos").fill(juegos)
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(page.locator(".match")).to_have_attribute("data-state", "waiting")
    expect(page.get_by_role("button", name="Firmar el resultado")).to_have_count(0)
    page.get_by_role("button", name="Otra pareja").click()
    page.get_by_label("Tu número").fill(str(second))
    page.get_by_label("Código").fill(codes[second])
    page.get_by_role("button", name="Hecho").click()  # a partner is on the same side
    expect(page.locator(".match")).to_have_attribute("data-state", "waiting")
    expect(page.get_by_role("button", name="Firmar el resultado")).to_have_count(0)
    rival = next(pair["of"][0] for pair in whole["pairs"] if pair["of"] and pair is not partners)
    page.get_by_role("button", name="Otra pareja").click()
    page.get_by_label("Tu número").fill(str(rival))
    page.get_by_label("Código").fill(codes[rival])
    page.get_by_role("button", name="Hecho").click()
    page.get_by_role("button", name="Firmar el resultado").click()
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(page.locator(".match")).to_have_attribute("data-state", "over")
    page.close()


@pytest.mark.parametrize("name", ["bares", "ganadores-y-perdedores", "individual-parejas"])
def test_a_format_of_several_stages_fits_every_screen(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger, name: str
) -> None:
    number = begun(desk, name, 12)
    play(desk, ledger, number, 99 if name == "ganadores-y-perdedores" else 3)
    for size in SIZES:
        for path in ("", "/screen"):
            page = hall_page(browser, f"{server.url}tournaments/{number}{path}", size)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size[0], (size, path)
            if path == "":
                assert found(page) == []
            if name == "ganadores-y-perdedores" and path == "":
                expect(page.locator(".prizes")).to_contain_text("Consolación: ")
            page.close()


def test_the_best_thirds_are_compared_on_page_and_big_screen_with_why_each_goes_up_or_not(
    browser: Browser, server: DashboardServer, desk: Desk, ledger: Ledger
) -> None:
    number = begun(desk, "mejores-terceros", 25)
    play(desk, ledger, number, 1)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.get_by_role("button", name="Clasificación", exact=True).click()
    lists = page.locator("#standings .turn-lists button").last
    while lists.get_attribute("aria-disabled") != "true":
        lists.click()
    expect(page.locator("#standings caption")).to_have_text(
        "Las 3.ª de cada grupo: suben las 4 mejores (de momento)"
    )
    page.close()
    while any(
        one["phase"] == 1 and one["state"] == "ready" for one in desk.show(number)["matches"]
    ):
        play(desk, ledger, number, 1)
    (comparison,) = desk.show(number)["best"]
    names = {pair["pair"]: pair["name"] for pair in desk.show(number)["pairs"]}
    told = [f"{names[row['pair']]} · Grupo {row['group']}" for row in comparison["rows"]]
    for size in SIZES:
        page = hall_page(browser, f"{server.url}tournaments/{number}", size)
        page.get_by_role("button", name="Clasificación", exact=True).click()
        lists = page.locator("#standings .turn-lists button").last
        while lists.get_attribute("aria-disabled") != "true":
            lists.click()
        table = page.locator("#standings table")
        expect(table.locator("caption")).to_have_text("Las 3.ª de cada grupo: suben las 4 mejores")
        assert table.locator("tbody th").all_inner_texts() == told
        why = table.locator("tbody td:last-child").all_inner_texts()
        assert [text.startswith("sube") for text in why] == [True] * 4 + [False] * 2
        left = [at for at, row in enumerate(comparison["rows"]) if row["left_out"]]
        assert [at for at, text in enumerate(why) if "sin contar lo jugado con" in text] == left
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert found(page) == []
        if folder := os.environ.get("MUS_SHOTS"):
            page.screenshot(path=f"{folder}/best-{size[0]}x{size[1]}.png", full_page=True)
        page.close()
        page = hall_page(browser, f"{server.url}tournaments/{number}/screen", size)
        for _ in range(40):
            if page.locator("#title").inner_text().startswith("Las 3.ª de cada grupo"):
                break
            page.keyboard.press("ArrowRight")
        expect(page.locator("#rows")).to_contain_text(told[0])
        expect(page.locator("#rows li").last).to_contain_text("no sube")
        for line in page.locator("#rows p span").all() if size[0] > 1000 else []:
            assert line.evaluate("(n) => n.scrollWidth <= n.clientWidth + 1"), line.inner_text()
        if folder := os.environ.get("MUS_SHOTS"):
            page.screenshot(path=f"{folder}/best-screen-{size[0]}x{size[1]}.png")
        page.close()


def test_a_draw_is_annulled_with_a_reason_that_stands_beside_the_next_seed(
    browser: Browser, server: DashboardServer, desk: Desk
) -> None:
    number = begun(desk, "eliminatoria", 4)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_label("Quién eres").fill("Juez")
    page.get_by_role("button", name="Anular el sorteo").click()
    page.locator("dialog").get_by_label("Por qué").fill("Faltaba una pareja")
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    page.get_by_role("button", name="Apuntar parejas").click()
    enrolled(page, "Iker", "Unai")
    expect(page.locator(".enrolled li")).to_have_count(5)
    page.goto(f"{server.url}tournaments/{number}")
    page.get_by_role("button", name="Sortear").click()
    page.locator("dialog").get_by_label("Semilla").fill("77")
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    told = "sorteo con la semilla 77 · antes, semilla 20261224: Faltaba una pareja"
    expect(page.locator("#facts")).to_contain_text(told)
    page.close()
