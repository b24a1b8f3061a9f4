"""What a table makes of calls by families of voices, in noises, neither of which ever trains.

A deal is said in running sound, after four seconds of its room, and the table is put right after
every call (bench_stream.py). People say single words, each at a moment at which it is a call.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from assistant.language.lexicon.text import words_of
from assistant.messages import Accepted, Heard
from assistant.rules.state import State
from scripts.lab import bench_stream
from scripts.lab.earbench import made, rooms, work
from scripts.lab.rendering.deal import DISTANCES, PITCHES, SPEEDS
from scripts.lab.rendering.dealing import Spoken, deal, new_table, telling
from scripts.lab.rendering.moments import MOMENTS, state_after, states
from scripts.lab.rendering.voices import (
    LOUDNESS,
    Floats,
    Manner,
    Voice,
    VoiceError,
    voices_named,
)
from scripts.lab.speechlab import audio, human, packaged, split
from scripts.lab.speechlab.neural_voices import SECOND_STAGE
from scripts.lab.tablebench import crowd, trial
from scripts.lab.tablebench.said import speak_cached

NATURAL = "natural"
"""Kokoro's voices from which the second stage learns, but not the speech model."""
QUOTED, DEVELOPING = ("el", "kokoro", "mbrola"), ("mbrola", NATURAL)
"""Families of voices. Settings of the ear are chosen by MBROLA's, so that row says how well they
fit. Nobody looks at the errors of the others. Speech models are chosen by NATURAL, too, because
MBROLA's voices are diphones, and nobody talks like that."""
PEOPLE = "people"
SNRS = (24.0, 18.0, 12.0, 6.0)
"""How many dB the speech is above the noise."""
NOISES = (
    "kitchen", "four talk", "eight talk", "television",
    "glasses", "guitar", "extractor", "applause",
)  # fmt: skip
"""None of them trains. Each lasts longer than half a minute before it begins again."""
SECONDS = 60.0
TALKERS = {"four talk": (4, False), "eight talk": (8, False), "television": (2, True)}
"""How many people talk, and whether a television is one of them."""
A_DEAL = 2
"""The number of noises in which a deal is heard at each level. All take turns from deal to deal."""
CLIPS, APART = 12, 4.0
"""The number of one person's clips in a stream, and the seconds of their room between two."""
RIGHT, ASKED, WRONG, MISSED = "right", "asked", "wrong", "missed"
OUTCOMES = (RIGHT, ASKED, WRONG, MISSED)


@dataclass(frozen=True, slots=True)
class Room:
    """A noise, and how many dB the players are above it; None for a quiet room."""

    noise: str = ""
    snr: float | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A deal, by its seed, or a person's clips, in a room.

    ``family``: a family of voices, or PEOPLE. ``clips``: their texts, and where they are recorded.
    """

    family: str
    seed: int
    room: Room
    clips: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """What every process works with: the compared models, and the sound of each noise."""

    models: tuple[Path, ...]
    noises: dict[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of each call, by model, and how often nobody made a move of the table."""

    job: Job
    outcomes: tuple[tuple[str, ...], ...]
    nobody: tuple[int, ...]


def noises_of(group: str, folder: Path | None, seed: int) -> dict[str, Floats]:
    """Each noise, with a loudness of 1 while it sounds. Raises MissingRecordingsError."""
    kitchen, _ = rooms.rooms(folder, seed, group == crowd.DEVELOP)
    found = {"kitchen": kitchen["kitchen"]}
    for number, (name, (people, television)) in enumerate(TALKERS.items()):
        found[name] = crowd.talk(group, people, SECONDS, seed + number, folder, television)
    dice = np.random.default_rng(seed)
    found["glasses"] = made.scattered((made.clink, made.stones, made.knock), SECONDS, dice)
    found["guitar"] = made.scattered((made.strings,), SECONDS, dice)
    found["extractor"] = made.extractor(SECONDS, dice)
    found["applause"] = made.scattered((made.applause, made.chair), SECONDS, dice)
    return {name: found[name] / np.float32(crowd.loudness(found[name])) for name in NOISES}


def voices_of(family: str) -> tuple[Voice, ...]:
    """The voices of a family. Raises VoiceError if one is not on this machine."""
    return voices_named(",".join(SECOND_STAGE) if family == NATURAL else family)


def deals_of(family: str, first: int, count: int) -> Iterator[Job]:
    """Deals by a family: each in quiet and at every level, with the noises in turn."""
    turns = [NOISES[at : at + A_DEAL] for at in range(0, len(NOISES), A_DEAL)]
    for number, seed in enumerate(trial.seeds(first, count)):
        yield Job(family, seed, Room())
        for level, snr in enumerate(SNRS):
            for noise in turns[(number + level) % len(turns)]:
                yield Job(family, seed, Room(noise, snr))


def people_of(folder: Path | None) -> Iterator[Job]:
    """Everybody who only measures: what he says of the game, in each of the rooms of PLACES."""
    said: dict[str, list[tuple[str, Path]]] = {}
    rows = [*packaged.measuring(), *packaged.acted("es")]
    for row in [*rows, *(human.manifest(folder) if folder else ())]:
        measures = row.speaker in split.MEASURING_SPEAKERS and row.language == "es"
        if measures and moment_of(_plain(row.text)) is not None:
            said.setdefault(row.speaker, []).append((_plain(row.text), row.path))
    for number, (_, clips) in enumerate(sorted(said.items())):
        for at in range(0, len(clips), CLIPS):
            for room in PLACES:
                yield Job(PEOPLE, 1000 * number + at, room, tuple(clips[at : at + CLIPS]))


PLACES = (
    Room(), Room("kitchen", 10.0), Room("four talk", 20.0), Room("four talk", 12.0),
    Room("eight talk", 6.0),
)  # fmt: skip
"""The rooms in which people's clips are heard."""


def hear(job: Job) -> Done:
    """Hear a deal, or clips, with every model."""
    ground = work.given()
    assert isinstance(ground, Ground)
    stream = (_clips if job.clips else _deal)(job, ground)
    outcomes, nobody = [], []
    for model in ground.models:
        outcome, moved, *_ = bench_stream.in_one_stream(stream, trial.Ground(model, None, {}))
        outcomes.append(tuple(outcome))
        nobody.append(moved)
    return Done(job, tuple(outcomes), tuple(nobody))


@cache
def moment_of(text: str) -> tuple[State, Spoken] | None:
    """A moment at which a text is a call, and what then happens; None if it is no call."""
    for said in MOMENTS.values():
        state = state_after(said, trial.lexicon())
        table = new_table(trial.lexicon())
        table.state = state
        outcomes = table.propose(Heard(words_of(text)))
        events = [e for one in outcomes if isinstance(one, Accepted) for e in one.events]
        if events and len(outcomes) == 1 and telling(events):
            return state, Spoken(1, text, telling(events))
    return None


def difference(
    one: Sequence[Sequence[str]], other: Sequence[Sequence[str]], seed: int = 0, draws: int = 2000
) -> tuple[float, float, float]:
    """How many more of the calls are right, with the 95% interval of a bootstrap by deal.

    ``one`` and ``other``: the results of two ears for the same deals, deal by deal.
    """
    gains = np.array([_right(b) - _right(a) for a, b in zip(one, other, strict=True)], float)
    calls = np.array([len(a) for a in one], float)
    drawn = np.random.default_rng(seed).integers(len(gains), size=(draws, len(gains)))
    low, high = np.percentile(gains[drawn].sum(1) / calls[drawn].sum(1), (2.5, 97.5))
    return float(gains.sum() / calls.sum()), float(low), float(high)


def _right(outcomes: Sequence[str]) -> int:
    return sum(outcome == RIGHT for outcome in outcomes)


def _deal(job: Job, ground: Ground) -> bench_stream.Stream:
    """The calls of a deal, each in the voice of its seat."""
    dealt = deal(job.seed, trial.lexicon(), trial.wordings())
    dice = random.Random(f"{job.family} {job.seed}")
    cast = list(voices_of(job.family))
    dice.shuffle(cast)
    gains = [10 ** (dice.uniform(*DISTANCES) / 20) for _ in range(4)]
    voiced = []
    for spoken in dealt.spoken:
        manner = Manner(round(dice.uniform(*SPEEDS), 1), round(dice.uniform(*PITCHES), 2))
        try:
            sound = speak_cached(cast[(spoken.seat - 1) % len(cast)], spoken.words, manner)
        except VoiceError:  # the voice lacks one of its sounds
            sound = speak_cached(cast[spoken.seat % len(cast)], spoken.words, manner)
        voiced.append(sound * np.float32(gains[spoken.seat - 1]))
    truth = list(states(dealt, trial.lexicon()))
    return _stream(job, ground, dealt.spoken, truth, voiced, lambda _: dice.uniform(0.9, 2.0))


def _clips(job: Job, ground: Ground) -> bench_stream.Stream:
    """The clips of a person, one after the other, each at a table where it is a call."""
    said, truth, voiced = [], [], []
    for at, (text, path) in enumerate(job.clips):
        found, sound = moment_of(text), human.speech(path)
        if found is None or sound is None:
            continue
        state, spoken = found
        said.append(Spoken(1 + at % 4, text, spoken.events))
        truth.append(state)
        voiced.append(np.asarray(sound * np.float32(LOUDNESS / audio.rms(sound)), np.float32))
    return _stream(job, ground, said, [*truth, truth[-1]], voiced, lambda _: APART)


def _stream(
    job: Job,
    ground: Ground,
    said: Sequence[Spoken],
    truth: Sequence[State],
    voiced: Sequence[Floats],
    pause: Callable[[int], float],
) -> bench_stream.Stream:
    behind = None
    if job.room.snr is not None:
        spread = np.linspace(*DISTANCES, 100) if job.family != PEOPLE else np.zeros(1)
        level = LOUDNESS * float(np.sqrt(np.mean(10 ** (spread / 10))))
        behind = ground.noises[job.room.noise] * np.float32(level * 10 ** (-job.room.snr / 20))
    return bench_stream.mixed(said, truth, voiced, pause, len(said), behind, job.seed)


def _plain(text: str) -> str:
    """A text as it is said, without punctuation and capitals."""
    kept = "".join(one for one in text.lower() if one.isalpha() or one == " ")
    return " ".join(kept.split())
