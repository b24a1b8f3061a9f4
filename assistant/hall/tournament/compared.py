"""The best of one place across the groups, as a page shows it: who goes on, and why."""

from __future__ import annotations

from typing import TypedDict

from assistant.hall.tournament.model import BestOf, Tournament
from assistant.hall.tournament.ranking import DRAW, BestRow, Resolver


class WhyShown(TypedDict):
    """Why a pair goes on or not: the criterion in which it differs from ``pair``, and both values.

    With "draw" these are the places in the order of the draw.

    For a pair that goes on, ``pair`` is the first that stays out; for the others, the last that
    goes on.
    """

    by: str
    pair: int
    own: float
    other: float


class ComparedShown(TypedDict):
    """A pair in the comparison. The numbers are those that count in it.

    ``left_out`` are the pairs against whom nothing counts. ``why`` is None where all go on.
    """

    place: int
    pair: int
    group: int
    played: int
    won: int
    lost: int
    juegos: list[int]
    stones: list[int]
    left_out: list[int]
    goes: bool
    why: WhyShown | None


class BestShown(TypedDict):
    """A comparison: the best ``best`` of place ``place`` in stage ``of`` go on to stage ``into``.

    ``average``: per match. ``settled``: all groups are decided; until then it may change.
    """

    into: int
    of: int
    place: int
    best: int
    average: bool
    settled: bool
    rows: list[ComparedShown]


def comparisons(tournament: Tournament, resolver: Resolver) -> list[BestShown]:
    """Every comparison of a tournament that is drawn, in the order of the stages."""
    found: list[BestShown] = []
    for into, stage in enumerate(tournament.stages, 1):
        if not stage.takes_best or not tournament.entries:
            continue
        entries = tournament.entries[into - 1]
        best = sum(isinstance(slot, BestOf) for group in entries for slot in group)
        rows = resolver.best(into)
        if best:
            found.append(
                {
                    "into": into,
                    "of": stage.source,
                    "place": stage.last + 1,
                    "best": best,
                    "average": stage.compare == "average",
                    "settled": resolver.best_settled(into),
                    "rows": [_row(rows, at, best) for at in range(len(rows))],
                }
            )
    return found


def _row(rows: tuple[BestRow, ...], at: int, best: int) -> ComparedShown:
    one = rows[at]
    goes = at < best
    return {
        "place": one.row.place,
        "pair": one.row.pair,
        "group": one.group,
        "played": one.row.played,
        "won": one.row.won,
        "lost": one.row.lost,
        "juegos": list(one.row.juegos),
        "stones": list(one.row.stones),
        "left_out": list(one.left_out),
        "goes": goes,
        "why": _why(one, rows[best if goes else best - 1]) if best < len(rows) else None,
    }


def _why(one: BestRow, other: BestRow) -> WhyShown:
    """The first criterion in which two pairs differ; the order of the draw always does."""
    by = next(name for name, value in one.values.items() if value != other.values[name])
    own, theirs = (round(float(row.values[by]), 3) for row in (one, other))
    if by == DRAW:
        own, theirs = 1 - own, 1 - theirs
    return {"by": by, "pair": other.row.pair, "own": own, "other": theirs}
