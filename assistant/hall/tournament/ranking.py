"""Standings and outcomes: the pairs of a match, how it ended, and the ranking of all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assistant.hall.tournament.draw import apart
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.formats import (
    ELIMINATING,
    FOR_POINTS,
    ROUND_BY_ROUND,
    StageKind,
)
from assistant.hall.tournament.model import (
    BOTH,
    BYE,
    BestOf,
    ByeSlot,
    EitherOf,
    FirstLossOf,
    Match,
    PairSlot,
    PlaceOf,
    Player,
    SecondChance,
    Slot,
    Tournament,
    WinnerOf,
)
from assistant.hall.tournament.trees import size_for
from assistant.messages.codec import short

# ---- The ranking of pairs that play for points: matches won, then the tie-breaks ----------------
# One criterion after the other separates pairs that are level. A criterion that separates some of
# them leaves smaller lots of level pairs, and each lot continues by itself. "direct" counts the
# matches among exactly the pairs that are level, and only if each of them met every other. Once it
# separates some, it is applied again to the smaller lots.


WON = "won"
"""The first criterion: matches won."""
DRAW = "draw"
"""The last criterion: the order of the draw."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A decided match, in the order of its two pairs; the second is None for a bye.

    ``winner`` is None if both pairs had withdrawn: both lost. Or, if it is ``drawn``, nobody did.
    """

    pairs: tuple[int, int | None]
    winner: int | None
    juegos: tuple[int, int] = (0, 0)
    stones: tuple[int, int] = (0, 0)
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One pair in the standings; of two numbers the first is its own, the second its opponents'.

    ``buchholz`` counts the matches that its opponents won. ``by`` is the criterion after which no
    other pair was level with it: "won", a tie-break, or "draw". A match that was ``played`` and
    neither won nor lost ended level when time was up; it ranks as half a match won.
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


@dataclass(frozen=True, slots=True)
class BestRow:
    """One pair in the comparison of those that finish at one place in their groups.

    ``row`` has what counts there, and ``left_out`` the pairs against whom nothing counts.
    ``values`` are those by which it is compared, by criterion, in their order; more is better.
    """

    row: StandingRow
    group: int
    left_out: tuple[int, ...]
    values: Mapping[str, Fraction]


@dataclass(slots=True)
class _Sum:
    """The totals of a pair so far."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    juegos_for: int = 0
    juegos_against: int = 0
    stones_for: int = 0
    stones_against: int = 0


def rank(
    order: Sequence[int], encounters: Iterable[Encounter], tiebreaks: Sequence[str]
) -> tuple[StandingRow, ...]:
    """The standings of the pairs in ``order``, the order of the draw, which decides last."""
    met = list(encounters)
    sums = {pair: _Sum() for pair in order}
    opponents: dict[int, list[int]] = {pair: [] for pair in order}
    for encounter in met:
        _add(sums, encounter)
        for one, other in _sides(encounter):
            opponents[one].append(other)
    values: dict[str, Mapping[int, int]] = {
        WON: {pair: 2 * total.won + total.drawn for pair, total in sums.items()},
        "juegos": {p: total.juegos_for - total.juegos_against for p, total in sums.items()},
        "stones": {p: total.stones_for - total.stones_against for p, total in sums.items()},
        "buchholz": {p: sum(sums[o].won for o in met_by) for p, met_by in opponents.items()},
        DRAW: {pair: -at for at, pair in enumerate(order)},
    }
    placed = _separated(list(order), (WON, *tiebreaks, DRAW), values, _Direct(met))
    return tuple(
        StandingRow(
            place,
            pair,
            sums[pair].won + sums[pair].drawn + sums[pair].lost,
            sums[pair].won,
            sums[pair].lost,
            (sums[pair].juegos_for, sums[pair].juegos_against),
            (sums[pair].stones_for, sums[pair].stones_against),
            values["buchholz"][pair],
            by,
        )
        for place, (pair, by) in enumerate(placed, 1)
    )


def compare(
    members: Sequence[tuple[int, int, tuple[int, ...], Sequence[Encounter]]],
    tiebreaks: Sequence[str],
    order: Sequence[int],
    *,
    average: bool,
) -> tuple[BestRow, ...]:
    """Pairs of different groups, the best first: (pair, group, left out, what counts) of each.

    They never met, so only sums compare them: matches won, then juegos and stones in the order of
    the tie-breaks, each in total or on an ``average`` match. ``order`` is that of the draw, which
    decides last.
    """
    drawn = {pair: at for at, pair in enumerate(order)}
    found = []
    for pair, group, left_out, met in members:
        (row,) = rank([pair], [_as_seen_by(pair, encounter) for encounter in met], ())
        sums = {
            WON: row.won * 2 + (row.played - row.won - row.lost),
            "juegos": row.juegos[0] - row.juegos[1],
            "stones": row.stones[0] - row.stones[1],
        }
        many = max(1, row.played) if average else 1
        values = {
            name: Fraction(sums[name], many * (2 if name == WON else 1))
            for name in (WON, *tiebreaks)
            if name in sums
        }
        values[DRAW] = Fraction(-drawn[pair])
        found.append(BestRow(row, group, left_out, values))
    found.sort(key=lambda one: tuple(one.values.values()), reverse=True)
    return tuple([replace(one, row=replace(one.row, place=n)) for n, one in enumerate(found, 1)])


def _as_seen_by(pair: int, met: Encounter) -> Encounter:
    """An encounter without the opponent."""
    if met.pairs[0] == pair:
        return replace(met, pairs=(pair, None))
    (one, other), (first, second) = met.juegos, met.stones
    return replace(met, pairs=(pair, None), juegos=(other, one), stones=(second, first))


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
        elif encounter.drawn:
            total.drawn += 1
        else:
            total.lost += 1
        total.juegos_for += encounter.juegos[side]
        total.juegos_against += encounter.juegos[1 - side]
        total.stones_for += encounter.stones[side]
        total.stones_against += encounter.stones[1 - side]


class _Direct:
    """How often each pair won against each other."""

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


# ---- Who takes part in a match and how it ended, as far as the results say ----------------------


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The winner and the loser of a match, each a pair or a bye, as they go on from it.

    ``both`` are its two pairs, if both lost; ``drawn``: neither won nor lost.
    """

    winner: Player
    loser: Player
    both: tuple[int, ...] = ()
    drawn: bool = False


MOST_COMPARISONS = 16
"""Comparisons across groups that are kept, of all tournaments."""
_COMPARISONS: dict[tuple[object, ...], tuple[BestRow, ...]] = {}


class Resolver:
    """Outcomes and participants of one tournament, cached because a tournament never changes.

    A group of a stage is named by (phase, group), both from 1.
    """

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._players: dict[str, tuple[Player, Player]] = {}
        self._outcomes: dict[str, MatchOutcome | None] = {}
        self._places: dict[tuple[int, int], list[tuple[int, ...]] | None] = {}
        self._grouped: dict[tuple[int, int], list[Match]] = {}
        self._best: dict[int, tuple[BestRow, ...]] = {}
        self._seats: dict[int, dict[int, int] | None] = {}

    def players(self, match: str) -> tuple[Player, Player]:
        """The participants of a match, in the order of its places."""
        known = self._players.get(match)
        if known is None:
            played = self._tournament.matches[match]
            known = self._players[match] = (self._in(played.a), self._in(played.b))
        return known

    def outcome(self, match: str) -> MatchOutcome | None:
        """How a match ended; None while it is open.

        A match with a bye, or with a pair that withdrew, ends by itself once the other pair is
        known. A match with two byes, or with two pairs that withdrew, sends a bye on.
        """
        if match not in self._outcomes:
            self._outcomes[match] = self._outcome(match)
        return self._outcomes[match]

    def encounters(self, matches: Iterable[Match]) -> list[Encounter]:
        """The decided matches. A match that was not played is won by all juegos to 0."""
        found = []
        for match in matches:
            outcome = self.outcome(match.id)
            a, b = self.players(match.id)
            if outcome is None or not (isinstance(a, int) or isinstance(b, int)):
                continue
            result = self._tournament.results.get(match.id)
            winner = outcome.winner if isinstance(outcome.winner, int) else None
            if not isinstance(a, int):
                a, b = b, a  # a bye of an earlier stage
            assert isinstance(a, int)
            other = b if isinstance(b, int) else None
            if result is not None and result.counts:
                met = (a, other)
                drawn = outcome.drawn
                found.append(Encounter(met, winner, result.juegos, result.stones, drawn))
                continue
            won = 0 if winner is None else self._tournament.needed(match.id)
            score = (won, 0) if winner == a else (0, won)
            found.append(Encounter((a, other), winner, score))
        return found

    def matches(self, phase: int, group: int) -> list[Match]:
        """The matches of a group of a stage, in the order of play."""
        if not self._grouped:
            for match in self._tournament.matches.values():
                self._grouped.setdefault((match.phase, match.group or 1), []).append(match)
        return self._grouped.get((phase, group), [])

    def entered(self, phase: int, group: int) -> list[Player]:
        """The pairs at the places of a group of a stage; None where they are not known yet."""
        return [self._in(slot) for slot in self._tournament.entries[phase - 1][group - 1]]

    def standings(self, phase: int, group: int = 1) -> tuple[StandingRow, ...]:
        """The standings of a group by the decided matches."""
        tournament = self._tournament
        order = [player for player in self.entered(phase, group) if isinstance(player, int)]
        met = self.encounters(self.matches(phase, group))
        tiebreaks: Sequence[str] = tournament.options.tiebreaks
        if tournament.stages[phase - 1].kind is StageKind.INDIVIDUAL:
            met = self._of_people(met)
            # Everybody plays with others each time, so nobody meets anybody alone.
            tiebreaks = [name for name in tiebreaks if name not in {"direct", "buchholz"}]
        return rank(order, met, tiebreaks)

    def people(self, player: int) -> tuple[int, ...]:
        """Those that enrolled: a pair itself, or the two that a round made a pair of."""
        return self._tournament.pairs[player].of or (player,)

    def places(self, phase: int, group: int = 1) -> list[tuple[int, ...]] | None:
        """The pairs on each place of a group of a stage, from the first; None before its end.

        A lot of pairs that nothing separates share a place.
        """
        key = phase, group
        if key not in self._places:
            self._places[key] = self._placed(phase, group) if self.over(phase, group) else None
        return self._places[key]

    def best(self, into: int) -> tuple[BestRow, ...]:
        """The present comparison across groups for a stage that takes the best of a place."""
        if into not in self._best:
            self._best[into] = self._compared(into)
        return self._best[into]

    def best_settled(self, into: int) -> bool:
        """Whether all groups of this comparison are decided."""
        source = self._tournament.stages[into - 1].source
        groups = range(1, len(self._tournament.entries[source - 1]) + 1)
        return all(self.over(source, group) for group in groups)

    def _compared(self, into: int) -> tuple[BestRow, ...]:
        """The comparison, computed once for the same results: each later act asks for it again."""
        tournament = self._tournament
        source = tournament.stages[into - 1].source
        if not all(isinstance(slot, PairSlot) for group in tournament.entries[source - 1]
                   for slot in group):  # fmt: skip
            return self._compare(into)  # who plays depends on more than these results
        results = tournament.results
        key = (
            *(into, tournament.stages, tournament.entries[source - 1], tournament.order),
            *(tournament.withdrawn, tournament.options),
            tuple([results.get(m.id) for m in tournament.matches.values() if m.phase == source]),
        )
        known = _COMPARISONS.get(key)
        if known is None:
            if len(_COMPARISONS) >= MOST_COMPARISONS:
                _COMPARISONS.clear()  # in one step, because several threads fold tournaments
            known = _COMPARISONS[key] = self._compare(into)
        return known

    def _compare(self, into: int) -> tuple[BestRow, ...]:
        tournament, stage = self._tournament, self._tournament.stages[into - 1]
        groups = range(1, len(tournament.entries[stage.source - 1]) + 1)
        lists = {group: self.standings(stage.source, group) for group in groups}
        lists = {group: rows for group, rows in lists.items() if len(rows) > stage.last}
        least = min(map(len, lists.values()), default=0)
        members = []
        for group, rows in lists.items():
            pair = rows[stage.last].pair
            out = () if stage.compare == "average" else tuple([row.pair for row in rows[least:]])
            met = self.encounters(self.matches(stage.source, group))
            counted = [one for one in met if pair in one.pairs and not {*out} & {*one.pairs}]
            members.append((pair, group, out, counted))
        order, average = tournament.order, stage.compare == "average"
        return compare(members, tournament.options.tiebreaks, order, average=average)

    def over(self, phase: int, group: int) -> bool:
        """Whether a group of a stage is decided."""
        stage = self._tournament.stages[phase - 1]
        if not all(self.outcome(match.id) is not None for match in self.matches(phase, group)):
            return False
        if stage.kind not in ROUND_BY_ROUND:
            return True
        if None in self.entered(phase, group):
            return False
        paired = self._tournament.paired.get((phase, group), 0)
        left = len(self.active(phase, group))
        if stage.kind in ELIMINATING:
            return left < 2
        return paired >= stage.rounds or left < (4 if stage.kind is StageKind.INDIVIDUAL else 1)

    def active(self, phase: int, group: int, before: int | None = None) -> list[int]:
        """The pairs still in a group that is paired round by round, before a round; default: now.

        Pairs that withdrew are left out.
        """
        gone = self._tournament.withdrawn
        return [pair for pair in self.alive(phase, group, before) if pair not in gone]

    def alive(self, phase: int, group: int, before: int | None = None) -> list[int]:
        """As ``active``, with the pairs that withdrew."""
        stage = self._tournament.stages[phase - 1]
        entered = [player for player in self.entered(phase, group) if isinstance(player, int)]
        if stage.kind not in ELIMINATING:
            return entered
        lost = self.defeats(phase, group, before)
        return [pair for pair in entered if lost[pair] < max(1, stage.defeats)]

    def defeats(self, phase: int, group: int, before: int | None = None) -> Counter[int]:
        """How often each pair has lost in a group of a stage, before a round."""
        lost: Counter[int] = Counter()
        for match in self.matches(phase, group):
            if before is not None and match.round >= before:
                continue
            outcome = self.outcome(match.id)
            if outcome is not None:
                lost.update(outcome.both)
                lost.update([outcome.loser] if isinstance(outcome.loser, int) else ())
        return lost

    def _placed(self, phase: int, group: int) -> list[tuple[int, ...]]:
        stage = self._tournament.stages[phase - 1]
        if stage.kind in FOR_POINTS:
            return [(row.pair,) for row in self.standings(phase, group)]
        matches = self.matches(phase, group)
        if stage.kind is StageKind.DOUBLE:
            return self._of_double(matches)
        if stage.kind is StageKind.KNOCKOUT:
            return self._of_knock_out(matches)
        return self._of_rounds(phase, group)

    def _of_knock_out(self, matches: Sequence[Match]) -> list[tuple[int, ...]]:
        final = self._ended(matches[-1])
        found = [*final]
        bronze = [match for match in matches if match.stage == "bronze"]
        last = matches[-1].round
        if bronze:
            found += self._ended(bronze[0])
            last -= 1
        for number in range(last - 1, 0, -1):
            played = [m for m in matches if m.stage == "knockout" and m.round == number]
            found.append(tuple([pair for match in played for pair in self._ended(match)[1]]))
        return found

    def _of_double(self, matches: Sequence[Match]) -> list[tuple[int, ...]]:
        *before, first, second = matches
        champion, lost = self._ended(second)
        found = [champion, lost or self._ended(first)[1]]
        dropped = [match for match in before if match.stage == "losers"]
        for number in sorted({match.round for match in dropped}, reverse=True):
            played = [match for match in dropped if match.round == number]
            found.append(tuple([pair for match in played for pair in self._ended(match)[1]]))
        return found

    def _of_rounds(self, phase: int, group: int) -> list[tuple[int, ...]]:
        """The pairs that stayed to the end, then those that went out, the last first."""
        limit = max(1, self._tournament.stages[phase - 1].defeats)
        left = tuple(self.active(phase, group))
        out: dict[int, list[int]] = {}
        lost: Counter[int] = Counter()
        gone = self._tournament.withdrawn
        matches = self.matches(phase, group)
        latest = {player: match for match in matches for player in self.players(match.id)}
        for match in matches:
            for pair in self._ended(match)[1]:
                lost[pair] += 1
                if lost[pair] == limit or (pair in gone and match is latest[pair]):
                    out.setdefault(match.round, []).append(pair)
        return [left, *[tuple(out[number]) for number in sorted(out, reverse=True)]]

    def _ended(self, match: Match) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Winner and loser of a decided match, each none or one pair."""
        ended = self.outcome(match.id)
        assert ended is not None
        won, lost = ended.winner, ended.loser
        losers = (lost,) if isinstance(lost, int) else ended.both
        return (won,) if isinstance(won, int) else (), losers

    def _of_people(self, met: Iterable[Encounter]) -> list[Encounter]:
        """The matches of pairs that were made for a round, as each of their players counts them."""
        found = []
        for encounter in met:
            one, other = encounter.pairs
            if other is None:
                continue  # a rest counts nothing
            for a, b in zip(self.people(one), self.people(other), strict=True):
                winner = {one: a, other: b, None: None}[encounter.winner]
                found.append(replace(encounter, pairs=(a, b), winner=winner))
        return found

    def _outcome(self, match: str) -> MatchOutcome | None:
        result = self._tournament.results.get(match)
        if result is not None and result.counts:
            winner, loser = result.winner, result.loser
            if winner is not None and loser is not None:
                return MatchOutcome(winner, loser)
            drawn = result.how != BOTH
            return MatchOutcome(BYE, BYE, () if drawn else result.pairs, drawn)
        a, b = self.players(match)
        if a is None or b is None:
            return None
        if a is BYE or b is BYE:
            return MatchOutcome(b if a is BYE else a, BYE)
        if self._gone(a):
            return MatchOutcome(BYE, BYE) if self._gone(b) else MatchOutcome(b, a)
        return MatchOutcome(a, b) if self._gone(b) else None

    def _gone(self, player: Player) -> bool:
        assert isinstance(player, int)
        return not self._tournament.withdrawn.isdisjoint(self.people(player))

    def _in(self, slot: Slot) -> Player:
        if isinstance(slot, PairSlot):
            return slot.pair
        if isinstance(slot, ByeSlot):
            return BYE
        if isinstance(slot, PlaceOf):
            return self._place(slot)
        if isinstance(slot, BestOf | EitherOf):
            return self._by_comparison(slot)
        outcome = self.outcome(slot.match)
        if outcome is None:
            return None
        if isinstance(slot, WinnerOf):
            return outcome.winner
        if isinstance(slot, SecondChance) and outcome.loser != self.players(slot.match)[0]:
            return BYE
        if isinstance(slot, FirstLossOf) and outcome.loser != self.players(slot.match)[slot.side]:
            return BYE
        return outcome.loser

    def _by_comparison(self, slot: BestOf | EitherOf) -> Player:
        if slot.into not in self._seats:
            self._seats[slot.into] = self._seated(slot.into)
        seats = self._seats[slot.into]
        if seats is None:
            return None
        if isinstance(slot, BestOf):
            return seats.get(slot.rank, BYE)
        taker = self._taker(slot.into)
        barred = {one.group for one in self.best(taker) if one.row.pair in seats.values()}
        return self._place(slot.other if slot.barred in barred else slot.usual)

    def _taker(self, into: int) -> int:
        """The stage that takes the best of the place of which this one has some."""
        slot = next(s for group in self._tournament.entries[into - 1] for s in group
                    if isinstance(s, BestOf))  # fmt: skip
        for phase, stage in enumerate(self._tournament.stages, 1):
            if (stage.source, stage.last + 1) == (slot.phase, slot.place) and stage.takes_best:
                return phase
        raise AssertionError("nobody takes the best of this place")

    def _seated(self, into: int) -> dict[int, int] | None:
        """Rank -> the pair that has its line in a stage; None before all groups are decided."""
        taker = self._taker(into)
        if not self.best_settled(taker):
            return None
        rows = self.best(taker)
        entries = self._tournament.entries[into - 1]
        ranks = [s.rank for group in entries for s in group if isinstance(s, BestOf)]
        ranks = [rank for rank in ranks if rank <= len(rows)]
        coming = [rows[rank - 1] for rank in ranks]
        order = list(range(len(coming)))
        stage = self._tournament.stages[into - 1]
        if len(entries) == 1 and stage.kind in {StageKind.KNOCKOUT, StageKind.DOUBLE}:
            groups = [one.group for one in coming]
            order = apart(self._faced(entries[0], groups), groups)
        return {rank: coming[at].row.pair for rank, at in zip(ranks, order, strict=True)}

    def _faced(self, entries: Sequence[Slot], coming: Sequence[int]) -> list[int]:
        """The group that each line of a bracket faces which somebody of ``coming`` has; 0: none."""
        size, found = size_for(len(entries)), []
        for at, slot in enumerate(entries):
            if isinstance(slot, BestOf):
                facing = entries[size - 1 - at] if size - 1 - at < len(entries) else None
                if isinstance(facing, EitherOf):
                    facing = facing.other if facing.barred in coming else facing.usual
                found.append(facing.group if isinstance(facing, PlaceOf) else 0)
        return found

    def _place(self, slot: PlaceOf) -> Player:
        places = self.places(slot.phase, slot.group)
        if places is None:
            return None
        pairs = [pair for place in places for pair in place]
        return pairs[slot.place - 1] if slot.place <= len(pairs) else BYE


def check_match(tournament: Tournament, match: str) -> None:
    """Raise TournamentError for a match that does not exist."""
    if match not in tournament.matches:
        raise TournamentError("no_match", match=short(match))


def players(tournament: Tournament, match: str) -> tuple[Player, Player]:
    """The participants of a match: a pair's number, a bye, or None while it is not known.

    Raises TournamentError for a match that does not exist.
    """
    check_match(tournament, match)
    return Resolver(tournament).players(match)


def outcome(tournament: Tournament, match: str) -> MatchOutcome | None:
    """How a match ended, played or not; None while it is open.

    Raises TournamentError for a match that does not exist.
    """
    check_match(tournament, match)
    return Resolver(tournament).outcome(match)


def standings(tournament: Tournament, group: int = 0) -> tuple[StandingRow, ...]:
    """The standings of a round robin, a Swiss tournament or a group, by the decided matches.

    Raises TournamentError if there are none: before the draw, or in a bracket.
    """
    if not tournament.order:
        raise TournamentError("not_drawn")
    resolver = Resolver(tournament)
    phase = next((at for at, s in enumerate(tournament.stages, 1) if s.kind in FOR_POINTS), 0)
    if not phase:
        raise TournamentError("no_standings")
    groups = len(tournament.entries[phase - 1])
    if not (1 if groups > 1 else 0) <= group <= groups:
        raise TournamentError("no_group", groups=groups)
    return resolver.standings(phase, group or 1)
