"""How good is the whole ear: calls, deals, people, false calls by the hour, latency and cost?

    python scripts/lab/bench_ears.py --human FOLDER            # everything: 75 minutes of two cores
    python scripts/lab/bench_ears.py --human FOLDER --quick    # ten minutes; the figures are rough
    python scripts/lab/bench_ears.py --parts talk,noise --json
    python scripts/lab/bench_ears.py --human FOLDER --development   # to choose settings of the ear

Voices and people who never train say calls, deals and talk to the real ear, in quiet and in noise
(scripts/lab/speechlab/split.py lists them). FOLDER holds people's recordings. Ctrl-C ends the run
and prints what is finished. The protocol, what to install, and the meaning of each table are in
docs/bench-ears.md.

The first table has the figures to reach: the name, the value to reach, the measured value and its
95% interval, and "short" where it was not reached. A table for each part follows; its rows are a
group of voices in a room.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench import figures, printing, rooms, sections
    from scripts.lab.earbench.plan import (
        DEVELOPMENT,
        FULL,
        PARTS,
        QUICK,
        Amounts,
        Ground,
        Plan,
        unseen,
    )
    from scripts.lab.earbench.work import Crew
    from scripts.lab.speechlab import packaged
    from scripts.lab.speechlab.human import MissingRecordingsError
except ImportError as missing:
    print(f"bench_ears: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from scripts.lab.rendering.voices import voices_named

TRAINING = ("pico", "espeak")
"""Groups of voices whose engines train the model: in rows of their own, never quoted."""
SEED = 90_000
DEVELOPMENT_SEED = 5_000
"""Seed of deals that no figure of the docs uses."""
BROKEN_OFF = "Broken off: only the parts that were finished are here."
INTERRUPTED = 130
"""Exit status after Ctrl-C, as that of any command."""
CHOOSING = ("calls", "deals", "talk", "noise")
"""Parts that settings may be chosen by."""


class UsageError(Exception):
    """The bench cannot do what the options ask for. The text says why in one sentence."""


def main(arguments: list[str] | None = None, amounts: Amounts | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run, and 130 after Ctrl-C."""
    args = _parser().parse_args(arguments)
    try:
        usual = DEVELOPMENT if args.development else QUICK if args.quick else FULL
        report = _measured(args, amounts or usual)
    except (UsageError, MissingRecordingsError, MusError, OSError) as error:
        print(f"bench_ears: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        print("\n".join(printing.lines(report)))
    return INTERRUPTED if BROKEN_OFF in report["notes"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="measure less of everything; the figures are rough"
    )
    parser.add_argument(
        "--development", action="store_true",
        help="use other deals by MBROLA's voices, in the noise that trains: settings may be "
        "chosen by these",
    )  # fmt: skip
    parser.add_argument(
        "--parts", metavar="NAMES", help=f"parts of the bench to run; default: {','.join(PARTS)}"
    )
    parser.add_argument("--voices", metavar="NAMES", help="groups of voices; default: el,mbrola")
    parser.add_argument(
        "--training-voices",
        action="store_true",
        help="also measure voices that train, in rows of their own",
    )
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
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measured(args: argparse.Namespace, amounts: Amounts) -> dict[str, Any]:
    plan = _plan(args, amounts)
    model = model_dir(args.model)
    sounds, notes = rooms.rooms(plan.human, plan.seed, plan.development)
    if plan.development:
        notes.append("Development: settings may be chosen by this, so it is no figure to quote.")
    if plan.human is None:
        notes.append("There is no folder of recordings (--human): people are Debian's packages'.")
    if missing := packaged.missing(packaged.MEASURING_PACKAGES):
        notes.append(f"People who only measure are missing: apt-get install {' '.join(missing)}.")
    report: dict[str, Any] = {
        "model": str(args.model or "models/mus-es"),
        "model_sha256": _fingerprint(model),
        "seed": plan.seed,
        "amounts": asdict(amounts),
        "notes": notes,
    }
    with Crew(Ground(model, sounds), args.jobs) as crew:
        try:
            if "cost" in plan.parts:
                report |= sections.listening(plan, model)
            for names, section in sections.PARTS:
                if not set(names).isdisjoint(plan.parts):
                    report |= section(plan, crew)
        except KeyboardInterrupt:  # so that an hour's work is not lost
            notes.append(BROKEN_OFF)
    if _fingerprint(model) != report["model_sha256"]:
        raise UsageError(f"The model in {model} was changed while it was measured: once more.")
    rows = figures.figures(plan, report)
    report["figures"] = [asdict(row) | {"reached": row.reached} for row in rows]
    return report


def _fingerprint(model: Path) -> str:
    """A hash that identifies this model by its network and its graph."""
    digest = hashlib.sha256()
    for path in sorted([model / "am" / "final.mdl", *(model / "graph").glob("*.fst")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _plan(args: argparse.Namespace, amounts: Amounts) -> Plan:
    usual = CHOOSING if args.development else PARTS
    parts = tuple(args.parts.split(",")) if args.parts else usual
    if unknown := set(parts) - set(PARTS):
        raise UsageError(f"There is no part {min(unknown)!r}: choose of {', '.join(PARTS)}.")
    if args.jobs < 1:
        raise UsageError("At least one process has to do the work: --jobs 1.")
    voices = args.voices or ("mbrola" if args.development else "el,mbrola")
    groups = tuple(voices.split(",")) + (TRAINING if args.training_voices else ())
    apart = {group for group in groups if unseen(group)} | ({"people"} & set(parts))
    if args.development and apart:
        raise UsageError(f"Nothing is chosen by {min(apart)!r}, which is kept for measuring.")
    if not set(parts).isdisjoint({"calls", "deals", "talk", "latency", "cost"}):
        for group in groups:
            voices_named(group)  # so that a missing voice is reported before anything is measured
    first = DEVELOPMENT_SEED if args.development else SEED
    seed = first if args.seed is None else args.seed
    return Plan(parts, groups, amounts, args.human, seed, args.development)


if __name__ == "__main__":
    sys.exit(main())
