"""The draw: reproducible from its seed, fair over seeds, and checkable by anybody."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hall.tournament import (
    DrawAnnulled,
    Drawn,
    Format,
    Pair,
    PairEnrolled,
    PairWithdrawn,
    TableAssigned,
    TournamentError,
    apply,
    draw,
    fold,
    order_of,
    ready,
    shown,
)
from tests.hall.tournament.playing import both, drawn, enrolled, entered
from tests.tables import each_row


def pairs(count: int, seeds: dict[int, int] | None = None) -> list[Pair]:
    return [Pair(n, f"P{n}", ("A", "B"), "", (seeds or {}).get(n)) for n in range(1, count + 1)]


def test_one_seed_gives_one_order_for_ever() -> None:
    assert draw(pairs(10), 20_261_224) == (6, 1, 9, 2, 4, 5, 10, 8, 7, 3)


def test_anybody_can_compute_the_draw_from_the_printed_seed() -> None:
    chance = random.Random(99)
    lots = {number: chance.random() for number in range(1, 51)}
    assert draw(pairs(50), 99) == tuple(sorted(lots, key=lots.__getitem__))


@given(st.integers(2, 80), st.integers(0, 2**53 - 1), st.randoms(use_true_random=False))
def test_the_draw_holds_every_pair_once_in_any_order_of_enrolment(
    count: int, seed: int, chance: random.Random
) -> None:
    mixed = pairs(count)
    chance.shuffle(mixed)
    order = draw(mixed, seed)
    assert sorted(order) == list(range(1, count + 1))
    assert order == draw(pairs(count), seed)


def test_all_orders_are_about_equally_frequent() -> None:
    counted = Counter(draw(pairs(3), seed) for seed in range(1_200))
    assert len(counted) == 6
    assert all(150 < times < 250 for times in counted.values())


@given(st.integers(0, 10_000))
def test_seeded_pairs_keep_their_places_and_the_others_follow(seed: int) -> None:
    order = draw(pairs(9, {7: 1, 3: 2, 5: 8}), seed)
    assert order[:3] == (7, 3, 5)


def test_an_order_that_does_not_follow_from_the_seed_is_refused() -> None:
    tournament = fold(enrolled(6, Format.KNOCKOUT))
    order = draw(tournament.pairs.values(), 5)
    with pytest.raises(TournamentError, match="not the order that the seed 5 gives"):
        apply(tournament, Drawn(5, order[::-1]))
    assert apply(tournament, Drawn(5, order)).order == order


@each_row(
    "count, form, options, sentence",
    [
        (0, Format.KNOCKOUT, {}, "There are 0 pairs: enrol two"),
        (1, Format.DOUBLE, {}, "There are 1 pairs: enrol two"),
        (65, Format.ROBIN, {}, "64 pairs play a round robin at the most, not 65"),
        (6, Format.SWISS, {"rounds": 4}, "would bring rematches: play 3 at the most"),
        (5, Format.GROUPS, {"groups": 3, "advance": 1}, "3 groups of 5 pairs are too small"),
        (41, Format.GROUPS, {"groups": 2, "advance": 1}, "20 pairs form a group at the most"),
        (7, Format.GROUPS, {"groups": 2, "advance": 4}, "4 of each group cannot go on"),
    ],
)
def test_a_draw_that_its_format_cannot_play_is_refused(
    count: int, form: Format, options: dict[str, int], sentence: str
) -> None:
    tournament = fold(enrolled(count, form, **options))
    with pytest.raises(TournamentError, match=sentence):
        apply(tournament, Drawn(1, draw(tournament.pairs.values(), 1)))


@each_row(
    "count, form, options",
    [
        (2, Format.KNOCKOUT, {}),
        (64, Format.ROBIN, {}),
        (6, Format.SWISS, {"rounds": 3}),
        (6, Format.GROUPS, {"groups": 3, "advance": 2}),
        (40, Format.GROUPS, {"groups": 2, "advance": 20}),
    ],
)
def test_the_largest_and_smallest_possible_tournaments_are_drawn(
    count: int, form: Format, options: dict[str, int]
) -> None:
    assert len(drawn(count, form, **options).order) == count


def test_a_draw_is_annulled_before_the_first_result_and_made_again_with_who_came_late() -> None:
    tournament = drawn(5, Format.KNOCKOUT)
    tournament = apply(tournament, TableAssigned("K1.2", "mesa-1"))
    tournament = apply(tournament, PairWithdrawn(3, "Se van", "Juez"))
    tournament = apply(tournament, DrawAnnulled("Juez", "Faltaba una pareja"))
    assert (tournament.order, tournament.matches, tournament.tables) == ((), {}, {})
    assert tournament.annulled == ((7, "Faltaba una pareja"),)
    assert tournament.gone == {3}
    tournament = apply(tournament, PairEnrolled(6, "Tarde", ("Iker", "Unai")))
    again = apply(tournament, Drawn(8, order_of(tournament, 8)))
    assert sorted(again.order) == [1, 2, 4, 5, 6]
    assert shown(again)["annulled"] == [[7, "Faltaba una pareja"]]
    first = ready(again)[0].id
    begun = entered(again, first, both(again, first)[0])
    with pytest.raises(TournamentError, match="the draw stands"):
        apply(begun, DrawAnnulled("Juez", "Otra vez"))
    with pytest.raises(TournamentError, match="draw first"):
        apply(tournament, DrawAnnulled("Juez", "Otra vez"))
