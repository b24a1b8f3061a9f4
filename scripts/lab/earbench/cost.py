"""The cost of listening on one core, measured in a process of its own.

python -m scripts.lab.earbench.cost MODEL < DEALS
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from assistant.ear import PAUSE, Block, FileSource, Hears
from assistant.ear.audio import RATE, SpeechError
from assistant.ear.hearing import ear_of
from assistant.ear.second_stage import SecondStage
from assistant.files.resources import load_lexicon
from assistant.language.lexicon import Lexicon, context_of
from assistant.messages import Heard
from assistant.rules.state import State
from scripts.lab.earbench.intervals import percentile

ROOT = Path(__file__).resolve().parents[3]
TIMEOUT = 600


@dataclass(frozen=True, slots=True)
class Played:
    """The recording of a deal, the ends of its calls, and the state before each and at the end."""

    wav: Path
    ends: tuple[float, ...]
    states: tuple[State, ...]

    def state(self, at: float) -> State:
        """The state at a time: the table has taken every call that ended a pause ago."""
        return self.states[bisect(self.ends, at - PAUSE)]


def measured(deals: Sequence[Played], model: Path) -> dict[str, Any]:
    """The cost of hearing deals one after the other in a new process. Raises SpeechError."""
    command = [sys.executable, "-m", "scripts.lab.earbench.cost", str(model)]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, input=pickle.dumps(deals), timeout=TIMEOUT,
            check=True,
        )  # fmt: skip
    except subprocess.SubprocessError as error:
        raise SpeechError(f"What listening costs could not be measured: {error}") from error
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> int:
    """Hear deals on one core, as the ear of their table, and print the cost."""
    model, deals = Path(sys.argv[1]), pickle.load(sys.stdin.buffer)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    lexicon = load_lexicon()
    now = _Now()
    ear = ear_of(model, lexicon, lambda: now.state(), stage=SecondStage.of_model(model))
    utterances: list[float] = []
    began = time.process_time()
    seconds = sum(_listened(deal, ear, now, utterances) for deal in deals)
    spent = time.process_time() - began
    print(
        json.dumps(
            {
                "deals": len(deals),
                "grammars": _changes([state for deal in deals for state in deal.states], lexicon),
                "seconds": round(seconds, 1),
                "real_time_factor": round(spent / seconds, 4),
                "utterance_ms_p50": percentile([1000 * one for one in utterances], 50),
                "utterance_ms_p95": percentile([1000 * one for one in utterances], 95),
                "rss_mb": round(_most_memory_mb(), 1),
            }
        )
    )
    return 0


class _Now:
    """The state of the table that is heard: a deal, and the time in it."""

    def __init__(self) -> None:
        self.deal: Played | None = None
        self.at = self.began = 0.0

    def state(self) -> State:
        """The present state, once a deal has begun."""
        assert self.deal is not None
        return self.deal.state(self.at - self.began)


def _listened(deal: Played, ear: Hears, now: _Now, utterances: list[float]) -> float:
    """Hear a deal to its end and return its seconds. Notes the time of each utterance."""
    samples = 0
    now.deal, now.began = deal, now.at
    for block in FileSource(deal.wav, realtime=False).blocks():
        now.at, samples = now.began + block.end, samples + len(block.samples)
        before = time.process_time()
        heard = ear.feed(Block(block.samples, now.at))
        if any(isinstance(one, Heard) for one in heard):
            utterances.append(time.process_time() - before)
    ear.flush()
    return samples / RATE


def _changes(states: Sequence[State], lexicon: Lexicon) -> int:
    """How often a table with these states gives its ear another grammar."""
    grammars = [lexicon.grammar(context_of(state)) for state in states]
    return sum(before is not after for before, after in pairwise(grammars))


def _most_memory_mb() -> float:
    """The most memory that this process ever used. Linux only."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    sys.exit(main())
