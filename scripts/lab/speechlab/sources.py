"""sources.json beside a model: every voice that it learnt from, or heard talking in the background.

A test compares it with the voices that measure. The hours in the model card are read from it.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from . import human, split
from .audio import RATE, Samples
from .clips import ClipStore

NAME = "sources.json"
_BACKGROUND = "background.json"


@dataclass(frozen=True, slots=True)
class Amount:
    """How many clips of a voice there are, and how many hours of clean sound."""

    clips: int
    hours: float


def tally(work: Path, parts: Sequence[str], without: Collection[str] = ()) -> dict[str, Amount]:
    """Count the clips of the work folder by voice; people as "human:name".

    Raises ValueError if one of the voices is kept for measuring.
    """
    clips, samples = Counter[str](), Counter[str]()
    for part in parts:
        base = work / f"speech-{part}"
        if not base.with_suffix(".json").exists():
            continue
        store, start = ClipStore(base), 0
        for clip, end in zip(store.clips, store.ends, strict=True):
            if not human.left_out(clip.voice, without):
                clips[clip.voice] += 1
                samples[clip.voice] += end - start
            start = end
    return _amounts(clips, samples)


def read(model: Path) -> tuple[dict[str, Amount], dict[str, Amount]]:
    """Return what a model says of itself: its voices, and who talks in the background.

    Raises OSError or ValueError if its sources.json cannot be read.
    """
    rows = json.loads((model / NAME).read_text(encoding="utf-8"))
    kinds = (rows["voices"], rows.get("background", {}))
    voices, behind = ({name: Amount(**row) for name, row in kind.items()} for kind in kinds)
    return voices, behind


def joined(before: dict[str, Amount], now: dict[str, Amount]) -> dict[str, Amount]:
    """Return the voices of a model and of its further training; of one in both the greater amount.

    In both it is mostly the same clips that a voice says.
    """
    every = sorted(before.keys() | now.keys())
    amounts = ([kind[voice] for kind in (before, now) if voice in kind] for voice in every)
    most = (max(each, key=lambda amount: amount.clips) for each in amounts)
    return dict(zip(every, most, strict=True))


def note_background(work: Path, spoken: Iterable[tuple[str, Samples]]) -> None:
    """Keep in the work folder who talks in the background of its features: speaker and sound.

    The clips themselves are not kept there. Raises ValueError for a voice kept for measuring.
    """
    clips, samples = Counter[str](), Counter[str]()
    for speaker, sound in spoken:
        clips[human.PREFIX + speaker] += 1
        samples[human.PREFIX + speaker] += len(sound)
    text = json.dumps(_as_rows(_amounts(clips, samples)), ensure_ascii=False)
    (work / _BACKGROUND).write_text(text, encoding="utf-8")


def background(work: Path) -> dict[str, Amount] | None:
    """Return who talks in the background; None in a work folder from before it was kept."""
    path = work / _BACKGROUND
    if not path.exists():
        return None
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {voice: Amount(**row) for voice, row in rows.items()}


def _amounts(clips: Counter[str], samples: Counter[str]) -> dict[str, Amount]:
    for voice in clips:
        split.check_trains(voice)
    return {
        voice: Amount(clips[voice], round(samples[voice] / RATE / 3600, 3))
        for voice in sorted(clips)
    }


def write(
    model: Path, voices: dict[str, Amount], seed: int, behind: dict[str, Amount] | None = None
) -> None:
    """Write sources.json into the model's folder; `behind`: the background, where it is known."""
    rows: dict[str, object] = {"seed": seed, "voices": _as_rows(voices)}
    if behind is not None:
        rows["background"] = _as_rows(behind)
    text = json.dumps(rows, indent=1, ensure_ascii=False)
    (model / NAME).write_text(text + "\n", encoding="utf-8")


def _as_rows(amounts: dict[str, Amount]) -> dict[str, object]:
    return {voice: asdict(amount) for voice, amount in amounts.items()}
