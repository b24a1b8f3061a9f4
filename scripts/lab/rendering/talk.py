"""Sentences of talk in a bar and at a card table, drawn from the templates of talk.toml."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.files.resources import load_toml

FILE = Path(__file__).parent / "talk.toml"
TRIES = 40
"""Draws of one template without a new sentence after which it counts as exhausted."""

_SLOT = re.compile(r"\{([^{}]*)\}")
_OPTION = re.compile(r"\[([^\[\]]*)\]")
_CHOICE = re.compile(r"\(([^()]*)\)")
_CONTRACTED = ((re.compile(r"\ba el\b"), "al"), (re.compile(r"\bde el\b"), "del"))
"""Where two fillers meet, Spanish joins them: "a el médico" is said "al médico"."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence in lower case, and the template that it came from."""

    text: str
    kind: str
    template: str


class Templates:
    """The templates of a file by their kinds, and the fillers of their slots."""

    def __init__(self, parsed: Mapping[str, Any]) -> None:
        """``parsed``: ``slots`` (name to fillers) and ``kind`` (rows of name and templates)."""
        self._slots: Mapping[str, list[str]] = parsed["slots"]
        self.rows: tuple[tuple[str, str], ...] = tuple(
            (kind["name"], template) for kind in parsed["kind"] for template in kind["templates"]
        )

    def fill(self, template: str, rng: random.Random) -> str:
        """One sentence of a template. Raises KeyError for a slot that the file lacks."""
        text = template
        while any(mark in text for mark in "{[("):
            text = _SLOT.sub(lambda match: rng.choice(self._slots[match[1]]), text)
            text = _OPTION.sub(lambda match: match[1] if rng.random() < 0.5 else "", text)
            text = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), text)
        for apart, joined in _CONTRACTED:
            text = apart.sub(joined, text)
        return " ".join(text.lower().split())


def load() -> Templates:
    """The templates of talk.toml."""
    return Templates(load_toml(FILE))


def sentences(templates: Templates, seed: int) -> Iterator[Sentence]:
    """Different sentences, until the templates have no more. The same seed gives the same ones.

    In each round every template says one sentence, in a random order, so that none prevails.
    """
    rng = random.Random(seed)
    rows, said = list(templates.rows), set[str]()
    while rows:
        rng.shuffle(rows)
        exhausted = []
        for kind, template in rows:
            text = _new(templates, template, said, rng)
            if text is None:
                exhausted.append((kind, template))
                continue
            said.add(text)
            yield Sentence(text, kind, template)
        rows = [row for row in rows if row not in exhausted]


def _new(templates: Templates, template: str, said: set[str], rng: random.Random) -> str | None:
    """A sentence that was not said before; None if the template gives none."""
    for _ in range(TRIES):
        text = templates.fill(template, rng)
        if text not in said:
            return text
    return None
