"""The house: a table and its page, to which each feature connects in its ``install``."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Protocol

from flask import Blueprint, Flask

from assistant.files.paths import data_dir
from assistant.files.settings import LOCALHOST, Settings
from assistant.language.phrases import Phrases
from assistant.messages import Message
from assistant.page.app import table_app
from assistant.page.asgi import Handler, add_socket
from assistant.page.authority import Authority, SecureDoor, authority_dir
from assistant.page.board import TableBoard
from assistant.page.door import keys_path, page_keys
from assistant.page.server import serve
from assistant.table.runner import Answer, Listener, Runner

log = logging.getLogger("mus")


class Closeable(Protocol):
    """What a feature's ``install`` returns if there is something to end."""

    def close(self) -> None:
        """End it, whether it was started or not."""


class Startable(Closeable, Protocol):
    """A feature that works by itself once the game has begun."""

    def start(self) -> None:
        """Begin."""


@dataclass(frozen=True, slots=True)
class House:
    """A table and its page, before they are started.

    A feature offers ``install(house, ...)``, a plain function. It opens all that can fail, uses the
    doors that it needs, and returns what is to be started and closed. The doors say what the
    feature is:

    post     a source: its messages go into the table's inbox
    tell     a listener: it gets the news of each message and its outcomes
    show     a blueprint: it has pages of its own
    talk     a socket: it holds conversations with pages by WebSocket
    runner   a reader: it reads the records, through the table in play

    ``settings``: those of this run; ``phrases``: the sentences of the table's language.
    """

    settings: Settings
    phrases: Phrases
    runner: Runner
    board: TableBoard
    app: Flask

    def post(self, message: Message) -> Answer:
        """Put a message into the table's inbox; the future gives its outcomes."""
        return self.runner.post(message)

    def tell(self, listener: Listener) -> None:
        """Give a listener all news from now on, after the listeners that were there before it."""
        self.runner.listeners.append(listener)

    def show(self, pages: Blueprint) -> None:
        """Add pages. If two have the same address, the one that was added first answers."""
        self.app.register_blueprint(pages)

    def talk(self, path: str, handler: Handler) -> None:
        """Have the WebSockets of a path handled, each of which a route of that path lets in."""
        add_socket(self.app, path, handler)


class OpenDoors:
    """The inbox and the page of a house, while they are open."""

    def __init__(self, house: House) -> None:
        """Take the page's port. Raises DashboardError."""
        self._house = house
        settings = house.settings
        secure = _secure_door(settings.https_port)
        self.server = serve(house.app, settings.host, settings.port, secure=secure)

    def start(self) -> None:
        """Take messages, then serve the page."""
        self._house.runner.start()
        self.server.start()

    def close(self) -> None:
        """Release every waiting page, stop serving, handle what waits, and close the journal."""
        with ExitStack() as ending:
            ending.callback(self._house.runner.stop)
            ending.callback(self.server.stop)
            ending.callback(self._house.board.close)


def _secure_door(port: int | None) -> SecureDoor | None:
    """The secure address, with the table's own authority behind it; None if there is to be none."""
    if port is None:
        return None
    try:
        return SecureDoor(port, Authority(authority_dir()))
    except OSError as error:
        why = error.strerror or error
        log.warning("There is no secure page for telephones: its keys cannot be kept (%s).", why)
        return None


def open_house(settings: Settings, phrases: Phrases, runner: Runner) -> House:
    """Make the board of a table and its app, which is not served yet.

    Raises OSError if the page is for the local network and its keys cannot be stored.
    """
    keys = None if settings.host == LOCALHOST else page_keys(keys_path())
    board = TableBoard(runner, phrases)
    app = table_app(board, web_dir=data_dir("web"), keys=keys)
    return House(settings, phrases, runner, board, app)
