"""How often does the table know who spoke: by one microphone, and by four channels?

    python scripts/lab/bench_speakers.py
    python scripts/lab/bench_speakers.py --table es1,es3,mx1,vz1 --calls 16 --json
    python scripts/lab/bench_speakers.py --human FOLDER --snr quiet,12

Four synthesised players each enrol with fifteen prompts in a quiet room. Then they say other calls
in their own manner, and so does a bystander who has not enrolled, in a café and a kitchen (recorded
ones of FOLDER, or made ones). It needs MBROLA's voices and `pip install '.[train]'`.
docs/who-spoke.md says what the figures mean, and by which voices settings were chosen.

Each row is a kind of evidence at a level of noise: calls given to the right player; calls of which
the table is sure, and those of them that are wrong; the bystander's calls that were taken for a
player's; and those that would be refused if 1% of the players' calls were refused, too. A table of
who was taken for whom follows.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench import rooms
    from scripts.lab.speechlab.human import MissingRecordingsError
except ImportError as missing:
    print(f"bench_speakers: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.ear.network import Network, read_layers
from assistant.files.resources import model_dir
from assistant.rules.errors import MusError
from assistant.table.who import LIKELY
from scripts.lab.rendering.voices import Voice, voices_named
from scripts.lab.speakerbench.tallies import confusions, report
from scripts.lab.speakerbench.trial import SEATS, Answer, Trial

TABLES = ("es1,es3,mx1,vz1", "es2,es3,mx2,vz1", "es1,es4,mx1,mx2")
"""The tables by default. The first MBROLA voice that does not play is the bystander."""
BYSTANDERS = ("mbrola",)
SNR = "quiet,24,18,12,6"
SEED = 70_000


class UsageError(Exception):
    """The bench cannot do what the options ask for. The text says why in one sentence."""


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    try:
        levels = [_level(name) for name in args.snr.split(",")]
        answers = list(_answers(args, levels))
    except (UsageError, MissingRecordingsError, MusError, OSError) as error:
        print(f"bench_speakers: {error}", file=sys.stderr)
        return 2
    found = {
        "tables": args.table or list(TABLES),
        "seed": args.seed,
        "likely": LIKELY,
        "rates": report(answers, levels),
        "confusions": confusions(answers),
    }
    print(json.dumps(found, ensure_ascii=False) if args.json else "\n".join(_lines(found)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--table",
        action="append",
        metavar="NAMES",
        help="four voices of a table; may be given several times",
    )
    parser.add_argument(
        "--bystander",
        metavar="NAME",
        help="voice of the bystander; default: one that does not play at the table",
    )
    parser.add_argument(
        "--calls",
        type=int,
        default=24,
        help="number of calls that each voice says; default: %(default)s",
    )
    parser.add_argument(
        "--snr",
        default=SNR,
        metavar="DB",
        help="how many dB the voices are above the noise, or quiet; default: %(default)s",
    )
    parser.add_argument(
        "--human", type=Path, metavar="FOLDER", help="folder with the recorded café and kitchen"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _answers(args: argparse.Namespace, levels: list[float | None]) -> Iterator[Answer]:
    if args.calls < 1:
        raise UsageError("Everybody has to say something: --calls 1.")
    network = Network(read_layers(model_dir(args.model) / "am" / "final.mdl"))
    noise = np.concatenate(list(rooms.rooms(args.human, args.seed)[0].values()))
    tables = [voices_named(names) for names in args.table or TABLES]
    for at, voices in enumerate(tables):
        names = ", ".join(voice.name for voice in voices)
        if len(voices) != len(SEATS):
            raise UsageError(f"At a table sit four voices, not {len(voices)}: {names}.")
        print(f"table {at + 1} of {len(tables)}: {names}", file=sys.stderr)
        bystander = _bystander(args.bystander, voices)
        trial = Trial(voices, bystander, args.calls, levels, noise, args.seed + at)
        yield from trial.answers(network)


def _bystander(name: str | None, playing: tuple[Voice, ...]) -> Voice:
    known = {voice.name for voice in playing}
    for voice in voices_named(name or ",".join(BYSTANDERS)):
        if voice.name not in known:
            return voice
    raise UsageError("Whoever looks on must not play: name another voice with --bystander.")


def _level(name: str) -> float | None:
    if name == "quiet":
        return None
    try:
        return float(name)
    except ValueError:
        raise UsageError(f"{name!r} is no level of noise: dB, or quiet.") from None


def _lines(found: dict[str, Any]) -> Iterator[str]:
    """The report as a table, with the confusions below it."""
    for name, rows in found["rates"].items():
        yield f"{name}:"
        for noise, row in rows.items():
            yield (
                f"  {noise:>6}  right {_share(row['right'], row['calls'])}"
                f"   sure of {_share(row['kept'], row['calls'])}"
                f", of which wrong {_share(row['wrong'], row['kept'])}"
                f"   bystander taken for a player {_share(row['taken'], row['strangers'])}"
                f", refused with 1% of the players {_share(row['refused'], row['strangers'])}"
            )
    yield "one microphone, who spoke (rows) and who was taken for it, somebody else last:"
    for place, row in enumerate(found["confusions"], start=1):
        who = f"seat {place}" if place <= len(SEATS) else "other"
        yield f"  {who:>6}  " + " ".join(f"{count:5}" for count in row)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / max(1, whole):.1f}%"


if __name__ == "__main__":
    sys.exit(main())
