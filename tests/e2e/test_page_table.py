"""The table's page in a real Chromium: it follows the table, takes taps, and reconnects."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.ear.levels import TOO_LOUD
from assistant.ear.listening import RECORDING_OVER
from assistant.messages import Ask, Command, Told
from assistant.page import DashboardServer, serve
from assistant.rules.calls import Accept, Bet, Cut, Ordago, Pass, Refuse, SetStones, ShowHand
from assistant.rules.cards import parse_hand
from assistant.rules.profile import Profile
from assistant.table.snapshot import EarStatus, LogPhrases
from tests.e2e.browsing import OVERLAPPING, opened, say_all, score, to_showdown
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard

pytestmark = pytest.mark.browser


def test_the_page_follows_the_table(page: Page, board: FakeBoard) -> None:
    expect(page.locator(".main")).to_have_text("¿Hay mus?")
    expect(page.locator(".seat.turn")).to_contain_text("Norte")
    board.say("no hay mus", Cut(seat=1))
    expect(page.locator(".main")).to_have_text("Grande")
    board.say("envido siete", Bet(seat=2, stones=7))
    expect(page.locator(".main.bet")).to_have_text("7")
    expect(page.locator(".over")).to_have_text("Oeste envida a la grande")
    expect(page.locator(".under")).to_have_text("Si no se quiere: 1")
    expect(page.locator(".heard-words")).to_have_text("«envido siete»")
    expect(page.locator(".heard-say")).to_contain_text("Oeste envida 7")
    board.say("no queremos", Refuse(seat=1, plural=True))
    expect(page.locator('.side[data-side="B"] .count')).to_have_text("1")
    expect(page.locator("#lances li").first).to_contain_text("no se quiso")
    expect(page.locator("#lances li").first).to_contain_text("+1")


def test_the_stones_are_shown_as_amarracos_and_piedras(page: Page, board: FakeBoard) -> None:
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


ANSWERS_LATE = """
() => {
  const plain = window.fetch;
  window.sent = 0;
  window.fetch = async (url, options) => {
    if (!String(url).startsWith("/api/press")) return plain(url, options);
    window.sent += 1;
    const answer = await plain(url, options);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return answer;
  };
}
"""
"""A tap is shown long before its answer arrives, as on a busy machine."""


def test_a_tap_waits_for_the_answer_to_the_one_before(page: Page, board: FakeBoard) -> None:
    board.say("no hay mus", Cut(seat=1))
    page.evaluate(ANSWERS_LATE)
    page.locator("#undo").click()
    expect(page.locator(".main")).to_have_text("¿Hay mus?")
    page.locator("#actions .call button", has_text="No hay mus").click()
    expect(page.locator(".main")).to_have_text("Grande")
    assert page.evaluate("() => window.sent") == 2


def test_a_second_tap_on_the_same_button_is_ignored(page: Page, board: FakeBoard) -> None:
    board.say("no hay mus", Cut(seat=1))
    board.say("paso", Pass(seat=1))
    page.evaluate(ANSWERS_LATE)
    undo = page.locator("#undo")
    undo.click()
    expect(page.locator("#log .undone")).to_have_count(1)
    undo.click()
    page.wait_for_timeout(2000)
    assert page.evaluate("() => window.sent") == 1


def test_a_button_keeps_the_focus_while_the_table_changes(page: Page, board: FakeBoard) -> None:
    board.say("no hay mus", Cut(seat=1))
    button = page.locator("#actions .tab", has_text="Sur")
    button.focus()
    version = board.version
    board.hear(EarStatus("paused"))
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
    expect(page.locator("#lances li").first).to_contain_text("van 10")


def test_a_question_is_answered_by_a_tap(page: Page, board: FakeBoard) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1, stones=2), Bet(seat=2, stones=7))
    question = page.locator("#question")
    expect(question).to_be_visible()
    expect(page.locator("#live")).to_have_text(question.locator("h2").inner_text())
    question.locator("button").first.click()
    expect(question).to_be_hidden()
    expect(page.locator(".main.bet")).to_have_text("9")


def test_a_question_whether_something_was_said_is_denied_by_a_tap(
    page: Page, board: FakeBoard
) -> None:
    board.say("no hay mus", Cut(seat=1))
    board.ask("envido", Ask("sure", (Bet(stones=2),)))
    question = page.locator("#question")
    expect(question.locator("h2")).to_have_text("¿Has dicho «Envido 2»?")
    question.get_by_role("button", name="No era eso").click()
    expect(question).to_be_hidden()
    assert board.heard is not None
    assert board.heard.outcomes == (Told(Command.NOT_SAID),)


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


def test_the_cards_are_in_sight_when_the_count_waits_for_them(page: Page, board: FakeBoard) -> None:
    to_showdown(board)
    expect(page.locator("#showdown")).to_be_visible()
    for what in ("#showdown .ranks", ".side .count"):
        expect(page.locator(what).first).to_be_in_viewport(ratio=1)


def test_impossible_cards_are_refused_with_a_sentence(page: Page, board: FakeBoard) -> None:
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


def test_the_page_reconnects_after_a_restart_of_the_assistant(
    page: Page, board: FakeBoard, server: DashboardServer, checkout: Path
) -> None:
    board.say("no hay mus", Cut(seat=1))
    expect(page.locator(".main")).to_have_text("Grande")
    server.stop()
    expect(page.locator("#lost")).to_be_visible()
    page.locator("#undo").click()
    expect(page.locator("#notice")).to_contain_text("No hay conexión")
    # A new run: the game goes on from the journal, and versions start again.
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


def test_the_state_of_the_ear_is_shown(page: Page, board: FakeBoard) -> None:
    expect(page.locator("#ear")).to_have_text("Escuchando")
    board.hear(EarStatus("lost", "El micrófono se ha desenchufado."))
    expect(page.locator("#ear")).to_have_text("El micrófono se ha desenchufado.")
    board.hear(EarStatus("listening", TOO_LOUD))
    expect(page.locator("#ear")).to_have_text("El micrófono satura: bájalo o aléjalo.")
    board.hear(EarStatus("off", RECORDING_OVER))
    expect(page.locator("#ear")).to_have_text("Fin de la grabación")
    board.hear(EarStatus("off"))
    expect(page.locator("#ear")).to_have_text("Sin micrófono")


def test_the_ear_is_paused_and_resumed_by_a_tap(page: Page, board: FakeBoard) -> None:
    button = page.locator("#pause")
    expect(button).to_have_text("Pausa")
    button.click()
    expect(page.locator("#ear")).to_have_text("En pausa")
    expect(button).to_have_text("Seguir")
    button.click()
    expect(page.locator("#ear")).to_have_text("Escuchando")
    board.hear(EarStatus("off"))
    expect(button).to_be_hidden()


def test_after_a_match_the_next_one_begins_with_a_tap(
    browser: Browser, spanish: LogPhrases, checkout: Path
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
        page.get_by_role("button", name="La revancha").click()
        expect(page.locator(".main")).to_have_text("¿Hay mus?")
        expect(page.locator("#deal")).to_have_text("Reparto 1 · mus corrido · es mano Norte")
        assert score(page, "A") == "0"
    server.stop()


def test_changes_are_announced_to_screen_readers(page: Page, board: FakeBoard) -> None:
    say_all(board, Cut(seat=1), Bet(seat=1))
    expect(page.locator("#live")).to_contain_text("Norte envida 2")
    board.say("no queremos", Refuse(seat=2, plural=True))
    expect(page.locator("#live")).to_contain_text("Norte y Sur: 1 piedra")
    expect(page.locator(".seat.turn")).to_have_attribute("aria-current", "true")
    expect(page.locator("#lances li").nth(1)).to_have_attribute("aria-current", "step")


def test_a_name_is_text_and_never_markup(
    browser: Browser, checkout: Path, spanish: LogPhrases
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
