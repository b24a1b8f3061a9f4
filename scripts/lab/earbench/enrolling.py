"""Voices and people enrolled in the way of players, and the models that are fitted to them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from assistant.ear.audio import RATE, Floats, Samples, to_int16
from assistant.ear.network import BaseNetwork, load_base, save_model
from assistant.ear.source import BLOCK, Block
from assistant.files.paths import data_dir
from assistant.speakers.enrolment import Enrolment, Prompt, floats, prompts_from, reading_of
from assistant.speakers.fitting import VoiceReading, fit
from scripts.lab.rendering.voices import Manner, Voice, VoiceError, speak
from scripts.lab.speechlab import human
from scripts.lab.speechlab.spoken import prompt_of

PAUSE = 1.2
"""Seconds between two readings."""
HISS = 10 ** (-66 / 20)
"""Level of the microphone's own noise, as in the bench's quiet room."""
SNR = 15.0
"""How many dB a voice is above the noise of the room where it reads, if that is not quiet."""
SPEEDS, PITCHES = (0.88, 1.12), (0.94, 1.06)
"""Ranges of speed and pitch, because nobody reads fifteen calls in one way."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The readings of somebody that were taken and refused, and the room between them."""

    readings: tuple[VoiceReading, ...]
    refused: int
    room: Samples = field(default_factory=lambda: np.zeros(0, np.int16))


@cache
def prompts(model: Path) -> tuple[BaseNetwork, tuple[Prompt, ...]]:
    """The model, and the prompts that are read for it."""
    base = load_base(model)
    path = data_dir("models") / "es" / "prompts.toml"
    return base, prompts_from(tomllib.loads(path.read_text(encoding="utf-8")), base.phones)


def enrol(
    voice: Voice,
    model: Path,
    seed: int,
    noise: Floats | None = None,
    place: Callable[[Floats], Floats] = lambda sound: sound,
) -> Enrolled:
    """Let a voice read all prompts once, and take what ``mus enrol`` would take.

    ``noise``: of the room in which it reads, ``SNR`` below it. Without it the room is quiet.
    ``place`` gives the voice the sound that it has at the microphone; by default it is close.
    """
    base, wanted = prompts(model)
    dice = np.random.default_rng(seed)
    readings, refused = [], 0
    room = np.zeros(0, np.int16)
    for prompt in wanted:
        manner = Manner(dice.uniform(*SPEEDS), dice.uniform(*PITCHES))
        try:
            said = place(speak(voice, prompt.say, manner))
        except VoiceError:
            refused += 1  # the voice lacks a diphone
            continue
        lesson = Enrolment([prompt], base)
        for block in _in_room(said, noise, dice):
            lesson.feed(block)
        room = np.concatenate([room, lesson.room])
        readings += [reading_of(base, one.sound, prompt) for one in lesson.said]
        refused += not lesson.said
    return Enrolled(tuple(readings), refused, room)


def enrol_person(rows: Sequence[human.Recording], model: Path) -> Enrolled:
    """Take recordings of a person as readings. They say words, not our prompts."""
    base, _ = prompts(model)
    readings = []
    for row in rows:
        said = human.speech(row.path)
        if said is not None:
            sound = to_int16(np.asarray(said, np.float32))
            readings.append(reading_of(base, sound, prompt_of(row.text, base)))
    return Enrolled(tuple(readings), len(rows) - len(readings))


def fitted_model(model: Path, enrolled: Sequence[Enrolled], folder: Path) -> Path:
    """Make a model that is fitted to all these, in a new folder."""
    base, _ = prompts(model)
    readings = [reading for one in enrolled for reading in one.readings]
    rooms = [floats(one.room) for one in enrolled if len(one.room)]
    save_model(folder, model, fit(base.layers, readings, base.bigram, rooms))
    return folder


def seconds_read(enrolled: Sequence[Enrolled]) -> float:
    """How many seconds were read."""
    return sum(len(reading.sound) for one in enrolled for reading in one.readings) / RATE


def _in_room(said: Floats, noise: Floats | None, dice: np.random.Generator) -> Iterator[Block]:
    pause = np.zeros(round(PAUSE * RATE), np.float32)
    sound = np.concatenate([pause, said, pause])
    if noise is not None:
        level = np.sqrt(np.mean(np.square(said)) / np.mean(np.square(noise))) * 10 ** (-SNR / 20)
        sound += level * np.resize(np.roll(noise, -dice.integers(len(noise))), len(sound))
    samples = to_int16((sound + dice.normal(size=len(sound)) * HISS).astype(np.float32))
    for at in range(0, len(samples) - BLOCK + 1, BLOCK):
        yield Block(samples[at : at + BLOCK], (at + BLOCK) / RATE)
