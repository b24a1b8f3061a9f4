"""Measurement of one Vosk model: it hears trials in its own process, and errors are counted."""

import json
import operator
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import vosk

from . import audio
from .trials import Trial
from .vocabulary import Vocabulary

CONFIDENT = 0.8
"""A word with less confidence does no harm if nothing was said."""

_CHUNK = 4000


@dataclass(frozen=True, slots=True)
class Word:
    """A word as Vosk gives it."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Score:
    """Shares in percent. `false`: trials with a confident word that nobody said."""

    trials: int
    words: float | None
    phrases: float | None
    false: float | None


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of CPU a second of sound, and the MB of memory that loading and hearing took."""

    real_time_factor: float
    memory_mb: float


class Ear:
    """A loaded model; counts the CPU time it uses."""

    def __init__(self, folder: Path) -> None:
        vosk.SetLogLevel(-1)
        self._before = _resident_mb()
        self._model = vosk.Model(model_path=str(folder))
        self._cpu = 0.0
        self._heard = 0.0

    def hear(self, samples: audio.Samples, grammar: Sequence[str]) -> list[Word]:
        """Return the words heard, [unk] left out, over all utterances of the clip."""
        # Vosk reads the grammar without \u escapes: ASCII-only JSON would lose accented words.
        phrases = json.dumps([*grammar, "[unk]"], ensure_ascii=False)
        recogniser = vosk.KaldiRecognizer(self._model, audio.RATE, phrases)
        recogniser.SetWords(True)
        data = np.round(np.clip(samples, -1, 1) * 32767).astype(np.int16)
        began, results = time.process_time(), []
        for start in range(0, len(data), _CHUNK):
            if recogniser.AcceptWaveform(data[start : start + _CHUNK].tobytes()):
                results.append(recogniser.Result())
        results.append(recogniser.FinalResult())
        self._cpu += time.process_time() - began
        self._heard += len(data) / audio.RATE
        rows = [row for result in results for row in json.loads(result).get("result", [])]
        return [Word(row["word"], row["conf"]) for row in rows if row["word"] != "[unk]"]

    def cost(self) -> Cost:
        """Return the cost of hearing so far."""
        return Cost(self._cpu / max(self._heard, 1e-9), _resident_mb() - self._before)


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1024


def score(
    ear: Ear, trials: Iterable[Trial], grammar: Sequence[str], vocabulary: Vocabulary
) -> Score:
    """Hear the trials. Words that sound alike ("si" and "sí") count as the same."""
    count = words = errors = right = spoken = false = quiet = 0
    for trial in trials:
        count += 1
        heard = ear.hear(trial.samples, grammar)
        if not trial.text:
            quiet += 1
            false += any(word.confidence >= CONFIDENT for word in heard)
            continue
        said = trial.text.split()
        wrong = edit_distance(said, [word.text for word in heard], vocabulary.alike)
        spoken, words = spoken + 1, words + len(said)
        errors += wrong
        right += not wrong
    return Score(
        count,
        round(100 * (1 - errors / words), 1) if words else None,
        round(100 * right / spoken, 1) if spoken else None,
        round(100 * false / quiet, 1) if quiet else None,
    )


def edit_distance(
    said: Sequence[str], got: Sequence[str], alike: Callable[[str, str], bool] = operator.eq
) -> int:
    """Return the least number of substitutions, deletions and insertions between two lines."""
    row = list(range(len(got) + 1))
    for i, wanted in enumerate(said, 1):
        diagonal, row[0] = row[0], i
        for j, found in enumerate(got, 1):
            cheapest = min(row[j] + 1, row[j - 1] + 1, diagonal + (not alike(wanted, found)))
            diagonal, row[j] = row[j], cheapest
    return row[-1]


def words_of(folder: Path) -> frozenset[str]:
    """Return the words a model knows. Raises FileNotFoundError if it has no words.txt."""
    lines = (folder / "graph" / "words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[0] for line in lines) - {"<eps>", "[unk]", "#0"}
