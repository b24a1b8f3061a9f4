"""The rounds of a Swiss tournament: who has met whom, and which round may follow."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.hall.tournament.acts import Format, RoundPaired
from assistant.hall.tournament.errors import TournamentError
from assistant.hall.tournament.model import PairSlot, Tournament
from assistant.hall.tournament.ranking import Resolver
from assistant.messages.forms import short


@dataclass(frozen=True, slots=True)
class PairingHistory:
    """What the next round has to look at.

    ``active``: the pairs that play on, in the order of the draw. ``met``: each pair's opponents so
    far; ``rested``: who has had a bye.
    """

    number: int
    active: tuple[int, ...]
    met: dict[int, set[int]]
    rested: frozenset[int]

    @property
    def needs_rematch(self) -> bool:
        """Whether no round without a rematch may be left.

        Take a bye for one more pair where the number is odd. If each of n pairs has n/2 others left
        to meet, a round without a rematch exists (Dirac). Only withdrawals can bring it below.
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


def next_round(tournament: Tournament, number: int | None = None) -> PairingHistory:
    """What round ``number`` has to look at; by default the first that has not been paired.

    Raises TournamentError where no such round can be paired now.
    """
    if tournament.format is not Format.SWISS:
        raise TournamentError("not_swiss")
    if not tournament.order:
        raise TournamentError("not_drawn")
    number = tournament.rounds + 1 if number is None else number
    if number > tournament.options.rounds:
        raise TournamentError("rounds_over", rounds=tournament.options.rounds)
    _check_number(tournament, number)
    resolver = Resolver(tournament)
    met: dict[int, set[int]] = {pair: set() for pair in tournament.order}
    rested = set()
    for match in tournament.matches.values():
        if match.round >= number:
            continue
        if resolver.outcome(match.id) is None:
            raise TournamentError("undecided", match=match.id, round=number)
        assert isinstance(match.a, PairSlot)
        if isinstance(match.b, PairSlot):
            met[match.a.pair].add(match.b.pair)
            met[match.b.pair].add(match.a.pair)
        else:
            rested.add(match.a.pair)
    active = tuple([pair for pair in tournament.order if pair not in tournament.withdrawn])
    return PairingHistory(number, active, met, frozenset(rested))


def check_round(tournament: Tournament, act: RoundPaired) -> None:
    """Raise TournamentError unless the round may be played now."""
    history = next_round(tournament, act.number)
    byes = [a for a, b in act.pairings if b is None]
    playing = [pair for pairing in act.pairings for pair in pairing if pair is not None]
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
    again = [(a, b) for a, b in act.pairings if b is not None and b in history.met[a]]
    if again and not history.needs_rematch:
        a, b = again[0]
        raise TournamentError("met_before", one=a, other=b)


def _check_number(tournament: Tournament, number: int) -> None:
    """Raise TournamentError unless the round is the next, or the last and nothing is entered."""
    if number == tournament.rounds + 1:
        return
    if number != tournament.rounds:
        raise TournamentError("other_round", round=number, wanted=tournament.rounds + 1)
    for match in tournament.results:
        if tournament.matches[match].round == number:
            raise TournamentError("round_begun", match=match, round=number)
