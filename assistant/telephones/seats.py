"""Which telephone is the microphone of which seat, and how each of them does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypedDict

from assistant.ear.audio import Samples
from assistant.telephones.protocol import Closing, Hello, TelephoneError

HEARD_S = 3.0
"""Seconds for which a telephone shows that its player was heard."""
SILENT_S = 2.0
"""Seconds without sound after which a telephone is shown as silent."""
SILENT_DB = -85.0
"""Below this level a microphone is muted: the quietest room is louder."""
LOW_BATTERY = 0.15


class LineFigures(Protocol):
    """How a line does: see ``several.LineStatus``."""

    @property
    def level(self) -> float:
        """Loudness, in dB below full scale."""

    @property
    def delay(self) -> float:
        """Seconds until its sound is handed on."""

    @property
    def drift(self) -> float:
        """Millionths by which its clock differs."""

    @property
    def heard(self) -> float | None:
        """Seconds since its player was heard; None: never yet."""

    @property
    def lost(self) -> float:
        """Share of its sound that never came, 0 to 1."""


class SoundLine(Protocol):
    """Where one telephone's sound goes. Any thread may call it."""

    def feed(self, samples: Samples, at: float, lost: int = 0) -> None:
        """Take mono sound; ``at``: the telephone's clock; ``lost``: samples missing before it."""

    def leave(self) -> None:
        """The telephone has gone."""

    def status(self) -> LineFigures:
        """How it does."""


class SoundLines(Protocol):
    """Where the sound of all telephones goes."""

    def join(self, seat: int, name: str) -> SoundLine:
        """A line for a seat, counted from 1, that has none."""


class TelephoneView(TypedDict):
    """A seat's telephone as the pages show it.

    state   "heard": its player was heard just now; "there"; "silent": no sound comes; "gone"
    low     whether its battery will soon be empty
    """

    seat: int
    name: str
    state: str
    low: bool


class SeatHeld(TelephoneError):  # noqa: N818 - what happened to the seat
    """Another telephone is the microphone of this seat. ``name``: what people call it."""

    def __init__(self, name: str) -> None:
        super().__init__(Closing.TAKEN)
        self.name = name


@dataclass(slots=True, eq=False)
class SeatedTelephone:
    """A telephone at its seat. ``replaced``: what to call if another one takes its place."""

    hello: Hello
    line: SoundLine
    replaced: Callable[[str], None]
    sounded: float
    battery: float | None = None
    charging: bool = False

    def hear(self, samples: Samples, at: float, lost: int, now: float) -> None:
        """Hand on a piece of its sound."""
        self.line.feed(samples, at, lost)
        self.sounded = now

    def state(self, now: float) -> str:
        """Whether its sound comes, and its player was heard: a ``state`` of TelephoneView."""
        status = self.line.status()
        if now - self.sounded > SILENT_S or status.level < SILENT_DB:
            return "silent"
        return "heard" if status.heard is not None and status.heard <= HEARD_S else "there"

    def view(self, now: float) -> TelephoneView:
        """How the pages show it."""
        low = self.battery is not None and self.battery <= LOW_BATTERY and not self.charging
        seat, name = self.hello.seat, self.hello.name
        return {"seat": seat, "name": name, "state": self.state(now), "low": low}


class TelephoneSeats:
    """The seats of a table and their telephones: at most one each. Any thread may call it."""

    def __init__(
        self, lines: SoundLines, seats: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seats = seats
        self.clock = clock
        self._lines = lines
        self._lock = threading.Lock()
        self._there: dict[int, SeatedTelephone] = {}
        self._gone: dict[int, str] = {}

    def sit(self, hello: Hello, replaced: Callable[[str], None]) -> SeatedTelephone:
        """Make a telephone the microphone of its seat.

        A telephone that comes back takes the place of its own lost connection. ``replaced`` is
        called, with the name of the other one, if another takes the seat over; from any thread.
        Raises TelephoneError, and SeatHeld if the seat has another one and it may not take it.
        """
        with self._lock:
            if not 1 <= hello.seat <= self.seats:
                raise TelephoneError(Closing.NO_SEAT)
            before = self._there.get(hello.seat)
            if before and before.hello.key != hello.key and not hello.take:
                raise SeatHeld(before.hello.name)
            # A telephone has one place: where it chose another seat, it leaves the one before.
            own = [one for one in self._there.values() if one.hello.key == hello.key]
            for one in {id(one): one for one in (*own, *([before] if before else []))}.values():
                one.replaced(hello.name)
                self._part(one)
                if one is not before:
                    self._gone.pop(one.hello.seat, None)
            self._gone.pop(hello.seat, None)
            line = self._lines.join(hello.seat, hello.name)
            seated = SeatedTelephone(hello, line, replaced, self.clock())
            self._there[hello.seat] = seated
            return seated

    def leave(self, seated: SeatedTelephone, *, missed: bool = True) -> None:
        """A telephone has gone; one that was replaced has left already.

        ``missed``: whether its seat shows it as gone. Who left on purpose is not missed.
        """
        with self._lock:
            if self._there.get(seated.hello.seat) is seated:
                self._part(seated)
                if not missed:
                    del self._gone[seated.hello.seat]

    def views(self) -> list[TelephoneView]:
        """The telephones, and those that have gone, by their seats."""
        now = self.clock()
        with self._lock:
            there = [one.view(now) for one in self._there.values()]
            gone: list[TelephoneView] = [
                {"seat": seat, "name": name, "state": "gone", "low": False}
                for seat, name in self._gone.items()
            ]
        return sorted([*there, *gone], key=lambda view: view["seat"])

    def _part(self, one: SeatedTelephone) -> None:
        one.line.leave()
        del self._there[one.hello.seat]
        self._gone[one.hello.seat] = one.hello.name
