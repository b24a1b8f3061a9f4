"""The table's page in a real Chromium: it follows the table, takes taps, and comes back."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from assistant.codec import call_to_dict
from assistant.dashboard import DashboardServer, create_app, serve
from assistant.phrases import phrases_from
from assistant.rules.calls import (
    Accept,
    AdjustStones,
    Bet,
    Call,
    ClaimLance,
    CorrectBet,
    Cut,
    Declare,
    Mus,
    Ordago,
    Pass,
    Raise,
    Redeal,
    Refuse,
    Report,
    SetStones,
    ShowHand,
    Verdict,
)
from assistant.rules.cards import parse_hand
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Profile, Sides
from assistant.snapshot import Ear, Phrases, Snapshot
from tests.dashboard.fake_board import FakeBoard, PaintedBoard

pytestmark = pytest.mark.browser

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
SIZES = [(360, 740), (1024, 768), (1920, 1080)]
WALL = SIZES[2]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=[*FLAGS, "--headless=new"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def spanish(checkout: Path) -> Phrases:
    return phrases_from(tomllib.loads((checkout / "models/phrases/es.toml").read_text("utf-8")))


@pytest.fixture
def board(spanish: Phrases) -> FakeBoard:
    return FakeBoard(spanish)


@pytest.fixture
def server(board: FakeBoard, checkout: Path) -> Iterator[DashboardServer]:
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser, server: DashboardServer) -> Iterator[Page]:
    yield from opened(browser, server, (1024, 768))


def opened(
    browser: Browser, server: DashboardServer, size: tuple[int, int], scheme: str = "light"
) -> Iterator[Page]:
    """The page, loaded; whatever the browser complains of fails the test."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        locale="es-ES",
    )
    page = context.new_page()
    complaints: list[str] = []

    def keep(message: ConsoleMessage) -> None:
        # A connection that is refused while the server is away is no fault of the page.
        if message.type in ("error", "warning") and "net::ERR" not in message.text:
            complaints.append(message.text)

    page.on("console", keep)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.url)
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    yield page
    context.close()
    assert complaints == []


def score(page: Page, side: str) -> str:
    return page.locator(f'.side[data-side="{side}"] .count').inner_text()


def say_all(board: FakeBoard, *calls: Call) -> None:
    for call in calls:
        board.say("", call)


def to_showdown(board: FakeBoard) -> None:
    say_all(board, Cut(seat=1))
    while board.state.phase is not Phase.SHOWDOWN:
        declaring = board.state.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY)
        board.say("", Declare(holds=False) if declaring else Pass())


def test_the_page_follows_the_table(page: Page, board: FakeBoard) -> None:
    expect(page.locator(".main")).to_have_text("¿Hay mus?")
    expect(page.locator(".seat.turn")).to_contain_text("Norte")
    board.say("no hay mus", Cut(seat=1))
    expect(page.locator(".main")).to_have_text("Grande")
    board.say("envido siete", Bet(seat=2, stones=7))
    expect(page.locator(".main.bet")).to_have_text("7")
    expect(page.locator(".over")).to_have_text("Envite a la grande de Oeste")
    expect(page.locator(".under")).to_have_text("Si no se quiere: 1")
    expect(page.locator(".heard-words")).to_have_text("«envido siete»")
    expect(page.locator(".heard-say")).to_contain_text("Oeste envida 7")
    board.say("no queremos", Refuse(seat=1, plural=True))
    expect(page.locator('.side[data-side="B"] .count')).to_have_text("1")
    expect(page.locator("#lances li").first).to_contain_text("no querido")
    expect(page.locator("#lances li").first).to_contain_text("+1")


def test_the_stones_lie_there_as_amarracos_and_piedras(page: Page, board: FakeBoard) -> None:
    board.say("", SetStones(stones=(13, 36)))
    expect(page.locator('.side[data-side="A"] .count')).to_have_text("13")
    ours, theirs = page.locator('.side[data-side="A"]'), page.locator('.side[data-side="B"]')
    assert ours.locator('use[href^="#amarraco"]').count() == 2
    assert ours.locator('use[href^="#piedra"]').count() == 3
    assert ours.locator(".place").count() == 8
    expect(ours.locator(".amounts")).to_have_text("2 amarracos y 3")
    expect(theirs.locator(".adentro")).to_be_visible()
    expect(ours.locator(".adentro")).to_be_hidden()


def test_undo_and_redo_are_pressed(page: Page, board: FakeBoard) -> None:
    expect(page.locator("#undo")).to_be_disabled()
    board.say("no hay mus", Cut(seat=1))
    page.locator("#undo").click()
    expect(page.locator(".main")).to_have_text("¿Hay mus?")
    expect(page.locator("#log .undone")).to_have_count(1)
    page.locator("#redo").click()
    expect(page.locator(".main")).to_have_text("Grande")
    expect(page.locator("#redo")).to_be_disabled()


def test_everything_can_be_done_from_the_keyboard(page: Page, board: FakeBoard) -> None:
    board.say("no hay mus", Cut(seat=1))
    expect(page.locator("#undo")).to_be_enabled()
    page.keyboard.press("Tab")
    expect(page.locator("#undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".main")).to_have_text("¿Hay mus?")
    page.locator("#actions .call button", has_text="No hay mus").focus()
    page.keyboard.press("Space")
    expect(page.locator(".main")).to_have_text("Grande")


def test_a_button_keeps_the_focus_while_the_table_changes(page: Page, board: FakeBoard) -> None:
    board.say("no hay mus", Cut(seat=1))
    button = page.locator("#actions .tab", has_text="Sur")
    button.focus()
    version = board.version
    board.hear(Ear("paused"))
    expect(page.locator("#page")).to_have_attribute("data-version", str(version + 1))
    expect(button).to_be_focused()


def test_calls_are_tapped_for_any_player(page: Page, board: FakeBoard) -> None:
    board.say("no hay mus", Cut(seat=1))
    expect(page.locator(".main")).to_have_text("Grande")
    page.locator("#actions").get_by_role("button", name="Este", exact=True).click()
    page.locator("#actions").get_by_role("button", name="10", exact=True).click()
    expect(page.locator(".main.bet")).to_have_text("10")
    pending = board.snapshot()["pending"]
    assert pending is not None
    assert (pending["seat"], pending["stones"]) == (4, 10)
    page.locator("#actions").get_by_role("button", name="Quiero", exact=True).click()
    expect(page.locator("#lances li").first).to_contain_text("10 en juego")


def test_a_question_is_answered_by_a_tap(page: Page, board: FakeBoard) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1, stones=2), Bet(seat=2, stones=7))
    question = page.locator("#question")
    expect(question).to_be_visible()
    expect(page.locator("#live")).to_have_text(question.locator("h2").inner_text())
    question.locator("button").first.click()
    expect(question).to_be_hidden()
    expect(page.locator(".main.bet")).to_have_text("9")


def test_cards_are_tapped_in_hand_by_hand(page: Page, board: FakeBoard) -> None:
    to_showdown(board)
    pad = page.locator("#showdown")
    expect(pad).to_be_visible()
    hands = {"Norte": "RCS4", "Oeste": "RC65", "Sur": "S764", "Este": "RS51"}
    for name, hand in hands.items():
        expect(pad.locator("h2")).to_have_text(f"Cartas de {name}")
        expect(pad.get_by_text("Poner cartas")).to_be_disabled()
        for rank in hand:
            pad.locator(f'.rank[data-rank="{rank}"]').click()
        expect(pad.get_by_text("Poner cartas")).to_be_focused()
        page.keyboard.press("Enter")
    expect(pad).to_be_hidden()
    expect(page.locator('.seat[data-seat="1"] .card')).to_have_count(4)
    page.locator("#centre button").click()
    expect(page.locator("#deal")).to_have_text("Reparto 2 · es mano Oeste")


def test_the_place_for_cards_is_in_sight_when_the_count_waits_for_them(
    page: Page, board: FakeBoard
) -> None:
    to_showdown(board)
    expect(page.locator("#showdown")).to_be_visible()
    for what in ("#showdown .ranks", ".side .count"):
        expect(page.locator(what).first).to_be_in_viewport(ratio=1)


def test_cards_that_cannot_be_are_refused_in_words(page: Page, board: FakeBoard) -> None:
    to_showdown(board)
    board.say("", ShowHand(seat=1, cards=parse_hand("C C C C")))
    pad = page.locator("#showdown")
    expect(pad.locator("h2")).to_have_text("Cartas de Oeste")
    for _ in range(4):
        pad.locator('.rank[data-rank="C"]').click()
    pad.get_by_text("Poner cartas").click()
    expect(page.locator("#heard")).to_have_attribute("data-outcome", "refused")
    expect(page.locator(".heard-say")).not_to_be_empty()
    assert board.state.hands[1] is None


def test_the_page_comes_back_when_the_assistant_was_restarted(
    page: Page, board: FakeBoard, server: DashboardServer, checkout: Path
) -> None:
    board.say("no hay mus", Cut(seat=1))
    expect(page.locator(".main")).to_have_text("Grande")
    server.stop()
    expect(page.locator("#lost")).to_be_visible()
    page.locator("#undo").click()
    expect(page.locator("#notice")).to_contain_text("No hay conexión")
    # A new run: the game goes on from the journal, and versions begin anew.
    again = FakeBoard(board.phrases)
    again.records = [*board.records]
    again.say("órdago", Ordago(seat=2))
    second = serve(create_app(again, web_dir=checkout / "web"), "127.0.0.1", server.port)
    second.start()
    try:
        expect(page.locator("#lost")).to_be_hidden(timeout=10_000)
        expect(page.locator(".main")).to_have_text("¡Órdago!")
        page.locator("#undo").click()
        expect(page.locator(".main")).to_have_text("Grande")
    finally:
        second.stop()


def test_the_ear_says_how_it_is(page: Page, board: FakeBoard) -> None:
    expect(page.locator("#ear")).to_have_text("Escuchando")
    board.hear(Ear("lost", "El micrófono se ha desenchufado."))
    expect(page.locator("#ear")).to_have_text("El micrófono se ha desenchufado.")
    board.hear(Ear("off"))
    expect(page.locator("#ear")).to_have_text("Sin micrófono")


def test_the_ear_is_shut_and_opened_by_a_tap(page: Page, board: FakeBoard) -> None:
    button = page.locator("#pause")
    expect(button).to_have_text("Pausa")
    button.click()
    expect(page.locator("#ear")).to_have_text("En pausa")
    expect(button).to_have_text("Seguir")
    button.click()
    expect(page.locator("#ear")).to_have_text("Escuchando")
    board.hear(Ear("off"))
    expect(button).to_be_hidden()


def test_a_match_that_is_over_gives_way_to_the_next_by_a_tap(
    browser: Browser, spanish: Phrases, checkout: Path
) -> None:
    board = FakeBoard(spanish, Profile(juegos=1))
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    for page in opened(browser, server, (360, 740)):
        say_all(board, Ordago(seat=1), Accept(seat=2))
        for seat, hand in enumerate(("R R C 1", "4 4 5 6", "C 7 7 7", "C C S S"), start=1):
            board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
        expect(page.locator(".main")).to_have_text("Ganan Norte y Sur")
        assert page.evaluate(OVERLAPPING) == []
        page.get_by_role("button", name="Nueva partida").click()
        expect(page.locator(".main")).to_have_text("¿Hay mus?")
        expect(page.locator("#deal")).to_have_text("Reparto 1 · mus corrido · es mano Norte")
        assert score(page, "A") == "0"
    server.stop()


def test_what_changes_is_said_to_whoever_cannot_see_it(page: Page, board: FakeBoard) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1))
    expect(page.locator("#live")).to_contain_text("Norte envida 2")
    board.say("no queremos", Refuse(seat=2, plural=True))
    expect(page.locator("#live")).to_contain_text("Norte y Sur: 1 piedra")
    expect(page.locator(".seat.turn")).to_have_attribute("aria-current", "true")
    expect(page.locator("#lances li").nth(1)).to_have_attribute("aria-current", "step")


def test_a_name_is_text_and_never_markup(
    browser: Browser, checkout: Path, spanish: Phrases
) -> None:
    board = FakeBoard(spanish, names=("<b id=evil>N</b>", "O&amp;", "Sur", "Este"))
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    try:
        for page in opened(browser, server, (1024, 768)):
            expect(page.locator('.seat[data-seat="1"] .name')).to_have_text("<b id=evil>N</b>")
            assert page.locator("#evil").count() == 0
    finally:
        server.stop()


def moments(board: FakeBoard) -> Iterator[str]:
    """Walk the board through the moments that fill the page most."""
    say_all(board, SetStones(stones=(28, 39)), Mus(seat=1))
    yield "mus"
    say_all(board, Cut(seat=2), Pass(seat=1), Bet(seat=2), Raise(seat=3, stones=5))
    yield "bet"
    board.say("quiero", Accept(seat=4))
    while board.state.phase is not Phase.PARES:
        declaring = board.state.phase is Phase.PARES_SAY
        board.say("", Declare() if declaring else Pass())
    say_all(board, Bet(seat=1), Bet(seat=2, stones=7))
    yield "question"
    say_all(board, Ordago(seat=2))
    yield "ordago"
    board.say("quiero", Accept(seat=1))
    yield "showdown"
    for seat, hand in enumerate(("R R C 1", "4 4 5 6", "R 7 7 7", "C C S S"), start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
    yield "juego"


OVERFLOWING = """() => [...document.querySelectorAll("main *, .drawer *")]
  .filter((node) => node.checkVisibility() && !node.closest("svg, .unseen, .log ol"))
  .filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width && (box.right > innerWidth + 1 || box.left < -1);
  }).map((node) => node.className || node.tagName)"""

OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll(".seat, .centre > *")]
    .filter((node) => node.checkVisibility() && node.textContent)
    .map((node) => [node.className, node.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => a.left < b.right - 2 && b.left < a.right - 2
      && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${one} / ${other}`));
}"""

SMALL_TARGETS = """() => [...document.querySelectorAll("button")]
  .filter((node) => node.checkVisibility())
  .filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width < 44 || box.height < 44;
  }).map((node) => node.textContent)"""


SETTLED = "() => Promise.all(document.getAnimations().map((moving) => moving.finished))"


def settled(page: Page, board: FakeBoard) -> None:
    """Wait until the page shows the newest snapshot and nothing moves any more."""
    expect(page.locator("#page")).to_have_attribute("data-version", str(board.version))
    page.evaluate(SETTLED)


def fits(page: Page, size: tuple[int, int], moment: str) -> None:
    """Nothing leaves the screen, lies over a player or is too small for a finger."""
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0], moment
    assert page.evaluate(OVERFLOWING) == [], moment
    assert page.evaluate(OVERLAPPING) == [], moment
    assert page.evaluate(SMALL_TARGETS) == [], moment


@pytest.mark.parametrize("size", SIZES)
def test_every_moment_fits_the_screen(
    browser: Browser, server: DashboardServer, board: FakeBoard, size: tuple[int, int]
) -> None:
    for page in opened(browser, server, size):
        for moment in moments(board):
            settled(page, board)
            fits(page, size, moment)


@pytest.mark.parametrize("size", SIZES[1:])
def test_the_score_and_the_bet_are_read_from_two_metres(
    browser: Browser, server: DashboardServer, board: FakeBoard, size: tuple[int, int]
) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1, stones=7))
    for page in opened(browser, server, size):
        height = f"innerHeight={size[1]}"
        for what in (".side .count", ".main.bet", "#lances .lance"):
            box = page.locator(what).first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size[1], f"{what} below the fold, {height}"
        for what in (".side .count", ".main.bet"):
            pixels = page.locator(what).first.evaluate(
                "n => parseFloat(getComputedStyle(n).fontSize)"
            )
            assert pixels >= 120  # 12 mm figures on a tablet of 5 pixels a millimetre


# --- tables of every size -------------------------------------------------------------------------

PLAYERS = ("Norte", "Oeste", "Sur", "Este", "Maritxu", "Bartolomé")
HANDS = ("RRC1", "4456", "R777", "CCSS", "RC65", "S764")
TABLES = [(2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 2), (6, 6)]
"""Players, and the sides that they form."""


@contextmanager
def painted(
    spanish: Phrases, checkout: Path, players: int = 4, sides: int = 2
) -> Iterator[tuple[PaintedBoard, DashboardServer]]:
    each = Sides.EACH if sides == players else Sides.TWO
    board = PaintedBoard(spanish, Profile(vacas=3, sides=each), PLAYERS[:players])
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    try:
        yield board, server
    finally:
        server.stop()


def put(view: Any, **changes: object) -> None:
    """Change some of a part's fields; its type knows only whole ones."""
    assert changes.keys() <= view.keys()
    view.update(changes)


def scores(picture: Snapshot) -> None:
    for side, stones in zip(picture["sides"], (28, 39, 7, 13, 0, 22), strict=False):
        side["stones"], side["adentro"] = stones, stones >= 35
        side["amarracos"], side["piedras"] = divmod(stones, 5)


def full_of_tags(picture: Snapshot) -> None:
    """The most that is ever said of each player, over an órdago."""
    scores(picture)
    for seat in picture["seats"]:
        put(seat, pares=True, juego=False, refused=True, out=seat["seat"] == 3)
    picture["phase"] = "pares"
    picture["pending"] = {
        "lance": "pares",
        "seat": 1,
        "side": "A",
        "stones": 40,
        "deje": 12,
        "ordago": True,
        "refused": [2],
        "accepted": [],
        "choices": [],
    }


def cards_on_the_table(picture: Snapshot) -> None:
    """A showdown in which seat 1 has still to show, and every lance can be claimed."""
    scores(picture)
    picture["phase"], picture["actions"], picture["missing"] = "showdown", [], [1]
    for seat, hand in zip(picture["seats"], HANDS, strict=False):
        first = seat["seat"] == 1
        put(seat, hand=None if first else list(hand), may_show=True, may_speak=False, turn=first)
    for lance in picture["lances"]:
        put(lance, status="closed", how="accepted", bet=5)
    picture["incidents"]["claims"] = [
        {
            "lance": lance,
            "side": side["side"],
            "values": [[]] if lance is Lance.GRANDE else [[1], [2], [3]],
            "call": call_to_dict(ClaimLance(lance=lance, side=side["side"])),
        }
        for lance in (Lance.GRANDE, Lance.PARES)
        for side in picture["sides"]
    ]
    bet = CorrectBet(lance=Lance.GRANDE)
    picture["incidents"]["bets"] = [{"lance": "grande", "stones": 5, "call": call_to_dict(bet)}]


def an_article(picture: Snapshot) -> None:
    """Article 5.2 waits for the table."""
    full_of_tags(picture)
    verdicts = (Verdict(apply=True), Verdict(apply=False))
    picture["proposal"] = {
        "article": "5.2",
        "remedy": "denied",
        "seat": 2,
        "lance": "pares",
        "text": "Oeste negó pares que tenía: sus pares no cuentan.",
        "options": [
            {"label": label, "call": call_to_dict(call)}
            for label, call in zip(("Se aplica", "Se perdona"), verdicts, strict=True)
        ],
    }


PICTURES = {"tags": full_of_tags, "cards": cards_on_the_table, "article": an_article}


by_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}in{table[1]}")


@by_table
def test_a_table_of_any_size_fits_the_screen(
    browser: Browser, spanish: Phrases, checkout: Path, table: tuple[int, int]
) -> None:
    with painted(spanish, checkout, *table) as (board, server):
        for page in opened(browser, server, SIZES[0]):
            for name, picture in PICTURES.items():
                board.paint(picture)
                for size in SIZES:
                    resized(page, size)
                    settled(page, board)
                    fits(page, size, f"{name} {size}")
                    expect(page.locator(".seat")).to_have_count(table[0])
                    expect(page.locator(".side")).to_have_count(table[1])
                    if size == WALL:
                        height = page.evaluate("document.documentElement.scrollHeight")
                        assert height <= WALL[1], f"{name} scrolls on the wall"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_players_sit_anticlockwise_from_the_bottom(
    browser: Browser, spanish: Phrases, checkout: Path, players: int
) -> None:
    with painted(spanish, checkout, players, players) as (_, server):
        for page in opened(browser, server, SIZES[0]):
            for size in SIZES:
                resized(page, size)
                angles = [page.evaluate(ANGLE, seat) for seat in range(1, players + 1)]
                assert abs(angles[0]) < 0.1 or angles[0] > 6.2, (size, angles)
                assert angles[1:] == sorted(angles[1:]), (size, angles)


@by_table
def test_every_score_and_the_bet_are_in_sight_at_once(
    browser: Browser, spanish: Phrases, checkout: Path, table: tuple[int, int]
) -> None:
    # 9 mm figures on a tablet of 5 pixels a millimetre where there are five or six of them.
    wanted = 90 if table[1] > 4 else 110
    with painted(spanish, checkout, *table) as (board, server):
        board.paint(full_of_tags)
        for page in opened(browser, server, SIZES[1]):
            for size in SIZES[1:]:
                resized(page, size)
                settled(page, board)
                expect(page.locator(".main")).to_be_in_viewport(ratio=1)
                for figure in page.locator(".side .count").all():
                    expect(figure).to_be_in_viewport(ratio=1)
                    pixels = figure.evaluate("n => parseFloat(getComputedStyle(n).fontSize)")
                    assert pixels >= wanted, size


# --- what is rarely needed ------------------------------------------------------------------------


@pytest.fixture
def rare(spanish: Phrases, checkout: Path, browser: Browser) -> Iterator[tuple[PaintedBoard, Page]]:
    """A painted board of four, and its page on a tablet."""
    with painted(spanish, checkout) as (board, server):
        for page in opened(browser, server, (1024, 768)):
            yield board, page


def test_an_article_is_put_to_the_table_in_sight(
    browser: Browser, spanish: Phrases, checkout: Path
) -> None:
    for size in SIZES:
        with painted(spanish, checkout) as (board, server):
            for page in opened(browser, server, size):
                asked = page.locator("#proposal")
                expect(asked).to_be_hidden()
                board.paint(an_article)
                expect(asked.locator(".article")).to_have_text("Artículo 5.2")
                expect(asked.locator("h2")).to_contain_text("Oeste negó pares")
                expect(page.locator("#live")).to_contain_text("Oeste negó pares")
                for label in ("Se perdona", "Se aplica"):
                    expect(asked.get_by_text(label)).to_be_in_viewport(ratio=1)
                    with page.expect_response("**/api/press"):
                        asked.get_by_text(label).click()
                assert board.taken == [Verdict(apply=False), Verdict(apply=True)]


def test_the_drawer_is_shut_until_it_is_asked_for(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare
    board.paint(cards_on_the_table)
    drawer = page.locator("#drawer")
    expect(drawer).to_be_hidden()
    page.locator("#more").click()
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.locator("#more")).to_be_focused()
    page.locator("#more").click()
    page.get_by_role("button", name="Cerrar").click()
    expect(drawer).to_be_hidden()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_drawer_fits_the_screen(
    browser: Browser, spanish: Phrases, checkout: Path, size: tuple[int, int]
) -> None:
    with painted(spanish, checkout, 6, 6) as (board, server):
        for page in opened(browser, server, size):
            board.paint(cards_on_the_table)
            page.locator("#more").click()
            for button in page.locator(".who-won button[aria-pressed]").all():
                button.click()
            settled(page, board)
            fits(page, size, "drawer")


def test_a_lance_is_claimed_for_a_side(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare
    board.paint(cards_on_the_table)
    page.get_by_role("button", name="Decir quién gana").click()
    lances = page.locator(".claims li")
    press(page, lances.first.get_by_role("button", name="Oeste y Este"))
    lances.nth(1).get_by_role("button", name="Norte y Sur").click()
    press(page, lances.nth(1).get_by_role("button", name="duples"))
    assert board.taken == [
        ClaimLance(lance=Lance.GRANDE, side="B"),
        ClaimLance(lance=Lance.PARES, side="A", values=(3,)),
    ]


def test_a_score_is_put_right_with_a_reason(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare

    def much(picture: Snapshot) -> None:
        picture["incidents"]["stones"][1]["least"] = -39

    board.paint(much)
    page.locator("#more").click()
    part = page.locator(".stones-part")
    expect(part.get_by_role("button", name="+1")).to_be_disabled()
    part.get_by_role("button", name="Oeste y Este").click()
    part.get_by_label("Por qué").fill("se contó dos veces")
    press(page, part.get_by_role("button", name="−2"))
    assert board.taken == [AdjustStones(side="B", stones=-2, reason="se contó dos veces")]
    expect(page.locator("#drawer")).to_be_hidden()


def test_a_bet_is_put_right(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare
    board.paint(cards_on_the_table)
    page.locator("#more").click()
    press(page, page.locator(".bets-part").get_by_role("button", name="8", exact=True))
    assert board.taken == [CorrectBet(lance=Lance.GRANDE, stones=8)]


@pytest.mark.parametrize(
    ("player", "button", "report"),
    [
        (None, "Mus visto", Report(kind=Irregularity.EXPOSED_CARD)),
        ("Este", "Mus visto", Report(kind=Irregularity.EXPOSED_CARD, player=4)),
        (None, "Misma mano", Report(kind=Irregularity.SAME_MANO)),
        ("Sur", "Ha mirado", Report(kind=Irregularity.PEEKED, player=3)),
        ("Oeste", "Tiene 5", Report(kind=Irregularity.CARD_COUNT, player=2, cards=5)),
        (None, "Se reparte", Redeal()),
    ],
)
def test_what_went_wrong_is_told(
    rare: tuple[PaintedBoard, Page], player: str | None, button: str, report: Call
) -> None:
    board, page = rare

    def anything_goes(picture: Snapshot) -> None:
        picture["incidents"]["reports"] = [
            {
                "kind": kind,
                "players": [] if kind is Irregularity.SAME_MANO else [1, 2, 3, 4],
                "needs_player": kind in (Irregularity.CARD_COUNT, Irregularity.PEEKED),
                "cards": [3, 5] if kind is Irregularity.CARD_COUNT else [],
                "call": call_to_dict(Report(kind=kind)),
            }
            for kind in Irregularity
        ]

    board.paint(anything_goes)
    page.locator("#more").click()
    part = page.locator(".reports-part")
    expect(part.get_by_role("button", name="Ha mirado")).to_be_disabled()
    if player:
        part.get_by_role("button", name=player, exact=True).click()
    press(page, part.get_by_role("button", name=button))
    assert board.taken == [report]


def test_a_hand_of_fewer_cards_is_tapped_in(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare

    def three_cards(picture: Snapshot) -> None:
        cards_on_the_table(picture)
        picture["seats"][0]["cards"] = 3

    board.paint(three_cards)
    pad = page.locator("#showdown")
    expect(pad.locator(".hand .card")).to_have_count(3)
    for rank in "RC4":
        expect(pad.get_by_text("Poner cartas")).to_be_disabled()
        pad.locator(f'.rank[data-rank="{rank}"]').click()
    press(page, pad.get_by_text("Poner cartas"))
    assert board.taken == [ShowHand(seat=1, cards=parse_hand("R C 4 1")[:3])]


def test_a_choice_of_two_bets_is_shown_as_one(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare

    def two_bets(picture: Snapshot) -> None:
        full_of_tags(picture)
        assert picture["pending"] is not None
        put(picture["pending"], ordago=False, stones=8, choices=[5, 8])
        put(picture["seats"][1], accepted=True, refused=False)

    board.paint(two_bets)
    expect(page.locator(".main.bet")).to_have_text("5 o 8")
    expect(page.locator('.seat[data-seat="2"]')).to_contain_text("quiere")


def test_vacas_and_a_run_mus_are_shown(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare

    def second_vaca(picture: Snapshot) -> None:
        picture["sides"][1]["vacas"], picture["corrido"] = 2, True

    board.paint(second_vaca)
    expect(page.locator('.side[data-side="B"] .vacas')).to_have_text("2 de 3 vacas")
    expect(page.locator("#deal")).to_contain_text("mus corrido")


def test_who_is_mano_is_asked_before_the_first_deal(
    browser: Browser, spanish: Phrases, checkout: Path
) -> None:
    board = FakeBoard(spanish, mano=None)
    server = serve(create_app(board, web_dir=checkout / "web"), "127.0.0.1", 0)
    server.start()
    try:
        for page in opened(browser, server, SIZES[0]):
            expect(page.locator(".main")).to_have_text("¿Quién es mano?")
            expect(page.locator(".tag", has_text="mano")).to_have_count(0)
            fits(page, SIZES[0], "who is mano")
            page.locator("#centre button", has_text="Sur").click()
            expect(page.locator("#deal")).to_contain_text("es mano Sur")
    finally:
        server.stop()


def test_a_deal_is_counted_by_claims_alone(page: Page, board: FakeBoard) -> None:
    to_showdown(board)
    page.get_by_role("button", name="Decir quién gana").click()
    for lance in ("Grande", "Chica", "Punto"):
        row = page.locator(".claims li").filter(has_text=lance)
        press(page, row.get_by_role("button", name="Oeste y Este"))
        expect(row).to_have_count(0)
    expect(page.locator(".main")).to_have_text("Fin de la mano")
    assert score(page, "B") == "3"
    assert not any(board.state.hands)


# --- the page's own words -------------------------------------------------------------------------


def test_the_page_speaks_the_tables_language(rare: tuple[PaintedBoard, Page]) -> None:
    board, page = rare

    def basque(picture: Snapshot) -> None:
        picture["language"] = "eu"

    expect(page.locator("#undo")).to_have_text("Deshacer")
    board.paint(basque)
    expect(page.locator("#undo")).to_have_text("Desegin")
    expect(page.locator("html")).to_have_attribute("lang", "eu")
    expect(page.locator("#seats")).to_have_attribute("aria-label", "Jokalariak")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_address_asks_for_a_language(
    browser: Browser, spanish: Phrases, checkout: Path, size: tuple[int, int]
) -> None:
    with painted(spanish, checkout) as (board, server):
        for page in opened(browser, server, size):
            page.goto(f"{server.url}?lang=eu")
            board.paint(full_of_tags)
            expect(page.locator(".main")).to_have_text("Hordago!")
            settled(page, board)
            fits(page, size, "eu")


def test_both_languages_have_the_same_words(page: Page) -> None:
    spanish, basque = page.evaluate(WORDS)
    assert len(spanish) > 100
    assert spanish == basque
    used = page.evaluate(
        "[...document.querySelectorAll('[data-word], [data-label]')]"
        ".map(n => `page.${n.dataset.word ?? n.dataset.label}:string`)"
    )
    assert set(used) <= set(spanish)


def resized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def press(page: Page, button: Locator) -> None:
    """Tap a button and wait until the table has it."""
    with page.expect_response(lambda answer: "/api/" in answer.url and answer.ok):
        button.click()


WORDS = """async () => {
  const [{ ES }, { EU }] = await Promise.all(
    [import("/static/js/words.es.js"), import("/static/js/words.eu.js")]);
  const keys = (table, before) => Object.entries(table).flatMap(([key, value]) =>
    typeof value === "object" ? keys(value, `${before}${key}.`)
      : [`${before}${key}:${typeof value}`]);
  return [keys(ES, "").sort(), keys(EU, "").sort()];
}"""

ANGLE = """seat => {
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [x, y] = middle(document.querySelector(".felt").getBoundingClientRect());
  const player = document.querySelector(`.seat[data-seat="${seat}"]`);
  const [a, b] = middle(player.getBoundingClientRect());
  return (Math.atan2(a - x, b - y) + 2 * Math.PI) % (2 * Math.PI);
}"""
"""How far round the table a player sits: 0 at the bottom, growing anticlockwise."""
