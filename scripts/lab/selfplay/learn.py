"""Counterfactual regret minimisation by sampling, for a policy of Mus that both pairs share.

The method is external sampling (Lanctot and others, 2009) with linear weights (Brown and Sandholm,
2019), one lance at a time. A deal is played once. Then, at each lance, each player's choices are
all tried, the others' choices are sampled, and the later lances stay as they were played. The worth
of a leaf is the chance to win the juego: a table by both pairs' needs, learnt beside the policy.

What a player knows is simplified before it is looked up: the score by classes of what each pair
needs, a bet by classes of its stones and of its deje, the lances before by who bet in them last.
``place`` has the exact rule, and ``hand_classes`` says which hands are looked up as one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from scripts.lab.selfplay.deal import (
    ACCEPT,
    ALL_IN,
    BASE,
    BET,
    BETTOR,
    CUTTER,
    DEJE,
    GO_ALL_IN,
    GONE,
    GRANDE,
    HAND,
    HOLDERS,
    HOW,
    JUEGO,
    OPEN,
    ORDAGO,
    PARES,
    PASS,
    PHASE,
    REFUSED,
    ROUNDS,
    ROW,
    SCORE,
    SIDE,
    STONES,
    TARGET,
    TURNED,
    UNCONTESTED,
    WINNER,
    WORTH,
    Arrays,
    Books,
    Cards,
    DeckTables,
    Numbers,
    act,
    award,
    begin,
    best,
    change,
    count,
    deal_out,
    to_act,
)
from scripts.lab.selfplay.rivals import KINDS, draw_mood, rival_speaks

ACTIONS = 5
"""Pass or refuse; accept; bet two, or two more; bet five, or five more; órdago."""
SMALL, LARGE = 2, 5
NODES = 4 + 4 * 2 * 2 * 5 * 3
CONTEXTS = (3, 3, 8, 8, 3)
NEEDS = 4
SCORES = NEEDS * NEEDS
NEED_UP_TO = (4, 9, 20)
"""The upper bounds of the classes of what a pair needs. The last class has no bound."""
HAND_FROM = np.concatenate(
    [
        np.arange(1, 8) / 16,
        0.5 + np.arange(8) / 26,
        0.8 + np.arange(8) / 53,
        0.95 + np.arange(8) / 160,
    ]
)
"""The shares of all hands at which classes begin: 8 up to a half, 8 to 0.8, 8 to 0.95, 8."""
THROWS = 16
MOST_RAISED = 20
"""From this many stones on a bet is raised only by an órdago."""
TAME = 0.5
"""The share of deals that are played without an órdago, so that all lances are learnt."""
MUS_TRIED, THROWS_TRIED = 0.5, 0.2
"""How often mus and a cut are tried out, and all throws. They cost more time than the lances."""
MOST_ROUNDS = 6
"""After this many changes of cards somebody cuts."""


def need_classes() -> Numbers:
    """The class of each number of stones that a pair needs, 0 to 100."""
    return np.searchsorted(np.array(NEED_UP_TO), np.arange(101)).astype(np.int64)


def hand_classes(tables: DeckTables) -> tuple[Numbers, Numbers]:
    """Lance and hand -> the class that is looked up; and the number of classes by lance.

    Hands of a lance that are about equally rare share a class. There are more classes of good
    hands, because mus and discards bring them and because stones are bet on them.
    """
    seen = np.zeros(tables.classes.shape, dtype=np.int64)
    for lance in range(5):
        order = tables.classes[lance]
        plays = order >= 0
        mass = np.bincount(order[plays], tables.ways[plays])
        middle = (np.cumsum(mass) - mass / 2) / mass.sum()
        kinds = np.searchsorted(HAND_FROM, middle, side="right")
        kinds = np.unique(kinds, return_inverse=True)[1]
        seen[lance] = kinds[np.maximum(order, 0)]
    return seen, seen.max(axis=1) + 1


def layout(kinds: Numbers) -> Numbers:
    """Where each lance's numbers begin, then the whole size."""
    sizes = [int(kinds[n]) * CONTEXTS[n] * SCORES * NODES * ACTIONS for n in range(5)]
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


# ---- Where a moment is looked up -----------------------------------------------------------------


@njit(cache=True)
def score_class(row: Numbers, side: int, needs: Numbers) -> int:
    ours = needs[max(0, row[TARGET] - row[SCORE + side])]
    theirs = needs[max(0, row[TARGET] - row[SCORE + 1 - side])]
    return ours * NEEDS + theirs


@njit(cache=True)
def size_class(row: Numbers) -> int:
    if row[ALL_IN]:
        return 4
    stones = row[STONES]
    return 0 if stones <= 2 else 1 if stones <= 5 else 2 if stones <= 9 else 3


@njit(cache=True)
def node_of(row: Numbers, seat: int) -> int:
    """Who has bet how much, and who has still to answer, as a number."""
    if row[BETTOR] < 0:
        return seat
    right = 1 if row[BETTOR] == (seat + 1) & 3 else 0
    partner = (seat + 2) & 3
    alone = 1 if row[GONE] >> partner & 1 or not row[HOLDERS] >> partner & 1 else 0
    deje = 0 if row[BASE] <= 1 else 1 if row[BASE] <= 3 else 2
    return 4 + (((seat * 2 + right) * 2 + alone) * 5 + size_class(row)) * 3 + deje


@njit(cache=True)
def told(row: Numbers, lance: int, side: int) -> int:
    """Who bet last at a lance that is over: 0 nobody, 1 our pair, 2 theirs."""
    if row[HOW + lance] == UNCONTESTED or row[SIDE + lance] < 0:
        return 0
    return 1 if row[SIDE + lance] == side else 2


@njit(cache=True)
def context(row: Numbers, seat: int, lance: int) -> int:
    side = seat & 1
    if lance == GRANDE:
        cutter = row[CUTTER]
        return 2 if cutter < 0 or cutter & 1 != side else 0 if cutter == seat else 1
    first = told(row, GRANDE, side)
    if lance not in (PARES, JUEGO):
        return first
    if lance == JUEGO:
        later = told(row, PARES, side)
        first = later if later else first
    partner = row[HOLDERS] >> ((seat + 2) & 3) & 1
    left = row[HOLDERS] >> ((seat + 1) & 3) & 1
    right = row[HOLDERS] >> ((seat + 3) & 3) & 1
    both = 1 if left and right else 0
    theirs = 1 if first == 2 else 0
    return (theirs * 2 + partner) * 2 + both


@njit(cache=True)
def place(row: Numbers, seat: int, seen: Numbers, starts: Numbers, needs: Numbers) -> int:
    """The place where the numbers of this moment begin."""
    lance = row[PHASE]
    contexts = 8 if lance in (PARES, JUEGO) else 3
    at = seen[lance, row[HAND + seat]] * contexts + context(row, seat, lance)
    at = at * SCORES + score_class(row, seat & 1, needs)
    return starts[lance] + (at * NODES + node_of(row, seat)) * ACTIONS


@njit(cache=True)
def legal_bits(row: Numbers) -> int:
    """The actions that are considered, as bits."""
    if row[BETTOR] < 0:
        return 0b11101
    if row[ALL_IN]:
        return 0b00011
    most = max(row[TARGET] - row[SCORE], row[TARGET] - row[SCORE + 1])
    return 0b11111 if row[STONES] < min(MOST_RAISED, most) else 0b10011


@njit(cache=True)
def perform(row: Numbers, classes: Numbers, action: int) -> None:
    if action == 0:
        act(row, classes, PASS, 0)
    elif action == 1:
        act(row, classes, ACCEPT, 0)
    elif action == 4:
        act(row, classes, GO_ALL_IN, 0)
    else:
        act(row, classes, BET, SMALL if action == 2 else LARGE)


@njit(cache=True)
def matched(regrets: Numbers, at: int, bits: int, odds: Numbers) -> None:
    """Regret matching: the odds of the legal actions by their regrets, floored at zero."""
    whole, legal = 0.0, 0
    for action in range(ACTIONS):
        odds[action] = 0.0
        if bits >> action & 1:
            legal += 1
            odds[action] = max(0.0, regrets[at + action])
            whole += odds[action]
    for action in range(ACTIONS):
        if whole > 0:
            odds[action] /= whole
        elif bits >> action & 1:
            odds[action] = 1.0 / legal


@njit(cache=True)
def drawn(odds: Numbers) -> int:
    dice, last = np.random.random(), 0
    for action in range(len(odds)):
        if odds[action] > 0:
            last = action
            dice -= odds[action]
            if dice < 0:
                break
    return last


# ---- Playing, and what the end is worth ----------------------------------------------------------


@njit(cache=True)
def pair_of(row: Numbers, seat: int) -> int:
    """The pair of a seat counted from mano: 0 for that of the table's seats 0 and 2."""
    return (row[TURNED] + seat) & 1


@njit(cache=True)
def play_on(row: Numbers, deck: Arrays, books: Books) -> None:
    """Play the lances to their end by the pairs' present policies."""
    classes, seen, starts, needs = deck[0], deck[2], deck[4], deck[5]
    odds = np.empty(ACTIONS)
    while True:
        seat = to_act(row)
        if seat < 0:
            return
        kind = deck[KINDS][pair_of(row, seat)]
        if kind:
            rival_speaks(kind, row, seat, deck)
            continue
        at = place(row, seat, seen, starts, needs)
        matched(books[pair_of(row, seat)][0], at, legal_bits(row), odds)
        perform(row, classes, drawn(odds))


@njit(cache=True)
def worth_of(row: Numbers, deck: Arrays, values: Numbers) -> float:
    """Count a deal with closed lances. Returns the chance of seat 0's pair to win the juego."""
    count(row, deck[0], deck[1])
    if row[WINNER] >= 0:
        return 1.0 - row[WINNER]
    # Seat 1 is the next mano.
    which = pair_of(row, 1) if len(values) > 1 else 0
    return 1.0 - values[which, row[TARGET] - row[SCORE + 1], row[TARGET] - row[SCORE]]


@njit(cache=True)
def leaf(row: Numbers, lance: int, told_: Numbers, deck: Arrays, values: Numbers, me: int) -> float:
    """The worth of a closed lance to a seat, if the later ones end as in ``told_``."""
    classes = deck[0]
    for later in range(lance + 1, 5):
        if row[WINNER] >= 0:
            break
        how = told_[HOW + later]
        if how == OPEN:
            continue
        row[HOW + later] = how
        row[SIDE + later] = told_[SIDE + later]
        row[WORTH + later] = told_[WORTH + later]
        if how == REFUSED:
            award(row, row[SIDE + later], told_[DEJE + later])
        elif how == ORDAGO:
            row[WINNER] = best(row, classes, later) & 1
    won = worth_of(row, deck, values)
    return won if me & 1 == 0 else 1.0 - won


@njit()  # a function that calls itself is not cached well on disk
def walk(
    rows: Numbers,
    depth: int,
    lance: int,
    me: int,
    told_: Numbers,
    deck: Arrays,
    books: Books,
    values: Numbers,
    weight: float,
    space: Numbers,
) -> float:
    """Try everything that one seat may do at a lance, and learn. Returns the moment's worth."""
    row = rows[depth]
    classes, seen, starts, needs = deck[0], deck[2], deck[4], deck[5]
    if row[WINNER] >= 0 or row[PHASE] != lance:
        return leaf(row, lance, told_, deck, values, me)
    seat = to_act(row)
    kind = deck[KINDS][pair_of(row, seat)]
    if kind:
        rows[depth + 1] = row
        rival_speaks(kind, rows[depth + 1], seat, deck)
        return walk(rows, depth + 1, lance, me, told_, deck, books, values, weight, space)
    at = place(row, seat, seen, starts, needs)
    bits = legal_bits(row)
    odds = space[depth, 0]
    book = books[pair_of(row, seat)]
    matched(book[0], at, bits, odds)
    if seat != me:
        for action in range(ACTIONS):
            book[1][at + action] += weight * odds[action]
        rows[depth + 1] = row
        perform(rows[depth + 1], classes, drawn(odds))
        return walk(rows, depth + 1, lance, me, told_, deck, books, values, weight, space)
    brings = space[depth, 1]
    mean = 0.0
    for action in range(ACTIONS):
        if bits >> action & 1:
            rows[depth + 1] = row
            perform(rows[depth + 1], classes, action)
            brings[action] = walk(
                rows, depth + 1, lance, me, told_, deck, books, values, weight, space
            )
            mean += odds[action] * brings[action]
    for action in range(ACTIONS):
        if bits >> action & 1:
            book[0][at + action] += weight * (brings[action] - mean)
    return mean


# ---- Mus, and what is thrown ---------------------------------------------------------------------


@njit(cache=True)
def mus_place(hand: int, seat: int, rounds: int, corrido: int, score: int) -> int:
    """The place where mus or no mus is looked up: two numbers."""
    kind = 2 if corrido else min(rounds, 1)
    return (((hand * 3 + kind) * 4 + seat) * SCORES + score) * 2


@njit(cache=True)
def throw_place(hand: int) -> int:
    """The place of throws, by the cards alone, because fewer kinds of moment teach more."""
    return hand * THROWS


@njit(cache=True)
def says_mus(hand: int, seat: int, rounds: int, corrido: int, score: int, book: Arrays) -> bool:
    if rounds >= MOST_ROUNDS:
        return False
    at = mus_place(hand, seat, rounds, corrido, score)
    cut, mus = max(0.0, book[2][at]), max(0.0, book[2][at + 1])
    chance = mus / (cut + mus) if cut + mus > 0 else 0.5
    return np.random.random() < chance


@njit(cache=True)
def throw_odds(hand: int, book: Arrays, odds: Numbers) -> None:
    at = throw_place(hand)
    whole = 0.0
    for bits in range(THROWS):
        odds[bits] = max(0.0, book[4][at + bits]) if bits else 0.0
        whole += odds[bits]
    for bits in range(1, THROWS):
        odds[bits] = odds[bits] / whole if whole > 0 else 1.0 / 15


MANO, CUT_BY, CHANGES, CORRIDO = range(4)
"""Places of ``meta``: mano's seat, who cut, how often cards were changed, whether it is corrido."""
POINTS = 4
"""Two places: the stones of the pair of seats 0 and 2, then of the other."""
GOAL = 6
META = 7


@njit(cache=True)
def seat_score(meta: Numbers, seat: int, needs: Numbers) -> int:
    ours, theirs = meta[POINTS + (seat & 1)], meta[POINTS + 1 - (seat & 1)]
    return needs[meta[GOAL] - ours] * NEEDS + needs[meta[GOAL] - theirs]


@njit(cache=True)
def mus_on(meta: Numbers, first: int, cards: Cards, deck: Arrays, books: Books) -> None:
    """Go on with the mus from the seat ``first`` places from mano, until somebody cuts."""
    hands, thrown = cards[2], cards[4]
    while True:
        for place_ in range(first, 4):
            seat = (meta[MANO] + place_) & 3
            score = seat_score(meta, seat, deck[5])
            book = books[seat & 1]
            if not says_mus(hands[seat], place_, meta[CHANGES], meta[CORRIDO], score, book):
                cut(meta, seat)
                return
        first = 0
        for seat in range(4):
            thrown[seat] = throws(seat, hands, books)
        exchange(meta, cards, deck)


@njit(cache=True)
def cut(meta: Numbers, seat: int) -> None:
    meta[CUT_BY] = seat
    if meta[CORRIDO]:
        meta[MANO] = seat


@njit(cache=True)
def throws(seat: int, hands: Numbers, books: Books) -> int:
    odds = np.empty(THROWS)
    throw_odds(hands[seat], books[seat & 1], odds)
    return drawn(odds)


@njit(cache=True)
def exchange(meta: Numbers, cards: Cards, deck: Arrays) -> None:
    pack, left, hands, held, thrown = cards
    change(pack, left, deck[6], hands, held, thrown)
    meta[CHANGES] += 1
    if meta[CORRIDO]:
        meta[MANO] = (meta[MANO] + 1) & 3


@njit(cache=True)
def to_lances(meta: Numbers, cards: Cards, row: Numbers) -> None:
    """Begin the lances with the hands after the mus, seen from mano."""
    hands, mano = cards[2], meta[MANO]
    seen = np.empty(4, dtype=np.int64)
    for seat in range(4):
        seen[seat] = hands[(mano + seat) & 3]
    side = mano & 1
    begin(row, meta[POINTS + side], meta[POINTS + 1 - side], meta[GOAL], seen)
    row[CUTTER] = (meta[CUT_BY] - mano) & 3
    row[ROUNDS] = meta[CHANGES]
    row[TURNED] = side


@njit(cache=True)
def rest_of(
    meta: Numbers, cards: Cards, row: Numbers, deck: Arrays, books: Books, values: Numbers
) -> float:
    """Play the lances. Returns the chance of the pair of the table's seat 0 to win the juego."""
    to_lances(meta, cards, row)
    play_on(row, deck, books)
    won = worth_of(row, deck, values)
    return won if meta[MANO] & 1 == 0 else 1.0 - won


@njit(cache=True)
def cards_of(pack: Numbers) -> Cards:
    """The arrays for the cards of one table: a pack, its stock, four hands, and each throw."""
    return (
        pack.copy(),
        np.zeros(2, dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.zeros((4, 4), dtype=np.int64),
        np.zeros(4, dtype=np.int64),
    )


@njit(cache=True)
def copy_cards(source: Cards, target: Cards) -> None:
    target[0][:] = source[0]
    target[1][:] = source[1]
    target[2][:] = source[2]
    target[3][:] = source[3]
    target[4][:] = source[4]


@njit(cache=True)
def learn_mus(
    meta: Numbers,
    cards: Cards,
    spare: Cards,
    row: Numbers,
    deck: Arrays,
    books: Books,
    learns: Numbers,
    values: Numbers,
    weight: float,
) -> None:
    """Learn the worth of mus and of a cut for each seat that speaks, along one way of the mus.

    ``cards`` and ``meta`` are left at the moment of the cut.
    """
    hands, thrown = cards[2], cards[4]
    trial = np.empty(META, dtype=np.int64)
    first = 0
    while True:
        for place_ in range(first, 4):
            seat = (meta[MANO] + place_) & 3
            score = seat_score(meta, seat, deck[5])
            at = mus_place(hands[seat], place_, meta[CHANGES], meta[CORRIDO], score)
            book = books[seat & 1]
            if learns[seat & 1] and meta[CHANGES] < MOST_ROUNDS and np.random.random() < MUS_TRIED:
                trial[:] = meta
                copy_cards(cards, spare)
                cut(trial, seat)
                by_cut = rest_of(trial, spare, row, deck, books, values)
                trial[:] = meta
                copy_cards(cards, spare)
                if place_ == 3:
                    for other in range(4):
                        spare[4][other] = throws(other, spare[2], books)
                    exchange(trial, spare, deck)
                    mus_on(trial, 0, spare, deck, books)
                else:
                    mus_on(trial, place_ + 1, spare, deck, books)
                by_mus = rest_of(trial, spare, row, deck, books, values)
                if seat & 1:
                    by_cut, by_mus = 1.0 - by_cut, 1.0 - by_mus
                no, yes = max(0.0, book[2][at]), max(0.0, book[2][at + 1])
                chance = yes / (no + yes) if no + yes > 0 else 0.5
                mean = chance * by_mus + (1 - chance) * by_cut
                book[2][at] += weight * (by_cut - mean)
                book[2][at + 1] += weight * (by_mus - mean)
                book[3][at] += weight * (1 - chance)
                book[3][at + 1] += weight * chance
            if not says_mus(hands[seat], place_, meta[CHANGES], meta[CORRIDO], score, book):
                cut(meta, seat)
                return
        first = 0
        if np.random.random() < THROWS_TRIED:
            learn_throw(meta, cards, spare, row, deck, books, learns, values, weight)
        for seat in range(4):
            thrown[seat] = throws(seat, hands, books)
        exchange(meta, cards, deck)


@njit(cache=True)
def learn_throw(
    meta: Numbers,
    cards: Cards,
    spare: Cards,
    row: Numbers,
    deck: Arrays,
    books: Books,
    learns: Numbers,
    values: Numbers,
    weight: float,
) -> None:
    """Learn the worth of each throw of one seat, against one throw of the others."""
    hands, thrown = cards[2], cards[4]
    trial = np.empty(META, dtype=np.int64)
    odds, brings = np.empty(THROWS), np.zeros(THROWS)
    for seat in range(4):
        thrown[seat] = throws(seat, hands, books)
    me = int(np.random.random() * 4)
    if not learns[me & 1]:
        me = (me + 1) & 3
    book = books[me & 1]
    throw_odds(hands[me], book, odds)
    mean = 0.0
    for bits in range(1, THROWS):
        trial[:] = meta
        copy_cards(cards, spare)
        spare[4][me] = bits
        exchange(trial, spare, deck)
        mus_on(trial, 0, spare, deck, books)
        won = rest_of(trial, spare, row, deck, books, values)
        brings[bits] = 1.0 - won if me & 1 else won
        mean += odds[bits] * brings[bits]
    at = throw_place(hands[me])
    for bits in range(1, THROWS):
        book[4][at + bits] += weight * (brings[bits] - mean)
        book[5][at + bits] += weight * odds[bits]


@njit(nogil=True)
def learn_deals(
    deals: int,
    seed: int,
    target: int,
    deck: Arrays,
    books: Books,
    learns: Numbers,
    values: Numbers,
    raw: Numbers,
    weight: float,
    rate: float,
) -> None:
    """Play and learn this many deals. ``raw`` moves towards their results, by ``rate``.

    ``values`` is the presumed worth of a score meanwhile. Both have one table for two pairs that
    play alike, else one for each pair as mano. Shapes (1 or 2, target + 1, target + 1). Each pair
    plays by its own of ``books``, and learns if ``learns`` says so.
    """
    np.random.seed(seed)
    meta = np.zeros(META, dtype=np.int64)
    cards, spare = cards_of(deck[7]), cards_of(deck[7])
    pack = cards[0]
    rows = np.zeros((64, ROW), dtype=np.int64)
    starts_ = np.zeros((5, ROW), dtype=np.int64)
    space = np.zeros((64, 2, ACTIONS))
    row, told_ = np.zeros(ROW, dtype=np.int64), np.zeros(ROW, dtype=np.int64)
    fresh = True
    for _ in range(deals):
        if fresh:
            meta[:] = 0
            meta[GOAL] = target
            meta[MANO] = int(np.random.random() * 4)
            if np.random.random() < 0.4:
                meta[CORRIDO] = 1
            else:
                meta[POINTS] = int(np.random.random() * target)
                meta[POINTS + 1] = int(np.random.random() * target)
        meta[CHANGES] = 0
        meta[CUT_BY] = -1
        draw_mood(deck)
        cards[1][0], cards[1][1] = 16, 0
        deal_out(pack, deck[7], deck[6], cards[2], cards[3])
        begun, ours, theirs = meta[MANO], meta[POINTS], meta[POINTS + 1]
        corrido = meta[CORRIDO]
        learn_mus(meta, cards, spare, row, deck, books, learns, values, weight)
        mano = meta[MANO]
        to_lances(meta, cards, told_)
        for lance in range(5):
            starts_[lance, PHASE] = -1
        odds = space[63, 0]
        # A beginner goes all in at grande, and no later lance would ever be played. So every other
        # deal is played without an órdago; what it leads to tells nothing of what a score is worth.
        tame = np.random.random() < TAME
        while True:
            seat = to_act(told_)
            if seat < 0:
                break
            if starts_[told_[PHASE], PHASE] < 0:
                starts_[told_[PHASE]] = told_
            kind = deck[KINDS][pair_of(told_, seat)]
            if kind:
                rival_speaks(kind, told_, seat, deck)
                continue
            at = place(told_, seat, deck[2], deck[4], deck[5])
            bits = legal_bits(told_)
            book = books[pair_of(told_, seat)]
            matched(book[0], at, bits & 0b01111 if tame else bits, odds)
            perform(told_, deck[0], drawn(odds))
        for lance in range(5):
            if starts_[lance, PHASE] < 0:
                continue
            for me in range(4):
                if starts_[lance, HOLDERS] >> me & 1 and learns[pair_of(told_, me)]:
                    rows[0] = starts_[lance]
                    walk(rows, 0, lance, me, told_, deck, books, values, weight, space)
        won = worth_of(told_, deck, values)
        if not corrido and not tame:
            side = begun & 1
            one, other = (theirs, ours) if side else (ours, theirs)
            at_one, at_other = target - one, target - other
            which = side if len(raw) > 1 else 0
            raw[which, at_one, at_other] += rate * (won - raw[which, at_one, at_other])
        side = mano & 1
        meta[POINTS + side], meta[POINTS + 1 - side] = told_[SCORE], told_[SCORE + 1]
        fresh = tame or told_[WINNER] >= 0
        meta[CORRIDO] = 0
        meta[MANO] = (mano + 1) & 3
