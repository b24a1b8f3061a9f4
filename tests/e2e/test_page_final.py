"""The end of a juego and of the match: a short moment, and then a page until somebody goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from assistant.files.resources import load_phrases
from assistant.page import DashboardServer
from assistant.rules.calls import Accept, Bet, Cut, NextDeal, Ordago, Refuse, SetStones, ShowHand
from assistant.rules.cards import parse_hand
from assistant.rules.profile import Profile, Sides
from assistant.table.journal import SqliteJournal, tables
from assistant.table.table import Table
from tests.e2e.browsing import ENDING, opened, resized, say_all, settled, shows_newest
from tests.e2e.moments import HANDS
from tests.e2e.test_page_door import served
from tests.e2e.test_page_layouts import SIZES, TELEVISION
from tests.e2e.test_page_moment import COUNTED, PATHS, held
from tests.e2e.test_page_setup import begun, fresh, tap, tap_call
from tests.lexicons import spanish
from tests.page.fake_board import FakeBoard
from tests.page.setting_up import settled_setup

pytestmark = pytest.mark.browser

MATCH = Profile(juegos=1)
JUEGO_MS, MATCH_MS = 3500, 5000
BUTTONS = ["La revancha", "Cambiar parejas", "Otra mesa", "Compartir"]
WIDE, HIGH = 1080, 1350
"""Pixels of the picture to share."""
SHARES = """
  window.shared = [];
  navigator.canShare = ({ files }) => files.length === 1 && files[0].type === "image/png";
  navigator.share = async ({ files, title }) => {
    const data = [...new Uint8Array(await files[0].arrayBuffer())];
    window.shared.push({ name: files[0].name, title, data });
    if (window.refuses) throw new DOMException("", window.refuses);
  };
"""
"""A script that puts a sheet in the place of the system's, which may refuse."""


@pytest.fixture
def server(board: FakeBoard, checkout: Path) -> Iterator[DashboardServer]:
    """A table that can be set up."""
    with served(board, checkout, away=False, setup=settled_setup()) as server:
        yield server


def won(board: FakeBoard, rules: Profile) -> None:
    """Let Norte win an órdago at grande, and with it a juego."""
    board.reopen(rules)
    say_all(board, Cut(seat=1), Ordago(seat=1), Accept(seat=2))
    for seat, hand in enumerate(HANDS[: board.state.players], start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))


def button(page: Page, label: str) -> Locator:
    return page.locator("#final").get_by_role("button", name=label, exact=True)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("rules", "word", "lasts", "tones"),
    [(Profile(), "¡Juego!", JUEGO_MS, 3), (MATCH, "¡Partida!", MATCH_MS, 6)],
)
def test_a_juego_and_a_match_fill_the_screen_for_a_moment_and_sound(
    browser: Browser,
    server: DashboardServer,
    board: FakeBoard,
    path: str,
    rules: Profile,
    word: str,
    lasts: int,
    tones: int,
) -> None:
    for page in opened(browser, server, TELEVISION):
        page.add_init_script(COUNTED)
        held(page, server, path)
        page.evaluate("window.touched.hasBeenActive = true")
        board.reopen(rules)
        say_all(board, Cut(seat=1))
        shows_newest(page, board)
        before = page.evaluate("window.tones")
        won(board, rules)
        shows_newest(page, board)
        heard = page.evaluate("window.tones") - before
        assert heard >= tones  # an órdago and its answer may have been seen before it
        expect(page.locator(ENDING)).to_contain_text(word)
        expect(page.locator(ENDING)).to_contain_text("Norte y Sur")
        box = page.locator(ENDING).bounding_box()
        assert box == {"x": 0, "y": 0, "width": TELEVISION[0], "height": TELEVISION[1]}
        page.clock.run_for(lasts - 100)
        expect(page.locator(ENDING)).to_be_visible()
        page.clock.run_for(200)
        expect(page.locator(ENDING)).to_be_hidden()


def test_a_moment_is_tapped_away_and_the_tap_presses_nothing_under_it(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, (360, 640)):
        held(page, server, "phone")
        won(board, MATCH)
        shows_newest(page, board)
        spot = button(page, "La revancha").bounding_box()
        assert spot
        page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
        expect(page.locator(ENDING)).to_be_hidden()
        assert board.state.winner == "A"
        expect(page.locator("#final")).to_be_visible()


def test_the_juego_that_was_undone_and_the_one_before_the_page_came_are_no_moments(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        won(board, Profile())
        page.goto(server.url)
        shows_newest(page, board)
        expect(page.locator(ENDING)).to_be_hidden()
        won(board, MATCH)
        shows_newest(page, board)
        expect(page.locator(ENDING)).to_be_visible()
        board.reopen()
        board.say("")
        shows_newest(page, board)
        expect(page.locator(ENDING)).to_be_hidden()


def test_the_words_of_a_moment_fit_every_screen(browser: Browser, checkout: Path) -> None:
    names = ("Bartolomé", "Maritxu", "José-Luis", "Ane-Miren")
    for language in ("es", "eu", "en"):
        board = FakeBoard(load_phrases(language), names=names)
        with served(board, checkout, away=False) as server:
            for page in opened(browser, server, TELEVISION):
                held(page, server, "watch")
                for rules in (Profile(vacas=3), Profile(juegos=1, vacas=1)):
                    board.reopen(rules)
                    say_all(board, Cut(seat=1))
                    settled(page, board)
                    won(board, rules)
                    shows_newest(page, board)
                    for size in SIZES:
                        resized(page, size)
                        for line in page.locator(f"{ENDING} p:visible").all():
                            box = line.bounding_box()
                            assert box
                            assert box["x"] >= 0, (language, size)
                            assert box["x"] + box["width"] <= size[0], (language, size)
                            assert box["y"] >= 0, (language, size)
                            assert box["y"] + box["height"] <= size[1], (language, size)
                            assert line.evaluate("n => n.scrollWidth <= n.clientWidth")


@pytest.mark.parametrize("path", PATHS)
def test_the_final_score_and_the_last_hands_stay_until_somebody_goes_on(
    browser: Browser, server: DashboardServer, board: FakeBoard, path: str
) -> None:
    for page in opened(browser, server, TELEVISION):
        held(page, server, path)
        won(board, MATCH)
        settled(page, board)
        page.clock.run_for(3_600_000)
        expect(page.locator(".main")).to_have_text("Ganan Norte y Sur")
        expect(page.locator(".pip.full")).to_have_count(1)
        for seat, hand in enumerate(HANDS[:4], start=1):
            cards = page.locator(f".seat[data-seat='{seat}'] .card [aria-hidden]")
            assert cards.all_text_contents() == hand.split()
        if path == "watch":
            expect(page.locator("button:visible")).to_have_count(0)
            continue
        assert page.locator("#final button").all_inner_texts() == BUTTONS
        button(page, "La revancha").click()
        expect(page.locator(".main")).to_have_text("¿Hay mus?")
        expect(page.locator("#final")).to_be_hidden()
        assert board.state.deal == 1
        assert board.state.winner is None


def test_a_juego_leaves_its_score_and_the_next_deal_goes_on(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        board.reopen()
        say_all(board, SetStones(stones=(38, 20)), Cut(seat=1), Bet(seat=1, stones=2))
        say_all(board, Bet(seat=2, stones=7), Refuse(seat=1), Refuse(seat=3))
        settled(page, board)
        won(board, Profile())
        settled(page, board)
        expect(page.locator(".main")).to_have_text("Juego para Norte y Sur")
        expect(page.locator(".under")).to_have_text("Juegos: 1 – 0 · Por un órdago")
        expect(page.locator("#final")).to_be_hidden()
        board.say("mus", NextDeal())
        settled(page, board)
        expect(page.locator(".under")).not_to_contain_text("Juegos")


def test_the_pairs_are_changed_once_somebody_confirms(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    asked: list[object] = []

    def taken(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or ""))
        route.fulfill(json={"anew": True})

    for page in opened(browser, server, (360, 740)):
        page.route("**/api/setup", taken)
        won(board, MATCH)
        settled(page, board)
        button(page, "Cambiar parejas").click()
        heading = page.locator("#final h2")
        seen = []
        for _ in range(3):
            seen.append(heading.inner_text())
            button(page, "Otras parejas").click()
        assert set(seen) == {
            "Norte y Este contra Sur y Oeste",
            "Norte y Oeste contra Este y Sur",
            "Norte y Sur contra Oeste y Este",
        }
        expect(heading).to_have_text(seen[0])  # they come round again
        button(page, "Dejarlo").click()
        assert page.locator("#final button").all_inner_texts() == BUTTONS
        assert asked == []
        button(page, "Cambiar parejas").click()
        expect(page.locator(".final-round")).to_contain_text("Norte, Sur, Este, Oeste")
        with page.expect_response("**/api/setup"):
            button(page, "Jugar así").click()
        expect(page.locator("#final")).to_be_visible()
        assert asked == [{"set": {"seats": "Norte Sur Este Oeste"}, "start": "new"}]


def test_who_plays_alone_has_no_pairs_to_change(browser: Browser, checkout: Path) -> None:
    for names, sides in ((("Ana", "Luis"), Sides.TWO), (("Ana", "Luis", "Eva"), Sides.EACH)):
        rules = Profile(juegos=1, sides=sides)
        board = FakeBoard(load_phrases("es"), rules, names)
        with served(board, checkout, away=False, setup=settled_setup()) as server:
            for page in opened(browser, server, (360, 740)):
                board.reopen(rules)
                say_all(board, Cut(seat=1), Ordago(seat=1), Accept(seat=2))
                if sides is Sides.EACH:
                    say_all(board, Accept(seat=3))
                for seat, hand in enumerate(HANDS[: len(names)], start=1):
                    board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
                settled(page, board)
                assert board.state.winner
                texts = page.locator("#final button").all_inner_texts()
                assert texts == ["La revancha", "Otra mesa", "Compartir"]


def test_another_table_is_set_up(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, (360, 740)):
        won(board, MATCH)
        settled(page, board)
        button(page, "Otra mesa").click()
        expect(page).to_have_url(f"{server.url}setup")


def test_who_may_only_look_on_can_keep_the_picture_and_begin_nothing(
    browser: Browser, board: FakeBoard, checkout: Path
) -> None:
    with served(board, checkout, away=True, setup=settled_setup()) as server:
        for page in opened(browser, server, (360, 740)):
            page.goto(f"{server.url}phone")
            won(board, MATCH)
            settled(page, board)
            assert page.locator("#final button").all_inner_texts() == ["Compartir"]


def picture(data: bytes) -> np.ndarray:
    """The picture of a PNG file, which must be one."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape[:2] == (HIGH, WIDE)
    return image


def shares(page: Page, wanted: int) -> list[Any]:
    """What the system's sheet was given, once that has been offered so many times."""
    for _ in range(100):
        given: list[Any] = page.evaluate("window.shared")
        if len(given) >= wanted:
            break
        page.wait_for_timeout(100)
    return given


def test_where_nothing_can_be_shared_the_picture_is_a_file(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    """As on a telephone by plain HTTP, where navigator.share is not there."""
    requests: list[str] = []
    for page in opened(browser, server, (360, 740)):
        page.add_init_script(
            "delete Navigator.prototype.share; delete Navigator.prototype.canShare;"
        )
        page.goto(f"{server.url}phone")
        won(board, MATCH)
        settled(page, board)
        page.on("request", lambda sent: requests.append(sent.url))
        with page.expect_download() as kept:
            button(page, "Compartir").click()
        assert kept.value.suggested_filename == "mus-2023-11-14.png"  # the day of the match
        image = picture(kept.value.path().read_bytes())
        assert [url for url in requests if not url.startswith("blob:")] == []
        # The cards of the hand that decided, R R C 1, are white; two of their letters are red.
        cards = image[985:1195].reshape(-1, 3)
        assert (cards.min(axis=1) > 240).mean() > 0.3
        red = (cards[:, 2] > 130) & (cards[:, :2].max(axis=1) < 80)
        assert red.sum() > 2000


def test_where_the_system_can_share_it_gets_the_picture(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    downloads: list[object] = []
    for page in opened(browser, server, (360, 740)):
        page.add_init_script(SHARES)
        page.goto(f"{server.url}phone")
        won(board, MATCH)
        settled(page, board)
        page.on("download", lambda one: downloads.append(one))
        button(page, "Compartir").click()
        (shared,) = shares(page, 1)
        assert (shared["name"], shared["title"]) == ("mus-2023-11-14.png", "Una partida de mus")
        picture(bytes(shared["data"]))
        page.evaluate("window.refuses = 'AbortError'")  # they closed the sheet
        button(page, "Compartir").click()
        shares(page, 2)
        page.wait_for_timeout(300)
        assert downloads == []
        page.evaluate("window.refuses = 'NotAllowedError'")
        with page.expect_download() as kept:
            button(page, "Compartir").click()
        picture(kept.value.path().read_bytes())


def test_other_pairs_play_the_next_match_and_the_journal_keeps_the_last(
    browser: Browser, tmp_path: Path
) -> None:
    """At a real table: the match, other pairs, and both games in the journal."""
    journal = tmp_path / "evening.sqlite3"
    options = ("--voice", "off", "--mic", "nobody's", "--rules", "juegos=1", "--journal", journal)
    with fresh(tmp_path, *map(str, options)) as table:
        page = browser.new_page(
            viewport={"width": 360, "height": 740}, has_touch=True, locale="es-ES",
            reduced_motion="reduce",
        )  # fmt: skip
        page.goto(table.url)
        begun(page)
        page.locator("#question, #centre").get_by_role("button", name="Norte").first.tap()
        expect(page.locator(".seat.turn")).to_contain_text("Norte")
        for label in ("No hay mus", "Órdago", "Quiero"):
            tap_call(page, label)
        for hand in ("RRC1", "4456", "R777", "CCSS"):
            for rank in hand:
                page.locator(f'#showdown .rank[data-rank="{rank}"]').tap()
            tap(page, "Poner cartas")
            page.wait_for_timeout(150)
        page.locator(ENDING).tap()
        button(page, "Cambiar parejas").tap()
        button(page, "Jugar así").tap()
        expect(page.locator("#final")).to_be_hidden(timeout=60_000)
        names = page.locator(".seat .name")
        expect(names).to_have_text(["Norte", "Sur", "Este", "Oeste"])
        expect(page.locator('.side[data-side="A"] .names')).to_have_text("Norte y Este")
        expect(page.locator(".main")).to_have_text("¿Quién es mano?")
        page.close()
    played = []
    for one in reversed(tables(journal)):
        with closing(SqliteJournal(journal, one.table_id, read_only=True)) as game:
            played.append(Table(spanish(), game.read()).state)
    first, last = played
    assert first.winner == "A"
    assert first.seats == ("Norte", "Oeste", "Sur", "Este")
    assert last.seats == ("Norte", "Sur", "Este", "Oeste")
