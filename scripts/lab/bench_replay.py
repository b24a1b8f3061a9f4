"""What does a changed rule of the table do to thousands of utterances that were heard before?

    python scripts/lab/bench_replay.py --record build/heard --human FOLDER --deals 24
    python scripts/lab/bench_replay.py build/heard                  # right, asked, lost, wrong
    python scripts/lab/bench_replay.py build/heard --show wrong     # which utterances they were

To play a deal takes ten seconds of a core, but the table needs only a few milliseconds for its
utterances. So ``--record`` plays deals once and keeps each utterance beside the table as it stood
then. Afterwards the table's code of today hears all of them again in a minute. Each utterance is
heard at the old table, so this does not show where a mistake leads; whole deals remain the proof
(bench_table.py). The voices are those by which settings are chosen: MBROLA's (develop), and those
that the second stage learns from (learn). It needs `pip install '.[train]'`.

Each row is a room. It counts calls and hands that were right, asked about, lost and wrong; what
nobody said to the table that was right (ignored), asked about and wrong; and the questions by their
codes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.bench_table import SEED as NOISE
    from scripts.lab.bench_table import UsageError, room_named
    from scripts.lab.earbench import rooms as noises
    from scripts.lab.earbench import work
    from scripts.lab.earbench.work import Crew
    from scripts.lab.tablebench import replay, trial
    from scripts.lab.tablebench.replay import ASKED, CALLS, ELSE, HANDS, LOST, RIGHT, WRONG
except ImportError as missing:
    print(f"bench_replay: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.resources import load_lexicon, model_dir
from assistant.rules.errors import MusError
from scripts.lab.rendering.voices import voices_named
from scripts.lab.speechlab.human import MissingRecordingsError

ROOMS = "quiet,kitchen 12,talk 20,talk 12"
SEED = 520_000
"""Seed of deals that no figure of the docs uses."""
GROUPS = "develop", trial.LEARN
WAYS = 3
"""Hypotheses of an utterance that --show prints."""


def main(arguments: list[str] | None = None) -> int:
    """Record, or hear again. The exit status is 2 if it cannot be done, and 130 after Ctrl-C."""
    args = _parser().parse_args(arguments)
    try:
        if args.record:
            _record(args)
            return 0
        judged = list(_judged(args.folder))
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"bench_replay: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # because each evening that was played is kept
        return 130
    for one in judged:
        if args.show in (one.result, one.code):
            print(_shown(one))
    report = _report(judged)
    print(json.dumps(report, ensure_ascii=False, indent=1)) if args.json else _print(report)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="folder of the recorded utterances"
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="play deals, and keep what is heard; a stopped run goes on",
    )
    parser.add_argument(
        "--voices", choices=GROUPS, default=GROUPS[0], help="group of voices; default: %(default)s"
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
        "--human",
        type=Path,
        metavar="DIR",
        help="folder of people's recordings, with a manifest.tsv",
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument(
        "--seed", type=int, default=SEED, help="seed of the first deal; default: %(default)s"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of processes; default: all cores",
    )
    parser.add_argument(
        "--show", metavar="RESULT",
        help="print the utterances that had this result (asked, lost, wrong) or question "
        "(which_said)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _record(args: argparse.Namespace) -> None:
    if args.deals < 1 or args.jobs < 1:
        raise UsageError("At least one deal and one process: --deals 1 --jobs 1.")
    args.folder.mkdir(parents=True, exist_ok=True)
    wanted = [room_named(name) for name in args.rooms.split(",")]
    voices_named(trial.GROUPS[args.voices])
    found, _ = noises.rooms(args.human, NOISE, True)
    jobs = trial.evenings(args.voices, args.seed, args.deals, wanted)
    left = [job for job in jobs if not _file(args.folder, job).exists()]
    ground = trial.Ground(model_dir(args.model), args.human, found)
    with Crew(ground, args.jobs) as crew:
        for job, moments in zip(left, crew.each("evenings", _recorded, left), strict=True):
            replay.write(moments, _file(args.folder, job))


def _recorded(job: trial.Job) -> list[replay.Moment]:
    given = work.given()
    assert isinstance(given, trial.Ground)
    return replay.record(job, given)


def _file(folder: Path, job: trial.Job) -> Path:
    return folder / f"{job.group}-{job.seed}-{job.room}.heard".replace(" ", "-")


def _judged(folder: Path) -> Iterator[replay.Judged]:
    """The results of all kept utterances. Raises UsageError if there are none."""
    files = sorted(folder.glob("*.heard"))
    if not files:
        raise UsageError(f"Nothing is kept in {folder}: record first (--record).")
    lexicon = load_lexicon()
    for path in files:
        for moment in replay.read(path):
            if (one := replay.judge(moment, lexicon)) is not None:
                yield one


def _report(judged: list[replay.Judged]) -> dict[str, Any]:
    """The results and questions, by room and kind of utterance."""
    rooms = sorted({one.moment.room for one in judged})
    found: dict[str, Any] = {}
    for room in [*rooms, "all"]:
        here = [one for one in judged if room in (one.moment.room, "all")]
        results = Counter((one.what, one.result) for one in here)
        found[room] = {
            what: {result: results[what, result] for result in (RIGHT, ASKED, LOST, WRONG)}
            for what in (CALLS, HANDS, ELSE)
        }
        found[room]["questions"] = dict(Counter(one.code for one in here if one.code))
    return found


def _print(report: dict[str, Any]) -> None:
    heads = [f"{what}: right, asked, lost, wrong" for what in (CALLS, HANDS)]
    heads.append(f"{ELSE}: right, asked, wrong")
    print(f"{'room':12} " + " ".join(f"{head:>32}" for head in heads) + "  questions")
    for room, row in report.items():
        cells = [", ".join(map(str, row[what].values())) for what in (CALLS, HANDS)]
        cells.append(", ".join(str(row[ELSE][result]) for result in (RIGHT, ASKED, WRONG)))
        questions = ", ".join(f"{code} {count}" for code, count in sorted(row["questions"].items()))
        print(f"{room:12} " + " ".join(f"{cell:>32}" for cell in cells) + f"  {questions}")


def _shown(one: replay.Judged) -> str:
    said = " | ".join(f"{said.kind}: {said.words}" for said in one.moment.said) or "nothing"
    lines = [f"{one.moment.room}, deal {one.moment.deal}: {said} -> {one.result} {one.code}"]
    hearings = [("", one.heard.hypotheses)]
    if one.heard.narrowed:
        probability = one.heard.narrowed.probability
        told = "" if probability is None else f" {probability:.2f}"
        hearings.append((f"again{told}: ", one.heard.narrowed.hypotheses))
    for name, ways in hearings:
        words = (
            f"{' '.join(word.text for word in way.words)} {way.probability:.2f}"
            for way in ways[:WAYS]
        )
        lines.append(f"    {name}{' | '.join(words)}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
