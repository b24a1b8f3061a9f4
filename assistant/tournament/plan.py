"""What a draw leads to: the groups and all matches that are known from the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.tournament.acts import Format, Options
from assistant.tournament.bracket import double_elimination, knock_out
from assistant.tournament.errors import TournamentError
from assistant.tournament.groups import qualified, snake
from assistant.tournament.limits import MAX_PAIRS
from assistant.tournament.model import Match, PairSlot
from assistant.tournament.robin import group_matches, round_robin

MAX_ROBIN = 64
"""Pairs in a round robin: more would play for days."""
MAX_GROUP = 20
"""Pairs in one group."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The groups, if any, and the matches in the order of play; Swiss rounds are paired later."""

    groups: tuple[tuple[int, ...], ...]
    matches: tuple[Match, ...]


def plan(form: Format, options: Options, order: Sequence[int]) -> Plan:
    """The plan for pairs in the order of the draw, as many as ``check_size`` lets pass."""
    entries = [PairSlot(pair) for pair in order]
    if form is Format.KNOCKOUT:
        return Plan((), tuple(knock_out(entries, options.bronze)))
    if form is Format.DOUBLE:
        return Plan((), tuple(double_elimination(entries)))
    if form is Format.ROBIN:
        return Plan((), tuple(round_robin(order)))
    if form is Format.SWISS:
        return Plan((), ())
    groups = snake(order, options.groups)
    final = knock_out(qualified(options.groups, options.advance), options.bronze)
    return Plan(groups, (*group_matches(groups), *final))


def check_size(form: Format, options: Options, pairs: int) -> None:
    """Raise TournamentError unless so many pairs can play this format."""
    if pairs < 2:
        raise TournamentError("few_pairs", pairs=pairs)
    if pairs > MAX_PAIRS:
        raise TournamentError("many_pairs", most=MAX_PAIRS, pairs=pairs)
    if form is Format.ROBIN and pairs > MAX_ROBIN:
        raise TournamentError("robin_large", most=MAX_ROBIN, pairs=pairs)
    if form is Format.SWISS and options.rounds > (pairs + 1) // 2:
        raise TournamentError(
            "swiss_long", rounds=options.rounds, pairs=pairs, most=(pairs + 1) // 2
        )
    if form is Format.GROUPS:
        _check_groups(options, pairs)


def _check_groups(options: Options, pairs: int) -> None:
    smallest, rest = divmod(pairs, options.groups)
    if smallest < 2:
        raise TournamentError("groups_small", groups=options.groups, pairs=pairs)
    if smallest + (rest > 0) > MAX_GROUP:
        raise TournamentError("group_large", most=MAX_GROUP, pairs=smallest + (rest > 0))
    if options.advance > smallest:
        raise TournamentError("advance_many", advance=options.advance, smallest=smallest)
