"""Recordings of people: words of the game by people who never trained, and other speech."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assistant.ear import transcribe
from assistant.language.lexicon import fold
from scripts.lab.earbench import framing, work
from scripts.lab.earbench.plan import CLEAN
from scripts.lab.earbench.tallies import Falses
from scripts.lab.rendering.deal import write_wav
from scripts.lab.speechlab import human, mbrola, packaged, split, trials
from scripts.lab.speechlab.trials import Trial

BABBLE = (20.0, 10.0)
"""How many dB a person is above the babble."""
BATCH = 60
CROWD = 60
"""Number of sentences of the babble."""
IN_VOCABULARY = ("number", "word")
"""Kinds of recordings that say a word of the game, in any language."""
SHORTEST = 2
"""A word of the game must have more letters than this."""
TALK = Path(__file__).parent.parent / "rendering" / "table_talk.txt"
NEVER, TRAINED = "never trained", "trained, or in its babble"


@dataclass(frozen=True, slots=True)
class PeopleJob:
    """The words of one person, each in this many babbles; without a crowd, only in quiet."""

    rows: tuple[human.Recording, ...]
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class OutsideJob:
    """Recordings that say nothing of the game."""

    group: str
    rows: tuple[human.Recording, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Words:
    """How often a word was among the words heard, of this many hearings."""

    heard: int = 0
    of: int = 0

    def __add__(self, other: Words) -> Words:
        return Words(self.heard + other.heard, self.of + other.of)


def recordings(folder: Path | None) -> list[human.Recording]:
    """All recordings of people: those in the folder, and those of Debian's packages."""
    rows = human.manifest(folder) if folder else []
    return [
        *rows, *packaged.measuring(), *packaged.for_training(), *packaged.bystanders(),
    ]  # fmt: skip


def inside(rows: Sequence[human.Recording]) -> list[human.Recording]:
    """The words of the game by people who never trained.

    "a", "de" and "te" are left out: nobody says them alone, and those recordings are names of
    letters.
    """
    return [
        row
        for row in rows
        if row.speaker in split.MEASURING_SPEAKERS
        and row.language == "es"
        and len(row.text) > SHORTEST
        and _known(row)
    ]


def outside(
    rows: Sequence[human.Recording], every: int, apart: int = 1
) -> dict[str, list[human.Recording]]:
    """All other speech, by whether the speaker has trained. One recording in this many is taken."""
    found: dict[str, list[human.Recording]] = {NEVER: [], TRAINED: []}
    for row in rows:
        if row.kind != "noise" and row.kind not in IN_VOCABULARY and not _known(row):
            never = row.speaker in split.MEASURING_SPEAKERS
            found[NEVER if never else TRAINED].append(row)
    return {NEVER: found[NEVER][::apart], TRAINED: found[TRAINED][::every]}


def outside_jobs(
    rows: Sequence[human.Recording], every: int, apart: int, seed: int
) -> list[OutsideJob]:
    """The other speech in batches."""
    return [
        OutsideJob(group, tuple(other[at : at + BATCH]), seed + at)
        for group, other in outside(rows, every, apart).items()
        for at in range(0, len(other), BATCH)
    ]


def hear_words(job: PeopleJob) -> dict[str, Words]:
    """Hear single words in quiet and in babble, with the grammar of the table."""
    said = [
        Trial("person", row.text.lower(), trials.framed(samples))
        for row in job.rows
        if (samples := human.speech(row.path)) is not None
    ]
    found = {str(CLEAN): _heard(said)}
    crowd = crowd_of_engines(job.seed) if mbrola.installed() and job.draws else []
    for snr in BABBLE if crowd else ():
        noisy = [
            trial
            for draw in range(job.draws)
            for trial in trials.in_babble(said, crowd, snr, job.seed + draw)
        ]
        found[f"babble {snr:.0f} dB"] = _heard(noisy)
    return found


def hear_outside(job: OutsideJob) -> dict[str, Falses]:
    """Hear speech that says nothing of the game."""
    dice = random.Random(job.seed)
    read = (human.speech(row.path) for row in job.rows)
    sounds = [samples for samples in read if samples is not None]
    heard = [framing.framed(sound, CLEAN, dice) for sound in sounds]
    with tempfile.TemporaryDirectory(prefix="mus-ears-") as name:
        return {job.group: framing.taken_for_calls(sounds, heard, Path(name) / "heard.wav")}


def crowd_of_engines(seed: int) -> list[Trial]:
    """MBROLA's voices, talking. No model trained on them, not even as babble."""
    talk = TALK.read_text(encoding="utf-8").splitlines()[:CROWD]
    return trials.spoken_by_engines(talk, "talk", random.Random(seed))


def _heard(said: Sequence[Trial]) -> Words:
    right = 0
    ear = work.new_ear()
    with tempfile.TemporaryDirectory(prefix="mus-ears-") as name:
        wav = Path(name) / "heard.wav"
        for trial in said:
            write_wav(wav, trial.samples)
            words = {fold(word.text) for each in transcribe(wav, ear) for word in each.words}
            right += words.issuperset(map(fold, trial.text.split()))
    return Words(right, len(said))


def _known(row: human.Recording) -> bool:
    """Whether everything that is said is words of the game."""
    words = row.text.lower().split()
    return bool(words) and _vocabulary().issuperset(map(fold, words))


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(map(fold, work.lexicon().vocabulary()))
