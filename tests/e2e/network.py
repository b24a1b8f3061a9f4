"""A network between a browser and a table: it delays what goes through, or carries nothing."""

from __future__ import annotations

import random
import select
import socket
import threading
import time
from collections import deque
from types import TracebackType
from typing import Self

PIECE = 1448
"""Bytes of a packet on Ethernet and Wi-Fi."""
SENT_AGAIN = 0.2
"""Seconds after which TCP sends a lost packet again, at least (RFC 6298, Linux)."""


class Network:
    """Carries connections to a port of this machine, as a Wi-Fi would.

    Each packet takes up to ``jitter`` seconds, a lost one ``SENT_AGAIN`` more; none overtakes
    another, because TCP keeps their order. ``cut``: while it is set, nothing is carried.
    """

    def __init__(self, port: int, jitter: float = 0.0, loss: float = 0.0, seed: int = 1) -> None:
        self._to = port
        self._jitter, self._loss = jitter, loss
        self._dice = random.Random(seed)
        self._closed = threading.Event()
        self.cut = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            try:
                table = socket.create_connection(("127.0.0.1", self._to))
            except OSError:  # the table is gone
                browser.close()
                continue
            for one, other in ((browser, table), (table, browser)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        """Carry one direction of a connection to its end."""
        waiting: deque[tuple[float, bytes]] = deque()
        ended, last = False, 0.0
        with one, other:
            while not self._closed.is_set() and not (ended and not waiting):
                now = time.monotonic()
                late = waiting[0][0] - now if waiting else 0.02
                wait = min(max(late, 0), 0.02)
                try:
                    if ended:
                        time.sleep(wait)
                    elif select.select([one], [], [], wait)[0]:
                        data = one.recv(PIECE)
                        ended = not data
                        takes = self._dice.uniform(0, self._jitter)
                        takes += SENT_AGAIN if self._dice.random() < self._loss else 0.0
                        last = max(last, time.monotonic() + takes)
                        waiting.append((last, data))
                    while waiting and waiting[0][0] <= time.monotonic() and not self.cut.is_set():
                        other.sendall(waiting.popleft()[1])
                except (OSError, ValueError):  # its other direction has ended, and with it both
                    return
