"""Standings and outcomes: who takes part in a match, how it ended, and who is ranked where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.hall.tournament.acts import Format
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.model import (
    BYE,
    ByeSlot,
    Match,
    PairSlot,
    PlaceOf,
    Player,
    SecondChance,
    Slot,
    Tournament,
    WinnerOf,
)
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

    ``winner`` is None if both pairs had withdrawn: both lost.
    """

    pairs: tuple[int, int | None]
    winner: int | None
    juegos: tuple[int, int] = (0, 0)
    stones: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One pair in the standings; of two numbers the first is its own, the second its opponents'.

    ``buchholz`` counts the matches that its opponents won. ``by`` is the criterion after which no
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
    """The totals of a pair so far."""

    won: int = 0
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
        WON: {pair: total.won for pair, total in sums.items()},
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
    """Who goes on from a match as its winner, and who as its loser: a pair, or a bye."""

    winner: Player
    loser: Player


class Resolver:
    """Outcomes and participants of one tournament, cached because a tournament never changes."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._players: dict[str, tuple[Player, Player]] = {}
        self._outcomes: dict[str, MatchOutcome | None] = {}
        self._rows: dict[int, tuple[StandingRow, ...] | None] = {}
        self._grouped: dict[int, list[Match]] = {}

    def players(self, match: str) -> tuple[Player, Player]:
        """Who takes part in a match, in the order of its places."""
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
            if outcome is None or not isinstance(a, int):
                continue
            result = self._tournament.results.get(match.id)
            other = b if isinstance(b, int) else None
            winner = outcome.winner if isinstance(outcome.winner, int) else None
            if result is not None and result.counts:
                found.append(Encounter((a, other), winner, result.juegos, result.stones))
                continue
            juegos = self._tournament.options.juegos
            won = 0 if winner is None else juegos
            score = (won, 0) if winner == a else (0, won)
            found.append(Encounter((a, other), winner, score))
        return found

    def standings(self) -> tuple[StandingRow, ...]:
        """The standings of all pairs by the decided matches, if all play for points."""
        met = self.encounters(self._tournament.matches.values())
        return rank(self._tournament.order, met, self._tournament.options.tiebreaks)

    def group(self, number: int) -> tuple[StandingRow, ...]:
        """The standings of a group by the decided matches."""
        pairs = self._tournament.groups[number - 1]
        met = self.encounters(self._of_group(number))
        return rank(pairs, met, self._tournament.options.tiebreaks)

    def _of_group(self, number: int) -> list[Match]:
        if not self._grouped:
            for match in self._tournament.matches.values():
                self._grouped.setdefault(match.group, []).append(match)
        return self._grouped[number]

    def _outcome(self, match: str) -> MatchOutcome | None:
        result = self._tournament.results.get(match)
        if result is not None and result.counts:
            return MatchOutcome(result.winner, result.loser)
        a, b = self.players(match)
        if a is None or b is None:
            return None
        if a is BYE or b is BYE:
            return MatchOutcome(b if a is BYE else a, BYE)
        gone = self._tournament.withdrawn
        if a in gone:
            return MatchOutcome(BYE, BYE) if b in gone else MatchOutcome(b, a)
        return MatchOutcome(a, b) if b in gone else None

    def _in(self, slot: Slot) -> Player:
        if isinstance(slot, PairSlot):
            return slot.pair
        if isinstance(slot, ByeSlot):
            return BYE
        if isinstance(slot, PlaceOf):
            return self._place(slot)
        outcome = self.outcome(slot.match)
        if outcome is None:
            return None
        if isinstance(slot, WinnerOf):
            return outcome.winner
        if isinstance(slot, SecondChance) and outcome.loser != self.players(slot.match)[0]:
            return BYE
        return outcome.loser

    def _place(self, slot: PlaceOf) -> Player:
        if slot.group not in self._rows:
            matches = self._of_group(slot.group)
            played = all(self.outcome(match.id) is not None for match in matches)
            self._rows[slot.group] = self.group(slot.group) if played else None
        rows = self._rows[slot.group]
        return None if rows is None else rows[slot.place - 1].pair


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
    if tournament.format is Format.GROUPS:
        if not 1 <= group <= len(tournament.groups):
            raise TournamentError("no_group", groups=len(tournament.groups))
        return resolver.group(group)
    if tournament.format not in {Format.ROBIN, Format.SWISS}:
        raise TournamentError("no_standings")
    return resolver.standings()
