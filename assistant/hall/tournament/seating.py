"""Who sits where in a match, and by which short name: a table calls people by one word each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.hall.tournament.model import Pair

LONGEST = 20
"""Letters of a name at a table; see ``assistant.language.script.read``."""


def seating(first: Pair, second: Pair) -> tuple[str, str, str, str]:
    """The names for seats 1 to 4: the first pair at 1 and 3, the second at 2 and 4.

    First names, if they tell the four apart; else with the initials, or all, of what follows.
    """
    players = (first.players[0], second.players[0], first.players[1], second.players[1])
    for short in _SHORT:
        names = [short(_words(player)) for player in players]
        if len({name.casefold() for name in names}) == len(names):
            break
    else:  # two of the same name: as people do, by a number
        names = [f"{name[: LONGEST - 1]}{seat}" for seat, name in enumerate(names, 1)]
    return names[0], names[1], names[2], names[3]


def _words(player: str) -> list[str]:
    """What a name is made of, without what no table can call."""
    kept = "".join(c if c.isalnum() or c in "'-" else " " for c in player)
    words = [word for word in kept.split() if any(c.isalpha() for c in word)]
    return words or ["Jugador"]


_SHORT: Sequence[Callable[[list[str]], str]] = (
    lambda words: words[0][:LONGEST],
    lambda words: (words[0] + "".join(word[0] for word in words[1:]))[:LONGEST],
    lambda words: "".join(words)[:LONGEST],
)
