"""Planned changes to files of a checkout: planned in memory, checked, and written together."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LONGEST_LINE = 118
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*')


class MakingError(Exception):
    """Something that the person at the keyboard can put right. The text says how."""


@dataclass(slots=True)
class Changes:
    """The planned files below ``root``, and what a person still has to do by hand."""

    root: Path
    texts: dict[Path, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def read(self, name: str) -> str:
        """The text that a file will have. Raises MakingError if there is no such file."""
        path = self.root / name
        if path in self.texts:
            return self.texts[path]
        try:
            return path.read_text(encoding="utf-8")
        except OSError as error:
            raise MakingError(f"{name} cannot be read: {error.strerror or error}.") from error

    def toml(self, name: str) -> dict[str, Any]:
        """The content that a TOML file will have. Raises MakingError if it is no valid TOML."""
        try:
            return tomllib.loads(self.read(name))
        except tomllib.TOMLDecodeError as error:
            raise MakingError(f"{name}: {error}.") from error

    def put(self, name: str, text: str) -> None:
        """Plan the whole text of a file."""
        self.texts[self.root / name] = text

    def insert(self, name: str, before: str, added: str) -> None:
        """Plan lines before the first line that matches a pattern. Raises MakingError."""
        text = self.read(name)
        found = re.search(before, text, re.MULTILINE)
        if found is None:
            raise MakingError(f"{name} has no line like {before!r}: add this by hand:\n{added}")
        self.put(name, text[: found.start()] + added + text[found.start() :])

    def replace(self, name: str, old: str, new: str) -> None:
        """Plan to replace a text that occurs exactly once. Raises MakingError."""
        text = self.read(name)
        if text.count(old) != 1:
            raise MakingError(f"{name} has {old!r} {text.count(old)} times, not once.")
        self.put(name, text.replace(old, new))

    def names(self) -> list[str]:
        """The files that change, relative to the checkout."""
        return [path.relative_to(self.root).as_posix() for path in self.texts]

    def write(self) -> None:
        """Write every planned text."""
        for path, text in self.texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def text_file(name: str, language: str) -> str:
    """The path of a language's file of that name, relative to the checkout. It may not exist."""
    return f"models/{language}/{name}.toml"


def languages(root: Path, name: str) -> list[str]:
    """The codes of the languages that have a file of that name."""
    return sorted(path.parent.name for path in (root / "models").glob(f"*/{name}.toml"))


def tables_at(text: str, name: str) -> list[int]:
    """The positions at which each ``[[name]]`` of a TOML file begins."""
    return [m.start() for m in re.finditer(rf"^\[\[{name}\]\]", text, re.MULTILINE)]


def added_to_list(text: str, start: int, key: str, value: str) -> str:
    """A TOML text with one more string at the end of the first list ``key`` from ``start`` on.

    Raises MakingError if there is no such list.
    """
    found = re.compile(rf"^{key}\s*=\s*\[", re.MULTILINE).search(text, start)
    end = _end_of_list(text, found.end()) if found else -1
    if found is None or end < 0:
        raise MakingError(f"There is no list {key!r} to add {value!r} to.")
    body = text[found.end() : end].rstrip().removesuffix(",")
    last = found.end() + len(body)
    line = text[text.rfind("\n", 0, last) + 1 : last]
    comma = ", " if body.strip() else ""
    if comma and len(line) + len(value) + 5 > LONGEST_LINE:
        comma = ",\n  "
    return f'{text[:last]}{comma}"{value}"{text[last:].lstrip(",")}'


def _end_of_list(text: str, at: int) -> int:
    """The position of the bracket that closes a list of strings, or -1."""
    while at < len(text):
        if skipped := _STRING_OR_COMMENT.match(text, at):
            at = skipped.end()
        elif text[at] == "]":
            return at
        else:
            at += 1
    return -1
