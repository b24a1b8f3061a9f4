"""The worth of each call by compiled rollouts: the reference for measuring the judge.

It shares no code with ``assistant.school.judge``. Hands are dealt from a whole pack, cards are
changed as they were at the table, and each deal is weighted by all that was said, as the real rules
heard it. Then the simulator that trains maestro plays the deal on, call by call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from assistant.rules import calls as c
from assistant.rules.cards import Hand
from assistant.rules.phases import BEFORE_LANCES, BETTING
from assistant.rules.state import State
from assistant.school.players.maestro import ACTIONS, LANCES, ODDS, Lore
from scripts.lab.selfplay import learn
from scripts.lab.selfplay.bots import IN_DOUBT, LEARNT, Arena, bot_call, speak, zoo
from scripts.lab.selfplay.deal import (
    ACCEPT,
    ALL_IN,
    BASE,
    BET,
    BETTOR,
    CUTTER,
    GO_ALL_IN,
    HAND,
    PASS,
    PHASE,
    ROW,
    SCORE,
    STONES,
    TARGET,
    WINNER,
    Arrays,
    Numbers,
    act,
    begin,
    count,
    to_act,
)

STRANGE = 0.05
"""The presumed share of random calls. It is the judge's, because it belongs to the question."""
MOST_SMALL = 3
BATCH = 40_000
MOST_BATCHES = 16
ENOUGH = 4000
"""Effective number of worlds after which no more batches are dealt."""
HANDS = 330


@dataclass(frozen=True)
class Past:
    """What happened in a deal, as one seat knows it.

    calls   each call of mus and of the lances, with the state before it
    mine    the own hand as dealt, and after each change of cards
    thrown  for each change: how many cards each seat threw, from seat 1
    places  for each change: the places that the own seat threw
    """

    seat: int
    calls: tuple[tuple[State, c.Call], ...]
    mine: tuple[Hand, ...]
    thrown: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...]


def action_of(call: c.Call) -> int:
    """A call as one of maestro's actions."""
    if isinstance(call, c.Accept):
        return 1
    if isinstance(call, c.Ordago):
        return 4
    if isinstance(call, c.Bet | c.Raise):
        return 2 if call.stones <= MOST_SMALL else 3
    return 0


class Reference:
    """Rollouts with one policy."""

    def __init__(self, lore: Lore) -> None:
        self.lore = lore
        self.arena = Arena.of(lore)
        self.doubt = zoo()[IN_DOUBT]

    def values(self, past: Past, now: State, calls: list[c.Call], rollouts: int, seed: int) -> Any:
        """The own pair's chance to win after each call, in the same worlds. (calls, rollouts)."""
        worlds = self._worlds(past, now, rollouts, seed, changes=now.discards)
        found = []
        for call in calls:
            if now.phase in BEFORE_LANCES:
                found.append(self._after_mus(past, now, call, worlds, seed))
            else:
                found.append(self._after(past, now, call, worlds, seed))
        return np.stack(found)

    def throws(self, past: Past, now: State, rollouts: int, seed: int) -> Any:
        """The same for each throw, as bits 1 to 15 of the sorted hand. (15, rollouts)."""
        worlds = self._worlds(past, now, rollouts, seed, changes=now.discards - 1)
        meta = self._meta(now, now.discards - 1)
        if now.corrido:
            meta[learn.MANO] = (meta[learn.MANO] + 3) % 4
        me = past.seat - 1
        return np.stack(
            [
                _throw(bits, me, meta, worlds, seed, self.arena.deck, self.arena.policy,
                       self.doubt, self.arena.alone[0], self.lore.values)
                for bits in range(1, 16)
            ]
        )  # fmt: skip

    # ---- Worlds ----

    def _worlds(self, past: Past, now: State, rollouts: int, seed: int, *, changes: int) -> Arrays:
        """Hands by seat and packs, weighted by what was said."""
        likely = self._likely(past, changes)
        held = [self._ranks(hand) for hand in past.mine[: changes + 1]]
        drawn = self._drawn(past, held, changes)
        counts = np.array(past.thrown[:changes], dtype=np.int64).reshape(changes, 4)
        declared = np.full((2, 4), -1)
        for n, said in enumerate((now.pares, now.juego)):
            for seat, holds in enumerate(said):
                if holds is not None and seat != past.seat - 1:
                    declared[n, seat] = int(holds)
        batches, weights = [], []
        for n in range(MOST_BATCHES):
            hands, packs, left, weight = _deal(
                BATCH, seed * MOST_BATCHES + n, past.seat - 1, np.array(held), drawn,
                counts, likely, declared, self.arena.deck, self.arena.policy,
            )  # fmt: skip
            batches.append((hands, packs, left))
            weights.append(weight)
            whole = np.concatenate(weights)
            if whole.sum() ** 2 / max(1e-12, (whole @ whole)) > ENOUGH:
                break
        hands, packs, left = (np.concatenate([b[n] for b in batches]) for n in range(3))
        dice = np.random.default_rng(seed)
        at = dice.choice(len(whole), size=rollouts, p=whole / whole.sum())
        return hands[at], packs[at], left[at]

    def _ranks(self, hand: Hand) -> list[int]:
        deck = self.lore.hands.deck
        kinds = [rank for rank, _ in deck.counts]
        return [kinds.index(deck.played(card.rank)) for card in hand]

    def _drawn(self, past: Past, held: list[list[int]], changes: int) -> Numbers:
        """The ranks that the own seat drew at each change, -1 after them. (changes, 4)."""
        found = np.full((changes, 4), -1)
        for n in range(changes):
            kept = [r for at, r in enumerate(held[n]) if at not in past.places[n]]
            after = list(held[n + 1])
            for rank in kept:
                after.remove(rank)
            found[n, : len(after)] = after
        return found

    def _likely(self, past: Past, changes: int) -> Numbers:
        """How likely each hand makes what each seat said between two changes. (.., 4, hands)."""
        found = np.ones((changes + 1, 4, HANDS))
        for state, call in past.calls:
            seat = call.seat or 0
            if seat == past.seat or state.discards > changes:
                continue
            if state.phase in BEFORE_LANCES:
                at = [self.lore.mus_place(state, seat, hand) for hand in range(HANDS)]
                mus = self.lore.mus[at] / 255
                chance = mus if isinstance(call, c.Mus) else 1 - mus
                chance = (1 - STRANGE) * chance + STRANGE / 2
            else:
                at = [self.lore.place(state, seat, hand) for hand in range(HANDS)]
                assert state.lance is not None
                number = self.lore.odds[state.lance][at]
                action = action_of(call)
                chance = ODDS[number, action]
                for hand in np.flatnonzero(number == 0):
                    chance[hand] = float(self._doubted(state, seat, int(hand)) == action)
                chance = (1 - STRANGE) * chance + STRANGE / ACTIONS
            found[state.discards, seat - 1] *= chance
        return found

    def _doubted(self, state: State, seat: int, hand: int) -> int:
        """What the player who answers in doubt would say with a hand, as an action."""
        row = np.zeros(ROW, dtype=np.int64)
        row[SCORE], row[SCORE + 1], row[TARGET] = _score(state)
        assert state.lance is not None
        place = (seat - state.mano) % 4
        row[PHASE], row[BETTOR], row[HAND + place] = LANCES.index(state.lance), -1, hand
        if bet := state.pending:
            row[BETTOR] = (bet.seat - state.mano) % 4
            row[STONES], row[BASE], row[ALL_IN] = bet.stones, bet.base, bet.ordago
        call, stones = bot_call(row, place, self.doubt, self.arena.alone[0])
        if call == PASS:
            return 0
        return 1 if call == ACCEPT else 4 if call == GO_ALL_IN else 2 if stones <= MOST_SMALL else 3

    # ---- Playing on ----

    def _script(self, past: Past, before: State) -> Numbers:
        """The calls of the lances up to a state, as the simulator takes them. (calls, 2)."""
        found: list[tuple[int, int]] = []
        for state, call in past.calls:
            if state is before:
                break
            if state.phase in BETTING:
                found.append(_taken(call))
        return np.array(found, dtype=np.int64).reshape(len(found), 2)

    def _begun(self, past: Past, now: State) -> State:
        """The state in which grande was opened."""
        for state, _ in past.calls:
            if state.phase in BETTING:
                return state
        return now

    def _cutter(self, state: State) -> int:
        return -1 if state.cutter is None else (state.cutter - state.mano) % 4

    def _after(self, past: Past, now: State, call: c.Call, worlds: Arrays, seed: int) -> Numbers:
        begun = self._begun(past, now)
        script = np.concatenate([self._script(past, now), np.array([_taken(call)])])
        me = (past.seat - now.mano) % 4
        return np.asarray(
            _play(
                np.roll(worlds[0], 1 - now.mano, axis=1), me, _score(begun), self._cutter(begun),
                script, seed, self.arena.deck, self.arena.policy, self.doubt,
                self.arena.alone[0], self.lore.values,
            )
        )  # fmt: skip

    def _meta(self, now: State, changes: int) -> Numbers:
        meta = np.zeros(learn.META, dtype=np.int64)
        meta[learn.MANO], meta[learn.CUT_BY] = now.mano - 1, -1
        meta[learn.CHANGES], meta[learn.CORRIDO] = changes, now.corrido
        meta[learn.POINTS], meta[learn.POINTS + 1] = now.stones
        meta[learn.GOAL] = now.profile.target
        return meta

    def _after_mus(
        self, past: Past, now: State, call: c.Call, worlds: Arrays, seed: int
    ) -> Numbers:
        me = past.seat - 1
        return np.asarray(
            _mus(
                isinstance(call, c.Mus), me, self._meta(now, now.discards), worlds, seed,
                self.arena.deck, self.arena.policy, self.doubt, self.arena.alone[0],
                self.lore.values,
            )
        )  # fmt: skip


def _taken(call: c.Call) -> tuple[int, int]:
    if isinstance(call, c.Bet | c.Raise):
        return BET, call.stones
    if isinstance(call, c.Ordago):
        return GO_ALL_IN, 0
    return (ACCEPT if isinstance(call, c.Accept) else PASS), 0


def _score(state: State) -> Numbers:
    side = (state.mano - 1) % 2
    return np.array([state.stones[side], state.stones[1 - side], state.profile.target])


# ---- Compiled ------------------------------------------------------------------------------------


@njit(cache=True)
def _deal(
    many: int, seed: int, me: int, held: Numbers, drawn: Numbers, counts: Numbers,
    likely: Numbers, declared: Numbers, deck: Arrays, policy: Arrays,
) -> tuple[Numbers, Numbers, Numbers, Numbers]:  # fmt: skip
    """Deal and change cards as it was at the table. Each deal gets a weight."""
    np.random.seed(seed)
    changes = len(drawn)
    hands = np.zeros((many, 4), dtype=np.int64)
    packs = np.zeros((many, 40), dtype=np.int64)
    lefts = np.zeros((many, 2), dtype=np.int64)
    weights = np.zeros(many)
    rest = np.zeros(8, dtype=np.int64)
    for rank in deck[7]:
        rest[rank] += 1
    for rank in held[0]:
        rest[rank] -= 1
    for change in range(changes):
        for rank in drawn[change]:
            if rank >= 0:
                rest[rank] -= 1
    size = int(rest.sum())
    whole = np.zeros(size, dtype=np.int64)
    at = 0
    for rank in range(8):
        for _ in range(rest[rank]):
            whole[at] = rank
            at += 1
    pool = np.zeros(200, dtype=np.int64)
    four = np.zeros((4, 4), dtype=np.int64)
    odds = np.empty(learn.THROWS)
    kept = np.zeros(4, dtype=np.int64)
    now = np.zeros(4, dtype=np.int64)
    for n in range(many):
        pool[:size] = whole
        for place in range(size - 1, 0, -1):
            other = int(np.random.random() * (place + 1))
            pool[place], pool[other] = pool[other], pool[place]
        next_, end, weight = 0, size, 1.0
        for seat in range(4):
            for place in range(4):
                if seat == me:
                    four[seat, place] = held[0, place]
                else:
                    four[seat, place] = pool[next_]
                    next_ += 1
            four[seat].sort()
            now[seat] = deck[6][four[seat, 0], four[seat, 1], four[seat, 2], four[seat, 3]]
        for change in range(changes + 1):
            for seat in range(4):
                if seat != me:
                    weight *= likely[change, seat, now[seat]]
            if change == changes or weight < 1e-9:
                break
            for seat in range(4):
                kept[seat] = 0
                if seat == me:
                    continue
                learn.throw_odds(now[seat], policy_of(policy), odds)
                bits = learn.drawn(odds)
                away = 0
                for place in range(4):
                    if bits >> place & 1:
                        pool[end] = four[seat, place]
                        end += 1
                        away += 1
                    else:
                        four[seat, kept[seat]] = four[seat, place]
                        kept[seat] += 1
                if away != counts[change, seat]:
                    weight *= 0.05
            for seat in range(4):
                if seat == me:
                    four[seat] = held[change + 1]
                else:
                    while kept[seat] < 4:
                        four[seat, kept[seat]] = pool[next_]
                        next_ += 1
                        kept[seat] += 1
                four[seat].sort()
                now[seat] = deck[6][four[seat, 0], four[seat, 1], four[seat, 2], four[seat, 3]]
        for seat in range(4):
            hands[n, seat] = now[seat]
            for which in range(2):
                wanted = declared[which, seat]
                if wanted >= 0 and (deck[0][2 + which, now[seat]] >= 0) != (wanted == 1):
                    weight = 0.0
        weights[n] = weight
        # The stock is at the end of the pack. What was thrown is in it behind the rest, and is
        # drawn only where the rest runs out.
        stock = min(24, end - next_)
        for place in range(stock):
            packs[n, 40 - stock + place] = pool[next_ + place]
        lefts[n, 0] = 40 - stock
    return hands, packs, lefts, weights


@njit(cache=True)
def policy_of(policy: Arrays) -> Arrays:
    """A policy in the form of a book."""
    return (policy[0], policy[0], policy[1], policy[1], policy[2], policy[2])


@njit(cache=True)
def _replay(
    row: Numbers, hands: Numbers, score: Numbers, cutter: int, script: Numbers, deck: Arrays
) -> None:
    begin(row, score[0], score[1], score[2], hands)
    row[CUTTER] = cutter
    for n in range(len(script)):
        act(row, deck[0], script[n, 0], script[n, 1])


@njit(cache=True)
def _to_end(
    row: Numbers, deck: Arrays, policy: Arrays, doubt: Numbers, chance: Numbers, values: Numbers,
    odds: Numbers,
) -> float:  # fmt: skip
    """Play the lances on. Returns the chance of mano's pair."""
    while True:
        seat = to_act(row)
        if seat < 0:
            break
        speak(LEARNT, row, seat, deck, policy, doubt, chance, odds)
    count(row, deck[0], deck[1])
    if row[WINNER] >= 0:
        return 1.0 - row[WINNER]
    need, other = row[TARGET] - row[SCORE + 1], row[TARGET] - row[SCORE]
    return 1.0 - float(values[need, other])  # the next mano belongs to the others


@njit(cache=True)
def _play(
    hands: Numbers, me: int, score: Numbers, cutter: int, script: Numbers, seed: int,
    deck: Arrays, policy: Arrays, doubt: Numbers, chance: Numbers, values: Numbers,
) -> Numbers:  # fmt: skip
    row, odds = np.zeros(ROW, dtype=np.int64), np.empty(learn.ACTIONS)
    found = np.zeros(len(hands))
    for n in range(len(hands)):
        np.random.seed(seed + n)
        _replay(row, hands[n], score, cutter, script, deck)
        won = _to_end(row, deck, policy, doubt, chance, values, odds)
        found[n] = won if me & 1 == 0 else 1.0 - won
    return found


@njit(cache=True)
def _sit(n: int, worlds: Arrays, cards: Arrays, ranks: Numbers) -> None:
    """Lay a world's cards on the table."""
    cards[0][:] = worlds[1][n]
    cards[1][0], cards[1][1] = worlds[2][n, 0], 0
    cards[2][:] = worlds[0][n]
    for seat in range(4):
        cards[3][seat] = ranks[worlds[0][n, seat]]


@njit(cache=True)
def _ask(meta: Numbers, first: int, cards: Arrays, deck: Arrays, policy: Arrays) -> None:
    """Go on with the mus until somebody has cut."""
    book = policy_of(policy)
    learn.mus_on(meta, first, cards, deck, (book, book))


@njit(cache=True)
def _lances(
    me: int, meta: Numbers, cards: Arrays, row: Numbers, deck: Arrays, policy: Arrays,
    doubt: Numbers, chance: Numbers, values: Numbers, odds: Numbers,
) -> float:  # fmt: skip
    learn.to_lances(meta, cards, row)
    won = _to_end(row, deck, policy, doubt, chance, values, odds)
    return won if (me - meta[learn.MANO]) & 1 == 0 else 1.0 - won


@njit(cache=True)
def _mus(
    mus: bool, me: int, start: Numbers, worlds: Arrays, seed: int, deck: Arrays, policy: Arrays,
    doubt: Numbers, chance: Numbers, values: Numbers,
) -> Numbers:  # fmt: skip
    cards = learn.cards_of(deck[7])
    row, odds = np.zeros(ROW, dtype=np.int64), np.empty(learn.ACTIONS)
    book = policy_of(policy)
    found = np.zeros(len(worlds[0]))
    for n in range(len(found)):
        np.random.seed(seed + n)
        meta = start.copy()
        _sit(n, worlds, cards, deck[8])
        if mus:
            place = (me - meta[learn.MANO]) & 3
            if place == 3:
                for seat in range(4):
                    cards[4][seat] = learn.throws(seat, cards[2], (book, book))
                learn.exchange(meta, cards, deck)
                _ask(meta, 0, cards, deck, policy)
            else:
                _ask(meta, place + 1, cards, deck, policy)
        else:
            learn.cut(meta, me)
        found[n] = _lances(
            me, meta, cards, row, deck, policy, doubt, chance, values, odds
        )  # fmt: skip
    return found


@njit(cache=True)
def _throw(
    bits: int, me: int, start: Numbers, worlds: Arrays, seed: int, deck: Arrays, policy: Arrays,
    doubt: Numbers, chance: Numbers, values: Numbers,
) -> Numbers:  # fmt: skip
    cards = learn.cards_of(deck[7])
    row, odds = np.zeros(ROW, dtype=np.int64), np.empty(learn.ACTIONS)
    book = policy_of(policy)
    found = np.zeros(len(worlds[0]))
    for n in range(len(found)):
        np.random.seed(seed + n)
        meta = start.copy()
        _sit(n, worlds, cards, deck[8])
        for seat in range(4):
            cards[4][seat] = learn.throws(seat, cards[2], (book, book))
        cards[4][me] = bits
        learn.exchange(meta, cards, deck)
        _ask(meta, 0, cards, deck, policy)
        found[n] = _lances(
            me, meta, cards, row, deck, policy, doubt, chance, values, odds
        )  # fmt: skip
    return found
