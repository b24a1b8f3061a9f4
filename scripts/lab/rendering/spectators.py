"""Spectators: many open pages, in a process of their own.

    python scripts/lab/rendering/spectators.py URL COUNT

Prints "ready" once all pages have the first snapshot, and their number when the table closes.
"""

from __future__ import annotations

import selectors
import socket
import sys
from urllib.parse import urlsplit

AT_ONCE = 65536


def main(url: str, count: int) -> int:
    """Keep the pages open until the server ends every stream."""
    place = urlsplit(url)
    waiting = selectors.DefaultSelector()
    for _ in range(count):
        one = socket.create_connection((place.hostname or "", place.port or 80), timeout=10)
        one.sendall(f"GET /events HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        one.setblocking(False)
        waiting.register(one, selectors.EVENT_READ)
    told: set[int] = set()
    ready = False
    while waiting.get_map():
        for key, _ in waiting.select():
            some = _read(key.fileobj)
            if not some:
                waiting.unregister(key.fileobj)
            elif b"data: {" in some:
                told.add(key.fd)
        if len(told) == count and not ready:
            ready = True
            print("ready", flush=True)
    print(len(told))
    return 0


def _read(one: object) -> bytes:
    assert isinstance(one, socket.socket)
    try:
        return one.recv(AT_ONCE)
    except OSError:
        return b""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
