"""Keeping pairs of one club apart at the beginning, by exchanges that anybody can follow.

Whoever meets a pair of his own club there, and stands after it in the order, changes places with
the next pair with which fewer such matches are left; after the last comes the first again. This is
gone through until nothing changes. Pairs with a seed place stay. Where no such exchange is left,
clubmates meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from assistant.tournament.acts import Format, Options
from assistant.tournament.bracket import size_for
from assistant.tournament.groups import snake
from assistant.tournament.limits import plain
from assistant.tournament.model import Pair


def parted(
    order: Sequence[int], pairs: Mapping[int, Pair], form: Format, options: Options
) -> tuple[int, ...]:
    """The order of a draw after its exchanges; a pair without a club meets anybody."""
    # No club's name begins with a space.
    clubs = [plain(pairs[number].club) or f" {number}" for number in order]
    fixed = sum(pairs[number].seed is not None for number in order)
    laid = _Laid(clubs, fixed, beginnings(form, options, len(order)))
    while laid.exchange_all():
        pass
    return tuple([order[place] for place in laid.came])


def beginnings(form: Format, options: Options, count: int) -> list[tuple[int, ...]]:
    """The places of the order, from 0, that all meet each other at the beginning.

    The first round of a bracket or of a Swiss tournament, or a group.
    """
    if form is Format.GROUPS:
        return list(snake(range(count), options.groups))
    if form is Format.SWISS:
        return [(at, at + count // 2) for at in range(count // 2)]
    if form is Format.ROBIN:
        return [tuple(range(count))]
    size = size_for(count)
    return [(at, size - 1 - at) for at in range(size - count, size // 2)]


class _Laid:
    """An order while it is changed: for each place who stands there, and of which club he is."""

    def __init__(
        self, clubs: Sequence[str], fixed: int, beginnings: Sequence[tuple[int, ...]]
    ) -> None:
        self.came = list(range(len(clubs)))
        self._clubs = list(clubs)
        self._fixed = fixed
        # Who has a bye is with nobody: an empty company of his own.
        self._with: list[tuple[int, ...]] = [(place,) for place in self.came]
        self._counts = [Counter([club]) for club in clubs]
        for places in beginnings:
            count = Counter(clubs[place] for place in places)
            for place in places:
                self._with[place], self._counts[place] = places, count

    def exchange_all(self) -> bool:
        """Make an exchange for each who can have one, in their order; whether there was any."""
        moved = False
        for place in range(self._fixed, len(self.came)):
            if self._meets_own(place):
                other = self._partner(place)
                if other is not None:
                    self._exchange(place, other)
                    moved = True
        return moved

    def _meets_own(self, place: int) -> bool:
        """Whether somebody of his club who stands before him meets him."""
        return any(
            other < place and self._clubs[other] == self._clubs[place]
            for other in self._with[place]
        )

    def _partner(self, place: int) -> int | None:
        """The next with whom fewer of a club meet when the two change places."""
        mine, here = self._clubs[place], self._counts[place]
        mates = here[mine] - 2
        for other in chain(range(place + 1, len(self.came)), range(self._fixed, place)):
            theirs, there = self._clubs[other], self._counts[other]
            # Two of one club, or of one company, never change anything.
            if mates + there[theirs] > here.get(theirs, 0) + there.get(mine, 0):
                return other
        return None

    def _exchange(self, one: int, other: int) -> None:
        came, clubs = self.came, self._clubs
        self._counts[one][clubs[one]] -= 1
        self._counts[other][clubs[other]] -= 1
        came[one], came[other] = came[other], came[one]
        clubs[one], clubs[other] = clubs[other], clubs[one]
        self._counts[one][clubs[one]] += 1
        self._counts[other][clubs[other]] += 1
