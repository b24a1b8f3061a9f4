"""sources.json beside a model: every voice that it learnt from, and how much of each.

A test holds it against the voices that measure; the model card's hours are read off it.
"""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from . import human, split
from .audio import RATE
from .clips import ClipStore

NAME = "sources.json"


@dataclass(frozen=True, slots=True)
class Amount:
    """How many clips of a voice there are, and how many hours of clean sound."""

    clips: int
    hours: float


def tally(work: Path, parts: Sequence[str], without: Collection[str] = ()) -> dict[str, Amount]:
    """Count the clips of the work folder by voice; people as "human:name".

    Raises ValueError if a voice is among them that is kept for measuring.
    """
    clips, samples = Counter[str](), Counter[str]()
    left_out = {human.PREFIX + name for name in without}
    for part in parts:
        base = work / f"speech-{part}"
        if not base.with_suffix(".json").exists():
            continue
        store, start = ClipStore(base), 0
        for clip, end in zip(store.clips, store.ends, strict=True):
            if clip.voice not in left_out:
                clips[clip.voice] += 1
                samples[clip.voice] += end - start
            start = end
    for voice in clips:
        split.check_trains(voice)
    return {
        voice: Amount(clips[voice], round(samples[voice] / RATE / 3600, 3))
        for voice in sorted(clips)
    }


def write(model: Path, voices: dict[str, Amount], seed: int) -> None:
    """Write sources.json into the model's folder."""
    rows = {"seed": seed, "voices": {name: asdict(amount) for name, amount in voices.items()}}
    text = json.dumps(rows, indent=1, ensure_ascii=False)
    (model / NAME).write_text(text + "\n", encoding="utf-8")
