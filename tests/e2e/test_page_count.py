"""The count is laid out lance by lance, with the cards and the score, and a tap shows all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from assistant.files.resources import load_phrases
from assistant.messages import Command, Pressed
from assistant.page import DashboardServer
from assistant.rules.calls import (
    Accept,
    Bet,
    Cut,
    NextDeal,
    Ordago,
    Refuse,
    SetStones,
    ShowHand,
)
from assistant.rules.cards import parse_hand
from assistant.rules.phases import Phase
from assistant.rules.profile import Profile
from assistant.table.snapshot import Snapshot
from assistant.table.snapshot.shape import CountedLanceView
from tests.e2e.browsing import ENDING, opened, say_all, settled, shows_newest
from tests.e2e.moments import HANDS, POOR_HANDS, play_on
from tests.e2e.test_page_door import served
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser

PATHS = ("", "phone", "watch")
TELEVISION = (1920, 1080)
FASTEST, SLOWEST = 1300, 2800
"""Milliseconds for which a lance is told."""
STEP = 50
GAINS = {
    "bet": "{} del envite",
    "paso": "{} en paso",
    "pares": "{} de pares",
    "punto": "{} de punto",
    "deje": "{} de deje",
}
"""What the page says of stones, by what they were won for."""


def rows(page: Page, told: bool | None = None) -> Locator:
    state = "" if told is None else "=told" if told else "=ahead"
    return page.locator(f"#lances li[data-counted{state}]:visible")


def moving(page: Page, server: DashboardServer, path: str = "") -> None:
    """Load a page that may move, and stop its clock."""
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install(time=datetime(2026, 1, 1))
    page.goto(f"{server.url}{path}")
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    page.clock.pause_at(datetime(2026, 1, 1, 0, 0, 30))


def to_the_last_hand(board: FakeBoard, rules: Profile, *score: int) -> None:
    """Play a deal up to its last hand: a bet at grande, a deje at chica, pares, punto."""
    board.reopen(rules)
    say_all(board, SetStones(stones=score), Cut(seat=1), Bet(seat=1, stones=7), Accept(seat=2))
    say_all(board, Bet(seat=1, stones=2), Refuse(seat=2), Refuse(seat=4))
    play_on(board, Phase.SHOWDOWN, holds=True, juego=False)
    for seat, hand in enumerate(POOR_HANDS[:3], start=1):
        board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))


def last_hand(board: FakeBoard) -> None:
    board.say("", ShowHand(seat=4, cards=parse_hand(POOR_HANDS[3])))


def steps(page: Page) -> Iterator[int]:
    """How long the page tells each lance, one after the other."""
    lasted, told = 0, rows(page, told=True).count()
    while page.locator("main[data-counting]").count():
        page.clock.run_for(STEP)
        lasted += STEP
        if rows(page, told=True).count() != told or not page.locator("main[data-counting]").count():
            yield lasted
            lasted, told = 0, rows(page, told=True).count()


def scores(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".side .count").all_inner_texts()]


def says(page: Page, board: FakeBoard, at: int, row: CountedLanceView) -> None:
    """Check that a row of the count says what the records say."""
    told = rows(page).nth(at)
    snapshot = board.snapshot()
    names = next(one["names"] for one in snapshot["sides"] if one["side"] == row["side"])
    expect(told.locator(".names")).to_have_text(" y ".join(names))
    expect(told.locator(".won")).to_have_text(f"+{row['stones']}" if row["stones"] else "")
    expect(told.locator(".sum")).to_have_text(
        " – ".join(map(str, row["totals"])) if row["stones"] else ""
    )
    for held in row["held"]:
        seat = snapshot["seats"][held["seat"] - 1]
        expect(told.locator(".held")).to_contain_text(seat["name"])
        if held["text"]:
            expect(told.locator(".held")).to_contain_text(held["text"])
        else:
            ranks = told.locator(".held .card [aria-hidden]").all_text_contents()
            assert ranks == [card[0] for card in seat["hand"] or ()]


@pytest.mark.parametrize("path", PATHS)
def test_the_lances_appear_one_by_one_and_say_what_the_records_say(
    browser: Browser, server: DashboardServer, board: FakeBoard, path: str
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        moving(page, server, path)
        before = scores(page)
        last_hand(board)
        shows_newest(page, board)
        count = board.snapshot()["count"]
        assert [row["lance"] for row in count] == ["grande", "chica", "pares", "punto"]
        for at, row in enumerate(count):
            expect(rows(page, told=True)).to_have_count(at + 1)
            expect(rows(page, told=False)).to_have_count(len(count) - at - 1)
            says(page, board, at, row)
            assert scores(page) == row["totals"], row["lance"]
            lit = page.locator(".seat.wins .name").all_inner_texts()
            held = [board.state.seats[one["seat"] - 1] for one in row["held"]]
            assert sorted(lit) == sorted(held)
            winner = board.state.seats[row["seat"] - 1] if row["seat"] else "Norte y Sur"
            expect(page.locator(".main")).to_have_text(winner)
            lasted = next(steps(page))
            assert FASTEST <= lasted <= SLOWEST + STEP, row["lance"]
        expect(page.locator("main[data-counting]")).to_have_count(0)
        expect(rows(page, told=True)).to_have_count(len(count))
        assert scores(page) == list(board.state.stones) != before
        expect(page.locator(".main")).to_have_text("Contado")
        expect(page.locator(".seat.wins")).to_have_count(0)


def test_the_middle_tells_what_each_stone_was_for(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        moving(page, server)
        last_hand(board)
        shows_newest(page, board)
        for row in board.snapshot()["count"]:
            expect(page.locator(".over")).to_have_text(row["lance"].capitalize())
            for gain in row["gains"]:
                said = GAINS[gain["why"]].format(gain["stones"])
                expect(page.locator(".under")).to_contain_text(said)
                paid = "ya en el tanteo" in page.locator(".under").inner_text()
                assert paid == gain["paid"], row["lance"]
            next(steps(page))


@pytest.mark.parametrize("path", PATHS)
def test_a_tap_shows_the_whole_count(
    browser: Browser, server: DashboardServer, board: FakeBoard, path: str
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        moving(page, server, path)
        last_hand(board)
        shows_newest(page, board)
        expect(rows(page, told=True)).to_have_count(1)
        page.locator("#table").click(position={"x": 30, "y": 60})
        expect(rows(page, told=True)).to_have_count(4)
        assert scores(page) == list(board.state.stones)
        expect(page.locator(".main")).to_have_text("Contado")


def test_whoever_wants_no_motion_sees_all_lances_at_once(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        settled(page, board)
        last_hand(board)
        shows_newest(page, board)
        expect(page.locator("main[data-counting]")).to_have_count(0)
        expect(rows(page, told=True)).to_have_count(4)
        assert scores(page) == list(board.state.stones)
        name = rows(page).first.locator(".held").evaluate("n => getComputedStyle(n).animationName")
        assert name == "none"


def test_a_page_that_comes_later_a_next_deal_and_an_undo_tell_no_count(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        last_hand(board)
        moving(page, server)
        expect(rows(page, told=True)).to_have_count(4)
        expect(page.locator("main[data-counting]")).to_have_count(0)
        to_the_last_hand(board, Profile(), 3, 4)
        shows_newest(page, board)
        last_hand(board)
        shows_newest(page, board)
        expect(page.locator("main[data-counting]")).to_have_count(1)
        board.press(Pressed(Command.UNDO, None))
        shows_newest(page, board)
        expect(page.locator("main[data-counting]")).to_have_count(0)
        expect(rows(page, told=True)).to_have_count(0)
        last_hand(board)
        shows_newest(page, board)
        expect(page.locator("main[data-counting]")).to_have_count(1)
        board.say("mus", NextDeal())
        shows_newest(page, board)
        expect(page.locator("main[data-counting]")).to_have_count(0)
        assert scores(page) == list(board.state.stones)


def test_what_is_heard_meanwhile_does_not_begin_the_count_anew(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        moving(page, server)
        last_hand(board)
        shows_newest(page, board)
        next(steps(page))
        board.hear(replace(board.ear, note="noisy"))
        shows_newest(page, board)
        expect(rows(page, told=True)).to_have_count(2)
        expect(page.locator("main[data-counting]")).to_have_count(1)


def test_the_juego_is_won_when_its_last_lance_is_told_and_not_before(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(juegos=1, vacas=1), 3, 35)
        moving(page, server)
        last_hand(board)
        shows_newest(page, board)
        assert board.state.winner == "B"
        for at in range(4):
            expect(rows(page, told=True)).to_have_count(at + 1)
            expect(page.locator(".side.winner, .pip.full")).to_have_count(0)
            expect(page.locator(ENDING)).to_be_hidden()
            expect(page.locator("#final")).to_be_hidden()
            next(steps(page))
        expect(page.locator(ENDING)).to_be_visible()
        expect(page.locator(".side.winner")).to_have_attribute("data-side", "B")
        assert scores(page) == list(board.state.stones)


def test_a_screen_reader_hears_the_count_at_once(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        moving(page, server)
        last_hand(board)
        shows_newest(page, board)
        expect(page.locator("#live")).to_contain_text("Todo contado")
        expect(page.locator("#live")).to_contain_text("4 de pares")


def test_an_ordago_is_told_alone(
    browser: Browser, server: DashboardServer, board: FakeBoard
) -> None:
    for page in opened(browser, server, TELEVISION):
        board.reopen()
        say_all(board, Cut(seat=1), Ordago(seat=1), Accept(seat=2))
        for seat, hand in enumerate(HANDS[:3], start=1):
            board.say("", ShowHand(seat=seat, cards=parse_hand(hand)))
        moving(page, server)
        board.say("", ShowHand(seat=4, cards=parse_hand(HANDS[3])))
        shows_newest(page, board)
        assert [row["how"] for row in board.snapshot()["count"]] == ["ordago"]
        expect(page.locator(".over")).to_have_text("Grande")
        expect(page.locator(".main")).to_have_text("Norte")
        expect(page.locator(".seat.wins .name")).to_have_text("Norte")
        expect(page.locator(".tally")).to_have_count(0)
        assert len(list(steps(page))) == 1
        expect(page.locator(ENDING)).to_be_visible()
        expect(page.locator(ENDING)).to_contain_text("Por un órdago")


class SpeakingBoard(FakeBoard):
    """A board with a voice."""

    voice: dict[str, object] | None = None

    def snapshot(self) -> Snapshot:
        return cast(Snapshot, {**super().snapshot(), "voice": self.voice})

    def begin(self, seconds: float, until: float = 1.0, **lances: float) -> None:
        """Begin to say what has happened last; each of ``lances`` after that part of it."""
        named = [{"lance": lance, "at": at} for lance, at in lances.items()]
        seq = self.records[-1].seq
        self.voice = {"seq": seq, "seconds": seconds, "lances": named, "until": until}
        self.hear(self.ear)


@pytest.fixture
def speaking(checkout: Path) -> Iterator[tuple[SpeakingBoard, DashboardServer]]:
    board = SpeakingBoard(load_phrases("es"))
    with served(board, checkout, away=False) as server:
        yield board, server


def test_the_count_begins_with_the_voice_and_ends_with_it(
    browser: Browser, speaking: tuple[SpeakingBoard, DashboardServer]
) -> None:
    board, server = speaking
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        moving(page, server)
        before = scores(page)
        last_hand(board)
        shows_newest(page, board)
        page.clock.run_for(1000)  # the sentence is still being made
        expect(rows(page, told=True)).to_have_count(0)
        expect(page.locator(".main")).to_have_text("La cuenta")
        assert scores(page) == before
        board.begin(6.0)
        shows_newest(page, board)
        expect(rows(page, told=True)).to_have_count(1)
        lasted = list(steps(page))
        assert len(lasted) == 4
        assert 4500 <= sum(lasted) <= 6000  # the score is said last
        assert scores(page) == list(board.state.stones)


def test_a_voice_that_does_not_begin_is_not_waited_for(
    browser: Browser, speaking: tuple[SpeakingBoard, DashboardServer]
) -> None:
    board, server = speaking
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        board.begin(2.0)  # an older sentence
        moving(page, server)
        last_hand(board)
        shows_newest(page, board)
        page.clock.run_for(2400)
        expect(rows(page, told=True)).to_have_count(0)
        page.clock.run_for(200)
        expect(rows(page, told=True)).to_have_count(1)
        assert all(FASTEST <= lasted <= SLOWEST + STEP for lasted in list(steps(page))[1:])


def test_a_voice_that_tells_it_side_by_side_is_followed_in_its_own_order(
    browser: Browser, speaking: tuple[SpeakingBoard, DashboardServer]
) -> None:
    """ "Los otros, grande siete y punto una; Norte y Sur, pares cuatro. ..." """
    board, server = speaking
    for page in opened(browser, server, TELEVISION):
        to_the_last_hand(board, Profile(), 3, 4)
        moving(page, server)
        before = list(board.state.stones)
        last_hand(board)
        shows_newest(page, board)
        count = board.snapshot()["count"]
        stones = {row["lance"]: (row["side"], row["stones"]) for row in count}
        assert [lance for lance in stones if stones[lance][1]] == ["grande", "pares", "punto"]
        board.begin(10.0, until=0.9, grande=0.1, punto=0.4, pares=0.6)
        shows_newest(page, board)
        places = [row["lance"] for row in count]
        shown: list[str] = []
        lasting = steps(page)
        # The deje at chica was paid at once: the voice leaves it out, and it shares grande's time.
        for lance, lasts in (("grande", 2000), ("chica", 2000), ("punto", 2000), ("pares", 3000)):
            shown.append(lance)
            told = [places[at] for at in range(4) if is_told(page, at)]
            assert sorted(told) == sorted(shown)
            expect(page.locator(".over")).to_have_text(lance.capitalize())
            sums = [sum(stones[one][1] for one in shown if stones[one][0] == s) for s in "AB"]
            assert scores(page) == [a + b for a, b in zip(before, sums, strict=True)]
            lasted = next(lasting)
            assert abs(lasted - lasts) <= 2 * STEP, lance
        assert scores(page) == list(board.state.stones)
        assert page.locator("#lances .sum").all_inner_texts()[3] != ""


def is_told(page: Page, at: int) -> bool:
    return rows(page).nth(at).get_attribute("data-counted") == "told"
