"""A tournament run on its pages in a real browser, from the opening to the podium."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from assistant.files.paths import data_dir
from assistant.files.profile_files import house_rules
from assistant.hall.format_files import find_format
from assistant.hall.hub.database import migrate, open_database
from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.page import create_hall_app
from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    Opened,
    Options,
    PairCorrected,
    PairEnrolled,
    ResultEntered,
    TableAssigned,
    Tournament,
    draw,
    players,
    ready,
    shown,
)
from assistant.page import DashboardServer, Keys, serve
from tests.e2e.browsing import SIZES, hall_page
from tests.e2e.test_page_axe import found, found_everywhere
from tests.hall.tournament.playing import result_acts
from tests.page.test_hall import FakeHall

pytestmark = pytest.mark.browser

CSV = "pareja,jugador 1,jugador 2,peña\n" + "".join(
    f"Pareja {n},Ana {n},Luis {n},Peña {n}\n" for n in range(1, 5)
)
NASTY = "<script>alert(1)</script>"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    engine = open_database(str(tmp_path / "hub.sqlite3"))
    migrate(engine)
    yield Ledger(engine)
    engine.dispose()


@pytest.fixture
def doubts() -> set[str]:
    """Matches whose table's game contradicts their result."""
    return set()


@pytest.fixture
def left() -> dict[str, str]:
    """Matches whose table ended a game that could not be counted, each with the reason."""
    return {}


@pytest.fixture
def hall() -> FakeHall:
    return FakeHall()


@pytest.fixture
def server(
    ledger: Ledger, doubts: set[str], left: dict[str, str], hall: FakeHall
) -> Iterator[DashboardServer]:
    app = create_hall_app(
        hall,
        web_dir=data_dir("web"),
        keys=Keys(b"k" * 32, "123456"),
        desk=Desk(
            ledger,
            lambda: ["mesa-1", "mesa-2"],
            b"k" * 32,
            lambda _number: doubts,
            lambda _number: left,
            house_rules,
        ),
        health=dict,
        metrics=lambda: b"",
    )
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def filled(ledger: Ledger, form: Format, pairs: int, **options: int) -> int:
    """A tournament that is drawn and half played."""
    number = ledger.open(Opened("San Blas", form, Options(**options), by="Juez"))  # type: ignore[arg-type]
    enrolled: list[Act] = [
        PairEnrolled(n, f"Pareja {n}", (f"Ana {n}", f"{NASTY}{n}")) for n in range(1, pairs + 1)
    ]
    ledger.do(number, lambda _t: enrolled)
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7), "Juez")])

    def some(tournament: Tournament) -> list[Act]:
        match = ready(tournament)[0]
        winner = next(p for p in tournament.order if p in pairs_of(tournament, match.id))
        return result_acts(tournament, match.id, winner, 1, (120, 90))

    for _ in range(2):
        ledger.do(number, some)
    return number


def pairs_of(tournament: Tournament, match: str) -> tuple[object, object]:
    return players(tournament, match)


def answer(page: Page, **fields: str) -> None:
    """Fill in the form of the dialog and send it."""
    for label, value in fields.items():
        page.locator("dialog").get_by_label(label.replace("_", " "), exact=True).first.fill(value)
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(page.locator("dialog")).to_be_hidden()


def enrolled(page: Page, first: str, second: str, name: str = "") -> None:
    """Enrol a pair on the enrolment page."""
    if not page.locator("#one form").is_visible():
        page.get_by_text("Apuntar una pareja").click()
    form = page.locator("#one form")
    form.get_by_label("Jugador 1").fill(first)
    form.get_by_label("Jugador 2").fill(second)
    form.get_by_label("Nombre de la pareja").fill(name)
    form.get_by_role("button", name="Hecho").click()


def enter(page: Page, match: str, first: str, second: str) -> None:
    card = page.locator(f'[data-match="{match}"]')
    card.get_by_role("button", name="Poner el resultado").click()
    for at, juegos in enumerate((first, second)):
        page.locator("dialog fieldset").nth(at).get_by_label("Juegos").fill(juegos)
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(card).to_have_attribute("data-state", "waiting")
    card.get_by_role("button", name="Firmar el resultado").click()
    answer(page, Quién_eres="Luis")
    expect(card).to_have_attribute("data-state", "over")


def test_a_tournament_is_run_from_the_opening_to_the_podium(
    browser: Browser, server: DashboardServer
) -> None:
    page = hall_page(browser, f"{server.url}tournaments")
    expect(page.locator("#none")).to_be_visible()
    page.get_by_label("Quién eres").fill("Juez")
    page.get_by_label("Nombre del torneo").fill("San Blas")
    page.get_by_role("button", name="Abrir el torneo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("San Blas")
    tournament = page.url
    page.get_by_role("button", name="Apuntar parejas").click()
    page.get_by_label("O pégala aquí").fill(CSV)
    page.get_by_role("button", name="Apuntar 4").click()
    expect(page.locator(".enrolled li")).to_have_count(4)
    page.goto(tournament)
    expect(page.locator(".pairs li")).to_have_count(4)
    page.get_by_role("button", name="Sortear").click()
    answer(page, **{"Semilla,_si_se_quiere_una": "20261224"})
    expect(page.locator("#facts")).to_contain_text("sorteo con la semilla 20261224")
    page.get_by_role("button", name="Repartir mesas").click()
    expect(page.locator('[data-match="K1.1"] .which')).to_have_text("K1.1 · Mesa 1")
    enter(page, "K1.1", "3", "1")
    enter(page, "K1.2", "0", "3")
    enter(page, "K2.1", "3", "2")
    expect(page.locator("#podium li")).to_have_count(3)
    page.get_by_text("Lo que se ha hecho, y quién").click()
    expect(page.locator("#acts li").first).to_contain_text("abierto · Juez")
    expect(page.locator("#acts li").last).to_contain_text(
        re.compile(r"K2\.1 \(.+\): firmado 3–2 · Luis")
    )
    expect(page.locator('[data-match="K1.1"] .state')).to_have_text("lo puso Juez; lo firmó Luis")
    page.close()


def test_an_impossible_action_is_refused_with_a_sentence(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_label("Quién eres").fill("Juez")
    page.locator('[data-match="K2.1"]').get_by_role("button", name="Poner el resultado").click()
    for at in range(2):
        page.locator("dialog fieldset").nth(at).get_by_label("Juegos").fill("3")
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    # What lies under the dialog is dimmed, so the refusal is in the dialog, on a phone too.
    refusal = page.locator("dialog").get_by_role("alert")
    expect(refusal).to_have_text(re.compile("^No se puede. Una partida la gana alguien"))
    expect(refusal).to_be_in_viewport()
    expect(page.locator("#notice")).to_be_hidden()
    page.close()


def test_a_referee_must_give_his_name_before_a_dialog_opens(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    for button in ("Poner el resultado", "Retirar una pareja", "Repartir mesas"):
        page.get_by_role("button", name=button).first.click()
        expect(page.locator("#notice")).to_contain_text("Escribe primero quién eres")
        expect(page.locator("dialog")).to_be_hidden()
        expect(page.get_by_label("Quién eres")).to_be_focused()
    assert not ledger.standing(number).tournament.tables
    page.close()


def test_a_table_is_chosen_by_hand_and_a_busy_one_is_refused(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 6)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_label("Quién eres").fill("Juez")
    first, second = (page.locator(f'[data-match="{match}"]') for match in ("K2.1", "K2.2"))

    def give(card: Locator, table: str) -> None:
        card.get_by_role("button", name="Mesa", exact=True).click()
        page.locator("dialog").get_by_label("En qué mesa").fill(table)
        page.locator("dialog").get_by_role("button", name="Hecho").click()

    give(first, "9")
    expect(first.locator(".which")).to_have_text("K2.1 · Mesa 9")
    give(second, "Mesa 9")
    expect(page.locator(".refusal")).to_contain_text("K2.1 está en la mesa 9")
    page.locator("dialog").get_by_role("button", name="Dejarlo").click()
    give(second, "Frontón")
    expect(second.locator(".which")).to_have_text("K2.2 · Frontón")
    give(first, "Mesa 1")
    expect(first.locator(".which")).to_have_text("K2.1 · Mesa 1")
    assert ledger.standing(number).tournament.tables == {"K2.1": "mesa-1", "K2.2": "Frontón"}
    page.locator("#acts summary").click()
    expect(page.locator("#acts li").last).to_contain_text("a Mesa 1 (antes Mesa 9)")
    page.get_by_role("button", name="Repartir mesas").wait_for(state="hidden")
    page.close()


def test_a_late_pair_is_enrolled_alone(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = ledger.open(Opened("San Blas", Format.KNOCKOUT, Options(), by="Juez"))
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_label("Quién eres").fill("Juez")
    page.get_by_role("button", name="Apuntar parejas").click()
    for number_, pair in enumerate((("Ana", "Luis", ""), ("Eva", "Jon", "Tres reyes")), start=1):
        enrolled(page, *pair)
        expect(page.locator(".enrolled li")).to_have_count(number_)
    page.get_by_label("O pégala aquí").fill("jugador 1,jugador 2,pareja\nX,Y,\n\nZ,W,Tres reyes\n")
    expect(page.locator(".faults li")).to_contain_text("Línea 4: La pareja 2 ya se llama")
    page.goto(f"{server.url}tournaments/{number}")
    expect(page.locator(".pairs b")).to_have_text(["Ana y Luis", "Tres reyes"])
    page.goto(f"{server.url}tournaments")
    expect(page.locator("#list li")).to_contain_text("se apuntan parejas · 2 parejas · abierto el")
    page.close()


def test_the_brackets_of_a_double_elimination_have_their_headings(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.DOUBLE, 8)
    page = hall_page(browser, f"{server.url}tournaments/{number}", (1280, 800))
    expect(page.locator(".rounds > h3")).to_have_text(["Ganadores", "Repesca", "La final"])
    order = page.locator(".rounds").evaluate(
        "(root) => [...root.children].map((node) => node.firstElementChild?.textContent ?? '#')"
    )
    at = [order.index("#"), order.index("Repesca, ronda 1"), order.index("Final")]
    assert at == sorted(at)
    assert order.index("Ganadores, ronda 3") < order.index("Repesca, ronda 1")
    assert found(page) == []
    page.close()


def test_a_correction_asks_for_a_reason_and_shows_it(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_label("Quién eres").fill("Juez")
    page.locator("#referee").get_by_label("Quién eres").blur()
    card = page.locator('[data-match="K1.1"]')
    card.get_by_role("button", name="Corregir").click()
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(page.locator("dialog")).to_be_visible()  # the reason is missing
    page.locator("dialog").get_by_label("Por qué").fill("Faltaba un juego")
    won = page.locator("dialog").get_by_label("Juegos")
    won.nth(0 if won.nth(0).input_value() == "1" else 1).fill("2")
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(card.locator(".state")).to_have_text("Juez: Faltaba un juego")
    page.locator("#acts summary").click()
    last = page.locator("#acts li").last
    expect(last).to_contain_text(re.compile(r"K1\.1 \(Pareja \d – Pareja \d\): corregido, "))
    expect(last).to_contain_text(
        re.compile(r"(3–2|2–3), piedras 120–90 \(antes (3–1|1–3), piedras")
    )
    page.close()


def test_a_result_that_its_table_contradicts_is_shown_and_a_person_confirms_it(
    browser: Browser, server: DashboardServer, ledger: Ledger, doubts: set[str]
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    ledger.do(number, lambda t: [TableAssigned(ready(t)[0].id, "mesa-2")])
    ledger.do(number, lambda _t: [ResultEntered("K2.1", (3, 1), (0, 0), "mesa-2", "game-1")])
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    card = page.locator('[data-match="K2.1"]')
    expect(card.locator(".state")).to_have_text("del diario de Mesa 2")
    doubts.add("K2.1")
    expect(card.locator(".state")).to_contain_text("dice ahora otra cosa")
    page.locator("#referee").get_by_label("Quién eres").fill("Juez")
    page.locator("#referee").get_by_label("Quién eres").blur()
    card.get_by_role("button", name="Corregir").click()
    page.locator("dialog").get_by_label("Por qué").fill("Vista el acta")
    doubts.clear()  # a person is responsible for it now
    page.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(card.locator(".state")).to_have_text("Juez: Vista el acta")
    page.close()


def test_any_referee_may_correct_the_name_of_a_pair(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_label("Quién eres").fill("Juez")
    page.locator("#referee").get_by_label("Quién eres").blur()
    page.get_by_role("button", name="Corregir una pareja").click()
    dialog = page.locator("dialog")
    dialog.get_by_role("combobox").select_option("3")
    expect(dialog.get_by_label("Nombre de la pareja")).to_have_value("Pareja 3")
    expect(dialog.get_by_label("Jugador 1")).to_have_value("Ana 3")
    answer(page, Nombre_de_la_pareja="Los de la plaza", Jugador_1="Iñaki", Por_qué="Mal escrito")
    pair = page.locator(".pairs li").nth(2)
    expect(pair).to_contain_text("Los de la plaza")
    expect(pair).to_contain_text("Iñaki")
    expect(page.locator("#matches")).not_to_contain_text("Pareja 3")
    page.locator("#acts summary").click()
    expect(page.locator("#acts li").last).to_contain_text("pareja 3: ahora Los de la plaza (Iñaki")
    expect(page.locator("#acts li").last).to_contain_text("Juez · Mal escrito")
    page.close()


def test_keeping_clubs_apart_is_offered_where_not_all_pairs_meet(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    page = hall_page(browser, f"{server.url}tournaments")
    page.get_by_label("Quién eres").fill("Juez")
    page.get_by_label("Nombre del torneo").fill("San Blas")
    apart = page.get_by_label("Parejas de la misma peña")
    page.get_by_label("Cómo se juega").select_option("robin")
    expect(apart).to_be_hidden()
    page.get_by_label("Cómo se juega").select_option("double")
    apart.check()
    page.get_by_role("button", name="Abrir el torneo").click()
    expect(page.locator("#facts")).to_contain_text("peñas separadas")
    assert ledger.standing(1).tournament.options == Options(clubs_apart=True)
    page.close()


@pytest.mark.parametrize("form", list(Format))
def test_every_format_fits_every_screen_and_names_are_shown_as_text(
    browser: Browser, server: DashboardServer, ledger: Ledger, form: Format
) -> None:
    options = {Format.GROUPS: {"groups": 2, "advance": 2}}.get(form, {})
    if form in {Format.SWISS, Format.SHEET}:
        sheet = find_format("tres-ceros") if form is Format.SHEET else None
        rounds = 2 if form is Format.SWISS else 0
        number = ledger.open(Opened("San Blas", form, Options(rounds=rounds), sheet=sheet))
        pairs = [PairEnrolled(n, f"P{n}", (f"Ana {n}", f"{NASTY}{n}")) for n in range(1, 7)]
        ledger.do(number, lambda _t: pairs)
        ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7))])
    else:
        number = filled(ledger, form, 8, **options)
    for size in SIZES:
        page = hall_page(browser, f"{server.url}tournaments/{number}", size)
        wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert wide, f"{form} is wider than {size}"
        expect(page.locator(".pairs li").first).to_contain_text(NASTY)
        if form in {Format.SWISS, Format.SHEET}:
            expect(page.get_by_role("button", name="Emparejar la ronda")).to_be_visible()
        page.close()


@pytest.mark.parametrize("form", [Format.KNOCKOUT, Format.ROBIN])
def test_axe_finds_nothing_serious_in_the_tournament(
    browser: Browser, server: DashboardServer, ledger: Ledger, form: Format
) -> None:
    number = filled(ledger, form, 6)
    page = browser.new_page()
    for path in ("tournaments", f"tournaments/{number}", f"tournaments/{number}/slips"):
        page.goto(f"{server.url}{path}")
        expect(page.locator("main")).to_have_attribute("aria-busy", "false")
        assert found_everywhere(page) == []
    page.goto(f"{server.url}tournaments/{number}")
    page.locator("#referee").get_by_role("textbox").fill("Juez")
    page.locator("[data-match] button").first.click()
    assert found_everywhere(page) == []
    page.close()


def test_two_pairs_settle_their_match_on_their_own_phones(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    tournament = ledger.standing(number).tournament
    codes = Desk(ledger, list, b"k" * 32).codes(number)
    pairs = [pair for pair in pairs_of(tournament, "K2.1") if isinstance(pair, int)]
    slips = hall_page(browser, f"{server.url}tournaments/{number}/slips")
    expect(slips.locator("#slips li").nth(pairs[0] - 1)).to_contain_text(codes[pairs[0]])
    slips.close()
    phones = []
    for pair in pairs:
        page = hall_page(browser, f"{server.url}tournaments/{number}/sign?pair={pair}")
        expect(page.get_by_label("Número de la pareja")).to_have_value(str(pair))
        page.get_by_label("Código").fill(codes[pair])
        page.get_by_role("button", name="Hecho").click()
        expect(page.locator("#whose")).to_have_text(f"Pareja {pair}")
        phones.append(page)
    mine, theirs = phones
    mine.get_by_role("button", name="Poner el resultado").click()
    for at, juegos in enumerate(("3", "2")):
        mine.locator("dialog fieldset").nth(at).get_by_label("Juegos").fill(juegos)
    mine.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(mine.locator('[data-match="K2.1"]')).to_have_attribute("data-state", "waiting")
    expect(mine.get_by_role("button", name="Firmar el resultado")).to_have_count(0)
    theirs.get_by_role("button", name="Firmar el resultado").click()
    theirs.locator("dialog").get_by_role("button", name="Hecho").click()
    expect(theirs.locator('[data-match="K2.1"]')).to_have_attribute("data-state", "over")
    assert ledger.standing(number).tournament.results["K2.1"].counts
    assert found_everywhere(theirs) == []
    for page in phones:
        page.close()


def test_a_wrong_code_is_reported_at_once_and_another_pair_can_sign(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    codes = Desk(ledger, list, b"k" * 32).codes(number)
    page = hall_page(browser, f"{server.url}tournaments/{number}/sign")
    page.get_by_label("Número de la pareja").fill("2")
    page.get_by_label("Código").fill("000000" if codes[2] != "000000" else "000001")
    page.get_by_role("button", name="Hecho").click()
    expect(page.locator("#notice")).to_contain_text("no es el código de la pareja")
    expect(page.locator("#own")).to_be_hidden()
    page.get_by_label("Código").fill(codes[2])
    page.get_by_role("button", name="Hecho").click()
    expect(page.locator("#whose")).to_have_text("Pareja 2")
    page.get_by_role("button", name="Otra pareja").click()
    page.get_by_label("Número de la pareja").fill("3")
    page.get_by_label("Código").fill(codes[3])
    page.get_by_role("button", name="Hecho").click()
    expect(page.locator("#whose")).to_have_text("Pareja 3")
    page.close()


def test_a_knock_out_is_drawn_as_a_tree_and_a_pair_can_be_found(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 9)
    page = hall_page(browser, f"{server.url}tournaments/{number}", (1280, 900))
    titles = page.locator(".tree h3")
    expect(titles).to_have_text(["Octavos de final", "Cuartos de final", "Semifinales", "Final"])
    final, semis = (
        page.locator(f'.tree [data-match="{match}"] .box').bounding_box()
        for match in ("K4.1", "K3.1")
    )
    assert final
    assert semis
    assert final["x"] > semis["x"] + semis["width"]
    page.get_by_label("Busca una pareja").fill("PAREJA 7")
    expect(page.locator(".tree")).to_be_hidden()
    expect(page.locator(".pairs li")).to_have_count(1)
    for card in page.locator(".rounds .match").all():
        expect(card).to_contain_text("Pareja 7")
    page.get_by_label("Busca una pareja").fill("")
    expect(page.locator(".tree .match")).to_have_count(15)
    page.close()


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768), (360, 740)])
def test_the_big_screen_shows_its_parts_in_turn(
    browser: Browser, server: DashboardServer, ledger: Ledger, size: tuple[int, int]
) -> None:
    number = filled(ledger, Format.GROUPS, 8, groups=2, advance=2)
    ledger.do(number, lambda t: [TableAssigned(ready(t)[0].id, "mesa-2", "Juez")])
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", size)
    title = page.locator("#title")
    expect(title).to_have_text("En las mesas")
    expect(page.locator("#rows li b")).to_have_text(["Mesa 2"])
    turns = ["Esperan mesa", "Resultados · Grupo 1, ronda 1", "Grupo 1", "Grupo 2", "En las mesas"]
    for turn in turns:
        page.keyboard.press("ArrowRight")
        while " · 2/" in title.inner_text():  # a small screen takes two pages for it
            page.keyboard.press("ArrowRight")
        expect(title).to_contain_text(turn)
        assert found(page) == []
    if size == (1920, 1080):
        assert found_everywhere(page) == []
    high = page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert high, "nobody can scroll a projector"
    page.close()


@pytest.mark.parametrize("named", ["short", "whole"])
def test_the_big_screen_shows_the_score_of_a_match_between_players_with_surnames(
    browser: Browser, server: DashboardServer, ledger: Ledger, hall: FakeHall, named: str
) -> None:
    number = ledger.open(Opened("San Blas", Format.KNOCKOUT, Options(), by="Juez"))
    people = [("Ana Ruiz", "José Gil"), ("Eva Ruiz", "José Sáez")]
    pairs = [PairEnrolled(n, f"Pareja {n}", both) for n, both in enumerate(people, 1)]
    ledger.do(number, lambda _t: pairs)
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7), "Juez")])
    ledger.do(number, lambda t: [TableAssigned(ready(t)[0].id, "mesa-2", "Juez")])
    whole = shown(ledger.standing(number).tournament)
    (match,) = whole["matches"]
    players_of = {pair["pair"]: pair["players"] for pair in whole["pairs"]}
    names = [
        match["seated"][at] if named == "short" else players_of[slot["pair"] or 0]
        for at, slot in enumerate(match["slots"])
    ]
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", (1920, 1080))
    expect(page.locator("#rows li b")).to_have_text(["Mesa 2"])
    sides = [{"names": both, "juegos": n, "stones": 12 + n} for n, both in enumerate(names)]
    hall.change("mesa-2", online=True, brief={"sides": sides})
    expect(page.locator("#rows strong")).to_have_text(["0 · 12", "1 · 13"])
    page.close()


def test_a_person_in_two_pairs_is_asked_about_at_the_enrolment(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = ledger.open(Opened("San Blas", Format.KNOCKOUT, Options(), by="Juez"))
    ledger.do(number, lambda _t: [PairEnrolled(1, "Pareja 1", ("Ana", "Luis"))])
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    page.get_by_label("Quién eres").fill("Juez")
    page.get_by_role("button", name="Apuntar parejas").click()
    page.get_by_text("Apuntar una pareja").click()
    form = page.locator("#one form")
    different = form.get_by_label("Son personas distintas que se llaman igual")
    expect(form).to_be_visible()
    expect(different).to_be_hidden()
    enrolled(page, "Ana", "Eva")
    expect(form.locator(".refusal")).to_contain_text("ya juega en la pareja 1")
    different.check()
    form.get_by_role("button", name="Hecho").click()
    expect(page.locator(".enrolled li")).to_have_count(2)
    expect(different).to_be_hidden()
    assert ledger.standing(number).tournament.pairs[2].namesakes
    page.close()


def test_the_big_screen_shows_the_latest_results_of_all_groups(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.GROUPS, 8, groups=2, advance=2)
    name = "Los que siempre llegan tarde a todas las partidas del barrio, y otros que nunca vienen"
    spelt = PairCorrected(1, name, ("Ana", "Luis"), "", "Juez", "Su nombre entero")
    ledger.do(number, lambda _t: [spelt])
    for _ in range(8):
        match = ready(tournament := ledger.standing(number).tournament)[0].id
        winner = next(p for p in pairs_of(tournament, match) if isinstance(p, int))
        ledger.do(number, partial(result_acts, match=match, winner=winner))
    last = ledger.standing(number).tournament.matches[match]
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", (1920, 1080))
    page.keyboard.press("ArrowRight")
    expect(page.locator("#title")).to_have_text("Últimos resultados")
    expect(page.locator("#rows li")).to_have_count(10)
    expect(page.locator("#rows b").first).to_have_text(f"Grupo {last.group}, ronda {last.round}")
    out = page.evaluate(
        """() => [...document.querySelectorAll("#rows strong")].filter((score) => {
          const [box, card] = [score, score.closest("li")].map((n) => n.getBoundingClientRect());
          return !box.width || box.right > card.right || box.left < card.left;
        }).length"""
    )
    assert out == 0, "a long name pushes a score off its card"
    page.close()


def league(ledger: Ledger, pairs: int) -> int:
    """A league that is half played, with pairs of two categories and of none."""
    number = ledger.open(Opened("Liga", Format.ROBIN, Options(juegos=1), by="Juez"))
    enrolled: list[Act] = [
        PairEnrolled(
            n, f"Los del bar {n}", (f"Ana {n}", f"Luis {n}"),
            category="Mixta" if n % 2 else "" if n % 5 else "Sénior",
        )
        for n in range(1, pairs + 1)
    ]  # fmt: skip
    ledger.do(number, lambda _t: enrolled)
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7), "Juez")])

    def half(tournament: Tournament) -> list[Act]:
        found: list[Act] = []
        for match in ready(tournament)[: len(tournament.matches) // 2]:
            winner = min(p for p in pairs_of(tournament, match.id) if isinstance(p, int))
            found += result_acts(tournament, match.id, winner)
        return found

    ledger.do(number, half)
    return number


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_the_standings_are_those_of_a_category_where_one_is_chosen(
    browser: Browser, server: DashboardServer, ledger: Ledger, size: tuple[int, int]
) -> None:
    number = league(ledger, 11)
    page = hall_page(browser, f"{server.url}tournaments/{number}", size)
    if page.locator("#tabs button").count():
        page.locator("#tabs").get_by_role("button", name="Clasificación").click()
    rows = page.locator("#standings tbody tr")
    expect(rows.nth(5)).to_be_visible()
    choice = page.get_by_label("Categoría")
    assert choice.locator("option").all_inner_texts() == ["Todas", "Mixta", "Sénior"]
    choice.select_option("Mixta")
    expect(rows).to_have_count(6)
    (list_,) = shown(ledger.standing(number).tournament)["standings"]
    mixed = [row for row in list_ if row["pair"] % 2]
    assert rows.locator("th").all_inner_texts() == [f"Los del bar {r['pair']}" for r in mixed]
    assert rows.locator("td:first-child").all_inner_texts() == [str(n) for n in range(1, 7)]
    assert found_everywhere(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if folder := os.environ.get("MUS_SHOTS"):
        page.screenshot(path=f"{folder}/category-{size[0]}.png", full_page=True)
    choice.select_option("Todas")
    expect(page.locator("#standings tbody tr th", has_text="Los del bar 2").first).to_be_visible()
    page.close()


def test_the_big_screen_shows_each_category_after_the_whole_league(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = league(ledger, 11)
    page = hall_page(browser, f"{server.url}tournaments/{number}/screen", (1920, 1080))
    titles: list[str] = []
    for _ in range(20):
        titles.append(page.locator("#title").inner_text())
        if titles[-1] == "Clasificación · Mixta":
            expect(page.locator("#rows li")).to_have_count(6)
            expect(page.locator("#rows li").first).to_contain_text("1.")
            if folder := os.environ.get("MUS_SHOTS"):
                page.screenshot(path=f"{folder}/category-screen.png")
            break
        page.keyboard.press("ArrowRight")
    assert titles[-1] == "Clasificación · Mixta"
    assert "Clasificación" in "".join(titles[:-1])
    page.close()


def test_a_tournament_without_categories_offers_none(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.ROBIN, 4)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    expect(page.locator("#standings tbody tr").first).to_be_visible()
    expect(page.get_by_label("Categoría")).to_be_hidden()
    page.close()


def test_the_tree_stands_below_the_groups_until_a_pair_has_reached_it(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.GROUPS, 6, groups=2, advance=1)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    expect(page.locator("#matches > h2 + .rounds")).to_have_count(1)
    while ready(tournament := ledger.standing(number).tournament)[0].stage == "group":
        match = ready(tournament)[0].id
        winner = next(p for p in pairs_of(tournament, match) if isinstance(p, int))
        ledger.do(number, partial(result_acts, match=match, winner=winner))
    expect(page.locator("#matches > h2 + .tree")).to_have_count(1)
    page.close()


def test_hundreds_of_pairs_can_all_be_turned_to(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 201)
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    expect(page.locator("#page")).to_have_class(re.compile(r"\bmany\b"))

    def turned(part: str, shown: Locator) -> list[str]:
        """What all pages of a part show, one after the other, each of it visible."""
        texts: list[str] = []
        while True:
            for node in shown.all():
                node.scroll_into_view_if_needed()
                expect(node).to_be_in_viewport()
                texts.append(node.inner_text())
            last = page.locator(f"{part} .turn button").last
            if last.get_attribute("aria-disabled") == "true":
                return texts
            last.click()

    page.locator("#chapter select").select_option("Eliminatoria, ronda 1")
    while page.locator("#matches .turn button").first.get_attribute("aria-disabled") == "false":
        page.locator("#matches .turn button").first.click()
    matches = turned("#matches", page.locator(".match .which"))
    assert matches == [f"K1.{match}" for match in range(1, 129)]
    page.get_by_role("button", name="Parejas", exact=True).click()
    names = turned("#pairs", page.locator(".pairs li b"))
    assert names == [f"Pareja {pair}" for pair in range(1, 202)]
    page.close()


def test_a_tournament_is_opened_with_its_rules_and_tie_breaks(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    page = hall_page(browser, f"{server.url}tournaments")
    page.get_by_label("Quién eres").fill("Juez")
    page.get_by_label("Nombre del torneo").fill("San Blas")
    first = page.get_by_label("Desempate 1")
    expect(first).to_be_hidden()  # a knock-out has no standings
    page.get_by_label("Cómo se juega").select_option("robin")
    first.select_option("direct")
    page.get_by_label("Desempate 3").select_option("juegos")
    expect(page.get_by_role("combobox", name="Reglas")).to_have_value("")
    page.get_by_role("combobox", name="Reglas").select_option("interpenas-1996")
    rules = page.get_by_label("Otras reglas encima")
    rules.fill("target=35 king=4")
    page.get_by_role("button", name="Abrir el torneo").click()
    expect(page.locator("#notice")).to_contain_text("No hay regla 'king': elige entre")
    assert found(page) == []
    rules.fill("target=35")
    page.get_by_role("button", name="Abrir el torneo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("San Blas")
    expect(page.locator("#facts")).to_contain_text("reglas interpenas-1996: ")
    expect(page.locator("#facts")).to_contain_text("35 piedras")
    options = ledger.standing(1).tournament.options
    assert options.tiebreaks == ("direct", "stones", "juegos")
    assert "penalty=interpenas" in options.rules
    page.close()


def test_the_referee_reads_why_a_tables_game_was_not_counted(
    browser: Browser, server: DashboardServer, ledger: Ledger, left: dict[str, str]
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    ledger.do(number, lambda _t: [TableAssigned("K2.1", "mesa-1")])
    page = hall_page(browser, f"{server.url}tournaments/{number}")
    state = page.locator('[data-match="K2.1"] .state')
    expect(state).to_have_text("en la mesa")
    left["K2.1"] = "rules"
    expect(state).to_have_text("Mesa 1 ha terminado, pero con otras reglas: pon el resultado.")
    page.close()
