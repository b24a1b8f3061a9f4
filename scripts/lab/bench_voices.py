"""What does it bring, and cost, when the ear learns the voices of a table (``mus enrol``)?

    python scripts/lab/bench_voices.py --human FOLDER            # an hour of two cores
    python scripts/lab/bench_voices.py --human FOLDER --quick    # fifteen minutes; rough
    python scripts/lab/bench_voices.py --development --quick --json

Two tables of four voices read the prompts of ``mus enrol`` once, and a model is fitted to each
table. Then all voices say the calls of other deals, in quiet and in noise. The model that ships
hears them, and so do both fitted models, so that voices are compared at their own table and at the
other one. People say no prompts. Every second word that a person has recorded enrols him, and the
others are heard; then the other way round. With ``--noisy`` the voices enrol in the café and the
kitchen, 15 dB above them, in a part of those recordings in which no call is heard. No voice and no
person here ever trains (scripts/lab/speechlab/split.py). FOLDER holds people's recordings. It needs
`pip install '.[train]'`.

The first rows are the figures to reach: shares of calls right before and after, points that others
lose, and seconds to fit four voices. The rows of the voices have the calls, and the shares right
and wrong in quiet and in noise of 24 to 6 dB. Those of people have the clips, and the shares of
words heard before and after.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench import calls, enrolling, people, rooms
    from scripts.lab.earbench.plan import CLEAN, NOISY, Condition, Ground
    from scripts.lab.earbench.tallies import Calls
    from scripts.lab.earbench.work import Crew
    from scripts.lab.speechlab.human import MissingRecordingsError, Recording
except ImportError as missing:
    print(f"bench_voices: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.ear.audio import Floats
from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from scripts.lab.rendering.voices import voices_named

TABLES = (("es1", "es3", "mx1", "vz1"), ("es2", "es4", "mx2", "el"))
SEED, DEVELOPMENT_SEED = 90_000, 5_000
ENROL_SEED = 71
DEALS, QUICK = 24, 5
DRAWS, QUICK_DRAWS = 10, 3
REACH, LOSS, SECONDS = 0.98, 0.01, 120
Heard = dict[tuple[str, Condition], Calls]


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    try:
        report = _measured(args)
    except (MissingRecordingsError, MusError, OSError) as error:
        print(f"bench_voices: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    if args.json:
        print(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(report)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="use fewer deals; the figures are rough"
    )
    parser.add_argument(
        "--development", action="store_true",
        help="use other deals, in the noise that trains, without 'el' and people: settings "
        "may be chosen by these",
    )  # fmt: skip
    parser.add_argument(
        "--noisy", action="store_true", help="enrol the voices in the noise of the room"
    )
    parser.add_argument(
        "--human",
        type=Path,
        metavar="FOLDER",
        help="folder of people's recordings, with a manifest.tsv",
    )
    parser.add_argument(
        "--deals", type=int, help=f"number of deals by each group of voices; default: {DEALS}"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="number of processes; default: all cores",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measured(args: argparse.Namespace) -> dict[str, Any]:
    base, count = model_dir(), args.deals or (QUICK if args.quick else DEALS)
    tables = [[name for name in row if name != "el" or not args.development] for row in TABLES]
    seed = DEVELOPMENT_SEED if args.development else SEED
    sounds, notes = rooms.rooms(args.human, seed, args.development)
    groups = ["mbrola"] if args.development else ["mbrola", "el"]
    for group in groups:
        voices_named(group)  # so that a missing voice is reported before anything is measured
    # The other part of each recording, so that nobody enrols in the very noise of his calls.
    elsewhere, _ = rooms.rooms(args.human, seed, not args.development)
    noises = list(elsewhere.values()) if args.noisy else []
    report: dict[str, Any] = {"seed": seed, "deals": count, "notes": notes, "tables": []}
    with tempfile.TemporaryDirectory(prefix="mus-voices-") as name:
        before = _heard(base, sounds, groups, seed, count, args.jobs)
        after = []
        for number, table in enumerate(tables):
            model, told = _fit(base, table, noises, Path(name) / f"table{number}")
            report["tables"].append(told)
            after.append(_heard(model, sounds, groups, seed, count, args.jobs))
        if not args.development and not args.noisy:
            draws = QUICK_DRAWS if args.quick else DRAWS
            report["people"] = _people(base, args, draws, Path(name))
    report["voices"] = list(_voice_rows(before, after, tables))
    report["sums"] = list(_sums(before, after, tables))
    return report


def _fit(
    base: Path, table: Sequence[str], noises: Sequence[Floats], folder: Path
) -> tuple[Path, dict[str, Any]]:
    """Fit the model of a table, and say what it took. Every other voice reads in another room."""
    enrolled = [
        enrolling.enrol(voice, base, ENROL_SEED, noises[at % len(noises)] if noises else None)
        for at, voice in enumerate(voices_named(",".join(table)))
    ]
    began = time.monotonic()
    enrolling.fitted_model(base, enrolled, folder)
    return folder, {
        "voices": list(table),
        "readings": sum(len(one.readings) for one in enrolled),
        "refused": sum(one.refused for one in enrolled),
        "read_s": round(enrolling.seconds_read(enrolled), 1),
        "fitted_in_s": round(time.monotonic() - began, 1),
    }


def _heard(
    model: Path, sounds: dict[str, Any], groups: Sequence[str], seed: int, count: int, workers: int
) -> Heard:
    """Hear all single calls of the deals, by voice and room."""
    found: Heard = {}
    with Crew(Ground(model, sounds), workers) as crew:
        for group in groups:
            jobs = list(calls.jobs(group, seed, count, calls=True, whole=False))
            for done in crew.each(f"{model.name}: deals by {group}", calls.hear_deal, jobs):
                for key, row in done.calls.items():
                    found[key] = found.get(key, Calls()) + row
    return found


def _voice_rows(
    before: Heard, after: Sequence[Heard], tables: Sequence[Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """The rows of each voice: before, at the table where it is enrolled, and at the other one."""
    for number, table in enumerate(tables):
        for voice in table:
            models = {
                "base": before,
                "enrolled": after[number],
                "not enrolled": after[1 - number],
            }
            for name, heard in models.items():
                clean, noisy = _clean([voice], heard), _noisy([voice], heard)
                yield {"voice": voice, "model": name, "clean": clean.row(), "noisy": noisy.row()}


def _sums(
    before: Heard, after: Sequence[Heard], tables: Sequence[Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """The sums over all voices: before, enrolled, at the other table. Each voice counts once."""
    everybody = [voice for table in tables for voice in table]
    for name, clean, noisy in (
        ("base", _clean(everybody, before), _noisy(everybody, before)),
        *(
            (
                told,
                reduce(add, (_clean(tables[at], after[at ^ other]) for at in (0, 1))),
                reduce(add, (_noisy(tables[at], after[at ^ other]) for at in (0, 1))),
            )
            for told, other in (("enrolled", 0), ("not enrolled", 1))
        ),
    ):
        yield {"model": name, "clean": clean.row(), "noisy": noisy.row()}


def _clean(voices: Sequence[str], heard: Heard) -> Calls:
    return reduce(add, (heard.get((voice, CLEAN), Calls()) for voice in voices))


def _noisy(voices: Sequence[str], heard: Heard) -> Calls:
    return reduce(add, (heard.get((voice, room), Calls()) for voice in voices for room in NOISY))


def _people(base: Path, args: argparse.Namespace, draws: int, folder: Path) -> list[dict[str, Any]]:
    """The words of each person heard before and after: each half by the model of the other half."""
    by_speaker: dict[str, list[Recording]] = {}
    for row in people.inside(people.recordings(args.human)):
        by_speaker.setdefault(row.speaker, []).append(row)
    found = []
    for speaker, rows in by_speaker.items():
        halves = rows[::2], rows[1::2]
        models = [
            enrolling.fitted_model(
                base, [enrolling.enrol_person(half, base)], folder / f"{speaker}{at}"
            )
            for at, half in enumerate(halves)
        ]
        jobs = [people.PeopleJob(tuple(half), draws, SEED) for half in halves]
        heard = {}
        for name, pair in (("base", (base, base)), ("enrolled", (models[1], models[0]))):
            done: list[dict[str, people.Words]] = []
            for model, job in zip(pair, jobs, strict=True):
                with Crew(Ground(model, {}), 1) as crew:
                    done += crew.each(f"{speaker}, {name}", people.hear_words, [job])
            heard[name] = {room: reduce(add, (one[room] for one in done)) for room in done[0]}
        for room in heard["base"]:
            pair_of = {name: rows_of[room] for name, rows_of in heard.items()}
            found.append({
                "speaker": speaker, "clips": len(rows), "condition": room,
                **{name: round(words.heard / max(1, words.of), 4)
                   for name, words in pair_of.items()},
            })  # fmt: skip
    return found


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"seed {report['seed']}, {report['deals']} deals of each group"
    yield from report["notes"]
    yield ""
    sums = {row["model"]: row for row in report["sums"]}
    before, after, others = (sums[name]["noisy"]["right"] for name in sums)
    slowest = max(table["fitted_in_s"] for table in report["tables"])
    noisy = "enrolled, mean of 24-6 dB, calls right"
    yield f"{'figure':44} {'reach':>8}  measured"
    yield f"{noisy:44} {REACH:>8.0%}  {before:.1%} -> {after:.1%}"
    yield f"{'others after it, points lost':44} {100 * LOSS:>8.0f}  {100 * (before - others):+.1f}"
    yield f"{'fitting four voices, seconds':44} {SECONDS:>8}  {slowest:.0f}"
    for table in report["tables"]:
        yield (
            f"  {', '.join(table['voices'])}: {table['readings']} readings, {table['read_s']} s; "
            f"{table['refused']} refused"
        )
    yield ""
    yield f"{'calls right / wrong':28} {'calls':>6} {'quiet':>14} {'24-6 dB':>14}"
    for row in [*report["sums"], *report["voices"]]:
        name = f"{row.get('voice', 'all')}, {row['model']}"
        shares = [f"{row[at]['right']:6.1%} / {row[at]['wrong']:4.1%}" for at in ("clean", "noisy")]
        yield f"{name:28} {row['noisy']['calls']:>6} {shares[0]:>14} {shares[1]:>14}"
    if rows := report.get("people"):
        yield ""
        yield f"{'people: words heard':40} {'clips':>6} {'before':>8} {'after':>8}"
        for row in rows:
            name = f"{row['speaker']}, {row['condition']}"
            yield f"{name:40} {row['clips']:>6} {row['base']:>8.1%} {row['enrolled']:>8.1%}"


if __name__ == "__main__":
    sys.exit(main())
