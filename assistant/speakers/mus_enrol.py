"""``mus enrol``: enrols a player's voice at a terminal, and adapts the ear to it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from assistant.ear import AudioSource, Block, FileSource, MicrophoneSource
from assistant.ear.levels import LevelMeter
from assistant.ear.network import load_base
from assistant.files.process import UsageError
from assistant.files.resources import load_wording, model_dir
from assistant.files.settings import read_settings, whole
from assistant.files.terminal import output_text, terminal_language
from assistant.speakers.enrolled import (
    MOST,
    Fitted,
    check_name,
    enrolled,
    fit_voices,
    fitted,
    forget,
    is_current,
    keep,
    load_prompts,
    names,
    own_dir,
    prompt_languages,
)
from assistant.speakers.enrolment import ENOUGH, Enrolment, EnrolmentStep, SaidPrompt

# ---- Reading the prompts aloud at a terminal, one after another ---------------------------------


BAR, LOWEST = 20, -60.0
"""The level meter's width in letters, and the dB at its left end."""
CLEAR = "\r\033[K"

Tell = Callable[[str], None]
Words = Callable[..., str]
"""Gives a sentence by its key, with its words filled in."""


def enrol_words(language: str) -> Words:
    """The sentences of a language. Raises UsageError, SentenceError."""
    return load_wording("enrol", language)


def read_aloud(
    blocks: Iterator[Block], enrolment: Enrolment, words: Words, tell: Tell
) -> Iterator[SaidPrompt]:
    """Ask for all prompts, and yield each accepted reading as it comes.

    It takes no more of the sound than it needs. Raises SpeechError.
    """
    _ask(enrolment, words, tell)
    for block in blocks:
        if step := enrolment.feed(block):
            tell(_told(step, words))
            if step.fault is None:
                yield enrolment.said[-1]
            _ask(enrolment, words, tell)
        if enrolment.prompt is None:
            return


def metered(source: AudioSource, shows: bool) -> Iterator[Block]:
    """The source's sound; ``shows``: with a level meter on the terminal. Raises SpeechError."""
    level = LevelMeter()
    for block in source.blocks():
        level.feed(block.samples, source.dropped)
        if shows and sys.stderr.isatty():
            share = (max(level.decibels, LOWEST) - LOWEST) / -LOWEST
            print(f"\r   {'█' * round(BAR * share):{BAR}}", end="", file=sys.stderr, flush=True)
        yield block


def say_over_meter(sentence: str) -> None:
    """Print a sentence on the line of the level meter."""
    if sys.stderr.isatty():
        print(CLEAR, end="", file=sys.stderr, flush=True)
    print(sentence, flush=True)


def _ask(enrolment: Enrolment, words: Words, tell: Tell) -> None:
    if prompt := enrolment.prompt:
        count = len(enrolment.prompts)
        at = f"{enrolment.at + 1:>2}"
        tell(words("read", at=at, of=count, say=prompt.say.upper()))


def _told(step: EnrolmentStep, words: Words) -> str:
    if step.fault is None:
        return words("good")
    key = "like" if step.like else str(step.fault)
    sentence = words(f"faults.{key}", say=step.say, like=step.like or "")
    return f"   {sentence} {words('left' if step.left else 'again')}"


# ---- The command --------------------------------------------------------------------------------


def add_parser(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "enrol",
        help="teach the ear a player's voice",
        description="A player reads fifteen calls aloud, a minute in all; each is checked as it "
        "comes. The ear is then fitted to all the voices that it knows, which takes less than two "
        "minutes, and 'mus play' hears with it. The recordings stay on this machine.",
        epilog="examples: mus enrol Ana; mus enrol --list; mus enrol --delete Ana",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="what to call the voice")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="tell whose voices are known")
    what.add_argument("--delete", metavar="NAME", help="forget a voice: its recordings, too")
    what.add_argument("--fit", action="store_true", help="only fit the ear to the voices anew")
    parser.add_argument("--replace", action="store_true", help="in place of a voice of that name")
    parser.add_argument(
        "--language", choices=prompt_languages(), default="es", help="default: %(default)s"
    )
    parser.add_argument("--mic", metavar="NAME", help="microphone, by a part of its name")
    parser.add_argument("--listen", type=Path, metavar="FILE.wav", help="read in a recording")
    parser.add_argument(
        "--no-fit", action="store_true", help="keep the readings, fit the ear later"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do the command."""
    if args.name is None or args.list or args.delete or args.fit:
        if args.name is not None:
            raise UsageError("Name one voice to learn, or one of --list, --delete and --fit.")
        if args.delete:
            forget(args.delete)
            _say(args, output_text("{name}: voice and recordings deleted.", name=args.delete))
        if args.delete or args.fit:
            _fit(args)
        _listed(args)
        return 0
    check_name(args.name)
    if args.name in names() and not args.replace:
        raise UsageError(
            "There is a voice {name!r} already: add --replace to learn it anew.", name=args.name
        )
    if args.name not in names() and len(names()) >= MOST:
        raise UsageError(
            "{most} voices are known, as many as can be: delete one of them.", most=MOST
        )
    said = _read(args)
    keep(args.name, args.language, said.said, said.room)
    if not args.no_fit:
        _fit(args)
    _listed(args)
    return 0


def _read(args: argparse.Namespace) -> Enrolment:
    """The player's enrolment. Raises UsageError if there are too few readings, SpeechError."""
    with closing(_source(args)) as source:  # a file that is no sound is refused at once
        base = load_base(model_dir())
        enrolment = Enrolment(load_prompts(args.language, base), base)
        words = enrol_words(terminal_language())
        _say(args, words("begin", name=args.name))
        blocks = metered(source, not args.json)
        for _ in read_aloud(blocks, enrolment, words, partial(_say, args)):
            pass  # all are kept together, once there are enough
    if not enrolment.enough:
        raise UsageError(
            "Only {n} of {of} calls could be learnt from, and {enough} are needed: try "
            "again, nearer to the microphone and where it is quiet.",
            n=len(enrolment.said),
            of=len(enrolment.prompts),
            enough=ENOUGH,
        )
    return enrolment


def _source(args: argparse.Namespace) -> AudioSource:
    if args.listen:
        return FileSource(args.listen, realtime=False)
    kept = whole(read_settings())
    return MicrophoneSource(args.mic or str(kept["mic"]) or None, channels=int(kept["channels"]))


def _fit(args: argparse.Namespace) -> None:
    def on_pass(done: int, of: int) -> None:
        if not args.json and sys.stderr.isatty():
            bar = "█" * round(BAR * done / of)
            end = "\n" if done == of else ""
            print(f"\r   {bar:·<{BAR}} {done}/{of}", end=end, file=sys.stderr, flush=True)

    if names():
        _say(args, output_text("Fitting the ear to the voices: it may take two minutes."))
    fit_voices(on_pass)


def _listed(args: argparse.Namespace) -> None:
    model = fitted()
    rows = [_row(name, model) for name in names()]
    if args.json:
        print(json.dumps({"voices": rows, "folder": str(own_dir())}, ensure_ascii=False))
        return
    if not rows:
        print(output_text("No voice is known yet. Begin with: mus enrol NAME"))
    for row in rows:
        line = output_text(
            "{name:16}{calls} calls, {seconds:.0f} s, {day}",
            name=row["name"],
            calls=row["calls"],
            seconds=row["seconds"],
            day=row["made"][:10],
        )
        if not row["fitted"]:
            line += output_text("  (the ear is not fitted to it yet: mus enrol --fit)")
        print(line)


def _row(name: str, model: Fitted | None) -> dict[str, Any]:
    voice = enrolled(name)
    learnt = model is not None and name in model.voices and is_current(model)
    return {
        "name": name,
        "language": voice.language,
        "calls": len(voice.said),
        "seconds": round(voice.seconds, 1),
        "made": voice.made,
        "fitted": learnt,
    }


def _say(args: argparse.Namespace, sentence: str) -> None:
    if not args.json:
        say_over_meter(sentence)
