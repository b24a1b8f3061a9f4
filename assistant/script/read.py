"""Reading a ``.mus`` script: a game as text. One line, one thing.

    rules: kings=8 target=40 juegos=3 real31=off
    seats: Norte Oeste Sur Este
    score: A=0 B=0
    mano: 1
    1: mus                         # seat: the words as said
    ?: quiero                      # the seat is not known
    cards 1: R R C 1
    expect: A=3 B=8; juegos A=1 B=0; phase=chica to_speak=2 error=IllegalCall

Nothing is played here: the steps come out as messages in their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from assistant.messages import Heard, Word
from assistant.rules.cards import Hand, parse_hand
from assistant.rules.errors import MusError
from assistant.rules.profile import Profile, profile_from

MAX_SCRIPT = 1_000_000
"""Characters; a whole evening is some 50,000."""
QUOTED = 60
"""Letters of a line that an error repeats."""
DEFAULT_SEATS = ("Norte", "Oeste", "Sur", "Este")
STATE_KEYS = ("phase", "to_speak", "mano", "deal", "over", "winner", "pending", "error")
T = TypeVar("T")
ERRORS = ("UnknownCall", "IllegalCall", "AmbiguousCall")


class ScriptError(MusError, ValueError):
    """A line that is no script; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Step:
    """One line that does something, in its place in the file."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Said(Step):
    """Words, and who said them if that is known."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class Cards(Step):
    """A hand laid open."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Mano(Step):
    """Who is mano of the deal that begins here."""

    seat: int


@dataclass(frozen=True, slots=True)
class Score(Step):
    """The stones before the deal, by side letter."""

    stones: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Expect(Step):
    """What must be true here. Keys: side letters (stones), "juegos A", and STATE_KEYS."""

    items: tuple[tuple[str, str], ...]

    @property
    def error(self) -> str | None:
        """The error that the line before must have raised."""
        return dict(self.items).get("error")


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script: who plays by which rules, and what happens."""

    profile: Profile
    seats: tuple[str, ...]
    steps: tuple[Step, ...]


def parse_script(text: str) -> Script:
    """Read a script. Raises ScriptError, with the line, where it is broken."""
    if len(text) > MAX_SCRIPT:
        raise ScriptError(1, f"a script is at most {MAX_SCRIPT} characters long.")
    header: dict[str, tuple[int, str]] = {}
    steps: list[Step] = []
    for line, content in _lines(text):
        key, rest = _split(line, content)
        if key in ("rules", "seats"):
            _take_header(header, steps, line, key, rest)
        else:
            steps.append(_step(line, content, key, rest))
    return Script(_profile(header), _seats(header), tuple(steps))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for line, content in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        content = content.partition("#")[0].strip()
        if content:
            yield line, content


def _split(line: int, content: str) -> tuple[str, str]:
    key, colon, rest = content.partition(":")
    if not colon or not rest.strip():
        raise ScriptError(line, f"{_short(content)} is no 'KEY: something', as in '2: envido'.")
    return key.strip().lower(), rest.strip()


def _take_header(
    header: dict[str, tuple[int, str]], steps: list[Step], line: int, key: str, rest: str
) -> None:
    if key in header:
        raise ScriptError(line, f"'{key}:' stands twice.")
    if any(not isinstance(step, Mano | Score) for step in steps):
        raise ScriptError(line, f"'{key}:' belongs before the first call.")
    header[key] = (line, rest)


def _profile(header: dict[str, tuple[int, str]]) -> Profile:
    if "rules" not in header:
        return Profile()
    line, rest = header["rules"]
    return _at(line, lambda: profile_from(dict(_pairs(line, rest))))


def _seats(header: dict[str, tuple[int, str]]) -> tuple[str, ...]:
    if "seats" not in header:
        return DEFAULT_SEATS
    line, rest = header["seats"]
    names = tuple(rest.split())
    if len(names) != len(DEFAULT_SEATS) or len(set(names)) != len(names):
        raise ScriptError(line, f"{len(DEFAULT_SEATS)} different names are needed: {_short(rest)}.")
    return names


def _step(line: int, content: str, key: str, rest: str) -> Step:
    if re.fullmatch(r"\?|\d", key):
        seat = None if key == "?" else _seat(line, key)
        words = tuple(Word(word) for word in rest.split())
        return Said(line, content, Heard(words, seat))
    if match := re.fullmatch(r"cards\s+(\d)", key):
        hand = _at(line, lambda: parse_hand(rest))
        return Cards(line, content, _seat(line, match[1]), hand)
    readers: dict[str, Callable[[], Step]] = {
        "mano": lambda: Mano(line, content, _seat(line, rest)),
        "score": lambda: Score(line, content, _score(line, rest)),
        "expect": lambda: Expect(line, content, _expectations(line, rest)),
    }
    if key not in readers:
        raise ScriptError(
            line,
            f"unknown key {_short(key)}: rules, seats, score, mano, 1-4, ?, 'cards N' or expect.",
        )
    return readers[key]()


def _seat(line: int, text: str) -> int:
    if text not in {"1", "2", "3", "4"}:
        raise ScriptError(line, f"a seat is 1 to {len(DEFAULT_SEATS)}, not {_short(text)}.")
    return int(text)


def _score(line: int, rest: str) -> tuple[tuple[str, int], ...]:
    return tuple((side.upper(), _count(line, number)) for side, number in _pairs(line, rest))


def _expectations(line: int, rest: str) -> tuple[tuple[str, str], ...]:
    """``juegos`` reaches over the sides that follow it, up to ``;`` or a key of another kind."""
    items: list[tuple[str, str]] = []
    for part in rest.split(";"):
        prefix = ""
        for word in part.replace(",", " ").split():
            if word.lower() == "juegos":
                prefix = "juegos "
                continue
            key, value = _pair(line, word)
            if key.upper() in {"A", "B"}:
                items.append((prefix + key.upper(), str(_count(line, value))))
            elif key.lower() in STATE_KEYS:
                prefix = ""
                items.append((key.lower(), _state_value(line, key.lower(), value)))
            else:
                known = "A, B, juegos, " + ", ".join(STATE_KEYS)
                raise ScriptError(
                    line, f"nothing named {_short(key)} can be expected, only {known}."
                )
    if not items:
        raise ScriptError(line, "'expect:' needs something, as in 'expect: A=3 B=8'.")
    return tuple(items)


def _state_value(line: int, key: str, value: str) -> str:
    if key == "error":
        if value not in ERRORS:
            raise ScriptError(line, f"error={value}: choose one of {', '.join(ERRORS)}.")
        return value
    lower = value.lower()
    return lower if key != "winner" or lower == "none" else value.upper()


def _pairs(line: int, rest: str) -> list[tuple[str, str]]:
    return [_pair(line, word) for word in rest.replace(",", " ").replace(";", " ").split()]


def _pair(line: int, word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals or not key or not value:
        raise ScriptError(line, f"{_short(word)} is no KEY=VALUE.")
    return key, value


def _short(text: str) -> str:
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "...")


def _count(line: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise ScriptError(line, f"{_short(text)} is no number of stones.")
    return int(text)


def _at(line: int, read: Callable[[], T]) -> T:
    try:
        return read()
    except ScriptError:
        raise
    except MusError as error:
        raise ScriptError(line, str(error)) from error
