#!/usr/bin/env python3
"""How well does the raw speech model hear numbers, with and without unknown speech allowed?

    python scripts/lab/bench_numbers.py
    python scripts/lab/bench_numbers.py --voices mbrola --json

Voices say "treinta y uno" to "treinta y nueve" to the model with a plain grammar of the numbers 1
to 40, and again with a grammar that also allows unknown speech, [unk]. Nothing of the assistant is
in between: no lexicon, no table, no second hearing. If [unk] is too cheap in a grammar, it swallows
these long numbers. It needs the voices that --voices names.

Each row is a family of voices: numbers said, and heard right with either grammar.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from assistant.ear.speech_model import load_model
from assistant.files.paths import data_dir
from assistant.files.resources import load_toml, model_dir
from assistant.rules.errors import MusError
from scripts.lab.rendering.voices import Manner, Voice, VoiceError, speak, voices_named

RATE = 16_000
QUIET = 0.5
"""Seconds of silence before and after a number."""
LOUD = 0.9
"""The peak of a number, as a share of full scale."""
FIRST, LAST = 31, 39
MOST = 40
"""The first and last number that is said, and the last one in the grammar."""
UNKNOWN = "[unk]"


@dataclass(frozen=True, slots=True)
class Row:
    """The numbers that a family of voices said, and how many either grammar heard right."""

    voices: str
    said: int
    plain: int
    with_unknown: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench, and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        rows = list(_measured(options.voices.split(","), model_dir(options.model)))
    except (MusError, VoiceError) as error:
        print(f"bench_numbers: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return 0
    print(f"{'voices':12} {'said':>6} {'plain':>6} {'with ' + UNKNOWN:>11}")
    for row in rows:
        print(f"{row.voices:12} {row.said:6} {row.plain:6} {row.with_unknown:11}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--voices", default="el,mbrola,kokoro", help="families of voices, or single voices"
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="folder of the speech model; default: the one that ships",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _measured(families: Sequence[str], model: Path) -> Iterator[Row]:
    written = load_toml(data_dir("models") / "es" / "lexicon.toml")["numbers"]
    numbers = [str(written[str(n)][0]) for n in range(1, MOST + 1)]
    for family in families:
        said = [
            (number, sound)
            for voice in voices_named(family)
            for number in numbers[FIRST - 1 : LAST]
            if (sound := _sound(voice, number)) is not None
        ]
        plain = sum(_heard(model, numbers, sound) == number for number, sound in said)
        wide = sum(_heard(model, [*numbers, UNKNOWN], sound) == number for number, sound in said)
        yield Row(family, len(said), plain, wide)


def _sound(voice: Voice, text: str) -> bytes | None:
    """The PCM of a number with silence around it. None if the voice lacks one of its sounds."""
    try:
        speech = speak(voice, text, Manner(1.0, 1.0))
    except VoiceError:
        return None
    quiet = np.zeros(round(QUIET * RATE), np.float32)
    loud = speech * (LOUD / max(1e-6, float(np.abs(speech).max())))
    return (np.concatenate([quiet, loud, quiet]) * 32_767).astype(np.int16).tobytes()


def _heard(model: Path, grammar: Sequence[str], sound: bytes) -> str:
    from vosk import KaldiRecognizer

    recogniser = KaldiRecognizer(load_model(model), RATE, json.dumps(grammar, ensure_ascii=False))
    recogniser.AcceptWaveform(sound)
    return str(json.loads(recogniser.FinalResult())["text"])


if __name__ == "__main__":
    sys.exit(main())
