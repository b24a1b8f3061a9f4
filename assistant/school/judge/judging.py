"""The chance to win the juego after each call, or each throw, by Monte Carlo simulation.

Hidden hands are drawn by what was said (``ranges``). Each call is tried in all these worlds, and
the deal is played on by the odds of one way of playing (``playout``). Maestro's table of scores
gives the value of the end. All calls get the same cards and the same dice (common random numbers),
so that their differences are as sharp as possible.

Nobody knows how the others at a table play, so all of this is done for several ways of playing:
maestro's own, and three by the cards alone (``playout.WAYS``). A call counts as better than
maestro's only if it is better whichever of these ways the others play. A pair that makes the calls
that are best against maestro alone goes all in too often, and loses four juegos of five against
``fuerte``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from assistant.files.paths import data_dir
from assistant.rules import calls as c
from assistant.rules.calls import Call
from assistant.rules.cards import Hand
from assistant.rules.events import BetMade, How
from assistant.rules.phases import BEFORE_LANCES, BETTING, Lance
from assistant.rules.state import State
from assistant.school.judge.playout import (
    ACCEPT,
    ALL_IN,
    BET,
    CHICA,
    CHOOSE,
    GRANDE,
    MOST_ROUNDS,
    PASS,
    REFUSED,
    SEATS,
    TURNS,
    WAYS,
    Deals,
    Floats,
    Ints,
    Tables,
    score_classes,
)
from assistant.school.judge.ranges import Ranges, closed, mus_places
from assistant.school.players.beginners import Sight
from assistant.school.players.maestro import (
    LANCES,
    LARGE,
    SCORES,
    SMALL,
    Lore,
    read_lore,
    why_untaught,
)

WORLDS = 300
"""Worlds for a call, for each way of playing."""
THROW_WORLDS = 600
"""Worlds for a throw. Throws are tried by maestro's way alone."""
CANDIDATES = 8
"""Candidates that are drawn for each world; the likely ones are kept."""
ALIKE = 1.0
"""Calls whose values differ by at most this many points of the juego count as equally good: in so
many worlds the difference of two has a standard error of one or two."""
DIFFERS = 0.01
"""From this gain and this loss on, what a call is worth depends on how the others play."""
FINALISTS = 4
"""The number of throws that are tried again, in more worlds."""
TRIED = (SMALL, LARGE)
"""Stones of the bets and raises that are tried."""
KINDS: dict[type[Call], int] = {
    c.Pass: PASS, c.Refuse: PASS, c.Accept: ACCEPT, c.Bet: BET, c.Raise: BET, c.Ordago: ALL_IN,
}  # fmt: skip


SAID_BY: tuple[tuple[type[Call], ...], ...] = (
    (c.Pass, c.Refuse), (c.Accept,), (c.Bet, c.Raise), (c.Bet, c.Raise), (c.Ordago,),
)  # fmt: skip
"""The calls by which each of maestro's actions is said."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A legal call, with the chance, 0 to 1, that the own pair wins the juego after it.

    The chance is the mean over the ways in which the others may play for maestro's usual call. For
    any other call it is more or less by what this call brings in the way that brings least of it;
    it is the same if one way makes the call better and another makes it worse. ``depends`` tells
    that both are more than a trifle.

    ``error`` is the standard error of the chance. Bets and raises stand with their stones.
    ``refused`` is how often the rivals refuse such a bet at once; None for any other call.
    """

    call: Call
    chance: float
    error: float
    refused: float | None = None
    depends: bool = False


@dataclass(frozen=True, slots=True)
class ValuedThrow:
    """Cards to throw, by their places in the hand, and the chance as in ``Valued``."""

    places: tuple[int, ...]
    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of each call, the best first.

    usual   the call that maestro mostly makes here, if it learnt that
    wins    the pair's chance, 0 to 1, to win the present lance if the cards decide; None in
            the mus, and ``ties`` with it
    ties    the chances of a tie that the place decides for this pair, and for the other
    worlds  the effective number of different worlds
    """

    calls: tuple[Valued, ...]
    usual: Call | None = None
    wins: float | None = None
    ties: tuple[float, float] | None = None
    worlds: float = 0.0

    @property
    def best(self) -> Valued:
        """The call that leaves most."""
        return self.calls[0]

    @property
    def advised(self) -> Valued:
        """The call to advise: maestro's own, unless another one is clearly worth more.

        The values have a sampling error, so in doubt maestro's own choice is more reliable.
        """
        if self.usual is not None and self.lost(self.usual) <= ALIKE:
            return self.of(self.usual)
        return self.best

    def of(self, call: Call) -> Valued:
        """The value of a call; of a bet, that of the nearest stones that were tried."""
        alike = [one for one in self.calls if type(one.call) is _kind(call)]
        if not alike:
            raise ValueError(f"{call} was not judged")
        return min(alike, key=lambda one: abs(_stones(one.call) - _stones(call)))

    def lost(self, call: Call) -> float:
        """How many points of the juego, 0 to 100, a call costs beside the best."""
        return 100 * (self.best.chance - self.of(call).chance)


def _kind(call: Call) -> type[Call]:
    return type(call)


def _stones(call: Call) -> int:
    return call.stones if isinstance(call, c.Bet | c.Raise) else 0


def whoever_plays(chances: Floats, usual: int) -> tuple[Floats, list[bool]]:
    """Each call's chance and whether it depends on the others, as ``Valued`` has them.

    ``chances``: in each way of playing, shape (ways, calls); ``usual``: the call with which all
    others are compared.
    """
    gains = chances - chances[:, [usual]]
    least, most = gains.min(axis=0), gains.max(axis=0)
    surely = np.where(least > 0, least, np.where(most < 0, most, 0.0))
    depends = (least < -DIFFERS) & (most > DIFFERS)
    return np.clip(chances[:, usual].mean() + surely, 0.0, 1.0), depends.tolist()


def _share(refused: Floats | None, at: int) -> float | None:
    return None if refused is None or np.isnan(refused[at]) else float(refused[at])


class Judge:
    """Judges by what maestro learnt. Its tables are made once.

    ``others``: the ways of playing beside maestro's own, as in ``WAYS``.
    """

    def __init__(self, lore: Lore, others: Sequence[tuple[float, float]] = WAYS) -> None:
        self.tables = Tables.of(lore, others)

    def able(self, sight: Sight) -> bool:
        """Whether maestro learnt these house rules, and whether there is a call to judge now."""
        state = sight.state
        if state.players != SEATS or len(sight.hand) != SEATS:
            return False
        if why_untaught(state.profile, self.tables.lore.kings):
            return False
        if state.incidents.out or state.phase not in (*BEFORE_LANCES, *BETTING):
            return False
        bet = state.pending
        if bet is not None and (bet.seat - sight.seat) % 2 == 0:
            return False  # a partner's other amount (R35) is not judged
        return bool(self._calls(sight))

    def judge(
        self,
        sight: Sight,
        *,
        worlds: int = WORLDS,
        seed: int = 0,
        thrown: Mapping[int, int] | None = None,
        known: Mapping[int, Hand] | None = None,
        heard: bool = True,
    ) -> Judgement:
        """Value every call that may be made now. ``able`` has to be true of the sight.

        ``worlds``: for each way of playing.
        ``thrown``: how many cards the others threw last, by seat, if it was seen.
        ``known``: other players' hands that the player has seen.
        Without ``heard`` hidden hands are drawn by the cards and the declarations alone.
        """
        calls = self._calls(sight)
        mus, ways = sight.state.phase in BEFORE_LANCES, self.tables.ways
        seen = {seat: self._number(hand) for seat, hand in (known or {}).items()}
        drawn = _joined(
            [
                self._worlds(
                    sight,
                    self._ranges(sight, way=way),
                    worlds,
                    np.random.default_rng(seed),
                    thrown or {},
                    seen,
                    heard=heard,
                    stock=mus,
                )
                for way in range(ways)
            ]
        )
        refused: Floats | None = None
        if mus:
            won = self._after_mus(sight, calls, drawn)
        else:
            won, refused = self._after_calls(sight, calls, drawn)
        won = won.reshape(len(calls), ways, worlds)
        chances = won.mean(axis=2).T
        errors = np.sqrt((won.var(axis=2) / worlds).sum(axis=1)) / ways
        usual = self._usual(sight, calls)
        at = int(chances.mean(axis=0).argmax()) if usual is None else calls.index(usual)
        worth, depends = whoever_plays(chances, at)
        valued = [
            Valued(call, float(worth[n]), float(errors[n]), _share(refused, n), depends[n])
            for n, call in enumerate(calls)
        ]
        valued.sort(key=lambda one: (-one.chance, one.call is not calls[at]))
        if mus:
            return Judgement(tuple(valued), usual, worlds=drawn.count)
        wins, ours, theirs = self._by_cards(sight, drawn)
        return Judgement(tuple(valued), usual, wins, (ours, theirs), drawn.count)

    def judge_throw(
        self,
        sight: Sight,
        *,
        worlds: int = THROW_WORLDS,
        seed: int = 0,
        thrown: Mapping[int, int] | None = None,
    ) -> tuple[ValuedThrow, ...]:
        """Value every throw, once all have said mus and nobody has drawn; the best first.

        All are tried in half of the worlds. The best are tried again in four times as many,
        and come before the others.
        """
        dice, ranges = np.random.default_rng(seed), self._ranges(sight, throws_now=True)
        ranks = self.tables.ranks[ranges.hand]
        held = self._places(sight, ranges.hand)
        alike = {
            tuple(int(ranks[n]) for n in range(SEATS) if bits >> n & 1): bits
            for bits in range(15, 0, -1)
        }

        def tried(some: list[int], many: int) -> list[ValuedThrow]:
            drawn = self._worlds(
                sight, ranges, many, dice, thrown or {}, {}, heard=True, stock=True
            ).times(len(some))
            round_ = _Mus(self.tables, sight, drawn, changes=sight.state.discards - 1)
            round_.exchange(mine=np.repeat(some, many))
            won = self._lances(sight, round_, drawn).reshape(len(some), many)
            chances, errors = won.mean(axis=1), won.std(axis=1) / np.sqrt(many)
            return [
                ValuedThrow(
                    tuple(sorted(held[n] for n in range(SEATS) if bits >> n & 1)),
                    float(chances[at]),
                    float(errors[at]),
                )
                for at, bits in enumerate(some)
            ]

        bits = list(alike.values())
        first = tried(bits, max(1, worlds // 2))
        order = sorted(range(len(bits)), key=lambda n: -first[n].chance)
        again = tried([bits[n] for n in order[:FINALISTS]], 2 * worlds)
        # The first worlds and the later ones differ: this difference is subtracted.
        pairs = zip(again, order, strict=False)
        shift = float(np.mean([one.chance - first[n].chance for one, n in pairs]))
        least = min(one.chance for one in again)
        others = [
            replace(first[n], chance=max(0.0, min(least, first[n].chance + shift)))
            for n in order[FINALISTS:]
        ]
        return tuple(sorted([*again, *others], key=lambda one: -one.chance))

    # ---- Calls ----

    def _calls(self, sight: Sight) -> list[Call]:
        """The calls to be tried: every kind, bets and raises with the stones that are usual."""
        if sight.state.phase in BEFORE_LANCES:
            return [call for kind in (c.Mus, c.Cut) if (call := sight.can(kind))]
        found: list[Call] = []
        pending = sight.state.pending is not None
        for legal in sight.legal:
            call = legal.call
            if type(call) not in KINDS or isinstance(call, c.Pass if pending else c.Refuse):
                continue
            if isinstance(call, c.Bet) and pending:
                continue
            if isinstance(call, c.Bet | c.Raise):
                stones = {max(n, legal.least or n) for n in TRIED}
                found += [replace(call, stones=n) for n in sorted(stones)]
            else:
                found.append(call)
        return found

    def _usual(self, sight: Sight, calls: list[Call]) -> Call | None:
        """What maestro mostly calls, among those that are tried."""
        wanted: tuple[type[Call], ...]
        ranges, stones = self._ranges(sight), SMALL
        if sight.state.phase in BEFORE_LANCES:
            wanted = (c.Mus if ranges.usual_mus() else c.Cut,)
        else:
            action = ranges.usual(sight.seat)
            if action is None:
                return None
            stones = LARGE if action == 3 else SMALL
            wanted = SAID_BY[action]
        found = [call for call in calls if isinstance(call, wanted)]
        return min(found, key=lambda call: abs(_stones(call) - stones), default=None)

    def _places(self, sight: Sight, hand: int) -> list[int]:
        """Where each card of the hand, as it is kept in the tables, lies in the player's hand."""
        deck = self.tables.lore.hands.deck
        kinds = [rank for rank, _ in deck.counts]
        found = sorted(range(SEATS), key=lambda n: kinds.index(deck.played(sight.hand[n].rank)))
        assert [kinds.index(deck.played(sight.hand[n].rank)) for n in found] == list(
            self.tables.ranks[hand]
        )
        return found

    # ---- Worlds, and what calls lead to in them ----

    def _ranges(self, sight: Sight, *, throws_now: bool = False, way: int = 0) -> Ranges:
        mine, state = self._number(sight.hand), sight.state
        return Ranges(self.tables, state, mine, sight.events, throws_now=throws_now, way=way)

    def _number(self, hand: Hand) -> int:
        return self.tables.lore.hands.number(card.rank for card in hand)

    def _worlds(
        self,
        sight: Sight,
        ranges: Ranges,
        worlds: int,
        dice: np.random.Generator,
        thrown: Mapping[int, int],
        seen: Mapping[int, int],
        *,
        heard: bool,
        stock: bool,
    ) -> _Worlds:
        tables, mine = self.tables, ranges.hand
        hands = tables.lore.hands
        others = [seat for seat in range(1, SEATS + 1) if seat != sight.seat]
        many = CANDIDATES * worlds
        found = [
            np.full(many, seen[seat])
            if seat in seen
            else dice.choice(len(hands.values), size=many, p=ranges.of(seat, thrown, heard=heard))
            for seat in others
        ]
        weight = _dealt_together(ranges.left, [hands.counts[one] for one in found])
        if weight.sum() <= 0:
            weight = np.ones(many)  # never with forty cards, but for hands shown to two
        # Systematic resampling: each is kept as often as it is likely.
        at = (np.arange(worlds) + dice.random()) / worlds * weight.sum()
        kept = np.minimum(np.searchsorted(np.cumsum(weight), at), many - 1)
        kept = dice.permutation(kept)
        by_seat = np.empty((worlds, SEATS), dtype=np.int64)
        by_seat[:, sight.seat - 1] = mine
        for seat, one in zip(others, found, strict=True):
            by_seat[:, seat - 1] = one[kept]
        return _Worlds(
            mine,
            by_seat,
            dice.random((worlds, 5, SEATS, TURNS)),
            dice.random((worlds, MOST_ROUNDS + 1, SEATS)),
            _stock(tables, by_seat, dice) if stock else np.zeros((worlds, 0), dtype=np.int64),
            np.full(worlds, ranges.way),
            float(weight.sum() ** 2 / (weight @ weight)) / CANDIDATES,
        )

    def _by_cards(self, sight: Sight, drawn: _Worlds) -> tuple[float, float, float]:
        """The chance to win the lance by the cards, and of a tie for this pair and the other."""
        state, lance = sight.state, sight.state.lance
        assert lance is not None
        order = self.tables.classes[LANCES.index(lance)]
        held = order[_from_mano(drawn.hands, state.mano)]
        mine = (sight.seat - state.mano) % 2
        ours, theirs = (held[:, side::2].max(axis=1) for side in (mine, 1 - mine))
        wins = (held.argmax(axis=1) & 1) == mine
        tied = ours == theirs
        return float(wins.mean()), float((tied & wins).mean()), float((tied & ~wins).mean())

    def _after_calls(
        self, sight: Sight, calls: list[Call], drawn: _Worlds
    ) -> tuple[Floats, Floats]:
        """The own pair's chances after each call in each world, and how often a bet is refused.

        Shape (calls, worlds).
        """
        state, worlds = sight.state, len(drawn.hands)
        lance = LANCES.index(BETTING[state.phase])
        seat = (sight.seat - state.mano) % SEATS
        hands = np.tile(_from_mano(drawn.hands, state.mano), (len(calls), 1))
        deals = deals_of(self.tables, state, hands, drawn.dice, drawn.way)
        at = np.arange(len(hands))
        kinds = np.repeat([KINDS[type(call)] for call in calls], worlds)
        stones = np.repeat([_stones(call) for call in calls], worlds)
        deals.act(lance, at, np.full(len(at), seat), kinds, stones)
        after = deals.stones.copy()
        deals.play(lance, began=True)
        at_once = (deals.how[lance] == REFUSED) & (deals.bettor == seat) & (deals.stones == after)
        deals.play_on(lance + 1)
        deals.count()
        chances = deals.chances()
        won = (chances if seat % 2 == 0 else 1.0 - chances).reshape(len(calls), worlds)
        shares = at_once.reshape(len(calls), worlds).mean(axis=1)
        bets = np.array([KINDS[type(call)] in (BET, ALL_IN) for call in calls])
        return won, np.where(bets, shares, np.nan)

    def _after_mus(self, sight: Sight, calls: list[Call], drawn: _Worlds) -> Floats:
        """The own pair's chances after mus, or a cut, in each world. Shape (calls, worlds)."""
        worlds = len(drawn.hands)
        drawn = drawn.times(len(calls))
        round_ = _Mus(self.tables, sight, drawn, changes=sight.state.discards)
        for n, call in enumerate(calls):
            if isinstance(call, c.Cut):
                round_.cut(np.arange(worlds) + n * worlds, np.full(worlds, sight.seat - 1))
        mine = (sight.seat - sight.state.mano) % SEATS
        said = [(one - sight.state.mano) % SEATS for one in sight.state.spoken]
        order = mus_places(sight.state.profile)
        round_.ask([place for place in order if place != mine and place not in said])
        return self._lances(sight, round_, drawn).reshape(len(calls), worlds)

    def _lances(self, sight: Sight, round_: _Mus, drawn: _Worlds) -> Floats:
        """Let the mus go on to its end and play the lances; the own pair's chances."""
        round_.go_on()
        state, rows = sight.state, np.arange(len(drawn.hands))
        places = (round_.mano[:, None] + np.arange(SEATS)) % SEATS
        stones = np.array(state.stones)
        score = stones[(round_.mano[:, None] + np.arange(2)) % 2]
        hands = round_.hands[rows[:, None], places]
        deals = Deals(self.tables, hands, score, drawn.dice, state.profile, drawn.way)
        deals.cutter = (round_.cutter - round_.mano) % SEATS
        deals.play_on(GRANDE)
        deals.count()
        chances = deals.chances()
        ours = (sight.seat - 1 - round_.mano) % 2 == 0
        return np.where(ours, chances, 1.0 - chances)


@cache
def shipped_judge() -> Judge:
    """The judge by what ships. Raises UntaughtError where the file is missing or damaged."""
    return Judge(read_lore(data_dir("models") / "players" / "maestro.npz"))


# ---- Worlds: the hidden cards, and the dice that decide what players do with them ----------------


@dataclass(frozen=True, slots=True)
class _Worlds:
    """The worlds that calls are tried in.

    hand    the own hand's number
    hands   everybody's by seat of the table. Shape (worlds, 4)
    dice    for the lances, by lance, seat and turn
    mus     for the mus, by round and place
    stock   the cards to draw from, in order; empty where none will be. Shape (worlds, 24)
    way     the way in which all play. Shape (worlds,)
    count   how many different worlds there are, about: the effective sample size
    """

    hand: int
    hands: Ints
    dice: Floats
    mus: Floats
    stock: Ints
    way: Ints
    count: float

    def times(self, many: int) -> _Worlds:
        """All of these worlds so many times, one after another."""
        return _joined([self] * many)


def _joined(some: list[_Worlds]) -> _Worlds:
    """Worlds one after another; the number of different ones is that of the first."""
    return replace(
        some[0],
        hands=np.concatenate([one.hands for one in some]),
        dice=np.concatenate([one.dice for one in some]),
        mus=np.concatenate([one.mus for one in some]),
        stock=np.concatenate([one.stock for one in some]),
        way=np.concatenate([one.way for one in some]),
    )


def _dealt_together(left: Ints, counts: list[Ints]) -> Floats:
    """How much likelier one deck deals these hands together than three independent decks."""
    weight = np.ones(len(counts[0]))
    gone = np.zeros_like(counts[0])
    for some in counts:
        rest = left - gone
        able = (rest >= some).all(axis=1)
        together = CHOOSE[np.maximum(rest, 0), some].prod(axis=1)
        weight *= np.where(able, together / CHOOSE[left, some].prod(axis=1), 0.0)
        gone = gone + some
    return weight


def _stock(tables: Tables, hands: Ints, dice: np.random.Generator) -> Ints:
    """The cards that nobody holds, shuffled. Shape (worlds, 24)."""
    deck = tables.lore.hands
    copies = deck.deck.copies
    pack = np.repeat(np.arange(len(copies)), copies)
    copy = np.concatenate([np.arange(n) for n in copies])
    held = deck.counts[hands].sum(axis=1)
    keys = dice.random((len(hands), len(pack)))
    keys[copy[None, :] < held[:, pack]] = 2.0
    return np.asarray(pack[keys.argsort(axis=1)[:, : len(pack) - 4 * SEATS]])


def _from_mano(hands: Ints, mano: int) -> Ints:
    """Hands by seat of the table -> from mano."""
    return np.roll(hands, 1 - mano, axis=1)


def deals_of(
    tables: Tables, state: State, hands: Ints, dice: Floats, way: Ints | None = None
) -> Deals:
    """Rows of deals that stand where a state stands, in its lances. ``hands`` are from mano.

    ``dice`` and ``way``: see ``Deals``.
    """
    side = (state.mano - 1) % 2
    score = np.tile([state.stones[side], state.stones[1 - side]], (len(hands), 1))
    deals = Deals(tables, hands, score, dice, state.profile, way)
    how, who = closed(state, side)
    deals.how[:], deals.side[:] = how[:, None], who[:, None]
    if state.cutter is not None:
        deals.cutter[:] = (state.cutter - state.mano) % SEATS
    for result in state.results:
        if result.how is How.ACCEPTED:
            deals.worth[LANCES.index(result.lance)] = result.stones
    lance = LANCES.index(BETTING[state.phase])
    for declared in (Lance.PARES, Lance.JUEGO):
        if None not in state.declared(declared):
            bits = sum(1 << (seat - state.mano) % SEATS for seat in state.holders(declared))
            deals.holders[LANCES.index(declared)] = bits
    _stand(deals, state)
    if state.both is not None and lance < CHICA:
        stones = state.both.stones if isinstance(state.both, BetMade) else 0
        deals.both = (state.both.seat - state.mano) % SEATS, stones
    return deals


def _stand(deals: Deals, state: State) -> None:
    """Put the betting of the present lance into the rows."""
    bet = state.pending
    if bet is None:
        deals.spoken[:] = sum(1 << (seat - state.mano) % SEATS for seat in state.spoken)
        return
    lance = LANCES.index(bet.lance)
    deals.bettor[:] = (bet.seat - state.mano) % SEATS
    deals.stones[:], deals.base[:], deals.all_in[:] = bet.stones, bet.base, bet.ordago
    gone = (*bet.refused, *bet.out)
    deals.gone[:] = sum(1 << (seat - state.mano) % SEATS for seat in set(gone))
    deals.side[lance] = (bet.seat - state.mano) % 2


class _Mus:
    """The mus of many worlds at once: who says it, who cuts it, and the cards that are changed.

    Seats are those of the table, from 0.
    """

    def __init__(self, tables: Tables, sight: Sight, drawn: _Worlds, *, changes: int) -> None:
        state = sight.state
        worlds = len(drawn.hands)
        self.tables, self.state, self.drawn = tables, state, drawn
        self.me = sight.seat - 1
        self.hands = drawn.hands.copy()
        self.mano = np.full(worlds, state.mano - 1)
        self.changes = changes
        if changes < state.discards and state.corrido:
            self.mano[:] = (state.mano - 2) % SEATS  # it moves on with the exchange that is due
        self.cutter = np.full(worlds, -1)
        self._pile = np.concatenate(
            [drawn.stock, np.zeros((worlds, 4 * SEATS * (MOST_ROUNDS + 1)), dtype=np.int64)],
            axis=1,
        )
        self._next = np.zeros(worlds, dtype=np.int64)
        self._end = np.full(worlds, drawn.stock.shape[1])
        stones = np.array(state.stones)
        target, sides = state.profile.target, np.arange(SEATS) % 2
        self._scores = score_classes(target - stones[sides], target - stones[1 - sides])
        self._rounds = 0

    def cut(self, at: Ints, seat: Ints) -> None:
        """Cut the mus in these rows."""
        self.cutter[at] = seat
        if self.state.corrido:
            self.mano[at] = seat

    def ask(self, places: list[int]) -> None:
        """Ask for mus at these places from mano, where nobody has cut; change cards if all want."""
        mus = self.tables.mus
        kind = 2 if self.state.corrido else min(self.changes, 1)
        dice = self.drawn.mus[:, min(self._rounds, MOST_ROUNDS)]
        for place in places:
            at = np.flatnonzero(self.cutter < 0)
            if not len(at):
                return
            seat = (self.mano[at] + place) % SEATS
            hand = self.hands[at, seat]
            where = ((hand * 3 + kind) * 4 + place) * SCORES + self._scores[seat]
            wants = dice[at, place] < mus[self.drawn.way[at], where] / 255
            if self.changes >= MOST_ROUNDS:
                wants[:] = False
            self.cut(at[~wants], seat[~wants])
        if (self.cutter < 0).any():
            self.exchange()

    def go_on(self) -> None:
        """Ask again and again, until somebody has cut everywhere."""
        order = list(mus_places(self.state.profile))
        while (self.cutter < 0).any():
            self.ask(order)

    def exchange(self, mine: Ints | None = None) -> None:
        """Everybody throws what maestro throws, and draws as many.

        ``mine``: what oneself throws in each row, as bits.
        """
        tables, at = self.tables, np.flatnonzero(self.cutter < 0)
        for step in range(SEATS):
            seat = (self.mano[at] + step) % SEATS
            hand = self.hands[at, seat]
            bits = tables.throws[hand]
            if mine is not None:
                bits = np.where(seat == self.me, mine[at], bits)
            cards = tables.ranks[hand]
            for place in range(SEATS):
                some = (bits >> place & 1).astype(bool)
                rows = at[some]
                self._pile[rows, self._end[rows]] = cards[some, place]
                self._end[rows] += 1
                cards[some, place] = self._pile[rows, self._next[rows]]
                self._next[rows] += 1
            self.hands[at, seat] = tables.index[tuple(cards.T)]
        self.changes += 1
        self._rounds += 1
        if self.state.corrido:
            self.mano[at] = (self.mano[at] + 1) % SEATS
