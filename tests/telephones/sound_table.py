"""A served table whose seats accept telephones, for tests with and without a browser."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from websockets.sync.client import ClientConnection, connect

from assistant.page import DashboardServer, Keys, serve
from assistant.page.asgi import Conversation, add_socket
from assistant.page.authority import Authority, SecureDoor
from assistant.telephones.page import SOUND, converse
from assistant.telephones.seats import TelephoneSeats
from tests.page.apps import create_app
from tests.page.fake_board import FakeBoard
from tests.telephones.stand_in import KeptLines

PIN = "482913"


class SoundTable:
    """A served table with four seats for telephones.

    ``authority``: the folder of an authority, for a secure page beside the plain one.
    """

    def __init__(self, web: Path, authority: Path | None = None, port: int = 0) -> None:
        self.lines = KeptLines()
        self.seats = TelephoneSeats(self.lines, 4)
        self.changes = 0
        self.app: Flask = create_app(
            FakeBoard(), web_dir=web, keys=Keys(b"k" * 32, PIN), telephones=self.seats
        )
        add_socket(self.app, SOUND, self._converse)
        secure = SecureDoor(0, Authority(authority)) if authority else None
        self.server: DashboardServer = serve(self.app, "127.0.0.1", port, secure=secure)

    async def _converse(self, talk: Conversation) -> None:
        await converse(talk, self.seats, self._changed)

    def _changed(self) -> None:
        self.changes += 1

    def connect(self) -> ClientConnection:
        talk: ClientConnection = connect(f"ws://127.0.0.1:{self.server.port}{SOUND}")
        return talk
