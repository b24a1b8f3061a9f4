"""The routes of the practice page: their answers and their refusals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from assistant.page import BoardError, Keys
from assistant.school.practice.page import PracticeChanceView, ReviewView
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.test_page import MAX_WEIGHT, loaded
from tests.tables import each_row


class Dealt:
    """A game in which the first two cards may be thrown."""

    def __init__(self) -> None:
        self.level = ""
        self.thrown: Sequence[int] = ()
        self.senas = False
        self.told: tuple[int, int] | None = None

    def begin(self, level: str, *, senas: bool = False) -> None:
        if level == "brutal":
            raise BoardError("There is no level 'brutal'.")
        self.level, self.senas = level, senas

    def throw(self, places: Sequence[int]) -> bool:
        self.thrown = places
        return 0 in places

    def answer_sign(self, number: int, choice: int) -> bool:
        self.told = number, choice
        return True

    def chances(self) -> list[PracticeChanceView]:
        return [{"lance": "grande", "wins": 0.5, "played": 1.0}]

    def review(self) -> ReviewView:
        return {"able": True, "over": True, "done": 1, "of": 2, "moves": []}


@pytest.fixture
def dealt() -> Dealt:
    return Dealt()


@pytest.fixture
def client(board: FakeBoard, checkout: Path, dealt: Dealt) -> FlaskClient:
    return create_app(board, web_dir=checkout / "web", practice=dealt).test_client()


def test_the_start_page_leads_to_the_practice(client: FlaskClient) -> None:
    assert client.get("/").headers["Location"] == "/practice"
    assert client.get("/practice").status_code == 200


@each_row("code", ["es", "eu", "en"])
def test_the_practice_is_small_in_every_language(
    client: FlaskClient, checkout: Path, code: str
) -> None:
    """With the back of a card and four cards, which are drawn apart."""
    cards = sum(
        len(client.get(f"/practice/cards/{card}.svg").get_data())
        for card in ("back", "Ro", "Ce", "Sc", "7b")
    )
    page = client.get(f"/practice?lang={code}").get_data(as_text=True)
    assert 15_000 < loaded(page, checkout / "web") + cards < MAX_WEIGHT


def test_a_game_is_started_and_cards_are_thrown(client: FlaskClient, dealt: Dealt) -> None:
    assert client.post("/api/practice/begin", json={"level": "normal"}).json == {"begun": True}
    assert dealt.level == "normal"
    assert client.post("/api/practice/throw", json={"places": [0, 3]}).json == {"thrown": True}
    assert dealt.thrown == [0, 3]
    assert client.post("/api/practice/throw", json={"places": [1]}).json == {"thrown": False}
    assert client.get("/api/practice/chances").json == {
        "chances": [{"lance": "grande", "played": 1.0, "wins": 0.5}]
    }


@each_row(
    "path, body",
    [
        ("begin", {}),
        ("begin", {"level": 3}),
        ("begin", {"level": "normal", "more": 1}),
        ("begin", {"level": "normal", "senas": 1}),
        ("begin", {"level": "normal", "senas": True, "more": 1}),
        ("sena", {}),
        ("sena", {"n": 1}),
        ("sena", {"n": 1, "choice": -2}),
        ("sena", {"n": 1, "choice": True}),
        ("sena", {"n": True, "choice": 1}),
        ("sena", {"n": "1", "choice": 1}),
        ("throw", {"places": []}),
        ("throw", {"places": [0, 0]}),
        ("throw", {"places": [4]}),
        ("throw", {"places": [True]}),
        ("throw", {"places": [0, 1, 2, 3, 0]}),
        ("throw", {"places": "0"}),
        ("throw", [0]),
    ],
)
def test_a_malformed_request_is_refused(
    client: FlaskClient, dealt: Dealt, path: str, body: object
) -> None:
    assert client.post(f"/api/practice/{path}", json=body).status_code == 400
    assert (dealt.level, dealt.thrown, dealt.told) == ("", (), None)


def test_a_game_with_senas_is_begun_and_what_was_read_is_told(
    client: FlaskClient, dealt: Dealt
) -> None:
    client.post("/api/practice/begin", json={"level": "normal", "senas": True})
    assert (dealt.level, dealt.senas) == ("normal", True)
    assert client.post("/api/practice/sena", json={"n": 3, "choice": -1}).json == {"taken": True}
    assert dealt.told == (3, -1)
    client.post("/api/practice/begin", json={"level": "normal"})
    assert dealt.senas is False


def test_a_refusal_of_the_table_is_passed_on(client: FlaskClient) -> None:
    answer = client.post("/api/practice/begin", json={"level": "brutal"})
    assert answer.status_code == 503
    assert "no level" in answer.text


@pytest.mark.parametrize("name", ["Ro", "1b", "back"])
def test_a_picture_of_each_card_is_sent(client: FlaskClient, name: str) -> None:
    picture = client.get(f"/practice/cards/{name}.svg")
    assert picture.mimetype == "image/svg+xml"
    assert picture.text.startswith("<svg ")


@each_row("name", ["Rx", "R", "ro", "8o", "<b>"])
def test_an_unknown_card_is_not_found(client: FlaskClient, name: str) -> None:
    assert client.get(f"/practice/cards/{name}.svg").status_code == 404


def test_an_onlooker_neither_starts_a_game_nor_throws_cards(
    board: FakeBoard, checkout: Path, dealt: Dealt
) -> None:
    keys = Keys(b"k" * 32, "482913")
    app = create_app(board, web_dir=checkout / "web", keys=keys, practice=dealt)
    telephone = app.test_client()
    where = {"REMOTE_ADDR": "192.0.2.7"}
    for path, body in (("begin", {"level": "normal"}), ("throw", {"places": [0]})):
        answer = telephone.post(f"/api/practice/{path}", json=body, environ_base=where)
        assert answer.status_code == 403
    assert (dealt.level, dealt.thrown) == ("", ())


@pytest.mark.parametrize(
    "path",
    ["/events", "/api/snapshot", "/api/practice/chances", "/api/practice/review", "/report",
     "/report.pdf", "/api/history", "/api/history/1", "/history/score.svg", "/api/replay/1"],
)  # fmt: skip
def test_a_device_without_the_pin_is_shown_no_card(
    path: str, board: FakeBoard, checkout: Path, dealt: Dealt
) -> None:
    keys = Keys(b"k" * 32, "482913")
    app = create_app(board, web_dir=checkout / "web", practice=dealt, keys=keys)
    device = app.test_client()
    device.environ_base["REMOTE_ADDR"] = "192.168.1.30"
    assert device.get("/practice").status_code == 200  # it asks for the PIN
    assert device.get(path).status_code == 403
    device.post("/api/enter", json={"pin": "482913"})
    answer = device.get(path)
    assert answer.status_code != 403
    answer.close()
