"""The apprentice's page on a phone, beside a deal that is played."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.page import DashboardServer, serve
from assistant.rules.calls import Accept, Bet, Cut, Declare, Raise, Refuse, ShowHand
from assistant.rules.cards import parse_hand
from assistant.rules.phases import Lance, Phase
from assistant.table.snapshot import LogPhrases
from tests.e2e.browsing import OVERFLOWING, SMALL_TARGETS
from tests.e2e.live_table import live
from tests.e2e.table_process import TIMEOUT
from tests.e2e.test_page_axe import found_everywhere
from tests.page.apps import create_app
from tests.page.learning import LearningBoard
from tests.voice.parts import needs_speech

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
HANDS = ("R 7 4 4", "C S 6 4", "1 1 4 5", "7 6 4 1")


@pytest.fixture
def board(spanish: LogPhrases) -> Iterator[LearningBoard]:
    board = LearningBoard(spanish)
    yield board
    board.apprentice.close()


@pytest.fixture
def server(board: LearningBoard, checkout: Path) -> Iterator[DashboardServer]:
    app = create_app(board, web_dir=checkout / "web", learner=board.apprentice)
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        reduced_motion="reduce",
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{server.url}apprentice")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    yield page
    context.close()
    assert complaints == []


def sit(page: Page, name: str) -> None:
    button = page.locator("#places").get_by_role("button", name=name, exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def shown(page: Page, board: LearningBoard) -> None:
    expect(page.locator("#page")).to_have_attribute("data-seq", str(board.records[-1].seq))


def is_sound(page: Page, moment: str) -> None:
    """Check that everything fits the screen and can be tapped, and that axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], moment
    assert page.evaluate(OVERFLOWING) == [], moment
    assert page.evaluate(SMALL_TARGETS) == [], moment
    assert found_everywhere(page) == [], moment


def to_the_count(board: LearningBoard) -> None:
    """Refuse all bets, so that only the hands of Norte and Sur, with pares, are asked for."""
    board.say("", Refuse(seat=1, plural=True))
    board.say("", Bet(seat=1), Refuse(seat=2, plural=True))
    for seat in (1, 2, 3, 4):
        board.say("", Declare(seat=seat, holds=seat in (1, 3), lance=Lance.PARES))
    for seat in (1, 2, 3, 4):
        board.say("", Declare(seat=seat, holds=False, lance=Lance.JUEGO))
    board.say("", Bet(seat=1), Refuse(seat=2, plural=True))
    for seat in (1, 3):
        board.say("", ShowHand(seat=seat, cards=parse_hand(HANDS[seat - 1])))
    assert board.state.phase is Phase.COUNT


def test_the_page_follows_a_deal_from_the_mus_to_the_count(
    page: Page, board: LearningBoard
) -> None:
    expect(page.locator("#turn")).to_have_text("Te toca hablar.")
    page.locator("summary:visible").click()
    expect(page.locator("#may .more:visible")).to_contain_text("Envido cinco")
    is_sound(page, "mus")
    board.say("", Cut(seat=1), Bet(seat=1, stones=5))
    sit(page, "Oeste")
    shown(page, board)
    expect(page.locator("#said .means")).to_contain_text("Quiere jugarse 5 piedras a la grande")
    expect(page.locator("#may")).to_contain_text("1 piedra para ellos ahora mismo")
    expect(page.locator("#may")).to_contain_text("Quiero")
    is_sound(page, "bet")
    board.say("", Raise(seat=2, stones=5))
    sit(page, "Norte")
    shown(page, board)
    expect(page.locator("#said .means")).to_contain_text("van ya 10 piedras")
    board.say("", Accept(seat=2))
    expect(page.locator("#mistake")).to_contain_text("El envite es de tu propio bando")
    is_sound(page, "mistake")
    to_the_count(board)
    shown(page, board)
    expect(page.locator("#mistake")).to_be_hidden()
    expect(page.locator("#why")).to_contain_text("No se quiso la última subida")
    expect(page.locator("#chances .had")).to_contain_text("a la grande")
    expect(page.locator("#tell")).to_be_hidden()
    is_sound(page, "count")


def test_a_player_whose_hand_was_not_shown_may_enter_it_after_the_count(
    page: Page, board: LearningBoard
) -> None:
    sit(page, "Oeste")
    board.say("", Cut(seat=1), Bet(seat=1, stones=5), Raise(seat=2, stones=5))
    expect(page.locator("#chances")).to_be_hidden()
    to_the_count(board)
    shown(page, board)
    expect(page.locator("#tell")).to_be_visible()
    for rank in HANDS[1].split():
        page.locator(f'#tell [data-rank="{rank}"].rank').click()
    expect(page.locator("#chances .had li")).to_have_count(3)
    is_sound(page, "told")
    page.get_by_role("button", name="Borrar").click()
    expect(page.locator("#chances .had li")).to_have_count(0)


def test_the_chosen_seat_is_remembered(page: Page) -> None:
    sit(page, "Este")
    page.reload()
    button = page.locator("#places").get_by_role("button", name="Este", exact=True)
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(("code", "title"), [("eu", "Esan dezakezu"), ("en", "You may say")])
def test_the_page_explains_in_the_language_of_its_address(
    page: Page, server: DashboardServer, code: str, title: str
) -> None:
    page.goto(f"{server.url}apprentice?lang={code}")
    expect(page.locator("#may-title")).to_have_text(title)
    expect(page.locator("#may")).to_contain_text("No hay mus")  # in the words of this table
    is_sound(page, code)


@needs_speech
def test_a_call_can_be_heard(page: Page) -> None:
    with page.expect_response(lambda answer: "/api/apprentice/say" in answer.url) as heard:
        page.get_by_role("button", name="Oír «No hay mus»").click()
    assert heard.value.headers["content-type"] == "audio/wav"
    page.wait_for_function("() => document.getElementById('deaf').textContent === ''")


@needs_speech
def test_a_running_table_has_an_apprentices_page(tmp_path: Path) -> None:
    with live(tmp_path / "journal.db") as table:
        table.press("Es mano Norte")
        table.press("No hay mus")
        asked = f"{table.url}api/apprentice"
        with urllib.request.urlopen(f"{asked}?seat=1", timeout=TIMEOUT) as answer:
            view = json.load(answer)
        assert view["said"]["say"] == "No hay mus"
        assert view["turn"]["mine"]
        body, kind = json.dumps({"text": "Envido"}).encode(), {"Content-Type": "application/json"}
        say = urllib.request.Request(f"{asked}/say", body, kind)
        with urllib.request.urlopen(say, timeout=TIMEOUT) as answer:
            assert answer.read(4) == b"RIFF"
