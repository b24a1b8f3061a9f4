"""What was learnt so far: its tables, in memory and in a work folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assistant.odds.deck import deck_of, hands_of
from assistant.rules.profile import Profile
from scripts.lab.selfplay import learn
from scripts.lab.selfplay.deal import tables

TARGET = 40
FIRST_RATE, LAST_RATE = 0.02, 0.002
"""How far the worth of a score moves with each deal, at first and in the end."""


def deck_for(kings: int) -> tuple[Any, ...]:
    """What compiled play looks up: cards' worth, classes, where numbers begin, the pack."""
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
    )


def _novice(kings: int) -> np.ndarray:
    """What a novice finds juego and punto worth: 0, 1 or 2. Shape (2, hands)."""
    hands = hands_of(deck_of(Profile(kings=kings)))
    points = [hand.points for hand in hands.values]
    juego = [{31: 2, 32: 1}.get(n, 0) for n in points]
    return np.array([juego, [(n >= 28) + (n >= 30) for n in points]], dtype=np.int64)


def first_values() -> np.ndarray:
    """A guess at what a score is worth to the pair that has mano: needs of both -> a chance."""
    ours, theirs = np.mgrid[0 : TARGET + 1, 0 : TARGET + 1].clip(1) ** 1.3
    return np.asarray(theirs / (ours + theirs))


@dataclass
class School:
    """The tables of one deck: regrets and sums of policies for lances, mus and throws; values."""

    work: Path
    deck: tuple[Any, ...]
    book: tuple[np.ndarray, ...]
    values: np.ndarray
    pieces: int = 0

    @classmethod
    def open(cls, work: Path, kings: int) -> School:
        """What the work folder has, or a beginner."""
        folder = work / f"kings-{kings}"
        folder.mkdir(parents=True, exist_ok=True)
        deck = deck_for(kings)
        hands = len(deck[0][0])
        size, mus = int(deck[4][-1]), hands * 3 * 4 * learn.SCORES * 2
        throws = hands * 4 * learn.SCORES * learn.THROWS
        book = tuple(np.zeros(n, np.float32) for n in (size, size, mus, mus, throws, throws))
        school = cls(folder, deck, book, first_values())
        if (folder / "state.npz").exists():
            with np.load(folder / "state.npz") as kept:
                school.pieces = int(kept["pieces"])
                school.values[:] = kept["values"]
                for n, numbers in enumerate(book):
                    numbers[:] = kept[f"book{n}"]
        return school

    def learn(self, deals: int) -> None:
        """One piece more."""
        self.pieces += 1
        rate = max(LAST_RATE, FIRST_RATE / (1 + self.pieces / 20))
        learn.learn_deals(
            deals, self.pieces, TARGET, self.deck, self.book, self.values, self.pieces, rate
        )

    def save(self) -> None:
        """Keep it, whole or not at all."""
        books = {f"book{n}": numbers for n, numbers in enumerate(self.book)}
        part = self.work / "part.npz"
        np.savez(part, pieces=self.pieces, values=self.values, **books)
        part.replace(self.work / "state.npz")
