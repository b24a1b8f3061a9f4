"""Reading one value of a parsed TOML table; what is wrong is told in one sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import TypeVar

from assistant.lexicon.errors import LexiconError

Table = Mapping[str, object]
E = TypeVar("E", bound=StrEnum)


def only(table: Table, known: Collection[str], place: str) -> None:
    """Refuse a key that nobody reads: a misspelt one would be silently without effect."""
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
    """The list of tables ``[[key]]``; empty where there is none."""
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
