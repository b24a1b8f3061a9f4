"""The enrolment page in a real browser: any list, fees, telephones, people who are in twice."""

from __future__ import annotations

import functools
import hmac
import http.server
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.hall.hub.desk import Desk
from assistant.hall.hub.ledger import Ledger
from assistant.hall.published import publish
from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    Opened,
    Options,
    Tournament,
    draw,
    players,
    ready,
)
from assistant.page import DashboardServer
from tests.e2e import test_page_tournament
from tests.e2e.browsing import SIZES, hall_page
from tests.e2e.test_page_axe import found_everywhere
from tests.e2e.test_page_tournament import answer, filled
from tests.hall.tournament.playing import result_acts

pytestmark = pytest.mark.browser
server, ledger, hall = (
    test_page_tournament.server,
    test_page_tournament.ledger,
    test_page_tournament.hall,
)
doubts, left = test_page_tournament.doubts, test_page_tournament.left

LIST = (
    "Marca temporal;Jugador 1;Jugador 2;Peña;Modalidad;Móvil;Pagado\r\n"
    "1/2/2027;Begoña Núñez;Íñigo Pérez;Peña Ñandú;Mixta;600 111 222;sí\r\n"
    "1/2/2027;Eva Mur;Jon Sáez;;Senior;;\r\n"
    "1/2/2027;Pau Mas;;;;;\r\n"
    "1/2/2027;Núñez, Bego;Mar Rey;;;;no\r\n"
)


def opened(ledger: Ledger) -> int:
    return ledger.open(Opened("San Blas", Format.KNOCKOUT, Options(juegos=1), by="Maite"))


SLOW_PREVIEW = """() => {
  const asked = window.fetch;
  window.fetch = async (...what) => {
    if (String(what[0]).endsWith("/preview")) await new Promise((done) => setTimeout(done, 500));
    return asked(...what);
  };
}"""


def enrol_page(browser: Browser, server: DashboardServer, number: int, size: int = 0) -> Page:
    page = hall_page(browser, f"{server.url}tournaments/{number}/enrol", SIZES[size])
    page.get_by_label("Quién eres").fill("Maite")
    return page


def test_a_list_is_seen_put_right_and_enrolled(
    browser: Browser,
    server: DashboardServer,
    ledger: Ledger,
    tmp_path: Path,
) -> None:
    number = opened(ledger)
    page = enrol_page(browser, server, number)
    file = tmp_path / "lista.csv"
    file.write_bytes(LIST.encode("cp1252"))
    page.get_by_label("Un fichero").set_input_files(file)
    columns = page.locator(".columns select")
    expect(columns).to_have_count(7)
    assert [columns.nth(at).input_value() for at in range(7)] == [
        "", "first", "second", "club", "category", "telephone", "paid"
    ]  # fmt: skip
    faults = page.locator(".faults li")
    expect(faults).to_have_count(2)
    expect(faults.first).to_contain_text("Línea 4: Falta el nombre de un jugador")
    expect(faults.last).to_contain_text("Bego Núñez puede ser Begoña Núñez, de la pareja 1")
    go = page.get_by_role("button", name="Apuntar 2")
    expect(go).to_be_disabled()
    page.get_by_label("O pégala aquí").fill(LIST.replace("Pau Mas;;", "Pau Mas;Noa Rey;"))
    expect(faults).to_have_count(1)
    faults.get_by_label("Son personas distintas").check()
    page.get_by_role("button", name="Apuntar 4").click()
    rows = page.locator(".enrolled li")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("Begoña Núñez y Íñigo Pérez")
    expect(rows.first).to_contain_text("Peña Ñandú · Mixta · lo cobró Maite")
    expect(rows.first.locator(".call")).to_have_attribute("href", "tel:600111222")
    expect(page.locator(".sum")).to_contain_text("Ha pagado 1 de 4")


def test_columns_that_say_nothing_are_guessed_and_confirmed(
    browser: Browser,
    server: DashboardServer,
    ledger: Ledger,
) -> None:
    page = enrol_page(browser, server, opened(ledger))
    page.get_by_label("O pégala aquí").fill("Ana Ruiz\tLuis Gil\nEva Mur\tJon Sáez\n")
    expect(page.locator(".unsure")).to_be_visible()
    go = page.get_by_role("button", name="Apuntar 2")
    expect(go).to_be_disabled()
    page.get_by_label("Las columnas están bien").check()
    expect(go).to_be_enabled()
    page.evaluate(SLOW_PREVIEW)  # the second choice comes before the answer to the first
    page.locator(".columns select").first.select_option("second")
    page.locator(".columns select").last.select_option("first")
    expect(page.locator(".lines li").first).to_contain_text("Luis Gil y Ana Ruiz")
    go.click()
    expect(page.locator(".enrolled li").first).to_contain_text("Luis Gil y Ana Ruiz")


def test_fees_are_taken_with_a_tap_and_who_owes_is_found(
    browser: Browser,
    server: DashboardServer,
    ledger: Ledger,
) -> None:
    number = opened(ledger)
    csv = "jugador 1;jugador 2;tel\nAna Ruiz;Luis Gil;600111222\nEva Mur;Jon Sáez;\n"
    Desk(ledger, tuple).do(number, "enrol", {"csv": csv, "by": "Maite"})
    page = enrol_page(browser, server, number, size=1)
    page.get_by_label("Inscripción por pareja").fill("20,50")
    page.get_by_role("button", name="Guardar").click()
    page.get_by_role("button", name="Pagado: Ana Ruiz y Luis Gil").click()
    expect(page.locator(".sum")).to_have_text("Ha pagado 1 de 2 · 20,50 € cobrados")
    page.get_by_role("button", name="Deben").click()
    expect(page.locator(".enrolled li")).to_have_count(1)
    expect(page.locator(".enrolled li")).to_contain_text("Eva Mur")
    page.get_by_role("button", name="Todas").click()
    page.get_by_label("Busca una pareja").fill("600 111")
    expect(page.locator(".enrolled li")).to_contain_text("Ana Ruiz")
    page.get_by_role("button", name="Cambiar: Ana Ruiz y Luis Gil").click()
    answer(page, Teléfono="611 000 000", Categoría="Mixta",
           Por_qué_cambian_la_peña_o_la_categoría="Faltaba")  # fmt: skip
    page.get_by_label("Busca una pareja").fill("")
    expect(page.locator(".enrolled li").first).to_contain_text("Mixta")
    expect(page.locator(".call").first).to_have_text("611000000")
    page.get_by_role("button", name="Pagado: Ana Ruiz y Luis Gil").click()
    expect(page.locator(".sum")).to_have_text("Han pagado 0 de 2 · 0 € cobrados")


def test_one_pair_is_enrolled_and_asked_about_and_the_draw_closes_the_list(
    browser: Browser,
    server: DashboardServer,
    ledger: Ledger,
) -> None:
    number = opened(ledger)
    csv = "jugador 1;jugador 2\nAna Ruiz;Luis Gil\n"
    Desk(ledger, tuple).do(number, "enrol", {"csv": csv, "by": "Maite"})
    page = enrol_page(browser, server, number)
    page.get_by_text("Apuntar una pareja").click()
    form = page.locator("#one form")
    form.get_by_label("Jugador 1").fill("Ruiz, Anita")
    form.get_by_label("Jugador 2").fill("Iker Paz")
    form.get_by_label("Teléfono").fill("600 111 222")
    form.get_by_label("Pagado").check()
    form.get_by_role("button", name="Hecho").click()
    expect(form.locator(".refusal")).to_contain_text("puede ser Ana Ruiz, de la pareja 1")
    form.get_by_label("Son personas distintas").check()
    form.get_by_role("button", name="Hecho").click()
    expect(page.locator(".enrolled li")).to_have_count(2)
    expect(page.locator(".sum")).to_contain_text("Ha pagado 1 de 2")
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7), "Maite")])
    expect(page.locator(".closed")).to_contain_text("El sorteo ya está hecho")
    expect(page.locator("#list")).to_be_hidden()


def test_a_pair_that_comes_after_the_draw_takes_the_place_of_a_bye(
    browser: Browser, server: DashboardServer, ledger: Ledger
) -> None:
    number = opened(ledger)
    desk = Desk(ledger, tuple)
    rows = "".join(f"a{n};b{n}\n" for n in range(5))
    desk.do(number, "enrol", {"csv": f"jugador 1;jugador 2\n{rows}", "by": "Maite"})
    desk.do(number, "draw", {"seed": 7, "by": "Maite"})
    page = enrol_page(browser, server, number)
    page.get_by_text("Apuntar una pareja").click()
    form = page.locator("#one form")
    expect(page.locator(".closed")).to_contain_text("hay un sitio libre")
    form.get_by_label("Jugador 1").fill("Eva Mur")
    form.get_by_label("Jugador 2").fill("Jon Sáez")
    form.get_by_role("button", name="Hecho").click()
    expect(page.locator(".enrolled li")).to_have_count(6)
    shown = desk.show(number)
    assert shown["seed"] == 7
    assert [s["pair"] for m in shown["matches"] for s in m["slots"] if s["pair"] == 6] == [6]
    log = hall_page(browser, f"{server.url}tournaments/{number}")
    log.locator("#acts summary").click()
    expect(log.locator("#acts li").last).to_contain_text("apuntada tarde la pareja 6")


def test_who_is_not_the_referee_sees_nobody(
    browser: Browser,
    server: DashboardServer,
    ledger: Ledger,
) -> None:
    number = filled(ledger, Format.KNOCKOUT, 4)
    page = browser.new_page()
    page.route("**/api/me", lambda route: route.fulfill(
        json={"may_touch": False, "pin": None, "address": None}))  # fmt: skip
    page.goto(f"{server.url}tournaments/{number}/enrol")
    expect(page.get_by_label("PIN")).to_be_visible()
    expect(page.locator("#people")).to_be_hidden()
    assert "Pareja 1" not in page.content()


def test_the_enrolment_page_fits_and_passes_axe(
    browser: Browser,
    server: DashboardServer,
    ledger: Ledger,
) -> None:
    number = opened(ledger)
    first = LIST.replace("Pau Mas;;", "Pau Mas;Noa Rey;").replace("Núñez, Bego", "Itziar Gil")
    Desk(ledger, tuple).do(number, "enrol", {"csv": first, "by": "Maite"})
    page = enrol_page(browser, server, number)
    page.get_by_text("Apuntar una pareja").click()
    page.get_by_text("Apuntar una lista").click()
    page.get_by_label("O pégala aquí").fill(LIST)
    expect(page.locator(".faults li")).to_have_count(4)
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
    assert found_everywhere(page) == []


@pytest.fixture
def site(ledger: Ledger, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Published results on a host of their own, half played, with a category."""
    number = ledger.open(Opened("San Blas", Format.KNOCKOUT, Options(juegos=3), by="Maite"))
    rows = "".join(f"Ana {n};Luis {n};{'Mixta' if n % 2 else ''};60000000{n}\n" for n in range(8))
    desk = Desk(ledger, lambda: ["mesa-1", "mesa-2"])
    csv = f"jugador 1;jugador 2;categoría;teléfono\n{rows}"
    desk.do(number, "enrol", {"csv": csv, "by": "Maite"})
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7), "Maite")])

    def some(now: Tournament) -> list[Act]:
        match = ready(now)[0].id
        winner = players(now, match)[0]
        assert isinstance(winner, int)
        return result_acts(now, match, winner, 1)

    for _ in range(2):
        ledger.do(number, some)
    desk.do(number, "assign", {"by": "Maite"})
    folder = tmp_path / "out"
    publish(desk.show(number), folder)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server_:
        thread = threading.Thread(target=server_.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server_.server_address[1]}/", folder
        server_.shutdown()
        thread.join()


def test_the_published_pages_are_read_without_scripts_on_every_screen(
    browser: Browser, site: tuple[str, Path]
) -> None:
    root, folder = site
    context = browser.new_context(java_script_enabled=False)
    quiet = context.new_page()
    for start in (root, folder.joinpath("index.html").as_uri()):
        quiet.goto(start)
        expect(quiet.locator("h1")).to_have_text("San Blas")
        quiet.get_by_role("link", name="Partidas").click()
        expect(quiet.locator(".meeting").first).to_be_visible()
        quiet.get_by_role("link", name="Euskara").click()
        expect(quiet.locator("html")).to_have_attribute("lang", "eu")
        expect(quiet.locator("h2").first).to_have_text("Partidak")
        quiet.get_by_role("link", name="Bikoteak").click()
        expect(quiet.locator(".enrolled li")).to_have_count(8)
    context.close()
    page = browser.new_page()
    for path in ("index.html", "es/matches.html", "en/pairs.html"):
        page.goto(root + path)
        assert "60000000" not in page.content()
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, size)
        assert found_everywhere(page) == [], path


def test_a_pair_has_one_name_on_every_page_slip_list_and_screen(
    browser: Browser, server: DashboardServer, ledger: Ledger, tmp_path: Path
) -> None:
    """In each place that speaks of a pair the same words, whoever looks."""
    number = ledger.open(Opened("San Blas", Format.ROBIN, Options(juegos=1), by="Maite"))
    desk = Desk(ledger, lambda: ["mesa-1"])
    name, other = "Los de Íñigo & Cía", "Ana Ruiz y Luis Gil"
    csv = f"pareja;jugador 1;jugador 2\n{name};Íñigo Paz;Eva Mur\n;Ana Ruiz;Luis Gil\n;a;b\n"
    desk.do(number, "enrol", {"csv": csv, "by": "Maite"})
    ledger.do(number, lambda t: [Drawn(7, draw(t.pairs.values(), 7), "Maite")])

    def of_both(now: Tournament) -> list[Act]:
        match = next(m.id for m in ready(now) if set(players(now, m.id)) == {1, 2})
        return result_acts(now, match, 1)

    ledger.do(number, of_both)
    desk.do(number, "assign", {"by": "Maite"})
    publish(desk.show(number), tmp_path / "out")
    base = f"{server.url}tournaments/{number}"
    page = hall_page(browser, base)
    page.locator("#acts summary").click()
    expect(page.locator("#acts li").last).to_be_visible()
    places = {
        "#pairs li b": page, "#standings th[scope=row]": page, "#matches .slots b": page,
        "#slips h2": hall_page(browser, f"{base}/slips"),
        ".enrolled b": hall_page(browser, f"{base}/enrol"),
    }  # fmt: skip
    for where, at in places.items():
        expect(at.locator(where).first).to_be_attached()
        told = " | ".join(at.locator(where).all_inner_texts())
        assert name in told, where
        assert other in told, where
    log = " | ".join(page.locator("#acts li").all_inner_texts())
    assert f"({name} – {other})" in log or f"({other} – {name})" in log
    screen = hall_page(browser, f"{base}/screen")
    seen = set()
    for _ in range(6):
        seen.add(screen.locator("#rows").inner_text())
        screen.keyboard.press("ArrowRight")
    assert name in "".join(seen)
    assert other in "".join(seen)
    sign = hall_page(browser, f"{base}/sign")
    sign.get_by_label("Número de la pareja").fill("1")
    sign.get_by_label("Código").fill(desk_code(number, 1))
    sign.get_by_role("button", name="Hecho").click()
    expect(sign.locator("#whose")).to_have_text(name)
    expect(sign.locator("#mine .slots").first).to_contain_text(other)
    for what in ("pairs", "matches", "standings"):
        rows = page.request.get(f"{base}/{what}.csv").text()
        assert name in rows, what
        assert other in rows, what
    site_page = browser.new_page()
    for path in ("es/index.html", "eu/matches.html", "en/pairs.html"):
        site_page.goto((tmp_path / "out" / path).as_uri())
        told = site_page.locator("main").inner_text()
        assert name in told, path
        assert other in told, path


def desk_code(number: int, pair: int) -> str:
    """The code of a pair in the hall of these tests."""
    digest = hmac.new(b"k" * 32, f"{number}/{pair}".encode(), sha256).digest()
    return f"{int.from_bytes(digest[:8]) % 10**6:06}"
