"""What a player has seen of its rivals: how often they bet, go all in, and refuse its own bets."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.rules.events import How
from assistant.rules.state import State

PRIOR = 20.0
"""Lances by which a stranger is taken to play as most do."""
PRIOR_ANSWERS = 6.0
"""The same in answers to bets of ours."""
LARGE = 10
"""Stones, of one bet or raise, that people stake on the best hands alone."""
USUAL_LARGE = 0.02
"""Lances in which most rivals do."""
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
    large: set[tuple[int, int, str]] = field(default_factory=set)
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
            if not bet.ordago and bet.stones - bet.base >= LARGE:
                self.large.add(here)

    @property
    def trust(self) -> float:
        """How much a rival's bet tells, 1 of those who bet as often as most."""
        told = self.usual_bets / self._share(len(self.bets), self.usual_bets)
        return min(MOST, told) * (1.0 - self._wild_bets)

    @property
    def wild(self) -> float:
        """How far they stake much at random: 0 of those who do so as seldom as most, to 1."""
        return max(1.0 - self.trust_ordago, self._wild_bets)

    @property
    def _wild_bets(self) -> float:
        return 1.0 - min(1.0, USUAL_LARGE / self._share(len(self.large), USUAL_LARGE))

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
