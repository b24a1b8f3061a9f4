"""People's recordings for training: a folder with manifest.tsv (path, text, lang, speaker ...).

The texts of such collections come from file names, not from listening. `trust.py` throws out the
clips whose sound does not fit their text, once a first model can judge.
"""

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import soundfile

from . import audio, clips, g2p, split
from .respelling import LANGUAGES, spanish_spelling

PREFIX = "human:"
LONGEST_S = 8.0
_MOST_OF_ONE_TEXT = 120
"""The most clips of one text under one name, because in some collections hundreds of people say
one word."""

_OURS = ("es", "eu", "ast", "it")
"""Languages whose speakers are not also heard in the background."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One row of the manifest."""

    path: Path
    text: str
    language: str
    kind: str
    speaker: str
    licence: str


class MissingRecordingsError(Exception):
    """The folder of human recordings has no manifest."""


def left_out(voice: str, without: Collection[str]) -> bool:
    """Tell whether a clip's voice is among those to leave out: people by name, "kokoro" as one."""
    name = voice.removeprefix(PREFIX)
    return name in without or name.split(":")[0] in without


def manifest(folder: Path) -> list[Recording]:
    """Read the manifest. Raises MissingRecordingsError if there is none."""
    path = folder / "manifest.tsv"
    if not path.is_file():
        raise MissingRecordingsError(f"no manifest.tsv in {folder}")
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Recording(
                folder / row["path"], row["text"].strip(), row["lang"], row["kind"],
                row["speaker"], row["licence"],
            )
            for row in rows
        ]  # fmt: skip


def for_training(rows: Iterable[Recording]) -> Iterator[tuple[clips.Clip, audio.Samples]]:
    """Yield the clips that may train: Spanish sounds, a text, no speaker kept for measuring."""
    taken = Counter[tuple[str, str]]()
    for row in rows:
        if row.speaker in split.MEASURING_SPEAKERS or row.language not in LANGUAGES:
            continue
        text = spanish_spelling(row.text, row.language)
        samples = speech(row.path) if text else None
        if text is None or samples is None or not plausible(text, samples):
            continue
        taken[row.speaker, text] += 1
        if taken[row.speaker, text] > _MOST_OF_ONE_TEXT:
            continue
        split.check_trains(row.speaker)
        yield clips.Clip(text, row.kind, PREFIX + row.speaker, None), samples


def bystanders(recordings: Iterable[Recording]) -> Iterator[tuple[str, audio.Samples]]:
    """Yield speech in other languages, by people who may train, and who says it: for babble."""
    for row in recordings:
        kept_apart = row.speaker in split.MEASURING_SPEAKERS
        if row.language in _OURS or row.kind == "noise" or kept_apart:
            continue
        split.check_trains(row.speaker)
        if (samples := speech(row.path)) is not None:
            yield row.speaker, samples


def noises(folder: Path, measuring: bool = False) -> list[audio.Samples]:
    """Return the recordings of rooms, kitchens and cafés: the part that trains, or the other."""
    recorded = (audio.read(row.path) for row in manifest(folder) if row.kind == "noise")
    return [split.noise_part(samples, measuring) for samples in recorded]


def speech(path: Path) -> audio.Samples | None:
    """Read a recording without the silence around it; None if there is nothing to hear."""
    try:
        return audio.trimmed(audio.read(path))
    except soundfile.LibsndfileError:
        return None


def plausible(text: str, samples: audio.Samples) -> bool:
    """Tell whether the clip is long enough for the text. A phone takes at least 30 ms."""
    phones = sum(len(g2p.phones_of(word)) for word in text.split())
    return 0.1 + 0.03 * phones < len(samples) / audio.RATE < LONGEST_S
