"""Text as folded words that can be compared, and the checked values of a lexicon file."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from assistant.messages import Word
from assistant.rules.calls import Whose
from assistant.rules.errors import MusError
from assistant.rules.phases import Lance

# ---- What can be wrong with a lexicon file ------------------------------------------------------


class LexiconError(MusError, ValueError):
    """A lexicon that cannot be used: one sentence that says where and what to do."""


# ---- Text as words to be compared: the only place that ignores case, accents and punctuation ----


UNKNOWN = "[unk]"
"""The recogniser writes this for speech outside its vocabulary."""

Tokens = tuple[str, ...]


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """A word without case, accents and punctuation: "¿Órdago?" is "ordago"; may be empty."""
    # Twice, because some letters decompose only without their case, and some only with it.
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(char for char in bare if char.isalnum())


def tokens_of(text: str) -> Tokens:
    """The words of a line of text, folded."""
    return tuple(token for part in text.split() if (token := fold(part)))


def words_of(text: str) -> tuple[Word, ...]:
    """A typed line as words of the recogniser, all with the same time, so that it is one segment.

    Question marks stay in the words, because they tell a question from a call.
    """
    return tuple(Word(part) for part in text.split() if fold(part))


def is_question(texts: Sequence[str]) -> bool:
    """Whether the text has a question mark; sound never has one."""
    line = " ".join(texts)
    return "?" in line or "¿" in line


def split(words: Sequence[Word], silence: float) -> list[tuple[Word, ...]]:
    """Cut where more than ``silence`` seconds lie between two words."""
    pieces: list[list[Word]] = []
    for word in words:
        if pieces and word.start - pieces[-1][-1].end <= silence:
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return [tuple(piece) for piece in pieces]


# ---- Reading one value of a parsed TOML table; an error is one sentence -------------------------


Table = Mapping[str, object]
E = TypeVar("E", bound=StrEnum)


def only(table: Table, known: Collection[str], place: str) -> None:
    """Refuse an unknown key, because a misspelt one would silently have no effect."""
    for key in table:
        if key not in known:
            raise LexiconError(
                f"{place}: unknown key {key!r}; the keys are {', '.join(sorted(known))}."
            )


def table(mapping: Table, key: str) -> Table:
    """The table under ``key``, which must be there."""
    found = mapping.get(key)
    if not isinstance(found, dict):
        raise LexiconError(f"The lexicon needs a table [{key}].")
    return found


def tables(mapping: Table, key: str) -> list[Table]:
    """The list of tables ``[[key]]``; empty if there is none."""
    found = mapping.get(key, [])
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise LexiconError(f"Write each row of {key!r} under its own [[{key}]].")
    return found


def text(table: Table, key: str, place: str) -> str:
    """A text under ``key``, which must be there."""
    found = table.get(key)
    if not isinstance(found, str) or not found.strip():
        raise LexiconError(f'{place}: write {key} = "...".')
    return found


def texts(table: Table, key: str, place: str) -> tuple[str, ...]:
    """A list of texts under ``key``, none of them empty; it must be there and hold something."""
    found = table.get(key)
    if (
        not isinstance(found, list)
        or not found
        or not all(isinstance(item, str) and item.strip() for item in found)
    ):
        raise LexiconError(f'{place}: write {key} = ["...", "..."], with no empty text.')
    return tuple(found)


def number(table: Table, key: str, place: str, low: float, high: float) -> float:
    """A number from ``low`` to ``high`` under ``key``, which must be there."""
    found = table.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float) or not low <= found <= high:
        raise LexiconError(f"{place}: {key} must be a number from {low:g} to {high:g}.")
    return found


def choice(kind: type[E], value: str, place: str) -> E:
    """The member of an enumeration with this value."""
    try:
        return kind(value)
    except ValueError:
        raise LexiconError(
            f"{place}: {value!r} is unknown; choose from {', '.join(kind)}."
        ) from None


def switch(table: Table, key: str, place: str) -> bool:
    """True or false under ``key``; false where it is left out."""
    found = table.get(key, False)
    if not isinstance(found, bool):
        raise LexiconError(f"{place}: {key} must be true or false.")
    return found


# ---- Slots: places in a phrase that stand for many wordings, and their content ------------------


NUMBER = "{n}"
LANCE = "{lance}"
WHOSE = "{whose}"
PLAYER = "{player}"
VALUES = "{values}"
SLOTS = (NUMBER, LANCE, WHOSE, PLAYER, VALUES)


@dataclass(frozen=True, slots=True)
class Filled:
    """The content of the slots of a phrase.

    number  {n}
    lance   {lance}, or the lance that the {values} are of, or that of the row
    whose   {whose} as "nosotros", "los otros"; ``side``, a letter, where names were said
    player  {player}: a seat, the last of those named; ``players``: all of them
    values  {values}: the stones of each hand at pares or juego
    said    the words of the whole phrase, as they were heard
    """

    number: int | None = None
    lance: Lance | None = None
    whose: Whose | None = None
    side: str | None = None
    player: int | None = None
    players: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    said: str = ""
