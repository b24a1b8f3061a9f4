"""A practice game in a real browser: from the first visit to the end of a juego, by taps."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from assistant.cli.app import PracticeSession
from assistant.cli.mus_practice import add_parser, practice_settings
from assistant.page import Keys, serve
from assistant.school.practice.levels import level_matches
from assistant.school.practice.page import PracticeChanceView, ReviewView
from tests.e2e.browsing import fits, opened, resized
from tests.e2e.test_page_axe import found_everywhere, page_of
from tests.e2e.test_page_door import from_afar
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser

PHONE = (390, 844)
SIZES = [(320, 640), PHONE, (1280, 800)]
SPEED = 300.0
"""The speed-up of the game, so that the company answers at once."""
SOON = 60_000
LANGUAGES = ("es", "eu", "en")
WAITS = """() => {
  const there = (query) => document.querySelector(query)?.checkVisibility();
  if (there("#count .next")) return "count";
  if (there(".throwing")) return "throw";
  return there("#calls .offer") ? "call" : null;
}"""
"""What the page waits for when it is the person's turn."""
SHOWS = "(version) => Number(document.querySelector('#page').dataset.version) >= version"
LATE_NEWS = """{
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (kind, told) {
    listen.call(this, kind, (event) => setTimeout(told, kind === "message" ? 700 : 0, event));
  };
}"""
"""The news of the table reach the page late, as over a slow network."""
CARD_BOXES = """() => [...document.querySelectorAll(".own-card")].flatMap((card) => {
  const { left, top, width, height } = card.getBoundingClientRect();
  return [left, top, width, height];
})"""
PICTURED = "() => [...document.images].every((one) => one.complete && one.naturalWidth)"
REVIEWED = """async () => {
  const place = document.querySelector("#review");
  const root = place.cloneNode(); // snapshots hide the page's own until the game is over
  root.hidden = false;
  root.removeAttribute("id");
  place.after(root);
  (await import("/static/js/practice-review.js")).reviewed(root, () => {});
}"""
"""Show a review, as the button of a game that is over does."""
CALLS = ("mus", "accept", "bet", "pass", "holds", "lacks")
"""The calls that the test's person makes, the preferred ones first."""


def session(language: str = "es", *options: str) -> PracticeSession:
    """A silent game with the same cards each time."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    args = parser.parse_args(
        ["practice", "--voice", "off", "--port", "0", "--language", language, *options]
    )
    settings = practice_settings(args)
    return PracticeSession(settings, name="Álex", speed=SPEED, seed=11, listens=False)


@pytest.fixture
def game() -> Iterator[PracticeSession]:
    with session() as running:
        yield running


def waits(page: Page) -> str:
    """Wait until the person has something to do; returns what."""
    told = page.wait_for_function(WAITS, timeout=SOON).json_value()
    assert isinstance(told, str)
    return told


def version(page: Page) -> int:
    return int(page.locator("#page").get_attribute("data-version") or 0)


def answer(page: Page, game: PracticeSession, waited: str) -> None:
    """Do what the page waits for with one or two taps, and wait until the page shows it done."""
    if waited == "throw":
        page.locator(".own-card").first.click()
        page.locator(".throwing").click()
        expect(page.locator(".throwing")).to_be_hidden()
    elif waited == "count":
        page.locator("#count .next").click()
        expect(page.locator("#count .next")).to_be_hidden()
    else:
        made = game.board.snapshot()["seq"]
        kinds = [one.get_attribute("data-kind") for one in page.locator(".offer-of").all()]
        kind = next(kind for kind in CALLS if kind in kinds)
        page.locator(f'[data-kind="{kind}"] .offer').click()
        # Other news changes the page too. It shows the call once it shows what came after it.
        until = time.monotonic() + SOON / 1000
        while (after := game.board.snapshot())["seq"] == made:
            assert time.monotonic() < until, f"the table never had the tap on {kind}"
            page.wait_for_timeout(5)
        page.wait_for_function(SHOWS, arg=after["version"], timeout=SOON)


ADVISED = re.compile("Consejo: .*(% de ganar el juego|Canta lo que tienes: «)")


def begin(page: Page, level: str) -> None:
    while page.locator(".welcome .primary").count():
        page.locator(".welcome .primary").click()
    page.locator(f'[data-level="{level}"]').click()
    expect(page.locator("#game")).to_be_visible()


def test_a_newcomer_plays_from_the_first_visit_to_the_end_of_a_juego(
    browser: Browser, game: PracticeSession
) -> None:
    for page in opened(browser, game.server, PHONE):
        expect(page.locator(".welcome h2")).to_have_text("Cuatro a la mesa")
        begin(page, "paciente")
        expect(page.locator(".own-card")).to_have_count(4)
        while (waited := waits(page)) != "count" or not game.board.snapshot()["over"]:
            if waited == "call":
                expect(page.locator("#hint")).to_contain_text(ADVISED)
            answer(page, game, waited)
        won = game.board.snapshot()["winner"] == "A"
        told = "¡Habéis ganado!" if won else "Han ganado ellos. ¿La revancha?"
        expect(page.locator("#count .won")).to_have_text(told)
        expect(page.locator(".all-hands .drawn")).to_have_count(16)
        expect(page.locator(".all-hands .name").first).to_have_text("Álex (tú)")
        page.locator("#count .next").click()
        page.locator('[data-level="fuerte"]').click()
        expect(page.locator("#game")).to_be_visible()
        assert game.practice.dealer.moment().games == 1
        expect(page.locator("#hint")).to_be_hidden()


def test_the_page_tells_which_name_is_the_learners(browser: Browser, game: PracticeSession) -> None:
    for page in opened(browser, game.server, PHONE):
        expect(page.locator("#welcome")).to_contain_text("Aquí te llamas Álex.")
        begin(page, "paciente")
        assert waits(page)
        expect(page.locator("#prompt")).to_have_text(re.compile("Te toca, Álex|Toca las cartas"))


def test_a_game_ends_with_the_tables_count_its_picture_and_the_same_again(
    browser: Browser, game: PracticeSession
) -> None:
    for page in opened(browser, game.server, PHONE):
        begin(page, "paciente")
        while (waited := waits(page)) != "count" or not game.board.snapshot()["over"]:
            expect(page.locator("#final")).to_be_hidden()
            answer(page, game, waited)
        snapshot = game.board.snapshot()
        brought = [row for row in snapshot["count"] if row["gains"] or row["how"] == "ordago"]
        assert brought
        expect(page.locator(".stones-won li")).to_have_count(len(brought))
        for node, row in zip(page.locator(".stones-won li").all(), brought, strict=True):
            expect(node).to_have_attribute("data-side", row["side"] or "")
            expect(node.locator("b")).to_contain_text(row["lance"].capitalize())
            for held in row["held"]:
                expect(node.locator("b")).to_contain_text(
                    snapshot["seats"][held["seat"] - 1]["name"]
                )
            expect(node.locator("strong")).to_have_text(
                f"+{row['stones']}" if row["stones"] else ""
            )
        final = page.locator("#final")
        expect(final.locator("button")).to_have_text(["La revancha", "Compartir"])
        with page.expect_download() as kept:
            final.get_by_role("button", name="Compartir").click()
        assert kept.value.suggested_filename.endswith(".png")
        assert found_everywhere(page) == []
        final.get_by_role("button", name="La revancha").click()
        expect(page.locator(".own-card")).to_have_count(4)
        expect(final).to_be_hidden()
        expect(page.locator(".score-of strong")).to_have_text(["0", "0"])
        assert game.practice.dealer.moment().level == "paciente"


def test_a_finished_game_is_reviewed_while_the_page_goes_on(
    browser: Browser, game: PracticeSession
) -> None:
    for page in opened(browser, game.server, PHONE):
        begin(page, "normal")
        while (waited := waits(page)) != "count" or not game.board.snapshot()["over"]:
            expect(page.locator("#review")).to_be_hidden()
            answer(page, game, waited)
        page.locator("#review .open").click()
        moves = page.locator(".moves li")
        expect(moves.first).to_be_visible(timeout=SOON)
        expect(page.locator("#review progress")).to_be_hidden(timeout=SOON)
        review = game.practice.review()
        assert review["done"] == review["of"] > 0
        expect(moves).to_have_count(len(review["moves"]))
        for node, move in zip(moves.all(), review["moves"], strict=True):
            expect(node).to_have_attribute("data-mark", move["mark"])
            expect(node.locator("p")).to_have_text(move["text"])
        expect(page.locator(".sums")).to_contain_text("Errores: ")
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            fits(page, size, "review")
        assert found_everywhere(page) == []


def test_a_reviewed_move_that_cost_nothing_shows_no_zero_and_says_where_it_depends(
    browser: Browser, game: PracticeSession
) -> None:
    one: dict[str, object] = {
        "deal": 1, "lance": "grande", "kind": "bet", "hand": ["Ro"], "said": "Envido",
        "mark": "good", "lost": 0.0, "depends": True, "better": "Paso", "text": "Paso.",
    }  # fmt: skip
    rows = [
        (one, "depende de cómo jueguen los demás"),
        (one | {"lost": 0.4}, "−0,4 · depende de cómo jueguen los demás"),
        (one | {"lost": 1.2, "depends": False}, "−1,2"),
        (one | {"mark": "best", "lost": 0.3, "depends": False}, ""),
    ]
    told = {"able": True, "over": True, "done": 4, "of": 4, "moves": [move for move, _ in rows]}
    for page in opened(browser, game.server, PHONE):
        begin(page, "paciente")
        page.route("**/api/practice/review", lambda route: route.fulfill(json=told))
        page.evaluate(REVIEWED)
        expect(page.locator(".moves .cost")).to_have_text([cost for _, cost in rows])
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            fits(page, size, "review of moves that depend on the others")
        assert found_everywhere(page) == []


def test_the_end_of_a_juego_says_who_won_it_and_shows_the_juegos(browser: Browser) -> None:
    with session("es", "--rules", "target=5 juegos=3") as game:
        for page in opened(browser, game.server, PHONE):
            begin(page, "paciente")
            while (waited := waits(page)) != "count" or not game.board.snapshot()["juego_won"]:
                answer(page, game, waited)
            snapshot = game.board.snapshot()
            assert snapshot["winner"] is None
            ours = snapshot["juego_won"] == "A"
            won = page.locator("#count .won")
            expect(won).to_contain_text("¡El juego es vuestro!" if ours else "El juego es de ellos")
            expect(won).to_contain_text(f"Juegos: {'1 – 0' if ours else '0 – 1'}")
            expect(page.locator("#count .next")).to_have_text("Siguiente reparto")
            for size in SIZES:
                page.set_viewport_size({"width": size[0], "height": size[1]})
                fits(page, size, "the end of a juego")


def test_a_sena_stands_a_moment_and_is_asked_for_after_the_deal(browser: Browser) -> None:
    with session() as game:
        for page in opened(browser, game.server, PHONE):
            while page.locator(".welcome .primary").count():
                page.locator(".welcome .primary").click()
            page.locator("#with-senas").check()
            begin(page, "normal")
            expect(page.locator(".player .sena").first).to_be_visible(timeout=SOON)
            while (waited := waits(page)) != "count" or not page.locator(".asked-senas li").count():
                answer(page, game, waited)
            expect(page.locator(".player .sena")).to_have_count(0)  # it went by itself
            first = page.locator(".asked-senas li").first
            expect(first.locator("button")).to_have_count(5)
            expect(first.locator(".sena")).to_have_count(0)
            for size in SIZES:
                page.set_viewport_size({"width": size[0], "height": size[1]})
                fits(page, size, "senas")
            assert found_everywhere(page) == []
            first.get_by_role("button", name="No la vi").click()
            expect(first.locator(".asks")).to_contain_text(" hizo la de ")
            expect(first.locator(".sena")).to_have_count(1)
            expect(page.locator("#senas [role=status]")).to_have_text("Señas leídas: 0 de 1.")
            assert found_everywhere(page) == []


def test_senas_are_not_offered_where_the_table_makes_none(browser: Browser) -> None:
    with session("es", "--rules", "senas=off") as game:
        for page in opened(browser, game.server, PHONE):
            while page.locator(".welcome .primary").count():
                page.locator(".welcome .primary").click()
            expect(page.locator(".level")).to_have_count(5)
            expect(page.locator("#with-senas")).to_have_count(0)


def test_every_level_but_the_first_tells_what_it_wins(
    browser: Browser, game: PracticeSession
) -> None:
    for page in opened(browser, game.server, PHONE):
        while page.locator(".welcome .primary").count():
            page.locator(".welcome .primary").click()
        expect(page.locator(".level .soft")).to_have_text(
            [
                f"Ganan {match.percent} de cada 100 juegos al nivel anterior."
                for match in level_matches()
            ]
        )


def test_the_choice_stays_until_the_new_cards_are_there(
    browser: Browser, game: PracticeSession
) -> None:
    """The answer may come before the table's news, and the old game must never flash up."""
    for page in opened(browser, game.server, PHONE):
        page.add_init_script(LATE_NEWS)
        page.reload()
        expect(page.locator(".welcome h2")).to_be_visible()
        begin(page, "paciente")
        waits(page)
        page.locator("#again").click()
        expect(page.locator("#game")).to_be_hidden()
        before = version(page)
        page.locator('[data-level="fuerte"]').click()
        expect(page.locator("#game")).to_be_visible()
        assert version(page) > before


def test_the_reasons_and_the_chances_are_shown_on_a_tap(
    browser: Browser, game: PracticeSession
) -> None:
    for page in opened(browser, game.server, PHONE):
        begin(page, "paciente")
        waits(page)
        page.locator(".ask").click()
        expect(page.locator(".chances p").first).to_contain_text("de cada 10 veces")
        while page.locator(".whys li").count() == 0:
            answer(page, game, waits(page))
        expect(page.locator(".whys li").first).to_contain_text("»: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_fits_a_small_screen_and_a_finger(browser: Browser, language: str) -> None:
    with session(language) as game:
        for page in opened(browser, game.server, PHONE):
            seen: set[str] = set()
            begin(page, "paciente")
            while not {"call", "count"} <= seen:
                waited = waits(page)
                if waited not in seen:
                    for size in SIZES:
                        page.set_viewport_size({"width": size[0], "height": size[1]})
                        fits(page, size, f"{language} {waited}")
                seen.add(waited)
                answer(page, game, waited)


def test_a_card_has_its_room_before_its_picture_is_there(
    browser: Browser, game: PracticeSession
) -> None:
    """Pictures come late over a slow network, or on a busy machine."""
    held: list[Route] = []
    slow = True

    def hold(route: Route) -> None:
        held.append(route) if slow else route.continue_()

    for page in opened(browser, game.server, PHONE):
        page.route("**/practice/cards/*.svg", hold)
        with page.expect_request("**/practice/cards/*.svg"):
            begin(page, "paciente")
        waits(page)
        boxes = {}
        for size in SIZES:
            resized(page, size)
            fits(page, size, "without pictures")
            boxes[size] = page.evaluate(CARD_BOXES)
        assert held
        slow = False
        for route in held:
            route.continue_()
        page.wait_for_function(PICTURED)
        for size in SIZES:
            resized(page, size)
            assert page.evaluate(CARD_BOXES) == pytest.approx(boxes[size], abs=1), size


def test_axe_finds_nothing_serious_in_the_practice(browser: Browser, game: PracticeSession) -> None:
    page = page_of(browser, game.server.url)
    assert found_everywhere(page) == []
    begin(page, "paciente")
    seen: set[str] = set()
    while not {"call", "count"} <= seen:
        waited = waits(page)
        if waited not in seen:
            assert found_everywhere(page) == [], waited
        seen.add(waited)
        answer(page, game, waited)
    page.context.close()


def test_the_lessons_are_one_tap_away_and_lead_back(
    browser: Browser, game: PracticeSession
) -> None:
    for page in opened(browser, game.server, PHONE):
        for name in ("Aprender a jugar", "Las palabras del mus", "Las señas", "Las probabilidades"):
            page.get_by_role("link", name=name).click()
            expect(page.get_by_role("heading", level=1)).to_have_text(name)
            expect(page.locator("main")).to_have_attribute("aria-busy", "false")
            page.get_by_role("link", name="Volver a la partida").click()
            expect(page.locator(".welcome h2")).to_have_text("Cuatro a la mesa")


class Nobody:
    """A practice that nobody starts."""

    def begin(self, level: str, *, senas: bool = False) -> None: ...

    def throw(self, _places: Sequence[int]) -> bool:
        return False

    def answer_sign(self, number: int, choice: int) -> bool:  # noqa: ARG002
        return False

    def chances(self) -> list[PracticeChanceView]:
        return []

    def review(self) -> ReviewView:
        return {"able": True, "over": False, "done": 0, "of": 0, "moves": []}


def test_another_device_is_asked_for_the_pin_and_sees_no_card(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    app = create_app(
        board, web_dir=checkout / "web", keys=Keys(b"k" * 32, "482913"), practice=Nobody()
    )
    app.wsgi_app = from_afar(app.wsgi_app)  # type: ignore[method-assign]
    server = serve(app, "127.0.0.1", 0)
    server.start()
    try:
        page = browser.new_page()
        page.goto(f"{server.url}practice")
        page.wait_for_selector("#page[aria-busy=false]")
        expect(page.locator("#enter input")).to_be_visible()
        expect(page.locator("#hand .card")).to_have_count(0)
        page.close()
    finally:
        server.stop()
