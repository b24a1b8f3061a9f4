"""The port: what the page asks of whoever owns the table."""

from __future__ import annotations

from typing import Protocol, TypedDict

from assistant.messages import CardsSeen, Pressed
from assistant.rules.errors import MusError
from assistant.snapshot import Made, Snapshot


class BoardError(MusError):
    """The table cannot take a message now; the text is one sentence for people."""


class ZoneError(MusError):
    """A zone of the table is none; the text is one sentence for people."""


class Said(TypedDict):
    """What the table made of one tap: an outcome, and a sentence for people."""

    outcome: Made
    text: str


class TableView(TypedDict):
    """How the camera sees the table, in pixels of its picture.

    ``size``: width and height; ``zones``: of each seat that has one, its four corners.
    """

    size: list[int]
    zones: dict[str, list[list[float]]]


class Camera(Protocol):
    """The camera's table as the page sees it. Every method may be called from any thread."""

    def table(self) -> TableView | None:
        """The zones of the seats; ``None`` before the table was calibrated."""

    def picture(self) -> bytes | None:
        """The empty table as JPEG: never a card."""

    def mark(self, seat: int, corners: list[list[float]] | None) -> TableView:
        """Give a seat its zone, or take it away (``None``). Raises ZoneError, BoardError."""


class Board(Protocol):
    """The table as the page sees it. Every method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """The table now."""

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its version is above ``after``.

        Returns ``None`` where nothing changed for ``timeout`` seconds.
        """

    def press(self, message: Pressed | CardsSeen) -> list[Said]:
        """Hand a tap to the table and wait until it was handled. Raises BoardError."""
