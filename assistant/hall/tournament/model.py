"""A tournament as its acts have made it: pairs, matches, results, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from assistant.hall.tournament.acts import Format, Options


class Bye(Enum):
    """Nobody: who meets a bye wins without playing."""

    BYE = "bye"


BYE: Final = Bye.BYE

Player = int | Bye | None
"""Who takes part in a match: a pair's number, a bye, or nobody knows yet."""


@dataclass(frozen=True, slots=True)
class PairSlot:
    """A place in a match for a certain pair."""

    pair: int


@dataclass(frozen=True, slots=True)
class ByeSlot:
    """A place in a match that nobody takes."""


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """A place for whoever wins a match."""

    match: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """A place for whoever loses a match; nobody lost against a bye."""

    match: str


@dataclass(frozen=True, slots=True)
class SecondChance:
    """A place for the loser of a final, if he came to it unbeaten, as its first pair; else a bye.

    The second final of a double elimination is thus won without being played unless it is needed.
    """

    match: str


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """A place for whoever ends at ``place`` in a group; both count from 1."""

    group: int
    place: int


Slot = PairSlot | ByeSlot | WinnerOf | LoserOf | SecondChance | PlaceOf


@dataclass(frozen=True, slots=True)
class Match:
    """Two places that meet.

    ``stage``: "knockout", "bronze", "winners", "losers", "final", "robin", "swiss" or "group", the
    last with the number of its ``group``; ``round`` counts from 1 in its stage.
    """

    id: str
    stage: str
    round: int
    a: Slot
    b: Slot
    group: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players, their number and what they are called; see ``PairEnrolled``."""

    number: int
    name: str
    players: tuple[str, str]
    club: str
    seed: int | None
    namesakes: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, in the order of its ``pairs``.

    ``counts``: it came from a table, was countersigned, or decided by somebody with a reason.
    ``by`` is who entered or decided it last; ``walkover``: it was not played.
    """

    pairs: tuple[int, int]
    juegos: tuple[int, int]
    stones: tuple[int, int]
    by: str
    counts: bool
    game: str = ""
    reason: str = ""
    walkover: bool = False

    @property
    def winner(self) -> int:
        """The pair with more juegos."""
        return self.pairs[0] if self.juegos[0] > self.juegos[1] else self.pairs[1]

    @property
    def loser(self) -> int:
        """The pair with fewer juegos."""
        return self.pairs[1] if self.juegos[0] > self.juegos[1] else self.pairs[0]


@dataclass(frozen=True, slots=True)
class Tournament:
    """What the acts have led to; nothing of it is ever changed, ``apply`` makes another one.

    ``gone`` are the numbers of pairs that went before the draw, ``withdrawn`` those that went
    after. ``order`` is that of the draw, () before it; ``matches`` stand in the order of play,
    ``rounds`` is how many Swiss rounds have been paired.
    """

    name: str
    format: Format
    options: Options
    pairs: Mapping[int, Pair]
    gone: frozenset[int] = frozenset()
    withdrawn: frozenset[int] = frozenset()
    seed: int | None = None
    order: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    matches: Mapping[str, Match] = field(default_factory=dict)
    results: Mapping[str, Result] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 0
