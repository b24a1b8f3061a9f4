"""What a player has seen of its rivals: how often they bet, go all in, and refuse its own bets."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.rules.events import How
from assistant.rules.state import State

PRIOR = 20.0
"""Lances by which a stranger is taken to play as most do."""
PRIOR_ANSWERS = 6.0
"""The same in answers to bets of ours."""
MOST = 6.0
"""How much more than usual any habit may tell."""


@dataclass(slots=True)
class Habits:
    """Counts over the lances that were seen; each lance of a deal counts once."""

    usual_bets: float
    usual_ordagos: float
    usual_folds: float
    lances: set[tuple[int, int, str]] = field(default_factory=set)
    bets: set[tuple[int, int, str]] = field(default_factory=set)
    ordagos: set[tuple[int, int, str]] = field(default_factory=set)
    answers: dict[tuple[int, int, str], bool] = field(default_factory=dict)
    """Lances that we bet in -> whether they refused."""

    def look(self, state: State, side: str) -> None:
        """Take in what is on the table now."""
        deal = (sum(state.juegos), state.deal)
        for result in state.results:
            if result.bet and result.bet.side == side:
                self.answers[*deal, str(result.lance)] = result.how is How.REFUSED
        if state.lance is None:
            return
        here = (*deal, str(state.lance))
        self.lances.add(here)
        bet = state.pending
        if bet and bet.side != side:
            (self.ordagos if bet.ordago else self.bets).add(here)

    @property
    def trust(self) -> float:
        """How much a rival's bet tells, 1 of those who bet as often as most."""
        return min(MOST, self.usual_bets / self._share(len(self.bets), self.usual_bets))

    @property
    def trust_ordago(self) -> float:
        """The same of an órdago."""
        return min(1.0, self.usual_ordagos / self._share(len(self.ordagos), self.usual_ordagos))

    @property
    def folding(self) -> float:
        """The odds that they refuse, as a multiple of what is usual; who seldom wants has more."""
        prior = PRIOR_ANSWERS * self.usual_folds
        share = (sum(self.answers.values()) + prior) / (len(self.answers) + PRIOR_ANSWERS)
        usual = self.usual_folds / (1.0 - self.usual_folds)
        return max(1 / MOST, min(MOST, share / (1.0 - share) / usual))

    def _share(self, seen: int, usual: float) -> float:
        return (seen + PRIOR * usual) / (len(self.lances) + PRIOR)
