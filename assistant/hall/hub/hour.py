"""Rounds that end by themselves at their hour: one act with all matches as the tables show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from assistant.hall.tournament import RoundEnded, Tournament, players, seating
from assistant.hall.tournament.acts import StoppedMatch
from assistant.hall.tournament.engine import under_way
from assistant.hall.tournament.errors import MAX_STONES, normalized
from assistant.hall.tournament.formats import FOR_POINTS
from assistant.hall.tournament.ranking import Resolver
from assistant.table.snapshot.views import Brief


class TableNow(TypedDict):
    """What the hub knows of a table; see ``HallTable``."""

    online: bool
    lag: int
    fault: str
    brief: Brief | None


LATE_S = 300
"""Seconds after its hour in which a round is still ended. A hub that was away for longer leaves it
to the referee, who has probably ended it by then."""
WARN_S = 600
"""Seconds before the end of a round at which the hall's voice and its tables announce it."""
Look = Callable[[str], TableNow | None]
"""What a table shows now; None for one that the hall does not know."""


def is_due(tournament: Tournament, now: float) -> bool:
    """Whether the round on the clock has to end now: its hour has come, and it did not end yet."""
    times, ends = tournament.times, tournament.ends
    stops = times is not None and times.stops
    due = 0 < ends <= now <= ends + LATE_S and ends != tournament.ended
    return stops and due and bool(tournament.order)


def round_end(tournament: Tournament, look: Look) -> RoundEnded:
    """The end of the round, with every match whose table shows it beyond doubt.

    These are left to the referee: a match without a device, or whose table has lost its connection,
    lacks calls or shows other players; one that has not begun; one of vacas; one that is over
    there, whose result comes by itself; and one that is level where somebody has to win.
    """
    found = []
    for match, table in under_way(tournament, Resolver(tournament)).items():
        shown = look(table)
        if shown is None or not shown["online"] or shown["lag"] or shown["fault"]:
            continue
        if shown["brief"] and (stopped := _stopped(tournament, match, shown["brief"])):
            found.append(stopped)
    return RoundEnded(tournament.ends, tuple(found))


def _stopped(tournament: Tournament, match: str, brief: Brief) -> StoppedMatch | None:
    """A match as its table shows it; None if that may not be its result."""
    stage = tournament.stage_of(match)
    sides = _sides(tournament, match, brief)
    if sides is None or brief["over"] or stage.vacas > 1:
        return None
    given = tournament.given(match, players(tournament, match))
    juegos = [
        brief["sides"][side]["juegos"] + more - brief["given"][side]
        for side, more in zip(sides, given, strict=True)
    ]
    stones = [min(brief["whole"][side], MAX_STONES) for side in sides]
    level = juegos[0] == juegos[1]
    begun = any(stones) or any(
        one["juegos"] > had for one, had in zip(brief["sides"], brief["given"], strict=True)
    )
    if not begun or min(juegos) < 0 or max(juegos) >= tournament.needed(match):
        return None
    if level and stage.kind not in FOR_POINTS:
        return None
    return match, (juegos[0], juegos[1]), (stones[0], stones[1])


def _sides(tournament: Tournament, match: str, brief: Brief) -> tuple[int, int] | None:
    """The sides of the table at which the two pairs of a match sit; None if others sit there."""
    pairs = [tournament.pairs[p] for p in players(tournament, match) if isinstance(p, int)]
    if len(pairs) != 2 or len(brief["sides"]) != 2:
        return None
    short = seating(*pairs)
    there = [_people(side["names"]) for side in brief["sides"]]
    for ways in (
        [_people(pair.players) for pair in pairs],
        [_people(short[::2]), _people(short[1::2])],
    ):
        if there == ways:
            return 0, 1
        if there == ways[::-1]:
            return 1, 0
    return None


def _people(names: list[str] | tuple[str, ...]) -> set[str]:
    return {normalized(name) for name in names}
