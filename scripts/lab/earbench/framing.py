"""Sounds that are no call, as a microphone has them, and how often a table takes one for a call."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from assistant.ear.audio import RATE
from scripts.lab.earbench import work
from scripts.lab.earbench.plan import Condition
from scripts.lab.earbench.tallies import Falses, moments, moved, total
from scripts.lab.rendering.deal import HISS, Line, Recording, in_room, write_wav
from scripts.lab.rendering.moments import heard_at
from scripts.lab.rendering.voices import Floats

BEFORE, AFTER = 0.25, 0.6
"""Seconds of the room around a sound. They are long enough after it for the ear to end it by
itself."""


def framed(sound: Floats, condition: Condition, dice: random.Random) -> Floats:
    """A sound with the room before, behind and after it."""
    start, end = round(BEFORE * RATE), round(BEFORE * RATE) + len(sound)
    padded = np.pad(sound, (start, round(AFTER * RATE)))
    line = Line(start / RATE, end / RATE, "", None, "", 0)
    noise = work.ground().rooms[condition.noise] if condition.snr is not None else None
    return in_room(Recording(padded, [line]), noise, condition.snr, dice)


def taken_for_calls(sounds: Sequence[Floats], heard: Sequence[Floats], wav: Path) -> Falses:
    """How many of these sounds move a table. ``heard``: the same sounds in their room.

    At each moment of a deal, a new ear hears all of them, one after the other.
    """
    seconds = sum(len(sound) for sound in sounds) / RATE
    return Falses(len(sounds), seconds, *_counted(heard, wav, each_utterance=False))


def utterances_taken(streams: Sequence[Floats], wav: Path) -> Falses:
    """The same for long streams of noise. Every utterance that moves a table counts."""
    seconds = sum(len(stream) for stream in streams) / RATE
    return Falses(len(streams), seconds, *_counted(streams, wav, each_utterance=True))


def _counted(
    sounds: Sequence[Floats], wav: Path, each_utterance: bool
) -> tuple[tuple[int, ...], int]:
    lexicon, at, spoken = work.lexicon(), list[int](), 0
    for _, state in moments(lexicon):
        ear, false = work.new_ear(), 0
        for sound in sounds:
            write_wav(wav, sound)
            heard = heard_at(state, wav, ear, lexicon)
            for some in ((each,) for each in heard) if each_utterance else (heard,):
                called, spoke = moved(state, some, lexicon)
                false += called
                spoken += spoke
        at.append(false)
    return tuple(at), spoken


def summed(tallies: Iterable[dict[str, Falses]]) -> dict[str, Falses]:
    """Tallies by name, added up."""
    found: dict[str, list[Falses]] = {}
    for tally in tallies:
        for name, falses in tally.items():
            found.setdefault(name, []).append(falses)
    return {name: total(each) for name, each in found.items()}


def hiss(length: int, rng: np.random.Generator) -> Floats:
    """The noise that any microphone adds."""
    return np.asarray(rng.standard_normal(length, np.float32) * np.float32(HISS), np.float32)
