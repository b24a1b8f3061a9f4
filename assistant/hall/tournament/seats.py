"""The seats of a match, and the players' short names: a table knows a player by one word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from assistant.hall.tournament.model import Pair

MAX_NAME = 20
"""Letters of a name at a table; see ``assistant.language.script.read``."""


def seating(first: Pair, second: Pair) -> tuple[str, str, str, str]:
    """The names for seats 1 to 4: the first pair at 1 and 3, the second at 2 and 4.

    They are first names, if these differ; else first names with initials, or the whole names.
    """
    return _seats((first.players[0], second.players[0], first.players[1], second.players[1]))


@lru_cache(maxsize=8192)
def _seats(players: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    for short in _SHORT:
        names = [short(_words(player)) for player in players]
        if len({name.casefold() for name in names}) == len(names):
            break
    else:  # two of the same name: numbered, as people do
        names = [f"{name[: MAX_NAME - 1]}{seat}" for seat, name in enumerate(names, 1)]
    return names[0], names[1], names[2], names[3]


def _words(player: str) -> list[str]:
    """The words of a name, without the characters that no table can say."""
    kept = "".join(c if c.isalnum() or c in "'-" else " " for c in player)
    words = [word for word in kept.split() if any(c.isalpha() for c in word)]
    return words or ["Jugador"]


_SHORT: Sequence[Callable[[list[str]], str]] = (
    lambda words: words[0][:MAX_NAME],
    lambda words: (words[0] + "".join(word[0] for word in words[1:]))[:MAX_NAME],
    lambda words: "".join(words)[:MAX_NAME],
)
