"""Hours of table talk, said by voices that never trained."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from scripts.lab.earbench import framing
from scripts.lab.earbench.plan import CLEAN, LOUD
from scripts.lab.earbench.tallies import Falses
from scripts.lab.rendering import talk
from scripts.lab.rendering.voices import Floats, Manner, Voice, VoiceError, speak, voices_named

BATCH = 40
"""Sentences that one job says and hears."""
SHORTEST = 1.4
"""The least seconds of an average sentence. It decides how many are drawn, so that no hour falls
short."""
NOISY_EVERY = 3
"""One batch in this many is heard in a noisy room, too."""
SPEEDS = (0.9, 1.2)


@dataclass(frozen=True, slots=True)
class TalkJob:
    """Sentences for a group of voices, one after the other. ``number`` is the batch's own."""

    group: str
    number: int
    seed: int
    texts: tuple[str, ...]


def jobs(group: str, hours: float, seed: int) -> list[TalkJob]:
    """More batches than these hours need, so that the caller can stop when it has heard enough."""
    count = -(-round(hours * 3600 / SHORTEST) // BATCH) * BATCH
    said = islice(talk.sentences(talk.load(), seed), count)
    texts = [sentence.text for sentence in said]
    return [
        TalkJob(group, at // BATCH, seed, tuple(texts[at : at + BATCH]))
        for at in range(0, len(texts), BATCH)
    ]


def hear_talk(job: TalkJob) -> dict[str, Falses]:
    """Say a batch and hear it in a quiet room and, for some batches, in a noisy one."""
    dice = random.Random(f"{job.seed} {job.group} {job.number}")
    voices = voices_named(job.group)
    said = (
        _said(voices, job.number + i, text, Manner(dice.uniform(*SPEEDS)))
        for i, text in enumerate(job.texts)
    )
    sounds = [sound for sound in said if sound is not None]
    loud = LOUD[job.number // NOISY_EVERY % len(LOUD)]
    conditions = [CLEAN, loud] if job.number % NOISY_EVERY == 0 else [CLEAN]
    found = {}
    with tempfile.TemporaryDirectory(prefix="mus-ears-") as name:
        for condition in conditions:
            heard = [framing.framed(sound, condition, dice) for sound in sounds]
            falses = framing.taken_for_calls(sounds, heard, Path(name) / "heard.wav")
            found[str(condition)] = falses
    return found


def enough(heard: Sequence[dict[str, Falses]], hours: float) -> bool:
    """Whether this many hours have been heard in the quiet room."""
    return sum(falses[str(CLEAN)].seconds for falses in heard) >= hours * 3600


def _said(voices: Sequence[Voice], turn: int, text: str, manner: Manner) -> Floats | None:
    """A sentence by the voice whose turn it is, or by the next one that has all its sounds."""
    for at in range(len(voices)):
        try:
            return speak(voices[(turn + at) % len(voices)], text, manner)
        except VoiceError:
            continue
    return None
