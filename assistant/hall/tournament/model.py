"""A tournament as its acts have made it: pairs, matches, results, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from assistant.hall.tournament.acts import Format, Options


class Bye(Enum):
    """No opponent: a pair that meets a bye wins without playing."""

    BYE = "bye"


BYE: Final = Bye.BYE

Player = int | Bye | None
"""A participant of a match: a pair's number, a bye, or None while it is not known."""


@dataclass(frozen=True, slots=True)
class PairSlot:
    """A place in a match for a given pair."""

    pair: int


@dataclass(frozen=True, slots=True)
class ByeSlot:
    """A place in a match that stays empty."""


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """A place for the winner of a match."""

    match: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """A place for the loser of a match; a match against a bye has none."""

    match: str


@dataclass(frozen=True, slots=True)
class SecondChance:
    """A place for the first pair of a final if it lost, since it came there unbeaten; else a bye.

    So the second final of a double elimination is won without being played unless it is needed.
    """

    match: str


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """A place for the pair that finishes at ``place`` in a group; both count from 1."""

    group: int
    place: int


Slot = PairSlot | ByeSlot | WinnerOf | LoserOf | SecondChance | PlaceOf


@dataclass(frozen=True, slots=True)
class Match:
    """Two places that meet.

    ``stage`` is "knockout", "bronze", "winners", "losers", "final", "robin", "swiss" or "group".
    ``group`` is the number of the group, or 0. ``round`` counts from 1 within the stage.
    """

    id: str
    stage: str
    round: int
    a: Slot
    b: Slot
    group: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players with their number and names; see ``PairEnrolled``."""

    number: int
    name: str
    players: tuple[str, str]
    club: str
    seed: int | None
    namesakes: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, in the order of its ``pairs``.

    ``counts``: the result came from a table, was countersigned, or was decided with a reason.
    ``by`` entered or decided it last. ``walkover``: the match was not played.
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
    """The state that the acts lead to. It is immutable: ``apply`` makes a new one.

    ``gone`` has the numbers of the pairs that withdrew before the draw, ``withdrawn`` those that
    withdrew after it. ``order`` is the order of the draw, () before it. ``matches`` are in the
    order of play. ``rounds`` counts the Swiss rounds paired so far.
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
