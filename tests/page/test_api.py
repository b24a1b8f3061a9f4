"""Every route of the table's page, with valid and with malicious requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from assistant.messages import Ask
from assistant.messages.codec import call_to_dict
from assistant.page.incoming import MAX_BODY, MAX_REASON
from assistant.rules.calls import (
    Accept,
    AdjustStones,
    Bet,
    Call,
    ClaimLance,
    CorrectBet,
    Cut,
    Declare,
    NextDeal,
    Pass,
    Redeal,
    Report,
    Verdict,
)
from assistant.rules.events import Irregularity
from assistant.rules.phases import Lance, Phase
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard, PaintedBoard
from tests.tables import each_row


def press(client: FlaskClient, **body: object) -> TestResponse:
    return client.post("/api/press", json=body)


def to_showdown(board: FakeBoard) -> None:
    """Play a deal up to the cards; nobody bets and nobody has pares or juego."""
    board.say("", Cut(seat=1))
    for _ in range(60):
        if board.state.phase is Phase.SHOWDOWN:
            return
        if board.state.phase in (Phase.PARES_SAY, Phase.JUEGO_SAY):
            board.say("", Declare(holds=False))
        else:
            board.say("", Pass())
    raise AssertionError(board.state.phase)


def show_hand(client: FlaskClient, seat: int, cards: str, deal: int = 1) -> TestResponse:
    return client.post("/api/cards", json={"seat": seat, "cards": cards.split(), "deal": deal})


def test_the_page_and_its_health_are_served(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    assert client.get("/healthz").get_json() == {"ok": True}


def test_the_snapshot_equals_the_boards(client: FlaskClient, board: FakeBoard) -> None:
    answer = client.get("/api/snapshot")
    assert answer.get_json() == board.snapshot()
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_pressed_call_moves_the_game(client: FlaskClient, board: FakeBoard) -> None:
    call = call_to_dict(Bet(seat=2, stones=5))
    answer = press(client, call=call, seen=board.snapshot()["seq"])
    assert answer.status_code == 200
    assert answer.get_json()["outcomes"][0]["outcome"] == "accepted"
    pending = board.snapshot()["pending"]
    assert pending is not None
    assert (pending["seat"], pending["stones"]) == (2, 5)


def test_every_button_of_the_snapshot_is_accepted(client: FlaskClient, board: FakeBoard) -> None:
    for action in board.snapshot()["actions"]:
        shown = board.snapshot()["seq"]
        assert press(client, call=action["call"], seen=shown).get_json()["outcomes"] == [
            {"outcome": "accepted", "text": board.snapshot()["heard"]["say"]}  # type: ignore[index]
        ]
        press(client, command="undo", seen=board.snapshot()["seq"])


def test_undo_and_redo_are_pressed(client: FlaskClient, board: FakeBoard) -> None:
    board.say("no hay mus", Cut(seat=3))
    press(client, command="undo", seen=board.snapshot()["seq"])
    assert board.snapshot()["phase"] == "mus"
    assert board.snapshot()["can_redo"]
    press(client, command="redo", seen=board.snapshot()["seq"])
    assert board.snapshot()["phase"] == "grande"


def test_a_button_of_an_outdated_page_is_refused(client: FlaskClient, board: FakeBoard) -> None:
    old = board.snapshot()["seq"]
    board.say("no hay mus", Cut(seat=3))
    before = board.snapshot()["seq"]
    answer = press(client, command="undo", seen=old)
    assert answer.get_json()["outcomes"][0]["outcome"] == "refused"
    assert board.snapshot()["seq"] == before


def test_an_illegal_call_is_refused_with_a_reason(client: FlaskClient, board: FakeBoard) -> None:
    seen = board.snapshot()["seq"]
    answer = press(client, call=call_to_dict(Accept(seat=1)), seen=seen)
    assert answer.status_code == 200
    assert answer.get_json()["outcomes"] == [{"outcome": "refused", "text": "not_now"}]


def test_a_question_comes_back_as_a_question(client: FlaskClient, board: FakeBoard) -> None:
    board.say("no hay mus, envido", Cut(seat=1), Bet(seat=1))
    seen = board.snapshot()["seq"]
    answer = press(client, call=call_to_dict(Bet(seat=2, stones=7)), seen=seen)
    assert answer.get_json()["outcomes"][0]["outcome"] == "ask"
    question = board.snapshot()["question"]
    assert question is not None
    assert board.heard is not None
    assert isinstance(board.heard.outcomes[-1], Ask)
    assert len(question["options"]) == len(board.heard.outcomes[-1].options)


@each_row(
    "body",
    [
        {},
        {"seen": 2},
        {"command": "undo"},
        {"command": "undo", "seen": None},
        {"command": "undo", "seen": True},
        {"command": "undo", "seen": -1},
        {"command": "undo", "seen": 10**9},
        {"command": "undo", "seen": "2"},
        {"command": "format_disk", "seen": 2},
        {"command": ["undo"], "seen": 2},
        {"command": "undo", "call": {"type": "Pass"}, "seen": 2},
        {"command": "undo", "seen": 2, "more": 1},
        {"call": {"type": "Command", "command": "undo"}, "seen": 2},
        {"call": {"type": "Steal", "seat": 1}, "seen": 2},
        {"call": {"type": "Bet", "stones": "many"}, "seen": 2},
        {"call": {"type": "Bet", "__class__": "x"}, "seen": 2},
        {"call": "Pass", "seen": 2},
        {"call": [[[[[[]]]]]], "seen": 2},
    ],
)
def test_a_malformed_press_gets_one_sentence(
    client: FlaskClient, board: FakeBoard, body: dict[str, object]
) -> None:
    before = board.snapshot()
    answer = press(client, **body)
    assert answer.status_code == 400
    assert_one_sentence(answer)
    assert board.snapshot() == before


@pytest.mark.parametrize(
    "call",
    [
        ClaimLance(lance=Lance.PARES, side="B", values=(1, 3)),
        CorrectBet(lance=Lance.CHICA, stones=5),
        AdjustStones(side="A", stones=-2, reason="se contó dos veces: ¡ñ!"),
        Report(kind=Irregularity.CARD_COUNT, player=2, cards=5),
        Redeal(),
        Verdict(apply=False),
    ],
)
def test_every_call_of_the_drawer_reaches_the_table(web: Path, call: Call) -> None:
    board = PaintedBoard()
    client = create_app(board, web_dir=web).test_client()
    assert press(client, call=call_to_dict(call), seen=2).status_code == 200
    assert board.taken == [call]


@pytest.mark.parametrize(
    "change",
    [
        {"reason": "two\nlines"},
        {"reason": "\ud800"},
        {"reason": "\u202eback"},
        {"reason": "a" * (MAX_REASON + 1)},
        {"reason": 7},
        {"stones": 10**7},
        {"stones": True},
        {"side": ["A"]},
    ],
)
def test_a_malformed_correction_gets_one_sentence(web: Path, change: dict[str, object]) -> None:
    board = PaintedBoard()
    client = create_app(board, web_dir=web).test_client()
    answer = press(client, call=call_to_dict(AdjustStones(side="A", stones=1)) | change, seen=2)
    assert answer.status_code == 400
    assert_one_sentence(answer)
    assert board.taken == []


@each_row("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 2000])
def test_a_body_that_is_no_json_object_is_refused(client: FlaskClient, data: bytes) -> None:
    answer = client.post("/api/press", data=data, content_type="application/json")
    assert answer.status_code == 400
    assert_one_sentence(answer)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_content_type_that_a_foreign_form_could_send_is_refused(
    client: FlaskClient, kind: str
) -> None:
    answer = client.post(
        "/api/press", data=b'{"command":"undo","seen":2}', headers={"Content-Type": kind}
    )
    assert answer.status_code == 415
    assert_one_sentence(answer)


def test_too_large_a_request_is_refused(client: FlaskClient) -> None:
    answer = press(client, command="u" * MAX_BODY, seen=2)
    assert answer.status_code == 413
    assert_one_sentence(answer)


def test_tapped_cards_are_shown_and_the_deal_is_counted(
    client: FlaskClient, board: FakeBoard
) -> None:
    to_showdown(board)
    hands = {1: "R C S 4", 2: "R C 6 5", 3: "S 7 6 4", 4: "R S 5 1"}
    for seat in board.snapshot()["missing"]:
        answer = show_hand(client, seat, hands[seat])
        assert answer.get_json()["outcomes"][0]["outcome"] == "accepted"
    shown = board.snapshot()
    assert shown["phase"] == "count"
    assert shown["missing"] == []
    assert sum(side["stones"] for side in shown["sides"]) >= 3  # grande, chica and punto in paso
    assert shown["seats"][0]["hand"] == ["R", "C", "S", "4"]


def test_cards_of_another_deal_are_refused(client: FlaskClient, board: FakeBoard) -> None:
    to_showdown(board)
    answer = show_hand(client, 1, "R C S 4", deal=2)
    assert answer.status_code == 409
    assert board.snapshot()["seats"][0]["hand"] is None


@pytest.mark.parametrize(
    "change",
    [
        {"cards": []},
        {"cards": ["R"] * 5},
        {"cards": ["R", "R", "R", "8"]},
        {"cards": ["Ro", "Ro", "R", "1"]},
        {"cards": "RRC1"},
        {"cards": [["R"], "R", "C", "1"]},
        {"seat": 0.5},
        {"seat": None},
        {"deal": "1"},
        {"seen": 3},
    ],
)
def test_cards_that_are_no_hand_get_one_sentence(
    client: FlaskClient, board: FakeBoard, change: dict[str, object]
) -> None:
    to_showdown(board)
    body: dict[str, object] = {"seat": 1, "cards": ["R", "R", "C", "1"], "deal": 1} | change
    answer = client.post("/api/cards", json=body)
    assert answer.status_code == 400
    assert_one_sentence(answer)
    assert board.snapshot()["seats"][0]["hand"] is None


def test_the_rules_decide_whether_fewer_cards_are_a_hand(
    client: FlaskClient, board: FakeBoard
) -> None:
    to_showdown(board)
    outcome = show_hand(client, 1, "R C 4").get_json()["outcomes"][0]
    assert outcome["outcome"] == "refused"  # nobody has reported that this player has three


def test_cards_for_a_seat_that_does_not_exist_are_refused(
    client: FlaskClient, board: FakeBoard
) -> None:
    to_showdown(board)
    answer = show_hand(client, 7, "R C S 4")
    assert answer.get_json()["outcomes"] == [{"outcome": "refused", "text": "seat_unknown"}]


def test_a_table_that_cannot_write_reports_it(client: FlaskClient, board: FakeBoard) -> None:
    board.broken = True
    answer = press(client, call=call_to_dict(NextDeal()), seen=2)
    assert answer.status_code == 503
    assert_one_sentence(answer)


@each_row(
    "method, path, status",
    [
        ("GET", "/nothing", 404),
        ("GET", "/static/../templates/table.html", 404),
        ("GET", "/static/%2e%2e/templates/table.html", 404),
        ("GET", "/api/press", 405),
        ("DELETE", "/api/snapshot", 405),
    ],
)
def test_an_unknown_address_is_answered_in_json(
    client: FlaskClient, method: str, path: str, status: int
) -> None:
    answer = client.open(path, method=method)
    assert answer.status_code == status
    assert_one_sentence(answer)


@each_row(
    "address, said",
    [("/camera", "Aquí no hay nada"), ("/nothing?lang=eu", "Hemen ez dago ezer"),
     ("/setup?lang=en", "There is nothing here")],
)  # fmt: skip
def test_a_person_at_an_unknown_address_is_shown_the_way_back(
    client: FlaskClient, address: str, said: str
) -> None:
    answer = client.get(address, headers={"Accept": "text/html,application/xml;q=0.9,*/*;q=0.8"})
    assert answer.status_code == 404
    assert f"<h1>{said}</h1>" in answer.text
    assert 'class="back" href="/"' in answer.text


def assert_one_sentence(answer: TestResponse) -> None:
    body: dict[str, Any] | None = answer.get_json()
    assert body is not None
    assert list(body) == ["error"]
    assert body["error"]
    assert "Traceback" not in body["error"]
