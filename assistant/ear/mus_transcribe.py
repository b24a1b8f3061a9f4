"""``mus transcribe``: the utterances that the ear hears in a recording, and the calls in them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from assistant.ear import Recogniser, transcribe
from assistant.ear.audio import wav_format
from assistant.ear.speech_model import load_stand_ins
from assistant.files.resources import load_lexicon, model_dir
from assistant.language.lexicon import START, Context, Lexicon, Spoken, Talk
from assistant.messages import Heard, Word
from assistant.messages.codec import call_to_dict
from assistant.rules.phases import Phase

CONTEXTS = (
    Context(Phase.GRANDE, pending=True),
    Context(Phase.GRANDE),
    Context(Phase.PARES_SAY),
    Context(Phase.JUEGO_SAY),
    Context(Phase.MUS),
    Context(Phase.SHOWDOWN),
    Context(Phase.COUNT),
)
"""A recording does not say where the deal stands: the first context in which it can be read is
used."""


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "transcribe",
        help="print what is heard in a recording",
        description="Hear a recording as the table's ear does and print the utterances, their "
        "times in seconds, the words' confidence and the calls read in them. Nothing is scored: "
        "where the deal stands is not known, so each call is read in the context that fits it.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.wav")
    parser.add_argument("--model", type=Path, metavar="DIR", help="speech model to use")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    wav_format(args.file)  # a file that is no sound is refused before a model is loaded
    lexicon = load_lexicon()
    recogniser = Recogniser(model_dir(args.model), lexicon.grammar(), curated=load_stand_ins())
    rows = [_row(heard, lexicon) for heard in transcribe(args.file, recogniser)]
    if args.json:
        print(json.dumps(rows, ensure_ascii=False))
    else:
        for row in rows:
            calls = ", ".join(_name(call) for call in row["calls"]) or "-"
            span = f"{row['start']:7.2f} {row['end']:7.2f}"
            print(f"{span}  {row['confidence']:.2f}  {row['words']}  ->  {calls}")
    return 0


def _row(heard: Heard, lexicon: Lexicon) -> dict[str, Any]:
    words = heard.words
    return {
        "start": round(words[0].start, 2),
        "end": round(words[-1].end, 2),
        "words": heard.text,
        "confidence": round(min(word.confidence for word in words), 3),
        "calls": [call for segment in lexicon.segments(words) for call in _calls(segment, lexicon)],
    }


def _calls(segment: tuple[Word, ...], lexicon: Lexicon) -> list[dict[str, Any]]:
    for context in CONTEXTS:
        calls, rest, link = [], segment, START
        while rest:
            reading = lexicon.read(rest, context, link)
            if isinstance(reading, Talk):
                break
            if isinstance(reading, Spoken):
                calls.append(call_to_dict(reading.what))
            rest, link = rest[reading.taken :], reading.link
        if not rest:
            return calls
    return []


def _name(call: dict[str, Any]) -> str:
    details = [f"{key}={value}" for key, value in call.items() if key != "type" and value]
    return " ".join([call["type"], *details])
