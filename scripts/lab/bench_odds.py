#!/usr/bin/env python3
"""How long does a question about the odds take, and do random deals agree with the answers?

    python scripts/lab/bench_odds.py
    python scripts/lab/bench_odds.py --deals 0       # only the times

The odds come from enumerating all hands. To check them, a simulation deals real cards one by one
and asks the rules for the order of hands. It shares nothing with the enumeration but that order.

The first lines are times for each deck: one question, the first question about a deal, and a new
process. Then each simulated question has a line: the deals that agree with what is known; how many
chances lie more than two standard errors off (one in twenty may); and the chance that lies off
most, by how much, and by how many standard errors.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: one core is measured

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from assistant.odds import Known, chances
from assistant.odds.deck import NO_KEY, Ints, deck_of, hands_of
from assistant.odds.rivals import SEATS, LanceChance
from assistant.rules.cards import HAND_SIZE, Rank
from assistant.rules.phases import Lance
from assistant.rules.profile import Profile

SEED = 31
AT_ONCE = 100_000
REPEATS = 3
HAND_BASE = HAND_SIZE + 1
NAMES = tuple(field.name for field in fields(LanceChance))

Codes = npt.NDArray[np.intp]


def ranks(text: str) -> tuple[Rank, ...]:
    return tuple(map(Rank, text))


QUESTIONS = {
    "RRC1, mano": Known(ranks("RRC1")),
    "7745, mano at the right": Known(ranks("7745"), mano=2),
    "1145, last": Known(ranks("1145"), mano=2, seat=1),
    "CS76, partner RR77": Known(ranks("CS76"), mano=4, partner=ranks("RR77")),
    "R764, rivals: pares, no juego": Known(
        ranks("R764"), mano=3, pares=(None, True, None, None), juego=(None, None, None, False)
    ),
}
COLD = """
import time
start = time.perf_counter()
from assistant.odds import Known, chances
from assistant.rules.cards import Rank
from assistant.rules.profile import Profile
chances(Known(tuple(map(Rank, "RRC1"))), Profile(kings={kings}))
print(time.perf_counter() - start)
"""


@dataclass(frozen=True, slots=True)
class Times:
    """The times of one deck. Each name ends with its unit."""

    kings: int
    hands: int
    cold_s: float
    """A new process, imports and tables made included."""
    first_ms: float
    """The first question about a deal: other declarations, another mano."""
    p50_ms: float
    p95_ms: float
    most_ms: float


@dataclass(frozen=True, slots=True)
class Simulated:
    """One question, answered by random deals."""

    question: str
    deals: int
    worst: str
    """The chance that lies off most."""
    off: float
    """How many standard errors it lies off."""
    difference: float
    """By how much it lies off."""
    over_two: int
    """The chances that lie off by more than two standard errors. ``of`` is the number of chances
    that are not certain."""
    of: int


def measure(kings: int, questions: int) -> Times:
    """Ask about random hands and seats. The tables are made before the clock starts."""
    profile, chance = Profile(kings=kings), np.random.default_rng(SEED)
    hands = hands_of(deck_of(profile)).ranks
    asked = [
        Known(hands[chance.integers(len(hands))], mano=int(chance.integers(1, SEATS + 1)))
        for _ in range(questions)
    ]
    chances(asked[0], profile)
    warm = [_seconds(known, profile) for known in sorted(asked, key=lambda known: known.mano)]
    cold = subprocess.run(
        [sys.executable, "-c", COLD.format(kings=kings)], capture_output=True, text=True, check=True
    )
    return Times(
        kings,
        len(hands),
        round(float(cold.stdout), 3),
        round(statistics.median(_first(profile)) * 1e3, 1),
        round(statistics.median(warm) * 1e3, 1),
        round(statistics.quantiles(warm, n=20)[-1] * 1e3, 1),
        round(max(warm) * 1e3, 1),
    )


def _first(profile: Profile) -> Iterator[float]:
    """Each mano with each declaration of pares by the rivals, none of them asked before."""
    for mano in range(1, SEATS + 1):
        for right, left in product((True, False), repeat=2):
            known = Known(ranks("C764"), mano=mano, pares=(None, right, None, left))
            start = time.perf_counter()
            chances(known, profile)
            yield time.perf_counter() - start


def _seconds(known: Known, profile: Profile) -> float:
    """The least of several times, when nothing else disturbs the machine."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        chances(known, profile)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def simulate(
    name: str, known: Known, profile: Profile, deals: int, chance: np.random.Generator
) -> Simulated:
    """Deal at random, keep the deals that agree with what is known, and compare."""
    counted = {lance: dict.fromkeys(NAMES, 0) for lance in Lance}
    kept = 0
    for dealt in _deals(known, profile, deals, chance):
        kept += dealt.shape[1]
        for lance, shares in counted.items():
            for column, share in _count(known, profile, lance, dealt).items():
                shares[column] += share
    off = {}
    exact = chances(known, profile)
    for lance, shares in counted.items():
        for column, share in shares.items():
            p, simulated = getattr(exact[lance], column), share / kept
            if 0 < p < 1:
                off[f"{lance} {column}"] = (simulated - p, (p * (1 - p) / kept) ** 0.5)
            elif simulated != p:  # certain by the odds, and yet not so in the simulation
                off[f"{lance} {column}"] = (simulated - p, sys.float_info.min)
    worst = max(off, key=lambda key: abs(off[key][0]) / off[key][1])
    errors = [abs(difference) / error for difference, error in off.values()]
    difference, error = off[worst]
    over_two = sum(error > 2 for error in errors)
    return Simulated(
        name, kept, worst, round(difference / error, 2), difference, over_two, len(errors)
    )


def _deals(
    known: Known, profile: Profile, deals: int, chance: np.random.Generator
) -> Iterator[Codes]:
    """The numbers of all four possible hands from my seat on, of shape (seats, deals)."""
    deck = deck_of(profile)
    hands = hands_of(deck)
    digits = HAND_BASE ** np.arange(len(deck.counts))
    numbers = np.zeros(HAND_BASE ** len(deck.counts), dtype=np.int64)
    numbers[hands.counts @ digits] = np.arange(len(hands.ranks))
    held = [known.hand, *([known.partner] if known.partner else [])]
    left = deck.copies - np.sum([hands.counts[hands.number(hand)] for hand in held], axis=0)
    cards = np.repeat(digits, left)
    for start in range(0, deals, AT_ONCE):
        several = min(AT_ONCE, deals - start)
        drawn = _drawn(cards, (SEATS - len(held)) * HAND_SIZE, several, chance)
        others = [numbers[drawn[i : i + HAND_SIZE].sum(0)] for i in range(0, len(drawn), HAND_SIZE)]
        if known.partner:
            others.insert(1, np.full(several, hands.number(known.partner)))
        dealt = np.stack([np.full(several, hands.number(known.hand)), *others])
        keep = np.ones(several, dtype=np.bool_)
        for place in range(SEATS):
            pares, juego = known.declared(known.after(place))
            for said, has in ((pares, hands.pares), (juego, hands.juego)):
                if said is not None:
                    keep &= has[dealt[place]] == said
        yield dealt[:, keep]


def _drawn(cards: Ints, wanted: int, deals: int, chance: np.random.Generator) -> Ints:
    """The first cards of many shuffled packs, of shape (wanted, deals)."""
    packs = np.repeat(cards[:, None], deals, axis=1)
    deal = np.arange(deals)
    for place in range(wanted):
        other = chance.integers(place, len(cards), deals)
        taken = packs[other, deal]
        packs[other, deal] = packs[place]
        packs[place] = taken
    return packs[:wanted]


def _count(known: Known, profile: Profile, lance: Lance, dealt: Codes) -> dict[str, int]:
    """The number of deals of each kind."""
    classes = hands_of(deck_of(profile)).classes[lance]
    keys = classes[dealt]
    plays = keys != NO_KEY
    if lance is Lance.PUNTO:
        plays &= plays.all(axis=0)
    turn = [(known.after(place) - known.mano) % SEATS for place in range(SEATS)]
    scores = np.where(plays, keys * SEATS - np.array(turn)[:, None], -SEATS)
    best, anybody = scores.argmax(axis=0), plays.any(axis=0)
    ours, theirs = plays[0] | plays[2], plays[1] | plays[3]
    won = anybody & (best % 2 == 0)
    kinds = {
        "best": anybody & (best == 0),
        "side": won,
        "contested": ours & theirs,
        "won_contested": won & theirs,
        "uncontested": ours & ~theirs,
        "played": anybody,
    }
    return {name: int(kind.sum()) for name, kind in kinds.items()}


TIMES = """\
{kings} kings, {hands} hands
one question                 {p50_ms:>8} ms, p95 {p95_ms} ms, most {most_ms} ms
the first about a deal       {first_ms:>8} ms
a new process                {cold_s:>8} s"""
SIMULATED = (
    "{question}: {deals} deals, {over_two} of {of} chances off by more than two standard errors; "
    "most off: {worst}, by {difference:+.6f} or {off:+.2f} of them"
)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Time questions about the odds, and compare the answers with random deals."
    )
    parser.add_argument(
        "--deals",
        type=int,
        default=10_000_000,
        help="number of deals to simulate; default: 10 million; 0: only measure times",
    )
    parser.add_argument(
        "--seed", type=int, default=SEED, help=f"seed of the simulated deals ({SEED})"
    )
    parser.add_argument(
        "--questions",
        type=int,
        default=60,
        help="number of questions that are timed with each deck (60)",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    if options.deals < 0 or options.questions < 2:
        parser.error("--questions is 2 at least, and --deals 0.")
    times = [measure(kings, options.questions) for kings in (8, 4)]
    simulated = [
        simulate(name, known, Profile(), options.deals, np.random.default_rng([options.seed, i]))
        for i, (name, known) in enumerate(QUESTIONS.items() if options.deals else ())
    ]
    if options.json:
        figures: dict[str, list[dict[str, Any]]] = {
            "times": [asdict(one) for one in times],
            "simulated": [asdict(one) for one in simulated],
        }
        print(json.dumps(figures))
    else:
        print("\n".join(TIMES.format(**asdict(one)) for one in times))
        print("\n".join(SIMULATED.format(**asdict(one)) for one in simulated))
    return 0


if __name__ == "__main__":
    sys.exit(main())
