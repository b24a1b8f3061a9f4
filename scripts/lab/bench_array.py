"""How much better do four microphones in an array hear calls than one microphone?

    python scripts/lab/bench_array.py --human FOLDER             # the figures to quote
    python scripts/lab/bench_array.py --human FOLDER --develop   # to choose settings by
    python scripts/lab/bench_array.py --rooms talk --json

Four players say calls, one after the other, in the simulated rooms of bench_telephones.py. A plain
recogniser hears the same calls through one microphone in the middle of the table, at several levels
of noise, and through an array around it, at one level. FOLDER holds people's recordings. It needs
`pip install '.[train]'`. The protocol is in docs/telephones-sound.md.

Each row is a kind of room. It has the share of calls heard right, with its 95% interval, by the one
microphone at each level and by the array. The gain says by how many dB the noise would have to be
fainter for the one microphone to hear as many calls as the array.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

try:
    from scripts.lab.earbench import rooms, work
    from scripts.lab.tablebench import places, telephones, trial
except ImportError as missing:
    print(f"bench_array: {missing.name} is missing: pip install '.[train]'", file=sys.stderr)
    sys.exit(2)

from assistant.ear import Block, Recogniser
from assistant.ear.array import HELD_BACK, Channels
from assistant.ear.audio import RATE, to_int16
from assistant.ear.source import BLOCK
from assistant.files.resources import load_lexicon, model_dir
from assistant.messages import Heard
from assistant.rules.errors import MusError
from scripts.lab.bench_table import UsageError, share, told
from scripts.lab.rendering.deal import HISS
from scripts.lab.rendering.voices import Floats, Manner, voices_named
from scripts.lab.speakerbench.saying import CALLS
from scripts.lab.speechlab.human import MissingRecordingsError
from scripts.lab.tablebench.players import company_of
from scripts.lab.tablebench.said import speak_cached
from scripts.lab.tablebench.trial import Ground, Room

SEED, DEVELOPMENT_SEED = 470_000, 270_000
LEVELS = (3.0, 6.0, 9.0, 12.0, 15.0)
ONE, ARRAY = "one", "array"
EACH = 48
"""Calls in a room, which last two minutes."""
PAUSES = 0.8, 2.0
"""Seconds between two calls."""
NEAR = 0.1
"""Seconds by which the times of a word may lie outside its call."""
EDGES = 400
"""Number of draws of the bootstrap over rooms."""


@dataclass(frozen=True, slots=True)
class Listened:
    """One room, heard by the single microphone or by the array.

    ``job`` says who speaks where, and which noise there is.
    """

    job: trial.Job
    by: str


def main(arguments: list[str] | None = None) -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args(arguments)
    try:
        report = _report(args)
    except (UsageError, MusError, OSError, MissingRecordingsError) as error:
        print(f"bench_array: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report, ensure_ascii=False, indent=1)) if args.json else _print(report)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rooms",
        default="kitchen,talk",
        metavar="NAMES",
        help="kinds of room; default: %(default)s",
    )
    parser.add_argument(
        "--places", type=int, default=6, help="number of rooms of each kind; default: %(default)s"
    )
    parser.add_argument(
        "--snr",
        type=float,
        default=6.0,
        help="how many dB the voices are above the noise for the array; default: %(default)s",
    )
    parser.add_argument(
        "--develop", action="store_true",
        help="use the voices and talkers by which settings may be chosen; never quote these "
        "figures",
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
    return parser


def _report(args: argparse.Namespace) -> dict[str, Any]:
    if args.places < 1 or args.jobs < 1:
        raise UsageError("At least one place and one process: --places 1 --jobs 1.")
    kinds = args.rooms.split(",")
    if wrong := set(kinds) - {"café", "kitchen", trial.TALK}:
        raise UsageError(f"There is no room {', '.join(sorted(wrong))}: café, kitchen or talk.")
    group = "develop" if args.develop else "quote"
    voices_named(trial.GROUPS[group])
    noises, _ = rooms.rooms(args.human, SEED, args.develop)
    first = DEVELOPMENT_SEED if args.develop else SEED
    heard = [
        Listened(trial.Job(group, first + place, Room(kind, snr)), by)
        for kind in kinds
        for place in range(args.places)
        for snr, by in [*((level, ONE) for level in LEVELS), (args.snr, ARRAY)]
    ]
    with work.Crew(Ground(model_dir(args.model), args.human, noises), args.jobs) as crew:
        right = dict(zip(heard, crew.each("rooms", hear, heard), strict=True))
    return {
        "group": group,
        "voices": trial.GROUPS[group],
        "snr": args.snr,
        "calls": EACH * args.places,
        "rooms": {kind: _row(kind, right, args) for kind in kinds},
    }


def hear(one: Listened) -> int:
    """Count the calls of a room that are heard as they were said."""
    ground = work.given()
    assert isinstance(ground, Ground)
    job, dice = one.job, random.Random(f"array {one.job.seed}")
    where = places.place(job.seed, array=True)
    noise = telephones.background(job, ground, where)
    assert noise is not None
    said, sound = _said(job, dice, where)
    sound += noise[np.arange(len(sound)) % len(noise)]
    sound += np.random.default_rng(job.seed).standard_normal(sound.shape, np.float32) * HISS
    late = 0.0
    mono = sound[:, 0]
    if one.by == ARRAY:
        channels = Channels(places.ARRAY, RATE, steers=True)
        ring = sound[:, -places.ARRAY :]
        blocks = range(0, len(ring), BLOCK)
        mono = np.concatenate([channels.mix(ring[at : at + BLOCK])[0] for at in blocks])
        late = HELD_BACK / 100
    recogniser = Recogniser(ground.model, load_lexicon().grammar())
    words = [word for heard in _heard(recogniser, mono) for word in heard.words]
    right = 0
    for start, end, text in said:
        inside = [
            word.text
            for word in words
            if start - NEAR < (word.start + word.end) / 2 - late < end + NEAR
            and word.text != "[unk]"
        ]
        right += " ".join(inside) == text
    return right


def _said(
    job: trial.Job, dice: random.Random, where: places.Place
) -> tuple[list[tuple[float, float, str]], Floats]:
    """The calls with their times, and their sound at all microphones."""
    people = company_of(voices_named(trial.GROUPS[job.group]), job.seed)
    said, pieces, at = [], [], 2 * RATE
    for _ in range(EACH):
        seat, text = dice.randint(1, places.SEATS), dice.choice(CALLS)
        voice, gain = people[seat]
        manner = Manner(dice.uniform(0.9, 1.15), dice.uniform(0.95, 1.05))
        sound = speak_cached(voice, text, manner) * np.float32(gain)
        pieces.append((at, places.heard(sound, where.seats[seat - 1])))
        said.append((at / RATE, (at + len(sound)) / RATE, text))
        at += len(sound) + round(dice.uniform(*PAUSES) * RATE)
    whole = np.zeros(((at // BLOCK + 20) * BLOCK, where.loudspeaker.shape[1]), np.float32)
    for start, piece in pieces:
        whole[start : start + len(piece)] += piece[: len(whole) - start]
    return said, whole


def _heard(recogniser: Recogniser, sound: Floats) -> list[Heard]:
    found: list[Heard] = []
    samples = to_int16(sound)
    for at in range(0, len(samples), BLOCK):
        block = Block(samples[at : at + BLOCK], (at + BLOCK) / RATE)
        found += [one for one in recogniser.feed(block) if isinstance(one, Heard)]
    return [*found, *recogniser.flush()]


def _row(kind: str, right: dict[Listened, int], args: argparse.Namespace) -> dict[str, Any]:
    """The share of calls right by one microphone at each level and by the array, and the gain."""
    one = [[right[h] for h in right if _is(h, kind, ONE, level)] for level in LEVELS]
    array = [right[h] for h in right if _is(h, kind, ARRAY, args.snr)]
    dice, drawn = random.Random(kind), []
    for _ in range(EDGES):
        some = [dice.randrange(args.places) for _ in range(args.places)]
        drawn.append(gain([_sum(row, some) for row in one], _sum(array, some), args.snr))
    low, high = np.quantile(drawn, (0.025, 0.975))
    calls = EACH * args.places
    return {
        "one": {
            f"{level:.0f}": share(sum(row), calls) for level, row in zip(LEVELS, one, strict=True)
        },
        "array": share(sum(array), calls),
        "gain_db": round(gain([sum(row) for row in one], sum(array), args.snr), 1),
        "gain_within": [round(float(low), 1), round(float(high), 1)],
    }


def _is(heard: Listened, kind: str, by: str, snr: float) -> bool:
    return (heard.job.room, heard.by) == (Room(kind, snr), by)


def _sum(counts: Sequence[int], some: Sequence[int]) -> int:
    return sum(counts[at] for at in some)


def gain(one: Sequence[int], array: int, snr: float) -> float:
    """By how many dB less noise one microphone would hear as many calls as the array.

    ``one`` has its number of calls at each of LEVELS. Outside these levels the gain is unknown, so
    the nearest level is used.
    """
    rising = np.maximum.accumulate(np.asarray(one, float)) + np.arange(len(one)) * 1e-6
    return float(np.interp(array, rising, LEVELS)) - snr


def _print(report: dict[str, Any]) -> None:
    print(f"{report['group']}: {report['voices']}, {report['calls']} calls a room")
    levels = " ".join(f"{f'{level:.0f} dB':>16}" for level in LEVELS)
    array = f"array {report['snr']:.0f} dB"
    print(f"{'one microphone':16} {levels} {array:>18}   gain")
    for kind, row in report["rooms"].items():
        cells = " ".join(f"{told(part):>16}" for part in row["one"].values())
        low, high = row["gain_within"]
        print(f"{kind:16} {cells} {told(row['array']):>18}   "
              f"{row['gain_db']:+.1f} dB ({low:+.1f} to {high:+.1f})")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
