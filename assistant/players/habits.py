"""What a player has seen of its rivals over the deals: how often they bet, and go all in."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.rules.state import State

PRIOR = 20.0
"""Lances by which a stranger is taken to play as most do."""


@dataclass(slots=True)
class Habits:
    """Counts over the lances that were seen; each lance of a deal counts once."""

    usual_bets: float
    usual_ordagos: float
    lances: set[tuple[int, int, str]] = field(default_factory=set)
    bets: set[tuple[int, int, str]] = field(default_factory=set)
    ordagos: set[tuple[int, int, str]] = field(default_factory=set)

    def look(self, state: State, side: str) -> None:
        """Take in what is on the table now."""
        if state.lance is None:
            return
        here = (sum(state.juegos), state.deal, str(state.lance))
        self.lances.add(here)
        bet = state.pending
        if bet and bet.side != side:
            (self.ordagos if bet.ordago else self.bets).add(here)

    @property
    def trust(self) -> float:
        """How much a rival's bet tells, 1 of those who bet as often as most."""
        return min(1.0, self.usual_bets / self._share(len(self.bets), self.usual_bets))

    @property
    def trust_ordago(self) -> float:
        """The same of an órdago."""
        return min(1.0, self.usual_ordagos / self._share(len(self.ordagos), self.usual_ordagos))

    def _share(self, seen: int, usual: float) -> float:
        return (seen + PRIOR * usual) / (len(self.lances) + PRIOR)
