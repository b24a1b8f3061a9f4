"""The counts: calls understood, and sounds that were taken for a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from types import UnionType
from typing import Any

from assistant.language.lexicon import Lexicon
from assistant.messages import Ask, Heard, Told
from assistant.rules.state import State
from scripts.lab.earbench.intervals import count_interval, share_interval
from scripts.lab.rendering.dealing import new_table
from scripts.lab.rendering.moments import MOMENTS, happened, state_after


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls said alone: right, wrong (taken for another), asked or missed; and their words."""

    said: int = 0
    right: int = 0
    wrong: int = 0
    asked: int = 0
    words: int = 0
    errors: int = 0
    """Words that were left out, added or taken for others."""

    def __add__(self, other: Calls) -> Calls:
        sums = (getattr(self, f.name) + getattr(other, f.name) for f in fields(Calls))
        return Calls(*sums)

    def row(self) -> dict[str, Any]:
        """Shares, for a report."""
        said = max(1, self.said)
        return {
            "calls": self.said,
            "right": round(self.right / said, 4),
            "right_95": _rounded(share_interval(self.right, self.said)),
            "wrong": round(self.wrong / said, 4),
            "asked": round(self.asked / said, 4),
            "missed": round((self.said - self.right - self.wrong - self.asked) / said, 4),
            "words": round(1 - self.errors / max(1, self.words), 4),
        }


@dataclass(frozen=True, slots=True)
class Falses:
    """Sounds that are no call: their number, their seconds, and what they did at each moment.

    at      how many moved the table, in the order of MOMENTS
    spoke   how often, at all the moments, it asked or answered aloud
    """

    clips: int = 0
    seconds: float = 0.0
    at: tuple[int, ...] = (0,) * len(MOMENTS)
    spoke: int = 0

    def __add__(self, other: Falses) -> Falses:
        at = tuple(a + b for a, b in zip(self.at, other.at, strict=True))
        seconds = self.seconds + other.seconds
        return Falses(self.clips + other.clips, seconds, at, self.spoke + other.spoke)

    @property
    def hours(self) -> float:
        """Hours of sound, without the silence around it."""
        return self.seconds / 3600

    @property
    def false(self) -> float:
        """False calls, as the mean over the moments."""
        return sum(self.at) / len(self.at)

    def row(self) -> dict[str, Any]:
        """Rates by the hour, for a report."""
        hours = max(self.hours, 1e-9)
        low, high = count_interval(self.false)
        return {
            "clips": self.clips,
            "hours": round(self.hours, 4),
            "false_per_hour": round(self.false / hours, 2),
            "false_per_hour_95": _rounded((low / hours, high / hours)),
            "spoke_per_hour": round(self.spoke / len(self.at) / hours, 2),
            "false_at": dict(zip(MOMENTS, self.at, strict=True)),
        }


def moments(lexicon: Lexicon) -> Iterator[tuple[str, State]]:
    """The moments at which such sounds are heard, and the state of each."""
    for name, said in MOMENTS.items():
        yield name, state_after(said, lexicon)


def moved(state: State, heard: Sequence[Heard], lexicon: Lexicon) -> tuple[bool, bool]:
    """Whether a table in this state took what was heard for a call, and whether it spoke."""
    return bool(happened(state, heard, lexicon)), asked(state, heard, lexicon, Ask | Told)


def asked(
    state: State, heard: Sequence[Heard], lexicon: Lexicon, kind: type | UnionType = Ask
) -> bool:
    """Whether the table asked something: what was meant, or whether it heard right."""
    table = new_table(lexicon)
    table.state = state
    outcomes = (outcome for utterance in heard for outcome in table.propose(utterance))
    return any(isinstance(outcome, kind) for outcome in outcomes)


def total(tallies: Iterable[Falses]) -> Falses:
    """The sum of all of them."""
    return sum(tallies, Falses())


def _rounded(interval: tuple[float, float]) -> tuple[float, float]:
    return round(interval[0], 4), round(interval[1], 4)
