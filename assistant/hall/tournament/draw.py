"""The draw: an order of the pairs that a printed seed gives, and what it leads to."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from assistant.hall.tournament.acts import Format, Options
from assistant.hall.tournament.bracket import (
    double_elimination,
    group_matches,
    knock_out,
    qualified,
    round_robin,
    size_for,
    snake,
)
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.limits import MAX_PAIRS, plain
from assistant.hall.tournament.model import Match, Pair, PairSlot, Tournament

# ---- Keeping pairs of one club apart at the beginning, by exchanges that anybody can follow -----
# Whoever meets a pair of his own club there, and stands after it in the order, changes places with
# the next pair with which fewer such matches are left; after the last comes the first again. This
# is gone through until nothing changes. Pairs with a seed place stay. Where no such exchange is
# left, clubmates meet.


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


# ---- The draw: an order of the pairs that a printed seed gives, today and to whoever doubts it


def draw(pairs: Iterable[Pair], seed: int) -> tuple[int, ...]:
    """The order of the draw, by the pairs' numbers.

    Seeded pairs come first, by their seed places. Each of the others, from the lowest number up,
    gets one number of ``random.Random(seed).random()``, and they come from the lowest such number
    up. Python promises that this generator gives the same numbers in every version, which it does
    not of ``shuffle``.
    """
    listed = sorted(pairs, key=lambda pair: pair.number)
    seeded = sorted((pair.seed, pair.number) for pair in listed if pair.seed is not None)
    chance = random.Random(seed)
    lots = sorted((chance.random(), pair.number) for pair in listed if pair.seed is None)
    return tuple([number for _, number in (*seeded, *lots)])


def order_of(tournament: Tournament, seed: int) -> tuple[int, ...]:
    """The order of a tournament's draw: that of ``draw``, with clubs apart where it wants that."""
    order = draw(tournament.pairs.values(), seed)
    if not tournament.options.clubs_apart:
        return order
    return parted(order, tournament.pairs, tournament.format, tournament.options)


# ---- What a draw leads to: the groups and all matches that are known from the beginning ---------


MAX_ROBIN = 64
"""Pairs in a round robin: more would play for days."""
MAX_GROUP = 20
"""Pairs in one group."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The groups, if any, and the matches in the order of play; Swiss rounds are paired later."""

    groups: tuple[tuple[int, ...], ...]
    matches: tuple[Match, ...]


def plan(form: Format, options: Options, order: Sequence[int]) -> Plan:
    """The plan for pairs in the order of the draw, as many as ``check_size`` lets pass."""
    entries = [PairSlot(pair) for pair in order]
    if form is Format.KNOCKOUT:
        return Plan((), tuple(knock_out(entries, options.bronze)))
    if form is Format.DOUBLE:
        return Plan((), tuple(double_elimination(entries)))
    if form is Format.ROBIN:
        return Plan((), tuple(round_robin(order)))
    if form is Format.SWISS:
        return Plan((), ())
    groups = snake(order, options.groups)
    final = knock_out(qualified(options.groups, options.advance), options.bronze)
    return Plan(groups, (*group_matches(groups), *final))


def check_size(form: Format, options: Options, pairs: int) -> None:
    """Raise TournamentError unless so many pairs can play this format."""
    if pairs < 2:
        raise TournamentError("few_pairs", pairs=pairs)
    if pairs > MAX_PAIRS:
        raise TournamentError("many_pairs", most=MAX_PAIRS, pairs=pairs)
    if form is Format.ROBIN and pairs > MAX_ROBIN:
        raise TournamentError("robin_large", most=MAX_ROBIN, pairs=pairs)
    if form is Format.SWISS and options.rounds > (pairs + 1) // 2:
        raise TournamentError(
            "swiss_long", rounds=options.rounds, pairs=pairs, most=(pairs + 1) // 2
        )
    if form is Format.GROUPS:
        _check_groups(options, pairs)


def _check_groups(options: Options, pairs: int) -> None:
    smallest, rest = divmod(pairs, options.groups)
    if smallest < 2:
        raise TournamentError("groups_small", groups=options.groups, pairs=pairs)
    if smallest + (rest > 0) > MAX_GROUP:
        raise TournamentError("group_large", most=MAX_GROUP, pairs=smallest + (rest > 0))
    if options.advance > smallest:
        raise TournamentError("advance_many", advance=options.advance, smallest=smallest)
