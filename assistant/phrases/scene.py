"""One batch as it is walked through for the voice: what the tellers of events are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.phrases.language import Language
from assistant.rules import events as e
from assistant.rules.history import Record
from assistant.rules.state import State


@dataclass(slots=True)
class Scene:
    """The table right after an event (``state``) and after the whole batch (``after``)."""

    language: Language
    state: State
    after: State
    history: Sequence[Record]
    full: bool
    events: Sequence[e.Event] = ()
    """The whole batch."""
    asked: Sequence[e.PenaltyProposed] = ()
    """The articles that waited for the table before the batch."""
    won: list[e.StonesWon] = field(default_factory=list)
    """Stones of the count that are still to be told."""
    mano_told: int | None = None
    """Who was told to be mano with an event before."""

    def name(self, seat: int | None) -> str:
        """The name of a player, or "somebody"."""
        return self.language.name(self.state, seat)

    def side(self, side: str) -> str:
        """The names of a side."""
        return self.language.side(self.state, side)

    def score(self, side: str) -> str:
        """A side's stones at this moment."""
        return self.language.score(self.state.stones_of(side))

    def call(self, key: str, event: Any, **words: str) -> str:
        """A sentence about a call, with the speaker, the lance and the stones of the event."""
        if "stones" not in words and isinstance(getattr(event, "stones", None), int):
            words["stones"] = self.language.stones(event.stones)
        lance = self.language.lance(event.lance, "to")
        return self.language.fill(key, name=self.name(event.seat), lance=lance, **words)


Teller = Callable[[Scene, Any], str | None]
"""Tells one event; ``None`` where nothing is said of it."""
