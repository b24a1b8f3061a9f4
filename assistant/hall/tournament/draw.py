"""The draw: the order of the pairs by a printed seed, and the matches that follow from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from assistant.hall.tournament.acts import Format, Options
from assistant.hall.tournament.errors import MAX_PAIRS, TournamentError, normalized
from assistant.hall.tournament.formats import ROUND_BY_ROUND, Stage, StageKind
from assistant.hall.tournament.model import (
    BestOf,
    ByeSlot,
    EitherOf,
    FirstLossOf,
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
from assistant.hall.tournament.trees import (
    double_elimination,
    knock_out,
    meets,
    places,
    size_for,
)

# ---- Groups: which pair is in which, and the places of those that go on to the knock-out --------


def snake(order: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """The pairs in the order of the draw, dealt over the groups by serpentine seeding."""
    laid: list[list[int]] = [[] for _ in range(groups)]
    for at, pair in enumerate(order):
        turn, column = divmod(at, groups)
        laid[groups - 1 - column if turn % 2 else column].append(pair)
    return tuple(map(tuple, laid))


def qualified(groups: int, advance: int, first: int = 1, phase: int = 1) -> list[PlaceOf]:
    """The entries of the knock-out by line: first all winners, then all seconds, and so on.

    A number of places of each group enter, from ``first`` on. The winners are in the order of the
    groups. Each further place takes the lines after them, such that pairs of one group meet as late
    as is possible for all, and never in the first round.
    """
    size = size_for(groups * advance)
    place_of_line = places(size)
    taken: list[list[int]] = [[place_of_line[group + 1]] for group in range(groups)]
    entries = [PlaceOf(group, first, phase) for group in range(1, groups + 1)]
    for place in range(first + 1, first + advance):
        free = [place_of_line[len(entries) + 1 + at] for at in range(groups)]
        chosen = _latest(free, taken, size.bit_length() - 1, range(groups))
        # Each group is barred from few of these places, and each place is barred to one group at
        # most. So the first round can always be kept free. With two lines there is only one round.
        assert chosen is not None, "pairs of one group would meet in the first round"
        for at, group in zip(free, chosen, strict=True):
            entries.append(PlaceOf(group + 1, place, phase))
            taken[group].append(at)
    return entries


def with_best(
    sizes: Sequence[int], stage: Stage, phase: int, ranks: Mapping[int, Sequence[int]]
) -> list[Slot]:
    """As ``qualified``, but of some places only the best ``ranks`` among all groups enter.

    These have the lines of their place, in the order of the ranks. Groups may lack a place.
    """
    rows: list[list[Slot]] = []
    for place in range(stage.first, stage.last + 1 + stage.takes_best):
        if place in ranks:
            rows.append([BestOf(place, rank, stage.source, phase) for rank in ranks[place]])
            continue
        groups = [at for at, size in enumerate(sizes, 1) if size >= place]
        rows.append([PlaceOf(group, place, stage.source) for group in groups])
    size = size_for(sum(map(len, rows)))
    place_of_line = places(size)
    taken: list[list[int]] = [[] for _ in sizes]
    entries: list[Slot] = []
    for row in rows:
        held = [slot for slot in row if isinstance(slot, PlaceOf)]
        free = [place_of_line[len(entries) + 1 + at] for at in range(len(held))]
        chosen = [slot.group - 1 for slot in held]
        if any(taken):
            chosen = _latest(free, taken, size.bit_length() - 1, chosen) or chosen
        for at, group, slot in zip(free, chosen, held, strict=True):
            entries.append(replace(slot, group=group + 1))
            taken[group].append(at)
        entries += row[len(held) :]  # a row is held by groups, or by ranks
    return entries


def best_ranks(
    stages: Sequence[Stage], phase: int, sizes: Sequence[int]
) -> dict[int, Sequence[int]]:
    """Place -> the ranks among all groups that enter a stage; of other places all enter.

    A stage takes the first ranks of the place after its last. The others are left to the stage that
    has that place among its own. Raises TournamentError if there are not so many.
    """
    stage, found = stages[phase - 1], dict[int, Sequence[int]]()
    for other in stages:
        if not other.takes_best or other.source != stage.source:
            continue
        place = other.last + 1
        own = other is stage
        if not own and not stage.first <= place <= stage.last:
            continue
        there = sum(size >= place for size in sizes)
        best = other.best
        if other.fill:
            whole = sum(max(0, min(size, other.last) - other.first + 1) for size in sizes)
            best = min(there, size_for(whole) - whole)
        elif best > there:
            raise TournamentError("best_many", best=best, place=place, groups=there)
        found[place] = range(1, best + 1) if own else range(best + 1, there + 1)
    return found


def spared(entries: Sequence[Slot]) -> list[Slot]:
    """The entries of a bracket in which no pair meets one of its own group in the first round.

    Pairs that come in by a comparison change places with each other for that. This is not enough
    only if all of them face one group: then the last pair that they face changes places with the
    nearest of the same place in its group, if one of that group comes in.
    """
    size, found = size_for(len(entries)), list(entries)

    def faced(at: int) -> int:
        """The group that a line faces in the first round; 0 for none that is known."""
        slot = entries[size - 1 - at] if size - 1 - at < len(entries) else None
        return slot.group if isinstance(slot, PlaceOf) else 0

    lines = [at for at, slot in enumerate(entries) if isinstance(slot, BestOf)]
    groups = {faced(at) for at in lines}
    if len(groups) != 1 or 0 in groups:
        return found
    last = size - 1 - lines[-1]
    faces = entries[last]
    into, (barred,) = entries[lines[0]], groups
    assert isinstance(faces, PlaceOf)
    assert isinstance(into, BestOf)
    for at in sorted(range(len(entries)), key=lambda at: (abs(at - last), at)):
        other = entries[at]
        fits = isinstance(other, PlaceOf) and other.place == faces.place and other.group != barred
        if fits and faced(at) != barred:
            assert isinstance(other, PlaceOf)
            found[last] = EitherOf(faces, other, barred, into.into)
            found[at] = EitherOf(other, faces, barred, into.into)
            break
    return found


def apart(faced: Sequence[int], groups: Sequence[int]) -> list[int]:
    """An order of pairs of these ``groups`` in which few face their own; 0 faces none.

    A pair that would meet its own group changes places with the next pair for which that is no
    worse; after the last comes the first again.
    """
    order = list(range(len(groups)))
    for at in range(len(order)):
        if faced[at] != groups[order[at]]:
            continue
        for to in (*range(at + 1, len(order)), *range(at)):
            if groups[order[at]] != faced[to] and groups[order[to]] != faced[at]:
                order[at], order[to] = order[to], order[at]
                break
    return order


def _latest(
    free: Sequence[int], taken: Sequence[Sequence[int]], rounds: int, groups: Sequence[int]
) -> list[int] | None:
    """A group for each free place, such that two pairs of a group meet as late as possible.

    None if two would meet in the first round.
    """
    there = set(groups)
    for earliest in range(rounds, 1, -1):

        def apart(place: int, group: int, earliest: int = earliest) -> bool:
            late = all(meets(place, other) >= earliest for other in taken[group])
            return late and group in there

        matched = _matched(free, len(taken), apart)
        if matched is not None:
            return matched
    return None


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


# ---- Keeping pairs of one club apart at the beginning, by exchanges that anybody can follow -----
# A pair that meets its own club there, and comes later in the order, changes places with the next
# pair for which fewer such matches remain; after the last pair comes the first again. This repeats
# until nothing changes. Seeded pairs stay. If no such exchange is left, clubmates meet.


def parted(order: Sequence[int], pairs: Mapping[int, Pair], stage: Stage) -> tuple[int, ...]:
    """The order of a draw after the exchanges; a pair without a club may meet anybody."""
    # No club's name begins with a space.
    clubs = [normalized(pairs[number].club) or f" {number}" for number in order]
    fixed = sum(pairs[number].seed is not None for number in order)
    laid = _Laid(clubs, fixed, beginnings(stage, len(order)))
    while laid.exchange_all():
        pass
    return tuple([order[place] for place in laid.came])


def beginnings(stage: Stage, count: int) -> list[tuple[int, ...]]:
    """The sets of places in the order, from 0, whose pairs all meet at the beginning.

    These are the matches of the first round of a bracket or of a Swiss tournament, or the groups.
    """
    if stage.kind is StageKind.SWISS:
        return [(at, at + count // 2) for at in range(count // 2)]
    if stage.kind is StageKind.ROBIN:
        return list(snake(range(count), stage.group_count(count)))
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
        for together in beginnings:
            count = Counter(clubs[place] for place in together)
            for place in together:
                self._with[place], self._counts[place] = together, count

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


def check_bag(bag: Sequence[int], wanted: Iterable[int]) -> None:
    """Raise TournamentError unless just these numbers were drawn, each once."""
    left = set(wanted)
    for number in bag:
        if number not in left:
            raise TournamentError("bag_other", pair=number)
        left.remove(number)
    if left:
        raise TournamentError("bag_short", pair=min(left))


def draw(pairs: Iterable[Pair], seed: int, bag: Sequence[int] = ()) -> tuple[int, ...]:
    """The order of the draw, by the pairs' numbers.

    Seeded pairs come first, by their seed places. Each of the others, from the lowest number up,
    draws a lot from ``random.Random(seed).random()``, and the lowest lot comes first. Python
    promises the same numbers from this generator in every version; it does not for ``shuffle``.
    The numbers that people drew from a ``bag`` replace these lots. Raises TournamentError if they
    are not the numbers in the bag.
    """
    listed = sorted(pairs, key=lambda pair: pair.number)
    seeded = sorted((pair.seed, pair.number) for pair in listed if pair.seed is not None)
    chance = random.Random(seed)
    lots = sorted((chance.random(), pair.number) for pair in listed if pair.seed is None)
    if bag:
        check_bag(bag, [number for _, number in lots])
        return (*[number for _, number in seeded], *bag)
    return tuple([number for _, number in (*seeded, *lots)])


def order_of(tournament: Tournament, seed: int, bag: Sequence[int] = ()) -> tuple[int, ...]:
    """The order of a tournament's draw: that of ``draw``, with clubs kept apart if it asks so."""
    order = draw(tournament.pairs.values(), seed, bag)
    if not tournament.options.clubs_apart:
        return order
    return parted(order, tournament.pairs, tournament.stages[0])


# ---- The stages of a format, and the plan that follows from a draw ------------------------------


MAX_ROBIN = 64
"""Pairs in a round robin: more would play for days."""
MAX_GROUP = 20
"""Pairs in one group."""
MARKS = {
    StageKind.KNOCKOUT: "K",
    StageKind.DOUBLE: "W",
    StageKind.ROBIN: "R",
    StageKind.SWISS: "S",
    StageKind.REDRAW: "D",
    StageKind.LIVES: "V",
    StageKind.INDIVIDUAL: "I",
}
"""The first letter of a match's name, by the kind of its stage."""

Entries = tuple[tuple[Slot, ...], ...]
"""The places of each group of a stage, in the order in which they are drawn or qualified."""


def stages_of(form: Format, options: Options) -> tuple[Stage, ...]:
    """The stages of a format that has a name of its own; the sheet has those of ``SHEET``."""
    if form is Format.GROUPS:
        return (
            Stage(StageKind.ROBIN, groups=options.groups),
            Stage(StageKind.KNOCKOUT, source=1, last=options.advance, bronze=options.bronze),
        )
    kind = StageKind(form)
    return (Stage(kind, rounds=options.rounds, bronze=options.bronze),)


@dataclass(frozen=True, slots=True)
class Plan:
    """The entries of all stages, and the matches in the order of play.

    Stages that are paired round by round get their matches later.
    """

    entries: tuple[Entries, ...]
    matches: tuple[Match, ...]


def plan(
    stages: Sequence[Stage], order: Sequence[int], pairs: Mapping[int, Pair] | None = None
) -> Plan:
    """The plan for pairs in the order of the draw.

    ``pairs`` has the bars in which they play, if the first stage needs them. Raises TournamentError
    if so many pairs cannot play these stages.
    """
    _check_count(len(order))
    all_entries: list[Entries] = []
    all_matches: list[Match] = []
    for phase, stage in enumerate(stages, 1):
        if stage.source:
            before = all_entries[stage.source - 1]
            if not stages[stage.source - 1].bars:  # a bar sends as many pairs as it has
                _check_places(stage, [len(group) for group in before])
            entries = _from_stage(stages, phase, all_entries, all_matches)
        elif stage.bars:
            bars = in_bars(order, pairs or {})
            entries = tuple(tuple(map(PairSlot, group)) for group in bars)
        else:
            entries = _dealt([PairSlot(pair) for pair in order], stage)
        _check_groups(stage, [len(group) for group in entries])
        all_entries.append(entries)
        all_matches += _stage_matches(stages, phase, entries)
    return Plan(tuple(all_entries), tuple(all_matches))


def in_bars(order: Sequence[int], pairs: Mapping[int, Pair]) -> list[list[int]]:
    """The pairs of each bar in the order of the draw; the bars are in the order of their names.

    Raises TournamentError for a pair without a bar.
    """
    bars: dict[str, list[int]] = {}
    for number in order:
        if not pairs[number].bar:
            raise TournamentError("no_bar", pair=number)
        bars.setdefault(normalized(pairs[number].bar), []).append(number)
    return [bars[bar] for bar in sorted(bars)]


def _from_stage(
    stages: Sequence[Stage], phase: int, before: Sequence[Entries], matches: Sequence[Match]
) -> Entries:
    """The entries of a stage whose pairs come from one before."""
    stage = stages[phase - 1]
    if stage.losers:
        return _dealt(_first_losers([m for m in matches if m.phase == stage.source]), stage)
    sizes = [len(group) for group in before[stage.source - 1]]
    if stage.promote:
        return _promoted(sizes, stage)
    if ranks := best_ranks(stages, phase, sizes):
        entries = _dealt(with_best(sizes, stage, phase, ranks), stage)
        drawn = stage.kind in {StageKind.KNOCKOUT, StageKind.DOUBLE} and len(entries) == 1
        return (tuple(spared(entries[0])),) if drawn else entries
    advance = stage.last - stage.first + 1
    if len(sizes) > 1:
        placed = qualified(len(sizes), advance, stage.first, stage.source)
    else:
        placed = [PlaceOf(1, stage.first + at, stage.source) for at in range(advance)]
    return _dealt([slot for slot in placed if slot.place <= sizes[slot.group - 1]], stage)


def _dealt(slots: Sequence[Slot], stage: Stage) -> Entries:
    """The entries in their groups: by serpentine seeding, or in blocks if they are divisions."""
    groups = stage.group_count(len(slots))
    if stage.divisions:
        least, more = divmod(len(slots), groups)
        ends = [least * n + min(n, more) for n in range(groups + 1)]
        return tuple(tuple(slots[a:b]) for a, b in pairwise(ends))
    dealt = snake(range(len(slots)), groups)
    return tuple(tuple(slots[at] for at in group) for group in dealt)


def _promoted(sizes: Sequence[int], stage: Stage) -> Entries:
    """The divisions after the last of each have changed places with the first of the next."""
    groups = []
    for at, size in enumerate(sizes):
        up, down = stage.promote if at else 0, stage.promote if at + 1 < len(sizes) else 0
        kept = [PlaceOf(at + 1, place, stage.source) for place in range(up + 1, size - down + 1)]
        fallen = [
            PlaceOf(at, place, stage.source)
            for place in range(sizes[at - 1] - up + 1, sizes[at - 1] + 1)
            if at
        ]
        risen = [PlaceOf(at + 2, place, stage.source) for place in range(1, down + 1)]
        groups.append((*fallen, *kept, *risen))
    return tuple(groups)


def _first_losers(matches: Sequence[Match]) -> list[Slot]:
    """Places for all that lost their first match in a knock-out; a bye is no match."""
    first = {match.id: match for match in matches if match.round == 1 and match.stage == "knockout"}
    free = {match.id for match in first.values() if ByeSlot() in (match.a, match.b)}
    found: list[Slot] = [LoserOf(match) for match in first if match not in free]
    for match in matches:
        if match.round != 2 or match.stage != "knockout":
            continue
        late = [
            side
            for side, slot in enumerate((match.a, match.b))
            if isinstance(slot, WinnerOf) and slot.match in free
        ]
        # If both came by a bye, the loser has lost its first match, whichever pair it is.
        found += (
            [LoserOf(match.id)]
            if len(late) == 2
            else [FirstLossOf(match.id, side) for side in late]
        )
    return found


def _stage_matches(stages: Sequence[Stage], phase: int, entries: Entries) -> list[Match]:
    """All matches of a stage that are known from the beginning, with their names."""
    stage = stages[phase - 1]
    if stage.kind in ROUND_BY_ROUND:
        return []
    if stage.kind is StageKind.ROBIN:
        many = len(entries) > 1
        matches = [
            match
            for group, slots in enumerate(entries, 1)
            for match in _robin(slots, stage.laps, group if many else 0)
        ]
        if many:
            matches.sort(key=lambda match: match.round)
        return [_named(match, stages, phase) for match in matches]
    found: list[Match] = []
    for group, slots in enumerate(entries, 1):
        tree = (
            knock_out(slots, stage.bronze)
            if stage.kind is StageKind.KNOCKOUT
            else double_elimination(slots)
        )
        found += [_named(match, stages, phase, group if len(entries) > 1 else 0) for match in tree]
    return found


def _robin(slots: Sequence[Slot], laps: int, group: int) -> Iterator[Match]:
    """Everybody meets everybody; in each second lap the sides are exchanged."""
    prefix, stage = (f"G{group}.", "group") if group else ("R", "robin")
    rounds = rounds_of(range(len(slots)))
    for lap in range(laps):
        for number, met in enumerate(rounds, 1 + lap * len(rounds)):
            for at, both in enumerate(met, 1):
                a, b = (slots[one] for one in (both[::-1] if lap % 2 else both))
                yield Match(f"{prefix}{number}.{at}", stage, number, a, b, group)


def prefix_of(stages: Sequence[Stage], phase: int) -> str:
    """The number before the names of a stage's matches, if a stage before has the same kind."""
    kinds = [stage.kind for stage in stages[: phase - 1]]
    return str(phase) if stages[phase - 1].kind in kinds else ""


def match_name(stages: Sequence[Stage], phase: int, group: int, number: int, at: int) -> str:
    """The name of a match of a stage that is paired round by round; group 0 if it has one alone."""
    mark = MARKS[stages[phase - 1].kind]
    return f"{prefix_of(stages, phase)}{mark}{f'{group}.' if group else ''}{number}.{at}"


def _named(match: Match, stages: Sequence[Stage], phase: int, group: int = 0) -> Match:
    """A match with the names that it and the matches before it have in their stage."""
    prefix = prefix_of(stages, phase)

    def name(plain: str) -> str:
        return f"{prefix}{plain[0]}{group}.{plain[1:]}" if group else f"{prefix}{plain}"

    def slot(place: Slot) -> Slot:
        if isinstance(place, WinnerOf | LoserOf | SecondChance):
            return replace(place, match=name(place.match))
        return place

    # The entries may be places of other stages, whose matches have their names already.
    own = match.round > 1 or match.stage in {"bronze", "losers", "final"}
    a, b = (slot(match.a), slot(match.b)) if own else (match.a, match.b)
    return replace(match, id=name(match.id), a=a, b=b, group=group or match.group, phase=phase)


def lengths(stages: Sequence[Stage], matches: Iterable[Match]) -> list[int]:
    """The number of rounds of each stage, as far as its matches are known."""
    found = [stage.rounds for stage in stages]
    for match in matches:
        found[match.phase - 1] = max(found[match.phase - 1], match.round)
    return found


def _check_count(count: int) -> None:
    if count < 2:
        raise TournamentError("few_pairs", pairs=count)
    if count > MAX_PAIRS:
        raise TournamentError("many_pairs", most=MAX_PAIRS, pairs=count)


def _check_places(stage: Stage, sizes: Sequence[int]) -> None:
    """Raise TournamentError for places that the groups before do not have."""
    smallest = min(sizes)
    if stage.promote:
        if 2 * stage.promote > smallest:
            raise TournamentError("advance_many", advance=stage.promote, smallest=smallest // 2)
    elif stage.last > smallest and stage.first == 1 and not stage.losers and len(sizes) > 1:
        raise TournamentError("advance_many", advance=stage.last, smallest=smallest)


def _check_groups(stage: Stage, groups: Sequence[int]) -> None:
    smallest, largest = min(groups), max(groups)
    if stage.kind is StageKind.INDIVIDUAL and smallest < 4:
        raise TournamentError("few_players", players=smallest)
    if stage.kind is StageKind.SWISS and stage.rounds > (smallest + 1) // 2:
        most = (smallest + 1) // 2
        raise TournamentError("swiss_long", rounds=stage.rounds, pairs=smallest, most=most)
    if stage.kind is StageKind.ROBIN and len(groups) == 1 and largest > MAX_ROBIN:
        raise TournamentError("robin_large", most=MAX_ROBIN, pairs=largest)
    if len(groups) > 1 and not stage.bars and smallest < 2:
        raise TournamentError("groups_small", groups=len(groups), pairs=sum(groups))
    if stage.kind is StageKind.ROBIN and len(groups) > 1 and largest > MAX_GROUP:
        raise TournamentError("group_large", most=MAX_GROUP, pairs=largest)
    if len(groups) == 1 and smallest < 2:
        raise TournamentError("stage_small", pairs=smallest)
