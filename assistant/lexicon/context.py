"""The little of the table's state that changes what words mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assistant.rules.phases import BETTING, Phase
from assistant.rules.state import State


class Moment(StrEnum):
    """When a phrase may be said; the names are those of ``when`` in a lexicon file."""

    MUS = "mus"
    DISCARD = "discard"
    OPEN = "open"
    BET = "bet"
    PARES = "pares?"
    JUEGO = "juego?"
    SHOWDOWN = "showdown"
    COUNT = "count"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Context:
    """Where the deal stands; ``pending``: a bet waits for its answer. Seats count from 1."""

    phase: Phase
    pending: bool = False
    mano: int = 1
    seats: tuple[str, ...] = ()

    @property
    def moment(self) -> Moment:
        """The moment of the deal: the betting phases differ only by a bet that is pending."""
        if self.phase in BETTING:
            return Moment.BET if self.pending else Moment.OPEN
        return Moment(self.phase.value)


def context_of(state: State) -> Context:
    """What the lexicon needs to know of a state."""
    return Context(state.phase, state.pending is not None, state.mano, state.seats)
