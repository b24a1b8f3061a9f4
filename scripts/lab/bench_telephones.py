"""Do telephones before the players hear better than one microphone in the middle?

    python scripts/lab/bench_telephones.py --human FOLDER             # the figures to quote
    python scripts/lab/bench_telephones.py --human FOLDER --develop   # to choose settings by
    python scripts/lab/bench_telephones.py --rooms "kitchen 6,talk 6" --deals 8 --json
    python scripts/lab/bench_telephones.py --television 60            # minutes without a call
    python scripts/lab/bench_telephones.py --ears middle,array --rooms "kitchen 9,kitchen 6"

The same deals are heard by telephones, by one microphone, or by an array of four microphones around
the middle. The players and talkers are those of bench_table.py. The image method renders the rooms:
a telephone lies 0.35 to 0.6 m before each mouth, and telephones differ in gain, noise, low cut and
clock; cups are set down beside them. The number of a room is by how many dB the players stand above
its noise in the middle. FOLDER holds people's recordings. It needs `pip install '.[train]'`. The
protocol is in docs/telephones-sound.md.

Each row is a room and its microphones:

deals right     deals that end with the right stones and juegos (95% interval)
calls at once   calls taken without a repetition, a question or a correction (95% interval)
who spoke       calls of which the ear told the right seat, of those it told (95% interval)
asked, again    questions of the table, and calls that were said again
nobody, stones  moves that nobody made, and those of them that changed stones
p50, p95        seconds from the end of a call to the page
minutes, core   minutes of sound, and share of a core that hearing takes
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench import rooms as noises
    from scripts.lab.earbench.work import Crew
    from scripts.lab.tablebench import telephones, trial
    from scripts.lab.tablebench.telephones import Counts, Evening
    from scripts.lab.tablebench.trial import Job, Room
except ImportError as missing:
    print(f"bench_telephones: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from scripts.lab.bench_table import (
    COUNTS,
    DEVELOPMENT_SEED,
    SEED,
    UsageError,
    quantile,
    share,
    told,
)
from scripts.lab.bench_television import CALLS, EACH
from scripts.lab.rendering.voices import voices_named
from scripts.lab.speechlab.human import MissingRecordingsError

ROOMS = "kitchen 12,kitchen 6,kitchen 0,talk 6"
INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run, and 130 after Ctrl-C."""
    args = _parser().parse_args(arguments)
    rows: dict[str, list[Counts]] = {}
    status = 0
    try:
        try:
            for name, one in _played(args):
                rows.setdefault(name, []).append(one)
        except KeyboardInterrupt:
            status = INTERRUPTED
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"bench_telephones: {error}", file=sys.stderr)
        return 2
    report = {
        "group": "develop" if args.develop else "quote",
        "network": args.network,
        "enrolled": args.enrolled,
        "before": args.before,
        "rooms": {name: _row(counts) for name, counts in rows.items()},
    }
    if args.json:
        print(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        _print(report)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals", type=int, default=24, help="number of deals in each room; default: %(default)s"
    )
    parser.add_argument(
        "--rooms",
        default=ROOMS,
        metavar="NAMES",
        help="rooms, each with its level; default: %(default)s",
    )
    parser.add_argument(
        "--ears",
        default=",".join(telephones.EARS[:2]),
        metavar="NAMES",
        help=f"which microphones hear: some of {', '.join(telephones.EARS)}; default: %(default)s",
    )
    parser.add_argument(
        "--enrolled", action="store_true", help="the ear has learnt the players' voices before"
    )
    parser.add_argument(
        "--before", type=int, default=0, metavar="DEALS",
        help="the same people have played so many deals before, which do not count, and the ear "
        "has learnt from them, as it does at a table",
    )  # fmt: skip
    parser.add_argument("--network", default="wifi", choices=list(telephones.NETWORKS))
    parser.add_argument(
        "--television", type=float, default=0.0, metavar="MINUTES",
        help="play no deals: a television is as loud as the players for this long, while "
        "nobody calls",
    )  # fmt: skip
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
    parser.add_argument("--seed", type=int, help=f"seed of the first deal; default: {SEED}")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of processes; default: all cores",
    )
    parser.add_argument(
        "--trace",
        type=Path,
        metavar="DIR",
        help="write into this folder who said what, and what became of it",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _played(args: argparse.Namespace) -> Iterator[tuple[str, Counts]]:
    if args.deals < 1 or args.jobs < 1 or min(args.television, args.before) < 0:
        raise UsageError("At least one deal and one process: --deals 1 --jobs 1.")
    group = "develop" if args.develop else "quote"
    if args.trace is not None:
        if group == "quote":
            raise UsageError("Nobody looks at what quoted voices say: --trace needs --develop.")
        args.trace.mkdir(parents=True, exist_ok=True)
    ears = args.ears.split(",")
    if wrong := set(ears) - set(telephones.EARS):
        raise UsageError(f"There is no {', '.join(sorted(wrong))}: {', '.join(telephones.EARS)}.")
    voices_named(trial.GROUPS[group])
    found, _ = noises.rooms(args.human, SEED, args.develop)
    first = (DEVELOPMENT_SEED if args.develop else SEED) if args.seed is None else args.seed
    jobs = _silences(args, group, first) if args.television else trial.evenings(
        group, first, args.deals, [room_named(name) for name in args.rooms.split(",")],
        before=args.before,
    )  # fmt: skip
    evenings = [Evening(job, one, args.network, args.enrolled) for job in jobs for one in ears]
    ground = trial.Ground(model_dir(args.model), args.human, found, args.trace)
    if args.before:
        ground.earlier, _ = noises.rooms(args.human, SEED + 1, True)
    with Crew(ground, args.jobs) as crew:
        results = crew.each("evenings", telephones.play_here, evenings)
        for evening, counts in zip(evenings, results, strict=True):
            yield from ((f"{evening.job.room}, {evening.ears}", one) for one in counts)


def room_named(name: str) -> Room:
    """The room with this kind and level ("talk 6"). Raises UsageError."""
    kind, _, snr = name.strip().partition(" ")
    if kind not in ("quiet", "café", "kitchen", trial.TALK, telephones.TELEVISION):
        raise UsageError(f"There is no room {kind!r}: quiet, café, kitchen, talk or television.")
    try:
        return Room(kind, float(snr.removesuffix("dB")) if snr else None)
    except ValueError:
        raise UsageError(f"{name!r} is no room: write it as 'talk 6'.") from None


def _silences(args: argparse.Namespace, group: str, first: int) -> list[Job]:
    """Deals whose players fall silent before a television that is as loud as they were."""
    count = max(1, round(args.television / EACH))
    room = Room(telephones.TELEVISION, 0.0)
    each = 60 * args.television / count
    return [
        Job(group, seed, room, (seed,), (CALLS[number % len(CALLS)], each))
        for number, seed in enumerate(trial.seeds(first + 500, count))
    ]


def _row(counts: list[Counts]) -> dict[str, Any]:
    tallies = [one.tally for one in counts]
    total = {name: sum(getattr(tally, name) for tally in tallies) for name in COUNTS}
    delays = sorted(delay for tally in tallies for delay in tally.delays)
    sound = sum(one.sound for one in counts)
    return {
        **total,
        "deals": len(counts),
        "deals_right": share(total["exact"], len(counts)),
        "calls_at_once": share(total["at_once"], total["calls"]),
        "who": share(sum(one.who_right for one in counts), sum(one.who_told for one in counts)),
        "who_told": sum(one.who_told for one in counts),
        "delay_p50": quantile(delays, 0.5),
        "delay_p95": quantile(delays, 0.95),
        "minutes": round(sound / 60, 1),
        "core": round(sum(one.processor for one in counts) / max(sound, 1e-9), 3),
        "wrong_who": [line for one in counts for line in one.wrong_who],
    }


def _print(report: dict[str, Any]) -> None:
    voices = ", voices known" if report["enrolled"] else ""
    voices += f", after {report['before']} deals" if report["before"] else ""
    print(f"{report['group']}, network: {report['network']}{voices}")
    heads = ("asked", "again", "nobody", "stones", "p50", "p95", "minutes", "core")
    print(f"{'room':24} {'deals right':>18} {'calls at once':>18} {'who spoke':>18} "
          + " ".join(map("{:>7}".format, heads)))  # fmt: skip
    for room, row in report["rooms"].items():
        who = told(row["who"]) if row["who_told"] else "-"
        cells = (
            row["questions"], row["repetitions"], row["by_nobody"], row["stones_moved"],
            f"{row['delay_p50'] or 0:.2f}", f"{row['delay_p95'] or 0:.2f}",
            row["minutes"], row["core"],
        )  # fmt: skip
        print(f"{room:24} {told(row['deals_right']):>18} {told(row['calls_at_once']):>18} "
              f"{who:>18} " + " ".join(map("{:>7}".format, cells)))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
