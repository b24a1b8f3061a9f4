"""What a player reads aloud, and the sounds that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.speech.errors import ModelError

SILENCE = "SIL"
BETWEEN = "|"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to say it: base phones with silence around each word, and which may be left out."""

    phones: tuple[int, ...]
    optional: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A call to be read, and all the ways that people say it."""

    say: str
    ways: tuple[Way, ...]


def prompts_from(table: Mapping[str, Any], phones: Mapping[str, int]) -> tuple[Prompt, ...]:
    """The prompts of a parsed file of ``models/enrol``; ``phones``: the model's, by name.

    Raises ModelError where the model lacks one.
    """
    return tuple(
        Prompt(call["say"], tuple(_way(sounds, phones) for sounds in call["sounds"]))
        for call in table["calls"]
    )


def _way(sounds: str, phones: Mapping[str, int]) -> Way:
    found, optional = [phones[SILENCE]], [True]
    for word in sounds.split(BETWEEN):
        try:
            spoken = [phones[name] for name in word.split()]
        except KeyError as lacking:
            raise ModelError(
                f"The speech model has no sound {lacking.args[0]!r}: voices cannot be learnt by it."
            ) from lacking
        found += [*spoken, phones[SILENCE]]
        optional += [*(False for _ in spoken), True]
    return Way(tuple(found), tuple(optional))
