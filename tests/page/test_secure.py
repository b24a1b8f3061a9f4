"""The secure page beside the plain one, and the WebSockets of both."""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Flask, Response, request
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from assistant.page import DashboardServer, serve
from assistant.page import server as server_module
from assistant.page.asgi import MOST_MESSAGE, Conversation, add_socket
from assistant.page.authority import Authority, SecureDoor
from assistant.page.door import check_may_touch
from assistant.page.guard import GUESTS, check_socket_origin
from tests.page.secure_talk import SecureTalk

STRANGER = "127.0.0.2"
WAIT = 60.0


@pytest.fixture
def door(tmp_path: Path) -> SecureDoor:
    return SecureDoor(0, Authority(tmp_path / "authority"))


@pytest.fixture
def both(app: Flask, door: SecureDoor) -> Iterator[DashboardServer]:
    """A server with a secure address, and an echo at ``/echo``."""

    async def echo(talk: Conversation) -> None:
        while (heard := await talk.next(WAIT)) is not None:
            if heard == "enough":
                await talk.close(4400, "That is enough. " * 20)
                return
            await talk.say(f"{talk.address} {talk.secure} {heard!r}")

    @app.get("/echo")
    def let_in() -> Response:
        check_may_touch()
        check_socket_origin(request)
        return Response(status=204)

    add_socket(app, "/echo", echo)
    server = serve(app, "127.0.0.1", 0, secure=door)
    server.start()
    yield server
    server.stop()


def trusting(door: SecureDoor) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=door.authority.certificate)


def get(port: int, context: ssl.SSLContext | None, path: str = "/healthz") -> tuple[int, bytes]:
    connection = (
        http.client.HTTPSConnection("127.0.0.1", port, timeout=WAIT, context=context)
        if context
        else http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
    )
    connection.request("GET", path)
    answer = connection.getresponse()
    data = answer.status, answer.read()
    connection.close()
    return data


def talking(door: SecureDoor, path: str = "echo") -> SecureTalk:
    return SecureTalk(door.port, path, trusting(door), f"https://127.0.0.1:{door.port}")


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.02)


def test_the_same_page_is_served_plain_and_secure(both: DashboardServer, door: SecureDoor) -> None:
    assert both.url == f"http://127.0.0.1:{both.port}/"
    assert both.secure_url == f"https://127.0.0.1:{door.port}/"
    for path in ("/", "/phone", "/api/snapshot"):
        assert get(both.port, None, path) == get(door.port, trusting(door), path)


@pytest.mark.usefixtures("both")
def test_a_post_is_taken_at_the_secure_address_and_from_its_own_origin_alone(
    door: SecureDoor,
) -> None:
    for scheme, status in (("https", 400), ("http", 403)):
        connection = http.client.HTTPSConnection(
            "127.0.0.1", door.port, timeout=WAIT, context=trusting(door)
        )
        origin = f"{scheme}://127.0.0.1:{door.port}"
        head = {"Content-Type": "application/json", "Origin": origin}
        connection.request("POST", "/api/press", b"{}", head)
        assert connection.getresponse().status == status
        connection.close()


def test_a_secure_port_that_is_taken_leaves_the_plain_page_and_one_sentence(
    app: Flask, server: DashboardServer, door: SecureDoor, caplog: pytest.LogCaptureFixture
) -> None:
    door.port = server.port
    with caplog.at_level(logging.WARNING):
        one = serve(app, "127.0.0.1", 0, secure=door)
    one.start()
    assert one.secure_url is None
    assert get(one.port, None)[0] == 200
    one.stop()
    assert [record.getMessage() for record in caplog.records] == [
        f"There is no secure page for telephones: Port {server.port} is taken: "
        "choose another with --https-port."
    ]


def test_a_websocket_is_held_at_both_addresses(both: DashboardServer, door: SecureDoor) -> None:
    with talking(door) as secure:
        secure.send("hola")
        assert secure.recv(WAIT) == "127.0.0.1 True 'hola'"
        secure.send(b"\x00\x01")
        assert secure.recv(WAIT) == "127.0.0.1 True b'\\x00\\x01'"
    with connect(f"ws://127.0.0.1:{both.port}/echo") as plain:
        plain.send("hola")
        assert plain.recv(WAIT) == "127.0.0.1 False 'hola'"


@pytest.mark.usefixtures("both")
def test_a_websocket_of_a_foreign_page_is_refused(door: SecureDoor) -> None:
    for origin in ("https://bank.example", "null", f"http://127.0.0.1:{door.port}"):
        with pytest.raises(InvalidStatus) as refused:
            SecureTalk(door.port, "echo", trusting(door), origin)
        assert refused.value.response.status_code == 403


HANDSHAKE, TICKET = 22, 4
"""The numbers of a TLS handshake message and of a session ticket (RFC 8446 4 and 5.1)."""
UPGRADE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.usefixtures("both")
def test_a_client_that_takes_long_over_its_session_tickets_loses_no_request(
    door: SecureDoor,
) -> None:
    """The server sends them right after the handshake, while the client sends its request."""
    tickets = []

    def take(
        _socket: object, direction: str, _version: int, content: int, kind: int, _data: bytes
    ) -> None:
        if (direction, content, kind) == ("read", HANDSHAKE, TICKET):
            tickets.append(kind)
            time.sleep(0.5)

    context = trusting(door)
    context._msg_callback = take  # type: ignore[attr-defined]
    with pytest.raises(InvalidStatus) as refused:
        SecureTalk(door.port, "echo", context, "https://bank.example")
    assert refused.value.response.status_code == 403
    assert tickets


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize(
    ("path", "more", "status"),
    [("healthz", b"", 200), ("echo", UPGRADE, 101)],
    ids=["page", "websocket"],
)
@pytest.mark.parametrize("cut", [None, 1, -1])
def test_a_request_that_comes_with_the_end_of_the_handshake_is_answered(
    door: SecureDoor, path: str, more: bytes, status: int, cut: int | None
) -> None:
    """The client's last handshake message and its request share packets, however they are cut."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trusting(door).wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    host = f"127.0.0.1:{door.port}".encode()
    head = b"GET /%s HTTP/1.1\r\nHost: %s\r\nOrigin: https://%s\r\n%s\r\n"
    with socket.create_connection(("127.0.0.1", door.port), timeout=WAIT) as plain:
        with pytest.raises(ssl.SSLWantReadError):
            tls.do_handshake()
        plain.sendall(outgoing.read())
        while True:
            incoming.write(plain.recv(65536))
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                pass
        tls.write(head % (path.encode(), host, host, more))
        last = outgoing.read()  # of both: the handshake's end, and the request
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.sendall(last[:cut])
        if cut is not None:
            time.sleep(0.2)
            plain.sendall(last[cut:])
        answer = b""
        while not answer:
            incoming.write(plain.recv(65536))
            with suppress(ssl.SSLWantReadError):
                answer = tls.read(65536)
    assert answer.startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize(("path", "status"), [("nowhere", 404), ("healthz", 200)])
def test_there_is_no_websocket_where_there_is_no_handler(
    door: SecureDoor, path: str, status: int
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        talking(door, path)
    assert refused.value.response.status_code == status


@pytest.mark.usefixtures("both")
def test_a_message_that_is_too_long_ends_the_websocket(door: SecureDoor) -> None:
    with talking(door) as one:
        one.send(b"x" * MOST_MESSAGE)
        assert one.recv(WAIT)
        one.send(b"x" * (MOST_MESSAGE + 1))
        with pytest.raises(ConnectionClosed) as closed:
            one.recv(WAIT)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1009


@pytest.mark.usefixtures("both")
def test_a_reason_is_cut_to_what_a_close_frame_holds(door: SecureDoor) -> None:
    with talking(door) as one:
        one.send("enough")
        with pytest.raises(ConnectionClosed) as closed:
            one.recv(WAIT)
        assert closed.value.rcvd
        assert (closed.value.rcvd.code, len(closed.value.rcvd.reason)) == (4400, 123)


def test_websockets_end_with_the_server(both: DashboardServer, door: SecureDoor) -> None:
    with talking(door) as one:
        both.stop()
        with pytest.raises(ConnectionClosed) as closed:
            one.recv(WAIT)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1012  # the table is opened anew: come again


def test_connections_are_counted_until_they_end_whatever_they_were(
    app: Flask, both: DashboardServer, door: SecureDoor
) -> None:
    """Plain ones, secure ones, those whose TLS fails or never begins, and WebSockets."""
    count = app.extensions[GUESTS]._connections
    with talking(door), socket.create_connection(("127.0.0.1", door.port)) as silent:
        with socket.create_connection(
            ("127.0.0.1", door.port), source_address=(STRANGER, 0)
        ) as rude:
            rude.sendall(b"GET / HTTP/1.1\r\n\r\n")
        until(lambda: count[STRANGER] == 0)
        until(lambda: count["127.0.0.1"] == 2)
        assert silent
    get(door.port, trusting(door))
    until(lambda: count["127.0.0.1"] == 0)
    until(lambda: not both._page.connections)


def test_a_handshake_that_never_comes_is_cut_off(
    app: Flask, door: SecureDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "HEAD_SECONDS", 1.0)
    server = serve(app, "127.0.0.1", 0, secure=door)
    server.start()
    with socket.create_connection(("127.0.0.1", door.port), timeout=WAIT) as slow:
        assert slow.recv(1) == b""
    server.stop()


def test_the_stream_of_one_table_goes_to_both_addresses(
    both: DashboardServer, door: SecureDoor
) -> None:
    for context, port in ((None, both.port), (trusting(door), door.port)):
        connection = (
            http.client.HTTPSConnection("127.0.0.1", port, timeout=WAIT, context=context)
            if context
            else http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
        )
        connection.request("GET", "/events")
        answer = connection.getresponse()
        lines = [answer.readline() for _ in range(4)]
        assert lines[0] == b"retry: 1000\n"
        assert lines[2].startswith(b"id: ")
        connection.close()
