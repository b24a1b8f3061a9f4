"""The time from the end of a call's sound to the moment when it has moved the table."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.ear import FileSource
from assistant.ear.hearing import attend
from assistant.messages import Heard
from assistant.rules.state import State
from scripts.lab.earbench import work
from scripts.lab.earbench.calls import put_into, said
from scripts.lab.earbench.intervals import percentile
from scripts.lab.earbench.plan import CLEAN, LOUD
from scripts.lab.rendering.deal import Line, Recording, write_wav
from scripts.lab.rendering.dealing import Deal, deal
from scripts.lab.rendering.moments import excerpts, happened

GAP = (0.9, 1.6)
"""Seconds between calls. Each is answered before the next, so none is taken for another."""
TOO_LATE = 3.0
"""Seconds after which an answer belongs to another call."""
ANSWERED = 0.3
"""Seconds before a call at which the table has surely taken the one before."""
CONDITIONS = (CLEAN, LOUD[0])


@dataclass(frozen=True, slots=True)
class LatencyJob:
    """One deal, said slowly."""

    group: str
    seed: int


@dataclass(slots=True)
class Delays:
    """Seconds for each call that moved the table. ``said`` counts all calls.

    waited  from the end of the sound to the block of sound that brought the call, in stream time
    worked  processor time in that block, for decoding and understanding
    """

    said: int = 0
    waited: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)

    def add(self, other: Delays) -> None:
        """Add the counts of another."""
        self.said += other.said
        self.waited += other.waited
        self.worked += other.worked

    def row(self) -> dict[str, Any]:
        """Percentiles in seconds, for a report."""
        both = [a + b for a, b in zip(self.waited, self.worked, strict=True)]
        kinds = {"event": both, "endpoint": self.waited, "decoder": self.worked}
        figures = {
            f"{name}_p{percent}": percentile(values, percent)
            for name, values in kinds.items()
            for percent in (50, 95)
        }
        return {"calls": self.said, "answered": len(both), **figures}


def time_deal(job: LatencyJob) -> dict[str, Delays]:
    """Play a deal to the ear block by block. The table always stands where the deal stands."""
    dealt = deal(job.seed, work.lexicon(), work.wordings())
    recording = said(dealt, job.group, job.seed, GAP)
    found: dict[str, Delays] = {}
    if recording is None:
        return found
    with tempfile.TemporaryDirectory(prefix="mus-ears-") as name:
        wav = Path(name) / "heard.wav"
        for condition in CONDITIONS:
            there = put_into(recording, condition, job.seed)
            write_wav(wav, there.sound)
            found[str(condition)] = _timed(wav, dealt, there)
    return found


def _timed(wav: Path, dealt: Deal, recording: Recording) -> Delays:
    lines = recording.lines
    states = [call.state for call in excerpts(dealt, recording, work.lexicon())]
    answered: dict[int, tuple[float, float]] = {}
    for at, line, worked in _moves(wav, lines, states):
        waited = at - lines[line].end
        if line not in answered and waited < TOO_LATE:
            answered[line] = waited, worked
    waits = [waited for waited, _ in answered.values()]
    return Delays(len(lines), waits, [worked for _, worked in answered.values()])


def _moves(
    wav: Path, lines: Sequence[Line], states: Sequence[State]
) -> Iterator[tuple[float, int, float]]:
    """When the table moved (stream time), after which line, and the seconds of work for it."""
    lexicon, ear, line = work.lexicon(), work.new_ear(), 0
    coming = 0
    attend(ear, lexicon, lambda: states[coming])
    for block in FileSource(wav, realtime=False).blocks():
        line = _begun(lines, block.end)
        coming = _begun(lines, block.end + ANSWERED)
        began = time.process_time()
        heard = [result for result in ear.feed(block) if isinstance(result, Heard)]
        moved = bool(happened(states[line], heard, lexicon))
        if moved:
            yield block.end, line, time.process_time() - began


def _begun(lines: Sequence[Line], at: float) -> int:
    """The last line that has begun by a time."""
    return max((i for i, each in enumerate(lines) if each.start < at), default=0)
