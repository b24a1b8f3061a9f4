"""How many cards somebody says he throws, and which those are."""

from __future__ import annotations

from assistant.players import Sight
from assistant.rules.cards import HAND_SIZE
from assistant.rules.hands import value

NUMBERS = {
    "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "todas": 4,
    "bat": 1, "bi": 2, "bia": 2, "hiru": 3, "lau": 4, "denak": 4,
    "one": 1, "two": 2, "three": 3, "four": 4, "all": 4,
}  # fmt: skip
"""A word said at the discard -> how many cards."""
KEPT = (10, 1)
"""Reyes and ases are thrown last."""


def spoken_throw(text: str, sight: Sight, first: tuple[int, ...]) -> tuple[int, ...]:
    """The places of as many cards as the words name, those in ``first`` before others; else ()."""
    named = [NUMBERS[word] for word in text.lower().split() if word in NUMBERS]
    if len(named) != 1:
        return ()

    def worth(place: int) -> tuple[bool, bool, int]:
        strength = value((sight.hand[place],), sight.state.profile).grande[0]
        return place not in first, strength in KEPT, strength

    return tuple(sorted(sorted(range(HAND_SIZE), key=worth)[: named[0]]))
