"""The one door: acts make a tournament, each checked against what was done before it."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.tournament.acts import Act, Opened
from assistant.tournament.changes import changed, opened
from assistant.tournament.checks import check
from assistant.tournament.errors import TournamentError
from assistant.tournament.model import Tournament


def apply(tournament: Tournament | None, act: Act) -> Tournament:
    """The tournament after an act. Raises TournamentError, as ``check`` does, and then is none."""
    check(tournament, act)
    if tournament is None:
        assert isinstance(act, Opened)  # check lets nothing else begin
        return opened(act)
    return changed(tournament, act)


def fold(acts: Iterable[Act]) -> Tournament:
    """The tournament that the acts tell of. Raises TournamentError where one cannot follow."""
    tournament: Tournament | None = None
    for act in acts:
        tournament = apply(tournament, act)
    if tournament is None:
        raise TournamentError("no_act")
    return tournament
