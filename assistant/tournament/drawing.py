"""The draw: an order of the pairs that a printed seed gives, today and to whoever doubts it."""

from __future__ import annotations

import random
from collections.abc import Iterable

from assistant.tournament.apart import parted
from assistant.tournament.model import Pair, Tournament


def draw(pairs: Iterable[Pair], seed: int) -> tuple[int, ...]:
    """The order of the draw, by the pairs' numbers.

    Seeded pairs come first, by their seed places. Each of the others, from the lowest number up,
    gets one number of ``random.Random(seed).random()``, and they come from the lowest such number
    up. Python promises that this generator gives the same numbers in every version, which it does
    not of ``shuffle``.
    """
    listed = sorted(pairs, key=lambda pair: pair.number)
    seeded = sorted((pair.seed, pair.number) for pair in listed if pair.seed is not None)
    chance = random.Random(seed)
    lots = sorted((chance.random(), pair.number) for pair in listed if pair.seed is None)
    return tuple([number for _, number in (*seeded, *lots)])


def order_of(tournament: Tournament, seed: int) -> tuple[int, ...]:
    """The order of a tournament's draw: that of ``draw``, with clubs apart where it wants that."""
    order = draw(tournament.pairs.values(), seed)
    if not tournament.options.clubs_apart:
        return order
    return parted(order, tournament.pairs, tournament.format, tournament.options)
