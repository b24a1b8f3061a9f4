"""The port: what the page asks of whoever owns the table."""

from __future__ import annotations

from typing import Protocol, TypedDict

from assistant.messages import CardsSeen, Pressed
from assistant.rules.errors import MusError
from assistant.table.snapshot import Made, Snapshot


class BoardError(MusError):
    """The table cannot take a message now; the text is one sentence for people."""


class TapOutcome(TypedDict):
    """What the table made of one tap: an outcome, and a sentence for people."""

    outcome: Made
    text: str


class SetupError(MusError):
    """What was set cannot be. ``code`` where the page has words for it; the text is a sentence."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class Board(Protocol):
    """The table as the page sees it. Every method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """The table now."""

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its version is above ``after``.

        Returns ``None`` where nothing changed for ``timeout`` seconds.
        """

    def press(self, message: Pressed | CardsSeen) -> list[TapOutcome]:
        """Hand a tap to the table and wait until it was handled. Raises BoardError."""
