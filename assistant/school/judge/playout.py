"""A vectorised simulation of the rest of a deal, by maestro's odds, in many worlds at once.

A world is one way in which the hidden cards may lie. ``Deals`` holds a row for each world and each
call that is tried; every step of the play is done for all rows together. The real rules are in
``assistant.rules``; these are only those for two pairs who speak by turn. A test plays
random deals by both and compares every stone. Seats count from mano: seat 0 is mano, and the seats
of one pair are two apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from assistant.odds.deck import NO_KEY
from assistant.rules.phases import Lance
from assistant.rules.profile import Answer, Profile
from assistant.school.players.maestro import (
    ACTIONS,
    CONTEXTS,
    LANCES,
    LARGE,
    NEED_UP_TO,
    NEEDS,
    NODES,
    ODDS,
    SCORES,
    SIZE_UP_TO,
    SMALL,
    TARGET,
    Bytes,
    Lore,
)

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

GRANDE, CHICA, PARES, JUEGO, PUNTO = range(len(LANCES))
OPEN, PASSED, ACCEPTED, REFUSED, UNCONTESTED, NOBODY, ORDAGO = range(7)
"""How a lance was closed; OPEN is one that is not."""
PASS, ACCEPT, BET, ALL_IN = range(4)
"""Kinds of call. PASS refuses a pending bet; BET opens, or raises by so many stones."""
SEATS = 4
EVERYBODY = 15
TURNS = 4
"""The turns of a seat in a lance that have dice of their own; later turns use the last of them."""
MOST_ROUNDS = 6
"""The most changes of cards; then somebody cuts, so that every deal ends."""

LOWEST = np.array([-1] + [(bits & -bits).bit_length() - 1 for bits in range(1, 16)])
"""Seats as bits -> the first of them."""
NEED_CLASS = np.searchsorted(np.array(NEED_UP_TO), np.arange(201))
SIZE_CLASS = np.searchsorted(np.array(SIZE_UP_TO), np.arange(1001))
MOST_RAISED = 20
"""From this many stones on, or from what anybody needs, a bet is raised only by an órdago."""


def _up_to(odds: Floats) -> Floats:
    """Odds of actions -> up to which dice each is drawn."""
    whole = odds.sum(axis=1, keepdims=True)
    odds = np.where(whole > 0, odds / np.maximum(whole, 1e-9), np.eye(len(odds[0]))[1])
    found = np.cumsum(odds, axis=1)
    found[:, -1] = 2.0
    return np.asarray(found)


UP_TO = np.stack([_up_to(ODDS), _up_to(ODDS * [1, 1, 0, 0, 1])])
"""Whether raises are left out, and the number of the odds -> see ``_up_to``."""
UNTOLD_BET, UNTOLD_ACCEPT = 0.85, np.array([0.7, 0.75, 0.85, 0.92, 0.97])
"""In a moment that maestro never learnt: the rank of a hand that bets, and of one that accepts, by
the size of the bet."""

_NUMBER = {tuple(row): n for n, row in enumerate(ODDS.tolist()) if n}
PASSING, ACCEPTING = (_NUMBER[tuple(np.eye(ACTIONS)[n].tolist())] for n in (PASS, ACCEPT))
BETTING_ODDS = _NUMBER[0.0, 0.0, 0.6, 0.4, 0.0]
CUT_FROM = 0.7
"""From this share of worse hands on, players mostly cut the mus: the novice and ``fuerte`` give it
with four of five hands below, and with one of four above."""
WAYS = ((0.75, 0.45), (0.85, 0.7), (0.9, 0.92))
"""Ways of playing by the cards alone: the rank of a hand that bets two or five, and of one that
accepts whatever is bet: who wants a lot, who wants what is good, and who wants hardly anything."""


@dataclass(frozen=True)
class Tables:
    """What is looked up for every deal: maestro's lore as arrays.

    classes  each hand's order in each lance, NO_KEY where it takes no part. Shape (5, hands)
    stones   what a hand brings by itself at pares, and at juego. Shape (2, hands)
    ranked   the share of hands in a lance that are no better. Shape (5, hands)
    odds     lance -> the number of the odds in each moment, as in the lore, for each way of
             playing: maestro's own, and those by the cards alone. Shape (ways, moments)
    mus      the chance of "mus", in 255 parts, likewise. Shape (ways, moments)
    good     the share of hands that are no better, all lances together. Shape (hands,)
    """

    lore: Lore
    classes: Ints
    stones: Ints
    ranked: Floats
    odds: Mapping[Lance, Bytes]
    mus: Bytes
    good: Floats

    @classmethod
    def of(cls, lore: Lore, by_cards: Sequence[tuple[float, float]] = ()) -> Tables:
        """The tables of what maestro learnt; ``by_cards``: ways to play as in ``WAYS``.

        Who goes by the cards never raises, cuts the mus with a good hand (``CUT_FROM``), and throws
        cards as maestro does.
        """
        hands = lore.hands
        classes = np.stack([hands.classes[lance] for lance in LANCES])
        ways = ways_of(hands.deck.copies, hands.counts)
        ranked = np.stack([_ranks(order, ways) for order in classes])
        good = _share_below(_worth(ranked, classes), ways)
        by_hand = np.repeat(np.where(good < CUT_FROM, 255, 0), len(lore.mus) // len(good))
        return cls(
            lore,
            classes,
            np.stack([hands.stones[Lance.PARES], hands.stones[Lance.JUEGO]]),
            ranked,
            {
                lance: np.stack(
                    [lore.odds[lance], *(_odds_by_cards(lore, n, ranked[n], *w) for w in by_cards)]
                )
                for n, lance in enumerate(LANCES)
            },
            np.stack([lore.mus, *[by_hand.astype(np.uint8)] * len(by_cards)]),
            good,
        )

    @property
    def ways(self) -> int:
        """The number of ways of playing."""
        return len(self.odds[Lance.GRANDE])

    @cached_property
    def ranks(self) -> Ints:
        """The ranks of each hand, best first. Shape (hands, 4)."""
        counts = self.lore.hands.counts
        return np.array([np.repeat(np.arange(len(row)), row) for row in counts])

    @cached_property
    def index(self) -> Ints:
        """Four ranks in any order -> the number of the hand. Shape (ranks,) * 4."""
        kinds = self.lore.hands.counts.shape[1]
        found = np.full((kinds,) * 4, -1)
        for place in np.ndindex(found.shape):
            counts = tuple(np.bincount(place, minlength=kinds).tolist())
            found[place] = self.lore.hands.index.get(counts, -1)
        return found

    @cached_property
    def throws(self) -> Ints:
        """The places that each hand throws, as bits; all but the reyes where none was learnt."""
        learnt = self.lore.throws.astype(np.int64)
        keeps_reyes = ((self.ranks != 0) << np.arange(SEATS)).sum(axis=1)
        return np.where(learnt > 0, learnt, np.maximum(keeps_reyes, 8))


def _odds_by_cards(lore: Lore, n: int, ranked: Floats, bets: float, accepts: float) -> Bytes:
    """The odds at a lance of somebody who bets and accepts from these ranks of a hand on."""
    lance, kinds = LANCES[n], lore.kinds[n].astype(np.int64)
    learnt = lore.odds[lance].reshape(-1, CONTEXTS[lance] * SCORES, NODES)
    many = np.bincount(kinds, minlength=len(learnt))
    rank = np.bincount(kinds, ranked, len(learnt)) / np.maximum(many, 1)
    here = np.empty_like(learnt)
    here[:, :, :SEATS] = np.where(rank >= bets, BETTING_ODDS, PASSING)[:, None, None]
    here[:, :, SEATS:] = np.where(rank >= accepts, ACCEPTING, PASSING)[:, None, None]
    return here.ravel()


CHOOSE = np.array([[1.0, 0, 0, 0, 0]] + [[0.0] * 5 for _ in range(12)])
for _of in range(1, 13):
    for _some in range(5):
        CHOOSE[_of, _some] = CHOOSE[_of - 1, _some] + (CHOOSE[_of - 1, _some - 1] if _some else 0)


def ways_of(left: Ints, counts: Ints) -> Floats:
    """In how many ways hands are dealt out of the cards that are left. Shape (hands,)."""
    return np.asarray(CHOOSE[left, counts].prod(axis=-1))


def _ranks(order: Ints, ways: Floats) -> Floats:
    plays = order != NO_KEY
    by_class = np.bincount(order[plays], ways[plays])
    share = np.cumsum(by_class) / by_class.sum()
    return np.where(plays, share[order], 0.0)


def _worth(ranked: Floats, classes: Ints) -> Floats:
    """How good each hand is, all lances together: the sum of its ranks."""
    juego = np.where(classes[JUEGO] != NO_KEY, 0.5 + ranked[JUEGO] / 2, 0.4 * ranked[PUNTO])
    return np.asarray(ranked[[GRANDE, CHICA, PARES]].sum(axis=0) + juego)


def _share_below(worth: Floats, ways: Floats) -> Floats:
    """The share of all hands that are worth no more than each."""
    order = np.argsort(worth, kind="stable")
    share = np.empty(len(worth))
    share[order] = np.cumsum(ways[order]) / ways.sum()
    return share


# ---- The index of a moment in maestro's odds: as ``Lore.place``, for many rows at once -----------


def score_classes(ours: Ints, theirs: Ints) -> Ints:
    """Both pairs' needs as one number, the own one first."""
    return np.asarray(NEED_CLASS[ours] * NEEDS + NEED_CLASS[theirs])


def nodes(
    seat: Ints, bettor: Ints, stones: Ints, base: Ints, all_in: Bools, gone: Ints, holders: Ints
) -> Ints:
    """The state of a lance's betting for the speaker; ``bettor`` is -1 before the first bet."""
    right = bettor == (seat + 1) % SEATS
    partner = (seat + 2) % SEATS
    alone = ((gone >> partner) & 1).astype(bool) | ~((holders >> partner) & 1).astype(bool)
    size = np.where(all_in, 4, SIZE_CLASS[np.minimum(stones, 1000)])
    deje = np.where(base <= 1, 0, np.where(base <= 3, 1, 2))
    place = (((seat * 2 + right) * 2 + alone) * 5 + size) * 3 + deje
    return np.where(bettor < 0, seat, 4 + place)


def told(how: Ints, side: Ints, mine: Ints) -> Ints:
    """Who bet last at a lance that is over: 0 nobody, 1 the own pair, 2 the other."""
    nobody = (how == UNCONTESTED) | (side < 0)
    return np.where(nobody, 0, np.where(side == mine, 1, 2))


def contexts(lance: int, seat: Ints, cutter: Ints, how: Ints, side: Ints, holders: Ints) -> Ints:
    """What happened before in the deal, as a number below CONTEXTS of the lance.

    ``how`` and ``side`` have a row for each lance first, ``holders`` are the bits of this lance.
    """
    mine = seat & 1
    if lance == GRANDE:
        theirs = (cutter < 0) | ((cutter & 1) != mine)
        return np.where(theirs, 2, np.where(cutter == seat, 0, 1))
    first = told(how[GRANDE], side[GRANDE], mine)
    if lance not in (PARES, JUEGO):
        return first
    if lance == JUEGO:
        later = told(how[PARES], side[PARES], mine)
        first = np.where(later > 0, later, first)
    partner, left, right = ((holders >> ((seat + step) % SEATS)) & 1 for step in (2, 1, 3))
    return np.asarray(((first == 2) * 2 + partner) * 2 + (left & right))


# ---- Many deals at once --------------------------------------------------------------------------


class Deals:
    """Rows of deals in their lances. The first index of an array is the row.

    Rows of one world share their dice, so that the difference between two calls depends as little
    as possible on chance.
    """

    def __init__(
        self,
        tables: Tables,
        hands: Ints,
        score: Ints,
        dice: Floats,
        profile: Profile,
        way: Ints | None = None,
    ) -> None:
        """``hands``: (rows, 4) from mano; ``score``: (rows, 2), the first is of mano's pair.

        ``dice``: (worlds, 5, 4, TURNS), each from 0 to 1; row n takes those of n % worlds.
        ``way``: the way in which all play in a world, as its number in ``Tables.odds``; without it
        everywhere maestro's own. Shape (worlds,)
        """
        rows = len(hands)
        self.tables = tables
        self.hands = hands
        self.score = score.copy()
        self.target = profile.target
        self.binds = profile.answer is Answer.ANY
        self.least_bet, self.least_raise = profile.min_bet, profile.min_raise
        self._dice = dice
        self._way = np.zeros(len(dice), dtype=np.int64) if way is None else way
        self.cutter = np.full(rows, -1)
        self.how = np.zeros((5, rows), dtype=np.int64)
        self.side = np.full((5, rows), -1)
        self.worth = np.zeros((5, rows), dtype=np.int64)
        self.winner = np.full(rows, -1)
        self.spoken = np.zeros(rows, dtype=np.int64)
        self.bettor = np.full(rows, -1)
        self.stones = np.zeros(rows, dtype=np.int64)
        self.base = np.zeros(rows, dtype=np.int64)
        self.all_in = np.zeros(rows, dtype=bool)
        self.gone = np.zeros(rows, dtype=np.int64)
        bits = 1 << np.arange(SEATS)
        self.holders = np.stack(
            [((order[hands] >= 0) * bits).sum(axis=1) for order in tables.classes]
        )
        self.holders[[GRANDE, CHICA, PUNTO]] = EVERYBODY
        self.both: tuple[int, int] | None = None
        """Who bet "a las dos" at grande and how much (0: órdago), which stands at chica, too."""

    def to_act(self, lance: int, at: Ints) -> Ints:
        """Who speaks in these rows; -1 where nobody is left to."""
        holders, bettor = self.holders[lance, at], self.bettor[at]
        waiting = LOWEST[holders & ~self.spoken[at] & EVERYBODY]
        can = holders & ~self.gone[at]
        after, before = (bettor + 1) % SEATS, (bettor + 3) % SEATS
        answers = np.where((can >> after) & 1, after, np.where((can >> before) & 1, before, -1))
        return np.where(bettor < 0, waiting, answers)

    def act(self, lance: int, at: Ints, seat: Ints, kind: Ints, stones: Ints) -> None:
        """Say a call in each of these rows, and close the lance where that ends it."""
        pending = self.bettor[at] >= 0
        bets = (kind == BET) | (kind == ALL_IN)
        if bets.any():
            b, s = at[bets], seat[bets]
            all_in = kind[bets] == ALL_IN
            self.base[b] = np.where(pending[bets], self.stones[b], 0)
            self.stones[b] = np.where(all_in, self.target, self.stones[b] + stones[bets])
            self.bettor[b], self.all_in[b], self.side[lance, b] = s, all_in, s & 1
        passes = (kind == PASS) & ~pending
        if passes.any():
            b = at[passes]
            self.spoken[b] |= 1 << seat[passes]
            done = b[(self.spoken[b] & self.holders[lance, b]) == self.holders[lance, b]]
            self.how[lance, done] = PASSED
        refuses = (kind == PASS) & pending
        if refuses.any():
            b, s = at[refuses], seat[refuses]
            self.gone[b] |= (1 << s) | ((1 << (s + 2) % SEATS) if self.binds else 0)
            done = b[self.to_act(lance, b) < 0]
            self.how[lance, done] = REFUSED
            self._award(done, self.bettor[done] & 1, np.maximum(1, self.base[done]))
        accepts = kind == ACCEPT
        if accepts.any():
            b = at[accepts]
            all_in = self.all_in[b]
            self.how[lance, b] = np.where(all_in, ORDAGO, ACCEPTED)
            self.worth[lance, b] = np.where(all_in, 0, self.stones[b])
            ends = b[all_in]
            self.winner[ends] = self.best(lance, ends) & 1

    def best(self, lance: int, at: Ints) -> Ints:
        """The seat with the best hand in each row; of equal hands the one nearer to mano (R39)."""
        return np.asarray(self.tables.classes[lance][self.hands[at]].argmax(axis=1))

    def _award(self, at: Ints, side: Ints, stones: Ints) -> None:
        """Give pairs stones; the juego is over where one reaches the target (R30, R60)."""
        score = np.minimum(self.target, self.score[at, side] + stones)
        self.score[at, side] = score
        won = (score >= self.target) & (self.winner[at] < 0)
        self.winner[at[won]] = side[won]

    def play(self, lance: int, *, began: bool = False) -> None:
        """Play one lance to its end; ``began``: it stands open in every row."""
        at = self._rows_of(lance, began=began)
        if len(at):
            self._bet_in(lance, at)

    def play_on(self, lance: int) -> None:
        """Open this lance and the later ones, and play them to their end."""
        for now in range(lance, 5):
            self.play(now)

    def _rows_of(self, lance: int, *, began: bool) -> Ints:
        """The rows in which a lance is bet on; where it is not, it is closed."""
        going = (self.winner < 0) & (self.how[lance] == OPEN)
        if began:
            return np.flatnonzero(going)
        if lance == PUNTO:
            going &= self.how[JUEGO] == NOBODY
        bits = self.holders[lance]
        first, second = (bits & 5) > 0, (bits & 10) > 0
        played = going & first & second
        closed = going & ~played
        self.how[lance, closed] = np.where(bits[closed] > 0, UNCONTESTED, NOBODY)
        self.side[lance, closed] = np.where(bits[closed] > 0, np.where(first[closed], 0, 1), -1)
        at = np.flatnonzero(played)
        for array in (self.spoken, self.stones, self.base, self.gone):
            array[at] = 0
        self.bettor[at], self.all_in[at] = -1, False
        if lance == CHICA and self.both is not None:
            seat, stones = self.both
            many = np.full(len(at), seat)
            kind = np.full(len(at), BET if stones else ALL_IN)
            self.act(lance, at, many, kind, np.full(len(at), stones))
        return at

    def _bet_in(self, lance: int, at: Ints) -> None:
        lore, worlds = self.tables.lore, len(self._dice)
        odds = self.tables.odds[LANCES[lance]]
        seats = np.arange(SEATS)
        theirs = self.target - self.score[at][:, (seats + 1) & 1]
        ours = self.target - self.score[at][:, seats & 1]
        past = contexts(
            lance,
            seats[None, :],
            self.cutter[at][:, None],
            self.how[:, at, None],
            self.side[:, at, None],
            self.holders[lance, at][:, None],
        )
        hands = self.hands[at]
        begins = lore.kinds[lance].astype(np.int64)[hands] * CONTEXTS[LANCES[lance]] + past
        begins = (begins * SCORES + score_classes(ours, theirs)) * NODES
        begins += self._way[at % worlds, None] * odds.shape[1]
        odds = odds.ravel()
        ranked = self.tables.ranked[lance][hands]
        turns = np.zeros((len(at), SEATS), dtype=np.int64)
        live = np.flatnonzero(self.to_act(lance, at) >= 0)
        while len(live):
            rows = at[live]
            seat = self.to_act(lance, rows)
            node = nodes(
                seat,
                self.bettor[rows],
                self.stones[rows],
                self.base[rows],
                self.all_in[rows],
                self.gone[rows],
                self.holders[lance, rows],
            )
            number = odds[begins[live, seat] + node]
            turn = np.minimum(turns[live, seat], TURNS - 1)
            turns[live, seat] += 1
            dice = self._dice[rows % worlds, lance, seat, turn]
            most = np.minimum(MOST_RAISED, (self.target - self.score[rows]).max(axis=1))
            enough = (self.bettor[rows] >= 0) & (self.stones[rows] >= most)
            action = (dice[:, None] >= UP_TO[enough.astype(np.int64), number]).sum(axis=1)
            untold = number == 0
            if untold.any():
                action[untold] = self._untold(rows[untold], ranked[live, seat][untold])
            kind, stones = self._said(rows, action)
            self.act(lance, rows, seat, kind, stones)
            live = live[(self.how[lance, rows] == OPEN) & (self.winner[rows] < 0)]

    def _untold(self, rows: Ints, rank: Floats) -> Ints:
        """The call in a moment that maestro never learnt: by the hand's rank alone."""
        pending = self.bettor[rows] >= 0
        size = np.where(self.all_in[rows], 4, SIZE_CLASS[np.minimum(self.stones[rows], 1000)])
        accepts = (rank >= UNTOLD_ACCEPT[size]).astype(np.int64)
        return np.where(pending, accepts, np.where(rank >= UNTOLD_BET, 2, 0))

    def _said(self, rows: Ints, action: Ints) -> tuple[Ints, Ints]:
        """Actions as calls; one that the rules do not allow becomes the least that they do."""
        pending, all_in = self.bettor[rows] >= 0, self.all_in[rows]
        more = action >= 2
        kind = np.where(action == 4, ALL_IN, np.where(more, BET, PASS))
        kind = np.where((action == 1) | (more & all_in), np.where(pending, ACCEPT, PASS), kind)
        least = np.where(pending, self.least_raise, self.least_bet)
        return kind, np.maximum(np.where(action == 2, SMALL, LARGE), least)

    def count(self) -> None:
        """Count the lances in their order, until a pair reaches the target (R30)."""
        for lance in range(5):
            how = self.how[lance]
            at = np.flatnonzero((self.winner < 0) & (how != OPEN) & (how != NOBODY))
            if not len(at):
                continue
            by_cards = (how[at] == PASSED) | (how[at] == ACCEPTED)
            side = np.where(by_cards, self.best(lance, at) & 1, self.side[lance, at])
            won = self.worth[lance, at].copy()
            if lance == PUNTO:
                won += 1
            elif lance <= CHICA:
                won += how[at] == PASSED
            else:
                brings = self.tables.stones[lance - PARES]
                for step in (0, 2):
                    won += brings[self.hands[at, side + step]]
            self._award(at, side, won)

    def chances(self) -> Floats:
        """Mano's pair's chance to win the juego in each row, once the lances are counted."""
        ours = np.clip(self.target - self.score[:, 0], 0, TARGET)
        theirs = np.clip(self.target - self.score[:, 1], 0, TARGET)
        values = 1.0 - self.tables.lore.values[theirs, ours]  # the next mano is theirs
        return np.where(self.winner < 0, values, 1.0 - self.winner)
