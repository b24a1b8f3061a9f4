"""A network cable that can be pulled: a TCP proxy on loopback."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread

from scripts.lab.hubbench.servers import free_port


class Cable:
    """Forwards connections to a port. When pulled, it drops all connections and accepts none."""

    def __init__(self, to: int) -> None:
        self.port = free_port()
        self._to = to
        self._ends: list[socket.socket] = []
        self._listener: socket.socket | None = None

    def plug_in(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen()
        self._listener = listener
        Thread(target=self._accept, args=(listener,), daemon=True).start()

    def pull(self) -> None:
        if self._listener:
            _close(self._listener)
            self._listener = None
        while self._ends:
            _close(self._ends.pop())

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    Thread(target=_pour, args=(one, other), daemon=True).start()


def _pour(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    _close(one)
    _close(other)


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
