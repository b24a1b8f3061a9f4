"""The guard: this machine and admitted neighbours may use the page, foreign sites may not."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.page import Keys
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.tables import each_row

UNDO = {"command": "undo", "seen": 2}


@pytest.fixture
def lan(board: FakeBoard, web: Path) -> FlaskClient:
    return create_app(board, web_dir=web, keys=Keys(b"k" * 32, "482913")).test_client()


@each_row("host", ["127.0.0.1:8765", "localhost", "LOCALHOST:80", "[::1]:8765"])
def test_this_machine_may_open_the_page(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@each_row(
    "host", ["evil.example", "127.0.0.1.evil.example", "192.168.1.20:8765", "", "[::1", "a@b:c"]
)
@each_row("path", ["/", "/api/snapshot", "/events", "/static/js/main.js"])
def test_a_foreign_name_that_resolves_to_this_machine_is_refused(
    client: FlaskClient, host: str, path: str
) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert "error" in (answer.get_json() or {})


@pytest.mark.parametrize("host", ["192.168.1.20:8765", "[fe80::1]:8765", "localhost"])
def test_the_local_network_may_open_the_page_by_address(lan: FlaskClient, host: str) -> None:
    assert lan.get("/", headers={"Host": host}).status_code == 200


def test_the_local_network_may_open_the_page_by_the_machines_name(lan: FlaskClient) -> None:
    name = socket.gethostname().partition(".")[0]
    assert lan.get("/", headers={"Host": f"{name}.local:8765"}).status_code == 200


def test_the_local_network_does_not_admit_foreign_names(lan: FlaskClient) -> None:
    assert lan.get("/api/snapshot", headers={"Host": "evil.example"}).status_code == 421


@each_row(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_foreign_site_cannot_press(
    client: FlaskClient, board: FakeBoard, headers: dict[str, str]
) -> None:
    before = board.snapshot()["version"]
    answer = client.post("/api/press", json=UNDO, headers=headers)
    assert answer.status_code == 403
    assert board.snapshot()["version"] == before


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_the_pages_own_press_is_accepted(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.post("/api/press", json=UNDO, headers=headers).status_code == 200


@each_row("path", ["/", "/api/snapshot", "/static/js/main.js", "/nothing"])
def test_every_answer_forbids_what_the_page_does_not_need(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in headers


def test_a_foreign_preflight_request_is_granted_nothing(app: Flask) -> None:
    answer = app.test_client().options(
        "/api/press",
        headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"},
    )
    assert not [name for name in answer.headers.keys() if name.startswith("Access-Control")]  # noqa: SIM118
