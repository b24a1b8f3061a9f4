"""The draw: the order of the pairs by a printed seed, and the matches that follow from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from assistant.hall.tournament.acts import Format, Options
from assistant.hall.tournament.errors import MAX_PAIRS, TournamentError, normalized
from assistant.hall.tournament.model import (
    ByeSlot,
    LoserOf,
    Match,
    Pair,
    PairSlot,
    PlaceOf,
    SecondChance,
    Slot,
    Tournament,
    WinnerOf,
)

# ---- The trees of a knock-out and of a double elimination, built whole before anything is played
# A *line* is a place in a bracket, counted from 1 in the order of the draw. A tree has ``size``
# lines, a power of two. The two lines of a first match add up to ``size + 1``, so the best lines
# meet as late as possible. The lines after the last pair are byes, so the best lines get them.


def size_for(entries: int) -> int:
    """The number of lines of the smallest tree that holds ``entries``; at least two."""
    return 1 << max(1, (entries - 1).bit_length())


def lines(size: int) -> list[int]:
    """The lines of a tree from top to bottom: neighbours meet in the first round."""
    order = [1]
    while len(order) < size:
        both = 2 * len(order) + 1
        # Every other match is upside down, so that line 2 is at the foot and not in the middle.
        order = [
            line
            for at, best in enumerate(order)
            for line in ((best, both - best) if at % 2 == 0 else (both - best, best))
        ]
    return order


def places(size: int) -> dict[int, int]:
    """Line -> its place in the tree from the top, from 0."""
    return {line: at for at, line in enumerate(lines(size))}


def meets(place: int, other: int) -> int:
    """The round in which two different places of a tree meet, from 1."""
    return (place ^ other).bit_length()


def knock_out(entries: Sequence[Slot], bronze: bool) -> list[Match]:
    """All matches of a knock-out, in the order of play; ``entries`` are in the order of lines.

    With ``bronze`` and two semifinals, the match for the third place comes before the final.
    """
    tree = list(_tree(entries, "knockout", "K"))
    if bronze and len(tree) >= 3:
        left, right = tree[-3], tree[-2]
        tree.insert(-1, Match("B1.1", "bronze", 1, LoserOf(left.id), LoserOf(right.id)))
    return tree


def double_elimination(entries: Sequence[Slot]) -> list[Match]:
    """All matches of a double elimination, in an order in which they can be played.

    The loser of a match in round r of the winners' bracket drops into the losers' bracket, at the
    place of that match moved by ``_mask(r)``.
    """
    winners = _by_round(_tree(entries, "winners", "W"))
    last = len(winners)
    matches = list(winners[0])
    # The pairs still in the losers' bracket, from top to bottom.
    alive: list[Slot] = [LoserOf(match.id) for match in winners[0]]
    done = 0
    for number, dropping in enumerate(winners[1:], 2):
        matches += dropping
        # The pairs in it meet each other; the winners meet those that drop into it.
        done += 1
        among = _round_of(list(zip(alive[::2], alive[1::2], strict=True)), done)
        mask = _mask(number, last - number)
        dropped = [LoserOf(dropping[at ^ mask].id) for at in range(len(dropping))]
        done += 1
        against = _round_of(
            [(WinnerOf(a.id), b) for a, b in zip(among, dropped, strict=True)], done
        )
        matches += among + against
        alive = [WinnerOf(match.id) for match in against]
    first = Match("F1.1", "final", 1, WinnerOf(winners[-1][0].id), alive[0])
    again = Match("F2.1", "final", 2, WinnerOf(first.id), SecondChance(first.id))
    return [*matches, first, again]


def _mask(number: int, bits: int) -> int:
    """What is added without carry (xor) to the places of the losers of round ``number``.

    Two pairs that met in the winners' bracket meet again where the masks of the rounds that they
    lost agree in their highest bits: the more bits agree, the sooner. Counting from the highest bit
    down makes neighbouring rounds differ in the first bit, rounds two apart in the second, and so
    on.
    """
    count = number - 1
    return sum((count >> low & 1) << (bits - 1 - low) for low in range(bits))


def _round_of(pairings: Sequence[tuple[Slot, Slot]], number: int) -> list[Match]:
    """One round of the losers' bracket."""
    return [
        Match(f"L{number}.{at}", "losers", number, a, b) for at, (a, b) in enumerate(pairings, 1)
    ]


def _tree(entries: Sequence[Slot], stage: str, letter: str) -> Iterator[Match]:
    """The matches of a bracket, round by round, from top to bottom."""
    size = size_for(len(entries))
    slots: list[Slot] = [
        entries[line - 1] if line <= len(entries) else ByeSlot() for line in lines(size)
    ]
    number = 0
    while len(slots) > 1:
        number += 1
        played = [
            Match(f"{letter}{number}.{at}", stage, number, a, b)
            for at, (a, b) in enumerate(zip(slots[::2], slots[1::2], strict=True), 1)
        ]
        yield from played
        slots = [WinnerOf(match.id) for match in played]


def _by_round(tree: Iterator[Match]) -> list[list[Match]]:
    rounds: list[list[Match]] = []
    for match in tree:
        if match.round > len(rounds):
            rounds.append([])
        rounds[-1].append(match)
    return rounds


# ---- Groups: which pair is in which, and the places of those that go on to the knock-out --------


def snake(order: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """The pairs in the order of the draw, dealt to and fro over the groups (serpentine seeding)."""
    laid: list[list[int]] = [[] for _ in range(groups)]
    for at, pair in enumerate(order):
        turn, column = divmod(at, groups)
        laid[groups - 1 - column if turn % 2 else column].append(pair)
    return tuple(map(tuple, laid))


def qualified(groups: int, advance: int) -> list[PlaceOf]:
    """The entries of the knock-out by line: first all winners, then all seconds, and so on.

    The winners are in the order of the groups. Each further place takes the lines after them, such
    that pairs of one group meet as late as is possible for all, and never in the first round.
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
    """A group for each free place, such that two pairs of a group meet as late as possible."""
    for earliest in range(rounds, 1, -1):

        def apart(place: int, group: int, earliest: int = earliest) -> bool:
            return all(meets(place, other) >= earliest for other in taken[group])

        matched = _matched(free, len(taken), apart)
        if matched is not None:
            return matched
    # Each group is barred from few of these places, and each place is barred to one group at most.
    # So the first round can always be kept free. With two lines there is only one round.
    raise AssertionError("pairs of one group would meet in the first round")


def _matched(
    free: Sequence[int], groups: int, fits: Callable[[int, int], bool]
) -> list[int] | None:
    """A group of its own for each place, or None: bipartite matching by augmenting paths."""
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
    """Flip the augmenting path: each place on it gets the group that it reached."""
    group = end
    while True:
        index = came[group]
        old = next((g for g, held in holder.items() if held == index), None)
        holder[group] = index
        if index == start or old is None:
            return
        group = old


# ---- The rounds of a round robin: everybody meets everybody once --------------------------------


def rounds_of(pairs: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Who meets whom in each round, by the circle method.

    The first pair keeps its chair while the others move on by one. Of an odd number of pairs, one
    rests each round: an empty chair takes the first place, and the pair that faces it rests.
    """
    chairs: list[int | None] = [*pairs] if len(pairs) % 2 == 0 else [None, *pairs]
    rounds = []
    for number in range(len(chairs) - 1):
        facing = list(zip(chairs, reversed(chairs), strict=True))[: len(chairs) // 2]
        if number % 2:  # otherwise the first pair would be named first in all its matches
            facing[0] = facing[0][::-1]
        rounds.append([(a, b) for a, b in facing if a is not None and b is not None])
        chairs = [chairs[0], chairs[-1], *chairs[1:-1]]
    return rounds


def round_robin(pairs: Sequence[int]) -> list[Match]:
    """All matches of a round robin, round by round."""
    return list(_matches(pairs, "R", "robin", 0))


def group_matches(groups: Sequence[Sequence[int]]) -> list[Match]:
    """All matches of all groups, round by round."""
    matches = [
        match
        for group, pairs in enumerate(groups, 1)
        for match in _matches(pairs, f"G{group}.", "group", group)
    ]
    return sorted(matches, key=lambda match: match.round)


def _matches(pairs: Sequence[int], prefix: str, stage: str, group: int) -> Iterator[Match]:
    for number, met in enumerate(rounds_of(pairs), 1):
        for at, (a, b) in enumerate(met, 1):
            yield Match(f"{prefix}{number}.{at}", stage, number, PairSlot(a), PairSlot(b), group)


# ---- Keeping pairs of one club apart at the beginning, by exchanges that anybody can follow -----
# A pair that meets its own club there, and comes later in the order, changes places with the next
# pair for which fewer such matches remain; after the last pair comes the first again. This repeats
# until nothing changes. Seeded pairs stay. Where no such exchange is left, clubmates meet.


def parted(
    order: Sequence[int], pairs: Mapping[int, Pair], form: Format, options: Options
) -> tuple[int, ...]:
    """The order of a draw after the exchanges; a pair without a club may meet anybody."""
    # No club's name begins with a space.
    clubs = [normalized(pairs[number].club) or f" {number}" for number in order]
    fixed = sum(pairs[number].seed is not None for number in order)
    laid = _Laid(clubs, fixed, beginnings(form, options, len(order)))
    while laid.exchange_all():
        pass
    return tuple([order[place] for place in laid.came])


def beginnings(form: Format, options: Options, count: int) -> list[tuple[int, ...]]:
    """The sets of places in the order, from 0, whose pairs all meet at the beginning.

    These are the matches of the first round of a bracket or of a Swiss tournament, or the groups.
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
    """An order while it changes: for each place, the pair that has it and its club."""

    def __init__(
        self, clubs: Sequence[str], fixed: int, beginnings: Sequence[tuple[int, ...]]
    ) -> None:
        self.came = list(range(len(clubs)))
        self._clubs = list(clubs)
        self._fixed = fixed
        # A pair with a bye meets nobody: it is alone in its set.
        self._with: list[tuple[int, ...]] = [(place,) for place in self.came]
        self._counts = [Counter([club]) for club in clubs]
        for places in beginnings:
            count = Counter(clubs[place] for place in places)
            for place in places:
                self._with[place], self._counts[place] = places, count

    def exchange_all(self) -> bool:
        """Make an exchange for each pair that can have one, in order; whether there was any."""
        moved = False
        for place in range(self._fixed, len(self.came)):
            if self._meets_own(place):
                other = self._partner(place)
                if other is not None:
                    self._exchange(place, other)
                    moved = True
        return moved

    def _meets_own(self, place: int) -> bool:
        """Whether the pair meets one of its own club that comes before it."""
        return any(
            other < place and self._clubs[other] == self._clubs[place]
            for other in self._with[place]
        )

    def _partner(self, place: int) -> int | None:
        """The next place with which an exchange leaves fewer matches within a club."""
        mine, here = self._clubs[place], self._counts[place]
        mates = here[mine] - 2
        for other in chain(range(place + 1, len(self.came)), range(self._fixed, place)):
            theirs, there = self._clubs[other], self._counts[other]
            # Two pairs of one club, or of one set, never change anything.
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


# ---- The order of the pairs, from a printed seed: anybody can draw again and compare ------------


def draw(pairs: Iterable[Pair], seed: int) -> tuple[int, ...]:
    """The order of the draw, by the pairs' numbers.

    Seeded pairs come first, by their seed places. Each of the others, from the lowest number up,
    draws a lot from ``random.Random(seed).random()``, and the lowest lot comes first. Python
    promises the same numbers from this generator in every version; it does not for ``shuffle``.
    """
    listed = sorted(pairs, key=lambda pair: pair.number)
    seeded = sorted((pair.seed, pair.number) for pair in listed if pair.seed is not None)
    chance = random.Random(seed)
    lots = sorted((chance.random(), pair.number) for pair in listed if pair.seed is None)
    return tuple([number for _, number in (*seeded, *lots)])


def order_of(tournament: Tournament, seed: int) -> tuple[int, ...]:
    """The order of a tournament's draw: that of ``draw``, with clubs kept apart if it asks so."""
    order = draw(tournament.pairs.values(), seed)
    if not tournament.options.clubs_apart:
        return order
    return parted(order, tournament.pairs, tournament.format, tournament.options)


# ---- The plan that follows from a draw: the groups, and all matches known from the beginning ----


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
    """The plan for pairs in the order of the draw; ``check_size`` has passed their number."""
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
