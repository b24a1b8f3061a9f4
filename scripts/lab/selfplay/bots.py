"""Compiled players that follow one idea each, and juegos between them and a learnt policy.

A bot is a row of numbers, read from ``zoo.toml``. It decides by its pair's chance to win the lance,
computed from its own cards alone and tabulated for each place. Of what was said it only uses
whether a bet is pending.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit

from assistant.rules.cards import Card
from assistant.rules.profile import Profile
from assistant.school.players.maestro import ODDS, TARGET, Lore
from assistant.school.players.strength import OtherHands, Strength
from scripts.lab.selfplay import learn, rivals
from scripts.lab.selfplay.deal import (
    ACCEPT,
    ALL_IN,
    BASE,
    BET,
    BETTOR,
    GO_ALL_IN,
    HAND,
    LANCES,
    PASS,
    PHASE,
    SCORE,
    STONES,
    WINNER,
    Arrays,
    Cards,
    Numbers,
    act,
    count,
    deal_out,
    to_act,
)
from scripts.lab.selfplay.deal import (
    TARGET as GOAL,
)
from scripts.lab.selfplay.school import deck_for
from scripts.lab.selfplay.speed import room

IN_DOUBT = "cuenta-miedo"
"""The player of the zoo that answers at moments that the policy never learnt."""
ZOO = Path(__file__).with_name("zoo.toml")
FIELDS = (
    "cut", "bet", "size", "raises", "by", "accept", "accept_more", "ordago", "ordago_takes",
    "bluff", "wild", "odds", "shade", "endgame", "endgame_ordago", "behind",
)  # fmt: skip
(CUT, BET_FROM, SIZE, RAISES, BY, TAKES, TAKES_MORE, ALL_FROM, ALL_TAKES, BLUFF, WILD, BY_ODDS,
 SHADE, ENDGAME, END_ALL, BEHIND) = range(len(FIELDS))  # fmt: skip
NEVER = {"bet": 2.0, "raises": 2.0, "ordago": 2.0, "ordago_takes": 2.0, "accept": 2.0, "cut": 5.15}
LEARNT, LEARNT_NO_MUS, NOVICE, CHANCER, RULES, THINKER = range(6)
"""Kinds of player: a policy; the same without mus; two beginners; a row of the zoo; a thinker."""


def zoo() -> dict[str, Numbers]:
    """The numbers of each bot, by its name."""
    found = tomllib.loads(ZOO.read_text(encoding="utf-8"))
    return {
        name: np.array([float(row.get(field, NEVER.get(field, 0.0))) for field in FIELDS])
        for name, row in found.items()
    }


def cards_alone(kings: int) -> tuple[Numbers, Numbers, Numbers]:
    """The pair's chance at each lance, place and hand; a hand's worth; its best throw.

    Shapes (5, 4, hands), (hands,) and (hands,), the last one as bits of places. The other hands
    count as independent, as in ``assistant.school.players.strength``.
    """
    strength = Strength(Profile(kings=kings))
    hands = len(strength.hands.values)
    chance = np.zeros((5, 4, hands))
    for n, lance in enumerate(LANCES):
        for place in range(4):
            others = tuple(
                OtherHands(ours=(seat - place) % 2 == 0, place=seat)
                for seat in range(4)
                if seat != place
            )
            chance[n, place] = [strength.wins(h, place, lance, others) for h in range(hands)]
    throws = np.zeros(hands, dtype=np.int64)
    for hand in range(hands):
        cards = tuple(Card(rank) for rank in strength.hands.ranks[hand])
        throws[hand] = sum(1 << place for place in strength.thrown(cards))
    return chance, strength.worth(), throws


@njit(cache=True)
def bot_call(row: Numbers, seat: int, numbers: Numbers, chance: Numbers) -> tuple[int, int]:
    """The call of a row: its kind and its stones."""
    p = chance[row[PHASE], seat, row[HAND + seat]]
    side = seat & 1
    ours, theirs = row[GOAL] - row[SCORE + side], row[GOAL] - row[SCORE + 1 - side]
    pressed = theirs <= numbers[ENDGAME] or (
        numbers[BEHIND] > 0 and ours - theirs >= numbers[BEHIND]
    )
    can_all = not row[ALL_IN]
    if can_all and (
        p >= numbers[ALL_FROM]
        or np.random.random() < numbers[WILD]
        or (pressed and p >= numbers[END_ALL])
    ):
        return GO_ALL_IN, 0
    if row[BETTOR] < 0:
        wants = p >= numbers[BET_FROM] or np.random.random() < numbers[BLUFF]
        if numbers[BY_ODDS]:
            wants = p + numbers[SHADE] > 0.5
        return (BET, int(numbers[SIZE])) if wants else (PASS, 0)
    if row[ALL_IN]:
        if numbers[BY_ODDS]:
            # Refusing costs the deje. The rest of the deal counts as even.
            return (
                (ACCEPT, 0) if p + numbers[SHADE] > theirs / (ours + theirs) + 0.12 else (PASS, 0)
            )
        return (ACCEPT, 0) if p >= numbers[ALL_TAKES] else (PASS, 0)
    stones, deje = row[STONES], max(1, row[BASE])
    if numbers[BY_ODDS]:
        if p + numbers[SHADE] > 0.72 and stones < 10:
            return BET, int(numbers[SIZE])
        return (ACCEPT, 0) if (2 * (p + numbers[SHADE]) - 1) * stones > -deje else (PASS, 0)
    if p >= numbers[RAISES] and stones < 30:
        return BET, int(numbers[BY])
    more = np.log2(max(2, stones) / 2)
    return (ACCEPT, 0) if p >= numbers[TAKES] + numbers[TAKES_MORE] * more else (PASS, 0)


@njit(cache=True)
def speak(
    kind: int,
    row: Numbers,
    seat: int,
    deck: Arrays,
    policy: Arrays,
    numbers: Numbers,
    chance: Numbers,
    odds: Numbers,
) -> None:
    """Let one player call."""
    classes = deck[0]
    if kind <= LEARNT_NO_MUS:
        at = learn.place(row, seat, deck[2], deck[4], deck[5])
        if policy[0][at : at + learn.ACTIONS].sum() <= 0:
            call, stones = bot_call(row, seat, numbers, chance)
            act(row, classes, call, stones)
            return
        learn.matched(policy[0], at, learn.legal_bits(row), odds)
        learn.perform(row, classes, learn.drawn(odds))
    elif kind == NOVICE:
        rivals.novice_speaks(row, seat, deck)
    elif kind == CHANCER:
        if row[BETTOR] < 0:
            call = (PASS, BET, GO_ALL_IN)[int(3 * np.random.random())]
            act(row, classes, call, 2)
        elif row[ALL_IN]:
            act(row, classes, PASS if np.random.random() < 0.5 else ACCEPT, 0)
        else:
            # Pass and "no quiero" are two calls of the rules with the same meaning.
            call = (PASS, PASS, ACCEPT, BET, GO_ALL_IN)[int(5 * np.random.random())]
            act(row, classes, call, 1)
    elif kind == THINKER:
        rivals.thinker_speaks(row, seat, deck)
    else:
        call, stones = bot_call(row, seat, numbers, chance)
        act(row, classes, call, stones)


@njit(cache=True)
def wants_mus(
    kind: int,
    meta: Numbers,
    place_: int,
    seat: int,
    hands: Numbers,
    deck: Arrays,
    policy: Arrays,
    numbers: Numbers,
    worth: Numbers,
) -> bool:
    hand = hands[seat]
    if meta[learn.CHANGES] >= 30 or kind == LEARNT_NO_MUS:
        return False
    if kind == LEARNT:
        score = learn.seat_score(meta, seat, deck[5])
        at = learn.mus_place(hand, place_, meta[learn.CHANGES], meta[learn.CORRIDO], score)
        no, yes = policy[1][at], policy[1][at + 1]
        return np.random.random() < (yes / (no + yes) if no + yes > 0 else 0.5)
    if kind == NOVICE:
        return not (deck[1][0, hand] > 1 or deck[1][1, hand] == 3)
    if kind == CHANCER:
        return np.random.random() < 0.25
    return worth[hand] < numbers[CUT]


@njit(cache=True)
def throws_of(
    kind: int,
    seat: int,
    hands: Numbers,
    deck: Arrays,
    policy: Arrays,
    best_throw: Numbers,
    odds: Numbers,
) -> int:
    hand = hands[seat]
    if kind <= LEARNT_NO_MUS:
        at = learn.throw_place(hand)
        for bits in range(learn.THROWS):
            odds[bits] = policy[2][at + bits] if bits else 0.0
        whole = odds.sum()
        if whole > 0:
            odds /= whole
            return learn.drawn(odds)
        return best_throw[hand]
    if kind == NOVICE:
        four, last = deck[8][hand], deck[6].shape[0] - 1
        for wanted in (0, last):
            bits = 15
            for place in range(4):
                if four[place] == wanted:
                    bits &= ~(1 << place)
            if bits == 0:
                return 8
            if bits != 15:
                return bits
        return 15
    if kind == CHANCER:
        return 1 + int(15 * np.random.random())
    return best_throw[hand]


@njit(cache=True)
def juego(
    kinds: tuple[int, int],
    seats: Numbers,
    deck: Arrays,
    policies: tuple[Arrays, Arrays],
    numbers: tuple[Numbers, Numbers],
    chance: Numbers,
    worth: Numbers,
    best_throw: Numbers,
    target: Cards,
    first: int,
    cards: Cards,
    row: Numbers,
) -> tuple[int, int]:
    """Play one juego. Returns the winning pair of seats, and the number of deals.

    ``seats``: which of the two players (0 or 1) sits at each seat.
    """
    meta = np.zeros(learn.META, dtype=np.int64)
    meta[learn.GOAL], meta[learn.MANO], meta[learn.CORRIDO] = target, first, 1
    odds, throw_odds = np.empty(learn.ACTIONS), np.empty(learn.THROWS)
    pack, left, hands, held, thrown = cards
    deals = 0
    while True:
        deals += 1
        meta[learn.CHANGES] = 0
        meta[learn.CUT_BY] = -1
        left[0], left[1] = 16, 0
        deal_out(pack, deck[7], deck[6], hands, held)
        while meta[learn.CUT_BY] < 0:
            for place_ in range(4):
                seat = (meta[learn.MANO] + place_) & 3
                who = seats[seat]
                policy = policies[who]
                if not wants_mus(
                    kinds[who], meta, place_, seat, hands, deck, policy, numbers[who], worth
                ):
                    learn.cut(meta, seat)
                    break
            if meta[learn.CUT_BY] < 0:
                for seat in range(4):
                    who = seats[seat]
                    thrown[seat] = throws_of(
                        kinds[who], seat, hands, deck, policies[who], best_throw, throw_odds
                    )
                learn.exchange(meta, cards, deck)
        learn.to_lances(meta, cards, row)
        mano = meta[learn.MANO]
        while True:
            seat = to_act(row)
            if seat < 0:
                break
            who = seats[(mano + seat) & 3]
            speak(kinds[who], row, seat, deck, policies[who], numbers[who], chance, odds)
        count(row, deck[0], deck[1])
        side = mano & 1
        meta[learn.POINTS + side], meta[learn.POINTS + 1 - side] = row[SCORE], row[SCORE + 1]
        if row[WINNER] >= 0:
            return row[WINNER] ^ side, deals
        meta[learn.CORRIDO] = 0
        meta[learn.MANO] = (mano + 1) & 3


@njit(cache=True)
def juegos(
    many: int,
    seed: int,
    kinds: tuple[int, int],
    deck: Arrays,
    policies: tuple[Arrays, Arrays],
    numbers: tuple[Numbers, Numbers],
    chance: Numbers,
    worth: Numbers,
    best_throw: Numbers,
    target: Cards,
    cards: Cards,
    row: Numbers,
) -> tuple[int, int, int, int]:
    """Play pairs of juegos, with exchanged seats in the second one of each.

    Returns how many of 2 * many player 0 won, the deals, and how many pairs player 0 won both of,
    and neither of.
    """
    seats = np.zeros(4, dtype=np.int64)
    won = deals = both = neither = 0
    for n in range(many):
        here = 0
        for swapped in range(2):
            np.random.seed(seed + n)
            seats[0] = seats[2] = swapped
            seats[1] = seats[3] = 1 - swapped
            pair, took = juego(
                kinds,
                seats,
                deck,
                policies,
                numbers,
                chance,
                worth,
                best_throw,
                target,
                n & 3,
                cards,
                row,
            )
            here += seats[pair] == 0
            deals += took
        won += here
        both += here == 2
        neither += here == 0
    return won, deals, both, neither


# ---- Juegos of a learnt policy against a row of the zoo ------------------------------------------


@dataclass(frozen=True)
class Arena:
    """An exported policy in the form that compiled play reads, with what bots look up."""

    deck: Arrays
    policy: Arrays
    alone: Arrays
    """The pair's chances, worths and throws, computed from the cards alone."""

    @classmethod
    def of(cls, lore: Lore) -> Arena:
        """Unfold an exported policy."""
        deck = deck_for(lore.kings)
        odds = [ODDS[lore.odds[lance]].astype(np.float32).ravel() for lance in LANCES]
        throws = np.zeros((len(lore.throws), learn.THROWS), dtype=np.float32)
        told = np.flatnonzero(lore.throws)
        throws[told, lore.throws[told]] = 1.0
        mus = np.stack([255.0 - lore.mus, lore.mus], axis=1).astype(np.float32)
        policy = (np.concatenate(odds), mus.ravel(), throws.ravel())
        return cls(deck, policy, cards_alone(lore.kings))

    def against(self, numbers: Numbers, many: int, seed: int) -> tuple[float, float]:
        """The share of this many juegos that the policy wins of a row of the zoo; its 95% error."""
        return self._played((LEARNT, RULES), self.policy, numbers, many, seed)

    def against_policy(self, other: Arrays, many: int, seed: int) -> tuple[float, float]:
        """The same against another learnt policy."""
        return self._played((LEARNT, LEARNT), other, zoo()[IN_DOUBT], many, seed)

    def against_no_mus(self, other: Arrays, many: int, seed: int) -> tuple[float, float]:
        """The same against another learnt policy that never gives mus."""
        return self._played((LEARNT, LEARNT_NO_MUS), other, zoo()[IN_DOUBT], many, seed)

    def _played(
        self, kinds: tuple[int, int], other: Arrays, numbers: Numbers, many: int, seed: int
    ) -> tuple[float, float]:
        cards, row = room(self.deck)
        pairs = max(1, many // 2)
        won, _, both, neither = juegos(
            pairs,
            seed,
            kinds,
            self.deck,
            (self.policy, other),
            (zoo()[IN_DOUBT], numbers),
            *self.alone,
            TARGET,
            cards,
            row,
        )
        share = won / (2 * pairs)
        one = pairs - both - neither
        spread = both * (1 - share) ** 2 + one * (0.5 - share) ** 2 + neither * share**2
        return share, 1.96 * math.sqrt(spread) / pairs
