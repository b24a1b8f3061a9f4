"""A long evening at one table: deals, talk, noise and pauses, in a row without an end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assistant.ear.audio import RATE
from assistant.files.paths import data_dir
from assistant.files.resources import load_lexicon, load_toml
from assistant.language.script import parse_script
from scripts.lab.rendering import talk
from scripts.lab.rendering.deal import HISS, Line, Setting, in_room, render, say_all
from scripts.lab.rendering.dealing import Deal, StuckError, deal
from scripts.lab.rendering.voices import Floats, Manner, Voice, VoiceError, speak
from scripts.lab.rendering.wordings import Wordings

TALK, NOISE, PAUSE = 12.0, 15.0, 20.0
"""Seconds between two deals of people talking, of noise, and of nobody saying anything."""
NOISY = 3
"""One deal in this many is played in noise, 18 dB below."""
SNR = 18.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of the evening. If it is a deal, it has its calls, and when they sound."""

    sound: Floats
    deal: Deal | None = None
    lines: tuple[Line, ...] = field(default=())


def evening(voices: tuple[Voice, ...], noise: Floats, seed: int) -> Iterator[Stretch]:
    """Deals by these voices with something between them. The same seed gives the same evening."""
    lexicon = load_lexicon()
    wordings = Wordings(load_toml(data_dir("models") / "es" / "lexicon.toml"))
    dice = random.Random(seed)
    said = talk.sentences(talk.load(), seed)
    number = seed
    while True:
        number += 1
        try:
            made = deal(number, lexicon, wordings)
        except StuckError:
            continue
        loud = dice.randrange(NOISY) == 0
        yield _deal(made, voices, number, noise if loud else None)
        yield Stretch(_hissing(_talk(said, voices, dice), dice))
        yield Stretch(_hissing(_excerpt(noise, NOISE, dice) * 0.1, dice))
        yield Stretch(_hissing(np.zeros(round(PAUSE * RATE), np.float32), dice))


def _deal(made: Deal, voices: tuple[Voice, ...], number: int, noise: Floats | None) -> Stretch:
    script = parse_script(made.script())
    if noise is None:
        recording = render(script, Setting(voices, number))
    else:
        dice = random.Random(number)
        recording = say_all(script, Setting(voices, number), dice)
        recording.sound = in_room(recording, noise, SNR, dice)
    return Stretch(recording.sound, made, tuple(recording.lines))


def _talk(said: Iterator[talk.Sentence], voices: tuple[Voice, ...], dice: random.Random) -> Floats:
    pieces: list[Floats] = []
    while sum(map(len, pieces)) < TALK * RATE:
        manner = Manner(dice.uniform(0.95, 1.2), dice.uniform(0.95, 1.05))
        try:
            pieces.append(speak(dice.choice(voices), next(said).text, manner))
        except VoiceError:
            continue  # the voice lacks one of its sounds
        pieces.append(np.zeros(round(dice.uniform(0.2, 1.0) * RATE), np.float32))
    return np.concatenate(pieces)


def _excerpt(noise: Floats, seconds: float, dice: random.Random) -> Floats:
    wanted = round(seconds * RATE)
    return np.resize(np.roll(noise, -dice.randrange(len(noise))), wanted)


def _hissing(sound: Floats, dice: random.Random) -> Floats:
    hiss = np.random.default_rng(dice.getrandbits(32)).standard_normal(len(sound), np.float32)
    return np.asarray(sound + hiss * np.float32(HISS), np.float32)


def noise_of(path: Path | None) -> Floats:
    """A recording of a room, or made clatter. Raises AudioError."""
    if path is not None:
        from assistant.ear.audio import read_wav

        return np.concatenate(list(read_wav(path))).astype(np.float32) / np.float32(32768)
    from scripts.lab.speechlab.noise import clatter

    return clatter(30 * RATE, np.random.default_rng(1)).astype(np.float32)
