"""A tournament as its acts have made it: pairs, matches, results, tables; and how pairs enrol.

A list of pairs is a CSV file. Nobody plays in two pairs.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from assistant.hall.tournament.acts import (
    Act,
    Drawn,
    Format,
    Options,
    PairCorrected,
    PairEnrolled,
    PlayerEnrolled,
)
from assistant.hall.tournament.errors import MAX_PAIRS, TournamentError, normalized
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


Slot = PairSlot | ByeSlot | WinnerOf | LoserOf | FirstLossOf | SecondChance | PlaceOf


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
    the pair plays its first matches.
    """

    number: int
    name: str
    players: tuple[str, ...]
    club: str
    seed: int | None
    namesakes: bool = False
    bar: str = ""
    of: tuple[int, ...] = ()


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
    order of play. ``stages`` are those of the format, ``sheet`` is the file that they come from, or
    None. ``entries`` are the places of each group of each stage, () before the draw. ``paired``
    counts the rounds so far of each group that is paired round by round, by (phase, group).
    ``annulled`` has the seeds of earlier draws, each with the reason why it does not count.
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
    stages: tuple[Stage, ...] = ()
    sheet: FormatSheet | None = None
    entries: tuple[tuple[tuple[Slot, ...], ...], ...] = ()
    paired: Mapping[tuple[int, int], int] = field(default_factory=dict)
    annulled: tuple[tuple[int, str], ...] = ()

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
        """What a pair has to win in a match: so many juegos, or so many vacas."""
        stage = self.stage_of(match)
        return stage.vacas if stage.vacas > 1 else self.juegos_of(match)

    def juegos_of(self, match: str) -> int:
        """How many juegos win a match, or a vaca of it."""
        return self.stage_of(match).juegos or self.options.juegos


# ---- Pairs from a list as people keep it: CSV, from a spreadsheet or typed ----------------------


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": ("pareja", "nombre", "equipo", "bikotea", "izena", "name", "pair", "team"),
    "first": (
        *("jugador 1", "jugador1", "jugadora 1", "jokalaria 1", "1. jokalaria", "player 1"),
        *("jugador", "jugadora", "jokalaria", "player"),  # where everybody enrols alone
    ),
    "second": ("jugador 2", "jugador2", "jugadora 2", "jokalaria 2", "2. jokalaria", "player 2"),
    "club": ("peña", "club", "sociedad", "elkartea", "taldea"),
    "seed": ("cabeza", "cabeza de serie", "serie", "burua", "seed"),
    "bar": ("bar", "sede", "taberna", "lekua", "lokala", "venue"),
}
"""The names that a column may have in the first line, in any case, with or without accents."""
NEEDED = ("first", "second")
MOST_LETTERS = 1_000_000
MOST_FAULTS = 20
"""The most wrong lines of a list that a refusal tells."""
Enrolled = PairEnrolled | PlayerEnrolled


Line = tuple[int, Enrolled | TournamentError]
"""The number of a line of a list, and the pair in it, or what is wrong with it."""


def pairs_from_csv(text: str, tournament: Tournament, by: str = "") -> tuple[Enrolled, ...]:
    """The pairs of a list, numbered after those already enrolled.

    The first line names the columns. Commas, semicolons or tabs separate them. A pair without a
    name gets its players' names. Where everybody enrols alone, each line has a player, or two.
    Raises TournamentError with the numbers of all lines that are wrong.
    """
    return checked_lines(lines_from_csv(text, tournament, by))


def checked_lines(lines: Sequence[Line]) -> tuple[Enrolled, ...]:
    """The pairs of a list. Raises TournamentError with all lines that are wrong, if some are."""
    wrong = [(line, pair) for line, pair in lines if isinstance(pair, TournamentError)]
    told = [TournamentError("in_line", line=line, error=str(error)) for line, error in wrong]
    if len(wrong) == 1:
        raise told[0] from wrong[0][1]
    if wrong:
        faults = [
            {"line": line, "because": {"code": error.code, "facts": error.facts}}
            for line, error in wrong[:MOST_FAULTS]
        ]
        facts = {"error": " ".join(map(str, told[:MOST_FAULTS])), "faults": faults}
        raise TournamentError("in_lines", **facts, wrong=len(wrong))
    return tuple([pair for _, pair in lines if not isinstance(pair, TournamentError)])


def lines_from_csv(text: str, tournament: Tournament, by: str = "") -> list[Line]:
    """The lines of a list, as ``pairs_from_csv`` reads them.

    Raises TournamentError for what is no list of pairs at all.
    """
    if len(text) > MOST_LETTERS:
        raise TournamentError("list_too_long")
    lines = text.lstrip("\ufeff").splitlines()
    if not lines:
        raise TournamentError("list_empty")
    rows = csv.reader(lines, delimiter=max(",;\t", key=lines[0].count))
    last = max([*tournament.pairs, *tournament.gone], default=0)
    found: list[Line] = []
    try:
        places = _places(next(rows), tournament.individual)
        for line, cells in _cells(rows, places):
            alone = [cells["first"], cells.get("second", "")] if tournament.individual else [""]
            for name in alone[:1] + [other for other in alone[1:] if other]:
                last += 1
                if last > MAX_PAIRS:
                    raise TournamentError("list_full", line=line, most=MAX_PAIRS)
                try:
                    found.append((line, _enrolled_in(cells, name, last, by, tournament)))
                except TournamentError as error:
                    found.append((line, error))
    except csv.Error as error:
        raise TournamentError("list_unreadable", why=str(error)) from None
    return found


def _enrolled_in(
    cells: Mapping[str, str], name: str, number: int, by: str, tournament: Tournament
) -> Enrolled:
    """The pair of a line; or the player ``name``, where everybody enrols alone."""
    if tournament.individual:
        return PlayerEnrolled(number, name, cells.get("club", ""), by)
    return PairEnrolled(
        number,
        cells.get("name") or f"{cells['first']} y {cells['second']}",
        (cells["first"], cells["second"]),
        cells.get("club", ""),
        _seed(cells.get("seed", "")),
        by,
        bar=cells.get("bar", ""),
    )


def _cells(
    rows: Iterable[list[str]], places: Mapping[str, int]
) -> Iterable[tuple[int, dict[str, str]]]:
    """The lines of a list that are not empty, each with its number."""
    for line, row in enumerate(rows, 2):
        cells = {
            what: " ".join(row[place].split()) if place < len(row) else ""
            for what, place in places.items()
        }
        if any(cells.values()):
            yield line, cells


def _places(names: list[str], alone: bool) -> dict[str, int]:
    known = {normalized(name): what for what, names in COLUMNS.items() for name in names}
    places = {
        known[normalized(name)]: at for at, name in enumerate(names) if normalized(name) in known
    }
    if alone and "name" in places:
        places.setdefault("first", places["name"])
    if not all(what in places for what in (NEEDED[:1] if alone else NEEDED)):
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
        case PairEnrolled() | PlayerEnrolled() | PairCorrected():
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
        self._alone = tournament is not None and tournament.individual
        for pair in _here(tournament) if tournament else ():
            if pair.number != without:
                self.add(pair)

    def add(self, pair: Pair | Enrolled) -> None:
        """Note the players of a pair."""
        self._pairs |= dict.fromkeys(map(normalized, _players(pair)), _number(pair))

    def check(self, pair: Pair | Enrolled | PairCorrected) -> None:
        """Raise TournamentError for a pair with a player of another pair."""
        if pair.namesakes:
            return
        players = _players(pair)[:1] if self._alone else _players(pair)
        if len({*map(normalized, players)}) < len(players):
            raise TournamentError("person_alone", name=players[0], pair=_number(pair))
        for player in players:
            if normalized(player) in self._pairs:
                number = self._pairs[normalized(player)]
                raise TournamentError("person_twice", name=player, pair=number)


def _players(pair: Pair | Enrolled | PairCorrected) -> tuple[str, ...]:
    return (pair.name,) if isinstance(pair, PlayerEnrolled) else pair.players


def _number(pair: Pair | Enrolled | PairCorrected) -> int:
    return pair.number if isinstance(pair, Pair) else pair.pair


def _here(tournament: Tournament) -> list[Pair]:
    """The pairs that still play. A player of a pair that withdrew may come back in another."""
    return [
        pair
        for number, pair in tournament.pairs.items()
        if number not in tournament.withdrawn and not pair.of
    ]
