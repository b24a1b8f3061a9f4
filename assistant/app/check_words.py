"""What a check found in the words of a language, which are data: ``models/checks``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.app.checks import Found, State
from assistant.app.errors import UsageError
from assistant.app.resources import load_toml
from assistant.paths import data_dir

ANY = "any"
"""The table of what can come of every check."""


@dataclass(frozen=True, slots=True)
class Told:
    """A check in words: its name, how it came out, what was found, and what to do ("": nothing)."""

    name: str
    state: State
    found: str
    advice: str


class CheckWords:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        """Raises UsageError where there are none, or their file is broken."""
        self._path = data_dir("models") / "checks" / f"{language}.toml"
        self._words: dict[str, Any] = load_toml(self._path)

    def told(self, check: str, found: Found) -> Told:
        """What a check found. Raises UsageError where a word is missing or wrong."""
        try:
            own = self._words[check]
            texts = own.get(found.code) or self._words[ANY][found.code]
            said = [str(text).format(**found.params) for text in texts]
            return Told(own["name"], found.state, said[0], " ".join(said[1:]))
        except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
            wrong = f"[{check}] has no good words for {found.code}"
            raise UsageError(f"{self._path}: {wrong}.") from error
