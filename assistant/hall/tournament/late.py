"""Late enrolment: a pair that comes after the draw takes the place of a bye.

It gets the next line of the bracket, which is the last that had a bye, so nobody chooses whom it
meets. All other matches stay as they were drawn.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.hall.tournament.draw import plan
from assistant.hall.tournament.errors import MAX_NUMBER, TournamentError
from assistant.hall.tournament.formats import StageKind
from assistant.hall.tournament.model import Pair, Tournament
from assistant.hall.tournament.ranking import Resolver
from assistant.hall.tournament.trees import size_for

BRACKETS = (StageKind.KNOCKOUT, StageKind.DOUBLE)
"""The kinds of stages whose first round may have byes for the whole tournament."""


def with_late_pair(before: Tournament, pair: Pair) -> Tournament:
    """The tournament with a pair in place of the last bye; ``check_late`` has let it pass."""
    pairs = {**before.pairs, pair.number: pair}
    order = (*before.order, pair.number)
    made = plan(before.stages, order, pairs)
    matches = {match.id: match for match in made.matches}
    return replace(before, pairs=pairs, order=order, matches=matches, entries=made.entries)


def check_late(tournament: Tournament, pair: Pair) -> None:
    """Raise TournamentError unless the pair can take the place of a bye.

    There is none in other formats than brackets, if all lines are taken, or if the pair that was
    exempt has been called to its next match or has played it.
    """
    first = tournament.stages[0]
    count = len(tournament.order)
    if first.kind not in BRACKETS or len(tournament.entries[0]) > 1 or tournament.paired:
        raise TournamentError("no_bye")
    if size_for(count + 1) > size_for(count):
        raise TournamentError("no_bye")
    after = with_late_pair(tournament, pair)
    then, now = Resolver(tournament), Resolver(after)
    for match in {*tournament.results, *tournament.tables}:
        if then.players(match) != now.players(match):
            raise TournamentError("no_bye")


def takes_late_pair(tournament: Tournament) -> bool:
    """Whether a pair can still come in after the draw."""
    if not tournament.order:
        return False
    nobody = max(MAX_NUMBER, *tournament.pairs) + 1
    try:
        check_late(tournament, Pair(nobody, "", ("", ""), "", None))
    except TournamentError:
        return False
    return True
