"""The café and the kitchen in which calls are heard: recorded, or made if no recording is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scripts.lab.earbench.plan import CAFE, KITCHEN
from scripts.lab.rendering.voices import Floats
from scripts.lab.speechlab import audio, human, noise, people_noise, split

SPEAKERS = {CAFE: "cafe", KITCHEN: "kitchen"}
"""How their names in the manifest begin."""
MADE_SECONDS = 40


def rooms(
    folder: Path | None, seed: int, development: bool = False
) -> tuple[dict[str, Floats], list[str]]:
    """The sound of each room, and notes about it for the report.

    Of each recording it takes the part that never trains; in development, the other part. Raises
    MissingRecordingsError.
    """
    found, notes = dict[str, Floats](), list[str]()
    parts = dict(recorded_parts(folder, not development)) if folder else {}
    told = "trains" if development else "trained nothing"
    for name, begins in SPEAKERS.items():
        recorded = [part for speaker, part in parts.items() if speaker.startswith(begins)]
        if recorded:
            found[name] = np.concatenate(recorded)
            seconds = len(found[name]) / audio.RATE
            notes.append(f"The {name} is a recording: {seconds:.1f} s that {told}.")
        else:
            found[name] = _made(name, seed)
            notes.append(f"The {name} is made by a generator: there is no recording (--human).")
    return found, notes


def recorded_parts(folder: Path, measuring: bool) -> Iterator[tuple[str, Floats]]:
    """Each recorded noise's name, and the part of it that measures or the part that trains."""
    for index, row in enumerate(human.manifest(folder)):
        if row.kind == "noise":
            part = split.noise_part(audio.read(row.path), measuring)
            yield f"{row.speaker} {index}", part


def _made(name: str, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    length = MADE_SECONDS * audio.RATE
    if name == KITCHEN:
        return noise.clatter(length, rng)
    laughs = np.zeros(length, np.float32)
    for at in rng.integers(0, length - 4 * audio.RATE, 12):
        laugh = people_noise.laughter(rng)[: 4 * audio.RATE]
        laughs[at : at + len(laugh)] += laugh
    music = people_noise.music(length, rng)
    return np.asarray(music + noise.coloured(length, rng, 1) + 3 * laughs, np.float32)
