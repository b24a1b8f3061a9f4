"""How does an evening by voice go: four players, a room behind them, and nobody taps?

    python scripts/lab/bench_table.py --human FOLDER             # the figures to quote
    python scripts/lab/bench_table.py --human FOLDER --develop   # to choose settings by
    python scripts/lab/bench_table.py --rooms "talk 20,quiet" --deals 8 --json
    python scripts/lab/bench_table.py --enrolled --human FOLDER  # the players have enrolled
    python scripts/lab/bench_table.py --before 4 --human FOLDER  # later in the evening
    python scripts/lab/bench_table.py --things 5 --human FOLDER  # glasses and stones on the table
    python scripts/lab/bench_table.py --work build/evenings --human FOLDER  # may be stopped

Four simulated players say whole deals. They hear what the assistant says and see its page. They say
a call again after two or three seconds if it was not taken, answer questions aloud, and take back
with "corrige" what the page shows wrongly. The assistant is the real one, from the microphone's
blocks to the sentences that it says. FOLDER holds people's recordings. It takes half an hour of two
cores and needs `pip install '.[train]'`. The protocol is in docs/bench-ears.md.

Each row is a room, with the dB by which the players stand above the noise:

deals right     deals that end with the right stones and juegos (95% interval)
calls at once   calls taken without a repetition, a question or a correction (95% interval)
again+asked     repetitions and questions in a deal
answers         answers to questions that the table took, of all that were given
corrected       corrections in a deal
wrong left      deals given up while the page showed what the deal never was
stood           wrong stones over which somebody went on calling
nobody, chat    moves that no player made, or that were made of chat
lost told       times that the table was three calls or more beside the deal: how often it said
                that it was lost, + how often it asked or said something else, / all times
lost s          seconds that a deal took beyond its own length
p50, p95        seconds from the end of a call to the page
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench import rooms as noises
    from scripts.lab.earbench.intervals import share_interval
    from scripts.lab.earbench.work import Crew
    from scripts.lab.tablebench import enrolled, trial
    from scripts.lab.tablebench.kept import KeptEvenings
    from scripts.lab.tablebench.oracle import KINDS
    from scripts.lab.tablebench.players import HABITS, Tally
    from scripts.lab.tablebench.trial import Room
except ImportError as missing:
    print(f"bench_table: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from scripts.lab.rendering.voices import voices_named
from scripts.lab.speechlab.human import MissingRecordingsError

ROOMS = "quiet,café 12,kitchen 12,talk 30,talk 20,talk 12,talk 6"
SEED = 300_000
DEVELOPMENT_SEED = 200_000
"""Seed of deals that no figure of the docs uses."""
TOLD = ("delays", "given_up_over", "nobody_called", "nobody_asked")
"""The fields that are no sums."""
COUNTS = tuple(field.name for field in fields(Tally) if field.name not in TOLD)
INTERRUPTED = 130


class UsageError(Exception):
    """The bench cannot do what the options ask for. The text says why in one sentence."""


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run, and 130 after Ctrl-C."""
    args = _parser().parse_args(arguments)
    rows: dict[str, list[Tally]] = {}
    status = 0
    try:
        try:
            for room, tally in _played(args):
                rows.setdefault(str(room), []).append(tally)
        except KeyboardInterrupt:  # so that an hour's work is not lost
            status = INTERRUPTED
        report = _report(rows, args)
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"bench_table: {error}", file=sys.stderr)
        return 2
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
        "--deals", type=int, default=40, help="number of deals in each room; default: %(default)s"
    )
    parser.add_argument(
        "--rooms",
        default=ROOMS,
        metavar="NAMES",
        help="rooms, each with its level; default: %(default)s; there is 'tables 20', too: "
        "people who play Mus at other tables",
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
    parser.add_argument(
        "--players", choices=HABITS, default="usual",
        help="how they play; quick: a call follows the last within half a second; heedless: "
        "the same, and nobody repeats a call or answers before the cards are shown; "
        "default: %(default)s",
    )  # fmt: skip
    parser.add_argument(
        "--oracle", choices=KINDS,
        help="put a perfect ear in place of the real one: it hears right the words in each "
        "utterance that the ear finds (words), or all that players say (ear)",
    )  # fmt: skip
    parser.add_argument(
        "--enrolled", action="store_true",
        help="the players have enrolled (mus enrol): each has read its calls once in a quiet "
        "room, the model is fitted to the four, and their voices are known",
    )  # fmt: skip
    parser.add_argument(
        "--before", type=int, default=0, metavar="DEALS",
        help="the same people have played so many deals before, which do not count, and the ear "
        "has learnt from them, as it does at a table",
    )  # fmt: skip
    parser.add_argument(
        "--work", type=Path, metavar="DIR",
        help="keep each evening in this folder, so that a run that was stopped goes on",
    )  # fmt: skip
    parser.add_argument(
        "--things", type=float, default=0.0, metavar="SECONDS",
        help="a glass, a knuckle, stones or a card sound on the table every so many seconds, on "
        "average, as loud as the players",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _played(args: argparse.Namespace) -> Iterator[tuple[Room, Tally]]:
    if args.deals < 1 or args.jobs < 1:
        raise UsageError("At least one deal and one process: --deals 1 --jobs 1.")
    group = "develop" if args.develop else "quote"
    if args.before < 0 or (args.before and args.enrolled):
        raise UsageError("Deals before: none or some, and by players who have not enrolled.")
    if not 0 <= args.things < 3600:
        raise UsageError("Seconds between two sounds on the table: --things 5; 0 for none.")
    if args.trace is not None:
        if args.work is not None:
            raise UsageError("An evening that is kept has no trace: --trace without --work.")
        if group == "quote":
            raise UsageError("Nobody looks at what quoted voices say: --trace needs --develop.")
        args.trace.mkdir(parents=True, exist_ok=True)
    wanted = [room_named(name) for name in args.rooms.split(",")]
    voices_named(trial.GROUPS[group])
    found, _ = noises.rooms(args.human, SEED, args.develop)
    first = (DEVELOPMENT_SEED if args.develop else SEED) if args.seed is None else args.seed
    jobs = trial.evenings(group, first, args.deals, wanted, args.players, args.before)
    ground = trial.Ground(model_dir(args.model), args.human, found, args.trace, oracle=args.oracle)
    ground.things = args.things
    if args.before:
        ground.earlier, _ = noises.rooms(args.human, SEED + 1, True)
    with tempfile.TemporaryDirectory(prefix="mus-table-") as name:
        ground.enrolled = Path(name) if args.enrolled else None
        with Crew(ground, args.jobs) as crew:
            if args.enrolled:
                tables = list({job.seed: job for job in jobs}.values())
                deque(crew.each("tables that enrol", enrolled.enrol_here, tables), maxlen=0)
            play = enrolled.play_here if args.enrolled else trial.play_here
            kept = KeptEvenings(args.work, ground)
            played = {job: tallies for job in jobs if (tallies := kept.read(job))}
            rest = [job for job in jobs if job not in played]
            results = crew.each("evenings", play, rest)
            for job in jobs:
                if job not in played:
                    played[job] = next(results)
                    kept.write(job, played[job])
                yield from ((job.room, tally) for tally in played[job])


def room_named(name: str) -> Room:
    kind, _, snr = name.strip().partition(" ")
    if kind not in ("quiet", "café", "kitchen", *trial.PEOPLE):
        raise UsageError(f"There is no room {kind!r}: quiet, café, kitchen, talk or tables.")
    try:
        return Room(kind, float(snr.removesuffix("dB")) if snr else None)
    except ValueError:
        raise UsageError(f"{name!r} is no room: write it as 'talk 20'.") from None


def _report(rows: dict[str, list[Tally]], args: argparse.Namespace) -> dict[str, Any]:
    return {
        "group": "develop" if args.develop else "quote",
        "voices": trial.GROUPS["develop" if args.develop else "quote"],
        "model": str(args.model or "models/mus-es"),
        "oracle": args.oracle,
        "players": args.players,
        "enrolled": args.enrolled,
        "before": args.before,
        "things": args.things,
        "rooms": {room: _row(tallies) for room, tallies in rows.items()},
    }


def _row(tallies: list[Tally]) -> dict[str, Any]:
    total = {name: sum(getattr(tally, name) for tally in tallies) for name in COUNTS}
    delays = sorted(delay for tally in tallies for delay in tally.delays)
    deals = len(tallies)
    return {
        **total,
        "deals": deals,
        "given_up_over": [tally.given_up_over for tally in tallies if tally.given_up],
        "deals_right": share(total["exact"], deals),
        "calls_at_once": share(total["at_once"], total["calls"]),
        "asked_or_again": (total["repetitions"] + total["questions"]) / deals,
        "seconds_lost": (total["seconds"] - total["least_seconds"]) / deals,
        "delay_p50": quantile(delays, 0.5),
        "delay_p95": quantile(delays, 0.95),
    }


def share(part: int, whole: int) -> list[float]:
    """A share, and the interval that holds it in 95% of such runs."""
    return [
        round(part / max(1, whole), 4),
        *(round(edge, 4) for edge in share_interval(part, whole)),
    ]


def quantile(values: list[float], part: float) -> float | None:
    return round(values[min(len(values) - 1, int(part * len(values)))], 2) if values else None


def _print(report: dict[str, Any]) -> None:
    oracle = f", oracle: {report['oracle']}" if report["oracle"] else ""
    habits = "" if report["players"] == "usual" else f", players: {report['players']}"
    known = ", enrolled" if report["enrolled"] else ""
    if report["before"]:
        known = f", after {report['before']} deals"
    if report["things"]:
        known += f", something sounds on the table every {report['things']:g} s"
    print(f"voices: {report['voices']} ({report['group']}){known}{habits}{oracle}")
    heads: tuple[str, ...] = (
        "deals right",
        "calls at once",
        "again+asked",
        "answers",
        "corrected",
        "wrong left",
        "stood",
    )
    heads += ("nobody", "chat", "lost told", "lost s", "p50", "p95")
    print(f"{'room':12} {heads[0]:>18} {heads[1]:>18} " + " ".join(map("{:>11}".format, heads[2:])))
    for room, row in report["rooms"].items():
        cells = (
            f"{row['asked_or_again']:.2f}",
            f"{row['answers_taken']}/{row['answers']}",
            f"{row['corrections'] / row['deals']:.2f}",
            row["left_wrong"],
            row["stood"],
            row["by_nobody"],
            row["by_chat"],
            f"{row['lost_told']}+{row['lost_spoke'] - row['lost_told']}/{row['lost']}",
            f"{row['seconds_lost']:.1f}",
            f"{row['delay_p50'] or 0:.2f}",
            f"{row['delay_p95'] or 0:.2f}",
        )
        shares = f"{told(row['deals_right']):>18} {told(row['calls_at_once']):>18}"
        print(f"{room:12} {shares} " + " ".join(map("{:>11}".format, cells)))
    for room, row in report["rooms"].items():
        for over in row["given_up_over"]:
            print(f"{room}: a deal was given up over: {over}")
        if row["early"]:
            print(f"{room}: calls taken before anybody had said them: {row['early']}")


def told(part: Any) -> str:
    return f"{100 * part[0]:.1f}% ({100 * part[1]:.0f}-{100 * part[2]:.0f})"


if __name__ == "__main__":
    sys.exit(main())
