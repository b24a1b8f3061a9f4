"""Repair in one tap, over a real table: the last call, a score, cards against what was declared."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from assistant.messages import CardsSeen, Command, Message, Pressed
from assistant.page import DashboardServer, Keys, serve
from assistant.page.board import TableBoard
from assistant.rules import events as e
from assistant.rules.calls import (
    Accept,
    Call,
    ClaimLance,
    Cut,
    Declare,
    NextDeal,
    Pass,
    Report,
    SetStones,
)
from assistant.rules.cards import parse_hand
from assistant.rules.engine import open_game
from assistant.rules.history import number
from assistant.rules.phases import Lance, Phase
from assistant.rules.profile import Articles, Penalty, Profile
from assistant.rules.state import State
from assistant.table.journal import MemoryJournal
from assistant.table.runner import CALM, Runner
from assistant.table.snapshot import LogPhrases
from assistant.table.table import Table
from tests.e2e.browsing import SMALL, fits, opened, press, resized
from tests.e2e.pictures import an_article, painted
from tests.e2e.test_page_axe import found_everywhere
from tests.e2e.test_page_door import AWAY, PIN, from_afar
from tests.e2e.test_page_layouts import SIZES, UNSEEN, is_telephone
from tests.lexicons import spanish as spanish_lexicon
from tests.page.apps import create_app
from tests.table.sounds import later, sounding

pytestmark = pytest.mark.browser

PATHS = ("", "phone")
HANDS = ("R R 5 1", "4 4 5 6", "7 7 4 1", "5 5 S S")
"""All four have pares, and the first player has denied them."""
BOXES = """() => [...document.querySelectorAll(
    ".side, .felt, #lances li, #actions button, #tools, .heard")]
  .filter((node) => node.checkVisibility())
  .map((node) => [node.className, ...Object.values(node.getBoundingClientRect().toJSON())])"""
"""Where the parts of the page stand."""


class Heard:
    """A running table with its page, whose calls are heard."""

    def __init__(
        self, phrases: LogPhrases, checkout: Path, profile: Profile, keys: Keys | None = None
    ) -> None:
        names = ("Norte", "Oeste", "Sur", "Este")
        opening = number(open_game(profile, names), 0, at=1.0)
        journal = MemoryJournal()
        journal.append(opening)
        table = Table(spanish_lexicon(), opening)
        self.runner = Runner(table, journal, lambda: (journal, table))
        self.board = TableBoard(self.runner, phrases)
        self.runner.listeners.append(self.board)
        app = create_app(self.board, web_dir=checkout / "web", keys=keys)
        if keys:
            app.wsgi_app = from_afar(app.wsgi_app)  # type: ignore[method-assign]
        self.server: DashboardServer = serve(app, "127.0.0.1", 0)
        self.now = 0.0

    @property
    def state(self) -> State:
        return self.runner.table.state

    def post(self, message: Message) -> None:
        self.runner.post(message).result(60)

    def tap(self, *what: Call | Command) -> None:
        for one in what:
            self.post(Pressed(one))

    def say(self, **ways: float) -> None:
        """Hear an utterance with these ways to hear it; "_" stands for a space."""
        self.now += 3.0
        self.post(later(sounding(**ways), self.now))

    def bet(self) -> None:
        """A bet of two, which may have been three, twelve or an órdago."""
        self.say(envido=0.93, envido_tres=0.04, envido_doce=0.02, órdago=0.01)

    def to_showdown(self) -> None:
        self.tap(SetStones(stones=(28, 17)), Cut(seat=1))
        while self.state.phase is not Phase.SHOWDOWN:
            if self.state.phase is Phase.PARES_SAY:
                self.tap(*[Declare(seat=seat, holds=seat != 1) for seat in (1, 2, 3, 4)])
            else:
                declaring = self.state.phase is Phase.JUEGO_SAY
                self.tap(Declare(holds=False) if declaring else Pass())

    def show(self, *seats: int) -> None:
        for seat in seats:
            self.post(CardsSeen(((seat, parse_hand(HANDS[seat - 1])),)))


@contextmanager
def heard_table(
    phrases: LogPhrases, checkout: Path, rules: Profile | Penalty, keys: Keys | None = None
) -> Iterator[Heard]:
    """``rules``: the house rules, or its penalty rule alone."""
    profile = Profile(penalty=rules) if isinstance(rules, Penalty) else rules
    table = Heard(phrases, checkout, profile, keys)
    table.runner.start()
    table.server.start()
    try:
        yield table
    finally:
        table.board.close()
        table.server.stop()
        table.runner.stop()


@pytest.fixture
def table(spanish: LogPhrases, checkout: Path) -> Iterator[Heard]:
    with heard_table(spanish, checkout, Penalty.WARN) as table:
        yield table


@pytest.fixture
def screen(browser: Browser, table: Heard) -> Iterator[Page]:
    yield from opened(browser, table.server, SIZES[0])


def loaded(page: Page, table: Heard, path: str = "") -> None:
    page.goto(f"{table.server.url}{path}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def held(page: Page, table: Heard, path: str = "") -> None:
    """Load the page, and stop its clock."""
    page.clock.install(time=datetime(2026, 1, 1))
    loaded(page, table, path)
    page.clock.pause_at(datetime(2026, 1, 1, 0, 0, 30))


def settled(page: Page, table: Heard) -> None:
    time.sleep(3 * CALM)  # the other calls of a call come a moment after it
    version = str(table.board.snapshot()["version"])
    expect(page.locator("#page")).to_have_attribute("data-version", version)


# ---- the last call -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
def test_one_tap_replaces_the_last_call_by_another_that_the_ear_considered(
    screen: Page, table: Heard, path: str
) -> None:
    loaded(screen, table, path)
    table.say(no_hay_mus=1.0)
    table.bet()
    row = screen.locator(".others")
    expect(row.locator(".taken")).to_have_text("¿Norte envida 2 a grande?")
    assert row.locator("button").all_inner_texts() == ["3", "12", "Órdago"]
    before = len(table.runner.table.records)
    press(screen, row.get_by_role("button", name="Envido 3"))
    expect(screen.locator(".main.bet")).to_have_text("3")
    expect(row).to_be_hidden()
    [batch] = {record.batch for record in table.runner.table.records[before:]}
    assert isinstance(table.runner.table.records[batch - 1].event, e.Retracted)
    screen.locator("#undo").click()
    expect(screen.locator(".main.bet")).to_have_text("2")


def test_the_other_calls_stand_there_for_ten_seconds(screen: Page, table: Heard) -> None:
    held(screen, table)
    table.say(no_hay_mus=1.0)
    table.bet()
    row = screen.locator(".others")
    expect(row).to_be_visible()  # a moment after the call itself
    screen.clock.run_for(9900)
    expect(row).to_be_visible()
    screen.clock.run_for(200)
    expect(row).to_be_hidden()
    table.say(qué_calor_hace=1.0)  # talk does not bring them back
    settled(screen, table)
    expect(row).to_be_hidden()


@pytest.mark.parametrize("end", ["later", "question", "undo"])
def test_a_later_call_a_question_and_an_undo_take_the_other_calls_away(
    screen: Page, table: Heard, end: str
) -> None:
    held(screen, table)
    row = screen.locator(".others")
    table.say(no_hay_mus=1.0)
    table.bet()
    settled(screen, table)
    expect(row).to_be_visible()
    if end == "question":
        table.say(quiero=0.5, sota=0.5)
        expect(screen.locator("#question")).to_be_visible()
    else:
        table.tap(Command.UNDO if end == "undo" else Accept(seat=2))
    settled(screen, table)
    expect(row).to_be_hidden()


def test_a_tap_that_comes_too_late_gets_a_sentence_and_no_stone_moves(
    screen: Page, table: Heard
) -> None:
    loaded(screen, table)
    table.say(no_hay_mus=1.0)
    table.bet()
    stands: list[State] = []

    def overtaken(route: Route) -> None:
        """Let another call count while the tap is on its way."""
        table.tap(Accept(seat=2))
        stands.append(table.state)
        route.continue_()

    screen.route("**/api/press", overtaken)
    press(screen, screen.locator(".others").get_by_role("button", name="Órdago"))
    expect(screen.locator("#notice")).to_have_text("Ya ha contado otra cosa: no se cambia nada.")
    assert stands == [table.state]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_moves_for_the_other_calls_and_they_can_be_tapped_at_every_size(
    screen: Page, table: Heard, path: str
) -> None:
    held(screen, table, path)
    table.say(no_hay_mus=1.0)
    for call in ("bet", "accept"):
        table.bet() if call == "bet" else table.say(quiero=1.0)
        settled(screen, table)
        for size in SIZES:
            resized(screen, size)
            expect(screen.locator(".others")).to_be_visible()
            unseen = screen.evaluate(UNSEEN, [".others .taken", ".others button"])
            assert unseen == [], f"{call} {size}"
            fits(screen, size, call)
            shown = screen.evaluate(BOXES)
            screen.evaluate("document.querySelector('.others').hidden = true")
            assert screen.evaluate(BOXES) == shown, f"{call} {size}"
            screen.evaluate("document.querySelector('.others').hidden = false")
            if not is_telephone(size):
                height = screen.evaluate("document.documentElement.scrollHeight")
                assert height <= size[1], f"{call} {size} scrolls"


def test_the_wall_and_a_page_that_comes_later_show_no_other_calls(
    screen: Page, table: Heard
) -> None:
    loaded(screen, table, "watch")
    table.say(no_hay_mus=1.0)
    table.bet()
    settled(screen, table)
    expect(screen.locator(".others")).to_have_count(0)
    loaded(screen, table)
    expect(screen.locator(".others")).to_be_hidden()


# ---- a score ------------------------------------------------------------------------------------


def in_a_second_deal(table: Heard) -> None:
    """A bet of the second deal waits; claims of the first are closed."""
    table.to_showdown()
    table.post(CardsSeen(((1, parse_hand("R C 5 1")),)))
    table.show(2, 3, 4)
    table.tap(NextDeal(), Cut(seat=2))
    table.bet()


@pytest.mark.parametrize("path", PATHS)
def test_a_tap_on_a_score_takes_a_stone_with_its_reason_in_the_middle_of_a_bet(
    screen: Page, table: Heard, path: str
) -> None:
    in_a_second_deal(table)
    loaded(screen, table, path)
    before = table.state
    sheet = screen.locator("#score")
    screen.locator('.side[data-side="A"] .count').click()
    expect(sheet.locator("h2")).to_have_text(f"Norte y Sur: {before.stones[0]}")
    reason = sheet.get_by_role("button", name="se contó mal")
    expect(reason).to_be_disabled()  # nobody has said how many
    sheet.get_by_role("button", name="−1").click()
    press(screen, reason)
    expect(sheet).to_be_hidden()
    expect(screen.locator('.side[data-side="A"] .count')).to_have_text(str(before.stones[0] - 1))
    expect(screen.locator("#live")).to_contain_text("se contó mal")
    last = table.runner.table.records[-1].event
    assert last == e.StonesAdjusted("A", -1, "se contó mal")
    assert (table.state.phase, table.state.pending) == (before.phase, before.pending)
    press(screen, screen.locator("#undo"))
    assert table.state == before


def test_a_reason_of_ones_own_is_typed_and_the_keyboard_opens_the_sheet(
    screen: Page, table: Heard
) -> None:
    table.tap(SetStones(stones=(28, 38)), Cut(seat=1))
    loaded(screen, table)
    screen.get_by_role("button", name="Poner bien los tantos de Oeste y Este").press("Enter")
    sheet = screen.locator("#score")
    expect(sheet.get_by_role("button", name="+5")).to_be_disabled()  # more than a juego
    sheet.get_by_role("button", name="+1").click()
    note = sheet.get_by_role("button", name="Apuntar")
    expect(note).to_be_disabled()
    sheet.get_by_label("Otro motivo").fill("  habló el mirón ")
    press(screen, note)
    assert table.runner.table.records[-1].event == e.StonesAdjusted("B", 1, "habló el mirón")
    expect(screen.locator('.side[data-side="B"] .count')).to_have_text("39")


@pytest.mark.parametrize("language", ["es", "eu", "en"])
def test_the_sheet_of_a_score_fits_every_screen(screen: Page, table: Heard, language: str) -> None:
    table.tap(Cut(seat=1))
    loaded(screen, table, f"?lang={language}")
    screen.locator('.side[data-side="B"] .count').click()
    for size in SIZES:
        resized(screen, size)
        parts = ["#score h2", "#score button", "#score input"]
        assert screen.evaluate(UNSEEN, parts) == [], size
        fits(screen, size, "sheet")
    assert found_everywhere(screen) == []


def test_only_who_gave_the_pin_can_touch_a_score(
    browser: Browser, spanish: LogPhrases, checkout: Path
) -> None:
    assert AWAY
    with heard_table(spanish, checkout, Penalty.WARN, Keys(b"k" * 32, PIN)) as table:
        for page in opened(browser, table.server, SIZES[1]):
            loaded(page, table, "phone")
            table.say(no_hay_mus=1.0)
            table.bet()
            settled(page, table)
            page.locator('.side[data-side="A"] .count').click()
            expect(page.locator("#score")).to_be_hidden()
            expect(page.locator(".fix, .others")).to_have_count(0)
            body: dict[str, Any] = {"call": {"type": "Pass", "seat": 1}, "seen": 1, "instead": True}
            answer = page.request.post(f"{table.server.url}api/press", data=body)
            assert answer.status == 403
            page.locator("#enter input").fill(PIN)
            page.get_by_role("button", name="Entrar").click()
            expect(page.locator(".fix")).to_have_count(2)


# ---- cards against what was declared -------------------------------------------------------------


def test_typed_cards_against_a_declaration_are_marked_where_they_were_typed(
    screen: Page, table: Heard
) -> None:
    table.to_showdown()
    loaded(screen, table)
    pad = screen.locator("#showdown")
    for rank in "RR51":
        pad.locator(f'.rank[data-rank="{rank}"]').click()
    press(screen, pad.get_by_text("Poner cartas"))
    doubt = pad.locator(".doubt")
    expect(doubt).to_have_text("Norte dijo «pares no»: R R 5 1")
    expect(pad.locator(".tab.against")).to_have_text("Norte")
    expect(screen.locator('.seat[data-seat="1"].against .tag.said')).to_have_text("sin pares")
    expect(screen.locator(".seat.against")).to_have_count(1)
    assert pad.locator(".against button:visible").all_inner_texts() == [
        "Las cartas están mal",
        "Las cartas están bien",
    ]
    expect(pad.locator('.tab[aria-pressed="true"]')).to_contain_text("Oeste")  # who is next
    pad.locator('.rank[data-rank="4"]').click()
    expect(doubt).to_be_visible()
    pad.get_by_role("button", name="Las cartas están bien").click()
    expect(doubt).to_be_hidden()
    assert pad.locator(".hand:not(.likely) .card").first.inner_text() == "4"
    expect(pad.locator(".tab.against")).to_have_text("Norte")


@pytest.mark.parametrize("penalty", [Penalty.WARN, Penalty.INTERPENAS])
def test_las_cartas_estan_mal_comes_first_and_one_card_put_right_takes_the_article_away(
    browser: Browser, spanish: LogPhrases, checkout: Path, penalty: Penalty
) -> None:
    with heard_table(spanish, checkout, penalty) as table:
        for page in opened(browser, table.server, SIZES[1]):
            table.to_showdown()
            table.show(1, 2, 3, 4)
            settled(page, table)
            pad = page.locator("#showdown")
            expect(page.locator("#proposal")).to_be_hidden()
            assert page.locator("div.against button:visible").all_inner_texts()[:2] == [
                "Las cartas están mal",
                "Artículo 5.3" if penalty is Penalty.INTERPENAS else "Qué se propone",
            ]
            page.get_by_role("button", name="Las cartas están mal").click()
            pad.locator(".hand:not(.likely) .card").nth(1).click()
            pad.locator('.rank[data-rank="C"]').click()
            press(page, pad.get_by_role("button", name="Son éstas"))
            expect(page.locator(".main")).to_have_text("Contado")
            expect(pad).to_be_hidden()
            expect(page.locator("#against")).to_be_hidden()
            expect(page.locator(".seat.against")).to_have_count(0)
            assert table.state.hands[0] == parse_hand("R C 5 1")
            assert not table.state.proposals
            assert not table.state.incidents.applied


@pytest.mark.parametrize("articles", [Articles.INTERPENAS, Articles.OFF])
def test_the_article_says_its_words_when_asked_and_is_decided_there(
    browser: Browser, spanish: LogPhrases, checkout: Path, articles: Articles
) -> None:
    """A table whose own regulations have no such article is told what is proposed, and no more."""
    cites = articles is Articles.INTERPENAS
    with heard_table(spanish, checkout, Profile(articles=articles)) as table:
        for screen in opened(browser, table.server, SIZES[0]):
            table.to_showdown()
            table.show(1, 2, 3, 4)
            loaded(screen, table)
            pad = screen.locator("#showdown")
            told = "Norte negó los pares, y los pares y la negada son para Oeste y Este."
            words = pad.get_by_text(told)
            expect(words).to_be_hidden()
            link = "Artículo 5.3" if cites else "Qué se propone"
            pad.get_by_role("button", name=link).click()
            expect(words).to_be_visible()
            quoted = pad.locator("blockquote")
            if cites:
                expect(quoted).to_contain_text("«Si uno o dos compañeros negasen los pares")
                expect(quoted).to_contain_text("Reglamento de Mus Interpeñas 1996")
            else:
                expect(quoted).to_be_hidden()
                expect(screen.locator("body")).not_to_contain_text("rtículo 5")
            assert found_everywhere(screen) == []
            press(screen, pad.get_by_role("button", name="Se perdona"))
            expect(screen.locator(".main")).to_have_text("Contado")
            assert [one.article for one in table.state.incidents.waived] == ["5.3"]


def test_an_article_that_waits_says_its_words_when_asked(
    browser: Browser, spanish: LogPhrases, checkout: Path
) -> None:
    """No cards call for a misdeal: the article stands in its own box."""
    exposed = Report(kind=e.Irregularity.EXPOSED_CARD)
    for articles, shown in ((Articles.INTERPENAS, True), (Articles.OFF, False)):
        with heard_table(spanish, checkout, Profile(articles=articles)) as table:
            for screen in opened(browser, table.server, SIZES[1]):
                table.tap(exposed)
                loaded(screen, table)
                box = screen.locator("#proposal")
                expect(box.locator("h2")).to_contain_text("arta descubierta al dar")
                quoted = box.locator("blockquote")
                expect(quoted).to_be_hidden()
                if shown:
                    box.get_by_text("Qué dice").click()
                    expect(quoted).to_contain_text("«Cuando un jugador esté dando las cartas")
                    assert found_everywhere(screen) == []
                else:
                    expect(box.get_by_text("Qué dice")).to_be_hidden()
                    expect(box).not_to_contain_text("rtículo")


def test_a_profile_that_looks_at_no_denials_has_no_article_for_them(
    browser: Browser, spanish: LogPhrases, checkout: Path
) -> None:
    with heard_table(spanish, checkout, Penalty.OFF) as table:
        for page in opened(browser, table.server, SIZES[1]):
            table.to_showdown()
            table.show(1, 2, 3, 4)
            settled(page, table)
            aside = page.locator("#against")
            assert aside.locator("button:visible").all_inner_texts() == [
                "Las cartas están mal",
                "Las cartas están bien",
            ]
            expect(page.locator("main")).not_to_contain_text("rtículo 5")
            aside.get_by_role("button", name="Las cartas están bien").click()
            expect(aside).to_be_hidden()
            expect(page.locator(".seat.against")).to_have_count(1)


@pytest.mark.parametrize("penalty", [Penalty.WARN, Penalty.INTERPENAS])
def test_a_contradiction_and_its_article_are_on_one_screen_at_every_size(
    browser: Browser, spanish: LogPhrases, checkout: Path, penalty: Penalty
) -> None:
    with heard_table(
        spanish, checkout, Profile(penalty=penalty, articles=Articles.INTERPENAS)
    ) as table:
        for page in opened(browser, table.server, SIZES[0]):
            table.to_showdown()
            for seats in ((1,), (2, 3, 4)):
                table.show(*seats)
                settled(page, table)
                parts = [".side .count", ".main", ".doubt", "div.against > button"]
                if seats == (1,):
                    parts += ["#showdown .tab", "#showdown .card", "#showdown .rank"]
                    parts += ["#showdown .options button", ".heard-say"]
                else:
                    parts += [".seat .name", ".seat.against .card", "#lances .lance"]
                for size in SIZES:
                    resized(page, size)
                    assert page.evaluate(UNSEEN, parts) == [], f"{seats} {size}"
                    fits(page, size, f"{seats}")
                    scrolls(page, size)
            article = page.get_by_role("button", name="Artículo 5.3")
            for size in SIZES:
                resized(page, size)
                article.click()
                parts = ["div.against .why p", "div.against blockquote"]
                parts += ["div.against button", ".seat.against .card"]
                assert page.evaluate(UNSEEN, parts) == [], f"article {size}"
                scrolls(page, size)
                article.click()


# ---- cards against what was claimed --------------------------------------------------------------


CLAIMED = "Grande: se dijo para Norte y Sur, y por las cartas es para Oeste y Este"


def claimed_wrongly(table: Heard) -> None:
    """Norte and Sur claim the grande without cards; then all cards are laid open."""
    table.tap(SetStones(stones=(28, 17)), Cut(seat=1))
    while table.state.phase is not Phase.SHOWDOWN:
        declaring = table.state.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY)
        table.tap(Declare(holds=False) if declaring else Pass())
    table.tap(ClaimLance(lance=Lance.GRANDE, side="A"))
    for seat, hand in enumerate(("4 5 6 7", "R C 5 4", "4 5 6 1", "7 6 5 1"), start=1):
        table.post(CardsSeen(((seat, parse_hand(hand)),)))


def test_a_claim_that_the_cards_contradict_is_counted_by_the_cards_with_one_tap(
    browser: Browser, spanish: LogPhrases, checkout: Path
) -> None:
    with heard_table(spanish, checkout, Penalty.WARN) as table:
        claimed_wrongly(table)
        wrong = table.state.stones
        for page in opened(browser, table.server, SIZES[1]):
            settled(page, table)
            aside = page.locator("#against")
            expect(aside.locator(".doubt")).to_have_text(CLAIMED)
            for size in SIZES:
                resized(page, size)
                parts = [".doubt", "div.against button"]
                assert page.evaluate(UNSEEN, parts) == [], size
                fits(page, size, "a claim against the cards")
            press(page, aside.get_by_role("button", name="Las cartas están bien"))
            expect(aside).to_be_hidden()
            assert table.state.stones == (wrong[0] - 1, wrong[1] + 1)


def test_a_card_put_right_bears_a_claim_out(
    browser: Browser, spanish: LogPhrases, checkout: Path
) -> None:
    with heard_table(spanish, checkout, Penalty.WARN) as table:
        claimed_wrongly(table)
        for page in opened(browser, table.server, SIZES[1]):
            settled(page, table)
            page.get_by_role("button", name="Las cartas están mal").click()
            pad = page.locator("#showdown")
            pad.locator(".hand:not(.likely) .card").nth(0).click()  # Oeste's rey
            pad.locator('.rank[data-rank="1"]').click()
            pad.locator(".hand:not(.likely) .card").nth(1).click()  # and his caballo
            pad.locator('.rank[data-rank="6"]').click()
            press(page, pad.get_by_role("button", name="Son éstas"))
            expect(page.locator("#against")).to_be_hidden()
            assert table.state.results[0].side == "A"


def test_the_other_side_of_a_claimed_lance_can_be_tapped(
    browser: Browser, spanish: LogPhrases, checkout: Path
) -> None:
    with heard_table(spanish, checkout, Penalty.WARN) as table:
        table.to_showdown()
        table.tap(ClaimLance(lance=Lance.GRANDE, side="A"))
        claims = table.board.snapshot()["incidents"]["claims"]
        assert [one["side"] for one in claims if one["lance"] == "grande"] == ["B"]
        for page in opened(browser, table.server, SIZES[1]):
            loaded(page, table)
            page.get_by_role("button", name="Decir quién gana, sin cartas").click()
            row = page.locator(".claims li").first
            expect(row.locator("h4")).to_have_text("Grande")
            press(page, row.get_by_role("button", name="Oeste y Este"))
            assert table.state.results[0].side == "B"


def scrolls(page: Page, size: tuple[int, int]) -> None:
    """Check that a screen that lies does not scroll."""
    if not is_telephone(size):
        height = page.evaluate("document.documentElement.scrollHeight")
        assert height <= size[1], f"{size} scrolls"


@pytest.mark.parametrize("size", [SMALL, (1024, 768), (1280, 800), (1920, 1080)])
def test_an_article_that_waits_does_not_make_a_lying_screen_scroll(
    browser: Browser, spanish: LogPhrases, checkout: Path, size: tuple[int, int]
) -> None:
    with painted(spanish, checkout) as (board, server):
        for page in opened(browser, server, size):
            board.paint(an_article)
            expect(page.locator("#proposal")).to_be_visible()
            parts = [
                "#proposal .article",
                "#proposal h2",
                "#proposal button",
                ".side .names",
                ".main",
            ]
            assert page.evaluate(UNSEEN, parts) == []
            scrolls(page, size)
