"""Limits for strangers: the table's own devices are served, whatever strangers do."""

from __future__ import annotations

import http.client
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Event

import pytest
from flask import Flask

from assistant.page import DashboardServer, serve
from assistant.page import server as server_module
from assistant.page.app import stream_of
from assistant.page.asgi import OWN_THREADS
from assistant.page.guard import (
    GUESTS,
    KNOWN_KEPT,
    MOST,
    MOST_EACH,
    MOST_STREAMS,
    MOST_STREAMS_EACH,
    Guests,
)
from assistant.table.snapshot import EarStatus
from tests.page.fake_board import FakeBoard

STRANGER = "127.0.0.2"
WAIT = 60.0
"""Seconds for events that take milliseconds on an idle machine."""


def connected(port: int, source: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=WAIT, source_address=(source, 0))


def status(port: int, source: str = "127.0.0.1") -> int:
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=WAIT, source_address=(source, 0)
    )
    connection.request("GET", "/healthz")
    answer = connection.getresponse().status
    connection.close()
    return answer


def is_cut(one: socket.socket) -> bool:
    one.settimeout(WAIT)
    try:
        return one.recv(1) == b""
    except ConnectionResetError:
        return True


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.02)


@pytest.fixture
def hurried(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[DashboardServer]:
    """A server that allows two seconds for the head of a request, in place of ten."""
    monkeypatch.setattr(server_module, "HEAD_SECONDS", 2.0)
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def test_a_stranger_has_a_limited_number_of_connections_of_his_own(
    server: DashboardServer, app: Flask
) -> None:
    with ExitStack() as stack:
        for _ in range(MOST_EACH):
            stack.enter_context(connected(server.port, STRANGER)).sendall(b"G")
        until(lambda: app.extensions[GUESTS]._connections[STRANGER] == MOST_EACH)
        one_more = stack.enter_context(connected(server.port, STRANGER))
        assert is_cut(one_more)
        assert status(server.port) == 200
        assert status(server.port, "127.0.0.3") == 200
        many = [stack.enter_context(connected(server.port, "127.0.0.1")) for _ in range(60)]
        assert len(many) == 60
        assert status(server.port) == 200


def test_a_head_that_comes_byte_by_byte_is_cut_off(hurried: DashboardServer) -> None:
    with connected(hurried.port, STRANGER) as slow:
        begun = time.monotonic()
        with pytest.raises(OSError, match=r"reset|[Bb]roken|timed out"):  # noqa: PT012
            while time.monotonic() - begun < WAIT:
                slow.sendall(b"G")
                time.sleep(0.1)
            raise AssertionError("it was never cut off")
        assert time.monotonic() - begun < 10


def test_a_stream_may_last_longer_than_a_head(hurried: DashboardServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", hurried.port, timeout=WAIT)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        assert answer.readline() != b""  # the beats of a quiet table
    connection.close()


def test_a_place_is_free_again_when_its_stranger_has_left(
    server: DashboardServer, app: Flask
) -> None:
    guests: Guests = app.extensions[GUESTS]
    for _ in range(3):
        with ExitStack() as stack:
            for _ in range(MOST_EACH):
                stack.enter_context(connected(server.port, STRANGER))
            until(lambda: guests._connections[STRANGER] == MOST_EACH)
        until(lambda: not guests._connections[STRANGER])


@pytest.mark.parametrize(("enter", "most"), [("connects", MOST), ("listens", MOST_STREAMS)])
def test_all_strangers_together_leave_room_for_the_tables_own_devices(
    enter: str, most: int
) -> None:
    guests = Guests()
    guests.trust("phone")
    for _ in range(200):
        assert getattr(guests, enter)("127.0.0.1")
        assert getattr(guests, enter)("phone")
    taken = [getattr(guests, enter)(f"bar-{n % 999}") for n in range(3 * most)]
    assert taken.count(True) == most
    assert [getattr(guests, enter)("one") for _ in range(2)] == [False, False]
    assert getattr(guests, enter)("127.0.0.1")
    assert getattr(guests, enter)("phone")


def test_devices_that_sent_the_pin_are_remembered_in_bounded_number() -> None:
    guests = Guests()
    for number in range(KNOWN_KEPT + 1):
        guests.trust(str(number))
    assert len(guests._known) == KNOWN_KEPT
    assert [guests.listens("0") for _ in range(MOST_STREAMS_EACH + 1)][-1] is False
    assert all(guests.listens("1") for _ in range(MOST_STREAMS_EACH + 1))


def test_each_request_of_a_connection_has_the_full_time_for_its_head(
    hurried: DashboardServer,
) -> None:
    page = http.client.HTTPConnection("127.0.0.1", hurried.port, WAIT, (STRANGER, 0))
    page.connect()
    with page.sock as one:
        for _ in range(3):
            time.sleep(0.8)
            page.request("GET", "/healthz")
            assert page.getresponse().read()
        begun = time.monotonic()
        one.sendall(b"G")
        assert is_cut(one)
        assert time.monotonic() - begun < 10


def test_a_body_that_never_comes_holds_no_thread(server: DashboardServer) -> None:
    head = b"POST /api/press HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
    with ExitStack() as stack:
        for source in (STRANGER, "127.0.0.1"):
            for _ in range(2 * OWN_THREADS):
                stack.enter_context(connected(server.port, source)).sendall(head)
        time.sleep(0.3)
        assert status(server.port) == 200
        assert status(server.port, "127.0.0.3") == 200


def test_an_answer_that_nobody_takes_holds_no_thread(server: DashboardServer, app: Flask) -> None:
    app.add_url_rule("/long", view_func=lambda: (b"x" * 65_536 for _ in range(200)))
    ask = b"GET /long HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(2 * OWN_THREADS):
            stack.enter_context(connected(server.port, "127.0.0.1")).sendall(ask)
        time.sleep(0.3)
        assert status(server.port) == 200


def test_slow_requests_of_strangers_leave_threads_for_the_tables_own_devices(
    server: DashboardServer, app: Flask
) -> None:
    done = Event()
    app.add_url_rule("/slow", view_func=lambda: str(done.wait(30)))
    with ExitStack() as stack:
        stack.callback(done.set)
        asking = [
            stack.enter_context(connected(server.port, f"127.0.0.{number}"))
            for number in range(2, 2 + 3 * OWN_THREADS)
        ]
        for one in asking:
            one.sendall(b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        time.sleep(0.3)
        assert status(server.port) == 200
        done.set()
        assert all(b" 200 " in one.recv(1 << 16) for one in asking)


def test_a_page_that_reads_no_more_is_dropped_silently(
    server: DashboardServer,
    app: Flask,
    board: FakeBoard,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("assistant.page.stream.SEND_SECONDS", 0.5)
    with connected(server.port, "127.0.0.1") as stuck:
        stuck.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        until(lambda: stream_of(app).listeners > 0)
        end = time.monotonic() + WAIT
        while stream_of(app).listeners:  # until all buffers between them are full
            assert time.monotonic() < end
            board.hear(EarStatus("listening", "x" * 200_000))
            time.sleep(0.01)
    assert status(server.port) == 200
    assert not caplog.records


def test_a_body_that_takes_too_long_is_dropped_silently(
    server: DashboardServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("assistant.page.asgi.BODY_SECONDS", 0.3)
    with connected(server.port, STRANGER) as slow:
        slow.sendall(b"POST /api/press HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
        assert is_cut(slow)
    assert not caplog.records


def test_the_server_stops_despite_a_page_that_reads_no_more(
    app: Flask, board: FakeBoard, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(app, "127.0.0.1", 0)
    server.start()
    with connected(server.port, "127.0.0.1") as stuck:
        stuck.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        for _ in range(60):
            board.hear(EarStatus("listening", "x" * 200_000))
            time.sleep(0.01)
        begun = time.monotonic()
        server.stop()
        assert time.monotonic() - begun < 10
    assert not caplog.records


def test_a_forged_forwarding_header_gives_no_other_address(server: DashboardServer) -> None:
    head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 127.0.0.1\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(MOST_EACH):
            one = stack.enter_context(connected(server.port, STRANGER))
            one.sendall(head)
            assert one.recv(1)
        assert is_cut(stack.enter_context(connected(server.port, STRANGER)))


def test_the_process_raises_its_limit_of_open_files(app: Flask) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 512:
        pytest.skip("this machine allows few files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        server = serve(app, "127.0.0.1", 0)
        server.start()
        server.stop()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
