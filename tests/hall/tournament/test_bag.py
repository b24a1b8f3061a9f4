"""A draw, and a random round, by the numbers that people drew from a bag."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import (
    Act,
    Drawn,
    Format,
    FormatSheet,
    Opened,
    Options,
    PairEnrolled,
    RoundDrawn,
    Stage,
    StageKind,
    Tournament,
    TournamentError,
    act_from_json,
    act_to_json,
    apply,
    check,
    fold,
    order_of,
    pair_rounds,
    players,
    ready,
    shown,
)
from tests.hall.tournament.playing import result_acts


def enrolled(count: int, seeds: int = 0, clubs: str = "", stage: Stage | None = None) -> Tournament:
    """Pairs of which the first are seeded; ``clubs`` has the club of each, as a letter."""
    options = Options(juegos=1, clubs_apart=bool(clubs))
    opened = Opened("Torneo", Format.KNOCKOUT, options)
    if stage:
        sheet = FormatSheet("rondas", (), (stage,))
        opened = Opened("Torneo", Format.SHEET, replace(options, clubs_apart=False), sheet=sheet)
    acts: list[Act] = [opened]
    acts += [
        PairEnrolled(
            n, f"P{n}", (f"Ana {n}", f"Luis {n}"), clubs[n - 1 : n], n if n <= seeds else None
        )
        for n in range(1, count + 1)
    ]  # fmt: skip
    return fold(acts)


def drawn(tournament: Tournament, *bag: int) -> Tournament:
    return apply(tournament, Drawn(7, order_of(tournament, 7, bag), bag=bag))


def refused(tournament: Tournament, act: Act) -> str:
    with pytest.raises(TournamentError) as found:
        check(tournament, act)
    return found.value.code


@given(st.permutations(range(3, 9)))
def test_the_numbers_stand_in_the_order_in_which_they_were_drawn_after_the_seeded(
    bag: list[int],
) -> None:
    tournament = drawn(enrolled(8, seeds=2), *bag)
    assert tournament.order == (1, 2, *bag)
    assert tournament.bag
    # Line 1 meets the last, as in any draw.
    assert {1, bag[-1]} in [set(players(tournament, m)) for m in tournament.matches if m[1] == "1"]


def test_clubs_are_kept_apart_in_a_draw_from_a_bag_too() -> None:
    tournament = drawn(enrolled(4, clubs="XXYY"), 1, 3, 4, 2)
    clubs = {number: pair.club for number, pair in tournament.pairs.items()}
    for match in ("K1.1", "K1.2"):
        one, other = (clubs[p] for p in players(tournament, match) if isinstance(p, int))
        assert one != other


def test_only_the_numbers_in_the_bag_count_each_of_them_once() -> None:
    tournament = enrolled(4, seeds=1)
    assert shown(tournament)["to_draw"] == [2, 3, 4]
    for bag, code in (
        ((2, 3), "bag_short"), ((2, 3, 3), "bag_other"), ((1, 2, 3, 4), "bag_other"),
        ((2, 3, 9), "bag_other"),
    ):  # fmt: skip
        with pytest.raises(TournamentError) as found:
            order_of(tournament, 7, bag)
        assert found.value.code == code
    other = Drawn(7, (1, 3, 2, 4), bag=(2, 3, 4))  # another order than was drawn
    assert refused(tournament, other) == "other_order"


def test_a_draw_without_a_bag_is_as_before_and_written_acts_are_read() -> None:
    tournament = enrolled(6)
    by_seed = apply(tournament, Drawn(7, order_of(tournament, 7)))
    assert not by_seed.bag
    old = act_from_json('{"type":"Drawn","v":1,"seed":7,"order":[1,2]}')
    assert old == Drawn(7, (1, 2))
    act = Drawn(7, (2, 1), bag=(2, 1))
    assert act_from_json(act_to_json(act)) == act


@pytest.mark.parametrize(
    "stage", [Stage(StageKind.REDRAW), Stage(StageKind.LIVES, defeats=2)], ids=["redraw", "lives"]
)
def test_a_round_from_a_bag_pairs_the_first_drawn_with_the_next_and_exempts_by_the_same_rule(
    stage: Stage,
) -> None:
    tournament = drawn(enrolled(5, stage=stage), 5, 4, 3, 2, 1)
    assert shown(tournament)["to_draw"] == [1, 2, 3, 4, 5]
    (act,) = pair_rounds(tournament, lambda _: set(), (3, 1, 5, 2, 4))
    assert isinstance(act, RoundDrawn)
    assert act.meetings == (((3,), (1,)), ((5,), (2,)), ((4,), ()))  # the last one is exempt
    tournament = apply(tournament, act)
    while matches := ready(tournament):
        winner = players(tournament, matches[0].id)[0]
        assert isinstance(winner, int)
        for result in result_acts(tournament, matches[0].id, winner):
            tournament = apply(tournament, result)
    bag = sorted(shown(tournament)["to_draw"])
    (second,) = pair_rounds(tournament, lambda _: set(), (*[n for n in bag if n != 4], 4))
    assert isinstance(second, RoundDrawn)
    exempt = [a[0] for a, b in second.meetings if not b]
    assert 4 not in exempt  # it was exempt, and others were not
    assert refused(tournament, replace(second, bag=())) == "other_lots"
    assert refused(tournament, replace(second, bag=second.bag[1:])) == "bag_short"


def test_a_swiss_round_is_never_drawn_from_a_bag() -> None:
    swiss = fold([
        Opened("Torneo", Format.SWISS, Options(juegos=1, rounds=2)),
        *(PairEnrolled(n, f"P{n}", (f"A{n}", f"L{n}")) for n in range(1, 5)),
    ])  # fmt: skip
    tournament = drawn(swiss, 4, 3, 2, 1)  # the first order may be
    assert tournament.order == (4, 3, 2, 1)
    assert shown(tournament)["to_draw"] == []
    with pytest.raises(TournamentError) as found:
        pair_rounds(tournament, lambda edges: {edges[0][:2]}, (4, 3, 2, 1))
    assert found.value.code == "bag_points"
