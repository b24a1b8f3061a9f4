"""Who meets in a match and how it ended, as far as the results tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.forms import short
from assistant.tournament.errors import TournamentError
from assistant.tournament.model import (
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
from assistant.tournament.ranking import Encounter, Row, rank


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who goes on from a match as its winner, and who as its loser: a pair, or a bye."""

    winner: Player
    loser: Player


class Resolver:
    """Answers for one tournament, each found once: a tournament never changes."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._players: dict[str, tuple[Player, Player]] = {}
        self._outcomes: dict[str, Outcome | None] = {}
        self._rows: dict[int, tuple[Row, ...] | None] = {}
        self._grouped: dict[int, list[Match]] = {}

    def players(self, match: str) -> tuple[Player, Player]:
        """Who takes part in a match, in the order of its places."""
        known = self._players.get(match)
        if known is None:
            played = self._tournament.matches[match]
            known = self._players[match] = (self._in(played.a), self._in(played.b))
        return known

    def outcome(self, match: str) -> Outcome | None:
        """How a match ended, None while it is open.

        A match with a bye, or with a pair that withdrew, ends by itself as soon as the other pair
        is known; one with two byes, or with two pairs that withdrew, sends a bye on.
        """
        if match not in self._outcomes:
            self._outcomes[match] = self._outcome(match)
        return self._outcomes[match]

    def encounters(self, matches: Iterable[Match]) -> list[Encounter]:
        """Those of the matches that are decided. What was not played is won by all juegos to 0."""
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

    def standings(self) -> tuple[Row, ...]:
        """All pairs where all play for points, by what has been decided."""
        met = self.encounters(self._tournament.matches.values())
        return rank(self._tournament.order, met, self._tournament.options.tiebreaks)

    def group(self, number: int) -> tuple[Row, ...]:
        """The standings of a group, by what has been played."""
        pairs = self._tournament.groups[number - 1]
        met = self.encounters(self._of_group(number))
        return rank(pairs, met, self._tournament.options.tiebreaks)

    def _of_group(self, number: int) -> list[Match]:
        if not self._grouped:
            for match in self._tournament.matches.values():
                self._grouped.setdefault(match.group, []).append(match)
        return self._grouped[number]

    def _outcome(self, match: str) -> Outcome | None:
        result = self._tournament.results.get(match)
        if result is not None and result.counts:
            return Outcome(result.winner, result.loser)
        a, b = self.players(match)
        if a is None or b is None:
            return None
        if a is BYE or b is BYE:
            return Outcome(b if a is BYE else a, BYE)
        gone = self._tournament.withdrawn
        if a in gone:
            return Outcome(BYE, BYE) if b in gone else Outcome(b, a)
        return Outcome(a, b) if b in gone else None

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
    """Raise TournamentError for a match that there is not."""
    if match not in tournament.matches:
        raise TournamentError("no_match", match=short(match))


def players(tournament: Tournament, match: str) -> tuple[Player, Player]:
    """Who takes part in a match: a pair's number, a bye, or None where nobody knows yet.

    Raises TournamentError for a match that there is not.
    """
    check_match(tournament, match)
    return Resolver(tournament).players(match)


def outcome(tournament: Tournament, match: str) -> Outcome | None:
    """How a match ended, with or without being played; None while it is open.

    Raises TournamentError for a match that there is not.
    """
    check_match(tournament, match)
    return Resolver(tournament).outcome(match)
