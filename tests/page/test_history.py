"""The routes of the history page: the table at a step, and the picture of a showdown."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from assistant.eye.at_table import ShowdownEvidence
from assistant.eye.read import Reading
from assistant.files.resources import load_phrases
from assistant.messages.showdown import settle
from assistant.review.evening import report_words
from assistant.review.history import LiveReport
from assistant.review.mus_chronicle import load_words
from assistant.rules.calls import Bet, Cut
from assistant.rules.events import MusCut
from tests.page.apps import create_app
from tests.page.fake_board import START, FakeBoard
from tests.page.past import history_of
from tests.review.report.evenings import juego
from tests.review.test_report import Table
from tests.tables import each_row


@pytest.fixture
def evidence(tmp_path: Path) -> ShowdownEvidence:
    found = ShowdownEvidence(tmp_path)
    found.keep(1, np.zeros((90, 160, 3), np.uint8), Reading((), settle((), (1, 2, 3, 4))))
    return found


@pytest.fixture
def client(board: FakeBoard, web: Path, evidence: ShowdownEvidence) -> FlaskClient:
    return create_app(board, web_dir=web, history=history_of(board, evidence)).test_client()


def test_the_table_at_a_step_equals_what_was_shown_then(
    client: FlaskClient, board: FakeBoard
) -> None:
    board.say("", Cut(seat=1))
    then = board.snapshot()
    board.say("", Bet(stones=5))
    found = client.get(f"/api/replay/{then['seq']}").get_json()
    for part in ("seats", "sides", "lances", "pending", "phase", "deal", "to_speak"):
        assert found[part] == then[part], part


def steps(client: FlaskClient, asked: str = "") -> list[str]:
    return [step["text"] for step in client.get(f"/api/history/1{asked}").get_json()["steps"]]


@pytest.mark.parametrize("language", ["es", "eu", "en"])
def test_a_deal_is_told_in_the_language_of_the_page(
    client: FlaskClient, board: FakeBoard, language: str
) -> None:
    board.say("", Cut(seat=1))
    events = [record.event for record in board.records if isinstance(record.event, MusCut)]
    line = load_phrases(language).log_line(events[0], board.state, board.records)
    asked = f"?lang={language}"
    # The fake phrases of the board are its table's, which is Spanish.
    assert any(line in text for text in steps(client, asked)) is (language != "es")
    assert steps(client) == steps(client, "?lang=es") == steps(client, "?lang=xx")
    seq = board.records[-1].seq
    lines = [one["text"] for one in client.get(f"/api/replay/{seq}{asked}").get_json()["log"]]
    assert (line in lines) is (language != "es")
    client.set_cookie("tongue", language)
    assert steps(client) == steps(client, asked)


@pytest.mark.parametrize("language", ["es", "eu", "en"])
def test_the_pictures_are_drawn_in_the_language_of_the_page(
    client: FlaskClient, language: str
) -> None:
    for picture, title in (("score", "score.title"), ("lances", "lances.title")):
        drawn = client.get(f"/history/{picture}.svg?lang={language}").text
        assert load_words(language)(title) in drawn
    assert client.get("/history/score.svg").data == client.get("/history/score.svg?lang=es").data
    deals = {client.get(f"/history/deal-1.svg?lang={one}").text for one in ("es", "eu", "en")}
    assert len(deals) == 3


@pytest.mark.parametrize("language", ["es", "eu", "en"])
def test_the_report_is_in_the_language_of_the_page_on_screen_and_on_paper(
    board: FakeBoard, web: Path, language: str
) -> None:
    reports = LiveReport(Table(juego(1)))  # type: ignore[arg-type]
    client = create_app(board, web_dir=web, reports=reports).test_client()
    page = client.get(f"/report?lang={language}").text
    words = report_words(language)
    for key in ("title", "best.title", "dearest.title", "read.title", "read.shared"):
        assert words(key) in page
    assert f'href="/report.pdf?lang={language}"' in page
    papers = {one: client.get(f"/report.pdf?lang={one}").data for one in ("es", "eu", "en")}
    assert len(set(papers.values())) == 3
    assert client.get("/report.pdf").data == papers["es"]
    client.set_cookie("tongue", language)
    assert client.get("/report").text == page
    assert client.get("/report.pdf").data == papers[language]


@each_row(
    "path", ["/api/history/9", "/api/history/9/cards.jpg", "/api/replay/0", "/api/replay/9999"]
)
def test_an_unknown_deal_or_step_is_refused_in_one_sentence(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.get_json()["error"].endswith(".")


def test_the_picture_of_a_showdown_is_shown_with_its_deal(client: FlaskClient) -> None:
    answer = client.get("/api/history/1/cards.jpg")
    assert answer.mimetype == "image/jpeg"
    assert answer.data[:3] == b"\xff\xd8\xff"


def test_the_picture_of_another_match_is_not_shown(client: FlaskClient, tmp_path: Path) -> None:
    for path in tmp_path.glob("*.jpg"):
        os.utime(path, (START - 60, START - 60))
    assert client.get("/api/history/1/cards.jpg").status_code == 404
