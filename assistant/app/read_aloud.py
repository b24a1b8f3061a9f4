"""Calls read aloud at a terminal, one after another: what is asked for, what is told of each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from assistant.app.resources import load_toml
from assistant.paths import data_dir
from assistant.speech import AudioSource, Block
from assistant.speech.levels import LevelMeter
from assistant.speech.voices.enrolment import Enrolment, Said, Step

BAR, LOWEST = 20, -60.0
"""Letters of the level's bar, and the dB at its left end."""
CLEAR = "\r\033[K"

Tell = Callable[[str], None]


def words_of(language: str) -> dict[str, Any]:
    """The sentences of a language."""
    return load_toml(data_dir("models") / "enrol" / "words" / f"{language}.toml")


def read_aloud(
    blocks: Iterator[Block], enrolment: Enrolment, words: dict[str, Any], tell: Tell
) -> Iterator[Said]:
    """Ask for all prompts, and give each reading that can be used as it comes.

    What is left of the sound stays there for others. Raises SpeechError.
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
    """The sound; ``shows``: with how loud it is, on a terminal. Raises SpeechError."""
    level = LevelMeter()
    for block in source.blocks():
        level.feed(block.samples, source.dropped)
        if shows and sys.stderr.isatty():
            share = (max(level.decibels, LOWEST) - LOWEST) / -LOWEST
            print(f"\r   {'█' * round(BAR * share):{BAR}}", end="", file=sys.stderr, flush=True)
        yield block


def say_over_meter(sentence: str) -> None:
    """Print a sentence where the level's bar may stand."""
    if sys.stderr.isatty():
        print(CLEAR, end="", file=sys.stderr, flush=True)
    print(sentence, flush=True)


def _ask(enrolment: Enrolment, words: dict[str, Any], tell: Tell) -> None:
    if prompt := enrolment.prompt:
        count = len(enrolment.prompts)
        tell(words["read"].format(at=enrolment.at + 1, of=count, say=prompt.say.upper()))


def _told(step: Step, words: dict[str, Any]) -> str:
    if step.fault is None:
        return str(words["good"])
    key = "like" if step.like else str(step.fault)
    sentence = words["faults"][key].format(say=step.say, like=step.like)
    return f"   {sentence} {words['left'] if step.left else words['again']}"
