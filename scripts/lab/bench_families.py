"""Is one speech model better than another on calls by voices and noises that never train?

    python scripts/lab/bench_families.py --human FOLDER                  # the figures to quote
    python scripts/lab/bench_families.py --human FOLDER --against build/mus-es    # two models
    python scripts/lab/bench_families.py --human FOLDER --develop --against build/mus-es

Several families of synthesised voices say deals, and people say single words, at a real table. Each
call is said in running sound, at least four seconds after its room began, and the table is put
right after it. Two models hear the very same sounds. FOLDER holds people's recordings. It takes a
quarter of an hour of two cores and needs `pip install '.[train]'`. The protocol is in
docs/bench-ears.md.

Each row is a noise and its level: the calls; the shares right (with a 95% interval), asked about,
wrong and missed; and how often the table moved although nobody had called. The row "against" is the
second model; it ends with the difference in points of right calls and its 95% interval, by a
bootstrap over deals.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench import families
    from scripts.lab.earbench.families import OUTCOMES, PEOPLE, PLACES, SNRS, Done, Job, Room
    from scripts.lab.earbench.intervals import share_interval
    from scripts.lab.earbench.work import Crew
    from scripts.lab.tablebench import crowd
except ImportError as missing:
    print(f"bench_families: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from scripts.lab.bench_table import UsageError
from scripts.lab.speechlab.human import MissingRecordingsError

SEED, DEVELOPMENT_SEED = 320_000, 220_000
QUIET, NOISY = "quiet", "mean of 24 to 6 dB"

Rows = dict[str, list[Done]]
"""What became of calls, by the name of a row."""


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    try:
        report = _report(args)
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"bench_families: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report, ensure_ascii=False, indent=1)) if args.json else _print(report)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals", type=int, default=8, help="number of deals by each family; default: %(default)s"
    )
    parser.add_argument(
        "--families", metavar="NAMES", help='families of voices, or "people"; default: all of them'
    )
    parser.add_argument(
        "--develop", action="store_true",
        help="use the deals and talkers by which settings and models may be chosen, said by "
        "MBROLA's voices and those that the second stage learnt from",
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
    parser.add_argument(
        "--against",
        type=Path,
        metavar="DIR",
        help="folder of a second model that hears the same sounds",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _report(args: argparse.Namespace) -> dict[str, Any]:
    if args.deals < 1 or args.jobs < 1:
        raise UsageError("At least one deal and one process: --deals 1 --jobs 1.")
    group = crowd.DEVELOP if args.develop else crowd.QUOTE
    usual = families.DEVELOPING if args.develop else (*families.QUOTED, PEOPLE)
    wanted = args.families.split(",") if args.families else list(usual)
    if not set(wanted) <= set(usual):
        raise UsageError(f"--families takes {', '.join(usual)}.")
    jobs = list(_jobs(wanted, args))
    named = [args.model, args.against] if args.against else [args.model]
    models = tuple(map(model_dir, named))
    noises = families.noises_of(group, args.human, SEED + args.develop)
    ground = families.Ground(models, noises)
    with Crew(ground, args.jobs) as crew:
        done = list(crew.each("deals and people", families.hear, jobs))
    return {
        "group": group,
        "models": [str(model) for model in models],
        "families": {
            family: _rows([one for one in done if one.job.family == family]) for family in wanted
        },
        "means": _means(wanted, done),
        "noises": _by(done, lambda job: job.room.noise, families.NOISES),
    }


def _jobs(wanted: Sequence[str], args: argparse.Namespace) -> Iterable[Job]:
    first = DEVELOPMENT_SEED if args.develop else SEED
    for family in wanted:
        if family == PEOPLE:
            yield from families.people_of(args.human)
        else:
            families.voices_of(family)
            yield from families.deals_of(family, first, args.deals)


def _rows(done: Sequence[Done]) -> dict[str, Any]:
    """The results of a family's calls in each of its rooms."""
    if done and done[0].job.family == PEOPLE:
        return {_name(place): _row([d for d in done if d.job.room == place]) for place in PLACES}
    levels = {f"{snr:.0f} dB": [d for d in done if d.job.room.snr == snr] for snr in SNRS}
    quiet = [d for d in done if d.job.room.snr is None]
    noisy = [d for d in done if d.job.room.snr is not None]
    return {name: _row(some) for name, some in {QUIET: quiet, **levels, NOISY: noisy}.items()}


def _row(done: Sequence[Done]) -> dict[str, Any]:
    """The share of each outcome by model, and by how much the second model is better."""
    models = range(len(done[0].outcomes)) if done else range(0)
    told = []
    for model in models:
        calls = [outcome for one in done for outcome in one.outcomes[model]]
        counts = {name: calls.count(name) for name in OUTCOMES}
        right = [round(part, 4) for part in share_interval(counts["right"], len(calls))]
        nobody = sum(one.nobody[model] for one in done)
        told.append({"calls": len(calls), **counts, "right within": right, "by nobody": nobody})
    row: dict[str, Any] = {"models": told}
    if len(told) > 1:
        deals: dict[tuple[str, int], list[Done]] = {}
        for one in done:
            deals.setdefault((one.job.family, one.job.seed), []).append(one)
        first, second = (
            [
                [outcome for one in same for outcome in one.outcomes[model]]
                for same in deals.values()
            ]
            for model in models
        )
        gain, low, high = families.difference(first, second)
        row["gain"] = [round(part, 4) for part in (gain, low, high)]
    return row


def _means(wanted: Sequence[str], done: Sequence[Done]) -> dict[str, list[float]]:
    """The share of right calls by model, as the mean over families. This figure is quoted."""
    rows = [_rows([d for d in done if d.job.family == f]) for f in wanted if f != PEOPLE]
    found = {}
    for name in rows[0] if rows else ():
        shares = [[m["right"] / max(1, m["calls"]) for m in row[name]["models"]] for row in rows]
        found[name] = [round(sum(column) / len(column), 4) for column in zip(*shares, strict=True)]
    return found


def _by(done: Sequence[Done], key: Callable[[Job], str], names: Sequence[str]) -> dict[str, Any]:
    voices = [one for one in done if one.job.family != PEOPLE]
    return {name: _row([one for one in voices if key(one.job) == name]) for name in names}


def _name(room: Room) -> str:
    return QUIET if room.snr is None else f"{room.noise} {room.snr:.0f} dB"


def _print(report: dict[str, Any]) -> None:
    print(f"{report['group']}: {', '.join(report['models'])}")
    tables = dict(report["families"])
    if report["means"]:  # some of the families are single voices
        tables["by noise, all families"] = report["noises"]
    for family, rows in tables.items():
        print(
            f"\n{family:26} {'calls':>6} {'right':>18} "
            f"{'asked':>7} {'wrong':>7} {'missed':>7} nobody"
        )
        for name, row in rows.items():
            for model, told in enumerate(row["models"]):
                print(
                    f"  {name if not model else '  against':24} {_cells(told)}{_gain(row, model)}"
                )
    if report["means"]:
        print("\nmean over families, right")
        for name, shares in report["means"].items():
            print(f"  {name:24} " + " ".join(f"{100 * share:6.1f}%" for share in shares))


def _cells(told: dict[str, Any]) -> str:
    calls = max(1, told["calls"])
    low, high = told["right within"]
    right = f"{100 * told['right'] / calls:.1f}% ({100 * low:.0f}-{100 * high:.0f})"
    others = " ".join(f"{100 * told[name] / calls:6.1f}%" for name in OUTCOMES[1:])
    return f"{told['calls']:6} {right:>18} {others} {told['by nobody']:6}"


def _gain(row: dict[str, Any], model: int) -> str:
    if not model:
        return ""
    gain, low, high = (100 * part for part in row["gain"])
    return f"   {gain:+.1f} points ({low:+.1f} to {high:+.1f})"


if __name__ == "__main__":
    sys.exit(main())
