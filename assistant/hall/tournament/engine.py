"""The tournament's engine: checks whether an act may follow, and folds all acts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from assistant.hall.tournament import acts
from assistant.hall.tournament.acts import Act, Degree, Opened
from assistant.hall.tournament.changes import (
    changed,
    is_decided,
    lost_late,
    opened,
    place_in,
    standing_rounds,
)
from assistant.hall.tournament.draw import order_of, plan
from assistant.hall.tournament.errors import MAX_PAIRS, TournamentError, normalized
from assistant.hall.tournament.formats import FOR_POINTS, StageKind
from assistant.hall.tournament.late import check_late
from assistant.hall.tournament.model import (
    BYE,
    Pair,
    Result,
    Tournament,
)
from assistant.hall.tournament.ranking import Resolver, check_match
from assistant.hall.tournament.rounds import check_drawn
from assistant.hall.tournament.swiss import check_round
from assistant.messages.codec import short

# ---- Which act may follow. Every refusal is one sentence that says what to do instead -----------


SHOWN = 8
"""The most matches that a refusal names."""


def check(tournament: Tournament | None, act: acts.Act) -> None:
    """Raise TournamentError unless the act may follow in this tournament; None: not opened yet."""
    if isinstance(act, acts.Opened):
        if tournament is not None:
            raise TournamentError("open_already")
        return
    if tournament is None:
        raise TournamentError("not_open")
    _CHECKS[type(act)](tournament, act)


def _check_enrolled(tournament: Tournament, act: acts.PairEnrolled | acts.PlayerEnrolled) -> None:
    if tournament.individual != isinstance(act, acts.PlayerEnrolled):
        raise TournamentError("players_alone" if tournament.individual else "players_paired")
    late = isinstance(act, acts.PairEnrolled) and act.late
    if late and not tournament.order:
        raise TournamentError("not_drawn")
    if tournament.order and not late:
        raise TournamentError("too_late")
    if len(tournament.pairs) >= MAX_PAIRS:
        raise TournamentError("full", most=MAX_PAIRS)
    if act.pair in tournament.pairs or act.pair in tournament.gone:
        raise TournamentError("number_taken", pair=act.pair)
    _name_free(tournament, act.pair, act.name)
    seed = act.seed if isinstance(act, acts.PairEnrolled) else None
    for pair in tournament.pairs.values():
        if seed is not None and pair.seed == seed:
            raise TournamentError("seed_taken", pair=pair.number, seed=seed)
    if late:
        check_late(tournament, Pair(act.pair, act.name, ("", ""), "", None))


def _check_pair_corrected(tournament: Tournament, act: acts.PairCorrected) -> None:
    _pair(tournament, act.pair)
    was = tournament.pairs[act.pair]
    bar = was.bar if act.bar is None else act.bar
    if bar != was.bar and tournament.order:
        raise TournamentError("bar_drawn", pair=act.pair)
    players = act.players[:1] if tournament.individual else act.players
    category = was.category if act.category is None else act.category
    before = was.name, was.players, was.club, was.bar, was.category
    if before == (act.name, players, act.club, bar, category):
        raise TournamentError("same_pair", pair=act.pair)
    _name_free(tournament, act.pair, act.name)
    _all_signed(tournament, act.pair)  # otherwise it could sign what it entered under its old name


def _check_withdrawn(tournament: Tournament, act: acts.PairWithdrawn) -> None:
    _pair(tournament, act.pair)
    if act.pair in tournament.withdrawn:
        raise TournamentError("withdrawn_already", pair=act.pair)
    _all_signed(tournament, act.pair)


def _check_drawn(tournament: Tournament, act: acts.Drawn) -> None:
    if tournament.order:
        raise TournamentError("drawn_already")
    plan(tournament.stages, list(tournament.pairs), tournament.pairs)  # so many can play it
    if act.order != order_of(tournament, act.seed, act.bag):
        raise TournamentError("other_order", seed=act.seed)


def _check_annulled(tournament: Tournament, _act: acts.DrawAnnulled) -> None:
    if not tournament.order:
        raise TournamentError("not_drawn")
    for match in tournament.results:
        raise TournamentError("begun_already", match=match)


def _check_assigned(tournament: Tournament, act: acts.TableAssigned) -> None:
    resolver = Resolver(tournament)
    pairs = _open(tournament, resolver, act.match)
    if act.match in tournament.results:
        raise TournamentError("played", match=act.match)
    for match, table in under_way(tournament, resolver).items():
        if match == act.match:
            continue
        if table == act.table:
            raise TournamentError("table_busy", match=match, table=table)
        for pair in pairs:
            if pair in resolver.players(match):
                raise TournamentError("pair_busy", pair=pair, match=match, table=table)


def _check_moved(tournament: Tournament, act: acts.MatchMoved) -> None:
    check_match(tournament, act.match)
    if act.match in tournament.results or Resolver(tournament).outcome(act.match) is not None:
        raise TournamentError("moved_over", match=act.match)
    if act.date == tournament.moved.get(act.match, ""):
        raise TournamentError("moved_already", match=act.match)


def _check_called(tournament: Tournament, act: acts.RefereeCalled) -> None:
    check_match(tournament, act.match)
    if not all(isinstance(pair, int) for pair in Resolver(tournament).players(act.match)):
        raise TournamentError("nobody_yet", match=act.match)
    if act.match in tournament.calls:
        raise TournamentError("referee_called", match=act.match)


def _check_settled(tournament: Tournament, act: acts.CallSettled) -> None:
    check_match(tournament, act.match)
    if act.match not in tournament.calls:
        raise TournamentError("no_call", match=act.match)


def _check_entered(tournament: Tournament, act: acts.ResultEntered) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    _score(tournament, act.match, act.juegos)
    _given_counted(tournament, act, pairs)


def _check_countersigned(tournament: Tournament, act: acts.ResultCountersigned) -> None:
    check_match(tournament, act.match)
    result = tournament.results.get(act.match)
    if result is None:
        raise TournamentError("no_result", match=act.match)
    if result.counts:
        raise TournamentError("counts_already", match=act.match)
    if normalized(result.by) == normalized(act.by):  # one person, however he typed his name
        raise TournamentError("own_result", by=short(act.by), match=act.match)


def _check_corrected(tournament: Tournament, act: acts.ResultCorrected) -> None:
    result = _counted(tournament, act.match)
    _score(tournament, act.match, act.juegos)
    same = (result.juegos, result.stones) == (act.juegos, act.stones)
    # The same score again is a correction if it came from a journal: now a person answers for it.
    if same and not result.walkover and not result.game:
        raise TournamentError("same_result", match=act.match)
    _check_later(tournament, act)


def _check_walked_over(tournament: Tournament, act: acts.Walkover) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    _check_plays(act.match, act.winner, pairs)


def _check_plays(match: str, winner: int, pairs: tuple[int, int]) -> None:
    if winner not in pairs:
        one, other = pairs
        raise TournamentError("no_winner_of", pair=short(winner), match=match, one=one, other=other)


def _check_voided(tournament: Tournament, act: acts.MatchVoided) -> None:
    check_match(tournament, act.match)
    if act.match not in tournament.results:
        raise TournamentError("nothing_to_void", match=act.match)
    _check_later(tournament, act)


def _check_nothing(_tournament: Tournament, _act: Act) -> None:
    """Accept every such act."""


def _check_late(tournament: Tournament, act: acts.PairLate) -> None:
    if tournament.times is None:
        raise TournamentError("no_times")
    _check_in(tournament, act.match, act.pair)
    if tournament.times.lost(act.minutes) == 0:
        left = max(1, tournament.times.courtesy - act.minutes)
        if tournament.times.courtesy <= act.minutes:  # the first juego is lost later
            left = tournament.times.courtesy + tournament.times.each - act.minutes
        raise TournamentError("in_courtesy", pair=act.pair, left=left)
    if lost_late(tournament, act) < 1:
        raise TournamentError("late_already", pair=act.pair)


def _check_stopped(tournament: Tournament, act: acts.MatchStopped) -> None:
    pairs = _open(tournament, Resolver(tournament), act.match)
    wanted, stage = tournament.needed(act.match), tournament.stage_of(act.match)
    if max(act.juegos) >= wanted:
        raise TournamentError(
            "not_stopped_vacas" if stage.vacas > 1 else "not_stopped",
            wanted=wanted,
            match=act.match,
        )
    if act.winner is not None:
        _check_plays(act.match, act.winner, pairs)
    _given_counted(tournament, act, pairs)
    first, second = act.juegos
    if first == second:
        if act.winner is None and stage.kind not in FOR_POINTS:
            raise TournamentError("stopped_level", match=act.match)
    elif act.winner not in {None, pairs[0] if first > second else pairs[1]}:
        raise TournamentError("stopped_ahead", pair=act.winner, match=act.match)


def _check_round_ended(tournament: Tournament, act: acts.RoundEnded) -> None:
    if not tournament.order:
        raise TournamentError("not_drawn")
    if not act.ends or act.ends != tournament.ends:
        raise TournamentError("other_hour")
    if act.ends == tournament.ended:
        raise TournamentError("round_over")
    seen: set[str] = set()
    for match, juegos, stones in act.matches:
        if match in tournament.results or match in seen:
            raise TournamentError("played", match=match)
        seen.add(match)
        _check_stopped(tournament, acts.MatchStopped(match, juegos, stones, acts.HALL))


def _check_resumed(tournament: Tournament, act: acts.RoundResumed) -> None:
    if not tournament.stopped:
        raise TournamentError("none_ended")
    _check_later(tournament, act)


def _check_both_lost(tournament: Tournament, act: acts.BothLost) -> None:
    _open(tournament, Resolver(tournament), act.match)
    # In the losers' bracket alone nobody has a second chance.
    match = tournament.matches[act.match]
    if tournament.stage_of(act.match).kind is StageKind.DOUBLE and match.stage != "losers":
        raise TournamentError("not_both", match=act.match)


def _check_sanctioned(tournament: Tournament, act: acts.Sanctioned) -> None:
    _pair(tournament, act.pair)
    if act.player and act.player not in tournament.pairs[act.pair].players:
        raise TournamentError("no_player", name=short(act.player), pair=act.pair)
    if act.degree in {Degree.JUEGO, Degree.MATCH}:
        if not act.match:
            raise TournamentError("sanction_match")
        _check_in(tournament, act.match, act.pair)
    elif act.match:
        check_match(tournament, act.match)
        if place_in(tournament, act.match, act.pair) is None:
            raise TournamentError("not_its_match", pair=act.pair, match=act.match)
    if act.degree is Degree.EXPULSION:
        if not tournament.order:
            raise TournamentError("not_drawn")
        if act.pair in tournament.withdrawn:
            raise TournamentError("withdrawn_already", pair=act.pair)
        _all_signed(tournament, act.pair)


def _check_in(tournament: Tournament, match: str, pair: int) -> None:
    """Raise TournamentError unless a pair is in a match that has no result."""
    resolver = Resolver(tournament)
    _open(tournament, resolver, match)
    if match in tournament.results:
        raise TournamentError("played", match=match)
    if place_in(tournament, match, pair, resolver) is None:
        raise TournamentError("not_its_match", pair=short(pair), match=match)


def _given_counted(
    tournament: Tournament, act: acts.ResultEntered | acts.MatchStopped, pairs: tuple[int, int]
) -> None:
    """Raise TournamentError if a score lacks juegos that a pair has by the other one's penalty."""
    for pair, won, given in zip(pairs, act.juegos, tournament.least(act.match, pairs), strict=True):
        if won < given:
            raise TournamentError("given_left_out", pair=pair, given=given)


def _check_lifted(tournament: Tournament, act: acts.PenaltyLifted) -> None:
    if act.number > len(tournament.penalties):
        raise TournamentError("no_penalty", number=act.number)
    penalty = tournament.penalties[act.number - 1]
    if penalty.lifted:
        raise TournamentError("lifted_already", number=act.number)
    if penalty.kind == Degree.EXPULSION and penalty.pair not in tournament.withdrawn:
        raise TournamentError("lift_gone", pair=penalty.pair)
    result = tournament.results.get(penalty.match)
    if (
        result
        and penalty.juegos
        and result.pairs == penalty.pairs
        and not is_decided(result, penalty)
    ):
        raise TournamentError("lift_result", match=penalty.match, number=act.number)
    _check_later(tournament, act)


def under_way(tournament: Tournament, resolver: Resolver) -> dict[str, str]:
    """The matches at a table that have no result yet, with their tables."""
    return {
        match: table
        for match, table in tournament.tables.items()
        if match not in tournament.results and resolver.outcome(match) is None
    }


Reopening = acts.ResultCorrected | acts.MatchVoided | acts.PenaltyLifted | acts.RoundResumed
"""An act after which matches that were decided may have other pairs."""


def to_void_first(tournament: Tournament, act: Reopening) -> tuple[str, ...]:
    """The matches with a result that would have other pairs after the act, the last played first.

    They can be voided in this order; then the act may follow.
    """
    found: set[str] = set()
    own = "" if isinstance(act, acts.PenaltyLifted | acts.RoundResumed) else act.match
    after = changed(tournament, act)
    while True:
        resolver = Resolver(after)
        other = {
            match
            for match, result in after.results.items()
            if match != own
            and (match not in after.matches or resolver.players(match) != result.pairs)
        }
        if not other:
            return tuple([match for match in reversed([*tournament.matches]) if match in found])
        # What depends on these matches depends on the act, too.
        found |= other
        kept = {match: result for match, result in after.results.items() if match not in other}
        after = standing_rounds(replace(after, results=kept))


def _check_later(tournament: Tournament, act: Reopening) -> None:
    """Raise TournamentError if a match with a result would have had other pairs."""
    first = to_void_first(tournament, act)
    if first:
        named, more = ", ".join(first[:SHOWN]), len(first) - SHOWN
        if isinstance(act, acts.PenaltyLifted):
            raise TournamentError("lift_first", number=act.number, matches=named)
        if isinstance(act, acts.RoundResumed):
            raise TournamentError("resume_first", matches=named)
        if more > 0:
            raise TournamentError("void_many", match=act.match, matches=named, more=more)
        raise TournamentError("void_first", match=act.match, matches=named)


def _pair(tournament: Tournament, pair: int) -> None:
    if pair not in tournament.pairs or tournament.pairs[pair].of:
        raise TournamentError("no_pair", pair=short(pair))


def _name_free(tournament: Tournament, number: int, name: str) -> None:
    for pair in tournament.pairs.values():
        if pair.name == name and pair.number != number:
            raise TournamentError("name_taken", pair=pair.number, name=short(name))


def _all_signed(tournament: Tournament, pair: int) -> None:
    for match, result in tournament.results.items():
        if pair in result.pairs and not result.counts:
            raise TournamentError("unsigned", match=match, pair=pair)


def _open(tournament: Tournament, resolver: Resolver, match: str) -> tuple[int, int]:
    """The pairs of a match that is still open. Raises TournamentError."""
    check_match(tournament, match)
    result = tournament.results.get(match)
    if result is not None and result.counts:
        raise TournamentError("counts", match=match)
    a, b = resolver.players(match)
    if a is BYE or b is BYE:
        raise TournamentError("bye", match=match)
    if not isinstance(a, int) or not isinstance(b, int):
        raise TournamentError("nobody_yet", match=match)
    if resolver.outcome(match) is not None:
        gone = a if a in tournament.withdrawn else b
        raise TournamentError("lost_so", pair=gone, match=match)
    return a, b


def _counted(tournament: Tournament, match: str) -> Result:
    check_match(tournament, match)
    result = tournament.results.get(match)
    if result is None or not result.counts:
        raise TournamentError("not_counting", match=match)
    return result


def _score(tournament: Tournament, match: str, juegos: tuple[int, int]) -> None:
    wanted = tournament.needed(match)
    if max(juegos) != wanted:
        if tournament.stage_of(match).vacas > 1:
            raise TournamentError("other_vacas", wanted=wanted, most=max(juegos))
        raise TournamentError("other_juegos", wanted=wanted, most=max(juegos))


_CHECKS: dict[type[acts.Act], Callable[[Tournament, Any], None]] = {
    acts.PairEnrolled: _check_enrolled,
    acts.PlayerEnrolled: _check_enrolled,
    acts.PairCorrected: _check_pair_corrected,
    acts.PairWithdrawn: _check_withdrawn,
    acts.Drawn: _check_drawn,
    acts.DrawAnnulled: _check_annulled,
    acts.RoundPaired: check_round,
    acts.RoundDrawn: check_drawn,
    acts.TableAssigned: _check_assigned,
    acts.MatchMoved: _check_moved,
    acts.RefereeCalled: _check_called,
    acts.CallSettled: _check_settled,
    acts.ResultEntered: _check_entered,
    acts.ResultCountersigned: _check_countersigned,
    acts.ResultCorrected: _check_corrected,
    acts.Walkover: _check_walked_over,
    acts.MatchVoided: _check_voided,
    acts.TimesSet: _check_nothing,
    acts.RoundClockSet: _check_nothing,
    acts.CallingSet: _check_nothing,
    acts.PairLate: _check_late,
    acts.MatchStopped: _check_stopped,
    acts.RoundEnded: _check_round_ended,
    acts.RoundResumed: _check_resumed,
    acts.BothLost: _check_both_lost,
    acts.Sanctioned: _check_sanctioned,
    acts.PenaltyLifted: _check_lifted,
}


# ---- The one way to change a tournament: each act is checked against those before it ------------


def apply(tournament: Tournament | None, act: Act) -> Tournament:
    """The tournament after an act. Raises TournamentError, as ``check`` does."""
    check(tournament, act)
    if tournament is None:
        assert isinstance(act, Opened)  # check lets nothing else begin
        return opened(act)
    return changed(tournament, act)


def fold(acts: Iterable[Act]) -> Tournament:
    """The tournament that the acts lead to. Raises TournamentError if one cannot follow."""
    tournament: Tournament | None = None
    for act in acts:
        tournament = apply(tournament, act)
    if tournament is None:
        raise TournamentError("no_act")
    return tournament
