"""A board, an app for it, and a server of the app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.page import DashboardServer, serve
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard


@pytest.fixture
def web(checkout: Path) -> Path:
    return checkout / "web"


@pytest.fixture
def board() -> FakeBoard:
    return FakeBoard()


@pytest.fixture
def app(board: FakeBoard, web: Path) -> Flask:
    return create_app(board, web_dir=web, heartbeat=0.2)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def server(app: Flask) -> Iterator[DashboardServer]:
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()
