"""Train the player ``maestro`` by self-play, in pieces that survive a stop.

    python scripts/lab/train_maestro.py --minutes 120        # run it again to go on
    python scripts/lab/train_maestro.py --export             # write models/players/maestro.npz

It needs `pip install '.[train]'`, one core, and 3 GB of memory. The work folder keeps what was
learnt (1.5 GB). The same pieces learn the same numbers on the same kind of machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.lab.selfplay.school import School

PIECE = 100_000
"""Deals of a piece; each piece counts by its number, the later the more."""
SAVE_SECONDS = 600.0


def main(arguments: list[str] | None = None) -> int:
    """Run the command. Exit status 2 where it cannot be done, 130 where it is stopped."""
    args = _parser().parse_args(arguments)
    school = School.open(args.work, args.kings)
    began = saved = time.monotonic()
    try:
        while time.monotonic() - began < 60 * args.minutes:
            at = time.process_time()
            school.learn(PIECE)
            spent = time.process_time() - at
            told = {
                "piece": school.pieces,
                "deals": school.pieces * PIECE,
                "seconds": round(spent, 1),
                "even": round(float(school.values[40, 40]), 4),
                "ten_ahead": round(float(school.values[10, 20]), 4),
            }
            print(json.dumps(told), flush=True)
            if time.monotonic() - saved > SAVE_SECONDS:
                school.save()
                saved = time.monotonic()
        school.save()
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="default: %(default)s")
    parser.add_argument("--kings", type=int, choices=(8, 4), default=8, help="default: %(default)s")
    parser.add_argument("--work", type=Path, default=Path("build/maestro"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
