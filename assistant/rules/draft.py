"""Events as they are being decided, with the state they lead to."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rules.changes import CHANGES
from assistant.rules.events import Event
from assistant.rules.state import State


@dataclass(frozen=True, slots=True)
class Decided:
    """What a call makes happen: its events, in order, and the state that they lead to."""

    events: tuple[Event, ...]
    state: State


class Draft:
    """Collects the events of one call. Nothing outside changes until the caller commits them."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Add an event and move on to the state after it."""
        self.state = CHANGES[type(event)](self.state, event)  # a draft's table is open
        self.events.append(event)

    def take(self, decision: Decided) -> None:
        """Go on from what was decided on the present state."""
        self.events += decision.events
        self.state = decision.state

    def decided(self) -> Decided:
        """All of it, to be committed; no event need be applied once more."""
        return Decided(tuple(self.events), self.state)
