"""Rounds by lot: exempt pairs, meetings, and new partners, from the printed seed."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from assistant.hall.tournament.acts import Format, RoundDrawn, RoundPaired, Side
from assistant.hall.tournament.draw import check_bag
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.formats import ROUND_BY_ROUND, StageKind
from assistant.hall.tournament.model import ByeSlot, PairSlot, Tournament
from assistant.hall.tournament.ranking import Resolver
from assistant.hall.tournament.swiss import Matcher, check_number, check_pairings, pair_round
from assistant.hall.tournament.trees import size_for

# ---- The lots of a round ------------------------------------------------------------------------
# Each entry that is still in, from the lowest number up, draws a lot, and the lowest lot comes
# first. The generator begins anew in each round, from a text with the printed seed.


def lots(entries: Iterable[int], seed: int, phase: int, group: int, number: int) -> list[int]:
    """The entries in the order of their lots in a round; anybody can draw them again."""
    chance = random.Random(f"{seed}/{phase}/{group}/{number}")
    return [entry for _, entry in sorted((chance.random(), entry) for entry in sorted(entries))]


# ---- Who meets whom: the first in the order meets the next that it has not met ------------------
# ... unless what is left could then not be paired with as few rematches. That needs a maximum
# matching of the pairs that have not met (Edmonds), which is kept while pairs leave it.


Met = Callable[[int, int], bool]


def meetings(order: Sequence[int], met: Met) -> list[tuple[int, int]]:
    """Pair an even number of entries, with as few rematches as there can be.

    From the front, each takes the next in the order that it has not met, if the others can then
    still be paired with as few rematches; only if there is no such one, the next it has met.
    """
    graph = _Unmet(order, met)
    left = list(order)
    paired = []
    while left:
        one, *others = left
        other = graph.partner(one, others)
        paired.append((one, other))
        left = [entry for entry in others if entry != other]
    return paired


class _Unmet:
    """The graph of those that have not met, and a maximum matching of it."""

    def __init__(self, order: Sequence[int], met: Met) -> None:
        self._left = dict.fromkeys(order)
        self._met = met
        self._mate: dict[int, int] = {}
        for one in order:  # a greedy start, which is nearly always the end
            if one not in self._mate:
                other = next((to for to in self._near(one) if to not in self._mate), None)
                if other is not None:
                    self._mate |= {one: other, other: one}
        for one in order:
            if one not in self._mate:
                self._grow(one)

    def partner(self, one: int, others: Sequence[int]) -> int:
        """Pair an entry by the rule of ``meetings``; both leave."""
        wanted = len(self._mate) // 2
        for again in (False, True):
            for other in others:
                if self._met(one, other) != again:
                    continue
                if not again and self._mate.get(one) == other:
                    self._leave(one, other)
                    return other
                left, mate = dict(self._left), dict(self._mate)
                self._leave(one, other)
                if len(self._mate) // 2 + (not again) == wanted:
                    return other
                self._left, self._mate = left, mate
        raise AssertionError("a maximum matching can always be kept")

    def _leave(self, *two: int) -> None:
        freed = []
        for one in two:
            del self._left[one]
            other = self._mate.pop(one, None)
            if other is not None:
                self._mate.pop(other, None)
                freed.append(other)
        for one in freed:
            if one in self._left and one not in self._mate:
                self._grow(one)

    def _near(self, one: int) -> Iterator[int]:
        return (to for to in self._left if to != one and not self._met(one, to))

    def _grow(self, root: int) -> None:
        """Match an entry along an augmenting path, if there is one (Edmonds' blossoms)."""
        came: dict[int, int] = {}
        base = {one: one for one in self._left}
        queue, used = deque([root]), {root}
        while queue:
            one = queue.popleft()
            for to in self._near(one):
                if base[one] == base[to] or self._mate.get(one) == to:
                    continue
                if to == root or self._mate.get(to) in came:
                    for inner in self._contract(one, to, came, base):
                        if inner not in used:
                            used.add(inner)
                            queue.append(inner)
                elif to not in came:
                    came[to] = one
                    mate = self._mate.get(to)
                    if mate is None:
                        self._flip(to, came)
                        return
                    used.add(mate)
                    queue.append(mate)

    def _flip(self, end: int, came: Mapping[int, int]) -> None:
        at: int | None = end
        while at is not None:
            before = came[at]
            after = self._mate.get(before)
            self._mate |= {at: before, before: at}
            at = after

    def _contract(self, one: int, to: int, came: dict[int, int], base: dict[int, int]) -> list[int]:
        """Make one of an odd circle; returns the entries in it."""
        meets = self._common(one, to, came, base)
        inside: set[int] = set()
        for start, child in ((one, to), (to, one)):
            at = start
            while base[at] != meets:
                inside |= {base[at], base[self._mate[at]]}
                came[at] = child
                child = self._mate[at]
                at = came[child]
        held = [entry for entry in base if base[entry] in inside]
        for entry in held:
            base[entry] = meets
        return held

    def _common(self, one: int, to: int, came: Mapping[int, int], base: Mapping[int, int]) -> int:
        passed = set()
        while True:
            one = base[one]
            passed.add(one)
            if one not in self._mate or self._mate[one] not in came:
                break
            one = came[self._mate[one]]
        while base[to] not in passed:
            to = came[self._mate[base[to]]]
        return base[to]


# ---- A round as an act --------------------------------------------------------------------------


def due(tournament: Tournament) -> tuple[tuple[int, int], ...]:
    """The groups of which a round can be paired now, as (phase, group)."""
    if not tournament.order:
        return ()
    resolver = Resolver(tournament)
    return tuple(
        [
            (phase, group)
            for phase, group in _by_round(tournament)
            if not resolver.over(phase, group)
            and None not in resolver.entered(phase, group)
            and all(resolver.outcome(m.id) is not None for m in resolver.matches(phase, group))
        ]
    )


def rounds_left(tournament: Tournament) -> bool:
    """Whether a round is still to be paired, now or later."""
    if not tournament.order:
        return False
    resolver = Resolver(tournament)
    return any(_more(tournament, resolver, *key) for key in _by_round(tournament))


def _more(tournament: Tournament, resolver: Resolver, phase: int, group: int) -> bool:
    stage = tournament.stages[phase - 1]
    if stage.kind in {StageKind.SWISS, StageKind.INDIVIDUAL}:
        paired = tournament.paired.get((phase, group), 0)
        if paired >= stage.rounds:
            return False
    return not resolver.over(phase, group)


def _by_round(tournament: Tournament) -> list[tuple[int, int]]:
    return [
        (phase, group)
        for phase, stage in enumerate(tournament.stages, 1)
        if stage.kind in ROUND_BY_ROUND
        for group in range(1, len(tournament.entries[phase - 1]) + 1)
    ]


def in_the_bag(tournament: Tournament) -> tuple[int, ...]:
    """The numbers that are drawn next: of the draw, or of the rounds by lot; () for neither."""
    if not tournament.order:
        unseeded = [pair.number for pair in tournament.pairs.values() if pair.seed is None]
        return tuple(sorted(unseeded))
    if tournament.format is not Format.SHEET:
        return ()
    found = [entry for key in due(tournament) for entry in _drawing(tournament, *key)]
    return tuple(sorted(found))


def _drawing(tournament: Tournament, phase: int, group: int) -> list[int]:
    """Who draws a lot in the next round of a group."""
    if tournament.stages[phase - 1].kind is StageKind.SWISS:
        return []
    number = tournament.paired.get((phase, group), 0) + 1
    return list(Resolver(tournament).active(phase, group, number))


def pair_rounds(
    tournament: Tournament, matcher: Matcher, bag: Sequence[int] = ()
) -> tuple[RoundPaired | RoundDrawn, ...]:
    """The next round of every group that can have one, as acts that may follow.

    ``bag``: the numbers of all of them in the order in which people drew them. Raises
    TournamentError if there is none.
    """
    if bag and tournament.order and not in_the_bag(tournament):
        raise TournamentError("bag_points")
    if tournament.format is not Format.SHEET:
        return (pair_round(tournament, matcher),)
    if not tournament.order:
        raise TournamentError("not_drawn")
    found = due(tournament)
    if not found:
        _refuse(tournament)
    if bag:
        check_bag(bag, in_the_bag(tournament))
    return tuple([drawn_round(tournament, phase, group, matcher, bag) for phase, group in found])


def _refuse(tournament: Tournament) -> None:
    resolver = Resolver(tournament)
    for phase, group in _by_round(tournament):
        for match in resolver.matches(phase, group):
            if resolver.outcome(match.id) is None:
                raise TournamentError("undecided", match=match.id, round=match.round + 1)
        if None in resolver.entered(phase, group):
            raise TournamentError("stage_waits", stage=tournament.stages[phase - 1].source)
    raise TournamentError("none_to_pair")


def drawn_round(
    tournament: Tournament, phase: int, group: int, matcher: Matcher, bag: Sequence[int] = ()
) -> RoundDrawn:
    """The next round of a group; ``bag`` may have the numbers of others, too."""
    number = tournament.paired.get((phase, group), 0) + 1
    if tournament.stages[phase - 1].kind is not StageKind.SWISS:
        there = set(_drawing(tournament, phase, group)) if bag else set()
        own = tuple([entry for entry in bag if entry in there])
        sides = lot_meetings(tournament, phase, group, number, own)
        return RoundDrawn(phase, group, number, tuple(sides), bag=own)
    pairings = pair_round(tournament, matcher, phase, group).pairings
    met = tuple([((a,), () if b is None else (b,)) for a, b in pairings])
    return RoundDrawn(phase, group, number, met)


def check_drawn(tournament: Tournament, act: RoundDrawn) -> None:
    """Raise TournamentError unless the round may follow now; by lot, unless the seed gives it."""
    if not tournament.order:
        raise TournamentError("not_drawn")
    if (act.phase, act.group) not in _by_round(tournament) or (
        tournament.format is not Format.SHEET
    ):
        raise TournamentError("no_rounds", stage=act.phase, group=act.group)
    stage = tournament.stages[act.phase - 1]
    if stage.kind is StageKind.SWISS:
        if act.bag:
            raise TournamentError("bag_points")
        if any(len(a) != 1 or len(b) > 1 for a, b in act.meetings):
            raise TournamentError("other_lots", round=act.number)
        pairings = [(a[0], b[0] if b else None) for a, b in act.meetings]
        return check_pairings(tournament, pairings, act.number, act.phase, act.group)
    resolver = Resolver(tournament)
    check_number(tournament, resolver, act.phase, act.group, act.number)
    again = act.number == tournament.paired.get((act.phase, act.group), 0)
    if not again and not _more(tournament, resolver, act.phase, act.group):
        raise TournamentError("none_to_pair")
    wanted = lot_meetings(tournament, act.phase, act.group, act.number, act.bag)
    if act.meetings != tuple(wanted):
        raise TournamentError("other_lots", round=act.number)
    return None


def lot_meetings(
    tournament: Tournament, phase: int, group: int, number: int, bag: Sequence[int] = ()
) -> list[tuple[Side, Side]]:
    """Who meets whom in a round by lot; those who are exempt come last.

    Exempt is who comes last in the lots among those that were exempt least often so far. The lots
    are those of the seed, or the numbers of a ``bag`` in the order in which they were drawn.
    """
    assert tournament.seed is not None
    stage = tournament.stages[phase - 1]
    resolver = Resolver(tournament)
    active = resolver.active(phase, group, number)
    if bag:
        check_bag(bag, active)
    order = list(bag) or lots(active, tournament.seed, phase, group, number)
    history = _Before(resolver, phase, group, number)
    individual = stage.kind is StageKind.INDIVIDUAL
    count = len(order) % (4 if individual else 2)
    if stage.byes == "first" and number == 1 and len(order) > 1:
        count = size_for(len(order)) - len(order)
    exempt = [order.pop(at) for at in _exempt(order, history.rested, count)]
    byes: list[tuple[Side, Side]] = [((entry,), ()) for entry in reversed(exempt)]
    if individual:
        return [*_with_partners(order, history), *byes]
    if stage.pairing == "equal":
        lost = resolver.defeats(phase, group, number)
        order.sort(key=lambda entry: lost[entry])
    paired = meetings(order, lambda a, b: b in history.met[a])
    return [*[((a,), (b,)) for a, b in paired], *byes]


def _exempt(order: Sequence[int], rested: Mapping[int, int], count: int) -> list[int]:
    """The places in the order of those that are exempt, the last first."""
    last_first = sorted(range(len(order)), key=lambda at: (rested[order[at]], -at))
    return sorted(last_first[:count], reverse=True)


def _with_partners(order: Sequence[int], history: _Before) -> list[tuple[Side, Side]]:
    """Players with new partners; then the pairs that they make, with new opponents if possible."""
    pairs = meetings(order, lambda a, b: b in history.partners[a])

    def met(one: int, other: int) -> bool:
        return any(b in history.met[a] for a in pairs[one] for b in pairs[other])

    tables = meetings(range(len(pairs)), met)
    return [(pairs[one], pairs[other]) for one, other in tables]


class _Before:
    """Who met whom before a round, who played with whom, and who was exempt how often."""

    def __init__(self, resolver: Resolver, phase: int, group: int, number: int) -> None:
        entered = [entry for entry in resolver.entered(phase, group) if isinstance(entry, int)]
        self.met: dict[int, set[int]] = {entry: set() for entry in entered}
        self.partners: dict[int, set[int]] = {entry: set() for entry in entered}
        self.rested: Counter[int] = Counter()
        for match in resolver.matches(phase, group):
            if match.round >= number:
                continue
            sides = [
                resolver.people(slot.pair) if isinstance(slot, PairSlot) else ()
                for slot in (match.a, match.b)
            ]
            if isinstance(match.b, ByeSlot):
                self.rested.update(sides[0])
            for one, other in (sides, sides[::-1]):
                for entry in one:
                    self.met[entry].update(other)
                    self.partners[entry].update(set(one) - {entry})
