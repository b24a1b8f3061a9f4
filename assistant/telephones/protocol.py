"""What a telephone and the table say to each other over their WebSocket, read strictly.

A binary message is sound: a header of twelve bytes, and mono samples of 16 bits at 16 kHz, little
endian. A text message is JSON. docs/telephones.md has all of it.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from assistant.ear.audio import RATE, Samples
from assistant.messages.documents import parse_json
from assistant.rules.errors import MusError

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
    """A telephone's last message: its player chose another seat, and this one misses nobody."""


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
