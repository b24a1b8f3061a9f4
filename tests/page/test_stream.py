"""Server-sent events over a real socket: many listeners, reconnections, and a clean end."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.page import DashboardServer, serve
from assistant.page.app import stream_of
from assistant.page.asgi import OWN_THREADS
from assistant.page.guard import MOST_STREAMS_EACH
from assistant.rules.calls import Bet, Cut
from assistant.table.snapshot import EarStatus
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.page.listener import Listener


def wait_until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.01)


def test_a_listener_gets_the_table_at_once_and_then_every_change(
    server: DashboardServer, board: FakeBoard
) -> None:
    page = Listener(server)
    assert page.response.headers["Content-Type"].startswith("text/event-stream")
    assert page.response.headers["Cache-Control"] == "no-store"
    assert page.next() == board.snapshot()
    board.say("corto", Cut(seat=2))
    assert page.next()["phase"] == "grande"
    board.hear(EarStatus("lost", "El micrófono se ha desenchufado."))
    seen = page.next()
    assert seen["ear"] == {"state": "lost", "note": "El micrófono se ha desenchufado."}
    page.close()


def test_many_listeners_see_the_same_and_share_one_thread(
    server: DashboardServer, app: Flask, board: FakeBoard
) -> None:
    before = threading.active_count()
    pages = [Listener(server) for _ in range(60)]
    for page in pages:
        page.next()
    assert stream_of(app).listeners == 60
    assert threading.active_count() <= before + OWN_THREADS + 1  # one waits at the board
    board.say("corto, envido", Cut(seat=1), Bet(seat=1, stones=4))
    assert {json.dumps(page.next()) for page in pages} == {json.dumps(board.snapshot())}
    for page in pages:
        page.close()
    wait_until(lambda: stream_of(app).listeners == 0)
    wait_until(lambda: board.waiting == 0)


def test_a_slow_listener_gets_the_newest_table_and_no_backlog(
    server: DashboardServer, board: FakeBoard
) -> None:
    page = Listener(server)
    page.next()
    for i in range(500):
        board.hear(EarStatus("listening", f"{i}"))
    versions = [page.next()["version"]]
    while versions[-1] < board.version:
        versions.append(page.next()["version"])
    assert versions == sorted(set(versions))
    page.close()


def test_a_listener_that_reconnects_up_to_date_gets_nothing_again(
    server: DashboardServer, board: FakeBoard
) -> None:
    page = Listener(server)
    page.next()
    page.close()
    again = Listener(server, page.last_id)
    threading.Timer(0.3, board.say, ("corto", Cut(seat=1))).start()
    assert again.next()["phase"] == "grande"
    again.close()


def test_a_listener_that_reconnects_late_gets_the_present_table(
    server: DashboardServer, board: FakeBoard
) -> None:
    page = Listener(server)
    page.next()
    page.close()
    board.say("corto", Cut(seat=1))
    board.say("envido", Bet(seat=1))
    again = Listener(server, page.last_id)
    assert again.next() == board.snapshot()
    again.close()


@pytest.mark.parametrize(
    "last_id", ["", "7", "abc.0", "deadbeef.0", "." * 500, "-1", "x.99999999999999"]
)
def test_an_event_id_of_another_run_gets_the_whole_table(
    server: DashboardServer, board: FakeBoard, last_id: str
) -> None:
    page = Listener(server, last_id)
    assert page.next() == board.snapshot()
    page.close()


def test_a_quiet_stream_sends_beats(server: DashboardServer) -> None:
    page = Listener(server)
    page.next()
    beat = list(page.fields())
    assert ("", "beat") in beat  # a comment, as the standard asks
    assert ("event", "beat") in beat  # an event, which the page can see
    page.close()


def test_a_stranger_over_the_limit_is_asked_to_come_later(
    server: DashboardServer, app: Flask
) -> None:
    pages = [Listener(server, source="127.0.0.2") for _ in range(MOST_STREAMS_EACH)]
    wait_until(lambda: stream_of(app).listeners == MOST_STREAMS_EACH)
    one_more = Listener(server, source="127.0.0.2")
    assert one_more.response.status == 503
    assert one_more.response.headers["Retry-After"]
    others = [Listener(server, source=source) for source in ("127.0.0.1", "127.0.0.3")]
    assert [page.response.status for page in others] == [200, 200]
    for page in [*pages, one_more, *others]:
        page.close()
    wait_until(lambda: stream_of(app).listeners == 0)
    back = Listener(server, source="127.0.0.2")
    assert back.response.status == 200
    back.close()


def test_a_head_request_takes_no_place_in_the_stream(client: FlaskClient, app: Flask) -> None:
    answer = client.head("/events")
    answer.close()
    assert stream_of(app).listeners == 0


def test_stopping_ends_every_stream(
    board: FakeBoard, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # no stream is cut off by this timeout
    monkeypatch.setattr("assistant.page.server.STOP_SECONDS", 60)
    app = create_app(board, web_dir=web)
    before = threading.active_count()
    server = serve(app, "127.0.0.1", 0)
    server.start()
    pages = [Listener(server) for _ in range(5)]
    for page in pages:
        page.next()
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 60
    assert [page.response.read() for page in pages] == [b""] * 5
    assert stream_of(app).listeners == 0
    wait_until(lambda: threading.active_count() <= before)
    for page in pages:
        page.close()


def test_a_closed_board_does_not_keep_its_listeners_busy(board: FakeBoard, web: Path) -> None:
    board.closed = True
    server = serve(create_app(board, web_dir=web), "127.0.0.1", 0)
    server.start()
    page = Listener(server)
    page.next()
    time.sleep(0.7)
    server.stop()
    page.close()
    assert board.asked <= 4
