"""Find the numbers with which a computer player wins most juegos, by changing them at random.

    python scripts/lab/tune_players.py --rounds 40 --out models/players/fuerte.toml

Each round changes a few numbers at random. The old and the new player get the same cards against
three opponents: the novice, a player who says anything, and the player as it was at the beginning.
The change is kept if it wins more of all three together. The seeds are never those of
``bench_players.py``.

Each line has the round, the shares won with the old and the new numbers, whether the change was
kept, and the numbers that changed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tomllib
from dataclasses import asdict, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.school.players.thinker import Temper
from scripts.lab.playing.matches import chancer, matches, novice, thinking

FIRST_SEED = 1_000_000
"""The bench's are below."""
WEIGHTS = {"novice": 2.0, "chancer": 1.0, "itself": 1.0}
CHANGED = 3
"""Numbers that a round changes at most."""
STEP = 0.25
"""How far, as a share of the number, or of a half where it is small."""


def main(arguments: list[str] | None = None) -> int:
    """Tune the player. The exit status is 0, or 2 if a file cannot be read."""
    args = _parser().parse_args(arguments)
    try:
        began = _read(args.begin) if args.begin else Temper()
    except (OSError, ValueError, TypeError) as error:
        print(f"tune_players: {args.begin}: {error}", file=sys.stderr)
        return 2
    dice = random.Random(args.seed)
    best = began
    for number in range(args.rounds):
        seeds = range(FIRST_SEED + number * args.juegos, FIRST_SEED + (number + 1) * args.juegos)
        other = _changed(best, dice)
        old, new = (_score(one, began, seeds, args.jobs) for one in (best, other))
        kept = new > old
        print(
            f"{number + 1:3} {old:.4f} {new:.4f} {'kept' if kept else ''} {_told(best, other)}",
            flush=True,
        )
        if kept:
            best = other
            if args.out:
                args.out.write_text(_toml(best), encoding="utf-8")
    print(_toml(best))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument(
        "--juegos", type=int, default=200, help="number of juegos in each match of a round"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, help="number of processes; default: all cores")
    parser.add_argument(
        "--begin", type=Path, metavar="FILE.toml", help="file of the numbers to begin with"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE.toml", help="write the best numbers to this file"
    )
    return parser


def _score(one: Temper, began: Temper, seeds: range, jobs: int | None) -> float:
    """The weighted share of juegos that it wins against the three opponents."""
    mine = thinking(one)
    shares = {
        "novice": matches(mine, novice, seeds, jobs).share,
        "chancer": matches(mine, chancer, seeds, jobs).share,
        "itself": matches(mine, thinking(began), seeds[: len(seeds) // 2], jobs).share,
    }
    return sum(WEIGHTS[name] * share for name, share in shares.items()) / sum(WEIGHTS.values())


def _changed(temper: Temper, dice: random.Random) -> Temper:
    numbers = asdict(temper)
    for name in dice.sample(sorted(numbers), dice.randint(1, CHANGED)):
        far = STEP * max(abs(numbers[name]), 0.5 if numbers[name] > 0.3 else 0.1)
        numbers[name] += dice.gauss(0.0, far)
    numbers = {
        name: number if name == "passed" else max(0.0, number) for name, number in numbers.items()
    }
    return replace(temper, **numbers)


def _told(old: Temper, new: Temper) -> str:
    before, after = asdict(old), asdict(new)
    return " ".join(f"{n}={after[n]:.3f}" for n in after if after[n] != before[n])


def _read(path: Path) -> Temper:
    return Temper(**tomllib.loads(path.read_text(encoding="utf-8")))


def _toml(temper: Temper) -> str:
    return "".join(f"{name} = {number:.4g}\n" for name, number in asdict(temper).items())


if __name__ == "__main__":
    sys.exit(main())
