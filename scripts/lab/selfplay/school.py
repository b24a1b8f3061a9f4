"""What was learnt so far: its tables, in memory and in a work folder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.odds.deck import deck_of, hands_of
from assistant.rules.profile import Profile
from assistant.school.players.thinker import Temper
from scripts.lab.selfplay import learn, rivals
from scripts.lab.selfplay.deal import Arrays, Numbers, tables

TARGET = 40
ANY_SCORE = 8
"""In this many first pieces all scores are one, so that what holds at any score is learnt soon."""
SPREAD = 0.1
"""The weight of that when scores begin to be told apart."""
WIDTH = 0.12
"""Width of the smoothing of chances, as a share of the need."""
MOST_THREADS = 64
RESPONSE_SEED = 1_000_000_000
NEEDS_AT = 5
"""The classes of what a pair needs, in the deck."""
SUMS = (1, 3, 5)
"""The sums of policies in a book; the others are regrets."""
FIRST_RATE, LAST_RATE = 0.02, 0.002
"""How far the worth of a score moves with each deal, at first and at the end."""


def deck_for(kings: int) -> tuple[Any, ...]:
    """What compiled play looks up: worth of cards, classes, places of the numbers, the pack."""
    t = tables(kings)
    seen, kinds = learn.hand_classes(t)
    whole = np.int64
    return (
        t.classes.astype(whole),
        t.stones.astype(whole),
        seen,
        kinds.astype(whole),
        learn.layout(kinds),
        learn.need_classes(),
        t.index.astype(whole),
        t.pack.astype(whole),
        t.ranks.astype(whole),
        _novice(kings),
        np.zeros(3, dtype=np.int64),
        *rivals.no_thinker(),
    )


def against(
    deck: tuple[Any, ...], kings: int, kind: int, temper: Temper, moods: Numbers = rivals.CALM
) -> tuple[Any, ...]:
    """The same deck with a rival of a fixed kind as the first pair."""
    thinks = kind == rivals.THINKER
    told = rivals.thinker_tables(kings, temper, moods) if thinks else rivals.no_thinker()
    kinds = np.array([kind, rivals.TABLE, 0], dtype=np.int64)
    return (*deck[: rivals.KINDS], kinds, *told)


def _novice(kings: int) -> Numbers:
    """The novice's rating of juego and punto: 0, 1 or 2. Shape (2, hands)."""
    hands = hands_of(deck_of(Profile(kings=kings)))
    points = [hand.points for hand in hands.values]
    juego = [{31: 2, 32: 1}.get(n, 0) for n in points]
    return np.array([juego, [(n >= 28) + (n >= 30) for n in points]], dtype=np.int64)


def first_values() -> Numbers:
    """A first guess at the worth of a score to the pair that has mano, by both needs."""
    ours, theirs = np.mgrid[0 : TARGET + 1, 0 : TARGET + 1].clip(1) ** 1.3
    return np.asarray(theirs / (ours + theirs))


def smoothed(raw: Numbers) -> Numbers:
    """Chances without their noise, which is as large as the worth of a stone.

    Each is the local linear fit of the log odds around it, over a width that grows with the needs:
    near the end every stone counts, and far from it they hardly differ.
    """
    needs = np.arange(1, TARGET + 1, dtype=np.float64)
    odds = np.log(raw[1:, 1:].clip(0.005, 0.995) / (1 - raw[1:, 1:].clip(0.005, 0.995)))
    fitted = raw.copy()
    ours, theirs = np.meshgrid(needs, needs, indexing="ij")
    for a in range(TARGET):
        for b in range(TARGET):
            x, y = ours - needs[a], theirs - needs[b]
            wide, high = WIDTH * needs[a] + 0.3, WIDTH * needs[b] + 0.3
            weight = np.exp(-0.5 * ((x / wide) ** 2 + (y / high) ** 2)).ravel()
            near = weight > 1e-3
            terms = np.stack([np.ones(near.sum()), x.ravel()[near], y.ravel()[near]])
            scaled = terms * weight[near]
            ridge = scaled @ terms.T + np.diag([0.0, 1e-6, 1e-6])
            fit = np.linalg.solve(ridge, scaled @ odds.ravel()[near])
            fitted[a + 1, b + 1] = 1 / (1 + np.exp(-fit[0]))
    return np.asarray(fitted)


@dataclass
class School:
    """The tables of one deck: regrets and sums of policies for lances, mus and throws; values."""

    work: Path
    deck: tuple[Any, ...]
    book: tuple[Numbers, ...]
    raw: Numbers
    """What each score led to, of late; noisy. Needs of both pairs -> the chance of mano's."""
    pieces: int = 0

    @classmethod
    def open(cls, work: Path, kings: int) -> School:
        """Load the work folder, or begin."""
        folder = work / f"kings-{kings}"
        folder.mkdir(parents=True, exist_ok=True)
        deck = deck_for(kings)
        hands = len(deck[0][0])
        size, mus = int(deck[4][-1]), hands * 3 * 4 * learn.SCORES * 2
        throws = hands * learn.THROWS
        book = tuple(np.zeros(n, np.float32) for n in (size, size, mus, mus, throws, throws))
        school = cls(folder, deck, book, first_values())
        if (folder / "state.npz").exists():
            with np.load(folder / "state.npz") as kept:
                school.pieces = int(kept["pieces"])
                school.raw[:] = kept["values"]
                for n, numbers in enumerate(book):
                    numbers[:] = kept[f"book{n}"]
        return school

    @property
    def values(self) -> Numbers:
        """The chance to win the juego of the pair that has mano, by both pairs' needs."""
        return smoothed(self.raw)

    def learn(self, deals: int, threads: int = 1) -> None:
        """Learn from one more piece. What was learnt before counts less, the older the less."""
        self.pieces += 1
        rate = max(LAST_RATE, FIRST_RATE / (1 + self.pieces / 20))
        deck = self.deck
        if self.pieces <= ANY_SCORE:
            deck = (
                *deck[:NEEDS_AT],
                np.full_like(deck[NEEDS_AT], learn.NEEDS - 1),
                *deck[NEEDS_AT + 1 :],
            )
        values, each = smoothed(self.raw)[None], deals // threads
        books, learns = (self.book, self.book), np.ones(2, dtype=np.int64)

        def part(n: int) -> None:
            seed = self.pieces * MOST_THREADS + n
            learn.learn_deals(
                each, seed, TARGET, deck, books, learns, values, self.raw[None], 1.0, rate
            )

        # Threads write into the same tables. Two meet at one number too seldom to matter.
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(part, range(threads)))
        if self.pieces == ANY_SCORE:
            self._spread()
            return
        age = self.pieces - ANY_SCORE if self.pieces > ANY_SCORE else self.pieces
        for n, numbers in enumerate(self.book):
            kept = age / (age + 1)
            numbers *= kept * kept if n in SUMS else kept

    def _spread(self) -> None:
        """Begin each score with what was learnt for any score. Its sums are forgotten."""
        moment = learn.NODES * learn.ACTIONS
        for n, after in ((0, moment), (2, 2)):
            rows = self.book[n].reshape(-1, learn.SCORES, after)
            rows *= SPREAD
            rows[:, :-1] = rows[:, -1:]
            self.book[n + 1][:] = 0

    def save(self) -> None:
        """Save it atomically."""
        books: dict[str, Any] = {f"book{n}": numbers for n, numbers in enumerate(self.book)}
        part = self.work / "part.npz"
        np.savez(part, pieces=self.pieces, values=self.raw, **books)
        part.replace(self.work / "state.npz")


# ---- A best response: one pair learns against another that stays as it is ------------------------


WARM = 0.5
"""The weight of the opposing policy in what the learning pair believes at first."""


@dataclass
class Response:
    """A pair that learns to beat one policy, which stays as it is (Johanson 2007)."""

    deck: Arrays
    fixed: Arrays
    book: Arrays
    raw: Numbers
    """What each score led to: for the fixed pair as mano, for the other. Shape (2, 41, 41)."""
    pieces: int = 0

    @classmethod
    def to(cls, deck: Arrays, policy: Arrays, values: Numbers) -> Response:
        """Begin with the policy itself. ``policy``: the odds of lances, of mus, of throws."""
        lances = policy[0].copy()
        unknown = lances.reshape(-1, learn.ACTIONS)
        unknown[unknown.sum(axis=1) <= 0, 0] = 1.0  # the arena's bot in doubt mostly refuses
        known = (lances, *policy[1:])
        fixed = tuple(x for odds in known for x in (odds.copy(), np.zeros_like(odds)))
        book = tuple(x for odds in known for x in (WARM * odds, np.zeros_like(odds)))
        return cls(deck, fixed, book, np.stack([values, values]).astype(np.float64))

    @classmethod
    def to_rival(
        cls,
        deck: Arrays,
        policy: Arrays,
        values: Numbers,
        kings: int,
        kind: int,
        temper: Temper,
        moods: Numbers = rivals.CALM,
    ) -> Response:
        """The same against a rival that does not learn (``rivals``). It begins with the policy."""
        response = cls.to(against(deck, kings, kind, temper, moods), policy, values)
        mus, throws = rivals.fixed_habits(kings, kind, temper)
        says = response.fixed[2].reshape(len(mus), -1, 2)
        says[:, :, 0], says[:, :, 1] = ~mus[:, None], mus[:, None]
        response.fixed[4].reshape(-1, learn.THROWS)[:] = np.eye(learn.THROWS)[throws]
        return response

    def learn(self, deals: int, threads: int = 1) -> None:
        """Learn from one more piece. What was learnt before counts less, the older the less."""
        self.pieces += 1
        rate = max(LAST_RATE, FIRST_RATE / (1 + self.pieces / 20))
        values = np.stack([smoothed(raw) for raw in self.raw])
        books, learns = (self.fixed, self.book), np.array([0, 1])

        def part(n: int) -> None:
            seed = RESPONSE_SEED + self.pieces * MOST_THREADS + n
            learn.learn_deals(
                deals // threads,
                seed,
                TARGET,
                self.deck,
                books,
                learns,
                values,
                self.raw,
                1.0,
                rate,
            )

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(part, range(threads)))
        for n, numbers in enumerate(self.book):
            kept = self.pieces / (self.pieces + 1)
            numbers *= kept * kept if n in SUMS else kept

    @property
    def policy(self) -> Arrays:
        """The policy of the response: sums for lances, mus and throws."""
        return self.book[1], self.book[3], self.book[5]
