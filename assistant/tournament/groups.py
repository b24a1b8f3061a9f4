"""Groups: who comes into which, and where those who go on stand in the knock-out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.tournament.bracket import meets, places, size_for
from assistant.tournament.model import PlaceOf


def snake(order: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """The pairs in the order of the draw, laid out to and fro over the groups."""
    laid: list[list[int]] = [[] for _ in range(groups)]
    for at, pair in enumerate(order):
        turn, column = divmod(at, groups)
        laid[groups - 1 - column if turn % 2 else column].append(pair)
    return tuple(map(tuple, laid))


def qualified(groups: int, advance: int) -> list[PlaceOf]:
    """The entries of the knock-out by line: first all winners, then all seconds, and so on.

    The winners stand in the order of the groups. Each further place takes the lines after them so
    that pairs of one group meet as late as can be had for all, and never in the first round.
    """
    size = size_for(groups * advance)
    place_of_line = places(size)
    taken: list[list[int]] = [[place_of_line[group + 1]] for group in range(groups)]
    entries = [PlaceOf(group, 1) for group in range(1, groups + 1)]
    for place in range(2, advance + 1):
        free = [place_of_line[len(entries) + 1 + at] for at in range(groups)]
        chosen = _latest(free, taken, size.bit_length() - 1)
        for at, group in zip(free, chosen, strict=True):
            entries.append(PlaceOf(group + 1, place))
            taken[group].append(at)
    return entries


def _latest(free: Sequence[int], taken: Sequence[Sequence[int]], rounds: int) -> list[int]:
    """A group for each free place, such that no two of a group meet before the latest round."""
    for earliest in range(rounds, 1, -1):

        def apart(place: int, group: int, earliest: int = earliest) -> bool:
            return all(meets(place, other) >= earliest for other in taken[group])

        matched = _matched(free, len(taken), apart)
        if matched is not None:
            return matched
    # Each group is barred from few of these places, and each place to one group at the most, so
    # that the first round can always be kept free; with two lines there is but one round.
    raise AssertionError("pairs of one group would meet in the first round")


def _matched(
    free: Sequence[int], groups: int, fits: Callable[[int, int], bool]
) -> list[int] | None:
    """Each place a group of its own that fits it, or None: a bipartite matching by augmenting."""
    holder: dict[int, int] = {}  # group -> index of its place
    for start in range(len(free)):
        came: dict[int, int] = {}  # group -> index of the place from which it was reached
        queue = [start]
        end = None
        for index in queue:
            for group in range(groups):
                if group in came or not fits(free[index], group):
                    continue
                came[group] = index
                if group not in holder:
                    end = group
                    break
                queue.append(holder[group])
            if end is not None:
                break
        if end is None:
            return None
        _shift(holder, came, end, start)
    chosen = {index: group for group, index in holder.items()}
    return [chosen[index] for index in range(len(free))]


def _shift(holder: dict[int, int], came: dict[int, int], end: int, start: int) -> None:
    """Give the free group to the place that reached it, that one's to the one before, and so on."""
    group = end
    while True:
        index = came[group]
        old = next((g for g, held in holder.items() if held == index), None)
        holder[group] = index
        if index == start or old is None:
            return
        group = old
