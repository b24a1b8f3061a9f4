"""The routes of the history page: the table at a step, and the picture of a showdown."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from assistant.eye.at_table import ShowdownEvidence
from assistant.eye.read import Reading
from assistant.messages.showdown import settle
from assistant.rules.calls import Bet, Cut
from tests.page.apps import create_app
from tests.page.fake_board import START, FakeBoard
from tests.page.past import history_of
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
