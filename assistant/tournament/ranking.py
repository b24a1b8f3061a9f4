"""Who stands where among pairs that play everybody for points: won matches, then the tie-breaks.

Pairs that are level are separated by one criterion after the other; a criterion that separates some
of them leaves smaller lots of pairs that are still level, and each lot goes on by itself. "direct"
looks at the matches among exactly those who are still level, and only where each of them met every
other; as soon as it separates some, it looks anew at the smaller lots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

WON = "won"
"""The first criterion: matches won."""
DRAW = "draw"
"""The last criterion: the order of the draw."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match that is decided, in the order of its two pairs; the second is None for a bye.

    ``winner`` is None where both pairs had left: both lost.
    """

    pairs: tuple[int, int | None]
    winner: int | None
    juegos: tuple[int, int] = (0, 0)
    stones: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Row:
    """One pair in the standings; two numbers are its own and those of its opponents.

    ``buchholz`` are the matches that its opponents won. ``by`` is the criterion after which no
    other pair was level with it: "won", a tie-break, or "draw".
    """

    place: int
    pair: int
    played: int
    won: int
    lost: int
    juegos: tuple[int, int]
    stones: tuple[int, int]
    buchholz: int
    by: str


@dataclass(slots=True)
class _Sum:
    """What a pair has gathered so far."""

    won: int = 0
    lost: int = 0
    juegos_for: int = 0
    juegos_against: int = 0
    stones_for: int = 0
    stones_against: int = 0


def rank(
    order: Sequence[int], encounters: Iterable[Encounter], tiebreaks: Sequence[str]
) -> tuple[Row, ...]:
    """The standings of the pairs in ``order``, which is that of the draw and decides last."""
    met = list(encounters)
    sums = {pair: _Sum() for pair in order}
    opponents: dict[int, list[int]] = {pair: [] for pair in order}
    for encounter in met:
        _add(sums, encounter)
        for one, other in _sides(encounter):
            opponents[one].append(other)
    values: dict[str, Mapping[int, int]] = {
        WON: {pair: total.won for pair, total in sums.items()},
        "juegos": {p: total.juegos_for - total.juegos_against for p, total in sums.items()},
        "stones": {p: total.stones_for - total.stones_against for p, total in sums.items()},
        "buchholz": {p: sum(sums[o].won for o in met_by) for p, met_by in opponents.items()},
        DRAW: {pair: -at for at, pair in enumerate(order)},
    }
    placed = _separated(list(order), (WON, *tiebreaks, DRAW), values, _Direct(met))
    return tuple(
        Row(
            place,
            pair,
            sums[pair].won + sums[pair].lost,
            sums[pair].won,
            sums[pair].lost,
            (sums[pair].juegos_for, sums[pair].juegos_against),
            (sums[pair].stones_for, sums[pair].stones_against),
            values["buchholz"][pair],
            by,
        )
        for place, (pair, by) in enumerate(placed, 1)
    )


def _sides(encounter: Encounter) -> list[tuple[int, int]]:
    """(pair, opponent) as each side of an encounter sees it; none for a bye."""
    one, other = encounter.pairs
    return [] if other is None else [(one, other), (other, one)]


def _add(sums: Mapping[int, _Sum], encounter: Encounter) -> None:
    for side, pair in enumerate(encounter.pairs):
        if pair is None:
            continue
        total = sums[pair]
        if pair == encounter.winner:
            total.won += 1
        else:
            total.lost += 1
        total.juegos_for += encounter.juegos[side]
        total.juegos_against += encounter.juegos[1 - side]
        total.stones_for += encounter.stones[side]
        total.stones_against += encounter.stones[1 - side]


class _Direct:
    """Who won against whom."""

    def __init__(self, encounters: Iterable[Encounter]) -> None:
        self._won: dict[tuple[int, int], int] = {}  # (pair, opponent) -> matches won
        for encounter in encounters:
            for pair, other in _sides(encounter):
                before = self._won.get((pair, other), 0)
                self._won[pair, other] = before + (pair == encounter.winner)

    def among(self, level: Sequence[int]) -> dict[int, int] | None:
        """Matches that each of ``level`` won against the others, or None if some never met."""
        wins = dict.fromkeys(level, 0)
        for pair in level:
            for other in level:
                if pair == other:
                    continue
                if (pair, other) not in self._won:
                    return None
                wins[pair] += self._won[pair, other]
        return wins


def _separated(
    level: list[int],
    criteria: Sequence[str],
    values: Mapping[str, Mapping[int, int]],
    direct: _Direct,
) -> list[tuple[int, str]]:
    """Pairs that are level, in order, each with the criterion that separated it."""
    criterion, rest = criteria[0], criteria[1:]
    worth = direct.among(level) if criterion == "direct" else values[criterion]
    lots: dict[int, list[int]] = {}
    for pair in level:
        lots.setdefault(0 if worth is None else worth[pair], []).append(pair)
    placed = []
    for value in sorted(lots, reverse=True):
        lot = lots[value]
        if len(lot) == 1:
            placed.append((lot[0], criterion))
        elif criterion == "direct" and len(lots) > 1:
            placed += _separated(lot, criteria, values, direct)
        else:
            placed += _separated(lot, rest, values, direct)
    return placed
