"""What does the table take from talk and television while its own players say nothing?

    python scripts/lab/bench_television.py --human FOLDER --minutes 60 --levels 6,12,20

Four players say the first calls of a deal in a quiet room, so that the ear knows their voices, and
fall silent. Then people and televisions begin to talk behind them. One sentence in six is a call of
a neighbouring table: "órdago", "quiero", "paso", "deshaz". From then on nobody at the table has
made any of its moves. A level is by how many dB the players' voices stand above the talk. FOLDER
holds people's recordings. The parts, and the two groups of voices and talkers, are those of
bench_table.py. It needs `pip install '.[train]'`. The protocol is in docs/bench-ears.md.

Each row is a level: minutes of talk, moves that changed stones, all moves, questions, and moves in
an hour. The lines below name the calls that the talk was taken for, and the questions.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench.work import Crew
    from scripts.lab.tablebench import trial
    from scripts.lab.tablebench.trial import Job, Room
except ImportError as missing:
    print(f"bench_television: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from scripts.lab.bench_table import DEVELOPMENT_SEED, SEED, UsageError
from scripts.lab.rendering.voices import voices_named
from scripts.lab.speechlab.human import MissingRecordingsError

EACH = 10.0
"""Minutes of silence in one deal. It is short, so that many moments of a deal and many talkers are
heard."""
CALLS = (6, 7, 8, 9, 11, 13)
"""Calls after which the players fall silent, deal by deal, so that bets wait, pares are declared
..."""
COUNTS = ("stones_moved", "by_nobody", "asked_nobody")


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=60.0,
        help="minutes of talk at each level; default: %(default)s",
    )
    parser.add_argument(
        "--levels",
        default="6,12,20",
        metavar="DB",
        help="how far the players' voices are above the talk; default: %(default)s",
    )
    parser.add_argument(
        "--develop", action="store_true",
        help="use the deals, voices and talkers by which settings may be chosen; never "
        "quote these figures",
    )  # fmt: skip
    parser.add_argument(
        "--human",
        type=Path,
        metavar="FOLDER",
        help="folder of people's recordings, with a manifest.tsv",
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    try:
        rows = _measured(args)
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"bench_television: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    print("players above the talk   minutes   stones moved   moves   questions   moves an hour")
    for name, row in rows.items():
        hours = row["minutes"] / 60
        print(
            f"{name:22} {row['minutes']:9.1f} {row['stones_moved']:14.0f} {row['by_nobody']:7.0f} "
            f"{row['asked_nobody']:11.0f} {row['by_nobody'] / hours:15.1f}"
        )
    for name, row in rows.items():
        taken = ", ".join(f"{count} {call}" for call, count in row["calls"].most_common())
        print(f"{name} taken for: {taken or 'nothing'}")
        asked = ", ".join(f"{count} {question}" for question, count in row["asked"].most_common())
        print(f"{name} asked: {asked or 'nothing'}")
    return 0


def _measured(args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    try:
        rooms = [Room(trial.TALK, float(level)) for level in args.levels.split(",")]
    except ValueError as error:
        raise UsageError(f"{args.levels!r} are no levels: write them as --levels 6,12.") from error
    if args.minutes <= 0 or args.jobs < 1:
        raise UsageError("At least a minute and one process: --minutes 1 --jobs 1.")
    group = "develop" if args.develop else "quote"
    voices_named(trial.GROUPS[group])
    ground = trial.Ground(model_dir(args.model), args.human, {})
    count = max(1, round(args.minutes / EACH))
    each = 60 * args.minutes / count
    deals = trial.seeds((DEVELOPMENT_SEED if args.develop else SEED) + 500, count)
    jobs = [
        Job(group, seed, room, (seed,), (CALLS[number % len(CALLS)], each))
        for number, seed in enumerate(deals)
        for room in rooms
    ]
    rows: dict[str, dict[str, Any]] = {}
    with Crew(ground, args.jobs) as crew:
        for job, tallies in zip(jobs, crew.each("silences", trial.play_here, jobs), strict=True):
            row = rows.setdefault(
                f"{job.room.snr:.0f} dB",
                dict.fromkeys(("minutes", *COUNTS), 0.0) | {"calls": Counter(), "asked": Counter()},
            )
            for tally in tallies:
                row["minutes"] += tally.seconds / 60
                row["calls"].update(tally.nobody_called)
                row["asked"].update(tally.nobody_asked)
                for name in COUNTS:
                    row[name] += getattr(tally, name)
    return rows


if __name__ == "__main__":
    sys.exit(main())
