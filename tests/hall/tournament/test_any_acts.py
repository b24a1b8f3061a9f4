"""Random acts in any order: each is refused, or the tournament stays consistent."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.hall.tournament import (
    Act,
    BothLost,
    Degree,
    Drawn,
    MatchStopped,
    MatchVoided,
    PairEnrolled,
    PairLate,
    PenaltyLifted,
    ResultCorrected,
    RoundClockSet,
    RoundEnded,
    RoundResumed,
    Sanctioned,
    Times,
    TimesSet,
    Tournament,
    TournamentError,
    act_from_json,
    act_to_json,
    apply,
    assign,
    finished,
    fold,
    order_of,
    outcome,
    pair_round,
    players,
    podium,
    ready,
    to_void_first,
)
from tests.hall.tournament.playing import best_matching, both, result_acts
from tests.hall.tournament.strategies import acts, opened


def check_consistency(tournament: Tournament) -> None:
    """Check what holds for any tournament."""
    for match, result in tournament.results.items():
        assert players(tournament, match) == result.pairs
    playing = [
        match
        for match in tournament.tables
        if match not in tournament.results and outcome(tournament, match) is None
    ]
    there = [player for match in playing for player in players(tournament, match)]
    assert len(set(there)) == len(there) == 2 * len(playing)
    assert len({tournament.tables[match] for match in playing}) == len(playing)
    # It ends exactly when nothing is left to do.
    open_ones = [m for m in tournament.matches if outcome(tournament, m) is None]
    if tournament.order and tournament.rounds == tournament.options.rounds:
        assert finished(tournament) == (not open_ones)
    assert (podium(tournament) is None) != finished(tournament)


def check_taken_back(before: Tournament, after: Tournament) -> None:
    """Check that the newest penalty, taken back at once, has cost nothing."""
    back = apply(after, PenaltyLifted(len(after.penalties), "Juez", "Era otro"))
    check_consistency(back)
    assert (back.results, back.withdrawn) == (before.results, before.withdrawn)
    assert [*ready(back)] == [*ready(before)]
    for match in ready(back):
        two = both(back, match.id)
        assert back.given(match.id, two) == before.given(match.id, two)


def in_order(tournament: Tournament, data: st.DataObject) -> Act:
    """An act about time and order that may follow, in a match that can be played, or none."""
    waiting = [*ready(tournament)]
    lifted = PenaltyLifted(data.draw(st.integers(1, 1 + len(tournament.penalties))), "Juez", "No")
    if not waiting or data.draw(st.integers(0, 2)) == 0:
        return lifted
    match = data.draw(st.sampled_from(waiting)).id
    first, second = both(tournament, match)
    pair, degree = data.draw(st.sampled_from((first, second))), data.draw(st.sampled_from(Degree))
    return data.draw(
        st.sampled_from(
            [
                TimesSet(Times(5, 5)),
                PairLate(match, pair, data.draw(st.integers(0, 25)), "Juez"),
                Sanctioned(pair, degree, "9.1", "Juez", "Pensar", match),
                MatchStopped(match, (2, 2), (0, 0), "Juez", pair),
                MatchStopped(match, (2, 2), (0, 0), "Juez"),
                MatchStopped(match, (1, 2), (0, 0), "Juez"),
                BothLost(match, "Juez", "No vino nadie"),
                RoundClockSet(data.draw(st.integers(1, 3)), "Juez"),
                RoundEnded(tournament.ends, ((match, (1, 2), (0, 0)),)),
                RoundResumed("Juez", "El reloj iba mal"),
            ]
        )
    )


def likely(tournament: Tournament, data: st.DataObject) -> Act | None:
    """An act that an organiser would do next, or None."""
    if not tournament.order:
        if len(tournament.pairs) < data.draw(st.integers(2, 6)):
            number = 1 + max([0, *tournament.pairs, *tournament.gone])
            club = data.draw(st.sampled_from(["", "Alta", "Baja"]))
            return PairEnrolled(number, f"Pareja {number}", ("Ana", "Luis"), club)
        return Drawn(5, order_of(tournament, 5))
    if data.draw(st.integers(0, 3)) == 0:
        return in_order(tournament, data)
    waiting = list(ready(tournament))
    if waiting and data.draw(st.sampled_from([True, False])):
        called = assign(tournament, ["mesa-1", "mesa-2"])
        return called[0] if called else None
    if waiting:
        match = data.draw(st.sampled_from(waiting)).id
        pairs = [pair for pair in players(tournament, match) if isinstance(pair, int)]
        return result_acts(tournament, match, data.draw(st.sampled_from(pairs)))[0]
    if tournament.rounds < tournament.options.rounds:
        try:
            return pair_round(tournament, best_matching)
        except TournamentError:
            return None  # a result is to be countersigned first
    return None


@settings(max_examples=150)
@given(opened, st.data())
def test_any_act_is_refused_without_effect_or_leaves_a_consistent_tournament(
    first: Act, data: st.DataObject
) -> None:
    tournament = apply(None, first)
    done = [first]
    sentences = []
    for _ in range(data.draw(st.integers(0, 40))):
        act = likely(tournament, data) if data.draw(st.integers(0, 2)) else None
        act = act or data.draw(acts)
        before = copy.deepcopy(tournament)
        old = tournament
        try:
            tournament = apply(old, act)
        except TournamentError as error:
            sentences.append(str(error))
        else:
            done.append(act)
            check_consistency(tournament)
            if isinstance(act, PairLate | Sanctioned):
                check_taken_back(old, tournament)
        assert old == before
    assert all(": " in sentence for sentence in sentences)
    assert fold([act_from_json(act_to_json(act)) for act in done]) == tournament


@settings(max_examples=60)
@given(opened, st.data())
def test_a_tournament_reaches_its_end_whatever_results_are_reversed_on_the_way(
    first: Act, data: st.DataObject
) -> None:
    tournament = apply(None, first)
    count = data.draw(st.integers(4, 9))
    for number in range(1, count + 1):
        pair = PairEnrolled(number, f"Pareja {number}", ("Ana", "Luis"))
        tournament = apply(tournament, pair)
    tournament = apply(tournament, Drawn(5, order_of(tournament, 5)))
    turns = data.draw(st.lists(st.integers(1, 30), max_size=6))
    done = 0
    while not finished(tournament):
        waiting = ready(tournament)
        if not waiting:
            tournament = apply(tournament, pair_round(tournament, best_matching))
            continue
        pairs = [pair for pair in players(tournament, waiting[0].id) if isinstance(pair, int)]
        for act in result_acts(tournament, waiting[0].id, data.draw(st.sampled_from(pairs))):
            tournament = apply(tournament, act)
        done += 1
        if done in turns:
            match = data.draw(st.sampled_from([*tournament.results]))
            tournament = turned_round(tournament, match)
            check_consistency(tournament)
    ended = podium(tournament)
    assert ended is not None
    assert len(ended.first) == 1


def turned_round(tournament: Tournament, match: str) -> Tournament:
    """The tournament after a result was reversed and the matches that depend on it voided."""
    juegos = tournament.results[match].juegos[::-1]
    act = ResultCorrected(match, juegos, (0, 0), "Juez", "Al revés")
    first = to_void_first(tournament, act)
    for later in first:
        with pytest.raises(TournamentError, match=f"{later}.* first"):
            apply(tournament, act)
        tournament = apply(tournament, MatchVoided(later, "Juez", "Otros jugadores"))
    return apply(tournament, act)
