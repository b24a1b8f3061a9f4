"""Enrolment: pairs from a CSV list, and the check that nobody plays in two pairs."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping

from assistant.hall.tournament.acts import Act, Drawn, PairCorrected, PairEnrolled
from assistant.hall.tournament.errors import MAX_PAIRS, TournamentError, normalized
from assistant.hall.tournament.model import Pair, Tournament

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
