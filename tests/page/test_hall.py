"""The hall's pages: every table as it changes, and the status of the hub."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Condition
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.hall.page import create_hall_app
from assistant.page import DashboardServer, serve
from assistant.page.stream import STREAM
from tests.page.listener import Listener
from tests.page.test_page import MAX_WEIGHT, Elements, loaded
from tests.tables import each_row

NASTY = "<script>alert(1)</script>"


class FakeHall:
    """A hall whose tables change when a test says so."""

    def __init__(self) -> None:
        self.version = 0
        self._tables: dict[str, dict[str, Any]] = {}
        self._changed = Condition()

    def change(self, table: str, **what: Any) -> None:
        with self._changed:
            self.version += 1
            self._tables[table] = {"table": table, "version": self.version, **what}
            self._changed.notify_all()

    def views(self, after: int = -1) -> Sequence[Mapping[str, Any]]:
        return [view for view in self._tables.values() if view["version"] > after]

    def view(self, table: str) -> Mapping[str, Any] | None:
        return self._tables.get(table)

    def wait(self, after: int, timeout: float) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self.version > after, timeout)
            return self.version


@pytest.fixture
def hall() -> FakeHall:
    hall = FakeHall()
    hall.change("mesa-1", online=True)
    hall.change("mesa-2", online=True)
    return hall


@pytest.fixture
def app(hall: FakeHall, web: Path) -> Flask:
    return create_hall_app(
        hall,
        web_dir=web,
        health=lambda: {"ready": False, "broker": False},
        metrics=lambda: b"mus_hub_gaps_total 0.0\n",
        heartbeat=0.1,
    )


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@each_row("path", ["/", "/screen", "/t/mesa-1", "/qr"])
def test_the_pages_are_small_and_have_no_inline_code(
    client: FlaskClient, web: Path, path: str
) -> None:
    page = client.get(path).get_data(as_text=True)
    assert loaded(page, web) < MAX_WEIGHT
    for tag, attributes in Elements(page).found:
        assert tag != "style"
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        assert tag != "script" or attributes.get("src")


@each_row("path", ["/t/mesa-9", "/api/hall/mesa-9", "/qr/mesa-9.svg", f"/t/{NASTY}"])
def test_an_unknown_table_is_answered_in_json(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert NASTY not in answer.get_data(as_text=True)
    assert "error" in answer.get_json()


def test_each_table_has_a_qr_code_of_its_own(client: FlaskClient) -> None:
    page = client.get("/qr").get_data(as_text=True)
    assert 'src="/qr/mesa-1.svg" alt="http://localhost/t/mesa-1"' in page
    codes = {client.get(f"/qr/mesa-{n}.svg").get_data() for n in (1, 2)}
    assert len(codes) == 2
    assert all(code.startswith(b"<svg") for code in codes)


def test_the_routes_give_all_tables_and_each_alone(client: FlaskClient) -> None:
    told = client.get("/api/hall").get_json()
    assert [table["table"] for table in told["tables"]] == ["mesa-1", "mesa-2"]
    assert client.get("/api/hall/mesa-2").get_json()["online"] is True


@pytest.fixture
def server(app: Flask) -> Iterator[DashboardServer]:
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def test_a_page_gets_all_tables_and_then_the_changed_ones(
    server: DashboardServer, hall: FakeHall
) -> None:
    page = Listener(server)
    whole = page.next_data()
    assert whole["whole"]
    assert [table["table"] for table in whole["tables"]] == ["mesa-1", "mesa-2"]
    hall.change("mesa-2", online=False)
    changed = page.next_data()
    assert changed["tables"] == [{"table": "mesa-2", "version": 3, "online": False}]
    assert not changed["whole"]
    assert ("event", "beat") in list(page.fields())
    page.close()


def test_a_page_that_reconnects_gets_what_it_missed(
    server: DashboardServer, app: Flask, hall: FakeHall
) -> None:
    boot = app.extensions[STREAM].boot
    hall.change("mesa-3", online=True)
    for seen, names in ((f"{boot}.2", ["mesa-3"]), ("other.2", ["mesa-1", "mesa-2", "mesa-3"])):
        page = Listener(server, seen)
        assert [table["table"] for table in page.next_data()["tables"]] == names
        page.close()


def test_the_status_of_the_hub_can_be_watched(client: FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"ok": True}
    ready = client.get("/readyz")
    assert (ready.status_code, ready.get_json()["broker"]) == (503, False)
    metrics = client.get("/metrics")
    assert metrics.content_type.startswith("text/plain")
    assert b"mus_hub_gaps_total" in metrics.data
