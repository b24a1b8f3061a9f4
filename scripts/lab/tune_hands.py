"""From which margin on should an utterance at the showdown count as a hand?

    python scripts/lab/tune_hands.py --human FOLDER --deals 12 --rooms "quiet,talk 20"

At the showdown of simulated deals, hands are named aloud, and sentences of table talk are said in
their place. The ear of a table that takes any margin (see assistant/ear/second_pass.py) hears both
in running sound. The voices are those by which settings are chosen. FOLDER holds people's
recordings. It needs `pip install '.[train]'`.

It prints the limit of today. Then each room has a row: how many hands and how many sentences of
talk may be a hand, and the margins of each kind that are nearest to the other kind.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.bench_stream import GROUP, SEED, Stream, blocks_of, calls_in, said_of
    from scripts.lab.earbench import rooms as noises
    from scripts.lab.earbench import work
    from scripts.lab.earbench.work import Crew
    from scripts.lab.tablebench import trial
    from scripts.lab.tablebench.trial import Job
except ImportError as missing:
    print(f"tune_hands: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.ear.hearing import ear_of
from assistant.ear.second_pass import LEAST
from assistant.files.resources import model_dir
from assistant.messages import Heard
from assistant.rules.errors import MusError
from scripts.lab.bench_table import UsageError, room_named
from scripts.lab.rendering.dealing import Spoken
from scripts.lab.rendering.voices import voices_named
from scripts.lab.speechlab.human import MissingRecordingsError

TALK = 6
"""Sentences of talk in place of the hands of each deal."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The best margin of each hand and each sentence of talk; minus infinity if it is no hand."""

    hands: tuple[float, ...]
    talk: tuple[float, ...]


def main(arguments: list[str] | None = None) -> int:
    """Print the margins. The exit status is 2 if it cannot be done."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals", type=int, default=12, help="number of deals; default: %(default)s"
    )
    parser.add_argument("--rooms", default="quiet,café 12,talk 20", metavar="NAMES")
    parser.add_argument(
        "--human",
        type=Path,
        metavar="FOLDER",
        help="folder of people's recordings, with a manifest.tsv",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    try:
        rows = _measured(args)
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"tune_hands: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    print(f"the limit now: {LEAST}")
    for room, row in rows.items():
        print(f"{room:12} {_told('hands', row['hands'])}   {_told('talk', row['talk'][::-1])}")
    return 0


def _told(what: str, margins: Sequence[float | None]) -> str:
    found = [margin for margin in margins if margin is not None]
    nearest = ", ".join(f"{margin:.1f}" for margin in found[:4])
    return f"{what}: {len(found)} of {len(margins)} may be one, nearest to the other {nearest}"


def _measured(args: argparse.Namespace) -> dict[str, dict[str, list[float | None]]]:
    if args.deals < 1 or args.jobs < 1:
        raise UsageError("At least one deal and one process: --deals 1 --jobs 1.")
    wanted = [room_named(name) for name in args.rooms.split(",")]
    voices_named(trial.GROUPS[GROUP])
    found, _ = noises.rooms(args.human, SEED, True)
    jobs = [Job(GROUP, seed, kind) for seed in trial.seeds(SEED, args.deals) for kind in wanted]
    rows: dict[str, dict[str, list[float]]] = {}
    with Crew(trial.Ground(model_dir(), args.human, found), args.jobs) as crew:
        for job, margins in zip(jobs, crew.each("deals", hear, jobs), strict=True):
            row = rows.setdefault(str(job.room), {"hands": [], "talk": []})
            row["hands"] += margins.hands
            row["talk"] += margins.talk
    return {
        room: {name: [_or_none(one) for one in sorted(found)] for name, found in row.items()}
        for room, row in rows.items()
    }


def _or_none(margin: float) -> float | None:
    return None if math.isinf(margin) else round(margin, 2)


def hear(job: Job) -> Margins:
    """The margins of one deal's hands, and of talk in their place."""
    ground = work.given()
    assert isinstance(ground, trial.Ground)
    dice = random.Random(f"talk at the showdown {job.seed}")
    sentences = dice.sample(trial.chat(job.seed), TALK)
    talk = tuple(Spoken(dice.randint(1, 4), words, ()) for words in sentences)
    return Margins(
        _margins(said_of(job, ground, calls=False), ground),
        _margins(said_of(job, ground, calls=False, instead=talk), ground),
    )


def _margins(stream: Stream, ground: trial.Ground) -> tuple[float, ...]:
    best = [-math.inf] * len(stream.spans)
    stands = 0
    ear = ear_of(ground.model, trial.lexicon(), lambda: stream.truth[stands], least=-math.inf)
    for block in blocks_of(stream.sound):
        for heard in (one for one in ear.feed(block) if isinstance(one, Heard)):
            for at in calls_in(heard, stream) if heard.narrowed else ():
                best[at] = max(best[at], heard.narrowed.margin if heard.narrowed else -math.inf)
        stands = sum(end + 1.0 < block.end for _, end in stream.spans)
    return tuple(best)


if __name__ == "__main__":
    sys.exit(main())
