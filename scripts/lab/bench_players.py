"""How strong are the computer players and the levels of practice against each other?

    python scripts/lab/bench_players.py                # 10,000 juegos of each match; half an hour
    python scripts/lab/bench_players.py --juegos 500 --json
    python scripts/lab/bench_players.py --levels --juegos 4000 --write   # the levels of practice
    python scripts/lab/bench_players.py --levels --only maestro --juegos 4000 --write

A juego is played to 40 stones with discards, by the real rules. The seats are exchanged, so that
every deal of cards is played both ways.

Each row has the two players, the share of juegos that the first one wins with its 95% interval
(Wilson), the milliseconds of a deal, and the share to reach.

``--levels`` plays the two rivals of each practice level against those of the level below. With
``--write`` the practice page shows these figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.files.paths import data_dir
from assistant.rules.errors import MusError
from assistant.school.practice.game import TEMPERS, temper_named
from assistant.school.practice.levels import LEVELS, level_matches
from scripts.lab.playing.matches import (
    Maker,
    Tally,
    babbler,
    chancer,
    matches,
    novice,
    rivals_at,
    thinking,
)

OTHERS: dict[str, Maker] = {"novice": novice, "chancer": chancer, "babbler": babbler}
REACH = {("fuerte", "novice"): 0.60, ("fuerte", "chancer"): 0.95}
"""The share of juegos that the strongest player has to win. The chancer says each kind of call
equally often, órdago too. The babbler says each call equally often, and two stones are another
call than three."""
FIRST_SEED_OF_LEVELS = 600_000
"""Seeds of juegos on which nothing was tuned, and which nobody looked at before."""
FIGURES = data_dir("models") / "practice" / "levels.toml"


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 1 if a share falls short, and 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    try:
        report = _levels(args) if args.levels else _tempers(args)
    except MusError as error:
        print(f"bench_players: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if args.json:
        print(json.dumps(report, indent=1))
    return int(any(row["reach"] is not None and row["share"] < row["reach"] for row in report))


def _tempers(args: argparse.Namespace) -> list[dict[str, Any]]:
    return [
        _row(args, name, other, thinking(temper_named(name)), _other(other))
        for name in args.tempers.split(",")
        for other in (*OTHERS, *(["fuerte"] if name != "fuerte" else []))
    ]


def _other(name: str) -> Maker:
    return OTHERS.get(name) or thinking(temper_named(name))


def _levels(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Play each level against the one below. The higher one has to win more than half."""
    if args.seed is None:
        args.seed = FIRST_SEED_OF_LEVELS
    report = [
        _row(args, level, below, rivals_at(level), rivals_at(below), 0.5)
        for below, level in pairwise(LEVELS)
        if args.only in (None, level)
    ]
    if args.write:
        played = {str(row["player"]): row for row in report}
        old = [] if len(played) == len(LEVELS) - 1 else level_matches()
        kept = {match.level: {"player": match.level, **asdict(match)} for match in old}
        rows = [{**kept, **played}[level] for level in LEVELS[1:]]
        FIGURES.write_text(_figures(rows, args.seed), encoding="utf-8")
    return report


def _figures(report: list[dict[str, Any]], seed: int) -> str:
    told = [
        "# How many juegos the rivals of a practice level win against those of the level below.",
        "# Written by scripts/lab/bench_players.py --levels --write; no hand changes it.",
        f"seed = {seed}",
    ]
    for row in report:
        told += ["", "[[match]]"]
        told += [f'level = "{row["player"]}"', f'against = "{row["against"]}"']
        told += [f"juegos = {row['juegos']}", f"won = {row['won']}"]
    return "\n".join(told) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--juegos",
        type=int,
        default=10_000,
        help="number of juegos in each match; default: %(default)s",
    )
    parser.add_argument(
        "--tempers", default=",".join(TEMPERS), help="players to measure; default: %(default)s"
    )
    parser.add_argument(
        "--levels", action="store_true", help="measure the levels of practice instead"
    )
    parser.add_argument("--only", choices=LEVELS[1:], help="only this level; default: all")
    parser.add_argument("--write", action="store_true", help=f"write the figures to {FIGURES.name}")
    parser.add_argument("--seed", type=int, help="seed of the first juego")
    parser.add_argument("--jobs", type=int, help="number of processes; default: all cores")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _row(
    args: argparse.Namespace,
    name: str,
    other: str,
    first: Maker,
    second: Maker,
    reach: float | None = None,
) -> dict[str, Any]:
    seed = args.seed or 0
    seeds = range(seed, seed + args.juegos)
    tally = matches(first, second, seeds, args.jobs)
    reach = REACH.get((name, other), reach)
    if not args.json:
        print(_line(name, other, tally, reach), flush=True)
    low, high = tally.interval
    return {
        "player": name,
        "against": other,
        **asdict(tally),
        "share": tally.share,
        "interval": [low, high],
        "deal_ms": tally.deal_ms,
        "reach": reach,
    }


def _line(name: str, other: str, tally: Tally, reach: float | None) -> str:
    low, high = tally.interval
    wanted = f"  (to reach: {reach:.0%})" if reach else ""
    return (
        f"{name:9} against {other:8} {tally.share:6.1%} of {tally.juegos} juegos "
        f"({low:.1%} to {high:.1%}), {tally.deal_ms:.1f} ms a deal{wanted}"
    )


if __name__ == "__main__":
    sys.exit(main())
