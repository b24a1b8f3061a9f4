"""A tournament as its acts have made it: pairs, matches, results, tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from assistant.hall.tournament.acts import Format, Options, PairEnrolled, PlayerEnrolled, Times
from assistant.hall.tournament.formats import FormatSheet, Stage


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
class FirstLossOf:
    """A place for the pair of one side of a match, 0 or 1, if it lost; else a bye.

    It came there by a bye, so this was its first match.
    """

    match: str
    side: int


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """A place for the pair that finishes at ``place`` in a group of a stage; all count from 1."""

    group: int
    place: int
    phase: int = 1


@dataclass(frozen=True, slots=True)
class BestOf:
    """A place for one of the pairs that finish at ``place`` in the groups of stage ``phase``.

    All of them are compared. ``rank`` is a place in that comparison, from 1; those who come into
    stage ``into`` by it may change places with each other, so that groups are kept apart.
    """

    place: int
    rank: int
    phase: int
    into: int


@dataclass(frozen=True, slots=True)
class EitherOf:
    """A place for ``usual``, or for ``other`` if one of group ``barred`` comes in as a ``BestOf``.

    So a pair of that group does not meet its own group at once; see ``draw.spared``.
    """

    usual: PlaceOf
    other: PlaceOf
    barred: int
    into: int


Slot = (
    PairSlot
    | ByeSlot
    | WinnerOf
    | LoserOf
    | FirstLossOf
    | SecondChance
    | PlaceOf
    | BestOf
    | EitherOf
)


@dataclass(frozen=True, slots=True)
class Match:
    """Two places that meet.

    ``stage`` is "knockout", "bronze", "winners", "losers", "final", "robin", "group", "swiss",
    "redraw", "lives" or "individual". ``group`` is the number of the group, or 0. ``round`` counts
    from 1 within the stage, and ``phase`` is the number of the stage in its format.
    """

    id: str
    stage: str
    round: int
    a: Slot
    b: Slot
    group: int = 0
    phase: int = 1


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players with their number and names; see ``PairEnrolled``.

    In an individual tournament those who enrol are one player each. The pairs that a round makes of
    them have numbers above ``MAX_NUMBER``, and ``of`` has the numbers of the two. ``bar`` is where
    the pair plays its first matches. ``category``: a group of pairs with a podium of its own, or
    "". ``late``: it came after the draw, so it is left out when the draw is repeated.
    """

    number: int
    name: str
    players: tuple[str, ...]
    club: str
    seed: int | None
    namesakes: bool = False
    bar: str = ""
    of: tuple[int, ...] = ()
    category: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, in the order of its ``pairs``.

    ``counts``: the result came from a table, was countersigned, or was decided with a reason.
    ``by`` entered or decided it last. ``walkover``: the match was not played, or not to its end.
    ``how``: "time" (it was stopped as it stood), "both" (both lost), "late", "sanction", or "".
    ``favoured`` is the pair that wins although the juegos are level.
    """

    pairs: tuple[int, int]
    juegos: tuple[int, int]
    stones: tuple[int, int]
    by: str
    counts: bool
    game: str = ""
    reason: str = ""
    walkover: bool = False
    how: str = ""
    favoured: int | None = None

    @property
    def winner(self) -> int | None:
        """The pair with more juegos; None if nobody won."""
        first, second = self.juegos
        if first == second:
            return self.favoured
        return self.pairs[0] if first > second else self.pairs[1]

    @property
    def loser(self) -> int | None:
        """The pair that did not win; None if nobody won."""
        winner = self.winner
        if winner is None:
            return None
        return self.pairs[1] if winner == self.pairs[0] else self.pairs[0]


STOPPED, BOTH, SANCTION = "time", "both", "sanction"
"""How a match ended otherwise than by being won: values of ``Result.how``, with ``LATE``."""
LATE = "late"
"""The kind of a penalty for lateness; the others are the degrees of a sanction."""


@dataclass(frozen=True, slots=True)
class PairPenalty:
    """A sanction or a lateness, by its number in the tournament.

    ``kind`` is ``LATE`` or a ``Degree``. ``pairs`` met in ``match`` at the time, and ``side`` is
    the place in it of the pair that is punished. ``juegos``: what it lost there. ``lifted`` is why
    it was taken back, "" if it holds.
    """

    number: int
    pair: int
    kind: str
    by: str
    match: str = ""
    pairs: tuple[int, ...] = ()
    side: int = 0
    juegos: int = 0
    minutes: int = 0
    article: str = ""
    player: str = ""
    reason: str = ""
    lifted: str = ""


@dataclass(frozen=True, slots=True)
class Tournament:
    """The state that the acts lead to. It is immutable: ``apply`` makes a new one.

    ``gone`` has the numbers of the pairs that withdrew before the draw, ``withdrawn`` those that
    withdrew after it. ``order`` is the order of the draw, () before it; ``bag``: it was drawn by
    hand, from a bag. ``matches`` are in the order of play. ``stages`` are those of the format,
    ``sheet`` is the file that they come from, or None. ``entries`` are the places of each group of
    each stage, () before the draw. ``paired`` counts the rounds so far of each group that is paired
    round by round, by (phase, group).
    ``annulled`` has the seeds of earlier draws, each with the reason why it does not count.
    ``calls`` are those of the referee that he has not seen to, by match: who called, and why.
    ``moved`` has the dates of the matches that are not played with their round.
    ``ended`` is the hour at which a round ended by itself last, ``stopped`` what it decided.
    ``times`` and ``ends`` are as in ``TimesSet`` and ``RoundClockSet``, ``calling`` says whether
    free tables are called by themselves, and ``numbered`` how many tables there are for it.
    """

    name: str
    format: Format
    options: Options
    pairs: Mapping[int, Pair]
    gone: frozenset[int] = frozenset()
    withdrawn: frozenset[int] = frozenset()
    seed: int | None = None
    bag: bool = False
    order: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    matches: Mapping[str, Match] = field(default_factory=dict)
    results: Mapping[str, Result] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()
    sheet: FormatSheet | None = None
    entries: tuple[tuple[tuple[Slot, ...], ...], ...] = ()
    paired: Mapping[tuple[int, int], int] = field(default_factory=dict)
    annulled: tuple[tuple[int, str], ...] = ()
    calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    times: Times | None = None
    ends: int = 0
    ended: int = 0
    stopped: tuple[str, ...] = ()
    calling: bool = False
    numbered: int = 0
    penalties: tuple[PairPenalty, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds paired so far, of all that are paired one by one."""
        return sum(self.paired.values())

    @property
    def individual(self) -> bool:
        """Whether people enrol alone, and get a new partner each round."""
        return self.sheet is not None and self.sheet.individual

    def stage_of(self, match: str) -> Stage:
        """The stage that a match belongs to."""
        return self.stages[self.matches[match].phase - 1]

    def needed(self, match: str) -> int:
        """The juegos, or vacas, that a pair has to win in a match."""
        stage = self.stage_of(match)
        return stage.vacas if stage.vacas > 1 else self.juegos_of(match)

    def juegos_of(self, match: str) -> int:
        """How many juegos win a match, or a vaca of it."""
        return self.stage_of(match).juegos or self.options.juegos

    def whole(self, match: str) -> int:
        """How many juegos a pair loses with a match."""
        return self.juegos_of(match) * max(1, self.stage_of(match).vacas)

    def lost_in(
        self, match: str, pairs: tuple[Player, Player], *, late: bool = False
    ) -> tuple[int, int]:
        """The juegos that each of two pairs lost in their match by lateness and sanctions.

        ``late``: by lateness alone.
        """
        lost = [0, 0]
        for penalty in self.penalties:
            if penalty.match == match and penalty.pairs == pairs and not penalty.lifted:
                lost[penalty.side] += penalty.juegos if not late or penalty.kind == LATE else 0
        return lost[0], lost[1]

    def given(
        self, match: str, pairs: tuple[Player, Player], *, late: bool = False
    ) -> tuple[int, int]:
        """The juegos that each of two pairs gets in their match because the other one lost them."""
        first, second = self.lost_in(match, pairs, late=late)
        return second, first

    def least(self, match: str, pairs: tuple[Player, Player]) -> tuple[int, int]:
        """The least that each of two pairs has in a result of their match, by juegos given to it.

        If a result counts vacas, only the juegos that make a complete vaca count.
        """
        first, second = self.given(match, pairs)
        if self.stage_of(match).vacas < 2:
            return first, second
        juegos = self.juegos_of(match)
        return first // juegos, second // juegos


Enrolled = PairEnrolled | PlayerEnrolled


def pair_name(pair: Pair) -> str:
    """The one name of a pair, for every page, slip, screen, list and message."""
    return pair.name
