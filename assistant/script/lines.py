"""The small print of a script's lines: pairs, numbers, and the error that names its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from assistant.rules.errors import MusError

QUOTED = 60
"""Letters of a line that an error repeats."""
T = TypeVar("T")


class ScriptError(MusError, ValueError):
    """A line that is no script; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


def pairs(line: int, rest: str) -> list[tuple[str, str]]:
    """The ``KEY=VALUE`` words of a line. Raises ScriptError."""
    return [pair(line, word) for word in rest.replace(",", " ").replace(";", " ").split()]


def pair(line: int, word: str) -> tuple[str, str]:
    """One ``KEY=VALUE``. Raises ScriptError."""
    key, equals, value = word.partition("=")
    if not equals or not key or not value:
        raise ScriptError(line, f"{short(word)} is no KEY=VALUE.")
    return key, value


def count(line: int, text: str) -> int:
    """A number of stones, juegos or vacas. Raises ScriptError."""
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise ScriptError(line, f"{short(text)} is no number of stones.")
    return int(text)


def short(text: str) -> str:
    """A text as an error message quotes it: never a page long."""
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "...")


def at(line: int, read: Callable[[], T]) -> T:
    """Do it, and give its error the line. Raises ScriptError."""
    try:
        return read()
    except ScriptError:
        raise
    except MusError as error:
        raise ScriptError(line, str(error)) from error
