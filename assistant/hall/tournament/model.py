"""A tournament as its acts have made it: pairs, matches, results, tables; and how pairs enrol.

A list of pairs is a CSV file. Nobody plays in two pairs.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from assistant.hall.tournament.acts import Act, Drawn, Format, Options, PairCorrected, PairEnrolled
from assistant.hall.tournament.errors import MAX_PAIRS, TournamentError, normalized


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


# ---- Pairs from a list as people keep it: CSV, from a spreadsheet or typed ----------------------


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": ("pareja", "nombre", "equipo", "bikotea", "izena", "name", "pair", "team"),
    "first": ("jugador 1", "jugador1", "jugadora 1", "jokalaria 1", "1. jokalaria", "player 1"),
    "second": ("jugador 2", "jugador2", "jugadora 2", "jokalaria 2", "2. jokalaria", "player 2"),
    "club": ("peña", "club", "sociedad", "elkartea", "taldea"),
    "seed": ("cabeza", "cabeza de serie", "serie", "burua", "seed"),
}
"""The names that a column may have in the first line, in any case, with or without accents."""
NEEDED = ("first", "second")
MOST_LETTERS = 1_000_000


def pairs_from_csv(text: str, tournament: Tournament, by: str = "") -> tuple[PairEnrolled, ...]:
    """The pairs of a list, numbered after those already enrolled.

    The first line names the columns. Commas, semicolons or tabs separate them. A pair without a
    name gets its players' names. Raises TournamentError with the number of the line.
    """
    if len(text) > MOST_LETTERS:
        raise TournamentError("list_too_long")
    lines = text.lstrip("\ufeff").splitlines()
    if not lines:
        raise TournamentError("list_empty")
    rows = csv.reader(lines, delimiter=max(",;\t", key=lines[0].count))
    try:
        places = _places(next(rows))
        return tuple(
            _pairs(rows, places, max([*tournament.pairs, *tournament.gone], default=0), by)
        )
    except csv.Error as error:
        raise TournamentError("list_unreadable", why=str(error)) from None


def _pairs(
    rows: Iterable[list[str]], places: Mapping[str, int], last: int, by: str
) -> Iterable[PairEnrolled]:
    for line, row in enumerate(rows, 2):
        cells = {
            what: " ".join(row[place].split()) if place < len(row) else ""
            for what, place in places.items()
        }
        if not any(cells.values()):
            continue
        last += 1
        if last > MAX_PAIRS:
            raise TournamentError("list_full", line=line, most=MAX_PAIRS)
        try:
            yield PairEnrolled(
                last,
                cells.get("name") or f"{cells['first']} y {cells['second']}",
                (cells["first"], cells["second"]),
                cells.get("club", ""),
                _seed(cells.get("seed", "")),
                by,
            )
        except TournamentError as error:
            raise TournamentError("in_line", line=line, error=str(error)) from error


def _places(names: list[str]) -> dict[str, int]:
    known = {normalized(name): what for what, names in COLUMNS.items() for name in names}
    places = {
        known[normalized(name)]: at for at, name in enumerate(names) if normalized(name) in known
    }
    if not all(what in places for what in NEEDED):
        raise TournamentError("list_columns")
    return places


def _seed(text: str) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return int(text[:9])
    raise TournamentError("no_seed_place", text=f"{text!r:.40}")


# ---- A person plays in one pair ------------------------------------------------------------------
# Who is named in two pairs is refused, unless somebody said that they are two people. This is
# checked before an act is written, and not when it is read: acts from before there was this check
# stay readable.


def check_people(tournament: Tournament, act: Act) -> None:
    """Raise TournamentError for an act by which one person would be in two pairs."""
    match act:
        case PairEnrolled() | PairCorrected():
            People(tournament, without=act.pair).check(act)
        case Drawn() if not act.namesakes:
            people = People()
            for pair in _here(tournament):
                people.check(pair)
                if not pair.namesakes:
                    people.add(pair)


class People:
    """The players of a tournament by name, each with the number of his pair."""

    def __init__(self, tournament: Tournament | None = None, without: int | None = None) -> None:
        """Begin with the pairs of a tournament, except the pair ``without``, or with nobody."""
        self._pairs: dict[str, int] = {}
        for pair in _here(tournament) if tournament else ():
            if pair.number != without:
                self.add(pair)

    def add(self, pair: Pair | PairEnrolled) -> None:
        """Note the players of a pair."""
        self._pairs |= dict.fromkeys(map(normalized, pair.players), _number(pair))

    def check(self, pair: Pair | PairEnrolled | PairCorrected) -> None:
        """Raise TournamentError for a pair with a player of another pair."""
        if pair.namesakes:
            return
        one, other = pair.players
        if normalized(one) == normalized(other):
            raise TournamentError("person_alone", name=one, pair=_number(pair))
        for player in pair.players:
            if normalized(player) in self._pairs:
                number = self._pairs[normalized(player)]
                raise TournamentError("person_twice", name=player, pair=number)


def _number(pair: Pair | PairEnrolled | PairCorrected) -> int:
    return pair.number if isinstance(pair, Pair) else pair.pair


def _here(tournament: Tournament) -> list[Pair]:
    """The pairs that still play. A player of a pair that withdrew may come back in another."""
    return [pair for number, pair in tournament.pairs.items() if number not in tournament.withdrawn]
