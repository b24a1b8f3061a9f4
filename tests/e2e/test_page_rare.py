"""Rare actions on the table's page: articles, claims, corrections, the choice of mano."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.messages.codec import call_to_dict
from assistant.page import serve
from assistant.rules.calls import (
    AdjustStones,
    Call,
    ClaimLance,
    CorrectBet,
    Redeal,
    Report,
    ShowHand,
    Verdict,
)
from assistant.rules.cards import parse_hand
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance
from assistant.table.snapshot import LogPhrases, Snapshot
from tests.e2e.browsing import SIZES, fits, opened, press, score, settled, to_showdown
from tests.e2e.pictures import an_article, cards_on_the_table, full_of_tags, painted, put
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard, PaintedBoard

pytestmark = pytest.mark.browser


def test_a_proposed_article_is_shown_to_the_table(
    browser: Browser, spanish: LogPhrases, checkout: Path
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


def test_the_drawer_is_closed_until_somebody_opens_it(rare: tuple[PaintedBoard, Page]) -> None:
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
    browser: Browser, spanish: LogPhrases, checkout: Path, size: tuple[int, int]
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


def test_a_score_is_corrected_with_a_reason(rare: tuple[PaintedBoard, Page]) -> None:
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


def test_a_bet_is_corrected(rare: tuple[PaintedBoard, Page]) -> None:
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
        (None, "Se ha repetido mano", Report(kind=Irregularity.SAME_MANO)),
        ("Sur", "Ha mirado", Report(kind=Irregularity.PEEKED, player=3)),
        ("Oeste", "Tiene 5", Report(kind=Irregularity.CARD_COUNT, player=2, cards=5)),
        (None, "Se reparte", Redeal()),
    ],
)
def test_an_irregularity_is_reported(
    rare: tuple[PaintedBoard, Page], player: str | None, button: str, report: Call
) -> None:
    board, page = rare

    def anything_goes(picture: Snapshot) -> None:
        picture["incidents"]["reports"] = [
            {
                "kind": kind,
                "players": [] if kind is Irregularity.SAME_MANO else [1, 2, 3, 4],
                "needs_player": kind
                in (
                    Irregularity.CARD_COUNT,
                    Irregularity.PEEKED,
                    Irregularity.IN_DECK,
                ),
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


def test_the_page_asks_who_is_mano_before_the_first_deal(
    browser: Browser, spanish: LogPhrases, checkout: Path
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
        claimed = row.get_by_role("button", name="Oeste y Este")
        press(page, claimed)
        expect(claimed).to_have_count(0)
        if lance != "Punto":  # the last one, which ends the deal
            expect(row.get_by_role("button", name="Norte y Sur")).to_be_visible()  # a second claim
    expect(page.locator(".main")).to_have_text("Contado")
    assert score(page, "B") == "3"
    assert not any(board.state.hands)
