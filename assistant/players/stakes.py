"""What stones are worth: the chance to win the juego at a score, and how it changes."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rules.state import State


@dataclass(frozen=True, slots=True)
class Stakes:
    """The score as one pair sees it.

    left, theirs  stones that we, and they, still need
    steep         how much a lead counts: the power of what is left
    edge          how much better than the rivals we take ourselves to be, 1 for equal
    """

    left: float
    theirs: float
    steep: float
    edge: float

    def chance(self, won: float, lost: float) -> float:
        """The chance to win the juego after we won, and they won, so many stones; we count first.

        Between equals, of what is left: theirs ** steep / (ours ** steep + theirs ** steep).
        """
        ours, theirs = self.left - won, self.theirs - lost
        if ours <= 0:
            return 1.0
        if theirs <= 0:
            return 0.0
        good, bad = self.edge * theirs**self.steep, ours**self.steep
        return float(good / (good + bad))


def stakes_of(state: State, side: str, steep: float, edge: float) -> Stakes:
    """The stakes of a side of two."""
    ours = "AB".index(side)
    target = state.profile.target
    return Stakes(
        max(1, target - state.stones[ours]), max(1, target - state.stones[1 - ours]), steep, edge
    )
