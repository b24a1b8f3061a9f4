"""Sentences as timed Spanish phones with pitch, for engines that take phones and not text.

Mean durations (ms) follow the order of Marín Gálvez (1994) for read Castilian. Speakers differ by
the random rate, range and emphasis of their `Delivery`.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from . import g2p

MEAN_MS = {
    "p": 90, "t": 85, "k": 95, "b": 60, "d": 55, "g": 55, "f": 95, "s": 100, "T": 95, "x": 90,
    "tS": 110, "m": 70, "n": 65, "J": 85, "l": 65, "y": 70, "r": 35, "rr": 80, "j": 55, "w": 55,
    "a": 90, "e": 85, "i": 75, "o": 88, "u": 75,
}  # fmt: skip
_CLITICS = frozenset("a la al el de y que me lo los las en un por con para su si te se".split())
PAUSE = "pause"


@dataclass(frozen=True, slots=True)
class Delivery:
    """How one sentence is said: duration factor, mean pitch (Hz), pitch range, rising end."""

    rate: float
    pitch: float
    span: float
    question: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """One phone (or PAUSE), its seconds, its pitch in Hz (vowels only) and where it stands."""

    phone: str
    seconds: float
    pitch: float | None = None
    stressed: bool = False


@dataclass(frozen=True, slots=True)
class Spoken:
    """The phones of a word, and the index of the stressed one; -1 if there is none."""

    phones: tuple[str, ...]
    stressed: int


def delivery(pitches: tuple[float, float], rng: random.Random) -> Delivery:
    """Draw a way of saying a sentence for a voice that lives between two pitches (Hz)."""
    return Delivery(
        rate=rng.uniform(0.72, 1.35),
        pitch=rng.uniform(*pitches),
        span=rng.uniform(1.03, 1.45),
        question=rng.random() < 0.15,
    )


def segments(text: str, manner: Delivery, rng: random.Random) -> list[Segment]:
    """Return the segments of Spanish `text`, with a pause at both ends and sometimes inside."""
    return timed([_spanish(word) for word in text.split()], manner, rng)


def timed(words: Sequence[Spoken], manner: Delivery, rng: random.Random) -> list[Segment]:
    """Return the segments of words given by their sounds, with pauses as in `segments`."""
    line = [_pause(rng, 0.06, 0.14)]
    for index, word in enumerate(words):
        last = index == len(words) - 1
        fall = 1.08 - 0.2 * (index + 0.5) / len(words)
        if manner.question and last:
            fall *= 1.25
        line += _word(word, manner, fall, last, rng)
        if not last and rng.random() < 0.12:
            line.append(_pause(rng, 0.04, 0.2))
    return [*line, _pause(rng, 0.06, 0.14)]


def _spanish(word: str) -> Spoken:
    return Spoken(g2p.phones_of(word), -1 if word in _CLITICS else g2p.stressed(word))


def _pause(rng: random.Random, low: float, high: float) -> Segment:
    return Segment(PAUSE, rng.uniform(low, high))


def _word(
    word: Spoken, manner: Delivery, fall: float, last: bool, rng: random.Random
) -> list[Segment]:
    phones, accent = word.phones, word.stressed
    line = []
    for index, phone in enumerate(phones):
        seconds = MEAN_MS[phone] / 1000 * manner.rate * rng.uniform(0.8, 1.25)
        if index == accent:
            seconds *= rng.uniform(1.1, 1.5)
        if last and index >= len(phones) - 2:
            seconds *= rng.uniform(1.1, 1.5)
        lift = manner.span if index == accent else rng.uniform(0.95, 1.05)
        pitch = manner.pitch * fall * lift if phone in g2p.VOWELS else None
        line.append(Segment(phone, seconds, pitch, index == accent))
    return line
