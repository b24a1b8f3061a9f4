"""Swiss rounds: the history of meetings, the checks of a round, and the pairing of the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.hall.tournament.acts import Format, RoundPaired
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.formats import StageKind
from assistant.hall.tournament.model import PairSlot, Tournament
from assistant.hall.tournament.ranking import Resolver
from assistant.messages.codec import short

# ---- The rounds of a Swiss tournament: who has met whom, and which round may follow -------------


@dataclass(frozen=True, slots=True)
class PairingHistory:
    """The data on which the pairing of a round depends.

    ``active``: the pairs that still play, in the order of the draw. ``met``: each pair's opponents
    so far. ``rested``: the pairs that have had a bye.
    """

    number: int
    active: tuple[int, ...]
    met: dict[int, set[int]]
    rested: frozenset[int]

    @property
    def needs_rematch(self) -> bool:
        """Whether a round without a rematch may not exist.

        If each of n pairs has n/2 others left to meet, a round without a rematch exists (Dirac's
        theorem). With an odd number of pairs the bye counts as one more pair. Only withdrawals can
        bring a pair below n/2.
        """
        fresh = [pair for pair in self.active if pair not in self.rested]
        odd = len(self.active) % 2
        chairs = len(self.active) + odd
        playing = set(self.active)
        left = [
            len(self.active) - 1 - len(self.met[pair] & playing) + (odd and pair not in self.rested)
            for pair in self.active
        ]
        return min([*left, len(fresh)] if odd else left, default=chairs) * 2 < chairs


def next_round(
    tournament: Tournament, number: int | None = None, phase: int = 1, group: int = 1
) -> PairingHistory:
    """The data on which the pairing of round ``number`` depends; by default the next round.

    Raises TournamentError if that round cannot be paired now.
    """
    if not tournament.stages or tournament.stages[phase - 1].kind is not StageKind.SWISS:
        raise TournamentError("not_swiss")
    if not tournament.order:
        raise TournamentError("not_drawn")
    paired, rounds = tournament.paired.get((phase, group), 0), tournament.stages[phase - 1].rounds
    number = paired + 1 if number is None else number
    if number > rounds:
        raise TournamentError("rounds_over", rounds=rounds)
    resolver = Resolver(tournament)
    check_number(tournament, resolver, phase, group, number)
    met: dict[int, set[int]] = {
        pair: set() for pair in resolver.entered(phase, group) if isinstance(pair, int)
    }
    rested = set()
    for match in resolver.matches(phase, group):
        if match.round >= number:
            continue
        assert isinstance(match.a, PairSlot)
        if isinstance(match.b, PairSlot):
            met[match.a.pair].add(match.b.pair)
            met[match.b.pair].add(match.a.pair)
        else:
            rested.add(match.a.pair)
    active = tuple(resolver.active(phase, group))
    return PairingHistory(number, active, met, frozenset(rested))


def check_number(
    tournament: Tournament, resolver: Resolver, phase: int, group: int, number: int
) -> None:
    """Raise TournamentError unless a round can be paired now.

    It is the next one of its group, or the last one if that has no result, and all matches before
    it are decided.
    """
    paired = tournament.paired.get((phase, group), 0)
    if number not in {paired, paired + 1} or number < 1:
        raise TournamentError("other_round", round=number, wanted=paired + 1)
    matches = resolver.matches(phase, group)
    for match in matches:
        if match.round == number and match.id in tournament.results:
            raise TournamentError("round_begun", match=match.id, round=number)
    for match in matches:
        if match.round < number and resolver.outcome(match.id) is None:
            raise TournamentError("undecided", match=match.id, round=number)
    if None in resolver.entered(phase, group):
        raise TournamentError("stage_waits", stage=tournament.stages[phase - 1].source)


Pairings = Sequence[tuple[int, int | None]]


def check_round(tournament: Tournament, act: RoundPaired) -> None:
    """Raise TournamentError unless the round may follow now."""
    if tournament.format is not Format.SWISS:
        raise TournamentError("not_swiss")
    check_pairings(tournament, act.pairings, act.number)


def check_pairings(
    tournament: Tournament, pairings: Pairings, number: int, phase: int = 1, group: int = 1
) -> None:
    """Raise TournamentError unless these pairings may be a Swiss round now."""
    history = next_round(tournament, number, phase, group)
    byes = [a for a, b in pairings if b is None]
    playing = [pair for pairing in pairings for pair in pairing if pair is not None]
    if len(set(playing)) != len(playing):
        twice = next(pair for pair in playing if playing.count(pair) > 1)
        raise TournamentError("paired_twice", pair=short(twice))
    for pair in playing:
        if pair not in history.met:
            raise TournamentError("no_pair", pair=short(pair))
        if pair in tournament.withdrawn:
            raise TournamentError("paired_withdrawn", pair=pair)
    left_out = set(history.active) - set(playing)
    if left_out:
        raise TournamentError("left_out", pair=min(left_out))
    if len(byes) != len(history.active) % 2:
        raise TournamentError("byes", pairs=len(history.active), byes=len(history.active) % 2)
    if any(pair in history.rested for pair in byes) and not history.rested >= set(history.active):
        raise TournamentError("bye_again", pair=byes[0])
    again = [(a, b) for a, b in pairings if b is not None and b in history.met[a]]
    if again and not history.needs_rematch:
        a, b = again[0]
        raise TournamentError("met_before", one=a, other=b)


# ---- Pairing a Swiss round, with a matcher that the caller brings -------------------------------
# Pairs are taken in the order of the standings. Pairs with equally many wins form a score group,
# and in it the top half should meet the bottom half. A pairing costs nothing at exactly half the
# group's length, more the further it is from that, and far more, by the square of the difference,
# between pairs with unequal wins. The matcher finds the cheapest round without a rematch.


Edge = tuple[int, int, int]
Matcher = Callable[[Sequence[Edge]], set[tuple[int, int]]]
"""From edges (one, other, weight) to those of a maximum-weight matching.

Weights are positive, and so large that a matching with one more edge always weighs more."""

NEAR = 8
"""Candidates on each side of the best opponent that are offered first."""
FEW = 64
"""The most pairs for which all candidates are offered at once."""


def pair_round(
    tournament: Tournament, matcher: Matcher, phase: int = 1, group: int = 1
) -> RoundPaired:
    """The next round of a Swiss stage; of a Swiss tournament, as an act that may follow.

    The lowest pair without a bye so far gets the bye. There are rematches only if withdrawals have
    left no round without one. Raises TournamentError if no round can be paired now.
    """
    history = next_round(tournament, phase=phase, group=group)
    active = set(history.active)
    rows = [row for row in Resolver(tournament).standings(phase, group) if row.pair in active]
    won = {row.pair: row.won for row in rows}
    ranked = [row.pair for row in rows]
    for bye in _byes(ranked, history):
        playing = [pair for pair in ranked if pair != bye]
        paired = _paired(playing, won, history, matcher)
        if paired is not None:
            return _round(history.number, paired, bye)
    bye = next(_byes(ranked, history))
    playing = [pair for pair in ranked if pair != bye]
    edges = _edges(playing, won, history, len(playing), rematches=True)
    paired = _perfect(playing, edges, matcher)
    if paired is None:
        raise TournamentError("matcher_short")
    return _round(history.number, paired, bye)


def _round(number: int, paired: list[tuple[int, int]], bye: int | None) -> RoundPaired:
    pairings: list[tuple[int, int | None]] = [*paired]
    return RoundPaired(number, tuple(pairings if bye is None else [*pairings, (bye, None)]))


def _byes(ranked: Sequence[int], history: PairingHistory) -> Iterator[int | None]:
    """The pairs that may have the bye, the best choice first; only None if all play."""
    if len(ranked) % 2 == 0:
        yield None
        return
    fresh = [pair for pair in ranked if pair not in history.rested]
    yield from reversed(fresh or ranked)


def _paired(
    playing: Sequence[int], won: dict[int, int], history: PairingHistory, matcher: Matcher
) -> list[tuple[int, int]] | None:
    """A round without a rematch, or None. Offers more candidates as long as they are too few."""
    near = NEAR if len(playing) > FEW else len(playing)
    while True:
        edges = _edges(playing, won, history, near)
        paired = _perfect(playing, edges, matcher)
        if paired is not None or near >= len(playing):
            return paired
        near *= 4


def _edges(
    playing: Sequence[int],
    won: dict[int, int],
    history: PairingHistory,
    near: int,
    rematches: bool = False,
) -> list[Edge]:
    """Who may meet whom, by place in ``playing``, with the weight of the pairing."""
    costs: list[Edge] = []
    total = len(playing)
    apart = (total + 1) ** 2  # more than the sum of all differences of place in a round
    first, last = _lots(playing, won)
    for one, pair in enumerate(playing):
        half = (last[one] - first[one]) // 2
        same = range(max(one + 1, one + half - near), min(last[one], one + half + near + 1))
        # Only the lowest of a score group go down to the next, and meet the highest there.
        lower = range(last[one], min(total, one + near + 1))
        for other in (*same, *lower):
            rival = playing[other]
            again = rival in history.met[pair]
            if again and not rematches:
                continue
            places = abs(other - one - half) if other < last[one] else other - one
            wins = won[pair] - won[rival]
            # A rematch costs more than the greatest difference possible.
            costs.append((one, other, places + apart * (wins**2 + again * total * apart)))
    # One more pairing is worth more than all that a round can cost.
    most = 1 + total * max((cost for _, _, cost in costs), default=0)
    return [(one, other, most - cost) for one, other, cost in costs]


def _lots(playing: Sequence[int], won: dict[int, int]) -> tuple[list[int], list[int]]:
    """For each place, where its score group begins, and where it ends."""
    total = len(playing)
    first, last = list(range(total)), list(range(1, total + 1))
    for at in range(1, total):
        if won[playing[at]] == won[playing[at - 1]]:
            first[at] = first[at - 1]
    for at in range(total - 2, -1, -1):
        if won[playing[at]] == won[playing[at + 1]]:
            last[at] = last[at + 1]
    return first, last


def _perfect(
    playing: Sequence[int], edges: Sequence[Edge], matcher: Matcher
) -> list[tuple[int, int]] | None:
    """The matcher's pairings, the best first, or None if they leave a pair out. All are checked."""
    allowed = {(one, other) for one, other, _ in edges}
    chosen = sorted((min(edge), max(edge)) for edge in matcher(edges)) if edges else []
    if len({at for edge in chosen for at in edge}) < 2 * len(chosen) or not allowed >= {*chosen}:
        raise TournamentError("matcher_wrong")
    if 2 * len(chosen) < len(playing):
        return None
    return [(playing[one], playing[other]) for one, other in chosen]
