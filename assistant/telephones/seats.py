"""The protocol between a telephone and the table, and the register of the telephones at the seats.

They speak over a WebSocket, and every message is parsed strictly. A binary message is sound: a
header of twelve bytes, and mono samples of 16 bits at 16 kHz, little endian. A text message is
JSON. docs/telephones.md has the whole protocol.
"""

from __future__ import annotations

import json
import math
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, TypedDict

import numpy as np

from assistant.ear.audio import RATE, Samples
from assistant.messages.documents import parse_json
from assistant.rules.errors import MusError

# ---- What they say to each other -----------------------------------------------------------------

HEADER = struct.Struct("<IQ")
"""Before the samples of a frame: its number from 0, and the telephone's clock in microseconds at
its first sample."""
MOST_SAMPLES = RATE // 10
"""The most samples of one frame, 100 ms; a page sends 40 ms."""
MOST_TEXT = 512
"""The most bytes of a text message."""
MOST_NAME, MOST_ID = 30, 40
MOST_CLOCK_US = 10**14
"""Three years in microseconds: the clock of a page begins when the page is opened."""
MAX_NUMBER = 2**32


class Closing(IntEnum):
    """Why the table ends a conversation: the code of the close frame. The page has the words."""

    BAD = 4400
    NO_SEAT = 4404
    TOO_SLOW = 4408
    TAKEN = 4409
    REPLACED = 4410
    INSECURE = 4426
    TOO_MUCH = 4429


SENTENCES = {
    Closing.BAD: "This message is none that a telephone sends.",
    Closing.NO_SEAT: "There is no such seat at this table.",
    Closing.TOO_SLOW: "No sound came for too long.",
    Closing.TAKEN: "Another telephone is the microphone of this seat.",
    Closing.REPLACED: "Another telephone has taken this seat over.",
    Closing.INSECURE: "Send sound to the secure address alone.",
    Closing.TOO_MUCH: "This is more than a telephone sends.",
}


class TelephoneError(MusError):
    """A conversation that has to end. ``closing`` says why."""

    def __init__(self, closing: Closing) -> None:
        super().__init__(SENTENCES[closing])
        self.closing = closing


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a telephone.

    ``key``: random, and kept by the telephone, which is known by it when it comes back; ``name``:
    what people call it; ``take``: whether it may take the seat from another telephone.
    """

    seat: int
    key: str
    name: str
    take: bool


@dataclass(frozen=True, slots=True)
class TelephonePing:
    """What a telephone says each second: its clock, to be sent back, and its battery.

    ``battery``: from 0 to 1, or None if the browser does not say.
    """

    at: float
    battery: float | None
    charging: bool


@dataclass(frozen=True, slots=True)
class Goodbye:
    """A telephone's last message: its player chose another seat, and it is not shown as gone."""


@dataclass(frozen=True, slots=True)
class SoundFrame:
    """A piece of sound. ``at``: the telephone's clock at its first sample, in seconds."""

    number: int
    at: float
    samples: Samples


def read_hello(text: str) -> Hello:
    """Read ``{"is": "hello", "seat": 2, "key": "...", "name": "iPhone", "take": false}``.

    Raises TelephoneError.
    """
    match _object(text):
        case {
            "is": "hello",
            "seat": int(seat),
            "key": str(key),
            "name": str(name),
            "take": bool(take),
        } if (
            type(seat) is int
            and 0 < len(key) <= MOST_ID
            and 0 < len(name) <= MOST_NAME
            and name.isprintable()
        ):
            return Hello(seat, key, name, take)
    raise TelephoneError(Closing.BAD)


def read_said(text: str) -> TelephonePing | Goodbye:
    """Read ``{"is": "ping", "at": 1234.5, "battery": 0.8, "charging": false}``, or a goodbye.

    That is ``{"is": "bye"}``. Raises TelephoneError.
    """
    match _object(text):
        case {"is": "bye"}:
            return Goodbye()
        case {
            "is": "ping",
            "at": int() | float() as at,
            "battery": int() | float() | None as battery,
            "charging": bool(charging),
        } if math.isfinite(at) and (battery is None or 0 <= battery <= 1):
            return TelephonePing(float(at), None if battery is None else float(battery), charging)
    raise TelephoneError(Closing.BAD)


def read_frame(data: bytes) -> SoundFrame:
    """Read the header and the samples of a piece of sound. Raises TelephoneError."""
    sound = len(data) - HEADER.size
    if sound <= 0 or sound % 2 or sound > 2 * MOST_SAMPLES:
        raise TelephoneError(Closing.BAD)
    number, clock = HEADER.unpack_from(data)
    if clock > MOST_CLOCK_US:
        raise TelephoneError(Closing.BAD)
    samples = np.frombuffer(data, "<i2", offset=HEADER.size).astype(np.int16)
    return SoundFrame(number, clock / 1e6, samples)


def message(kind: str, **said: object) -> str:
    """A message of the table."""
    return json.dumps({"is": kind, **said}, separators=(",", ":"), ensure_ascii=False)


def _object(text: str) -> object:
    if len(text.encode()) > MOST_TEXT:
        raise TelephoneError(Closing.TOO_MUCH)
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        raise TelephoneError(Closing.BAD) from None


# ---- How much a telephone may send --------------------------------------------------------------


MOST_RATE, BURST_S = 1.25, 5.0
"""Seconds of sound that a telephone may send in a second, and at once after its network stood."""
TEXTS_A_SECOND, TEXTS_AT_ONCE = 4.0, 20.0


class SoundGaps:
    """The frames of one telephone: whether they come in order, and how many are missing."""

    def __init__(self) -> None:
        self._next: int | None = None

    def missing(self, number: int) -> int:
        """Frames that the telephone dropped before this one. Raises TelephoneError if out of order.

        The first frame of a conversation may have any number.
        """
        before = number if self._next is None else self._next
        self._next = (number + 1) % MAX_NUMBER
        lost = (number - before) % MAX_NUMBER
        if lost > MAX_NUMBER // 2:
            raise TelephoneError(Closing.BAD)
        return lost


class Allowance:
    """A token bucket: so much a second, and so much at once."""

    def __init__(self, a_second: float, at_once: float, clock: Callable[[], float]) -> None:
        self._a_second, self._at_once, self._clock = a_second, at_once, clock
        self._left, self._since = at_once, clock()

    def spend(self, amount: float) -> None:
        """Take an amount. Raises TelephoneError if so much is not left."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._since) * self._a_second)
        self._since = now
        self._left -= amount
        if self._left < 0:
            raise TelephoneError(Closing.TOO_MUCH)


# ---- Which telephone is the microphone of which seat, and how each of them does ------------------

HEARD_S = 3.0
"""Seconds for which a telephone shows that its player was heard."""
SILENT_S = 2.0
"""Seconds without sound after which a telephone is shown as silent."""
SILENT_DB = -85.0
"""Below this level a microphone is muted: the quietest room is louder."""
LOW_BATTERY = 0.15


class LineFigures(Protocol):
    """The figures of a line: see ``several.LineStatus``."""

    @property
    def level(self) -> float:
        """Loudness, in dB below full scale."""

    @property
    def delay(self) -> float:
        """Seconds until its sound is passed on."""

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
        """End the line: the telephone has gone."""

    def status(self) -> LineFigures:
        """Its figures now."""


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
    """A telephone at its seat. ``replaced`` is called if another one takes its place."""

    hello: Hello
    line: SoundLine
    replaced: Callable[[str], None]
    sounded: float
    battery: float | None = None
    charging: bool = False

    def hear(self, samples: Samples, at: float, lost: int, now: float) -> None:
        """Pass on a piece of its sound."""
        self.line.feed(samples, at, lost)
        self.sounded = now

    def state(self, now: float) -> str:
        """Whether its sound comes, and its player was heard: a ``state`` of TelephoneView."""
        status = self.line.status()
        if now - self.sounded > SILENT_S or status.level < SILENT_DB:
            return "silent"
        return "heard" if status.heard is not None and status.heard <= HEARD_S else "there"

    def view(self, now: float) -> TelephoneView:
        """The telephone as the pages show it."""
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
            # A telephone has one place: if it chose another seat, it leaves the one before.
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
        """Remove a telephone that has gone; one that was replaced has left already.

        ``missed``: whether its seat shows it as gone. One that left on purpose is not shown so.
        """
        with self._lock:
            if self._there.get(seated.hello.seat) is seated:
                self._part(seated)
                if not missed:
                    del self._gone[seated.hello.seat]

    def views(self) -> list[TelephoneView]:
        """The telephones, also those that have gone, by their seats."""
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
