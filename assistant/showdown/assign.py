"""Which place holds which card, all places together and no card twice.

The likeliest whole assignment is found by successive shortest paths (Kuhn 1955, Munkres 1957), and
how sure each card is by how much likelier that whole is than the best one without it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import exp, inf, log
from typing import TypeVar

Thing = TypeVar("Thing", bound=Hashable)

LEAST = 1e-6
"""No chance counts as smaller: nothing is impossible to see wrongly."""


def assigned(
    places: Sequence[Mapping[Thing, float]],
) -> tuple[tuple[Thing | None, float], ...]:
    """For each place the thing in it and how sure that is; None where none is likelier.

    ``places``: for each, the chances of the things that may be there. What they lack to one is the
    chance of any other thing, of which there are as many as needed.
    """
    things = sorted({thing for place in places for thing in place}, key=str)
    costs = [_costs(place, things, at, len(places)) for at, place in enumerate(places)]
    best, chosen = _cheapest(costs)
    found: list[tuple[Thing | None, float]] = []
    for at, column in enumerate(chosen):
        if column >= len(things):
            found.append((None, 0.0))
            continue
        without = [list(row) for row in costs]
        without[at][column] = inf
        other, _ = _cheapest(without)
        found.append((things[column], 1 / (1 + exp(best - other)) if other < inf else 1.0))
    return tuple(found)


def _costs(
    place: Mapping[Thing, float], things: Sequence[Thing], at: int, count: int
) -> list[float]:
    """Minus the logarithms of the chances; after the things, each place has a way out."""
    row = [-log(max(LEAST, place[thing])) if thing in place else inf for thing in things]
    out = [inf] * count
    out[at] = -log(max(LEAST, 1 - sum(place.values())))
    return row + out


def _cheapest(costs: Sequence[Sequence[float]]) -> tuple[float, list[int]]:
    """The least sum with one column a row and no column twice, and the column of each row.

    Rows are added one by one; each takes the cheapest way to a column that is still free, along
    which the rows before it may have to change theirs. ``rows`` and ``columns`` are the prices that
    keep what was found cheapest so far at cost nought.
    """
    if not costs:
        return 0.0, []
    wide = len(costs[0])
    rows, columns = [0.0] * len(costs), [0.0] * wide
    taken: list[int | None] = [None] * wide
    for start in range(len(costs)):
        if not _augment(start, costs, rows, columns, taken):
            return inf, [0] * len(costs)
    chosen = [0] * len(costs)
    for column, row in enumerate(taken):
        if row is not None:
            chosen[row] = column
    return sum(costs[row][column] for row, column in enumerate(chosen)), chosen


def _augment(
    start: int,
    costs: Sequence[Sequence[float]],
    rows: list[float],
    columns: list[float],
    taken: list[int | None],
) -> bool:
    """Give one more row a column (Dijkstra's shortest path); whether there is one for it."""
    wide = len(columns)
    far, before, done = [inf] * wide, [-1] * wide, [False] * wide
    row, column, length = start, -1, 0.0
    while True:
        for at in range(wide):
            step = length + costs[row][at] - rows[row] - columns[at]
            if not done[at] and step < far[at]:
                far[at], before[at] = step, column
        open_ones = [at for at in range(wide) if not done[at] and far[at] < inf]
        if not open_ones:
            return False
        column = min(open_ones, key=far.__getitem__)
        length, done[column] = far[column], True
        holder = taken[column]
        if holder is None:
            break
        row = holder
    rows[start] += length
    for at in range(wide):
        held = taken[at]
        if done[at] and at != column and held is not None:
            rows[held] += length - far[at]
            columns[at] -= length - far[at]
    while column >= 0:
        previous = before[column]
        taken[column] = start if previous < 0 else taken[previous]
        column = previous
    return True
