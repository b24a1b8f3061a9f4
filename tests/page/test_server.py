"""The server: it takes a port, releases it, and gives one sentence when it cannot."""

from __future__ import annotations

import http.client
import socket

import pytest
from flask import Flask

from assistant.page import DashboardError, DashboardServer, serve


def get(port: int, path: str = "/healthz") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_page_is_served_on_a_free_port(server: DashboardServer) -> None:
    assert server.port > 0
    assert server.url == f"http://127.0.0.1:{server.port}/"
    assert get(server.port) == 200
    assert get(server.port, "/") == 200


def test_a_port_in_use_gives_one_sentence(app: Flask, server: DashboardServer) -> None:
    with pytest.raises(DashboardError) as caught:
        serve(app, "127.0.0.1", server.port)
    assert str(caught.value) == f"Port {server.port} is taken: choose another with --port."


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("127.0.0.1", 70000, "does not exist"),
        ("127.0.0.1", -1, "does not exist"),
        ("203.0.113.9", 8765, "cannot be served"),
        ("no.such.host.invalid", 8765, "cannot be served"),
    ],
)
def test_an_impossible_address_gives_one_sentence(
    app: Flask, host: str, port: int, words: str
) -> None:
    with pytest.raises(DashboardError, match=words):
        serve(app, host, port)


def test_a_stopped_server_releases_its_port_at_once(app: Flask) -> None:
    first = serve(app, "127.0.0.1", 0)
    first.start()
    assert get(first.port) == 200
    first.stop()
    first.stop()
    with socket.socket() as probe, pytest.raises(ConnectionRefusedError):
        probe.connect(("127.0.0.1", first.port))
    second = serve(app, "127.0.0.1", first.port)
    second.start()
    assert get(second.port) == 200
    second.stop()


def test_a_server_that_was_never_started_can_be_stopped(app: Flask) -> None:
    server = serve(app, "127.0.0.1", 0)
    server.stop()
    with socket.socket() as probe, pytest.raises(ConnectionRefusedError):
        probe.connect(("127.0.0.1", server.port))


def test_the_answer_does_not_name_the_libraries(server: DashboardServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", "/healthz")
    names = connection.getresponse().headers["Server"].lower()
    connection.close()
    assert "werkzeug" not in names
    assert "python" not in names


def test_the_whole_local_network_is_served_on_request(app: Flask) -> None:
    server = serve(app, "0.0.0.0", 0)
    server.start()
    assert server.url.startswith("http://127.0.0.1:")
    assert get(server.port) == 200
    server.stop()
