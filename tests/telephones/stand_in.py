"""A stand-in for the ear that keeps what telephones sent."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np

from assistant.ear.audio import Samples


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a line, as a test sets them."""

    level: float = -30.0
    delay: float = 0.12
    drift: float = 0.0
    heard: float | None = None
    lost: float = 0.0


@dataclass(eq=False)
class KeptLine:
    """A line that keeps its sound."""

    seat: int
    name: str
    owner: KeptLines
    pieces: list[tuple[float, Samples, int]] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)
    left: bool = False

    def feed(self, samples: Samples, at: float, lost: int = 0) -> None:
        assert samples.dtype == np.int16
        self.pieces.append((at, samples, lost))

    def leave(self) -> None:
        self.left = True
        self.owner.forget(self)

    def status(self) -> Figures:
        return self.figures

    def sound(self) -> Samples:
        """Everything that came, in order."""
        return np.concatenate([samples for _, samples, _ in self.pieces])


class KeptLines:
    """The lines of a table, one for each seat, in place of the ear's own."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.there: dict[int, KeptLine] = {}
        self.all: list[KeptLine] = []

    def join(self, seat: int, name: str) -> KeptLine:
        with self.lock:
            assert seat not in self.there, "the seat is taken"
            line = self.there[seat] = KeptLine(seat, name, self)
            self.all.append(line)
            return line

    def forget(self, line: KeptLine) -> None:
        with self.lock:
            if self.there.get(line.seat) is line:
                del self.there[line.seat]
