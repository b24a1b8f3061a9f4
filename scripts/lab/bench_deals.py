"""How many whole deals end with the right stones when they are said aloud and heard?

    python scripts/lab/bench_deals.py --deals 40
    python scripts/lab/bench_deals.py --voices pico,espeak --noise cafe.wav --snr 15 --json

Synthesised voices say random deals to the real ear, lexicon and table. The calls are legal and use
the lexicon's wordings; each has one reading for somebody who follows the deal. The default voices
are MBROLA's, which do not train the model. A player who is asked a question taps what he said, if
the question offers it. docs/ear.md says what the figures mean.

The first lines give the deals whose stones and juegos are exact, the calls that the table took
right, the calls that were heard right, the calls that nobody made, and the questions. A line for
each kind of call follows, and then what was misheard and the seeds of the wrong deals.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assistant.ear import Recogniser
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_toml, model_dir
from assistant.language.script import parse_script
from assistant.rules.errors import MusError
from scripts.lab.rendering.answering import Player
from scripts.lab.rendering.deal import Line, Recording, Setting, render, write_wav
from scripts.lab.rendering.dealing import Deal, StuckError, deal
from scripts.lab.rendering.hearing import Result, hear, words_between
from scripts.lab.rendering.voices import voices_named
from scripts.lab.rendering.wordings import Wordings
from scripts.lab.speechlab.split import UNSEEN_ENGINES


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one deal."""

    seed: int
    deal: Deal
    recording: Recording
    result: Result


def main() -> int:
    """Run the bench. The exit status is 2 if it cannot be run."""
    args = _parser().parse_args()
    try:
        played = list(_play(args))
    except (MusError, OSError) as error:
        print(f"bench_deals: {error}", file=sys.stderr)
        return 2
    report = _report(played)
    if args.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _print(report)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--deals", type=int, default=40, help="number of deals; default: %(default)s"
    )
    parser.add_argument(
        "--voices",
        default="mbrola",
        metavar="NAMES",
        help="voices that say the calls; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first deal")
    parser.add_argument(
        "--noise",
        type=Path,
        metavar="FILE.wav",
        help="recording of a room's noise, to be put behind the speech",
    )
    parser.add_argument(
        "--snr",
        type=float,
        default=15.0,
        metavar="DB",
        help="how many dB the speech is above the noise",
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument("--plain", action="store_true", help="use only the most usual wordings")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the recordings and scripts in this folder"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with what was heard")
    return parser


def _play(args: argparse.Namespace) -> Iterator[Played]:
    voices = voices_named(args.voices)
    lexicon = load_lexicon()
    wordings = Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"), args.plain)
    model = model_dir(args.model)
    with _folder(args.keep) as folder:
        for seed, made in _deals(args.seed, args.deals, lexicon, wordings):
            setting = Setting(voices, seed, noise=args.noise, snr=args.snr)
            recording = render(parse_script(made.script()), setting)
            wav = folder / f"deal-{seed}.wav"
            write_wav(wav, recording.sound)
            wav.with_suffix(".mus").write_text(made.script(), encoding="utf-8")
            # Each deal has a table of its own, so that nothing stays in the ear from the last one.
            player = Player(made, recording.lines)
            result = hear(wav, player, Recogniser(model, lexicon.grammar()), lexicon)
            wav.with_suffix(".heard").write_text(
                "\n".join(heard.text for heard in result.heard) + "\n", encoding="utf-8"
            )
            if args.keep is None:
                wav.unlink()
            yield Played(seed, made, recording, result)


def _deals(first: int, count: int, lexicon: Any, wordings: Wordings) -> Iterator[tuple[int, Deal]]:
    seed = first
    while count > 0:
        try:
            made = deal(seed, lexicon, wordings)
        except StuckError:
            pass
        else:
            count -= 1
            yield seed, made
        seed += 1


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="mus-deals-") as name:
        yield Path(name)


def _report(played: list[Played]) -> dict[str, Any]:
    voices: dict[str, list[bool]] = defaultdict(list)
    for one in played:
        for line in one.recording.lines:
            voices[line.voice].append(_heard_in_place(one, line) == line.words)
    calls = [right for one in played for right in one.result.right]
    return {
        "deals": len(played),
        "exact": sum(one.result.exact for one in played),
        "calls": len(calls),
        "right": sum(calls),
        "false": sum(one.result.false for one in played),
        "asked": sum(one.result.asked for one in played),
        "seconds": round(sum(len(one.recording.sound) for one in played) / 16_000),
        "heard": [sum(map(sum, voices.values())), sum(map(len, voices.values()))],
        "voices": {name: [sum(r), len(r)] for name, r in sorted(voices.items())},
        "wrong": [one.seed for one in played if not one.result.exact],
        "misheard": [pair for one in played for pair in _misheard(one)],
    }


def _misheard(one: Played) -> Iterator[tuple[str, str]]:
    """What was said, and what was heard in its place. Nothing for voices kept for measuring."""
    for line in one.recording.lines:
        heard = _heard_in_place(one, line)
        if heard != line.words and line.voice not in UNSEEN_ENGINES:
            yield line.words, heard


def _heard_in_place(one: Played, line: Line) -> str:
    return words_between(one.result.heard, line.start, line.end)


def _print(report: dict[str, Any]) -> None:
    print(f"deals exact  {_share(report['exact'], report['deals'])}")
    print(f"calls right  {_share(report['right'], report['calls'])}")
    print(f"heard right  {_share(*report['heard'])}")
    print(f"calls false  {report['false']}, in {report['seconds'] / 60:.0f} minutes of play")
    print(f"questions    {report['asked']}, answered by a tap where they offer what was said")
    for name, (right, total) in report["voices"].items():
        print(f"  {name:12} {_share(right, total)}")
    common = Counter(f"{said} -> {heard or '-'}" for said, heard in report["misheard"])
    print("misheard: " + ", ".join(f"{pair} ({n})" for pair, n in common.most_common(20)))
    print("wrong deals: " + ", ".join(map(str, report["wrong"])))


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / max(1, whole):.1f}%"


if __name__ == "__main__":
    sys.exit(main())
