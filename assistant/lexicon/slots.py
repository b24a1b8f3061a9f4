"""The places in a phrase that stand for many wordings, and what was said in them."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rules.calls import Whose
from assistant.rules.phases import Lance

NUMBER = "{n}"
LANCE = "{lance}"
WHOSE = "{whose}"
PLAYER = "{player}"
VALUES = "{values}"
SLOTS = (NUMBER, LANCE, WHOSE, PLAYER, VALUES)


@dataclass(frozen=True, slots=True)
class Filled:
    """What filled the slots of a phrase.

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
