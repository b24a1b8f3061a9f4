"""Raw bytes: whatever comes over the wire gets an answer in HTTP and no traceback."""

from __future__ import annotations

import logging
import socket

import pytest

from assistant.page import DashboardServer

HOST = b"Host: 127.0.0.1\r\n"
NONE_OF_OURS = {
    "no URL": b"GET http://[ HTTP/1.1\r\n" + HOST + b"\r\n",
    "no URL in the path": b"GET //[::1 HTTP/1.1\r\n" + HOST + b"\r\n",
    "another site's URL": b"GET http://elsewhere.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "a proxy's request": b"CONNECT elsewhere.example:443 HTTP/1.1\r\n" + HOST + b"\r\n",
    "a host that is none": b"GET / HTTP/1.1\r\nHost: [::\r\n\r\n",
    "a port that is none": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:x:y\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "control bytes": b"GET /\x00\x01\x1b HTTP/1.1\r\n" + HOST + b"\r\n",
    "control bytes in a header": b"GET / HTTP/1.1\r\n" + HOST + b"X: \x00\r\n\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "no letters": b"GET /%ff%fe%00 HTTP/1.1\r\n" + HOST + b"\r\n",
    "a very long address": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a very long head": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "very many headers": b"GET / HTTP/1.1\r\n" + HOST + b"X: a\r\n" * 200_000 + b"\r\n",
    "a length that is none": b"POST /api/press HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
    "a length without an end": b"POST /api/press HTTP/1.1\r\n"
    + HOST
    + b"Content-Type: application/json\r\nContent-Length: 99999999999999\r\n\r\n{}",
    "chunks that are none": b"POST /api/press HTTP/1.1\r\n"
    + HOST
    + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
}


def answer_to(port: int, request: bytes) -> bytes:
    """The answer to these bytes on a new connection, up to its head or the end."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            connection.sendall(request)
            answer = b""
            while b"\r\n\r\n" not in answer and (more := connection.recv(1 << 16)):
                answer += more
        except ConnectionResetError:  # it was answered before everything was sent
            pass
        return answer


@pytest.mark.parametrize("request_", NONE_OF_OURS.values(), ids=list(NONE_OF_OURS))
def test_a_malformed_request_is_refused_in_http(
    server: DashboardServer, caplog: pytest.LogCaptureFixture, request_: bytes
) -> None:
    with caplog.at_level(logging.WARNING):
        answer = answer_to(server.port, request_)
    assert answer.startswith(b"HTTP/1.1 4"), answer
    assert not caplog.records
    assert answer_to(server.port, b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n").startswith(
        b"HTTP/1.1 200"
    )
