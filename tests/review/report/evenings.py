"""Recorded juegos between computer players, for the tests of the report."""

from __future__ import annotations

from functools import lru_cache

from assistant.rules.history import Record
from assistant.school.players import Novice
from assistant.school.players.thinker import Temper
from scripts.lab.playing.juego import recorded
from scripts.lab.playing.matches import thinker

NAMES = ("Ana", "Luis", "Eva", "Iñaki")


@lru_cache(maxsize=8)
def juego(seed: int, seats: tuple[str, ...] = NAMES) -> tuple[Record, ...]:
    """One juego between two thinkers, at seats 1 and 3, and two novices."""
    players = [thinker(Temper(bluff=0.2), seed), Novice(), thinker(Temper(), seed + 1), Novice()]
    return tuple(recorded(players, seed, seats=seats))
