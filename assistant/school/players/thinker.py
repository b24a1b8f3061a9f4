"""A player that weighs its chances against what the rivals have shown of themselves."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace

from assistant.rules import calls as c
from assistant.rules.events import How
from assistant.rules.phases import BEFORE_LANCES, Lance
from assistant.rules.state import SIDE_LETTERS, Pending, State
from assistant.school.players.beginners import Novice, Sight
from assistant.school.players.strength import OtherHands, Strength

# ---- What a player has seen of its rivals: how often they bet, go all in, and refuse its bets ---


PRIOR = 20.0
"""The weight, in lances, of the prior belief that a stranger plays as most do."""
PRIOR_ANSWERS = 6.0
"""The same weight, in answers to our bets."""
LARGE = 10
"""The stones from which a bet or raise is large: most players make it only with the best hands."""
USUAL_LARGE = 0.02
"""The share of lances in which most rivals bet so much."""
MOST = 6.0
"""The largest factor by which a habit may differ from the usual."""


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
        """Count what is on the table now."""
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
        """How much a rival's bet tells: 1 if they bet as often as most."""
        told = self.usual_bets / self._share(len(self.bets), self.usual_bets)
        return min(MOST, told) * (1.0 - self._wild_bets)

    @property
    def wild(self) -> float:
        """How much they bet large at random: from 0, as seldom as most players, to 1."""
        return max(1.0 - self.trust_ordago, self._wild_bets)

    @property
    def _wild_bets(self) -> float:
        return 1.0 - min(1.0, USUAL_LARGE / self._share(len(self.large), USUAL_LARGE))

    @property
    def trust_ordago(self) -> float:
        """How much a rival's órdago tells: 1 if they say it as seldom as most."""
        return min(1.0, self.usual_ordagos / self._share(len(self.ordagos), self.usual_ordagos))

    @property
    def folding(self) -> float:
        """The odds that they refuse, as a multiple of the usual; more if they seldom accept."""
        prior = PRIOR_ANSWERS * self.usual_folds
        share = (sum(self.answers.values()) + prior) / (len(self.answers) + PRIOR_ANSWERS)
        usual = self.usual_folds / (1.0 - self.usual_folds)
        return max(1 / MOST, min(MOST, share / (1.0 - share) / usual))

    def _share(self, seen: int, usual: float) -> float:
        return (seen + PRIOR * usual) / (len(self.lances) + PRIOR)


# ---- The value of stones: the chance to win the juego at a score, and how it changes ------------


@dataclass(frozen=True, slots=True)
class BetStakes:
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


def stakes_of(state: State, side: str, steep: float, edge: float) -> BetStakes:
    """The stakes of a side; of several rivals, the one who is nearest to the target counts."""
    ours = SIDE_LETTERS.index(side)
    target = state.profile.target
    theirs = max(stones for at, stones in enumerate(state.stones) if at != ours)
    return BetStakes(max(1, target - state.stones[ours]), max(1, target - theirs), steep, edge)


# ---- A player who weighs each call by the chance to win the juego that it leaves ----------------


NOVICE = Novice()
SIZES = (2, 3, 5, 8)
"""Stones that it thinks of betting, or of raising by."""
PARTNER_BRINGS = {Lance.PARES: 1.6, Lance.JUEGO: 2.3}
"""Stones that a hand with pares, or juego, brings on the average at the count."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How a player plays; ``scripts/lab/tune_players`` finds numbers that win.

    cut            stones that a hand must be worth for "no hay mus"
    bet, raised    how much better than a random one is the hand of a rival who bet; who raised
    ordago, size   the same of one who went all in; and more for each doubling of the stones
    passed         the same of one who passed
    wants, wants_size  the same of one who accepts our bet; and more for each doubling of it
    folds, folds_size  how often rivals refuse two stones; and more for each doubling
    folds_ordago, wants_ordago  how often they refuse an órdago; and how much better the hand is
                   of one who accepts it
    margin         what a bet must bring above passing, as a chance to win the juego
    bluff          how often it bets where passing is better; like ``margin``, it depends on how
                   often these rivals refuse
    steep, edge    see BetStakes; ``edge`` is that against rivals who go all in at random
    slips          how often it does not think, and calls by a novice's rules of thumb
    """

    cut: float = 5.15
    bet: float = 1.2
    raised: float = 0.875
    ordago: float = 3.0
    size: float = 0.3
    passed: float = -0.3
    wants: float = 1.0
    wants_size: float = 2.0
    folds: float = 0.4
    folds_size: float = 0.1
    folds_ordago: float = 0.3
    wants_ordago: float = 12.0
    margin: float = 0.0
    bluff: float = 0.05
    steep: float = 1.3
    edge: float = 6.0
    usual_bets: float = 0.35
    usual_ordagos: float = 0.03
    slips: float = 0.0


class Thinker:
    """Decides by its own cards, the calls that were made, and the score."""

    def __init__(self, strength: Strength, temper: Temper, seed: int) -> None:
        self._strength = strength
        self._temper = temper
        self._dice = random.Random(seed)
        self._habits = Habits(temper.usual_bets, temper.usual_ordagos, temper.folds)

    def call(self, sight: Sight) -> c.Call:
        """What leaves the best chance to win the juego."""
        self._habits.look(sight.state, sight.state.side_of(sight.seat))
        if self._slips():
            return NOVICE.call(sight)
        if sight.state.phase in BEFORE_LANCES:
            return self._mus_or_cut(sight)
        return self._answer(sight) if sight.state.pending else self._open(sight)

    def discard(self, sight: Sight) -> tuple[int, ...]:
        """The cards whose exchange leaves the best hand on the average."""
        return NOVICE.discard(sight) if self._slips() else self._strength.thrown(sight.hand)

    def _slips(self) -> bool:
        # A player that never slips draws no random number for it, so that its juegos stay the same.
        return self._temper.slips > 0 and self._dice.random() < self._temper.slips

    def _mus_or_cut(self, sight: Sight) -> c.Call:
        held = self._strength.worth()[self._strength.number(sight.hand)]
        wanted = c.Cut if held >= self._temper.cut else c.Mus
        return sight.can(wanted) or sight.legal[0].call

    def _open(self, sight: Sight) -> c.Call:
        """Pass, bet, or go all in, where nobody has bet."""
        stakes, ours, theirs = self._stakes(sight), *self._brings(sight)
        even = 0 if _lance(sight) in (Lance.PARES, Lance.JUEGO) else 1
        now = self._wins(sight)
        best: c.Call = sight.can(c.Pass) or sight.legal[0].call
        most = (
            now * stakes.chance(even + ours, 0)
            + (1 - now) * stakes.chance(0, even + theirs)
            + self._margin
        )
        if bet := sight.can(c.Bet):
            bluffs = self._dice.random() < self._temper.bluff * self._habits.folding
            for stones in _sizes(bet):
                refused = stakes.chance(1 + ours, 0)
                later = self._wanted(sight, stones)
                wanted = later * stakes.chance(stones + ours, 0)
                wanted += (1 - later) * stakes.chance(0, stones + theirs)
                folds = self._folds(stones)
                brings = folds * refused + (1 - folds) * wanted
                if brings > most or (bluffs and stones == _sizes(bet)[0]):
                    best, most = _with(bet, stones), max(most, brings)
        return self._or_all(sight, best, most, refused=stakes.chance(1 + ours, 0))

    def _answer(self, sight: Sight) -> c.Call:
        """Want, refuse or raise a rival's bet."""
        bet, stakes, (ours, theirs) = _pending(sight), self._stakes(sight), self._brings(sight)
        now = self._wins(sight)
        best: c.Call = sight.can(c.Refuse) or sight.can(c.Pass) or sight.legal[0].call
        most = stakes.chance(0, bet.deje + theirs)
        if accept := sight.can(c.Accept):
            won = 1.0 if bet.ordago else stakes.chance(bet.stones + ours, 0)
            lost = 0.0 if bet.ordago else stakes.chance(0, bet.stones + theirs)
            brings = now * won + (1 - now) * lost
            if brings > most:
                best, most = accept, brings
        refused = stakes.chance(bet.stones + ours, 0)
        # Once the bet decides the juego for either side, more stones change nothing.
        more = sight.can(c.Raise) if bet.stones < max(stakes.left, stakes.theirs) else None
        if more:
            for stones in _sizes(more)[:3]:
                whole = bet.stones + stones
                later = self._wanted(sight, whole)
                wanted = later * stakes.chance(whole + ours, 0)
                wanted += (1 - later) * stakes.chance(0, whole + theirs)
                folds = self._folds(whole) / 2  # a rival who has bet has good cards
                brings = folds * refused + (1 - folds) * wanted
                if brings > most + self._margin:
                    best, most = _with(more, stones), brings
        return self._or_all(sight, best, most, refused=refused)

    def _or_all(self, sight: Sight, best: c.Call, most: float, *, refused: float) -> c.Call:
        """Órdago, where it leaves a better chance than the best call so far."""
        ordago = sight.can(c.Ordago)
        if ordago is None:
            return best
        wins = self._wins(sight, self._temper.wants_ordago * self._habits.folding)
        folds = self._likely(self._temper.folds_ordago)
        if sight.state.pending:
            folds /= 2  # a rival who has bet has good cards
        brings = folds * refused + (1 - folds) * wins
        return ordago if brings > most + self._margin else best

    @property
    def _margin(self) -> float:
        """The margin: smaller against rivals who refuse often."""
        return self._temper.margin / self._habits.folding

    def _folds(self, stones: int) -> float:
        return self._likely(self._temper.folds + self._temper.folds_size * math.log2(stones / 2))

    def _likely(self, folds: float) -> float:
        """How often these rivals refuse a bet that most rivals refuse with frequency ``folds``."""
        odds = self._habits.folding * folds
        return min(0.97, max(0.0, odds / (1.0 - folds + odds)))

    def _stakes(self, sight: Sight) -> BetStakes:
        edge = 1.0 + self._habits.wild * (self._temper.edge - 1.0)
        side = sight.state.side_of(sight.seat)
        return stakes_of(sight.state, side, self._temper.steep, edge)

    def _brings(self, sight: Sight) -> tuple[float, float]:
        """Stones that our hands, and theirs, bring at the count if they win this lance."""
        lance, state = _lance(sight), sight.state
        if lance is Lance.PUNTO:
            return 1.0, 1.0
        if lance not in PARES_OR_JUEGO:
            return 0.0, 0.0
        held = state.declared(lance)
        mine = float(self._strength.hands.stones[lance][self._strength.number(sight.hand)])
        usual = PARTNER_BRINGS[lance]
        partners = sum(usual for seat in sight.partners if held[seat - 1])
        return mine + partners, sum(usual for seat in sight.rivals if held[seat - 1])

    def _wins(self, sight: Sight, wanted: float = 0.0) -> float:
        """The chance to win the lance; ``wanted`` leans the rivals who have yet to answer."""
        state, lance = sight.state, _lance(sight)
        order = state.order()
        others = tuple(
            OtherHands(
                ours=seat in sight.partners,
                place=order.index(seat),
                lean=self._lean(state, seat) + (wanted if seat in sight.rivals else 0.0),
                holds=state.declared(lance)[seat - 1] if lance in PARES_OR_JUEGO else None,
                signs=tuple(one.holds for one in sight.seen if one.seat == seat),
            )
            for seat in order
            if seat != sight.seat
        )
        mine = self._strength.number(sight.hand)
        return self._strength.wins(mine, order.index(sight.seat), lance, others)

    def _wanted(self, sight: Sight, stones: int) -> float:
        """The chance to win the lance if rivals accept so many stones, with better hands."""
        temper = self._temper
        lean = temper.wants + temper.wants_size * math.log2(stones / 2)
        return self._wins(sight, lean * self._habits.folding)

    def _lean(self, state: State, seat: int) -> float:
        """How much better than at random a hand is, by what its player said in this lance."""
        bet, temper = state.pending, self._temper
        if bet and bet.seat == seat:
            if bet.ordago:
                return temper.ordago * self._habits.trust_ordago
            raised = temper.raised if bet.base else 0.0
            size = temper.size * math.log2(max(2, bet.stones) / 2)
            return (temper.bet + raised + size) * self._habits.trust
        return temper.passed if seat in state.spoken else 0.0


PARES_OR_JUEGO = (Lance.PARES, Lance.JUEGO)


def _sizes(call: c.Call) -> tuple[int, ...]:
    """The stones to think of: none below the least that the rules allow, which the call carries."""
    assert isinstance(call, c.Bet | c.Raise)
    return tuple(dict.fromkeys(max(size, call.stones) for size in SIZES))


def _with(call: c.Call, stones: int) -> c.Call:
    assert isinstance(call, c.Bet | c.Raise)
    return replace(call, stones=stones)


def _lance(sight: Sight) -> Lance:
    lance = sight.state.lance
    assert lance is not None
    return lance


def _pending(sight: Sight) -> Pending:
    bet = sight.state.pending
    assert bet is not None
    return bet
