"""Train the player ``maestro`` by self-play, in pieces that survive a stop.

    python scripts/lab/train_maestro.py --minutes 120        # run it again to go on
    python scripts/lab/train_maestro.py --export models/players/maestro.npz

It needs `pip install '.[train]'`, one core, and 1 GB of memory. The work folder keeps what was
learnt (0.2 GB). On the same kind of machine, the same pieces learn the same numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.lab.selfplay.export import write
from scripts.lab.selfplay.school import School

PIECE = 100_000
"""Deals of a piece."""
SAVE_SECONDS = 600.0
SELDOM = 0.02
"""A moment that holds less than this share of one deal's weight was never really learnt."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command. The exit status is 2 if it cannot be done, and 130 if it is stopped."""
    args = _parser().parse_args(arguments)
    school = School.open(args.work, args.kings)
    if args.export:
        return _export(school, args)
    began = saved = time.monotonic()
    try:
        while time.monotonic() - began < 60 * args.minutes:
            at = time.monotonic()
            school.learn(PIECE, args.threads)
            _tell(school, time.monotonic() - at, args)
            if time.monotonic() - saved > SAVE_SECONDS:
                school.save()
                saved = time.monotonic()
        school.save()
    except KeyboardInterrupt:
        print("Stopped. What was kept last goes on with the same command.", file=sys.stderr)
        return 130
    return 0


def _tell(school: School, seconds: float, args: argparse.Namespace) -> None:
    values = school.values
    told = {
        "piece": school.pieces,
        "deals": school.pieces * PIECE,
        "seconds": round(seconds, 1),
        "mano_at_0_0": round(float(values[40, 40]), 4),
        "mano_at_30_20": round(float(values[10, 20]), 4),
    }
    if args.json:
        print(json.dumps(told), flush=True)
    else:
        print(
            f"{told['deals']:>12,} deals ({PIECE:,} in {told['seconds']} s); mano's pair wins "
            f"{told['mano_at_0_0']:.1%} at 0-0 and {told['mano_at_30_20']:.1%} at 30-20",
            flush=True,
        )


def _export(school: School, args: argparse.Namespace) -> int:
    if not school.pieces:
        print(f"{args.work} has nothing to export: train first.", file=sys.stderr)
        return 2
    deck = school.deck
    write(args.export, args.kings, deck[2], deck[4], school.book, school.values, least=SELDOM)
    size = args.export.stat().st_size / 1e6
    print(f"{args.export}: {size:.1f} MB, after {school.pieces * PIECE:,} deals")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="minutes to train; default: %(default)s"
    )
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        help="number of threads; with more than one, no two runs learn the same numbers; "
        "default: %(default)s",
    )
    parser.add_argument(
        "--kings",
        type=int,
        choices=(8, 4),
        default=8,
        help="number of reyes in the deck; default: %(default)s",
    )
    parser.add_argument(
        "--export", type=Path, metavar="FILE", help="only write what was learnt to this file"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON for each piece")
    parser.add_argument("--work", type=Path, default=Path("build/maestro"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
