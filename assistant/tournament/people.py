"""A person plays in one pair: who is named in two, unless somebody said that they are two people.

Asked before an act is written, and not when it is read: what was written before anybody was asked
stays as it is.
"""

from __future__ import annotations

from assistant.tournament.acts import Act, Drawn, PairCorrected, PairEnrolled
from assistant.tournament.errors import TournamentError
from assistant.tournament.limits import plain
from assistant.tournament.model import Pair, Tournament


def check_people(tournament: Tournament, act: Act) -> None:
    """Raise TournamentError for an act by which one person would be in two pairs."""
    match act:
        case PairEnrolled() | PairCorrected():
            People(tournament, without=act.pair).check(act)
        case Drawn() if not act.namesakes:
            people = People()
            for pair in _here(tournament):
                people.check(pair)
                if not pair.namesakes:
                    people.add(pair)


class People:
    """Who plays, by name, and in which pair."""

    def __init__(self, tournament: Tournament | None = None, without: int | None = None) -> None:
        """Begin with the pairs of a tournament, but for one, or with nobody."""
        self._pairs: dict[str, int] = {}
        for pair in _here(tournament) if tournament else ():
            if pair.number != without:
                self.add(pair)

    def add(self, pair: Pair | PairEnrolled) -> None:
        """Its players play."""
        self._pairs |= dict.fromkeys(map(plain, pair.players), _number(pair))

    def check(self, pair: Pair | PairEnrolled | PairCorrected) -> None:
        """Raise TournamentError for a pair one of whose players plays already."""
        if pair.namesakes:
            return
        one, other = pair.players
        if plain(one) == plain(other):
            raise TournamentError("person_alone", name=one, pair=_number(pair))
        for player in pair.players:
            if plain(player) in self._pairs:
                number = self._pairs[plain(player)]
                raise TournamentError("person_twice", name=player, pair=number)


def _number(pair: Pair | PairEnrolled | PairCorrected) -> int:
    return pair.number if isinstance(pair, Pair) else pair.pair


def _here(tournament: Tournament) -> list[Pair]:
    """Who still plays: somebody of a pair that went may come back in another."""
    return [pair for number, pair in tournament.pairs.items() if number not in tournament.withdrawn]
