"""Many juegos between two kinds of player, with seats and mano in turn, on all cores."""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial

from assistant.files.paths import data_dir
from assistant.rules.calls import Call
from assistant.rules.profile import Profile
from assistant.school.judge.judging import Judge, shipped_judge
from assistant.school.players import Chancer, Novice, Player, Sight
from assistant.school.players.maestro import Lore, Maestro, read_lore
from assistant.school.players.strength import Strength
from assistant.school.players.thinker import Temper, Thinker
from assistant.school.practice.game import load_company, player_of
from scripts.lab.playing.juego import play

Maker = Callable[[int], Player]
CHUNK = 50
"""Juegos that a process plays at a time."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The result of many juegos, for the first kind of player."""

    juegos: int
    won: int
    deals: int
    seconds: float

    @property
    def share(self) -> float:
        """The share of them that it won."""
        return self.won / max(1, self.juegos)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the true share (Wilson 1927)."""
        n, p, zz = max(1, self.juegos), self.share, 1.96**2
        half = math.sqrt(zz * p * (1 - p) / n + (zz / (2 * n)) ** 2)
        middle, whole = p + zz / (2 * n), 1 + zz / n
        return (middle - half) / whole, (middle + half) / whole

    @property
    def deal_ms(self) -> float:
        """Processor time of a deal, in milliseconds."""
        return 1000 * self.seconds / max(1, self.deals)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.juegos + other.juegos,
            self.won + other.won,
            self.deals + other.deals,
            self.seconds + other.seconds,
        )


@cache
def strength() -> Strength:
    """The tables of the default rules, made once in a process."""
    return Strength(Profile())


def thinker(temper: Temper, seed: int) -> Player:
    """A player that weighs its calls by the odds."""
    return Thinker(strength(), temper, seed)


def novice(_seed: int) -> Player:
    """A player of fixed thresholds."""
    return Novice()


def chancer(seed: int) -> Player:
    """A player that calls at random: each kind of call is equally likely."""
    return Chancer(seed)


def babbler(seed: int) -> Player:
    """The same, but each number of stones is a call of its own."""
    return Chancer(seed, amounts=True)


def maestro(seed: int) -> Player:
    """The player that learnt by playing against itself."""
    return Maestro(lore(), thinker(Temper(), seed), seed)


def cautious(seed: int) -> Player:
    """Maestro without a guess about its rivals: it plays as against itself."""
    return Maestro(lore(), thinker(Temper(), seed), seed, answer=None)


def maestro_without_mus(seed: int) -> Player:
    """Maestro, but it cuts every mus."""
    return Maestro(lore(), thinker(Temper(), seed), seed, mus=False)


class Follower:
    """Does what practice advises: the call, and maestro's throw."""

    def __init__(self, seed: int, judge: Judge) -> None:
        self._second, self._dice = cautious(seed), random.Random(f"follower {seed}")
        self._judge = judge

    def call(self, sight: Sight) -> Call:
        """The advised call; maestro's where nobody can judge."""
        if not self._judge.able(sight):
            return self._second.call(sight)
        return self._judge.judge(sight, seed=self._dice.randrange(2**32)).advised.call

    def discard(self, sight: Sight) -> tuple[int, ...]:
        """The cards that maestro throws."""
        return self._second.discard(sight)


def follower(seed: int) -> Player:
    """A player who does what practice advises."""
    return Follower(seed, shipped_judge())


@cache
def _judge_of_maestro() -> Judge:
    return Judge(lore(), ())


def follower_against_maestro(seed: int) -> Player:
    """A player who does what would be advised if all others were known to play as maestro."""
    return Follower(seed, _judge_of_maestro())


def lore() -> Lore:
    """What the maestro that ships has learnt."""
    return read_lore(data_dir("models") / "players" / "maestro.npz")


def rivals_at(level: str) -> Maker:
    """The two rivals of a practice level, one after the other."""
    return partial(_rival, level)


def _rival(level: str, seed: int) -> Player:
    first, _, second = load_company()
    character = second if seed % 2 else first
    return player_of(character, level, Profile(), strength(), random.Random(seed))


def thinking(temper: Temper) -> Maker:
    """A factory of such players."""
    return partial(thinker, temper)


def _some(first: Maker, second: Maker, seeds: range) -> Tally:
    strength().worth()
    began = time.process_time()
    won = deals = 0
    for seed in seeds:
        ours, theirs = (
            [first(4 * seed), first(4 * seed + 1)],
            [second(4 * seed + 2), second(4 * seed + 3)],
        )
        pairs = (ours, theirs) if seed % 2 else (theirs, ours)
        players = [pairs[0][0], pairs[1][0], pairs[0][1], pairs[1][1]]
        # Two seeds in a row have the same cards, with the seats of the pairs exchanged.
        juego = play(players, seed // 2, mano=seed // 2 % 4 + 1)
        won += (juego.side == "A") == bool(seed % 2)
        deals += juego.deals
    return Tally(len(seeds), won, deals, time.process_time() - began)


def matches(first: Maker, second: Maker, seeds: range, jobs: int | None = None) -> Tally:
    """Play a juego for each seed. Both kinds get the same cards and seats."""
    chunks = [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)]
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        return sum((_some(first, second, chunk) for chunk in chunks), Tally(0, 0, 0, 0.0))
    with ProcessPoolExecutor(jobs) as pool:
        played = pool.map(partial(_some, first, second), chunks)
        return sum(played, Tally(0, 0, 0, 0.0))
