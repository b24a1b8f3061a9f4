"""Minutes in which nobody speaks: knocks, laughs and coughs, music, and the rooms themselves."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.lab.earbench import framing, made, rooms
from scripts.lab.earbench.tallies import Falses
from scripts.lab.rendering.voices import Floats
from scripts.lab.speechlab import noise, people_noise
from scripts.lab.speechlab.audio import RATE

STREAM = 60
"""Seconds of one stream of made noise."""
SCENE = 4
"""Seconds in which one to five sounds of a table occur."""
LEVELS = (-30.0, -6.0)
"""Range of the loudest sound of a scene, in dB below full scale."""
RECORDED_LEVELS = (-40.0, -30.0, -20.0)
"""dB below full scale (root mean square) at which each recording is played."""
TABLE, OTHERWISE, MUSIC, RECORDED = "table", "table, made otherwise", "music", "recorded rooms"
"""The kinds of noise: knocks, clinks, claps, laughs, coughs and shuffles by the generators of
training, with another seed; sounds that no training has; a radio by training's generator;
recordings that never trained."""


@dataclass(frozen=True, slots=True)
class NoiseJob:
    """One stream of a kind. ``part`` is a recording's own sound, and ``level`` its loudness."""

    kind: str
    seed: int
    part: Floats | None = None
    level: float = 0.0


def jobs(minutes: int, human: Path | None, seed: int, development: bool = False) -> list[NoiseJob]:
    """This many minutes of each made kind, and all recordings at all levels."""
    found = [
        NoiseJob(kind, seed + at) for kind in (TABLE, OTHERWISE, MUSIC) for at in range(minutes)
    ]
    parts = list(rooms.recorded_parts(human, not development)) if human else []
    for at, (_, part) in enumerate(parts):
        found += [NoiseJob(RECORDED, seed + at, part, level) for level in RECORDED_LEVELS]
    return found


def hear_noise(job: NoiseJob) -> dict[str, Falses]:
    """Hear one stream."""
    with tempfile.TemporaryDirectory(prefix="mus-ears-") as name:
        stream = sound_of(job)
        return {job.kind: framing.utterances_taken([stream], Path(name) / "heard.wav")}


def sound_of(job: NoiseJob) -> Floats:
    """The stream itself, with the hiss of the microphone."""
    dice = np.random.default_rng(job.seed)
    if job.part is not None:
        level = 10 ** (job.level / 20) / (float(np.sqrt(np.mean(np.square(job.part)))) + 1e-9)
        sound = np.asarray(job.part * level, np.float32)
    else:
        sound = np.concatenate(list(_scenes(job.kind, dice)))
    return np.asarray(np.clip(sound + framing.hiss(len(sound), dice), -1, 1), np.float32)


def _scenes(kind: str, dice: np.random.Generator) -> Iterator[Floats]:
    for _ in range(STREAM // SCENE):
        length = SCENE * RATE
        if kind == MUSIC:
            scene = people_noise.music(length, dice)
        elif kind == TABLE:
            scene = noise.knocks(length, dice)
        else:
            scene = _struck(length, dice)
        level = 10 ** (dice.uniform(*LEVELS) / 20)
        yield np.asarray(scene / (np.abs(scene).max() + 1e-9) * level, np.float32)


def _struck(length: int, dice: np.random.Generator) -> Floats:
    """One to five of these sounds at random places."""
    scene = np.zeros(length, np.float32)
    for _ in range(dice.integers(1, 6)):
        sound = made.SOUNDS[int(dice.integers(len(made.SOUNDS)))](dice)
        at = int(dice.integers(length - 1))
        scene[at : at + len(sound)] += sound[: length - at] * dice.uniform(0.1, 1)
    return scene
