"""The routes of the apprentice's page: its seat, its language, and the sound of a call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from flask.testing import FlaskClient

from assistant.language.sentences import SentenceError
from assistant.messages import Ignored, Pressed, Refused
from assistant.page import Keys
from assistant.rules.calls import Bet, Cut
from assistant.school.apprentice import Tongue
from assistant.school.apprentice import page as app
from assistant.table.runner import News
from assistant.table.table import Table
from tests.page.apps import create_app
from tests.page.learning import LearningBoard
from tests.tables import each_row
from tests.voice.parts import needs_speech


@pytest.fixture
def learning() -> Iterator[LearningBoard]:
    board = LearningBoard()
    yield board
    board.apprentice.close()


@pytest.fixture
def client(learning: LearningBoard, web: Path) -> FlaskClient:
    return create_app(learning, web_dir=web, learner=learning.apprentice).test_client()


def test_each_seat_gets_its_own_advice(client: FlaskClient, learning: LearningBoard) -> None:
    learning.say("", Cut(seat=1), Bet(seat=1, stones=5))
    mine, theirs = (client.get(f"/api/apprentice?seat={seat}").get_json() for seat in (1, 2))
    assert mine["said"]["mine"]
    assert not theirs["said"]["mine"]
    assert [choice["kind"] for choice in mine["may"]] == []
    assert "accept" in [choice["kind"] for choice in theirs["may"]]


@pytest.mark.parametrize(
    ("lang", "turn"),
    [
        ("", "Te toca hablar."),
        ("eu", "Zure txanda da."),
        ("en-GB", "It is your turn to speak."),
        ("xx", "Te toca hablar."),
    ],
)
def test_the_page_speaks_the_requested_language_or_the_tables(
    client: FlaskClient, lang: str, turn: str
) -> None:
    view = client.get(f"/api/apprentice?seat=1&lang={lang}").get_json()
    assert view["turn"]["text"] == turn
    assert view["may"][1]["ways"][0]["say"] == "No hay mus", (
        "the calls are named in the table's language"
    )


@each_row(
    "query, status",
    [
        ("", 400),
        ("?seat=x", 400),
        ("?seat=0", 404),
        ("?seat=5", 404),
        (f"?seat=1&hand={'R' * 201}", 400),
    ],
)
def test_a_seat_that_does_not_exist_is_refused_in_one_sentence(
    client: FlaskClient, query: str, status: int
) -> None:
    answer = client.get(f"/api/apprentice{query}")
    assert answer.status_code == status
    assert answer.get_json()["error"].endswith(".")


def test_a_browser_keeps_no_copy_of_the_advice(client: FlaskClient) -> None:
    assert client.get("/api/apprentice?seat=1").headers["Cache-Control"] == "no-store"


def test_a_mistake_stays_during_table_talk_until_the_next_call(
    client: FlaskClient, learning: LearningBoard
) -> None:
    def code() -> str | None:
        mistake = client.get("/api/apprentice?seat=1").get_json()["mistake"]
        return mistake["code"] if mistake else None

    learning.say("", Cut(seat=1), Bet(seat=1), Bet(seat=1, stones=5))
    assert code() == "own_bet"
    assert isinstance(learning.heard and learning.heard.outcomes[-1], Refused)
    learning.overhear(Ignored("talk"))
    assert code() == "own_bet"
    learning.say("", Bet(seat=2, stones=5))
    assert code() == "bare_raise"


@pytest.mark.slow
@needs_speech
def test_only_the_calls_of_the_page_can_be_heard(client: FlaskClient) -> None:
    say, call = "/api/apprentice/say", {"text": "No hay mus"}
    assert client.post(say, json=call).status_code == 404, "no page has been given the text yet"
    client.get("/api/apprentice?seat=1")
    answer = client.post(say, json=call)
    assert answer.mimetype == "audio/wav"
    assert answer.data[:4] == b"RIFF"
    assert client.post(say, json={"text": "En un lugar de la Mancha"}).status_code == 404


@pytest.mark.slow
@needs_speech
def test_the_tables_ear_is_shut_while_a_call_sounds(
    client: FlaskClient, learning: LearningBoard
) -> None:
    client.get("/api/apprentice?seat=1")
    client.post("/api/apprentice/say", json={"text": "No hay mus"})
    client.post("/api/apprentice/say", json={"text": "nobody was given this"})
    assert len(learning.hushed) == 1
    assert 0.8 < learning.hushed[0] < 4


@each_row("body", [{}, {"text": 3}, {"text": "a" * 201}, {"text": "Mus", "at": 1}])
def test_an_invalid_request_for_a_sound_is_refused(client: FlaskClient, body: object) -> None:
    assert client.post("/api/apprentice/say", json=body).status_code == 400


def test_an_onlookers_sound_does_not_shut_the_tables_ear(
    web: Path, learning: LearningBoard
) -> None:
    keys = Keys(b"k" * 32, "482913")
    app = create_app(learning, web_dir=web, keys=keys, learner=learning.apprentice)
    body = {"text": "No hay mus"}
    where = {"REMOTE_ADDR": "192.0.2.7"}
    answer = app.test_client().post("/api/apprentice/say", json=body, environ_base=where)
    assert answer.status_code == 403
    assert learning.hushed == []


def test_a_table_without_an_apprentice_has_no_such_page(web: Path) -> None:
    client = create_app(LearningBoard(), web_dir=web).test_client()
    assert client.get("/apprentice").status_code == 404
    assert b'href="/apprentice"' not in client.get("/").data


def test_a_mistake_is_told_with_its_seat_where_that_is_known(learning: LearningBoard) -> None:
    learning.say("", Cut(seat=1), Bet(seat=1))
    wrong = News(Pressed(Bet(seat=3, stones=2)), (Refused("own_bet"),), ())
    learning.apprentice.told(wrong, cast(Table, learning))
    names = []
    for seat in (1, 3):
        view = learning.apprentice.view(seat, "", "")
        assert view
        assert view["mistake"]
        names.append(view["mistake"]["name"])
    assert names == ["Sur", ""]


def test_a_damaged_text_is_named(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(_language: str, _calls: str) -> Tongue:
        raise SentenceError("turn.you: this sentence is missing.")

    monkeypatch.setattr(app, "load_tongue", spoilt)
    answer = client.get("/api/apprentice?seat=1")
    assert answer.status_code == 503
    assert answer.get_json()["error"] == "turn.you: this sentence is missing."
