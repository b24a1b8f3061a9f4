"""The names that somebody chooses for the players of a new game.

A name that is a call of some language ("paso", "bai") is refused, because the table would take the
name for the call, and the log would read "Paso, paso". The files of old games may hold such names.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from assistant.files.resources import languages, load_lexicon
from assistant.language.lexicon import UNKNOWN, fold, words_of
from assistant.language.script import NameFault, SeatNameError, read_seats
from assistant.rules.errors import Translatable

ROLES = ("mano", "postre", "esku", "azkena")
"""Words that name a player by his place, beside the calls."""


def chosen_seats(text: str, seated: Collection[str] = ()) -> tuple[str, ...]:
    """The players' names, anticlockwise. Raises SeatNameError, ProfileError.

    ``seated``: who plays already, under whatever name.
    """
    names = read_seats(text)
    for name in names:
        if name not in seated:
            check_name(name)
    return names


def check_name(name: str) -> None:
    """Raise SeatNameError for a name that the table would take for a call."""
    if _as_heard(name) in _calls():
        raise SeatNameError(
            Translatable(
                "{name!r} is a word of the game, which the table would take for a call: "
                "choose another name.",
                name=name,
            ),
            NameFault.CALL,
            name,
        )


def _as_heard(text: str) -> tuple[str, ...]:
    """The words of a text without their accents; a mark ("no-quiero") parts two words."""
    letters = "".join(char if char.isalnum() else " " for char in text)
    return tuple(fold(word.text) for word in words_of(letters))


@cache
def _calls() -> frozenset[tuple[str, ...]]:
    """All that counts as a call or a command by itself, in every language."""
    calls = {
        _as_heard(phrase)
        for code in languages("lexicon")
        for phrase in load_lexicon((code,)).grammar()
        if phrase != UNKNOWN
    }
    return frozenset(calls | {(role,) for role in ROLES})
