"""Events as they are being decided, with the state they lead to."""

from __future__ import annotations

from assistant.rules.changes import apply
from assistant.rules.events import Event
from assistant.rules.state import State


class Draft:
    """Collects the events of one call. Nothing outside changes until the caller commits them."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Add an event and move on to the state after it."""
        self.state = apply(self.state, event)
        self.events.append(event)
