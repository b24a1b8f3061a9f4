#!/usr/bin/env python3
"""How hard is each level of the exercises, and how long does one take to make?

    python scripts/lab/bench_drills.py [--count N] [--json]

There are two kinds of exercises. The rules grade the first kind. Three simulated newcomers answer
them: one reads treses and doses as the numbers printed on them, one forgets that mano wins a tie,
and one cannot tell close hands apart. Their mean share of wrong answers says how hard a level is.
The judge grades the second kind. There the hardness is the mean number of points of the juego that
the answers of the weakest computer player cost.

Each row is a skill: the hardness of its levels from 1 on, and the milliseconds that an exercise of
the slowest level takes to make.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.rules.hands import value
from assistant.rules.profile import Profile
from assistant.school.drills.exercises import (
    LEVELS,
    MAKERS,
    SKILLS,
    Exercise,
    naive_winner,
    name_of,
    pares_name,
    standing,
)
from assistant.school.drills.page import load_judge
from assistant.school.drills.positions import exercise_of
from assistant.school.judge import Judge
from assistant.school.players import Novice

EIGHT, FOUR = Profile(), Profile(kings=4)
BLUR = 0.1
"""The standard error of somebody who judges hands by eye, as a share of all hands."""
Newcomer = Callable[[Exercise, random.Random], str]


def printed(exercise: Exercise, _dice: random.Random) -> str:
    """Reads treses and doses as threes and twos."""
    hand = exercise.hands[0]
    if exercise.skill.startswith("gana"):
        assert exercise.lance is not None
        return str(naive_winner(exercise.lance, exercise.hands) + 1)
    if exercise.skill == "vale.pares":
        return pares_name(hand, FOUR)
    if exercise.skill == "vale.piedras":
        return str(value(hand, FOUR).juego_stones or 1)
    if exercise.skill == "vale.puntos":
        return str(value(hand, FOUR).points)
    return _stakes(exercise)


def _stakes(exercise: Exercise) -> str:
    """Counts what was said, and forgets what the hands are worth."""
    result = (
        exercise.counted.result(exercise.lance) if exercise.counted and exercise.lance else None
    )
    return str(max(1, result.stones)) if result else ""


def forgetful(exercise: Exercise, _dice: random.Random) -> str:
    """Gives a tie to the last player, and is right about everything else."""
    if exercise.skill.startswith("gana"):
        assert exercise.lance is not None
        keys = [value(hand, EIGHT).key(exercise.lance) or () for hand in exercise.hands]
        return str(max(range(len(keys)), key=lambda n: (keys[n], n)) + 1)
    return exercise.choices[exercise.best].key


def by_eye(exercise: Exercise, dice: random.Random) -> str:
    """Judges by eye, so that close hands look alike. The more numbers, the more sums are wrong."""
    if exercise.skill.startswith("gana"):
        assert exercise.lance is not None
        looks = [
            -1.0
            if (at := standing(exercise.lance, hand, EIGHT)) is None
            else at + dice.gauss(0, BLUR)
            for hand in exercise.hands
        ]
        return str(looks.index(max(looks)) + 1)
    hand = exercise.hands[0]
    plain = len({card.rank for card in hand if card.rank not in "RCS"})
    if exercise.skill == "vale.puntos" and dice.random() < 0.08 * plain:
        return "wrong"
    return exercise.choices[exercise.best].key


MISTAKEN: tuple[Newcomer, ...] = (printed, forgetful, by_eye)


def share_wrong(skill: str, level: int, who: Newcomer, count: int) -> float:
    """The share of exercises that a newcomer answers wrongly."""
    dice = random.Random(f"{skill}{level}")
    wrong = 0
    for seed in range(count):
        exercise = exercise_of(name_of(skill, level, seed), EIGHT, None)
        wrong += who(exercise, dice) != exercise.choices[exercise.best].key
    return wrong / count


@cache
def judge_once() -> Judge | None:
    """The judge, loaded once."""
    return load_judge()


def novice_loses(skill: str, level: int, count: int) -> float:
    """The mean number of points of the juego that the weakest player's answers cost."""
    lost = 0.0
    for seed in range(count):
        exercise = exercise_of(name_of(skill, level, seed), EIGHT, judge_once())
        assert exercise.sight is not None
        if skill == "tiras":
            bits = sum(1 << place for place in Novice().discard(exercise.sight))
            lost += exercise.choices[bits - 1].cost or 0.0
            continue
        call = Novice().call(exercise.sight)
        costs = [one.cost or 0.0 for one in exercise.choices if type(one.call) is type(call)]
        lost += costs[0] if costs else 0.0
    return lost / count


def main() -> int:
    """Measure all skills."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--count", type=int, default=20, help="number of exercises for each skill and level"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    if args.count < 1:
        parser.error("--count: give a whole number from 1 on")
    rows = []
    for skill in SKILLS:
        ruled, found, times = skill in MAKERS, [], []
        for level in range(1, LEVELS + 1):
            began = time.perf_counter()
            count = args.count if ruled else max(2, args.count // 4)
            for seed in range(count):
                exercise_of(name_of(skill, level, seed), EIGHT, None if ruled else judge_once())
            times.append(1000 * (time.perf_counter() - began) / count)
            if ruled:
                shares = [share_wrong(skill, level, who, count) for who in MISTAKEN]
                found.append(sum(shares) / len(shares))
            else:
                found.append(novice_loses(skill, level, count))
        rows.append({"skill": skill, "hard": found, "ms": times, "ruled": ruled})
        if not args.json:
            told = (f"{x:6.0%}" if ruled else f"{x:6.1f}" for x in found)
            print(f"{skill:16}{''.join(told)}    {max(times):6.0f} ms")
    if args.json:
        print(json.dumps(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
