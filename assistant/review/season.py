"""A season: each player and pair across evenings, ranked; and who should play together next."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from typing import Any

from assistant.language.sentences import Wording
from assistant.review.chronicle import chronicle
from assistant.review.report import Block, Heading, Rows, Sentences, dated
from assistant.rules.history import Record

# ---- The matches of a season, counted by name ---------------------------------------------------


EVENING = 12 * 3600.0
"""The most seconds between the beginnings of the first and the last match of an evening."""
DAY = "%Y-%m-%d"
NEVER = 0, 0.0
"""The entry of two players who never played together: how often, and when the last time."""
Keys = tuple[str, ...]
"""The players of a side by their ``name_key``, in alphabetical order."""


def name_key(name: str) -> str:
    """The key of a player: his name without accents, capitals and double spaces."""
    apart = unicodedata.normalize("NFKD", name)
    letters = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(letters.casefold().split())


def are_different(names: Sequence[str]) -> bool:
    """Whether no two of these names are those of one player."""
    return len(set(map(name_key, names))) == len(names)


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player, or a side of several players, over all its matches.

    ``names`` are as they were written last. Rows that won the same share have the same ``rank``.
    """

    rank: int
    names: tuple[str, ...]
    evenings: int
    matches: int
    won: int
    juegos_won: int
    juegos_lost: int
    stones: int

    @property
    def percent(self) -> int:
        """The share of matches won, rounded; a half is rounded up."""
        return (200 * self.won + self.matches) // (2 * self.matches)


@dataclass(frozen=True, slots=True)
class Season:
    """Finished matches, and their results for each player and each pair.

    unfinished  matches that were begun and not ended; they count for nothing
    namesakes   finished matches with two players of one name; nobody knows who is who
    together    two players -> how many matches they played on one side, and when the last began
    """

    began: float | None
    ended: float | None
    evenings: int
    matches: int
    unfinished: int
    namesakes: int
    players: tuple[SeasonRow, ...]
    pairs: tuple[SeasonRow, ...]
    together: Mapping[Keys, tuple[int, float]]


@dataclass(frozen=True, slots=True)
class SidePlayed:
    """One side of a match, and its result."""

    names: tuple[str, ...]
    juegos: int
    stones: int
    won: bool


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """The data of a match that a season keeps. Nobody has ``won`` one that was not finished."""

    began: float
    ended: float
    sides: tuple[SidePlayed, ...]

    @property
    def finished(self) -> bool:
        """Whether it was played to its end."""
        return any(side.won for side in self.sides)

    @property
    def names(self) -> tuple[str, ...]:
        """Its players, side by side."""
        return tuple(name for side in self.sides for name in side.names)


def match_played(records: Sequence[Record]) -> MatchPlayed | None:
    """A match from its records; None if nothing was dealt. Raises HistoryError."""
    told = chronicle(records) if records else None
    if told is None or not told.deals:
        return None
    return MatchPlayed(
        began=told.began,
        ended=told.ended,
        sides=tuple(
            SidePlayed(
                names=side.names,
                juegos=sum(juego.side == side.side for juego in told.juegos),
                stones=side.stones,
                won=told.winner == side.side,
            )
            for side in told.sides
        ),
    )


def season(matches: Iterable[MatchPlayed]) -> Season:
    """Count some matches, in any order."""
    played = sorted(matches, key=lambda one: one.began)
    finished = [one for one in played if one.finished]
    counted = [one for one in finished if are_different(one.names)]
    players: dict[Keys, _Tally] = {}
    pairs: dict[Keys, _Tally] = {}
    together: dict[Keys, tuple[int, float]] = {}
    spelled: dict[str, str] = {}
    evening, began = 0, float("-inf")
    for one in counted:
        if one.began - began > EVENING:
            evening, began = evening + 1, one.began
        juegos = sum(side.juegos for side in one.sides)
        for side in one.sides:
            spelled |= {name_key(name): " ".join(name.split()) for name in side.names}
            keys = tuple(sorted(map(name_key, side.names)))
            for key in keys:
                players.setdefault((key,), _Tally()).add(side, juegos, evening)
            if len(keys) > 1:
                pairs.setdefault(keys, _Tally()).add(side, juegos, evening)
            for two in combinations(keys, 2):
                together[two] = together.get(two, NEVER)[0] + 1, one.began
    return Season(
        began=counted[0].began if counted else None,
        ended=counted[-1].ended if counted else None,
        evenings=evening,
        matches=len(counted),
        unfinished=len(played) - len(finished),
        namesakes=len(finished) - len(counted),
        players=_ranked(players, spelled),
        pairs=_ranked(pairs, spelled),
        together=together,
    )


@dataclass(slots=True)
class _Tally:
    """A row while its matches are counted."""

    evenings: set[int] = field(default_factory=set)
    matches: int = 0
    won: int = 0
    juegos_won: int = 0
    juegos_lost: int = 0
    stones: int = 0

    def add(self, side: SidePlayed, juegos: int, evening: int) -> None:
        """Count a match; ``juegos``: those of all its sides."""
        self.evenings.add(evening)
        self.matches += 1
        self.won += side.won
        self.juegos_won += side.juegos
        self.juegos_lost += juegos - side.juegos
        self.stones += side.stones

    @property
    def share(self) -> Fraction:
        return Fraction(self.won, self.matches)


def _ranked(tallies: Mapping[Keys, _Tally], spelled: Mapping[str, str]) -> tuple[SeasonRow, ...]:
    """The rows in their order: by share, of equal ones the more matches first, then by name."""
    ordered = sorted(tallies.items(), key=lambda one: (-one[1].share, -one[1].matches, one[0]))
    shares = [tally.share for _, tally in ordered]
    return tuple(
        SeasonRow(
            rank=1 + shares.index(tally.share),
            names=tuple(spelled[key] for key in keys),
            evenings=len(tally.evenings),
            matches=tally.matches,
            won=tally.won,
            juegos_won=tally.juegos_won,
            juegos_lost=tally.juegos_lost,
            stones=tally.stones,
        )
        for keys, tally in ordered
    )


# ---- The next pairs -----------------------------------------------------------------------------


MOST_NAMES = 12
"""Twelve players can be paired in 10,395 ways, and each is looked at."""
Pair = tuple[str, str]


def next_pairs(names: Sequence[str], played: Season) -> tuple[Pair, ...]:
    """The pairs, of an even number of names, that have played together least.

    It compares the arrangements by how often their pairs have played together, the most frequent
    pair first. Of equal ones it takes the one whose pairs played longest ago; then the first in the
    order of the names.
    """

    def cost(pairs: Sequence[Pair]) -> tuple[list[int], list[float]]:
        known = [played.together.get(_keys(pair), NEVER) for pair in pairs]
        return (
            sorted((times for times, _ in known), reverse=True),
            sorted((last for _, last in known), reverse=True),
        )

    return min(_arrangements(tuple(names)), key=cost)


def _keys(pair: Pair) -> Keys:
    return tuple(sorted(map(name_key, pair)))


def _arrangements(names: tuple[str, ...]) -> Iterator[tuple[Pair, ...]]:
    """Every way to pair these names."""
    if not names:
        yield ()
        return
    first, *others = names
    for place, other in enumerate(others):
        for rest in _arrangements((*others[:place], *others[place + 1 :])):
            yield (first, other), *rest


# ---- A season as JSON, and in words -------------------------------------------------------------


COLUMNS = ("matches", "juegos", "stones", "evenings")
SHAPE: dict[str, str] = {
    "names.comma": "",
    "names.and": "first last",
    "names.and_soft": "first last",
    "names.soft_before": "",
    "title": "",
    "dates": "began ended",
    "played": "evenings matches",
    "unfinished": "n",
    "namesakes": "n",
    "nothing": "",
    "players.title": "",
    "players.column": "",
    "pairs.title": "",
    "pairs.column": "",
    **{f"column.{column}": "" for column in COLUMNS},
    "cell.name": "rank name",
    "cell.matches": "won matches percent",
    "cell.juegos": "won lost",
    "read.order": "",
    "read.names": "",
    "next.title": "",
    "next.pair": "pair n",
    "next.read": "",
}
"""Every text and the words that the code fills into it."""


def season_json(found: Season, pairs: Sequence[Pair] = ()) -> dict[str, Any]:
    """All figures; ``pairs``: the next ones, if they were asked for. Times are Unix time."""
    return {
        "began": found.began,
        "ended": found.ended,
        "evenings": found.evenings,
        "matches": found.matches,
        "unfinished": found.unfinished,
        "namesakes": found.namesakes,
        "players": [{"name": row.names[0], **_figures(row)} for row in found.players],
        "pairs": [{"names": list(row.names), **_figures(row)} for row in found.pairs],
        "next": [
            {"names": list(pair), "together": found.together.get(_keys(pair), NEVER)[0]}
            for pair in pairs
        ],
    }


def _figures(row: SeasonRow) -> dict[str, int]:
    return {
        "rank": row.rank,
        "evenings": row.evenings,
        "matches": row.matches,
        "won": row.won,
        "percent": row.percent,
        "juegos_won": row.juegos_won,
        "juegos_lost": row.juegos_lost,
        "stones": row.stones,
    }


def season_blocks(
    found: Season, words: Wording, dates: Wording, pairs: Sequence[Pair] = ()
) -> Iterator[Block]:
    """All of a season, in its order.

    ``dates``: the words of a report, which has those of dates. ``pairs``: the next ones, if they
    were asked for.
    """
    yield Heading(1, words("title"))
    yield Sentences(tuple(_played(found, words, dates)))
    for kind, rows in (("players", found.players), ("pairs", found.pairs)):
        if rows:
            yield Heading(2, words(f"{kind}.title"))
            yield _table(rows, words(f"{kind}.column"), words)
    if found.matches:
        yield Sentences((words("read.order"), words("read.names")))
    if pairs:
        yield Heading(2, words("next.title"))
        times = [found.together.get(_keys(pair), NEVER)[0] for pair in pairs]
        told = (
            words("next.pair", pair=words.names(pair), n=n)
            for pair, n in zip(pairs, times, strict=True)
        )
        yield Sentences(tuple(told), items=True)
        yield Sentences((words("next.read"),))


def _played(found: Season, words: Wording, dates: Wording) -> Iterator[str]:
    if found.began is None or found.ended is None:
        yield words("nothing")
    else:
        days = (datetime.fromtimestamp(at).date() for at in (found.began, found.ended))
        began, ended = (dated(day, dates) for day in days)
        yield words("dates", began=began, ended=ended)
        yield words("played", evenings=found.evenings, matches=found.matches)
    if found.unfinished:
        yield words("unfinished", n=found.unfinished)
    if found.namesakes:
        yield words("namesakes", n=found.namesakes)


def _table(rows: Sequence[SeasonRow], column: str, words: Wording) -> Rows:
    return Rows(
        (column, *(words(f"column.{name}") for name in COLUMNS)),
        tuple(
            (
                words("cell.name", rank=row.rank, name=words.names(row.names)),
                words("cell.matches", won=row.won, matches=row.matches, percent=row.percent),
                words("cell.juegos", won=row.juegos_won, lost=row.juegos_lost),
                str(row.stones),
                str(row.evenings),
            )
            for row in rows
        ),
    )
